"""Computing again while a slider moves."""

from __future__ import annotations

import pytest

from mvdesk.ui.pacing import pause_between


@pytest.mark.parametrize(
    ("took_ms", "pause_ms"), [(0, 100), (9, 100), (15, 150), (120, 1_200), (5_000, 2_000)]
)
def test_what_takes_longer_is_computed_more_seldom(took_ms: int, pause_ms: int) -> None:
    assert pause_between(took_ms, 100) == pause_ms

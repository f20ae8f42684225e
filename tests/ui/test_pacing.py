"""Computing again while a slider moves."""

from __future__ import annotations

import pytest

from mvdesk.ui.pacing import pause_between, rest_before, while_moving


@pytest.mark.parametrize(
    ("took_ms", "pause_ms"), [(0, 100), (9, 100), (15, 150), (120, 1_200), (5_000, 10_000)]
)
def test_what_takes_longer_is_computed_more_seldom(took_ms: int, pause_ms: int) -> None:
    assert pause_between(took_ms, 100) == pause_ms


@pytest.mark.parametrize(("memories", "rest_ms"), [(0, 30), (100_000, 40), (1_000_000, 130)])
def test_the_larger_the_vault_the_longer_others_wait(memories: int, rest_ms: int) -> None:
    assert rest_before(30, memories) == rest_ms


def test_a_large_vault_is_followed_seldom_while_a_slider_moves() -> None:
    assert [while_moving(200, memories) for memories in (0, 150_000, 10**6)] == [200, 200, 2_000]

"""Bars slide in a preview, once, and never late."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QVariantAnimation

from mvdesk.ui.plots.waterfall_motion import SLIDE_MS, BarMotion

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.scoring.explain import Explanation
    from mvdesk.ui.plots.waterfall import Waterfall
    from mvdesk.ui.plots.waterfall_rows import Row
    from mvdesk.ui.theme import ThemeController


def _row(rows: tuple[Row, ...], name: str = "source_trust_delta") -> Row:
    return next(row for row in rows if row.name == name)


def _slide(waterfall: Waterfall) -> QVariantAnimation:
    found = waterfall.findChild(QVariantAnimation)
    assert isinstance(found, QVariantAnimation)
    return found


@pytest.fixture
def moving(theme: ThemeController, waterfall: Waterfall) -> Waterfall:
    """A waterfall whose bars may move."""
    theme.set_reduced_motion(False)
    return waterfall


def _preview(waterfall: Waterfall, explained: Callable[..., Explanation], trust: float) -> None:
    waterfall.set_explanation(explained(trust=trust).confidence, previous=explained().confidence)


def test_a_preview_slides_in_160_ms_and_says_its_numbers_at_once(
    qtbot: QtBot, moving: Waterfall, explained: Callable[..., Explanation]
) -> None:
    moving.set_explanation(explained().confidence)
    _preview(moving, explained, 0.9)
    slide = _slide(moving)
    assert slide.duration() == SLIDE_MS == 160
    assert slide.state() == QVariantAnimation.State.Running
    painted = _row(moving._motion.rows)
    assert painted.value == _row(moving.rows).value == "+0.160"
    assert painted.end == _row(moving.rows).start - 0.12  # still where it was
    qtbot.waitUntil(lambda: not moving._motion.is_sliding)
    assert moving._motion.rows == moving.rows


def test_a_slider_that_is_dragged_is_followed_at_once(
    qtbot: QtBot, moving: Waterfall, explained: Callable[..., Explanation]
) -> None:
    moving.set_explanation(explained().confidence)
    for step in range(40, 90, 5):
        _preview(moving, explained, step / 100)
    assert moving._motion.rows == moving.rows
    assert _slide(moving).state() == QVariantAnimation.State.Stopped
    assert len(moving.findChildren(QVariantAnimation)) == 1
    qtbot.waitUntil(lambda: not moving._motion._busy.isActive())
    _preview(moving, explained, 0.2)
    assert moving._motion.is_sliding
    qtbot.waitUntil(lambda: not moving._motion.is_sliding)


def test_going_back_to_what_is_stored_slides_too(
    qtbot: QtBot, moving: Waterfall, explained: Callable[..., Explanation]
) -> None:
    moving.set_explanation(explained(trust=0.9).confidence, previous=explained().confidence)
    moving.set_explanation(explained().confidence)
    assert moving._motion.is_sliding
    qtbot.waitUntil(lambda: not moving._motion.is_sliding)


def test_another_memory_stands_at_once(
    moving: Waterfall, explained: Callable[..., Explanation]
) -> None:
    moving.set_explanation(explained().confidence)
    moving.set_explanation(explained(trust=0.9, type="journal").confidence)
    assert not moving._motion.is_sliding
    _preview(moving, explained, 0.5)  # of the first one again
    assert not moving._motion.is_sliding


def test_nothing_slides_with_reduced_motion(
    waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    _preview(waterfall, explained, 0.9)
    assert not waterfall._motion.is_sliding


def test_rows_that_come_or_go_are_not_slid(
    moving: Waterfall, explained: Callable[..., Explanation]
) -> None:
    motion = BarMotion(moving)
    moving.set_explanation(explained().confidence)
    motion.show(moving.rows)
    motion.slide(moving.rows[:-1], SLIDE_MS)
    assert motion.rows == moving.rows[:-1]

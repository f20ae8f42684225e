"""Both scores in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mvdesk.ui.widgets.score_line import ScoreLine

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

Pair = tuple[float, float]


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (None, None, ""),
        ((0.5, 0.25), None, "Confidence 0.500  ·  Importance 0.250"),
        (None, (0.5, 0.25), "Confidence 0.500  ·  Importance 0.250"),
        ((0.5, 0.25), (0.5, 0.25), "Confidence 0.500  ·  Importance 0.250"),
        ((0.5, 0.25), (0.6, 0.2), "Confidence 0.500 → 0.600 ▲  ·  Importance 0.250 → 0.200 ▼"),
        ((0.5, 0.25), (0.50001, 0.25), "Confidence 0.500  ·  Importance 0.250"),
    ],
)
def test_what_changes_is_said_with_its_direction(
    qtbot: QtBot, theme: ThemeController, before: Pair | None, after: Pair | None, text: str
) -> None:
    line = ScoreLine()
    qtbot.addWidget(line)
    line.set_scores(before, after)
    assert line.text() == text
    assert line.accessibleDescription() == text


def test_where_there_is_little_room_the_names_are_shortened(
    qtbot: QtBot, theme: ThemeController
) -> None:
    line = ScoreLine()
    qtbot.addWidget(line)
    line.set_scores((0.5, 0.25), (0.6, 0.2))
    line.resize(line.full_width() + 8, 20)
    assert line.shown_text().startswith("Confidence")
    line.resize(line.full_width() - 20, 20)
    assert line.shown_text() == "Conf. 0.500 → 0.600 ▲ · Imp. 0.250 → 0.200 ▼"

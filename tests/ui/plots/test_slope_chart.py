from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from mvdesk.ui.plots.slope_chart import SlopeChart
from mvdesk.ui.plots.slope_layout import (
    SlopeLine,
    compute_slope_layout,
    describe_line,
    format_gain,
    spread_labels,
    thin_labels,
)
from mvdesk.ui.theme import DARK, LIGHT, Tokens

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

LINES = (
    SlopeLine("a", "Rises far", 90, 10, 0.4, 0.72),
    SlopeLine("b", "Rises a little", 50, 45, 0.5, 0.52),
    SlopeLine("c", "Falls", 20, 70, 0.66, 0.45),
)


@pytest.fixture
def chart(qtbot: QtBot, theme: ThemeController) -> SlopeChart:
    made = SlopeChart()
    made.resize(320, 260)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.set_lines(LINES)
    made.setFocus()
    return made


@given(
    wanted=st.lists(st.floats(0, 300), max_size=40),
    apart=st.floats(8, 40),
    room=st.floats(1, 400),
)
def test_labels_never_overlap_nor_leave_their_rows(
    wanted: list[float], apart: float, room: float
) -> None:
    weights = list(range(len(wanted)))
    spots = spread_labels(wanted, weights, (10.0, 10.0 + room), apart)
    placed = sorted(spot for spot in spots if spot is not None)
    for one, other in pairwise(placed):
        assert other - one >= apart - 1e-6
    for spot in placed:
        assert 10.0 - 1e-6 <= spot <= 10.0 + room + 1e-6
    if wanted:
        assert placed, "at least one label is shown"


def test_what_moves_least_goes_without_a_label() -> None:
    spots = spread_labels([10, 12, 14], [5, 1, 9], (0.0, 20.0), 16.0)
    assert spots[1] is None
    assert spots[0] is not None
    assert spots[2] is not None


@given(wanted=st.lists(st.floats(0, 300), max_size=40), apart=st.floats(8, 40))
def test_labels_at_the_left_stand_at_their_lines_and_never_overlap(
    wanted: list[float], apart: float
) -> None:
    spots = thin_labels(wanted, list(range(len(wanted))), apart)
    assert all(spot in (None, line) for spot, line in zip(spots, wanted, strict=True))
    for one, other in pairwise(sorted(spot for spot in spots if spot is not None)):
        assert other - one >= apart
    if wanted:
        assert spots[-1] == wanted[-1], "the one that moves most has its label"


def test_labels_stay_where_their_lines_end_while_there_is_room() -> None:
    assert spread_labels([5, 50, 95], [1, 1, 1], (0.0, 100.0), 16.0) == [5, 50, 95]


def test_a_better_rank_is_higher() -> None:
    layout = compute_slope_layout(LINES, (40, 140), (20, 240), 15)
    rising, _, falling = layout.places
    assert rising.end < rising.start
    assert falling.end > falling.start
    assert rising.end == 20


def test_a_line_says_where_it_goes() -> None:
    assert describe_line(LINES[0]) == (
        "Rises far: up 80 places, rank 90 to 10, score 0.400 to 0.720"
    )
    one = SlopeLine("d", "By one", 3, 4, 0.5, 0.5)
    assert "down 1 place," in describe_line(one)
    assert format_gain(-1_200) == "−1,200"
    assert format_gain(0) == "0"


def test_a_click_on_a_label_or_a_line_chooses_its_memory(qtbot: QtBot, chart: SlopeChart) -> None:
    layout = chart.layout_now
    label = layout.places[2].after_label
    assert label is not None
    with qtbot.waitSignal(chart.memory_chosen) as chosen:
        spot = QPoint(round(layout.right) + 40, round(label))
        qtbot.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert chosen.args == ["c"]
    middle = (layout.places[0].start + layout.places[0].end) / 2
    with qtbot.waitSignal(chart.memory_chosen) as chosen:
        spot = QPoint(round((layout.left + layout.right) / 2), round(middle))
        qtbot.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert chosen.args == ["a"]


def test_arrow_keys_go_from_the_best_rank_downwards(qtbot: QtBot, chart: SlopeChart) -> None:
    chosen: list[str] = []
    chart.memory_chosen.connect(chosen.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Home):
        qtbot.keyClick(chart, key)
    assert chosen == ["a", "b", "c", "a"]
    assert chart.accessibleDescription().startswith("Rises far: up 80 places")


@pytest.mark.parametrize(("key", "end"), [(Qt.Key.Key_Home, "first"), (Qt.Key.Key_End, "last")])
def test_home_and_end_mean_the_ends_from_the_first_press(
    qtbot: QtBot, chart: SlopeChart, key: Qt.Key, end: str
) -> None:
    qtbot.keyClick(chart, key)
    reached = chart.current_id
    for _ in LINES:
        qtbot.keyClick(chart, Qt.Key.Key_Up if end == "first" else Qt.Key.Key_Down)
    assert chart.current_id == reached is not None


def test_the_selected_memory_is_marked_without_asking_for_it(
    qtbot: QtBot, chart: SlopeChart
) -> None:
    with qtbot.assertNotEmitted(chart.memory_chosen):
        chart.set_current("b")
        assert chart.current_id == "b"
        chart.set_lines(LINES[:2])
        assert chart.current_id == "b", "it is still there"
        chart.set_current("unknown")
    assert chart.current_id is None


@pytest.mark.qt_log_ignore(r"This plugin does not support raise")  # the tip's window
def test_hovering_tells_all_about_a_line(qtbot: QtBot, chart: SlopeChart) -> None:
    layout = chart.layout_now
    spot = QPoint(round(layout.left), round(layout.places[1].start))
    qtbot.mouseMove(chart.viewport(), spot)
    event = QHelpEvent(QEvent.Type.ToolTip, spot, chart.mapToGlobal(spot))
    QApplication.sendEvent(chart.viewport(), event)
    qtbot.waitUntil(lambda: QToolTip.text().startswith("Rises a little: up 5 places"))
    QToolTip.hideText()


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_up_and_down_differ_by_more_than_colour(chart: SlopeChart, tokens: Tokens) -> None:
    chart.set_tokens(tokens)
    image, layout = chart.grab().toImage(), chart.layout_now

    def gaps(number: int, token: str) -> int:
        """Places along a line where it is interrupted."""
        place, missing = layout.places[number], 0
        left, right = round(layout.left) + 8, round(layout.right) - 8
        for x in range(left, right):
            share = (x - layout.left) / (layout.right - layout.left)
            y = round(place.start + (place.end - place.start) * share)
            near = [image.pixelColor(x, y + by).name().upper() for by in (-1, 0, 1)]
            missing += all(color == tokens.surface for color in near)
        return missing

    assert gaps(0, tokens.positive) == 0
    assert gaps(2, tokens.negative) > 5


def test_no_lines_is_said(chart: SlopeChart) -> None:
    chart.set_lines(())
    assert chart.accessibleDescription() == "No memory changes its rank."
    assert chart.current_id is None

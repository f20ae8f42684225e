from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip

from mvdesk.ui.plots.distribution import Distribution
from mvdesk.ui.plots.distribution_layout import (
    BINS,
    MIN_BAR,
    compute_distribution_layout,
    describe_bin,
    find_top,
)
from mvdesk.ui.theme import DARK, LIGHT, Tokens

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

BEFORE = (0, 0, 1, 2, 4, 3, 6, 9, 14, 20, 33, 28, 22, 18, 12, 9, 4, 2, 1, 6)
AFTER = (0, 0, 1, 3, 6, 5, 9, 12, 15, 18, 28, 20, 20, 17, 14, 9, 4, 5, 2, 6)


@pytest.fixture
def plot(qtbot: QtBot, theme: ThemeController) -> Distribution:
    made = Distribution()
    made.resize(520, 220)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.set_counts(BEFORE)
    made.setFocus()
    return made


def spot(plot: Distribution, score: float) -> QPoint:
    layout = plot.layout_now
    return QPoint(round(layout.x(score)), round(layout.lower - 6))


@pytest.mark.parametrize("scale", [0.85, 1.0, 1.6])
@pytest.mark.parametrize("size", [(240, 110), (520, 220), (1400, 300)])
def test_everything_lies_within_the_widget(size: tuple[int, int], scale: float) -> None:
    layout = compute_distribution_layout((BEFORE, AFTER), size, scale, 30 * scale, 15 * scale)
    assert 0 < layout.left < layout.right <= size[0]
    assert 0 < layout.upper < layout.lower <= size[1] + 24
    for count in (*BEFORE, *AFTER):
        assert layout.upper <= layout.y(count) <= layout.lower


def test_one_memory_among_many_can_be_seen() -> None:
    layout = compute_distribution_layout(((90_000, 1),), (520, 220), 1.0, 40, 15)
    assert layout.lower - layout.y(1) >= MIN_BAR
    assert layout.y(0) == layout.lower


@pytest.mark.parametrize("most", [0, 1, 2, 3, 9, 10, 33, 99, 100, 101, 4_999, 77_777, 1_000_000])
def test_the_upper_edge_is_a_round_even_number_not_far_above_the_longest_bar(most: int) -> None:
    top = find_top(most)
    assert top >= most
    assert top % 2 == 0
    assert top <= max(2.01 * most, 4)


def test_places_and_bins_agree() -> None:
    layout = compute_distribution_layout((BEFORE,), (520, 220), 1.0, 30, 15)
    for number in range(BINS):
        left, right = layout.bin_span(number)
        assert layout.bin_at((left + right) / 2, layout.lower - 1) == number
    assert layout.bin_at(layout.left - 1, layout.lower - 1) is None
    assert layout.bin_at(layout.left + 1, layout.lower + 5) is None
    assert layout.score_at(layout.x(0.37)) == 0.37
    assert layout.score_at(-50) == 0.0
    assert layout.score_at(9999) == 1.0


def test_a_bin_says_what_it_holds_before_and_now() -> None:
    assert describe_bin(13, 18, None) == "0.65 to below 0.70: 18 memories"
    assert describe_bin(13, 18, 17) == "0.65 to below 0.70: 18 before, 17 now (−1)"
    assert describe_bin(19, 1, 1) == "0.95 to 1.00: 1 memory, as before"
    assert describe_bin(0, 0, 1_200).endswith("0 before, 1,200 now (+1,200)")


def test_arrow_keys_ask_for_a_hundredth_and_shift_for_five(
    qtbot: QtBot, plot: Distribution
) -> None:
    asked: list[float] = []
    plot.threshold_moved.connect(asked.append)
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    qtbot.keyClick(plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(plot, Qt.Key.Key_PageUp)
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    assert asked == [0.71, 0.65, 0.8, 0.0]
    assert plot.threshold == 0.7, "the panel keeps the threshold"


def test_showing_a_threshold_asks_for_nothing(qtbot: QtBot, plot: Distribution) -> None:
    with qtbot.assertNotEmitted(plot.threshold_moved):
        plot.set_threshold(0.5, "12 below", "30 at or above")
    assert plot.threshold == 0.5


def test_the_line_is_dragged_and_follows_the_mouse(qtbot: QtBot, plot: Distribution) -> None:
    asked: list[float] = []
    plot.threshold_moved.connect(asked.append)
    plot.threshold_moved.connect(plot.set_threshold)
    chosen: list[int] = []
    plot.bin_chosen.connect(chosen.append)
    view = plot.viewport()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=spot(plot, 0.7))
    qtbot.mouseMove(view, spot(plot, 0.6))
    qtbot.mouseMove(view, spot(plot, 0.42))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=spot(plot, 0.42))
    assert asked[-1] == pytest.approx(0.42, abs=0.011)
    before = list(asked)
    qtbot.mouseMove(view, spot(plot, 0.9))
    assert asked == before, "let go"
    assert chosen == []


def test_escape_while_dragging_goes_back(qtbot: QtBot, plot: Distribution) -> None:
    plot.threshold_moved.connect(plot.set_threshold)
    view = plot.viewport()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=spot(plot, 0.7))
    qtbot.mouseMove(view, spot(plot, 0.3))
    assert plot.threshold == pytest.approx(0.3, abs=0.011)
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.threshold == 0.7
    qtbot.mouseMove(view, spot(plot, 0.2))
    assert plot.threshold == 0.7
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton)


def test_a_click_chooses_a_bin(qtbot: QtBot, plot: Distribution) -> None:
    with qtbot.waitSignal(plot.bin_chosen) as chosen:
        qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=spot(plot, 0.525))
    assert chosen.args == [10]


def test_the_keyboard_walks_bin_by_bin_and_chooses_one(qtbot: QtBot, plot: Distribution) -> None:
    plot.set_counts(BEFORE, AFTER)
    pointed: list[int] = []
    plot.bin_pointed.connect(pointed.append)
    qtbot.keyClick(plot, Qt.Key.Key_Down)
    qtbot.keyClick(plot, Qt.Key.Key_Down)
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    assert pointed == [0, 1, 0]
    assert plot.accessibleDescription().startswith("0.00 to below 0.05: 0 memories, as before.")
    with qtbot.waitSignal(plot.bin_chosen) as chosen:
        qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert chosen.args == [0]
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert pointed[-1] == -1


def test_other_counts_are_said_of_the_bin_pointed_at(qtbot: QtBot, plot: Distribution) -> None:
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    with qtbot.waitSignal(plot.bin_pointed) as pointed:
        plot.set_counts(BEFORE, AFTER)
    assert pointed.args == [19]


@pytest.mark.qt_log_ignore(r"This plugin does not support raise")  # the tip's window
def test_hovering_points_at_a_bin_and_says_it(qtbot: QtBot, plot: Distribution) -> None:
    pointed: list[int] = []
    plot.bin_pointed.connect(pointed.append)
    view = plot.viewport()
    qtbot.mouseMove(view, spot(plot, 0.31))
    qtbot.mouseMove(view, spot(plot, 0.33))
    assert pointed == [6]
    where = spot(plot, 0.33)
    event = QHelpEvent(QEvent.Type.ToolTip, where, plot.mapToGlobal(where))
    QApplication.sendEvent(view, event)
    qtbot.waitUntil(lambda: QToolTip.text().startswith("0.30 to below 0.35: 6 memories"))
    QToolTip.hideText()
    QApplication.sendEvent(plot, QEvent(QEvent.Type.Leave))
    assert pointed[-1] == -1


def test_the_wheel_is_left_to_what_is_around(plot: Distribution) -> None:
    where = QPointF(100, 60)
    event = QWheelEvent(
        where,
        where,
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    event.setAccepted(True)
    plot.wheelEvent(event)
    assert not event.isAccepted()


def test_the_table_twin_has_a_row_for_every_bin(plot: Distribution) -> None:
    assert [row[1] for row in plot.table()] == list(BEFORE)
    assert {row[2] for row in plot.table()} == {None}
    plot.set_counts(BEFORE, AFTER)
    assert [row[2] for row in plot.table()] == list(AFTER)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_the_preview_is_painted_over_an_outline_of_what_was(
    plot: Distribution, tokens: Tokens
) -> None:
    plot.set_tokens(tokens)
    before = plot.grab().toImage()
    plot.set_counts(BEFORE, AFTER)
    after = plot.grab().toImage()
    assert before != after
    layout = plot.layout_now
    x = round(layout.x(0.425))
    # Bin 8 had 14 and has 15: the top of the bar is the accent, the rest as before.
    assert after.pixelColor(x, round(layout.y(7))).name().upper() == tokens.neutral
    x = round(layout.x(0.325))
    assert after.pixelColor(x, round(layout.y(8))).name().upper() == tokens.accent
    assert before.pixelColor(x, round(layout.y(8))).name().upper() == tokens.surface


def test_beside_the_handle_the_counts_stand_where_there_is_room_for_them(
    qtbot: QtBot, plot: Distribution
) -> None:
    plot.set_threshold(0.7, "60,851 → 59,067 below", "38,618 → 41,402 reach it")
    long = plot.grab().toImage()
    plot.set_threshold(0.7, "60,851 → 59,067 below", "41,402 reach it")
    assert plot.grab().toImage() == long, "without room only what is now"
    plot.resize(1200, 220)
    qtbot.waitUntil(lambda: plot.layout_now.right > 1000)
    short = plot.grab().toImage()
    plot.set_threshold(0.7, "60,851 → 59,067 below", "38,618 → 41,402 reach it")
    assert plot.grab().toImage() != short

"""Texts that change at every step of a slider lay nothing out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.preview_bar import PreviewBar, format_preview
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.ui.widgets.trust_control import TrustControl

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController


def settle() -> None:
    """Let layouts ask one another until they are done."""
    for _ in range(3):
        QApplication.processEvents()


LONG = "a sentence that certainly needs more than one line of the narrow window it is in"


class Layouts(QObject):
    """Counts how often a window is laid out."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self.window = window  # kept alive
        self.count = 0
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def shown_in(qtbot: QtBot, theme: ThemeController) -> Callable[[QWidget], Layouts]:
    """Puts a widget into a window, shown and laid out."""
    kept: list[Layouts] = []

    def show(widget: QWidget) -> Layouts:
        window = QWidget()
        qtbot.addWidget(window)
        column = QVBoxLayout(window)
        column.addWidget(widget)
        column.addStretch(1)
        window.resize(420, 300)
        window.show()
        settle()
        kept.append(Layouts(window))
        return kept[-1]

    return show


def wrapped(text: str) -> tuple[SteadyBox, QLabel]:
    label = QLabel(text)
    label.setWordWrap(True)
    return SteadyBox(label), label


def test_another_text_of_the_same_height_lays_nothing_out(
    shown_in: Callable[[QWidget], Layouts],
) -> None:
    box, label = wrapped("one line")
    layouts = shown_in(box)
    label.setText("another one")
    settle()
    assert layouts.count == 0
    assert label.geometry() == box.rect()


def test_a_text_that_needs_more_lines_gets_them(shown_in: Callable[[QWidget], Layouts]) -> None:
    box, label = wrapped("one line")
    layouts = shown_in(box)
    low = box.height()
    label.setText(LONG)
    settle()
    assert layouts.count > 0
    assert box.height() > low
    assert label.heightForWidth(box.width()) == box.height()
    label.setText("one line")
    settle()
    assert box.height() == low


def test_a_box_that_keeps_the_tallest_height_does_not_jump(
    shown_in: Callable[[QWidget], Layouts],
) -> None:
    box, label = wrapped("one line")
    shown_in(box)
    low = box.height()
    box.set_keeps_tallest(True)
    for text in (LONG, "one line"):
        label.setText(text)
        settle()
        assert box.height() > low
    box.set_keeps_tallest(False)
    settle()
    assert box.height() == low


def test_a_panel_s_detail_lays_nothing_out(shown_in: Callable[[QWidget], Layouts]) -> None:
    header = PanelHeader("Memories")
    layouts = shown_in(header)
    header.set_detail("214 of 3,120")
    settle()
    assert layouts.count == 0
    assert header.accessibleDescription() == header.detail() == "214 of 3,120"


def test_the_preview_s_counts_lay_nothing_out_once_there_is_room(
    shown_in: Callable[[QWidget], Layouts],
) -> None:
    bar = PreviewBar()
    bar.set_text(format_preview(1, ("12,456 affected", "12,004 up, 0 down")))
    layouts = shown_in(bar)
    for number in range(9_990, 10_010):
        bar.set_text(format_preview(1, ("12,456 affected", f"{number:,} up, 0 down")))
        settle()
    assert layouts.count == 0
    bar.set_text(format_preview(1, ("12,456 affected", "12,004 up, 0 down", "9 cannot move")))
    settle()
    assert layouts.count > 0


def test_a_step_of_the_slider_lays_the_window_out_at_most_once(
    shown_in: Callable[[QWidget], Layouts],
) -> None:
    control = TrustControl()
    control.set_trust(0.5, 0.5)
    control.set_effect("+0.000 confidence, +0.000 importance for each of 15,004 memories")
    layouts = shown_in(control)
    for step in range(20):
        trust = 0.4 - step / 100
        control.set_trust(trust, 0.5)
        control.set_effect(f"−0.{step:03} confidence, −0.042 importance for each of 15,004")
        settle()
    assert layouts.count <= 1

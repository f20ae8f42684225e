"""The trust slider: keys, pointer, wheel, ghost, and the state "not set"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from mvdesk.ui.widgets.trust_slider import TrustSlider, format_trust

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def slider(qtbot: QtBot) -> TrustSlider:
    made = TrustSlider()
    qtbot.addWidget(made)
    made.resize(300, 28)
    made.show()
    return made


def edits(slider: TrustSlider) -> list[float]:
    seen: list[float] = []
    slider.trust_edited.connect(seen.append)
    return seen


def place(slider: TrustSlider, trust: float) -> QPoint:
    return slider.handle_center(trust).toPoint()


def wheel(widget: QWidget, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
    """Turn the wheel over the widget; whether the widget took it."""
    middle = QPointF(widget.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(widget.mapToGlobal(middle.toPoint())),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        held,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    event.ignore()
    widget.wheelEvent(event)
    return event.isAccepted()


def test_showing_a_stored_trust_does_not_count_as_an_edit(
    qtbot: QtBot, slider: TrustSlider
) -> None:
    with qtbot.assertNotEmitted(slider.trust_edited):
        slider.set_trust(0.8)
        slider.set_trust(None)
        slider.set_trust(0.2, 0.8)


def test_unset_trust_is_not_the_same_as_half(slider: TrustSlider) -> None:
    slider.set_trust(None)
    assert slider.trust is None
    unset = slider.grab().toImage()
    assert slider.accessibleDescription() == "not set, counts as 0.50"
    slider.set_trust(0.5)
    assert slider.trust == 0.5
    assert slider.grab().toImage() != unset
    assert slider.accessibleDescription() == "0.50"


def test_a_stored_trust_between_hundredths_is_not_changed_by_being_shown(
    slider: TrustSlider,
) -> None:
    slider.set_trust(0.683)
    assert slider.trust == 0.683
    assert slider.value() == 68
    assert format_trust(slider.trust) == "0.683"


@pytest.mark.parametrize(
    ("key", "held", "expected"),
    [
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 0.41),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 0.39),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, 0.41),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier, 0.39),
        (Qt.Key.Key_Right, SHIFT, 0.45),
        (Qt.Key.Key_Left, SHIFT, 0.35),
        (Qt.Key.Key_PageUp, Qt.KeyboardModifier.NoModifier, 0.50),
        (Qt.Key.Key_PageDown, Qt.KeyboardModifier.NoModifier, 0.30),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 0.0),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, 1.0),
    ],
)
def test_keys_move_the_trust(
    key: Qt.Key,
    held: Qt.KeyboardModifier,
    expected: float,
    slider: TrustSlider,
    qtbot: QtBot,
) -> None:
    slider.set_trust(0.4)
    seen = edits(slider)
    qtbot.keyClick(slider, key, held)
    assert seen == [expected]
    assert slider.trust == expected
    assert slider.committed == 0.4


def test_keys_stop_at_the_ends_and_say_nothing_there(qtbot: QtBot, slider: TrustSlider) -> None:
    slider.set_trust(1.0)
    seen = edits(slider)
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    qtbot.keyClick(slider, Qt.Key.Key_End)
    assert seen == []


def test_a_hundred_steps_of_a_hundredth_make_one(qtbot: QtBot, slider: TrustSlider) -> None:
    slider.set_trust(0.0)
    seen = edits(slider)
    for _ in range(100):
        qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert seen == [hundredths / 100 for hundredths in range(1, 101)]


def test_the_first_key_on_an_unset_trust_starts_at_half(qtbot: QtBot, slider: TrustSlider) -> None:
    slider.set_trust(None)
    seen = edits(slider)
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert seen == [0.49]


def test_u_asks_to_unset_and_delete_asks_to_revert(qtbot: QtBot, slider: TrustSlider) -> None:
    slider.set_trust(0.8, 0.5)
    seen = edits(slider)
    with qtbot.waitSignal(slider.unset_requested):
        qtbot.keyClick(slider, Qt.Key.Key_U)
    with qtbot.waitSignal(slider.revert_requested):
        qtbot.keyClick(slider, Qt.Key.Key_Delete)
    assert seen == []


def test_keys_with_ctrl_belong_to_the_window(qtbot: QtBot, slider: TrustSlider) -> None:
    slider.set_trust(0.4)
    seen = edits(slider)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_U, Qt.Key.Key_Home):
        qtbot.keyClick(slider, key, Qt.KeyboardModifier.ControlModifier)
    assert seen == []


@pytest.mark.parametrize("focused", [False, True])
def test_a_hundred_wheel_turns_change_nothing(focused: bool, slider: TrustSlider) -> None:
    slider.set_trust(0.4)
    if focused:
        slider.setFocus()
    seen = edits(slider)
    assert not any(wheel(slider) for _ in range(100))
    assert seen == []
    assert slider.trust == 0.4


def test_the_wheel_scrolls_the_panel_instead(qtbot: QtBot) -> None:
    area, inside = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    slider = TrustSlider()
    column = QVBoxLayout(inside)
    column.addWidget(slider)
    column.addSpacing(2000)
    area.setWidget(inside)
    area.resize(300, 200)
    area.show()
    qtbot.waitExposed(area)
    slider.setFocus()
    spot = slider.mapTo(area, slider.rect().center())
    QTest.wheelEvent(area.windowHandle(), spot, QPoint(0, -120))
    assert area.verticalScrollBar().value() > 0
    assert slider.trust is None


def test_ctrl_and_the_focus_together_arm_the_wheel(qtbot: QtBot, slider: TrustSlider) -> None:
    slider.set_trust(0.4)
    seen = edits(slider)
    slider.clearFocus()
    assert not wheel(slider, Qt.KeyboardModifier.ControlModifier)
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    assert wheel(slider, Qt.KeyboardModifier.ControlModifier)
    assert seen == [0.41]


def test_a_click_on_the_groove_jumps_there_and_previews_at_once(
    qtbot: QtBot, slider: TrustSlider
) -> None:
    slider.set_trust(0.2)
    seen = edits(slider)
    qtbot.mousePress(slider, LEFT, pos=place(slider, 0.8))
    assert seen == pytest.approx([0.8], abs=0.011)
    qtbot.mouseRelease(slider, LEFT, pos=place(slider, 0.8))
    assert len(seen) == 1


def test_dragging_previews_all_the_way_and_snaps_at_half(qtbot: QtBot, slider: TrustSlider) -> None:
    slider.set_trust(0.2)
    seen = edits(slider)
    qtbot.mousePress(slider, LEFT, pos=place(slider, 0.2))
    for trust in (0.3, 0.4, 0.487, 0.515, 0.6):
        qtbot.mouseMove(slider, place(slider, trust))
    qtbot.mouseRelease(slider, LEFT, pos=place(slider, 0.6))
    assert seen == sorted(seen)
    assert seen.count(0.5) == 1
    assert slider.trust == pytest.approx(0.6, abs=0.011)


def test_a_drag_beyond_the_ends_stays_in_range(qtbot: QtBot, slider: TrustSlider) -> None:
    qtbot.mousePress(slider, LEFT, pos=place(slider, 0.8))
    qtbot.mouseMove(slider, QPoint(5000, 5))
    assert slider.trust == 1.0
    qtbot.mouseMove(slider, QPoint(-5000, 5))
    assert slider.trust == 0.0
    qtbot.mouseRelease(slider, LEFT, pos=QPoint(-5000, 5))


def test_escape_during_a_drag_returns_to_the_value_before_it(
    qtbot: QtBot, slider: TrustSlider
) -> None:
    slider.set_trust(0.683)
    seen = edits(slider)
    qtbot.mousePress(slider, LEFT, pos=place(slider, 0.9))
    qtbot.keyClick(slider, Qt.Key.Key_Escape)
    assert slider.trust == 0.683
    assert seen[-1] == 0.683
    qtbot.mouseMove(slider, place(slider, 0.3))
    qtbot.mouseRelease(slider, LEFT, pos=place(slider, 0.3))
    assert slider.trust == 0.683


def test_escape_during_a_drag_from_not_set_asks_to_unset(qtbot: QtBot, slider: TrustSlider) -> None:
    slider.set_trust(None)
    qtbot.mousePress(slider, LEFT, pos=place(slider, 0.9))
    with qtbot.waitSignal(slider.unset_requested):
        qtbot.keyClick(slider, Qt.Key.Key_Escape)


def test_a_drag_survives_the_owner_showing_the_same_value(
    qtbot: QtBot, slider: TrustSlider
) -> None:
    slider.set_trust(0.2)
    slider.trust_edited.connect(lambda trust: slider.set_trust(trust, 0.2))
    qtbot.mousePress(slider, LEFT, pos=place(slider, 0.3))
    qtbot.mouseMove(slider, place(slider, 0.9))
    assert slider.trust == pytest.approx(0.9, abs=0.011)
    assert slider.isSliderDown()
    qtbot.mouseRelease(slider, LEFT, pos=place(slider, 0.9))
    assert not slider.isSliderDown()


def test_other_buttons_do_nothing(qtbot: QtBot, slider: TrustSlider) -> None:
    seen = edits(slider)
    qtbot.mouseClick(slider, Qt.MouseButton.RightButton, pos=place(slider, 0.9))
    assert seen == []


def test_a_screen_reader_may_turn_the_slider_itself(slider: TrustSlider) -> None:
    seen = edits(slider)
    slider.setValue(80)
    assert seen == [0.8]
    assert slider.trust == 0.8


def test_the_ghost_shows_only_while_the_values_differ(slider: TrustSlider) -> None:
    slider.set_trust(0.8)
    alone = slider.grab().toImage()
    slider.set_trust(0.8, 0.2)
    assert slider.grab().toImage() != alone
    assert slider.accessibleDescription() == "0.80; stored: 0.20"
    slider.set_trust(0.8, None)
    assert slider.accessibleDescription() == "0.80; stored: not set"
    slider.set_trust(0.8, 0.8)
    assert slider.grab().toImage() == alone


def test_it_can_be_reached_by_tab_but_not_by_the_wheel(slider: TrustSlider) -> None:
    assert slider.focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert slider.accessibleName() == "Trust"

"""Slider, number box and the words around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from mvdesk.ui.widgets.trust_control import TrustControl

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def control(qtbot: QtBot) -> TrustControl:
    made = TrustControl()
    qtbot.addWidget(made)
    made.show()
    return made


def type_trust(qtbot: QtBot, control: TrustControl, text: str) -> None:
    control.field.selectAll()
    qtbot.keyClicks(control.field, text)
    qtbot.keyClick(control.field, Qt.Key.Key_Return)


def test_slider_and_box_show_the_same(qtbot: QtBot, control: TrustControl) -> None:
    with qtbot.assertNotEmitted(control.trust_edited):
        control.set_trust(0.683, 0.5)
    assert control.field.text() == "0.683"
    assert control.slider.trust == 0.683
    assert control.state_text() == "Preview 0.50 → 0.683"


def test_not_set_is_said(control: TrustControl) -> None:
    control.set_trust(None)
    control.set_effect("no change")
    assert control.field.text() == "not set"
    assert control.state_text() == "Not set, counts as 0.50 · no change"
    assert not control.clear_button.isEnabled()
    assert not control.revert_button.isEnabled()


def test_moving_the_slider_moves_the_box(qtbot: QtBot, control: TrustControl) -> None:
    control.set_trust(0.5)
    with qtbot.waitSignal(control.trust_edited) as seen:
        qtbot.keyClick(control.slider, Qt.Key.Key_Right)
    assert seen.args == [0.51]
    assert control.field.text() == "0.51"
    assert control.state_text() == "Preview 0.50 → 0.51"
    assert control.revert_button.isEnabled()


@pytest.mark.parametrize(("text", "trust"), [("0.62", 0.62), ("0,7", 0.7), ("1", 1.0), ("0", 0.0)])
def test_a_typed_number_moves_the_slider(
    text: str, trust: float, qtbot: QtBot, control: TrustControl
) -> None:
    control.set_trust(0.5)
    with qtbot.waitSignal(control.trust_edited) as seen:
        type_trust(qtbot, control, text)
    assert seen.args == [trust]
    assert control.slider.trust == trust


@pytest.mark.parametrize("text", ["1.5", "-0.1", "nan", "inf", "much", "0.5.5"])
def test_what_is_no_trust_is_marked_and_kept(
    text: str, qtbot: QtBot, control: TrustControl
) -> None:
    control.set_trust(0.5)
    with qtbot.assertNotEmitted(control.trust_edited):
        type_trust(qtbot, control, text)
    assert control.field.text() == text
    assert control.field.property("invalid") is True
    assert "0 to 1" in control.field.accessibleDescription()
    qtbot.keyClick(control.field, Qt.Key.Key_Escape)
    assert control.field.text() == "0.50"
    assert control.field.property("invalid") is False


def test_an_emptied_box_asks_to_unset(qtbot: QtBot, control: TrustControl) -> None:
    control.set_trust(0.5)
    control.field.selectAll()
    qtbot.keyClick(control.field, Qt.Key.Key_Delete)
    with qtbot.waitSignal(control.unset_requested):
        qtbot.keyClick(control.field, Qt.Key.Key_Return)


def test_leaving_the_box_untouched_says_nothing(qtbot: QtBot, control: TrustControl) -> None:
    control.set_trust(0.683)
    with qtbot.assertNotEmitted(control.trust_edited):
        control.field.setFocus()
        qtbot.keyClick(control.field, Qt.Key.Key_Return)
    assert control.slider.trust == 0.683


def test_the_buttons_ask(qtbot: QtBot, control: TrustControl) -> None:
    control.set_trust(0.8, 0.5)
    with qtbot.waitSignal(control.revert_requested):
        control.revert_button.click()
    with qtbot.waitSignal(control.unset_requested):
        control.clear_button.click()


def test_a_refusal_switches_everything_off_and_says_why(control: TrustControl) -> None:
    control.set_trust(0.5)
    control.set_refusal("Name its source first.")
    assert control.state_text() == "Name its source first."
    for part in (control.slider, control.field, control.clear_button, control.revert_button):
        assert not part.isEnabled()
    control.set_refusal("")
    assert control.slider.isEnabled()

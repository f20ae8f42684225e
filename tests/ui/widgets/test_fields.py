"""Number, choice, search and check box: typed, chosen, never changed by the wheel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.number_field import NumberField
from mvdesk.ui.widgets.search_field import SearchField

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def number(qtbot: QtBot) -> NumberField:
    made = NumberField("Base confidence")
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def choice(qtbot: QtBot) -> Choice:
    made = Choice("Type")
    qtbot.addWidget(made)
    made.set_choices([("note", "Note"), ("fact", "Fact")])
    made.show()
    return made


@pytest.fixture
def german() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.7, "0.70"),
        (0.0, "0.00"),
        (1.0, "1.00"),
        (0.683, "0.683"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e-7, "0.0000001"),
    ],
)
def test_a_stored_number_is_shown_whole_and_not_rounded(
    value: float, text: str, qtbot: QtBot, number: NumberField
) -> None:
    with qtbot.assertNotEmitted(number.value_edited):
        number.set_value(value)
    assert number.text() == text
    assert number.value() == value


def test_typing_a_number_edits_it(qtbot: QtBot, number: NumberField) -> None:
    number.set_value(0.7)
    seen: list[float] = []
    number.value_edited.connect(seen.append)
    number.selectAll()
    qtbot.keyClicks(number, "0.45")
    assert seen[-1] == 0.45


@pytest.mark.parametrize("text", ["1.5", "-1", "nan", "x", "2"])
def test_what_is_no_score_can_not_be_typed(text: str, qtbot: QtBot, number: NumberField) -> None:
    number.set_value(0.7)
    number.selectAll()
    qtbot.keyClicks(number, text)
    qtbot.keyClick(number, Qt.Key.Key_Return)
    assert 0.0 <= number.value() <= 1.0


def test_arrow_keys_step_on_the_grid_of_hundredths(qtbot: QtBot, number: NumberField) -> None:
    number.set_value(0.683)
    qtbot.keyClick(number, Qt.Key.Key_Up)
    assert number.value() == 0.69
    qtbot.keyClick(number, Qt.Key.Key_Down, SHIFT)
    assert number.value() == 0.64


@pytest.mark.parametrize("typed", ["0.62", "0,62"])
def test_the_decimal_sign_is_that_of_the_language_and_both_can_be_typed(
    typed: str, german: None, qtbot: QtBot
) -> None:
    field = NumberField("Base importance")
    qtbot.addWidget(field)
    field.set_value(0.5)
    assert field.text() == "0,50"
    field.selectAll()
    qtbot.keyClicks(field, typed)
    assert field.value() == 0.62
    assert field.text() == "0,62"


def test_the_wheel_changes_no_field(qtbot: QtBot, number: NumberField, choice: Choice) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(number)
    column.addWidget(choice)
    window.show()
    qtbot.waitExposed(window)
    number.set_value(0.7)
    for field in (number, choice):
        field.setFocus()
        spot = field.mapTo(window, field.rect().center())
        for _ in range(100):
            QTest.wheelEvent(window.windowHandle(), spot, QPoint(0, 120))
            QTest.wheelEvent(window.windowHandle(), spot, QPoint(0, -240))
    assert number.value() == 0.7
    assert choice.chosen == "note"
    number.setFocus()
    qtbot.waitUntil(number.hasFocus)
    spot = number.mapTo(window, number.rect().center())
    QTest.wheelEvent(window.windowHandle(), spot, QPoint(0, 120), QPoint(), CTRL)
    assert number.value() == 0.71


def test_a_choice_says_what_the_person_chose_and_nothing_else(qtbot: QtBot, choice: Choice) -> None:
    with qtbot.assertNotEmitted(choice.value_chosen):
        choice.set_value("fact")
    assert choice.chosen == "fact"
    with qtbot.waitSignal(choice.value_chosen) as seen:
        qtbot.keyClick(choice, Qt.Key.Key_Up)
    assert seen.args == ["note"]


def test_a_value_that_is_not_offered_is_shown_as_it_is(choice: Choice) -> None:
    choice.set_value("dream")
    assert choice.chosen == "dream"
    assert choice.currentText() == "dream"
    choice.set_choices([("note", "Note"), ("dream", "Dream")])
    assert choice.currentText() == "Dream"
    choice.set_choices([])
    assert choice.chosen == ""


def test_escape_clears_the_search_and_then_leaves_it(qtbot: QtBot) -> None:
    field = SearchField("Search memories")
    qtbot.addWidget(field)
    field.show()
    qtbot.keyClicks(field, "port")
    cross = field.findChild(IconButton)
    assert cross is not None
    assert cross.isVisible()
    with qtbot.assertNotEmitted(field.leave_requested):
        qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert not cross.isVisible()
    with qtbot.waitSignal(field.leave_requested):
        qtbot.keyClick(field, Qt.Key.Key_Escape)
    qtbot.keyClicks(field, "port")
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert field.text() == ""


def test_the_parts_of_a_search_field_do_not_overlap(qtbot: QtBot, theme: ThemeController) -> None:
    field = SearchField("Search memories")
    qtbot.addWidget(field)
    field.show()
    for scale in (0.85, 1.0, 1.6):
        theme.set_scale(scale)
        field.resize(200, field.sizeHint().height())
        field.setText("port")
        cross = field.findChild(IconButton)
        assert cross is not None
        assert field.rect().contains(cross.geometry()), scale


def test_a_check_box_answers_to_its_whole_width(qtbot: QtBot, theme: ThemeController) -> None:
    box = CheckBox("Show &archived")
    qtbot.addWidget(box)
    box.show()
    empty = box.grab().toImage()
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 4, 10))
    assert box.isChecked()
    assert box.grab().toImage() != empty
    small = box.sizeHint()
    theme.set_scale(1.6)
    assert box.sizeHint().width() > small.width()

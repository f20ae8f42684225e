"""Ctrl+Z right after a save takes the save back, wherever the caret is."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLineEdit, QWidget

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk


def test_the_first_undo_after_a_save_is_the_vault_s(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    title = open_desk.window.findChild(QLineEdit, "editorTitle")
    assert isinstance(title, QLineEdit)
    assert session.selected_memory is not None
    memory_id, before = session.selected_memory.id, session.selected_memory.title
    title.setFocus()
    title.selectAll()
    qtbot.keyClicks(title, "Another title")
    with qtbot.waitSignal(session.vault_changed):
        qtbot.keyClick(title, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(session.jobs.is_idle)
    assert session.vault.read_memory(memory_id).title == "Another title"
    with qtbot.waitSignal(session.vault_changed):
        qtbot.keyClick(title, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(session.jobs.is_idle)
    assert session.vault.read_memory(memory_id).title == before
    assert title.text() == (before or "")


@pytest.mark.parametrize("name", ["questionTarget", "listChoice"])
def test_a_field_without_typing_leaves_undo_to_the_vault(
    name: str, qtbot: QtBot, open_desk: Desk
) -> None:
    """A number field and a list to type in pass the key to a line inside, which claims it."""
    desk, session = open_desk, open_desk.session
    if name == "listChoice":
        field: QWidget = QComboBox(desk.window)
        cast("QComboBox", field).setEditable(True)
        field.show()
    else:
        qtbot.keyClick(desk.window, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: desk.window.findChild(QDoubleSpinBox, name) is not None)
        found = desk.window.findChild(QDoubleSpinBox, name)
        assert isinstance(found, QDoubleSpinBox)
        field = found
        qtbot.waitUntil(field.isVisible)
    before = session.trust_of("slack #design")
    session.preview_trust("slack #design", 0.11)
    with qtbot.waitSignal(session.vault_changed):
        session.apply_preview()
    qtbot.waitUntil(session.jobs.is_idle)
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, "0.8")
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(session.jobs.is_idle)
    assert session.trust_of("slack #design") == 0.11, "typing is taken back first"
    with qtbot.waitSignal(session.vault_changed):
        qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(session.jobs.is_idle)
    assert session.trust_of("slack #design") == before

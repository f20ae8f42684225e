"""Ctrl+Z right after a save takes the save back, wherever the caret is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

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

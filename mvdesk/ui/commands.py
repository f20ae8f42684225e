"""Undo and redo: a view of the vault's journal, or of the text being typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from mvdesk.ui.actions import describe

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QKeyEvent

    from mvdesk.ui.session import VaultSession


_TEXT_FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit)


class UndoCommands(QObject):
    """Keeps the undo and redo actions true to the journal.

    The journal is the stack: a step goes onto it once it is written, and an undo that no
    longer applies leaves it as it is. The actions do what they say. Their keys go to the
    focused text field first, while it has typing to take back.
    """

    def __init__(self, session: VaultSession, undo: QAction, redo: QAction) -> None:
        super().__init__(undo.parent())
        self._session = session
        self._undo, self._redo = undo, redo
        undo.triggered.connect(self._on_undo_triggered)
        redo.triggered.connect(self._on_redo_triggered)
        session.undo_changed.connect(self._on_undo_changed)
        session.vault_closed.connect(self._on_vault_closed)
        app = cast("QApplication", QApplication.instance())
        app.focusChanged.connect(self._on_focus_changed)
        self._on_undo_changed("", "")

    def let_go(self) -> None:
        """Stop following the application's focus; the window closes."""
        app = cast("QApplication", QApplication.instance())
        app.focusChanged.disconnect(self._on_focus_changed)

    def eventFilter(self, field: QObject, event: QEvent) -> bool:
        # A text field claims Ctrl+Z even when it has nothing to take back; the vault does then.
        if event.type() == QEvent.Type.ShortcutOverride:
            key = cast("QKeyEvent", event)
            for direction, action in (("undo", self._undo), ("redo", self._redo)):
                pressed = QKeySequence(key.keyCombination())
                if pressed in action.shortcuts() and not _has_typing(field, direction):
                    event.ignore()
                    return True
        return super().eventFilter(field, event)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(old, _TEXT_FIELDS):
            old.removeEventFilter(self)
        if isinstance(new, _TEXT_FIELDS):
            new.installEventFilter(self)

    @Slot(str, str)
    def _on_undo_changed(self, undo_label: str, redo_label: str) -> None:
        for action, verb, label in (
            (self._undo, "Undo", undo_label),
            (self._redo, "Redo", redo_label),
        ):
            text = f"{verb}: {_one_line(label)}" if label else verb
            action.setText(text.replace("&", "&&"))
            action.setEnabled(bool(label))
            describe(action, text, action.whatsThis())

    @Slot()
    def _on_vault_closed(self) -> None:
        self._on_undo_changed("", "")

    @Slot(bool)
    def _on_undo_triggered(self, _checked: bool) -> None:
        self._session.undo()

    @Slot(bool)
    def _on_redo_triggered(self, _checked: bool) -> None:
        self._session.redo()


def _has_typing(field: QObject, direction: str) -> bool:
    """Whether a text field has typing of that direction to take back."""
    if isinstance(field, QLineEdit):
        able = field.isUndoAvailable() if direction == "undo" else field.isRedoAvailable()
        return able and not field.isReadOnly()
    if isinstance(field, QPlainTextEdit | QTextEdit):
        document = field.document()
        able = document.isUndoAvailable() if direction == "undo" else document.isRedoAvailable()
        return able and not field.isReadOnly()
    return False


def _one_line(label: str) -> str:
    text = " ".join(label.split())
    return text if len(text) <= 60 else text[:59].rstrip() + "…"

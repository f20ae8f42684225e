"""Undo and redo: a view of the vault's journal, or of the text being typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QToolBar,
    QWidget,
)

from mvdesk.ui.actions import describe
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QAction, QKeyEvent

    from mvdesk.ui.session import VaultSession


_TEXT_FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox, QComboBox)
"""What may claim the keys; the last two do for a line of text inside them."""


class Steps(Protocol):
    """What can be taken back, and done again; labels are "" for nothing."""

    @property
    def undo_label(self) -> str: ...

    @property
    def redo_label(self) -> str: ...

    def undo(self) -> None: ...

    def redo(self) -> None: ...


class UndoCommands(QObject):
    """Keeps the undo and redo actions true to the journal.

    The journal is the stack: a step goes onto it once it is written, and an undo that no
    longer applies leaves it as it is. The actions do what they say. Their keys go to the
    focused text field first, while it has typing to take back. A panel with steps of its own
    between the vault's has the actions do those while the keyboard is in it.
    """

    def __init__(self, session: VaultSession, undo: QAction, redo: QAction) -> None:
        super().__init__(undo.parent())
        self._session = session
        self._undo, self._redo = undo, redo
        self._own: tuple[tuple[QWidget, ...], Steps] | None = None
        self._is_own = False  # the keyboard is in that panel, or was before a menu or bar
        undo.triggered.connect(self._on_undo_triggered)
        redo.triggered.connect(self._on_redo_triggered)
        session.undo_changed.connect(self._on_undo_changed)
        session.vault_closed.connect(self._on_vault_closed)
        app = cast("QApplication", QApplication.instance())
        app.focusChanged.connect(self._on_focus_changed)
        self._show_labels("", "")

    def attach(self, parts: tuple[QWidget, ...], steps: Steps, changed: SignalInstance) -> None:
        """Have the actions do these steps while the keyboard is in one of the widgets."""
        self._own = (parts, steps)
        changed.connect(self._show)

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
        if new is None or self._own is None or _is_in_bar(new):
            return
        is_own = any(part is new or part.isAncestorOf(new) for part in self._own[0])
        if is_own != self._is_own:
            self._is_own = is_own
            self._show()

    @Slot(str, str)
    def _on_undo_changed(self, _undo_label: str, _redo_label: str) -> None:
        self._show()

    @property
    def _steps(self) -> Steps:
        """The steps that the actions are about just now."""
        return self._own[1] if self._own is not None and self._is_own else self._session

    @Slot()
    def _show(self) -> None:
        is_open = self._session.is_open
        self._show_labels(
            *((self._steps.undo_label, self._steps.redo_label) if is_open else ("", ""))
        )

    def _show_labels(self, undo_label: str, redo_label: str) -> None:
        for action, verb, label in (
            (self._undo, tr("Undo"), undo_label),
            (self._redo, tr("Redo"), redo_label),
        ):
            text = f"{verb}: {_one_line(label)}" if label else verb
            action.setText(text.replace("&", "&&"))
            action.setEnabled(bool(label))
            describe(action, text, action.whatsThis())

    @Slot()
    def _on_vault_closed(self) -> None:
        self._show_labels("", "")

    @Slot(bool)
    def _on_undo_triggered(self, _checked: bool) -> None:
        self._steps.undo()

    @Slot(bool)
    def _on_redo_triggered(self, _checked: bool) -> None:
        self._steps.redo()


def _is_in_bar(widget: QWidget) -> bool:
    """Whether the keyboard is only passing by: in a menu or a bar of the window."""
    one: QWidget | None = widget
    while one is not None and not isinstance(one, QMenu | QMenuBar | QToolBar):
        one = one.parentWidget()
    return one is not None


def _has_typing(field: QObject, direction: str) -> bool:
    """Whether a text field has typing of that direction to take back."""
    if isinstance(field, QAbstractSpinBox | QComboBox):
        field = field.findChild(QLineEdit) or field
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

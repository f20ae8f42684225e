"""The one door for messages: notices, errors a person can act on, and our own mistakes."""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mvdesk.errors import VaultError
from mvdesk.ui.theme import applied, set_role

if TYPE_CHECKING:
    from pathlib import Path

log = logging.getLogger(__name__)


class Messages(QObject):
    """Takes every message and shows it in the window that is attached, if there is one.

    Errors come as a dialog that doesn't stop the program; while one is open, the next
    ones wait. Without a window only `shown` says them.
    """

    shown = Signal(str, str)  # "notice", "error" or "bug"; what was said
    failed = Signal(object)  # the VaultError behind an "error" or a "bug"

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.log_file: Path | None = None
        self._window: QWidget | None = None
        self._dialog: ProblemDialog | None = None
        self._waiting: list[tuple[str, VaultError]] = []

    def attach(self, window: QWidget | None) -> None:
        """Show dialogs over this window; None lets go of it."""
        self._window = window
        if window is None:
            self._waiting.clear()
            self._dialog = None

    @property
    def dialog(self) -> ProblemDialog | None:
        """The dialog that is open."""
        return self._dialog

    def notice(self, text: str) -> None:
        """A sentence in passing; nothing has to be done about it."""
        self.shown.emit("notice", text)

    def error(self, error: VaultError) -> None:
        """What the world did, in its four parts."""
        self._say("error", error)

    def bug(self, error: BaseException) -> None:
        """A mistake of ours: logged with its traceback, said without."""
        log.error("a mistake of mvdesk's own", exc_info=error)
        if self.log_file is not None:
            remedy = f"Please report it together with the log file {self.log_file}."
        else:
            remedy = "Please report it."
        details = "".join(traceback.format_exception_only(error)).strip()
        self._say(
            "bug",
            VaultError(
                "mvdesk made a mistake.",
                "What was saved is safe: a write happens as a whole or not at all.",
                remedy,
                details,
            ),
        )

    def report(self, error: BaseException) -> None:
        """Either of the two, by the kind of exception."""
        if isinstance(error, VaultError):
            self.error(error)
        else:
            self.bug(error)

    def _say(self, kind: str, error: VaultError) -> None:
        self.shown.emit(kind, error.one_line())
        self.failed.emit(error)
        if self._window is None:
            return
        if self._dialog is not None:
            # The same again tells nothing new.
            texts = [self._dialog.what, *(waiting.what for _, waiting in self._waiting)]
            if error.what not in texts:
                self._waiting.append((kind, error))
            return
        self._dialog = ProblemDialog(kind, error, self._window)
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    @Slot(int)
    def _on_dialog_finished(self, _: int) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None
        if self._waiting:
            self._say(*self._waiting.pop(0))


class ProblemDialog(QDialog):
    """Says what happened, what is safe, what to do; details fold out."""

    def __init__(self, kind: str, error: VaultError, parent: QWidget) -> None:
        super().__init__(parent)
        look = applied()
        self.what = error.what
        self._text = "\n\n".join(
            part for part in (error.what, error.safe, error.remedy, error.details) if part
        )
        self.setObjectName("problemDialog")
        self.setWindowTitle("A mistake in mvdesk" if kind == "bug" else "mvdesk")
        self.setAccessibleDescription(error.one_line())
        self.setMinimumWidth(look.px(440))
        column = QVBoxLayout(self)
        column.setContentsMargins(*[look.px(24)] * 4)
        column.setSpacing(look.px(8))
        for name, text, role in (
            ("problemWhat", error.what, "section"),
            ("problemSafe", error.safe, "secondary"),
            ("problemRemedy", error.remedy, ""),
        ):
            if text:
                column.addWidget(self._label(name, text, role))
        self._details = QPlainTextEdit(error.details)
        self._details.setObjectName("problemDetails")
        self._details.setAccessibleName("Details")
        self._details.setReadOnly(True)
        self._details.setMaximumHeight(look.px(140))
        self._details.hide()
        column.addWidget(self._details)
        column.addSpacing(look.px(8))
        column.addLayout(self._buttons(has_details=bool(error.details)))

    def _label(self, name: str, text: str, role: str) -> QLabel:
        label = QLabel(text)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if role:
            set_role(label, role)
        return label

    def _buttons(self, *, has_details: bool) -> QHBoxLayout:
        row = QHBoxLayout()
        self._fold = QPushButton("Details")
        self._fold.setObjectName("problemFold")
        self._fold.setCheckable(True)
        self._fold.setVisible(has_details)
        set_role(self._fold, "quiet")
        self._fold.toggled.connect(self._on_fold_toggled)
        copy = QPushButton("Copy")
        copy.setObjectName("problemCopy")
        copy.setToolTip("Copy all of this as text")
        set_role(copy, "quiet")
        copy.clicked.connect(self._on_copy_clicked)
        close = QPushButton("OK")
        close.setObjectName("problemOk")
        close.setDefault(True)
        set_role(close, "primary")
        close.clicked.connect(self._on_ok_clicked)
        row.addWidget(self._fold)
        row.addWidget(copy)
        row.addStretch(1)
        row.addWidget(close)
        return row

    @Slot(bool)
    def _on_fold_toggled(self, unfolded: bool) -> None:
        self._details.setVisible(unfolded)
        self.adjustSize()

    @Slot(bool)
    def _on_copy_clicked(self, _checked: bool) -> None:
        QGuiApplication.clipboard().setText(self._text)

    @Slot(bool)
    def _on_ok_clicked(self, _checked: bool) -> None:
        self.accept()

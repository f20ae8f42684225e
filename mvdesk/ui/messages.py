"""The one door for messages: notices, errors a person can act on, and our own mistakes."""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from mvdesk.errors import VaultError
from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.theme import applied, set_role
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Problem:
    """Something to say; `retries` are what to do when it is to be tried again.

    `retry_text` is what the button for that says.
    """

    kind: str
    error: VaultError
    retries: list[Callable[[], None]] = field(default_factory=list)
    retry_text: str = tr("Retry")


class Messages(QObject):
    """Takes every message and shows it in the window that is attached, if there is one.

    Errors come as a dialog that doesn't stop the program; while one is open, the next
    ones wait. Without a window only `shown` says them.
    """

    shown = Signal(str, str)  # "notice", "offer", "error" or "bug"; what was said
    offered = Signal(str, str, object)  # a sentence, what can be done about it, doing it
    failed = Signal(object)  # the VaultError behind an "error" or a "bug"

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.log_file: Path | None = None
        self._window: QWidget | None = None
        self._dialog: ProblemDialog | None = None
        self._open: _Problem | None = None  # what the dialog says
        self._waiting: list[_Problem] = []

    def attach(self, window: QWidget | None) -> None:
        """Show dialogs over this window; None lets go of it."""
        self._window = window
        if window is None:
            self._waiting.clear()
            self._dialog = self._open = None

    @property
    def dialog(self) -> ProblemDialog | None:
        """The dialog that is open."""
        return self._dialog

    def notice(self, text: str) -> None:
        """A sentence in passing; nothing has to be done about it."""
        self.shown.emit("notice", text)

    def offer(self, text: str, action: str, do: Callable[[], None]) -> None:
        """A sentence in passing, with a button such as "Show"."""
        self.shown.emit("offer", text)
        self.offered.emit(text, action, do)

    def error(
        self,
        error: VaultError,
        retry: Callable[[], None] | None = None,
        retry_text: str = tr("Retry"),
    ) -> None:
        """What the world did, in its four parts.

        `retry` is offered: it does the same again, or what `retry_text` says instead.
        """
        self._say(_Problem("error", error, [] if retry is None else [retry], retry_text))

    def bug(self, error: BaseException) -> None:
        """A mistake of ours: logged with its traceback, said without."""
        log.error("a mistake of mvdesk's own", exc_info=error)
        if self.log_file is not None:
            remedy = tr(
                "Please report it together with the log file {log_file}.", log_file=self.log_file
            )
        else:
            remedy = tr("Please report it.")
        details = "".join(traceback.format_exception_only(error)).strip()
        told = VaultError(
            tr("mvdesk made a mistake."),
            tr("What was saved is safe: a write happens as a whole or not at all."),
            remedy,
            details,
        )
        self._say(_Problem("bug", told))

    def report(self, error: BaseException, retry: Callable[[], None] | None = None) -> None:
        """Either of the two, by the kind of exception."""
        if isinstance(error, VaultError):
            self.error(error, retry)
        else:
            self.bug(error)

    def _say(self, problem: _Problem) -> None:
        self.shown.emit(problem.kind, problem.error.one_line())
        self.failed.emit(problem.error)
        if self._window is None:
            return
        if self._open is None:
            self._show(self._window, problem)
            return
        for known in (self._open, *self._waiting):
            if known.error.what == problem.error.what:
                # The same again tells nothing new; one answer is for all of them.
                known.retries.extend(problem.retries)
                return
        self._waiting.append(problem)

    def _show(self, window: QWidget, problem: _Problem) -> None:
        self._open = problem
        retry = problem.retry_text if problem.retries else ""
        self._dialog = ProblemDialog(problem.kind, problem.error, window, retry=retry)
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    @Slot(int)
    def _on_dialog_finished(self, answer: int) -> None:
        closed, self._open = self._open, None
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None
        if self._waiting and self._window is not None:
            self._show(self._window, self._waiting.pop(0))
        if closed is not None and answer == ProblemDialog.RETRY:
            for retry in closed.retries:
                retry()


class ProblemDialog(QDialog):
    """Says what happened, what is safe, what to do; details fold out."""

    RETRY: Final = 2
    """The result when the same is to be tried again."""

    def __init__(self, kind: str, error: VaultError, parent: QWidget, *, retry: str = "") -> None:
        """`retry` is the label of a button that tries again, "" for none."""
        super().__init__(parent)
        look = applied()
        self.what = error.what
        self._text = "\n\n".join(
            part for part in (error.what, error.safe, error.remedy, error.details) if part
        )
        self.setObjectName("problemDialog")
        self.setWindowTitle(tr("A mistake in mvdesk") if kind == "bug" else "mvdesk")
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
        self._details.setAccessibleName(tr("Details"))
        self._details.setReadOnly(True)
        self._details.setMaximumHeight(look.px(140))
        self._details.hide()
        column.addWidget(self._details)
        column.addSpacing(look.px(8))
        column.addLayout(self._buttons(has_details=bool(error.details), retry=retry))
        self._first.setFocus()  # once it is in the dialog: before that it would be forgotten

    def _label(self, name: str, text: str, role: str) -> QLabel:
        label = QLabel(text)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if role:
            set_role(label, role)
        return label

    def _buttons(self, *, has_details: bool, retry: str) -> QHBoxLayout:
        row = QHBoxLayout()
        self._fold = push_button("problemFold", tr("Details"), role="quiet")
        self._fold.setCheckable(True)
        self._fold.setVisible(has_details)
        self._fold.toggled.connect(self._on_fold_toggled)
        copy = push_button("problemCopy", tr("Copy"), tr("Copy all of this as text"), "quiet")
        copy.clicked.connect(self._on_copy_clicked)
        words, role = (tr("Not now"), "") if retry else (tr("OK"), "primary")
        close = push_button("problemOk", words, role=role)
        close.clicked.connect(self.reject if retry else self.accept)
        row.addWidget(self._fold)
        row.addWidget(copy)
        row.addStretch(1)
        row.addWidget(close)
        default = close
        if retry:
            default = push_button("problemRetry", retry, role="primary")
            default.clicked.connect(self._on_retry_clicked)
            row.addWidget(default)
        # The one that looks like it is the one that Enter presses, from where it starts.
        default.setDefault(True)
        self._first = default
        return row

    @Slot(bool)
    def _on_fold_toggled(self, unfolded: bool) -> None:
        self._details.setVisible(unfolded)
        self.adjustSize()

    @Slot(bool)
    def _on_copy_clicked(self, _checked: bool) -> None:
        QGuiApplication.clipboard().setText(self._text)

    @Slot(bool)
    def _on_retry_clicked(self, _checked: bool) -> None:
        self.done(self.RETRY)

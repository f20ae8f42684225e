"""What is asked when a running preview would be lost: apply, discard, keep it, or stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMessageBox

from mvdesk.ui.kept_preview import KeptPreview
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QPushButton, QWidget

    from mvdesk.ui.session import VaultSession


class PreviewQuestion(QObject):
    """Asks before something that ends the preview, and goes on once it is settled."""

    def __init__(self, session: VaultSession, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self._kept = KeptPreview(session, self)
        self._box: QMessageBox | None = None
        self._keep: QPushButton | None = None
        self._go_on: Callable[[], None] | None = None
        session.write_finished.connect(self._on_write_finished)

    def settle(self, go_on: Callable[[], None]) -> bool:
        """True when nothing is previewed; else asks, and calls `go_on` unless they stay."""
        if self._session.preview.is_empty:
            return True
        self._go_on = go_on
        if self._box is None:
            self._box = self._make_box()
            self._box.open()
        return False

    def let_go(self) -> None:
        """Ask nothing any more."""
        self._go_on = None
        if self._box is not None:
            self._box.deleteLater()
            self._box = None

    def _make_box(self) -> QMessageBox:
        count = len(self._session.preview.trust)
        noun = tr_n("trust change", "trust changes", count)
        box = QMessageBox(self._window)
        box.setObjectName("previewQuestion")
        box.setWindowTitle(tr("Preview"))
        box.setText(tr("You are previewing {count} {noun}.", count=count, noun=noun))
        box.setInformativeText(tr("Nothing of it is written yet."))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Apply | buttons.Discard | buttons.Cancel)
        self._keep = box.addButton(tr("&Keep for next time"), QMessageBox.ButtonRole.ActionRole)
        self._keep.setObjectName("keepPreview")
        self._keep.setEnabled(self._kept.is_possible)
        box.setDefaultButton(buttons.Cancel)
        box.setEscapeButton(buttons.Cancel)
        if self._session.read_only_reason:
            box.button(buttons.Apply).setEnabled(False)
        box.finished.connect(self._on_answered)
        return box

    @Slot(int)
    def _on_answered(self, answer: int) -> None:
        keeps = self._box is not None and self._box.clickedButton() is self._keep
        if self._box is not None:
            self._box.deleteLater()
            self._box = self._keep = None
        if keeps:
            self._kept.keep()
            self._proceed()
        elif answer == QMessageBox.StandardButton.Apply.value:
            self._session.apply_preview()  # goes on when it is written
        elif answer == QMessageBox.StandardButton.Discard.value:
            self._session.discard_preview()
            self._proceed()
        else:
            self._go_on = None

    @Slot(str, bool)
    def _on_write_finished(self, action: str, written: bool) -> None:
        if action != "trust" or self._go_on is None:
            return
        if written:
            self._proceed()
        else:
            self._go_on = None  # the error says what to do; the preview is still there

    def _proceed(self) -> None:
        go_on, self._go_on = self._go_on, None
        if go_on is not None:
            go_on()

"""The line at the bottom: what is saved and where, or what is being previewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QStatusBar,
    QWidget,
)

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.preview_bar import PreviewBar
from mvdesk.vault.apply import BACKING_UP
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from pathlib import Path

_HEIGHT_PX: Final = 40
_BAR_PX: Final = 140


def format_unsaved(memories: int) -> str:
    """What the line says of typing in so many memories."""
    return tr_n(
        "Unsaved typing in {memories:,} memory",
        "Unsaved typing in {memories:,} memories",
        memories,
        memories=memories,
    )


class StatusLine(QStatusBar):
    """Whether all is saved, where the vault is, which model scores; the preview in their place.

    Always as high as the preview's buttons need, so that nothing in the window moves under
    the pointer when a preview begins or ends.
    """

    cancel_requested = Signal()  # of the write that is under way

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusLine")
        self.setSizeGripEnabled(False)
        self.preview_bar = PreviewBar()
        self._state = _label("savedState")
        self._place = ""
        self._path = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, steady=True)
        self._path.setObjectName("vaultPath")
        self._model = _label("modelName")
        usual = QWidget()
        row = QHBoxLayout(usual)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._state)
        row.addWidget(self._make_progress())
        row.addWidget(self._path, 1)
        row.addWidget(self._model)
        self._pages = QStackedWidget()
        self._pages.addWidget(usual)
        self._pages.addWidget(self.preview_bar)
        # Not by way of Qt's own layout: hints about actions would take the place of what is
        # true, and its margins that of the buttons.
        self._pages.setParent(self)
        self.messageChanged.connect(self._on_hint_changed)
        self._restyle()

    def set_state(self, text: str) -> None:
        """Say whether what is shown is in the vault."""
        self._state.setText(text)
        self._state.setAccessibleName(text)

    def _make_progress(self) -> QWidget:
        """How far a long write is, and the button that ends it."""
        self._progress = QWidget()
        self._bar = QProgressBar()
        self._bar.setObjectName("writeBar")
        self._bar.setAccessibleName(tr("Rows written"))
        self._bar.setTextVisible(False)
        self._said = _label("writeSaid")
        self._cancel = QPushButton(tr("Cancel"))
        self._cancel.setObjectName("writeCancel")
        self._cancel.setToolTip(tr("End this write: nothing of it will be in the vault"))
        self._cancel.clicked.connect(self.cancel_requested)
        set_role(self._cancel, "small")
        row = QHBoxLayout(self._progress)
        row.setContentsMargins(0, 0, 12, 0)
        row.setSpacing(0)
        for one in (self._bar, self._said, self._cancel):
            row.addWidget(one)
        self._progress.hide()
        return self._progress

    @Slot(int, int, bool)
    def show_progress(self, done: int, total: int, can_cancel: bool) -> None:
        """Say that so many rows of so many are written, or what comes before; hidden for 0 of 0."""
        self._progress.setVisible(bool(total))
        look = applied()
        self._bar.setFixedSize(look.px(_BAR_PX), look.px(4))
        if done == BACKING_UP:
            self._bar.setRange(0, 0)
            self._said.setText(tr("Checking the vault and making today’s backup first…"))
        else:
            self._bar.setRange(0, max(total, 1))
            self._bar.setValue(done)
            self._said.setText(tr("{done:,} of {total:,} rows", done=done, total=total))
        self._bar.setAccessibleDescription(self._said.text())
        self._cancel.setVisible(can_cancel)

    def set_vault(self, path: Path | None) -> None:
        """Say where the vault is; None for none."""
        self._place = "" if path is None else str(path)
        self._path.setText(self.currentMessage() or self._place)

    def set_model(self, name: str) -> None:
        self._model.setText(name)

    def set_previewing(self, previewing: bool) -> None:
        """Show the preview bar, or the usual line."""
        self._pages.setCurrentIndex(1 if previewing else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._pages.setGeometry(self.rect())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        # Qt's own would write hints over the line as well.
        painter = QPainter(self)
        painter.fillRect(self.rect(), applied().color("bg"))
        painter.fillRect(0, 0, self.width(), 1, applied().color("hairline"))
        painter.end()

    @Slot(str)
    def _on_hint_changed(self, hint: str) -> None:
        """What an action is for, where the path is otherwise."""
        self._path.setText(hint or self._place)

    def _restyle(self) -> None:
        self.setFixedHeight(applied().px(_HEIGHT_PX))


def _label(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setContentsMargins(12, 0, 12, 0)
    return label

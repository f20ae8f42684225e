"""The bar at the bottom while changes are previewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from mvdesk.ui.theme import applied, is_look_change, paint_icon, set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROOM_STEP_PX: Final = 24
_NOTE_FROM_PX: Final = 1000
"""A bar narrower than this keeps its room for what the preview does."""

_NOT_WRITTEN: Final = tr("Nothing is written yet")


def format_preview(changes: int, facts: Sequence[str] = ()) -> str:
    """The bar's sentence: how many trust changes, then facts such as "214 affected"."""
    noun = tr_n("trust change", "trust changes", changes)
    return " · ".join((tr("Previewing {changes:,} {noun}", changes=changes, noun=noun), *facts))


class PreviewBar(QWidget):
    """Says what is being previewed and that nothing is written; Apply and Discard."""

    apply_requested = Signal()
    discard_requested = Signal()
    view_chosen = Signal(str)  # "after", "before" or "split"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("previewBar")
        self._facts = self._news = self._refusal = self._aside = ""
        self._text = _Sentence()
        self._note = ElidedLabel(_NOT_WRITTEN)
        self._note.setObjectName("previewNote")
        set_role(self._note, "caption")
        self.apply_button = QPushButton(tr("Apply"))
        self.apply_button.setObjectName("applyPreview")
        self.apply_button.clicked.connect(self.apply_requested)
        set_role(self.apply_button, "primary")
        self.views = SegmentedControl(
            tr("Values shown"),
            [("after", tr("After")), ("before", tr("Before")), ("split", tr("Both"))],
        )
        self.views.setObjectName("previewView")
        self.views.setToolTip(tr("Which values are shown; hold B to peek at those before"))
        fixed = QSizePolicy.Policy.Fixed
        self.views.setSizePolicy(fixed, fixed)  # the sentence gives way, not these
        self.views.value_chosen.connect(self.view_chosen)
        self.discard_button = QPushButton(tr("Discard"))
        self.discard_button.setObjectName("discardPreview")
        self.discard_button.setToolTip(tr("Back to the stored values (Esc)"))
        self.discard_button.setAccessibleDescription(self.discard_button.toolTip())
        self.discard_button.clicked.connect(self.discard_requested)
        for button in (self.discard_button, self.apply_button):
            # A click leaves the keyboard at the slider: the bar goes away with its buttons.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(8)
        self._row.addWidget(self._text)
        self._note.hide()  # until the bar is known to be wide
        self._row.addWidget(self._note, 1)
        self._row.addWidget(self.views)
        self._row.addWidget(self.discard_button)
        self._row.addWidget(self.apply_button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Preview"))
        self.set_refusal("")
        self._restyle()

    def set_text(self, text: str) -> None:
        """Show a sentence, such as one of `format_preview`."""
        self._facts = text
        self._say()

    def set_news(self, text: str) -> None:
        """Say what is under way in place of the sentence, such as "Saving…"; "" ends it."""
        self._news = text
        self._say()

    def set_aside(self, text: str) -> None:
        """Say what goes on besides, such as "Indexing texts…", after the sentence; "" ends it."""
        self._aside = text
        self._note.setText(self._refusal or self._aside or _NOT_WRITTEN)

    def set_view(self, view: str) -> None:
        """Show which values are shown: "after", "before" or "split". Never emits."""
        self.views.set_value(view)

    def text(self) -> str:
        """The sentence shown."""
        return self._text.text()

    def set_refusal(self, reason: str) -> None:
        """Switch Apply off and say why, as when the vault is read-only; "" switches it on."""
        self.apply_button.setEnabled(not reason)
        self._refusal = reason
        self._note.setText(reason or self._aside or _NOT_WRITTEN)
        self.apply_button.setToolTip(reason or tr("Write these changes as one step (Ctrl+Enter)"))
        self.apply_button.setAccessibleDescription(self.apply_button.toolTip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        has_room = self.width() >= applied().px(_NOTE_FROM_PX)
        if has_room == self._note.isHidden():
            self._note.setVisible(has_room)
            self._row.activate()  # in this frame, not after it

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._text.forget_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._text.forget_room()
            self._restyle()

    def _say(self) -> None:
        text = self._news or self._facts
        if text != self._text.text():
            self._text.setText(text)
            self.setAccessibleDescription(f"{text}. {self._refusal or _NOT_WRITTEN}.")

    def _restyle(self) -> None:
        look = applied()
        self._row.setContentsMargins(look.px(40), look.px(4), look.px(8), look.px(4))
        self.setMinimumHeight(look.px(40))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = applied()
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.color("selection_tint"))
        painter.fillRect(0, 0, self.width(), 1, look.color("hairline"))
        side = look.px(20)
        spot = QRectF(look.px(12), (self.height() - side) / 2, side, side)
        paint_icon(painter, "eye", look.tokens.accent, spot)
        painter.end()


class _Sentence(ElidedLabel):
    """The sentence, which changes with every step of a slider: its room only ever grows.

    Each time it does the whole window is laid out, so it does in large steps.
    """

    _room = 0  # the constructor sets a text

    def __init__(self) -> None:
        super().__init__(steady=True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._make_room()

    def forget_room(self) -> None:
        """Have as much room as the sentence of now needs."""
        self._room = 0
        self._make_room()

    def sizeHint(self) -> QSize:
        return QSize(self._room, super().sizeHint().height())

    def _make_room(self) -> None:
        self.ensurePolished()
        step, needed = applied().px(_ROOM_STEP_PX), self.full_width()
        if needed > self._room:
            self._room = -(-needed // step) * step
            self.updateGeometry()

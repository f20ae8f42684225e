"""Trust slider, number box and what they mean, as one row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.ui.widgets.trust_slider import NEUTRAL, TrustSlider, format_trust
from mvdesk.wording import tr

if TYPE_CHECKING:
    from types import EllipsisType

    from PySide6.QtGui import QFocusEvent, QKeyEvent


class TrustControl(QWidget):
    """Edits the trust of one source by slider or number, and says what the value does."""

    trust_edited = Signal(float)  # [0, 1], while the person moves or types it
    unset_requested = Signal()
    revert_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slider = TrustSlider()
        self.slider.setObjectName("trustSlider")
        self.field = _TrustField()
        self.field.setObjectName("trustValue")
        self.clear_button = IconButton("close", tr("Clear: make the trust “not set” (U)"))
        self.revert_button = IconButton("undo", tr("Back to the stored trust (Del)"))
        self._state = QLabel()
        self._state.setTextFormat(Qt.TextFormat.PlainText)
        self._state.setWordWrap(True)
        self._state.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        set_role(self._state, "caption")
        self._state_box = SteadyBox(self._state)
        self._effect = ""
        self._refusal = ""
        self._lay_out()
        self.slider.trust_edited.connect(self._on_edited)
        self.field.trust_typed.connect(self._on_edited)
        for asked in (
            self.slider.unset_requested,
            self.field.unset_requested,
            self.clear_button.clicked,
        ):
            asked.connect(self._on_unset)
        for asked in (self.slider.revert_requested, self.revert_button.clicked):
            asked.connect(self._on_revert)
        self.setFocusProxy(self.slider)
        self.set_trust(None)

    def set_trust(
        self,
        trust: float | None,
        committed: float | EllipsisType | None = ...,
        *,
        effect: str | None = None,
    ) -> None:
        """Show a value from outside; `committed` is the stored one, the same unless given.

        `effect` is as for `set_effect`. Never emits.
        """
        self._show(trust, committed)
        if effect is not None:
            self._effect = effect
        self._describe()

    def set_effect(self, text: str) -> None:
        """Say what the trust does, such as "−0.120 confidence for each memory"."""
        self._effect = text
        self._describe()

    def set_refusal(self, reason: str) -> None:
        """Switch the control off and say why; "" switches it on again."""
        self._refusal = reason
        for part in (self.slider, self.field):
            part.setEnabled(not reason)
        self._describe()

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """Its parts in the order of Tab."""
        return (self.slider, self.field, self.revert_button, self.clear_button)

    def state_text(self) -> str:
        """The line under the slider."""
        return self._state.text()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.slider, 1)
        row.addSpacing(4)
        for part in (self.field, self.revert_button, self.clear_button):
            row.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._state_box)
        self._restyle()

    def _restyle(self) -> None:
        self.field.setFixedWidth(applied().px(72))

    def _describe(self) -> None:
        trust, committed = self.slider.trust, self.slider.committed
        if self._refusal:
            said = self._refusal
        else:
            if trust != committed:
                moved = tr(
                    "Preview {committed} → {trust}",
                    committed=format_trust(committed),
                    trust=format_trust(trust),
                )
                parts, between = (moved, self._effect), ": "
            else:
                unset = (
                    tr("Not set, counts as {neutral:.2f}", neutral=NEUTRAL) if trust is None else ""
                )
                parts, between = (unset, self._effect), " · "
            said = between.join(part for part in parts if part)
        if said != self._state.text():
            self._state.setText(said)
            self._state_box.setVisible(bool(said))
            self._state_box.set_keeps_tallest(trust != committed)
            self._state_box.follow()
        free = not self._refusal
        self.clear_button.setEnabled(free and trust is not None)
        self.revert_button.setEnabled(free and trust != committed)

    def _show(self, trust: float | None, committed: float | EllipsisType | None) -> None:
        self.slider.set_trust(trust, committed)
        self.field.set_trust(trust)

    def _on_edited(self, trust: float) -> None:
        self._show(trust, self.slider.committed)
        self.trust_edited.emit(trust)
        self._describe()  # last: mostly whoever listens has by now said it, with the effect

    def _on_unset(self) -> None:
        self.unset_requested.emit()

    def _on_revert(self) -> None:
        self.revert_requested.emit()


class _TrustField(QLineEdit):
    """The number box: a trust from 0 to 1, or nothing for "not set"."""

    trust_typed = Signal(float)
    unset_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._trust: float | None = None
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName(tr("Trust as a number"))
        set_role(self, "compact")
        self.editingFinished.connect(self._on_finished)
        self.textEdited.connect(self._on_typed)

    def set_trust(self, trust: float | None) -> None:
        """Show a value. Leaves the text alone while it already reads as that value."""
        self._trust = trust
        if not (self.hasFocus() and self.isModified() and _read(self.text()) == trust):
            self.setText(format_trust(trust))
            self.setModified(False)
        self._mark(problem=False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.setText(format_trust(self._trust))
            self.setModified(False)
            self._mark(problem=False)
            return
        super().keyPressEvent(event)

    def _on_typed(self) -> None:
        self._mark(problem=False)

    def _on_finished(self) -> None:
        if not self.isModified():
            return
        try:
            trust = _read(self.text())
        except ValueError:
            self._mark(problem=True)
            return
        self.setModified(False)
        self.setText(format_trust(trust))
        if trust is None and self._trust is not None:
            self.unset_requested.emit()
        elif trust is not None and trust != self._trust:
            self.trust_typed.emit(trust)

    def _mark(self, *, problem: bool) -> None:
        if bool(self.property("invalid")) != problem:
            self.setToolTip(tr("A number from 0 to 1, or nothing for “not set”") if problem else "")
            self.setAccessibleDescription(self.toolTip())
            self.setProperty("invalid", problem)
            self.style().unpolish(self)
            self.style().polish(self)


def _read(text: str) -> float | None:
    """The trust somebody typed; `None` for nothing. Raises ValueError when it is no trust."""
    text = text.strip().replace(",", ".")
    if text.casefold() in ("", tr("not set").casefold()):
        return None
    trust = float(text)
    if math.isnan(trust) or not 0.0 <= trust <= 1.0:
        raise ValueError(text)
    return trust

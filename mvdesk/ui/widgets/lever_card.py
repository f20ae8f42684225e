"""One change that a person could make, with the exact scores that it leads to."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.wording import tr


@dataclass(frozen=True, slots=True)
class CardTexts:
    """What a card says. `reach` is "" where the target is not reached.

    A card of two changes may be tried as far as it is about trust, and lead to the other.
    """

    kind: str
    text: str
    scores: str
    remarks: tuple[str, ...] = ()
    reach: str = ""
    can_try: bool = False
    can_go: bool = False


class LeverCard(QFrame):
    """Shows one lever; Try is for what can be previewed, Go leads to the rest."""

    try_requested = Signal()
    go_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts: CardTexts | None = None
        self._is_read_only = False
        self.setObjectName("leverCard")
        set_role(self, "card")
        self._kind = _label("leverKind", "mutedCaption", wraps=False)
        self._reach = _label("leverReach", "okBadge", wraps=False)
        self._text = _label("leverText", "strong")
        self._scores = _label("leverScores", "secondary")
        self._remarks = _label("leverRemarks", "mutedCaption")
        self.try_button = _button("leverTry", tr("Try"))
        self.try_button.setToolTip(tr("Add it to the preview; nothing is written"))
        self.try_button.clicked.connect(self.try_requested)
        self.go_button = _button("leverGo", tr("Go"))
        self.go_button.setToolTip(tr("Go to where it can be done"))
        self.go_button.clicked.connect(self.go_requested)
        top = QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(self._kind)
        top.addWidget(self._reach)
        top.addStretch(1)
        top.addWidget(self.try_button)
        top.addWidget(self.go_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 10)
        column.setSpacing(3)
        column.addLayout(top)
        for part in (self._text, self._scores, self._remarks):
            column.addWidget(part)

    def set_texts(self, texts: CardTexts) -> None:
        """Show another lever."""
        self._texts = texts
        self._kind.setText(texts.kind)
        self._reach.setText(texts.reach)
        self._reach.setVisible(bool(texts.reach))
        self._text.setText(texts.text)
        self._scores.setText(texts.scores)
        self._remarks.setText("\n".join(texts.remarks))
        self._remarks.setVisible(bool(texts.remarks))
        self._show_buttons(texts)
        self.try_button.setText(tr("Try the trust") if texts.can_go else tr("Try"))
        self.try_button.setAccessibleName(f"{self.try_button.text()}: {texts.text}")
        self.go_button.setAccessibleName(tr("Go: {text}", text=texts.text))
        said = (texts.kind, texts.text, texts.scores, texts.reach, *texts.remarks)
        self.setAccessibleName(texts.text)
        self.setAccessibleDescription(". ".join(part for part in said if part))

    def set_read_only(self, read_only: bool) -> None:
        """Leave nothing to try and nowhere to go."""
        self._is_read_only = read_only
        if self._texts is not None:
            self._show_buttons(self._texts)

    def _show_buttons(self, texts: CardTexts) -> None:
        self.try_button.setVisible(texts.can_try and not self._is_read_only)
        self.go_button.setVisible(texts.can_go and not self._is_read_only)


def _label(name: str, role: str, *, wraps: bool = True) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wraps)
    set_role(label, role)
    return label


def _button(name: str, text: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    set_role(button, "small")
    return button

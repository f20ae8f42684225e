"""One score explained: its verdict, its waterfall, and a drawer for the row that is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from mvdesk.ui.plots.waterfall import Waterfall
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.ui.widgets.verdict import VerdictLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from mvdesk.scoring.explain import ScoreExplanation
    from mvdesk.ui.plots.waterfall_rows import Row, RowOrder

_MEANINGS: Final = {
    "base_confidence": "Stored with the memory. Change it in the editor.",
    "base_importance": "Stored with the memory. Change it in the editor.",
    "raw": "The base and all changes added up.",
    "final": "The score that the list shows, rounded to three decimals.",
}
"""What the rows mean that have no evidence of their own."""


class ScoreSection(QWidget):
    """Shows the explanation of one score. Knows no session."""

    row_opened = Signal()  # the drawer shows the evidence of a row

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        """`kind` is "confidence" or "importance"."""
        super().__init__(parent)
        self._kind = kind
        self._opened: str | None = None
        self._shown: tuple[ScoreExplanation | None, ScoreExplanation | None] = (None, None)
        title = QLabel(kind.capitalize())
        set_role(title, "strong")
        self._verdict = VerdictLabel()
        self._verdict.setObjectName("verdict" if kind == "confidence" else "importanceVerdict")
        self._verdict.setAccessibleName(f"Verdict on the {kind}")
        self._verdict_box = SteadyBox(self._verdict)
        self.waterfall = Waterfall()
        self.waterfall.setObjectName(f"{kind}Waterfall")
        self.waterfall.setAccessibleName(f"Waterfall of the {kind}")
        self.waterfall.row_selected.connect(self._on_row_chosen)
        self.waterfall.row_activated.connect(self._on_row_chosen)
        self.drawer = EvidenceDrawer()
        self.drawer.closed.connect(self._on_drawer_closed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for part in (title, self._verdict_box, self.waterfall, self.drawer):
            column.addWidget(cast("QWidget", part))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def set_score(
        self, score: ScoreExplanation, previous: ScoreExplanation | None, verdict: str
    ) -> None:
        """Show a score; `previous` is the stored one in a preview. The open row stays open."""
        if (score, previous) != self._shown:  # the memory's text alone may have come in
            self._shown = (score, previous)
            self.waterfall.set_explanation(score, previous=previous)
        self._verdict_box.set_keeps_tallest(previous is not None)
        self._verdict.set_sentence(verdict)
        self._verdict_box.follow()
        self._fill_drawer()

    def set_order(self, order: RowOrder) -> None:
        """Order the rows "grouped" or as the "model" lists them."""
        self.waterfall.set_order(order)

    def as_text(self) -> str:
        """Verdict and rows as plain text, the numbers in a column."""
        rows = self.waterfall.table()
        width = max((len(label) for label, _, _ in rows), default=0)
        lines = [f"{label:<{width}}  {value:>6}  {hint}".rstrip() for label, value, hint in rows]
        return "\n".join([self._verdict.sentence, *lines])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._opened is not None:
            self._on_drawer_closed()
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _on_row_chosen(self, name: str) -> None:
        self._opened = name
        self._fill_drawer()
        if self._opened is not None:
            self.row_opened.emit()

    @Slot()
    def _on_drawer_closed(self) -> None:
        """Close the drawer; the focus goes back to the waterfall if it was in it."""
        had_focus = self.drawer.isAncestorOf(self.window().focusWidget() or self)
        self._opened = None
        self._fill_drawer()
        if had_focus:
            self.waterfall.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_drawer(self) -> None:
        """Show the open row's evidence; a row that another memory doesn't have stays shut."""
        rows = {row.name: row for row in self.waterfall.rows if row.name not in ("", "zero")}
        row = rows.get(self._opened or "")
        self.drawer.set_row(row)


class EvidenceDrawer(QFrame):
    """What is behind one row of a waterfall, in full."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidenceDrawer")
        self.setAccessibleName("Evidence")
        set_role(self, "card")
        self._name = QLabel()
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._name, "strong")
        self._text = QLabel()
        self._text.setObjectName("evidenceText")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = IconButton("close", "Close the evidence (Esc)", side=24)
        close.clicked.connect(self.closed)
        top = QHBoxLayout()
        top.addWidget(self._name, 1)
        top.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 6, 10)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self._text)
        self.hide()

    def set_row(self, row: Row | None) -> None:
        """Show a row's evidence; None hides the drawer."""
        if row is not None:
            was = f", stored: {row.was}" if row.was else ""
            self._name.setText(f"{row.label.split(' — ')[0]}  {row.value}{was}")
            text = row.hint[:1].upper() + row.hint[1:] or _MEANINGS.get(row.name, "")
            self._text.setText(text)
            self._text.setVisible(bool(text))
            self.setAccessibleDescription(f"{self._name.text()}. {text}")
        self.setVisible(row is not None)

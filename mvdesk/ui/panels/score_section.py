"""One score explained: its verdict, its waterfall, and a drawer for the row that is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from mvdesk.scoring.causes import CAUSES_NOTE
from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.panels.score_table import ScoreTable
from mvdesk.ui.plots.waterfall import Waterfall
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.evidence_drawer import EvidenceDrawer
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.ui.widgets.type_histogram import TypeHistogram
from mvdesk.ui.widgets.verdict import VerdictLabel
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.scoring.explain import ScoreExplanation
    from mvdesk.ui.plots.waterfall_rows import Row, RowOrder
    from mvdesk.ui.widgets.evidence_drawer import Details

_MEANINGS: Final = {
    "base_confidence": tr("Stored with the memory. Change it in the editor."),
    "base_importance": tr("Stored with the memory. Change it in the editor."),
    "raw": tr("The base and all changes added up."),
    "final": tr("The score that the list shows, rounded to three decimals."),
}
"""What the rows mean that have no evidence of their own."""


class ScoreSection(QWidget):
    """Shows the explanation of one score. Knows no session."""

    row_opened = Signal(str)  # the drawer shows the evidence of this row, "" when it was closed
    change_requested = Signal(str)  # to where a row can be changed
    menu_requested = Signal(str, QPoint)  # for a row, at a global place
    memory_chosen = Signal(str)  # id, from a link of the evidence
    pin_requested = Signal()

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        """`kind` is "confidence" or "importance"."""
        super().__init__(parent)
        self._kind = kind
        self._opened: str | None = None
        self._is_compared = False
        self._shown: tuple[ScoreExplanation | None, ScoreExplanation | None] = (None, None)
        self._find_details: Callable[[str], Details] | None = None
        self._build()
        self._connect()

    def _build(self) -> None:
        title = QLabel(KIND_WORDS[self._kind].capitalize())
        set_role(title, "strong")
        self.histogram = TypeHistogram()
        self.histogram.setObjectName(f"{self._kind}Histogram")
        self._verdict = VerdictLabel()
        self._verdict.setObjectName(
            "verdict" if self._kind == "confidence" else "importanceVerdict"
        )
        self._verdict.setAccessibleName(tr("Verdict on the {kind}", kind=KIND_WORDS[self._kind]))
        self._verdict_box = SteadyBox(self._verdict)
        self.waterfall = Waterfall()
        self.waterfall.setObjectName(f"{self._kind}Waterfall")
        self.waterfall.setAccessibleName(tr("Waterfall of the {kind}", kind=KIND_WORDS[self._kind]))
        self.table = ScoreTable(tr("Table of the {kind}", kind=KIND_WORDS[self._kind]))
        self.table.setObjectName(f"{self._kind}Table")
        self.table.hide()
        self._note = QLabel(CAUSES_NOTE)
        self._note.setObjectName(f"{self._kind}Note")
        self._note.setWordWrap(True)
        set_role(self._note, "mutedCaption")
        self._note.hide()
        self.drawer = EvidenceDrawer()
        top = QHBoxLayout()
        top.addWidget(title, 1)
        top.addWidget(self.histogram)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        for part in (self._verdict_box, self._note, self.waterfall, self.table, self.drawer):
            column.addWidget(cast("QWidget", part))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def _connect(self) -> None:
        for chart in (self.waterfall, self.table):
            chart.row_selected.connect(self._on_row_selected)
            chart.row_activated.connect(self._on_row_activated)
        self.waterfall.change_requested.connect(self.change_requested)
        self.waterfall.menu_requested.connect(self.menu_requested)
        self.waterfall.pin_requested.connect(self.pin_requested)
        self.table.menu_requested.connect(self.menu_requested)
        self.drawer.closed.connect(self._on_drawer_closed)
        self.drawer.link_activated.connect(self.memory_chosen)
        self.drawer.go_requested.connect(self._on_go_requested)

    # In

    def set_score(
        self, score: ScoreExplanation, previous: ScoreExplanation | None, verdict: str
    ) -> None:
        """Show a score; `previous` is the stored one in a preview. The open row stays open."""
        if (score, previous) != self._shown:  # the memory's text alone may have come in
            self._shown = (score, previous)
            self.waterfall.set_explanation(score, previous=previous)
            self._fill_table()
        self.histogram.set_score(score.final)
        self._verdict_box.set_keeps_tallest(previous is not None)
        self._verdict.set_sentence(verdict)
        self._fill_drawer()

    def set_details(self, find_details: Callable[[str], Details] | None) -> None:
        """Where a row's evidence comes from, by its name; None while it isn't known yet."""
        self._find_details = find_details
        self._fill_drawer()

    def set_base_note(self, note: str) -> None:
        """Say where the base is from, "" while that isn't known."""
        self.waterfall.set_base_note(note)
        self._fill_table()

    def set_order(self, order: RowOrder) -> None:
        """Order the rows "grouped", as the "model" lists them, or by size."""
        self.waterfall.set_order(order)
        self._fill_table()

    def set_causes(self, causes: Sequence[Row] | None) -> None:
        """Show the effects of causes; None shows the components."""
        self.waterfall.set_causes(causes)
        self._after_other_rows()

    def set_pinned(self, pinned: ScoreExplanation | None) -> None:
        """Show how the score differs from a pinned memory's."""
        self._is_compared = pinned is not None
        self.waterfall.set_pinned(pinned)
        self._after_other_rows()

    def set_as_table(self, as_table: bool) -> None:
        """Show the rows as a table, or as bars; the keyboard stays in what is shown."""
        before, after = (self.waterfall, self.table) if as_table else (self.table, self.waterfall)
        had_focus = before.hasFocus()
        if as_table:
            self.table.set_rows(self.waterfall.all_rows())
        after.set_selected(before.current_name)
        before.hide()
        after.show()
        if had_focus:
            after.setFocus(Qt.FocusReason.TabFocusReason)

    # Out

    @property
    def verdict(self) -> str:
        """The sentence on the score, in plain text."""
        return self._verdict.sentence

    @property
    def opened(self) -> str | None:
        """The row whose evidence is shown."""
        return self._opened

    @property
    def current(self) -> str | None:
        """The row that is selected."""
        return self._chart.current_name

    def as_text(self) -> str:
        """Verdict and rows as plain text, the numbers in a column."""
        rows = self.waterfall.table()
        width = max((len(label) for label, _, _ in rows), default=0)
        lines = [f"{label:<{width}}  {value:>6}  {hint}".rstrip() for label, value, hint in rows]
        note = [] if self._note.isHidden() else [self._note.text()]
        return "\n".join([self._verdict.sentence, *note, *lines])

    def event(self, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and self._opened is not None
        ):
            event.accept()  # the drawer closes before a preview is discarded
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._opened is not None:
            self._on_drawer_closed()
        else:
            super().keyPressEvent(event)

    def focus_rows(self) -> None:
        """Put the keyboard at the bars, or at the table."""
        self._chart.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def _chart(self) -> Waterfall | ScoreTable:
        """What is shown, bars or table."""
        return self.waterfall if self.table.isHidden() else self.table

    def open_row(self, name: str) -> None:
        """Open the drawer on a row."""
        self.waterfall.set_selected(name)
        self.table.set_selected(name)
        self._on_row_activated(name)

    # What happens.

    @Slot(str)
    def _on_row_selected(self, name: str) -> None:
        if self._opened is not None:
            self._on_row_activated(name)

    @Slot(str)
    def _on_row_activated(self, name: str) -> None:
        self._opened = name
        self._fill_drawer()
        self.row_opened.emit(name)

    @Slot()
    def _on_drawer_closed(self) -> None:
        """Close the drawer; the focus goes back to the rows if it was in it."""
        had_focus = self.drawer.isAncestorOf(self.window().focusWidget() or self)
        self._opened = None
        self._fill_drawer()
        if had_focus:
            self._chart.setFocus(Qt.FocusReason.OtherFocusReason)
        self.row_opened.emit("")

    @Slot()
    def _on_go_requested(self) -> None:
        if self._opened is not None:
            self.change_requested.emit(self._opened)

    def _after_other_rows(self) -> None:
        waterfall = self.waterfall
        self._note.setVisible(waterfall.shows_causes)
        self._fill_table()
        self._fill_drawer()

    def _fill_table(self) -> None:
        if self.table.isHidden():
            return
        self.table.set_rows(self.waterfall.all_rows())

    def _fill_drawer(self) -> None:
        """Show the open row's evidence; a row that another memory doesn't have stays shut."""
        row = None
        if self._opened is not None:
            rows = self.waterfall.all_rows()
            row = next((row for row in rows if row.name == self._opened), None)
        if row is None:
            self.drawer.hide()
            self.drawer.set_details(None)
            return
        was = tr(", stored: {was}", was=row.was) if row.was else ""
        lead = row.hint[:1].upper() + row.hint[1:]
        if self._is_compared and row.kind == "component":
            lead = tr("{lead}. What follows is of the selected one.", lead=lead)
        if self._find_details is None:
            lead = lead or _MEANINGS.get(row.name, "")
        self.drawer.set_row(f"{row.label.split(' — ')[0]}  {row.value}{was}", lead)
        find = self._find_details
        self.drawer.set_details(None if find is None else find(row.name))

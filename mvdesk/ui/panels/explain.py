"""Why the selected memory scores as it does: verdicts, waterfalls, evidence, what would help."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.scoring.verdict import format_difference, format_verdict
from mvdesk.ui.compare_watch import CompareWatch
from mvdesk.ui.evidence_details import base_note, details_of
from mvdesk.ui.evidence_places import place_of_lever
from mvdesk.ui.panels.drawer_trust import DrawerTrust
from mvdesk.ui.panels.explain_page import ExplainPage
from mvdesk.ui.panels.explain_rows import ExplainRows, cause_rows
from mvdesk.ui.panels.explain_told import ExplainTold
from mvdesk.ui.reasons_watch import ReasonsWatch
from mvdesk.ui.settings import ExplainView
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from mvdesk.scoring.explain import Explanation, ScoreExplanation
    from mvdesk.scoring.levers import Lever, WhatIf
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.looking import Place
    from mvdesk.ui.plots.export import Sheet
    from mvdesk.ui.plots.waterfall_rows import RowOrder
    from mvdesk.ui.reasons import Question, Reasons
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

ORDERS: Final = (
    ("grouped", tr("Grouped")),
    ("model", tr("Model order")),
    ("biggest", tr("Biggest first")),
    ("negatives", tr("Negatives first")),
    ("cause", tr("By cause")),
)
_WAIT_FOR_TEXT_MS: Final = 60
"""A memory that is read sooner is explained once, with the evidence of its text."""
_EXPORT_FROM_PX: Final = 420
_NOTHING: Final = tr("Select a memory to see why it scores as it does.")


class ExplainPanel(QWidget):
    """Session, waterfalls and cards, joined; a preview's stored values appear as ghosts."""

    export_requested = Signal(str)  # the score whose picture is wanted in a file
    picture_requested = Signal(str)  # the score whose picture is wanted on the clipboard
    view_changed = Signal(object)  # ExplainView
    evidence_opened = Signal(str)  # the row whose evidence is shown, "" when it was closed
    row_menu_opening = Signal(object)  # the QMenu of a bar, to add to

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("explainPanel")
        self.setAccessibleName(tr("Explain"))
        self._session = session
        self._explanation: Explanation | None = None
        self._is_stale = True
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(_WAIT_FOR_TEXT_MS)
        self._late.timeout.connect(self._on_changed)
        self._view = ExplainView()
        self._watch = ReasonsWatch(session, self)
        self._compared = CompareWatch(session, self)
        self._build()
        self._connect()
        self._refresh()

    # What the window's actions ask for.

    @property
    def is_settled(self) -> bool:
        """Whether evidence, causes and cards are those of what is shown."""
        return self._watch.is_settled and not self._late.isActive()

    @property
    def view(self) -> ExplainView:
        """How the scores are shown."""
        return self._view

    def set_view(self, view: ExplainView) -> None:
        """Show the scores another way."""
        before, self._view = self._view, view
        if view == before:
            return
        self._order.set_value("cause" if view.by_cause else view.order)
        self._page.set_which(view.which)
        for section in self._page.sections.values():
            if view.order != before.order:
                section.set_order(view.order)
            if view.zoomed != before.zoomed:
                section.waterfall.set_zoomed(view.zoomed)
            if view.as_table != before.as_table:
                section.set_as_table(view.as_table)
        if view.by_cause != before.by_cause:
            self._show_causes()
        self.view_changed.emit(view)

    @Slot(bool)
    def set_by_cause(self, by_cause: bool) -> None:
        """Show the scores by cause, or by component."""
        self.set_view(replace(self._view, by_cause=by_cause))

    @Slot(bool)
    def set_as_table(self, as_table: bool) -> None:
        """Show tables instead of bars."""
        self.set_view(replace(self._view, as_table=as_table))

    @Slot(bool)
    def set_zoomed(self, zoomed: bool) -> None:
        """Let the axes show only where the bars are."""
        self.set_view(replace(self._view, zoomed=zoomed))

    def copied_text(self) -> str:
        """Everything the panel says, as plain text."""
        return self._told.text()

    @Slot()
    def copy_text(self) -> None:
        """Put everything on the clipboard."""
        self._told.copy()

    @Slot()
    def toggle_pin(self) -> None:
        """Pin the selected memory; a second time, or with another one pinned, ends comparing."""
        looking = self._session.looking
        looking.pin(self._session.selected_id if looking.pinned_id is None else None)

    @Slot()
    def swap_compared(self) -> None:
        """The pinned memory becomes the selected one, and the other way round."""
        session = self._session
        pinned, selected = session.looking.pinned_id, session.selected_id
        if pinned is not None and selected is not None and pinned != selected:
            session.looking.pin(selected)
            session.select(pinned)

    @Slot()
    def show_what_if(self) -> None:
        """Bring the cards into view, with the keyboard at the first."""
        if self._explanation is not None:
            self._page.scroll_to(self.what_if)
            self.what_if.focus_first()

    @Slot()
    def go_to_change(self) -> None:
        """Go to where the current row can be changed."""
        self._rows.go_to_change()

    @Slot()
    def filter_below_zero(self) -> None:
        """List the memories whose scores the current row's component lowers."""
        self._rows.filter_below_zero()

    @property
    def shown_score(self) -> str:
        """The one score that is shown, "both" for both."""
        return self._view.which

    def make_sheet(self, which: str) -> Sheet | None:
        """A picture of "both" scores or of one; None when nothing is explained."""
        return self._told.sheet(which)

    def set_guide(self, guide: QWidget) -> None:
        """Show something over the explanation that leads through it."""
        self._column.insertWidget(self._column.indexOf(self._pages), guide)

    # Building.

    def _build(self) -> None:
        self.header = PanelHeader(tr("Explain"))
        self._copy_button = IconButton("copy", tr("Copy this explanation as text (Ctrl+Shift+C)"))
        self._copy_button.setObjectName("explainCopy")
        self._pin = IconButton("pin", tr("Pin this memory to compare others with it (P)"))
        self._pin.setObjectName("explainPin")
        self._export = IconButton("export", tr("Export a picture (Ctrl+E)"))
        self._export.setObjectName("explainExport")
        self._order = Choice(tr("Order of the rows"))
        self._order.setObjectName("explainOrder")
        self._order.set_choices(ORDERS)
        self._order.setToolTip(tr("The order of the bars, or a bar for each cause (G)"))
        set_role(self._order, "compact")
        self.header.add_action(self._order)
        for button in (self._pin, self._export, self._copy_button):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.header.add_action(button)
        self._page = ExplainPage()
        self.what_if = self._page.what_if
        self._rows = ExplainRows(self._session, self._page, self._watch)
        self._told = ExplainTold(self._session, self._page, self._watch)
        self._trust = DrawerTrust(self._session, self._page)
        self._pages = QStackedWidget()
        self._pages.addWidget(EmptyState(_NOTHING, icon_name="explain"))
        self._pages.addWidget(self._page)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._pages, 1)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _connect(self) -> None:
        session, page, rows = self._session, self._page, self._rows
        rows.menu_opening.connect(self.row_menu_opening)
        session.selection_changed.connect(self._on_selection_changed)
        for moved in (
            session.scores_changed,
            session.vault_changed,
            session.memory_loaded,
            session.model_changed,
            session.vault_closed,
            session.looking.pin_changed,
        ):
            moved.connect(self._on_changed)
        session.looking.place_requested.connect(self._on_place_requested)
        self._watch.reasons_changed.connect(self._on_reasons_changed)
        self._compared.parts_changed.connect(page.texts.set_parts)
        self._watch.answer_changed.connect(self._on_answer_changed)
        self._copy_button.clicked.connect(self.copy_text)
        self._pin.clicked.connect(self.toggle_pin)
        self._export.clicked.connect(self._on_export_clicked)
        self._order.value_chosen.connect(self._on_order_chosen)
        page.which_chosen.connect(self._on_which_chosen)
        page.strip.swap_requested.connect(self.swap_compared)
        page.strip.unpin_requested.connect(self.toggle_pin)
        for section in page.sections.values():
            section.pin_requested.connect(self.toggle_pin)
            section.row_opened.connect(self.evidence_opened)
        rows.copy_requested.connect(self._on_copy_requested)
        rows.picture_requested.connect(self.picture_requested)
        rows.export_requested.connect(self.export_requested)
        self.what_if.question_changed.connect(self._on_question_changed)
        self.what_if.try_requested.connect(self._on_try_requested)
        self.what_if.go_requested.connect(self._on_go_requested)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The model's name needs the room more; menus and Ctrl+E are still there.
        self._export.setVisible(self.width() >= applied().px(_EXPORT_FROM_PX))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._refresh()

    # Showing.

    def _refresh(self) -> None:
        """Explain the selected memory again. Only while it can be seen: a hidden one waits."""
        session = self._session
        memory_id = session.selected_id if session.is_open else None
        self._is_stale = False
        self._watch.refresh()
        self._compared.refresh()
        if memory_id is None or session.selected_row is None:
            self._explanation = None
            self._rows.set_explanation(None)
            self._pages.setCurrentIndex(0)
            self.header.set_detail("")
            return
        shown = self._explanation = session.explain(memory_id)
        self._rows.set_explanation(shown)
        is_tried = shown.source_key in session.overlay
        stored = session.explain(memory_id, committed=True) if is_tried else None
        pinned = self._pinned()
        for kind, section in self._page.sections.items():
            score: ScoreExplanation = getattr(shown, kind)
            against = getattr(pinned, kind) if pinned else None
            if against is None:
                verdict = format_verdict(score, session.rank_of(memory_id, kind))
            else:
                verdict = format_difference(against, score)
            section.set_pinned(against)
            section.set_score(score, getattr(stored, kind) if stored else None, verdict)
        self._trust.refresh(shown.source_key)
        self.header.set_detail(shown.model_id)
        is_pin = session.looking.pinned_id == memory_id
        self._page.strip.set_pinned(self._told.pinned_title(), is_selected=is_pin)
        self.what_if.set_hypothetical(is_pin)
        self._pages.setCurrentIndex(1)
        self._page.settle()

    def _pinned(self) -> Explanation | None:
        """What the selected memory is compared with; None without a pin, or at the pin."""
        session = self._session
        pinned = session.looking.pinned_id
        if pinned is None or pinned == session.selected_id:
            return None
        return session.explain(pinned) if session.snapshot.row_of(pinned) is not None else None

    def _show_causes(self) -> None:
        reasons = self._watch.reasons
        for kind, section in self._page.sections.items():
            if not self._view.by_cause:
                section.set_causes(None)
            else:
                section.set_causes(() if reasons is None else cause_rows(reasons, kind))

    # What happens.

    @Slot(object)
    def _on_selection_changed(self, memory_id: str | None) -> None:
        if memory_id is None or not self.isVisible():
            self._on_changed()
        else:
            self._late.start()

    @Slot(object)
    def _on_place_requested(self, place: Place) -> None:
        """Somebody asks why a score is what it is."""
        if place.panel != "explain":
            return
        kind = cast("ScoreKind", place.field or self._page.shown_kinds[0])
        if kind not in self._page.shown_kinds:
            self.set_view(replace(self._view, which=kind))
        self._page.look_at(kind)

    @Slot()
    def _on_changed(self, _what: object = None) -> None:
        self._late.stop()
        if self.isVisible():
            self._refresh()
        else:
            self._is_stale = True

    @Slot(object)
    def _on_reasons_changed(self, reasons: Reasons | None) -> None:
        for kind, section in self._page.sections.items():
            find = None if reasons is None else partial(details_of, reasons, kind)
            section.set_details(find)
            section.set_base_note("" if reasons is None else base_note(reasons, kind))
            if reasons is not None:
                peers = reasons.peers[kind]
                sentence = tr(
                    "{what} of {count:,} memories of type {type_name}, median {median:.2f}; "
                    "the mark is this one",
                    what=KIND_WORDS[kind].capitalize(),
                    count=peers.count,
                    type_name=peers.type_name,
                    median=peers.median,
                )
                section.histogram.set_counts(peers.counts, sentence)
        if reasons is None:
            self.what_if.clear()
        else:
            self.what_if.set_drops(reasons.drops)
            self._rows.point()
        if self._view.by_cause:
            self._show_causes()

    @Slot(object)
    def _on_answer_changed(self, answer: WhatIf | None) -> None:
        reasons = self._watch.reasons
        peers = None if reasons is None else reasons.peers[self.what_if.question.kind]
        self.what_if.set_answer(answer, peers)

    @Slot(str)
    def _on_which_chosen(self, which: str) -> None:
        self.set_view(replace(self._view, which=which))  # type: ignore[arg-type]

    @Slot(str)
    def _on_order_chosen(self, order: str) -> None:
        if order == "cause":
            self.set_by_cause(True)
        else:
            view = replace(self._view, order=cast("RowOrder", order), by_cause=False)
            self.set_view(view)

    @Slot()
    def _on_export_clicked(self) -> None:
        self.export_requested.emit(self._view.which)

    @Slot(str)
    def _on_copy_requested(self, kind: str) -> None:
        self._told.copy([cast("ScoreKind", kind)])

    @Slot(object)
    def _on_question_changed(self, question: Question) -> None:
        self._watch.set_question(question)

    @Slot(object)
    def _on_try_requested(self, lever: Lever) -> None:
        key = self._explanation.source_key if self._explanation else ""
        if key and lever.change.trust is not None:
            self._session.preview_trust(key, lever.change.trust)

    @Slot(object)
    def _on_go_requested(self, lever: Lever) -> None:
        self._session.looking.go_to(place_of_lever(self._watch.reasons, lever))

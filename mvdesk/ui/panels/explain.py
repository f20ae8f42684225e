"""Why the selected memory scores as it does: verdicts, waterfalls, evidence, what would help."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mvdesk.scoring.verdict import format_difference, format_verdict
from mvdesk.ui.chosen import ListFilter
from mvdesk.ui.evidence_details import (
    cause_name,
    details_of,
    highlight_of,
    place_of,
    place_of_lever,
)
from mvdesk.ui.panels.bar_menu import open_bar_menu
from mvdesk.ui.panels.score_section import ScoreSection
from mvdesk.ui.panels.what_if import WhatIfSection
from mvdesk.ui.plots.waterfall_plans import make_cause_row
from mvdesk.ui.reasons_watch import ReasonsWatch
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.compare_strip import CompareStrip
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.layouts import settle_layouts
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from PySide6.QtGui import QImage, QResizeEvent, QShowEvent

    from mvdesk.scoring.explain import Explanation, ScoreExplanation
    from mvdesk.scoring.levers import Lever, WhatIf
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.plots.waterfall_rows import Row, RowOrder
    from mvdesk.ui.reasons import Question, Reasons
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

KINDS: Final[tuple[ScoreKind, ...]] = ("confidence", "importance")
ORDERS: Final = (
    ("grouped", "Grouped"),
    ("model", "Model order"),
    ("biggest", "Biggest first"),
    ("negatives", "Negatives first"),
    ("cause", "By cause"),
)
_SIDE_BY_SIDE_FROM_PX: Final = 752
_WAIT_FOR_TEXT_MS: Final = 60
"""A memory that is read sooner is explained once, with the evidence of its text."""
_AIR_PX: Final = 12
_NOTHING: Final = "Select a memory to see why it scores as it does."


class ExplainPanel(QWidget):
    """Session, waterfalls and cards, joined; a preview's stored values appear as ghosts."""

    export_requested = Signal(str)  # the score whose picture is wanted
    by_cause_changed = Signal(bool)

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("explainPanel")
        self.setAccessibleName("Explain")
        self._session = session
        self._explanation: Explanation | None = None
        self._is_stale = True
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(_WAIT_FOR_TEXT_MS)
        self._late.timeout.connect(self._on_changed)
        self._by_cause = False
        self._row_order: RowOrder = "grouped"
        self._pointing: tuple[ScoreKind, str] | None = None  # the row that other panels mark
        self._goal: QWidget | None = None  # what is to be scrolled to
        self._watch = ReasonsWatch(session, self)
        self._build()
        self._connect()
        self._refresh()

    # What the window's actions ask for.

    @property
    def is_settled(self) -> bool:
        """Whether evidence, causes and cards are those of what is shown."""
        return self._watch.is_settled and not self._late.isActive()

    def copied_text(self) -> str:
        """Everything the panel says, as plain text."""
        return self._text_of(self._shown_kinds(), with_answer=True)

    @Slot()
    def copy_text(self) -> None:
        """Put everything on the clipboard."""
        self._copy(self.copied_text())

    @Slot(bool)
    def set_by_cause(self, by_cause: bool) -> None:
        """Show the scores by cause, or by component."""
        self._order.set_value("cause" if by_cause else self._row_order)
        if by_cause != self._by_cause:
            self._by_cause = by_cause
            self._show_causes()
            self.by_cause_changed.emit(by_cause)

    @Slot(bool)
    def set_as_table(self, as_table: bool) -> None:
        """Show tables instead of bars."""
        for section in self._sections.values():
            section.set_as_table(as_table)

    @Slot(bool)
    def set_zoomed(self, zoomed: bool) -> None:
        """Let the axes show only where the bars are."""
        for section in self._sections.values():
            section.waterfall.set_zoomed(zoomed)

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
            self._scroll_to(self.what_if)
            self.what_if.focus_first()

    @Slot()
    def go_to_change(self) -> None:
        """Go to where the current row can be changed."""
        kind, name = self._current()
        if name:
            self._go(kind, name)
        else:
            self._session.messages.notice("First choose a bar.")

    @Slot()
    def filter_below_zero(self) -> None:
        """List the memories whose scores the current row's component lowers."""
        kind, name = self._current()
        if self._is_component(kind, name):
            self._session.set_only(ListFilter("below", kind, name))
        else:
            self._session.messages.notice("First choose a bar of a component.")

    def make_picture(self, kind: str) -> QImage:
        """The waterfall of a score with what it is about above it."""
        section, explanation = self._sections[cast("ScoreKind", kind)], self._explanation
        session = self._session
        parts = [session.vault.name, explanation.model_id if explanation else ""]
        caption = [self._title(), section.verdict, " · ".join(parts)]
        return section.waterfall.make_picture(caption)

    @property
    def picture_kind(self) -> ScoreKind:
        """The score whose picture is meant when nothing else is said."""
        return self._current()[0]

    # Building.

    def _build(self) -> None:
        self.header = PanelHeader("Explain")
        copy = IconButton("copy", "Copy this explanation as text (Ctrl+Shift+C)")
        copy.setObjectName("explainCopy")
        copy.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        copy.clicked.connect(self.copy_text)
        pin = IconButton("pin", "Pin this memory to compare others with it (P)")
        pin.setObjectName("explainPin")
        pin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        pin.clicked.connect(self.toggle_pin)
        self._which = SegmentedControl(
            "Scores shown",
            [("both", "Both"), ("confidence", "Confidence"), ("importance", "Importance")],
        )
        self._which.setObjectName("explainWhich")
        self._order = Choice("Order of the rows")
        self._order.setObjectName("explainOrder")
        self._order.set_choices(ORDERS)
        self._order.setToolTip("The order of the bars, or a bar for each cause (G)")
        set_role(self._order, "compact")
        for part in (self._order, pin, copy):
            self.header.add_action(part)
        self._strip = CompareStrip()  # before what it stands over, for the order of Tab
        self._sections = {kind: ScoreSection(kind) for kind in KINDS}
        self.what_if = WhatIfSection()
        self._empty = EmptyState(_NOTHING, icon_name="explain")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._make_page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._pages, 1)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _make_page(self) -> QWidget:
        content = QWidget()
        self._both = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._both.setSpacing(16)
        for section in self._sections.values():
            self._both.addWidget(section, 0, Qt.AlignmentFlag.AlignTop)
        line = QFrame()
        set_role(line, "hairline")
        all_ = QVBoxLayout(content)
        all_.setContentsMargins(12, 4, 12, 12)
        all_.setSpacing(16)
        all_.addLayout(self._both)
        all_.addWidget(line)
        all_.addWidget(self.what_if)
        all_.addStretch(1)
        area = QScrollArea()
        area.setObjectName("explainArea")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(content)
        area.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        self._area = area
        tools = QHBoxLayout()
        tools.setContentsMargins(12, 8, 12, 4)
        tools.addWidget(self._which)
        tools.addStretch(1)
        strip = QVBoxLayout()
        strip.setContentsMargins(12, 4, 12, 4)
        strip.addWidget(self._strip)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        column.addLayout(strip)
        column.addWidget(area, 1)
        return page

    def _connect(self) -> None:
        session = self._session
        session.selection_changed.connect(self._on_selection_changed)
        session.scores_changed.connect(self._on_changed)
        session.vault_changed.connect(self._on_changed)
        session.memory_loaded.connect(self._on_changed)
        session.model_changed.connect(self._on_changed)
        session.vault_closed.connect(self._on_changed)
        session.looking.pin_changed.connect(self._on_changed)
        self._watch.reasons_changed.connect(self._on_reasons_changed)
        self._watch.answer_changed.connect(self._on_answer_changed)
        self._which.value_chosen.connect(self._on_which_chosen)
        self._order.value_chosen.connect(self._on_order_chosen)
        self._strip.swap_requested.connect(self.swap_compared)
        self._strip.unpin_requested.connect(self.toggle_pin)
        self.what_if.question_changed.connect(self._on_question_changed)
        self.what_if.try_requested.connect(self._on_try_requested)
        self.what_if.go_requested.connect(self._on_go_requested)
        for section in self._sections.values():
            section.row_opened.connect(self._on_row_opened)
            section.change_requested.connect(self._on_change_requested)
            section.menu_requested.connect(self._on_menu_requested)
            section.memory_chosen.connect(self._on_memory_chosen)
            section.pin_requested.connect(self.toggle_pin)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._refresh()

    # Showing.

    def _shown_kinds(self) -> tuple[ScoreKind, ...]:
        return KINDS if self._which.value == "both" else (cast("ScoreKind", self._which.value),)

    def _arrange(self) -> None:
        """Both scores side by side where there is room, else below each other."""
        wide = self.width() >= applied().px(_SIDE_BY_SIDE_FROM_PX)
        beside = wide and self._which.value == "both"
        directions = QBoxLayout.Direction
        self._both.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        for place, kind in enumerate(KINDS):
            self._sections[kind].setVisible(kind in self._shown_kinds())
            self._both.setStretch(place, 1 if beside else 0)

    def _refresh(self) -> None:
        """Explain the selected memory again. Only while it can be seen: a hidden one waits."""
        session = self._session
        memory_id = session.selected_id if session.is_open else None
        self._is_stale = False
        self._watch.refresh()
        if memory_id is None or session.selected_row is None:
            self._explanation = None
            self._pages.setCurrentIndex(0)
            self.header.set_detail("")
            return
        shown = self._explanation = session.explain(memory_id)
        is_tried = shown.source_key in session.preview.trust
        stored = session.explain(memory_id, committed=True) if is_tried else None
        pinned = self._pinned()
        for kind, section in self._sections.items():
            score: ScoreExplanation = getattr(shown, kind)
            against = getattr(pinned, kind) if pinned else None
            if against is None:
                verdict = format_verdict(score, session.rank_of(memory_id, kind))
            else:
                verdict = format_difference(against, score)
            section.set_pinned(against)
            section.set_score(score, getattr(stored, kind) if stored else None, verdict)
        self.header.set_detail(shown.model_id)
        self._show_strip()
        self._pages.setCurrentIndex(1)
        settle_layouts(self._area, *self._sections.values())

    def _pinned(self) -> Explanation | None:
        """What the selected memory is compared with; None without a pin, or at the pin."""
        session = self._session
        pinned = session.looking.pinned_id
        if pinned is None or pinned == session.selected_id:
            return None
        return session.explain(pinned) if session.snapshot.row_of(pinned) is not None else None

    def _show_strip(self) -> None:
        pinned = self._session.looking.pinned_id
        row = None if pinned is None else self._session.snapshot.row_of(pinned)
        title = None if row is None else self._session.snapshot.memories.labels.text(row)
        self._strip.set_pinned(title, is_selected=pinned == self._session.selected_id)

    def _show_causes(self) -> None:
        reasons = self._watch.reasons
        for kind, section in self._sections.items():
            if not self._by_cause:
                section.set_causes(None)
            else:
                section.set_causes(() if reasons is None else _cause_rows(reasons, kind))

    def _point(self) -> None:
        """Have the other panels mark the evidence of the open row."""
        reasons, pointing = self._watch.reasons, self._pointing
        if pointing is None or self._session.selected_id is None:
            self._session.looking.set_highlight(None)
        elif reasons is not None:
            self._session.looking.set_highlight(highlight_of(reasons, *pointing))

    def _title(self) -> str:
        row = self._session.selected_row
        return "" if row is None else self._session.snapshot.memories.labels.text(row)

    def _text_of(self, kinds: tuple[ScoreKind, ...], *, with_answer: bool) -> str:
        if self._explanation is None:
            return ""
        parts = [f"{self._title()}\n{self._explanation.model_id}"]
        parts += [self._sections[kind].as_text() for kind in kinds]
        if with_answer and self._watch.answer is not None:
            parts.append("\n".join(self.what_if.texts()))
        return "\n\n".join(parts)

    def _copy_score(self, kind: ScoreKind) -> None:
        self._copy(self._text_of((kind,), with_answer=False))

    def _copy(self, text: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)
            self._session.messages.notice("The explanation is on the clipboard.")

    def _current(self) -> tuple[ScoreKind, str]:
        """The row that the keyboard, or the mouse, was at last."""
        for kind in self._shown_kinds():
            section = self._sections[kind]
            focus = self.window().focusWidget()
            if focus is not None and section.isAncestorOf(focus) and section.current:
                return kind, section.current
        if self._pointing is not None:
            return self._pointing
        for kind in self._shown_kinds():
            if current := self._sections[kind].current:
                return kind, current
        return self._shown_kinds()[0], ""

    def _is_component(self, kind: ScoreKind, name: str) -> bool:
        score: ScoreExplanation | None = getattr(self._explanation, kind, None)
        return score is not None and any(part.name == name for part in score.components)

    def _go(self, kind: ScoreKind, name: str) -> None:
        place = place_of(self._watch.reasons, kind, name)
        if place is None:
            self._session.messages.notice("This can't be changed by itself.")
        else:
            self._session.looking.go_to(place)

    def _scroll_to(self, goal: QWidget) -> None:
        self._goal = goal
        QTimer.singleShot(0, self, self._show_goal)  # laid out by then

    # What happens.

    @Slot(object)
    def _on_selection_changed(self, memory_id: str | None) -> None:
        if memory_id is None or not self.isVisible():
            self._on_changed()
        else:
            self._late.start()

    @Slot()
    def _on_changed(self, _what: object = None) -> None:
        self._late.stop()
        if self.isVisible():
            self._refresh()
        else:
            self._is_stale = True

    @Slot(object)
    def _on_reasons_changed(self, reasons: Reasons | None) -> None:
        for kind, section in self._sections.items():
            find = None if reasons is None else partial(details_of, reasons, kind)
            section.set_details(find)
            if reasons is not None:
                peers = reasons.peers[kind]
                sentence = (
                    f"{kind.capitalize()} of {peers.count:,} memories of type {peers.type_name}, "
                    f"median {peers.median:.2f}; the mark is this one"
                )
                section.histogram.set_counts(peers.counts, sentence)
        if reasons is None:
            self.what_if.clear()
        else:
            self.what_if.set_drops(reasons.drops)
            self._point()
        if self._by_cause:
            self._show_causes()

    @Slot(object)
    def _on_answer_changed(self, answer: WhatIf | None) -> None:
        reasons = self._watch.reasons
        peers = None if reasons is None else reasons.peers[self.what_if.question.kind]
        self.what_if.set_answer(answer, peers)

    @Slot(str)
    def _on_which_chosen(self, _which: str) -> None:
        self._arrange()

    @Slot(str)
    def _on_order_chosen(self, order: str) -> None:
        if order != "cause":
            self._row_order = cast("RowOrder", order)
            for section in self._sections.values():
                section.set_order(self._row_order)
        self.set_by_cause(order == "cause")

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

    @Slot(str)
    def _on_row_opened(self, name: str) -> None:
        kind = self._kind_of(self.sender())
        self._pointing = (kind, name) if name else None
        self._point()
        if name:
            self._scroll_to(self._sections[kind].drawer)

    @Slot(str)
    def _on_change_requested(self, name: str) -> None:
        self._go(self._kind_of(self.sender()), name)

    @Slot(str)
    def _on_memory_chosen(self, memory_id: str) -> None:
        if memory_id:
            self._session.select(memory_id)
        else:
            self._session.messages.notice("The memory at the other end of this link is gone.")

    @Slot(str, QPoint)
    def _on_menu_requested(self, name: str, place: QPoint) -> None:
        kind = self._kind_of(self.sender())
        section = self._sections[kind]
        label = next((row.label for row in section.waterfall.rows if row.name == name), name)
        entries = (
            ("Show its evidence", partial(section.open_row, name), True),
            (
                "Go to where it is changed",
                partial(self._go, kind, name),
                place_of(self._watch.reasons, kind, name) is not None,
            ),
            (
                f"List memories where {label} is below zero",
                partial(self._session.set_only, ListFilter("below", kind, name)),
                self._is_component(kind, name),
            ),
            ("Copy as text", partial(self._copy_score, kind), True),
            ("Export picture…", partial(self.export_requested.emit, kind), True),
        )
        open_bar_menu(self, place, entries)

    def _kind_of(self, section: object) -> ScoreKind:
        return next(kind for kind, one in self._sections.items() if one is section)

    @Slot()
    def _show_goal(self) -> None:
        """Scroll as little as it takes to see the goal, its top before its bottom."""
        goal, area = self._goal, self._area
        content = area.widget()
        if goal is None or content is None:
            return
        sections = self._sections.values()
        settle_layouts(area, *(section.drawer for section in sections), *sections)
        top = goal.mapTo(content, QPoint(0, 0)).y()
        bar = area.verticalScrollBar()
        lowest = top + goal.height() + _AIR_PX - area.viewport().height()
        bar.setValue(min(max(bar.value(), lowest), top - _AIR_PX))


def _cause_rows(reasons: Reasons, kind: ScoreKind) -> list[Row]:
    kinds = {"link": "a link", "wait": "time", "recalls": "use", "word": "a word"}
    return [
        make_cause_row(
            cause_name(cause),
            cause.label[:1].upper() + cause.label[1:],
            cause.effect.of(kind),
            kinds.get(cause.kind, f"its {cause.kind}"),
        )
        for cause in reasons.causes
    ]

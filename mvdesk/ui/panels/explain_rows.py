"""What can be done with a row of the explanation: open it, go where it is changed, list, copy."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal, Slot

from mvdesk.ui.chosen import ListFilter
from mvdesk.ui.evidence_places import cause_name, highlight_of, place_of
from mvdesk.ui.panels.bar_menu import open_bar_menu
from mvdesk.ui.plots.waterfall_plans import make_cause_row
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.scoring.explain import Explanation, ScoreExplanation
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.panels.explain_page import ExplainPage
    from mvdesk.ui.panels.score_section import ScoreSection
    from mvdesk.ui.plots.waterfall_rows import Row
    from mvdesk.ui.reasons import Reasons
    from mvdesk.ui.reasons_watch import ReasonsWatch
    from mvdesk.ui.session import VaultSession


class ExplainRows(QObject):
    """Joins the rows of both scores with the session and the other panels."""

    copy_requested = Signal(str)  # a score, as text
    picture_requested = Signal(str)  # a score, as a picture to be copied
    export_requested = Signal(str)  # a score, as a picture in a file
    menu_opening = Signal(object)  # the QMenu of a bar, to add to

    def __init__(self, session: VaultSession, page: ExplainPage, watch: ReasonsWatch) -> None:
        super().__init__(page)
        self._session, self._page, self._watch = session, page, watch
        self._explanation: Explanation | None = None
        self._pointing: tuple[ScoreKind, str] | None = None  # the row that other panels mark
        self._awaited: ScoreSection | None = None  # whose drawer was opened before its evidence
        for section in page.sections.values():
            section.row_opened.connect(self._on_row_opened)
            section.change_requested.connect(self._on_change_requested)
            section.menu_requested.connect(self._on_menu_requested)
            section.memory_chosen.connect(self._on_memory_chosen)

    def set_explanation(self, explanation: Explanation | None) -> None:
        """The rows are those of another explanation."""
        self._explanation = explanation

    def current(self) -> tuple[ScoreKind, str]:
        """The row that the keyboard, or the mouse, was at last; "" for none."""
        shown = self._page.shown_kinds
        for kind in shown:
            section = self._page.sections[kind]
            focus = section.window().focusWidget()
            if focus is not None and section.isAncestorOf(focus) and section.current:
                return kind, section.current
        if self._pointing is not None:
            return self._pointing
        for kind in shown:
            if current := self._page.sections[kind].current:
                return kind, current
        return shown[0], ""

    def go_to_change(self) -> None:
        """Go to where the current row can be changed."""
        kind, name = self.current()
        if name:
            self._go(kind, name)
        else:
            self._session.messages.notice(tr("First choose a bar."))

    def filter_below_zero(self) -> None:
        """List the memories whose scores the current row's component lowers."""
        kind, name = self.current()
        if self._is_component(kind, name):
            self._session.set_only(ListFilter("below", kind, name))
        else:
            self._session.messages.notice(tr("First choose a bar of a component."))

    def point(self) -> None:
        """Have the other panels mark the evidence of the open row."""
        reasons, pointing = self._watch.reasons, self._pointing
        if pointing is None or self._session.selected_id is None:
            self._session.looking.set_highlight(None)
        elif reasons is not None:
            self._session.looking.set_highlight(highlight_of(reasons, *pointing))
            if self._awaited is not None:
                self._page.scroll_to(self._awaited.drawer)  # it is higher now
                self._awaited = None

    def _is_component(self, kind: ScoreKind, name: str) -> bool:
        score: ScoreExplanation | None = getattr(self._explanation, kind, None)
        return score is not None and any(part.name == name for part in score.components)

    def _go(self, kind: ScoreKind, name: str) -> None:
        place = place_of(self._watch.reasons, kind, name)
        if place is None:
            self._session.messages.notice(tr("This can't be changed by itself."))
        else:
            self._session.looking.go_to(place)

    def _kind_of(self, section: object) -> ScoreKind:
        return next(kind for kind, one in self._page.sections.items() if one is section)

    @Slot(str)
    def _on_row_opened(self, name: str) -> None:
        kind = self._kind_of(self.sender())
        self._pointing = (kind, name) if name else None
        self.point()
        section = self._page.sections[kind]
        self._awaited = section if name and self._watch.reasons is None else None
        if name:
            self._page.scroll_to(section.drawer)

    @Slot(str)
    def _on_change_requested(self, name: str) -> None:
        self._go(self._kind_of(self.sender()), name)

    @Slot(str)
    def _on_memory_chosen(self, memory_id: str) -> None:
        if memory_id:
            self._session.select(memory_id)
        else:
            self._session.messages.notice(tr("The memory at the other end of this link is gone."))

    @Slot(str, QPoint)
    def _on_menu_requested(self, name: str, place: QPoint) -> None:
        kind = self._kind_of(self.sender())
        section = self._page.sections[kind]
        entries = (
            (tr("Show its evidence"), partial(section.open_row, name), True),
            (
                tr("Go to where it is changed"),
                partial(self._go, kind, name),
                place_of(self._watch.reasons, kind, name) is not None,
            ),
            (
                tr("List memories where {label} is below zero", label=_label(section, name)),
                partial(self._session.set_only, ListFilter("below", kind, name)),
                self._is_component(kind, name),
            ),
            (tr("Copy as text"), partial(self.copy_requested.emit, kind), True),
            (tr("Copy picture"), partial(self.picture_requested.emit, kind), True),
            (tr("Export picture…"), partial(self.export_requested.emit, kind), True),
        )
        open_bar_menu(section, place, entries, self.menu_opening.emit)


def _label(section: ScoreSection, name: str) -> str:
    return next((row.label for row in section.waterfall.rows if row.name == name), name)


def cause_rows(reasons: Reasons, kind: ScoreKind) -> list[Row]:
    """Every cause as a row of the waterfall by cause."""
    kinds = {
        "link": tr("a link"),
        "wait": tr("time"),
        "recalls": tr("use"),
        "word": tr("a word"),
        "source": tr("its source"),
        "type": tr("its type"),
    }
    return [
        make_cause_row(
            cause_name(cause),
            cause.label[:1].upper() + cause.label[1:],
            cause.effect.of(kind),
            kinds[cause.kind],
        )
        for cause in reasons.causes
    ]

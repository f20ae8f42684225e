"""What a preview does: who changes places, which conflicts come and go, what searches find."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mvdesk.ui.effect_lines import conflict_lines, mover_lines, reach_line, search_lines
from mvdesk.ui.effects_watch import EffectsWatch
from mvdesk.ui.panels.conflict_changes_page import ConflictChangesPage
from mvdesk.ui.panels.movers_page import MoversPage
from mvdesk.ui.panels.searches_page import SearchesPage
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.vault.saved_searches import read_searches, write_searches
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController
    from mvdesk.vault.vault import Vault

_NO_PREVIEW: Final = tr(
    "Nothing is being tried. Move the trust of a source, and see here which memories change "
    "places and which conflicts come and go. Nothing is written by that."
)
_RANKING: Final = tr("Ranking the memories…")
_SEARCHES: Final = "searches"
_PLACES: Final = {"movers": 1, "conflicts": 2, _SEARCHES: 3}


class MoversPanel(QWidget):
    """Session and effects, joined. Choosing a memory here selects it everywhere."""

    worth_a_look_requested = Signal()

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("moversPanel")
        self.setAccessibleName(tr("What moves"))
        self._session = session
        self._watch = EffectsWatch(session, self)
        self._build()
        self._connect()
        self._show_effects()
        self._show_searches()
        self._on_selected(session.selected_id)

    # Building.

    def _build(self) -> None:
        self.header = PanelHeader(tr("What moves"))
        self._which = SegmentedControl(
            tr("Effects"),
            [("movers", tr("Movers")), ("conflicts", tr("Conflicts")), (_SEARCHES, tr("Searches"))],
        )
        self._which.setObjectName("effectsPage")
        self._ways = SegmentedControl(
            tr("Direction"), [("both", tr("All")), ("up", "Up"), ("down", "Down")]
        )
        self._ways.setObjectName("moversDirection")
        self._kinds = Choice(tr("Rank by"))
        self._kinds.setObjectName("moversScore")
        self._kinds.set_choices(
            [("confidence", tr("by confidence")), ("importance", tr("by importance"))]
        )
        set_role(self._kinds, "compact")
        self._as_chart = IconButton("graph", tr("As a chart (T)"))
        self._as_chart.setObjectName("moversAsChart")
        self._as_chart.setCheckable(True)
        self._as_chart.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for part in (self._kinds, self._as_chart):
            self.header.add_action(part)
        self._empty = EmptyState(_NO_PREVIEW, tr("What is worth a look"), icon_name="sources")
        self._movers = MoversPage()
        self._conflicts = ConflictChangesPage()
        self._searches = SearchesPage()
        self._pages = QStackedWidget()
        for page in (self._empty, self._movers, self._conflicts, self._searches):
            self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.header)
        whole.addWidget(self._make_choices())
        whole.addWidget(self._pages, 1)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _make_choices(self) -> QWidget:
        """Which page, and which direction of movers: beside one another where there is room."""
        return flowing(self._which, self._ways, gap=8, margins=(12, 6, 8, 6))

    def _connect(self) -> None:
        session = self._session
        session.vault_opened.connect(self._show_effects)
        session.vault_closed.connect(self._show_effects)
        session.selection_changed.connect(self._on_selected)
        session.preview_changed.connect(self._on_preview_changed)
        self._watch.effects_changed.connect(self._show_effects)
        self._watch.retrieval_changed.connect(self._show_searches)
        self._which.value_chosen.connect(self._on_page_chosen)
        self._movers.memory_selected.connect(session.select)
        self._movers.alone_changed.connect(self._on_alone_changed)
        self._kinds.value_chosen.connect(self._on_kind_chosen)
        self._ways.value_chosen.connect(self._movers.set_way)
        self._as_chart.toggled.connect(self._movers.set_as_chart)
        self._conflicts.memory_selected.connect(session.select)
        self._searches.save_requested.connect(self._on_save_search)
        self._searches.remove_requested.connect(self._on_remove_search)
        self._searches.search_activated.connect(session.set_filter)
        self._empty.action_requested.connect(self.worth_a_look_requested)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is about to change."""
        return self._watch.is_settled

    def show_page(self, page: str) -> None:
        """Show "movers", "conflicts" or "searches", with the keyboard in it."""
        self._which.set_value(page)
        self._on_page_chosen(page)
        target = self._pages.currentWidget()
        if target is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # Showing.

    @Slot()
    def _show_effects(self) -> None:
        session, effects = self._session, self._watch.effects
        is_preview = session.is_open and not session.preview.is_empty
        page = self._which.value
        if page != _SEARCHES and (not is_preview or effects is None):
            self._empty.set_text(
                _RANKING if is_preview else _NO_PREVIEW,
                "" if is_preview or not session.is_open else tr("What is worth a look"),
            )
            self._pages.setCurrentIndex(0)
        else:
            self._pages.setCurrentIndex(_PLACES[page])
        is_movers = self._pages.currentIndex() == _PLACES["movers"]
        self._ways.setVisible(is_movers)
        self._kinds.setVisible(is_movers)
        self._as_chart.setVisible(is_movers and self._movers.is_alone)
        if effects is None:
            self.header.set_detail("")
            self._which.set_label("conflicts", tr("Conflicts"))
            return
        movers, changes = effects.movers, effects.conflicts
        self.header.set_detail(
            tr(
                "{rising:,} rise, {falling:,} fall of {total:,}",
                rising=movers.rising,
                falling=movers.falling,
                total=movers.total,
            )
        )
        total = changes.appearing_total + changes.vanishing_total
        self._which.set_label(
            "conflicts", tr("Conflicts {total:,}", total=total) if total else tr("Conflicts")
        )
        tried = effects.tried
        if is_movers:  # pages behind the one that is seen are filled when they come to the front
            self._movers.set_movers(mover_lines(tried, movers.up), mover_lines(tried, movers.down))
        elif page == "conflicts":
            self._conflicts.set_conflicts(
                conflict_lines(effects), changes.appearing_total, changes.vanishing_total
            )

    @Slot()
    def _show_searches(self) -> None:
        retrieval = self._watch.retrieval
        if retrieval is None:
            self._searches.set_searches(None, "")
        else:
            self._searches.set_searches(search_lines(retrieval), reach_line(retrieval))

    # What happens.

    @Slot(object)
    def _on_preview_changed(self, _preview: object) -> None:
        if self._session.preview.is_empty or self._pages.currentIndex() == 0:
            self._show_effects()

    @Slot(object)
    def _on_selected(self, memory_id: str | None) -> None:
        self._movers.set_current(memory_id)

    @Slot(str)
    def _on_page_chosen(self, _page: str) -> None:
        self._look()
        self._show_effects()

    @Slot(str)
    def _on_kind_chosen(self, kind: str) -> None:
        self._watch.set_kind(cast("ScoreKind", kind))

    @Slot(bool)
    def _on_alone_changed(self, is_alone: bool) -> None:
        self._as_chart.setVisible(is_alone and self._movers.isVisible())

    @Slot(str)
    def _on_save_search(self, text: str) -> None:
        self._write_searches(partial(_with_search, self._session.vault, text))

    @Slot(str)
    def _on_remove_search(self, text: str) -> None:
        self._write_searches(partial(_without_search, self._session.vault, text))

    def _write_searches(self, work: partial[tuple[str, ...]]) -> None:
        """In the companion, where searches are kept: the vault itself is not touched."""
        jobs, messages = self._session.jobs, self._session.messages
        jobs.write(work, self._on_searches_written, failed=messages.report)

    def _on_searches_written(self, _texts: tuple[str, ...]) -> None:
        self._watch.refresh_searches()

    def _look(self) -> None:
        is_searches = self._which.value == _SEARCHES
        self._watch.set_active(self.isVisible(), searches=is_searches)
        if is_searches and self._session.is_open:
            self._searches.suggest(self._session.filter_text)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if event.key() == Qt.Key.Key_T and is_plain and self._movers.isVisible():
                event.accept()  # the chart of this panel, not the table of the explanation
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_T and not event.modifiers() and self._movers.isVisible():
            if self._movers.is_alone:
                self._as_chart.toggle()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._watch.set_active(False)


def _with_search(vault: Vault, text: str) -> tuple[str, ...]:
    kept = read_searches(vault.companion, vault.brain.id)
    return write_searches(vault.companion, vault.brain.id, (*kept, text))


def _without_search(vault: Vault, text: str) -> tuple[str, ...]:
    kept = [one for one in read_searches(vault.companion, vault.brain.id) if one != text]
    return write_searches(vault.companion, vault.brain.id, kept)

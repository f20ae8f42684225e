"""The actions about searching: saved searches, help, why a memory is found or isn't."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Slot

from mvdesk.ui.dialogs.saved_searches import SavedSearchesDialog, SearchNameDialog
from mvdesk.ui.dialogs.search_help import SearchHelpDialog
from mvdesk.ui.dialogs.why_found import WhyFoundDialog
from mvdesk.ui.looking import Place
from mvdesk.ui.panels.title_search import find_titles
from mvdesk.ui.search_counts import SearchCounts
from mvdesk.ui.widgets.offer_list import Offer
from mvdesk.vault.questions.query import parse_query
from mvdesk.vault.questions.why_found import Limits, explain_match
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.loading import Loaded
    from mvdesk.ui.panels.memories import MemoriesPanel
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.rail_searches import RailSearches
    from mvdesk.vault.questions.conditions import Moment
    from mvdesk.vault.questions.why_found import WhyFound
    from mvdesk.vault.vault import Vault

_WHY_JOB: Final = "why-found"
_TITLES_JOB: Final = "why-titles"


class SearchCommands(QObject):
    """Joins the actions to the search bar of the list, and opens the dialogs."""

    def __init__(
        self,
        session: VaultSession,
        actions: Actions,
        panel: MemoriesPanel,
        rail: RailSearches,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session, self._panel, self._window = session, panel, window
        self._bar = panel.search
        self._saved: SavedSearchesDialog | None = None
        self._why: WhyFoundDialog | None = None
        self._about = ""  # the memory that is asked about
        self._answer: WhyFound | None = None
        self._rail = rail
        self._counts = SearchCounts(session, self._bar.memory, self)
        for name, slot in (
            ("saveSearch", self._on_save),
            ("manageSearches", self._on_manage),
            ("searchHelp", self._on_help),
            ("whyFound", self._on_why),
            ("goToSavedSearches", self._on_go_to_saved),
        ):
            actions[name].triggered.connect(slot)
        self._bar.save_requested.connect(actions["saveSearch"].trigger)
        self._bar.manage_requested.connect(actions["manageSearches"].trigger)
        self._bar.help_requested.connect(actions["searchHelp"].trigger)
        self._counts.changed.connect(self._on_counts_changed)
        self._bar.memory.changed.connect(self._on_counts_changed)
        rail.chosen.connect(self._on_rail_chosen)
        rail.save_requested.connect(actions["saveSearch"].trigger)
        rail.manage_requested.connect(actions["manageSearches"].trigger)
        rail.rename_requested.connect(self._ask_name)
        rail.remove_requested.connect(self._bar.memory.remove)
        for signal in (session.search_changed, session.vault_opened):
            signal.connect(self._on_search_changed)
        panel.why_requested.connect(self._ask_why)
        session.vault_closed.connect(self._on_vault_closed)

    # Saved searches.

    @Slot(bool)
    def _on_save(self, _checked: bool) -> None:
        text = self._session.filter_text
        if text:
            self._ask_name(text)
        else:
            self._session.messages.notice(tr("First search for something: that can be saved."))
            self._bar.focus_search()

    def _ask_name(self, text: str) -> None:
        known = {one: name for name, one in self._bar.memory.saved}
        dialog = SearchNameDialog(text, known.get(text, ""), self._saved or self._window)
        dialog.named.connect(self._bar.memory.save)
        _open(dialog)

    @Slot(bool)
    def _on_manage(self, _checked: bool) -> None:
        if not self._session.is_open or self._saved is not None:
            return
        dialog = self._saved = SavedSearchesDialog(self._window)
        dialog.open_requested.connect(self._search_for)
        dialog.rename_requested.connect(self._ask_name)
        dialog.remove_requested.connect(self._bar.memory.remove)
        dialog.finished.connect(self._on_saved_finished)
        self._bar.memory.refresh()  # another panel may have saved one
        self._on_counts_changed()
        _open(dialog)

    @Slot(str)
    def _search_for(self, text: str) -> None:
        if text:
            self._bar.memory.note(text)
        self._session.set_filter(text)
        self._panel.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_counts_changed(self) -> None:
        memory, counts = self._bar.memory, self._counts.by_text
        self._rail.set_searches(memory.saved, counts)
        if self._saved is not None and self._session.is_open:
            self._saved.set_searches(memory.saved, counts)

    @Slot()
    def _on_search_changed(self) -> None:
        self._rail.set_current(self._session.filter_text if self._session.is_open else "")

    @Slot(str)
    def _on_rail_chosen(self, text: str) -> None:
        """List what a saved search finds; the one that is listed already: everything again."""
        session = self._session
        if not session.is_open:
            return
        session.looking.go_to(Place("memories"))
        self._search_for("" if text == session.filter_text else text)

    @Slot(bool)
    def _on_go_to_saved(self, _checked: bool) -> None:
        if self._rail.isVisible():
            self._rail.focus_first()
        else:
            self._on_manage(False)  # the rail is hidden in focus mode

    @Slot(int)
    def _on_saved_finished(self, _result: int) -> None:
        self._saved = None

    # Help.

    @Slot(bool)
    def _on_help(self, _checked: bool) -> None:
        dialog = SearchHelpDialog(self._window)
        dialog.chosen.connect(self._on_example_chosen)
        _open(dialog)

    @Slot(str)
    def _on_example_chosen(self, example: str) -> None:
        self._session.set_filter(f"{self._session.filter_text} {example}")
        self._bar.focus_search()

    # Why.

    @Slot(bool)
    def _on_why(self, _checked: bool) -> None:
        if self._session.selected_id is not None:
            self._ask_why(self._session.selected_id)

    @Slot(str)
    def _ask_why(self, memory_id: str) -> None:
        if self._why is None:
            dialog = self._why = WhyFoundDialog(self._session.filter_text, self._window)
            dialog.memory_wanted.connect(self._on_memory_wanted)
            dialog.memory_chosen.connect(self._ask_why)
            dialog.let_in_requested.connect(self._on_let_in)
            dialog.taken_out.connect(self._on_taken_out)
            dialog.finished.connect(self._on_why_finished)
            _open(dialog)
        self._about = memory_id
        self._why.set_busy(tr("Looking…"))
        session = self._session
        limits = Limits(archived=session.show_archived)
        loaded, moment = session.searched()
        work = partial(
            _explain, session.vault, loaded, moment, session.filter_text, memory_id, limits
        )
        session.jobs.run(_WHY_JOB, work, self._on_explained)

    def _on_explained(self, why: WhyFound) -> None:
        if self._why is not None:
            self._answer = self._with_other_filter(why)
            self._why.set_answer(self._answer)

    def _with_other_filter(self, why: WhyFound) -> WhyFound:
        """The answer, when a filter besides the search keeps the memory out of the list."""
        session = self._session
        row = session.snapshot.row_of(why.memory_id)
        if session.only is None or not why.is_hit or row in session.order:
            return why
        return replace(
            why,
            is_hit=False,
            kept_out=(tr("a filter besides the search leaves it out."),),
            remedies=(*why.remedies, tr("Switch that filter off; its chip stands below the box.")),
        )

    @Slot(str)
    def _on_memory_wanted(self, text: str) -> None:
        session = self._session
        work = partial(_find_memories, session.searched()[0], text)
        session.jobs.run(_TITLES_JOB, work, self._on_memories_found)

    def _on_memories_found(self, offers: list[Offer]) -> None:
        if self._why is not None:
            self._why.set_offers(offers)

    @Slot()
    def _on_let_in(self) -> None:
        """Take out what fails, and show archived ones where that is in the way."""
        session, why = self._session, self._answer
        if why is None:
            return
        query = parse_query(session.filter_text)
        text = query.text
        for part in sorted(why.parts, key=lambda one: one.place, reverse=True):
            if not part.holds:
                text = parse_query(text).without(part.place)
        session.set_filter(text)
        if why.kept_out:
            session.set_show_archived(True)
        session.set_only(None)
        session.select(self._about)
        if self._why is not None:
            self._why.accept()

    @Slot(int, int)
    def _on_taken_out(self, start: int, end: int) -> None:
        text = parse_query(self._session.filter_text).without((start, end))
        self._session.set_filter(text)
        if self._why is not None:
            self._why.accept()

    @Slot(int)
    def _on_why_finished(self, _result: int) -> None:
        self._why = None
        self._session.jobs.cancel(_WHY_JOB)

    @Slot()
    def _on_vault_closed(self) -> None:
        for dialog in (self._saved, self._why):
            if dialog is not None:
                dialog.reject()


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def _explain(
    vault: Vault,
    loaded: Loaded,
    moment: Moment,
    text: str,
    memory_id: str,
    limits: Limits,
    token: CancelToken,
) -> WhyFound:
    matches = loaded.searcher.find(
        loaded.snapshot, parse_query(text), apart=True, cancelled=token.is_cancelled
    )
    memory, row = vault.read_memory(memory_id), loaded.snapshot.row_of(memory_id)
    assert row is not None, tr("only memories of the snapshot are offered")
    return explain_match(matches, moment, row, memory, limits)


def _find_memories(loaded: Loaded, text: str, token: CancelToken) -> list[Offer]:
    found = find_titles(loaded.snapshot, text, without="", cancelled=token.is_cancelled)
    return [Offer(label, one[:8], "", 0, len(text), one) for one, label in found]

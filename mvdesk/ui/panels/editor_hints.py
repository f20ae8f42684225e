"""After a save: which memories resemble this one, to be linked, merged or ignored."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.arrays import NO_TIME
from mvdesk.ui.widgets.hint_list import Hint
from mvdesk.vault.not_duplicates import change_apart, read_apart
from mvdesk.vault.operations.policy import policy_of
from mvdesk.vault.questions.suggest import Suggestion, SuggestSettings, find_suggestions
from mvdesk.vault.rules import read_policy
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.editor_view import EditorView
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.snapshot import Snapshot

MOST_HINTS: Final = 3
_JOB: Final = "hints"
_LOOKED_AT: Final = 12
_NEARLY_THE_SAME: Final = 0.6  # of the words are in both


class EditorHints(QObject):
    """Looks behind the scenes, and forgets what was found once something else is shown."""

    merge_requested = Signal(str, str)  # both ids

    def __init__(self, session: VaultSession, view: EditorView, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._view, self._list = session, view, view.hints
        self._memory_id = ""
        self._ignored: set[frozenset[str]] = set()  # what is not kept yet, or not to be kept
        hints = view.hints
        hints.open_requested.connect(session.select)
        hints.link_requested.connect(self._on_link_requested)
        hints.merge_requested.connect(self._on_merge_requested)
        hints.ignore_requested.connect(self._on_ignore_requested)
        hints.dismissed.connect(self._on_dismissed)
        session.vault_changed.connect(self._on_vault_changed)

    def look(self, memory_id: str) -> None:
        """Look for what resembles a memory that was saved."""
        session = self._session
        self.show(memory_id)
        row = session.snapshot.row_of(memory_id)
        if row is None:
            return
        vault, snapshot = session.vault, session.snapshot

        def work(_token: CancelToken) -> list[Suggestion]:
            policy = policy_of(read_policy(vault))
            settings = SuggestSettings(policy.min_link_suggestion_score, _LOOKED_AT)
            found = find_suggestions(snapshot, [row], vault.read_memories, settings)
            apart, text = read_apart(vault.companion, vault.brain.id), snapshot.memories.ids.text
            return [one for one in found if {memory_id, text(one.to_row)} not in apart]

        session.jobs.run(_JOB, work, partial(self._on_found, memory_id, snapshot))

    def show(self, memory_id: str) -> None:
        """Another memory is shown, "" for none: what was found about the last one goes."""
        if memory_id != self._memory_id:
            self._session.jobs.cancel(_JOB)
            self._memory_id = memory_id
            self._list.set_hints(())

    def _on_found(self, memory_id: str, snapshot: Snapshot, found: list[Suggestion]) -> None:
        if memory_id != self._memory_id:
            return
        found.sort(key=lambda one: (one.words < _NEARLY_THE_SAME, -one.score))
        ids = snapshot.memories.ids
        hints = [
            Hint(ids.text(one.to_row), snapshot.memories.labels.text(one.to_row), _why(one))
            for one in found
            if frozenset((memory_id, ids.text(one.to_row))) not in self._ignored
        ]
        self._list.set_hints(hints[:MOST_HINTS])

    @Slot(str)
    def _on_link_requested(self, memory_id: str) -> None:
        title = next(one.title for one in self._list.hints() if one.memory_id == memory_id)
        self._view.set_reading(False)
        self._view.links.start_adding_to(memory_id, title)

    @Slot(str)
    def _on_merge_requested(self, memory_id: str) -> None:
        self.merge_requested.emit(self._memory_id, memory_id)

    @Slot(str)
    def _on_ignore_requested(self, memory_id: str) -> None:
        """The two are not the same one: remembered as in the list of duplicates."""
        session, pair = self._session, (self._memory_id, memory_id)
        self._ignored.add(frozenset(pair))
        vault = session.vault
        keep = partial(change_apart, vault.companion, vault.brain.id, [pair], apart=True)
        session.jobs.write(keep, lambda _apart: None, failed=session.messages.report)
        self._keep(lambda one: one.memory_id != memory_id)

    @Slot()
    def _on_dismissed(self) -> None:
        self._ignored |= {frozenset((self._memory_id, one.memory_id)) for one in self._list.hints()}
        self._list.set_hints(())

    @Slot(object)
    def _on_vault_changed(self, _changes: ChangeSet) -> None:
        """What was linked, archived or deleted since needs no hint any more."""
        if not self._list.hints():
            return
        snapshot = self._session.snapshot
        row = snapshot.row_of(self._memory_id)
        near = set() if row is None else _neighbours(snapshot, row)
        self._keep(lambda one: _is_apart(snapshot, one.memory_id, near))

    def _keep(self, is_kept: Callable[[Hint], bool]) -> None:
        self._list.set_hints([one for one in self._list.hints() if is_kept(one)])


def _why(one: Suggestion) -> str:
    if one.words >= _NEARLY_THE_SAME:
        return tr("nearly the same words")
    if one.shared_tags:
        return tr("shares {names}", names=", ".join(one.shared_tags[:2]))
    return tr("same source") if one.same_source else tr("similar words")


def _neighbours(snapshot: Snapshot, row: int) -> set[int]:
    links = snapshot.links_of_row(row)
    ends = (snapshot.links.from_rows[links], snapshot.links.to_rows[links])
    return {int(end) for side in ends for end in side}


def _is_apart(snapshot: Snapshot, memory_id: str, near: set[int]) -> bool:
    row = snapshot.row_of(memory_id)
    return row is not None and row not in near and snapshot.memories.archived_at[row] == NO_TIME

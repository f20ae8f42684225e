"""Joins a picker to a session: what is typed finds memories by title, key, id or link."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from mvdesk.arrays import NO_TIME
from mvdesk.ui.title_finder import FoundTitle, TitleFinder
from mvdesk.vault.addresses import parse_address
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.memory_picker import MemoryPicker
    from mvdesk.vault.snapshot import Snapshot


class MemorySearch(QObject):
    """Lives as long as its picker. The newest text wins; nothing waits for it."""

    def __init__(
        self,
        session: VaultSession,
        picker: MemoryPicker,
        recent: Callable[[], Sequence[str]],
        *,
        without: Sequence[str] = (),
    ) -> None:
        """`recent` are ids that come first; `without` are never found."""
        super().__init__(picker)
        self._session, self._picker = session, picker
        self._recent, self._without = recent, frozenset(without)
        self._finder: TitleFinder | None = None
        picker.text_edited.connect(self.find)

    @Slot(str)
    def find(self, text: str) -> None:
        """Look for other memories."""
        session = self._session
        if not session.is_open:
            return
        address = parse_address(text)
        if address is not None:
            text = address.memory_id
        snapshot = session.snapshot
        rows = [row for row in map(snapshot.row_of, self._recent()) if row is not None]
        work = partial(_find, self._finder, snapshot, text, rows)
        session.jobs.run("picker", work, partial(self._on_found, text))

    def stop(self) -> None:
        """Forget what is under way."""
        self._session.jobs.cancel("picker")

    def _on_found(self, text: str, outcome: tuple[TitleFinder, list[FoundTitle]]) -> None:
        self._finder, found = outcome
        snapshot = self._finder.snapshot
        if not self._session.is_open or snapshot is not self._session.snapshot:
            self._finder = None
            return
        ids = snapshot.memories.ids
        named = [
            (
                ids.text(one.row),
                snapshot.memories.labels.text(one.row),
                describe_memory(snapshot, one.row),
            )
            for one in found
        ]
        said = ""
        if not named:
            said = (
                tr("No memory matches “{text}”.", text=text[:60])
                if text.strip()
                else tr("Type a few letters.")
            )
        elif not text.strip():
            said = tr("Recent")
        self._picker.set_found([one for one in named if one[0] not in self._without], said)


def _find(
    finder: TitleFinder | None, snapshot: Snapshot, text: str, recent: list[int], _: CancelToken
) -> tuple[TitleFinder, list[FoundTitle]]:
    if finder is None or finder.snapshot is not snapshot:
        finder = TitleFinder(snapshot)
    return finder, finder.find(text, recent=recent)


def describe_memory(snapshot: Snapshot, row: int) -> str:
    """What tells a memory from others with its title: type, source, whether it is archived."""
    memories = snapshot.memories
    source = int(memories.source_rows[row])
    parts = [
        memories.type_names[int(memories.type_codes[row])],
        " ".join(snapshot.sources.texts.text(source).split()) if source >= 0 else "",
        tr("archived") if memories.archived_at[row] != NO_TIME else "",
    ]
    return " · ".join(part for part in parts if part)

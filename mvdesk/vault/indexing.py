"""The index of texts kept in step with the vault: filled at first, then by what changed.

What is indexed is compared with a snapshot memory by memory, so it doesn't matter who wrote
the vault, when, and whether anybody was looking.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from mvdesk.errors import VaultError
from mvdesk.store.reading import read_texts
from mvdesk.store.search import FIELDS, IndexedText, IndexLost, IndexUnusable, SearchIndex
from mvdesk.vault.building import checksum_of
from mvdesk.vault.plan import MEMORIES, ColumnChanges
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from mvdesk.vault.plan import Plan
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_BATCH: Final = 1_000
"""Memories per transaction: short enough that nobody who writes the companion waits long."""
_ATTEMPTS: Final = 3
_TEXTS: Final = frozenset({"type", "brain_id", *FIELDS})
"""The columns that the checksum of a memory's texts is made of, and where it belongs."""


class IndexingCancelled(Exception):
    """Filling the index was given up because `cancelled` said so."""


class TextIndex:
    """The index of one open vault. Safe for several threads, beside other processes.

    It is derived, so nothing here fails a search or a save: an index that is damaged is filled
    again, and one that can't be written finds what it holds.
    """

    def __init__(self, index: SearchIndex) -> None:
        self._index = index
        self._fill_lock = threading.Lock()
        self._lock = threading.Lock()  # guards the two below
        self._is_filling = False
        self._waiting: set[str] = set()
        self._is_closing = False
        self._is_filled = False

    @property
    def is_filled(self) -> bool:
        """Whether every text could be indexed once; what was written since is, too."""
        return self._is_filled

    def fill(
        self,
        vault: Vault,
        snapshot: Snapshot,
        *,
        progress: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> int:
        """Bring the index to the state of `snapshot`; how many memories that took.

        Takes seconds at first, then next to nothing while nothing changed. What is
        written meanwhile and told to `follow` comes last. `progress` gets sentences for the
        person; IndexingCancelled is raised when `cancelled` says yes, and what was indexed by
        then stays.
        """
        with self._fill_lock:
            with self._lock:
                self._is_filling = True
            try:
                return self._try_filling(vault, snapshot, progress, cancelled)
            finally:
                self._end_filling(vault, snapshot.brain_id)

    def follow(self, vault: Vault, ids: Iterable[str]) -> None:
        """Index some memories as they are in the vault now, once there is an index at all."""
        wanted = sorted(ids)
        with self._lock:
            if self._is_filling:
                # Whoever fills may have read the texts before this change: they come again.
                self._waiting.update(wanted)
                return
        if wanted:
            self._replace(vault, vault.brain.id, wanted)

    def follow_snapshot(self, vault: Vault, snapshot: Snapshot, ids: Collection[str]) -> None:
        """Index those of some memories whose texts differ; many are told by the snapshot."""
        if len(ids) <= _BATCH:
            self.follow(vault, ids)
        else:
            self.fill(vault, snapshot)

    def close(self) -> None:
        """Stop filling, and close the file. The index is of no use after it."""
        self._is_closing = True
        with self._fill_lock:
            self._index.close()

    def _try_filling(
        self,
        vault: Vault,
        snapshot: Snapshot,
        progress: Callable[[str], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> int:
        done = 0
        for _ in range(_ATTEMPTS):
            try:
                done += self._fill(vault, snapshot, progress, cancelled)
                self._is_filled = True
            except IndexLost:
                continue  # it is empty now
            except (IndexUnusable, VaultError):
                pass  # locked for long, or no space: the next time goes on from here
            break
        return done

    def _fill(
        self,
        vault: Vault,
        snapshot: Snapshot,
        progress: Callable[[str], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> int:
        brain_id = snapshot.brain_id
        state = len(snapshot.memories), snapshot.text_sum
        if self._index.read_state(brain_id) == state:
            return 0
        known = self._index.read_known(brain_id)
        gone, wanted = _differences(known, snapshot)
        for start in range(0, len(gone), _BATCH):
            self._index.write(brain_id, gone[start : start + _BATCH], ())
        for start in range(0, len(wanted), _BATCH):
            if self._is_closing or (cancelled is not None and cancelled()):
                raise IndexingCancelled
            self._index.write(brain_id, (), _read_texts(vault, wanted[start : start + _BATCH]))
            if progress is not None:
                done = min(start + _BATCH, len(wanted))
                progress(
                    tr("Indexing texts: {done:,} of {wanted:,}", done=done, wanted=len(wanted))
                )
        return len(gone) + len(wanted)

    def _end_filling(self, vault: Vault, brain_id: str) -> None:
        while True:
            with self._lock:
                ids, self._waiting = sorted(self._waiting), set()
                if not ids or self._is_closing:
                    self._is_filling = False
                    return
            self._replace(vault, brain_id, ids)

    def _replace(self, vault: Vault, brain_id: str, ids: Sequence[str]) -> None:
        """Index some memories as they are; those that aren't there any more are forgotten."""
        try:
            if not self._index.is_made():
                return
            for start in range(0, len(ids), _BATCH):
                some = ids[start : start + _BATCH]
                known = dict(self._index.read_known(brain_id, some))
                texts = {text.memory_id: text for text in _read_texts(vault, some)}
                moved = [t for t in texts.values() if known.get(t.memory_id) != t.checksum]
                gone = [memory_id for memory_id in known if memory_id not in texts]
                if moved or gone:
                    self._index.write(brain_id, gone, moved)
        except (IndexUnusable, VaultError):
            pass  # `fill` sees what is missing


def texts_changed(plan: Plan) -> list[str]:
    """The memories that a plan gives other texts, makes or deletes."""
    changes = plan.changes
    if isinstance(changes, ColumnChanges):
        return changes.ids if changes.table == MEMORIES and _TEXTS & set(changes.columns) else []
    return [
        change.key.id
        for change in changes
        if change.key.table == MEMORIES
        and (change.before is None or change.after is None or _TEXTS & change.written.keys())
    ]


def _read_texts(vault: Vault, ids: Sequence[str]) -> list[IndexedText]:
    with vault.file.read() as conn:
        rows = list(read_texts(conn, vault.file.schema, vault.brain.id, ids))
    return [
        IndexedText(
            memory_id,
            checksum_of(kind, title, key, content, tags, source),
            title,
            key,
            tags,
            source,
            content,
        )
        for memory_id, kind, title, key, content, tags, source in rows
    ]


def _differences(
    known: Sequence[tuple[str, int]], snapshot: Snapshot
) -> tuple[list[str], list[str]]:
    """Ids that are indexed but not in the snapshot, and those to be indexed (again)."""
    table = snapshot.memories
    checksums = dict(known)
    wanted: list[str] = []
    for memory_id, checksum in zip(table.ids, table.text_checksum.tolist(), strict=True):
        if checksums.pop(memory_id or "", None) != checksum:
            wanted.append(memory_id or "")
    return list(checksums), wanted

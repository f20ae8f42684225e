"""An open vault: one file, one brain of it, and what the companion keeps beside it."""

from __future__ import annotations

import threading
import uuid
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Final, Self

from mvdesk.errors import BadValue, MemoryNotFound, UndoImpossible, VaultChanged, VaultError
from mvdesk.records import LEGACY_BRAIN_ID
from mvdesk.scoring.builtin import DEFAULT_MODEL_ID, SERVER_V1, SERVER_V2, find_model
from mvdesk.scoring.model import ModelError
from mvdesk.store.cells import REPLACED, BrokenText, is_storable
from mvdesk.store.companion import Companion
from mvdesk.store.engine import VaultFile
from mvdesk.store.reading import (
    find_by_scan,
    has_recall_data,
    read_brains,
    read_links_of,
    read_memories,
    read_trust,
)
from mvdesk.store.rows import read_columns
from mvdesk.store.search import SearchIndex
from mvdesk.vault.apply import AFTER_PREVIEW, check_fits, write_plan
from mvdesk.vault.changes import ChangeSet
from mvdesk.vault.indexing import TextIndex, texts_changed
from mvdesk.vault.journal import Journal
from mvdesk.vault.text_rows import TextRows
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from mvdesk.records import Brain, Link, Memory, SourceTrust
    from mvdesk.vault.journal import JournalEntry, Step
    from mvdesk.vault.plan import Plan

    Watch = Callable[[int, int], None]

_MODEL: Final = "score_model"
_BRAIN: Final = "brain"


def new_uuid() -> str:
    """A fresh id, as MemoryVault makes them."""
    return str(uuid.uuid4())


class Vault:
    """One open brain. Reading is safe from any thread; writes wait for each other."""

    def __init__(
        self,
        file: VaultFile,
        companion: Companion,
        brain_id: str | None,
        new_id: Callable[[], str],
    ) -> None:
        """Use `open` or `create`."""
        self.file = file
        self.companion = companion
        self._new_id = new_id
        self._lock = threading.RLock()
        self._said: list[str] = []
        self._seen = file.data_version()
        self.write_count = 0
        """Own writes since opening; a ChangeSet carries the number of its own."""
        self.before_closing: Callable[[], object] | None = None
        """Keeps what is worth keeping for the next start."""
        with file.read() as conn:
            brains = read_brains(conn, file.schema)
        self._brains = (self._seen, 0, brains)
        self.brain = _pick_brain(brains, brain_id, companion.read_setting(_BRAIN))
        self._is_servers = any(brain.id == LEGACY_BRAIN_ID for brain in brains)
        self.journal = Journal(companion.steps, file, self.brain.id)
        index = SearchIndex(companion.path)
        self.text_index, self.text_rows = TextIndex(index), TextRows(index)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        brain_id: str | None = None,
        data_folder: Path | None = None,
        new_id: Callable[[], str] = new_uuid,
    ) -> Self:
        """The vault in a file; no byte of it changes.

        Without `brain_id` the brain of last time is opened, else the one with most memories.
        `data_folder` keeps the companion when the vault's own folder can't be written.
        Raises a VaultError when the file can't be read, BadValue for an unknown brain.
        """
        file = VaultFile.open(path)
        return cls._opened(file, brain_id, data_folder, new_id)

    @classmethod
    def create(
        cls,
        path: Path,
        name: str,
        *,
        now: int,
        data_folder: Path | None = None,
        new_id: Callable[[], str] = new_uuid,
    ) -> Self:
        """A new vault with one empty brain. Raises a VaultError when there is a file already."""
        file = VaultFile.create(path, name, now=now, new_id=new_id)
        return cls._opened(file, None, data_folder, new_id)

    @classmethod
    def _opened(
        cls,
        file: VaultFile,
        brain_id: str | None,
        data_folder: Path | None,
        new_id: Callable[[], str],
    ) -> Self:
        with ExitStack() as stack:
            stack.callback(file.close)
            companion = Companion.open(file.path, data_folder or file.path.parent)
            stack.callback(companion.close)
            vault = cls(file, companion, brain_id, new_id)
            stack.pop_all()
        return vault

    def close(self) -> None:
        """Close the file and the companion; a write that is under way ends first. Repeatable."""
        with self._lock:
            before, self.before_closing = self.before_closing, None
            # The next start is slower without it; closing must not fail for that.
            with suppress(VaultError, OSError):
                if before is not None:
                    before()
            self.text_index.close()
            self.companion.close()
            self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What it is

    @property
    def path(self) -> Path:
        return self.file.path

    @property
    def name(self) -> str:
        """What title bars call the vault: the file's name without its ending."""
        return self.path.stem

    @property
    def brains(self) -> list[Brain]:
        """The brains in the file, with how many memories each has now."""
        state = self.file.data_version(), self.write_count
        if self._brains[:2] != state:
            with self.file.read() as conn:
                self._brains = (*state, read_brains(conn, self.file.schema))
        return list(self._brains[2])

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences for the person about this vault, oldest first."""
        return (*self.file.notices, *self.companion.notices, *self._said)

    @property
    def read_only_reason(self) -> str | None:
        """Why nothing can be written, None when it can."""
        return self.file.read_only_reason

    # Reading

    def read_memory(self, memory_id: str) -> Memory:
        """One memory with its text. Raises MemoryNotFound, or VaultDamaged when it is hidden."""
        for memory in self.read_memories([memory_id]):
            return memory
        self.refuse_hidden([memory_id])
        if REPLACED in memory_id:
            raise MemoryNotFound(
                tr("This memory can't be read: its id holds bytes that are no text (UTF-8)."),
                tr("Nothing was changed."),
                tr("Only the program that wrote it can change it."),
            )
        raise MemoryNotFound(
            tr("This memory is not in the vault any more."),
            tr("Nothing was changed."),
            tr("It may have been deleted by another program; look at the list again."),
            tr("id {memory_id}, brain {name}", memory_id=memory_id, name=self.brain.name),
        )

    def has_memory(self, memory_id: str) -> bool:
        """Whether the brain holds a memory of this id now."""
        return bool(self.read_memories([memory_id]))

    def read_memories(self, ids: Sequence[str]) -> list[Memory]:
        """The memories of these ids that are there, in no order to rely on."""
        known = [memory_id for memory_id in ids if is_storable(memory_id)]
        with self.file.read() as conn:
            return list(read_memories(conn, self.file.schema, self.brain.id, known))

    def find_broken_texts(self, memory_id: str) -> frozenset[str]:
        """The fields of a memory whose bytes aren't UTF-8: they read as U+FFFD in places.

        Saving such a field replaces those bytes; taking the step back brings them back.
        """
        columns = ("title", "key", "content", "tags", "source")
        kept = [name for name in columns if self.file.schema.has("memories", name)]
        with self.file.read() as conn:
            row = read_columns(conn, "memories", {"id": memory_id}, kept) or {}
        return frozenset(name for name, value in row.items() if isinstance(value, BrokenText))

    def refuse_hidden(self, memory_ids: Collection[str]) -> None:
        """Raise VaultDamaged when memories that were not found are there all the same.

        A damaged index hides them, which looks as if another program had deleted them.
        """
        with self.file.read() as conn:
            hidden = find_by_scan(conn, memory_ids)
        if hidden:
            self.file.refuse_when_damaged()

    def read_links_of(self, *memory_ids: str) -> list[Link]:
        """Every link that touches one of the memories, oldest first."""
        known = [memory_id for memory_id in memory_ids if is_storable(memory_id)]
        with self.file.read() as conn:
            return read_links_of(conn, self.file.schema, self.brain.id, known)

    def read_trust(self) -> list[SourceTrust]:
        """Every stored trust, by source."""
        with self.file.read() as conn:
            return read_trust(conn, self.file.schema, self.brain.id)

    def changed_outside(self) -> bool:
        """Whether another program wrote, or replaced the file, since it was last read whole."""
        return self.file.data_version() != self._seen

    def note_read(self, version: tuple[int, ...]) -> None:
        """A snapshot was read whole that holds everything up to this `data_version`."""
        self._seen = version

    # Writing

    @contextmanager
    def no_own_writes(self) -> Iterator[None]:
        """Hold back own writes for the length of the block."""
        with self._lock:
            yield

    def apply(self, plan: Plan, *, now: int, watch: Watch | None = None) -> ChangeSet:
        """Write a previewed plan in one transaction and journal it for undo.

        Raises VaultChanged, with nothing written, when a row is no longer what the preview
        showed; another VaultError when the file can't be written. An empty plan writes
        nothing. When only the journal fails the write stands, and `notices` says so.

        `watch` gets how many rows of how many are done, now and then; it may raise
        WriteCancelled, with nothing written.
        """
        with self._lock:
            if plan.is_empty:
                return ChangeSet()
            entry = self.journal.entry(now=now)
            return self._write(plan, now, entry, tr("This step can't be undone"), watch)

    def undo(self, *, now: int, watch: Watch | None = None) -> tuple[str, ChangeSet]:
        """Take the last step back; its label and what changed. `watch` as for `apply`.

        Raises UndoImpossible, with nothing written, when there is none or when it no longer
        fits what is in the vault.
        """
        with self._lock:
            step = self.journal.find_undo()
            return step.label, self._repeat(step, now, watch, undone=True)

    def try_undo(self) -> tuple[str, ChangeSet]:
        """What `undo` would give back, with nothing written. Raises as `undo` does."""
        with self._lock:
            step = self.journal.find_undo()
            plan = step.plan.inverse()
            try:
                check_fits(self.file, plan)
            except VaultChanged as error:
                raise _misfit(step, error, undone=True) from error
            return step.label, ChangeSet.of(plan)

    def redo(self, *, now: int, watch: Watch | None = None) -> tuple[str, ChangeSet]:
        """Do the step again that was undone last; as `undo`."""
        with self._lock:
            step = self.journal.find_redo()
            return step.label, self._repeat(step, now, watch, undone=False)

    def skip_step(self, step_id: int) -> None:
        """Forget a step that can't be undone or done again; the vault stays as it is.

        Raises VaultError when the journal can't be written.
        """
        with self._lock:
            self.journal.skip(step_id)

    def _write(
        self,
        plan: Plan,
        now: int,
        entry: JournalEntry,
        lost: str,
        watch: Watch | None = None,
    ) -> ChangeSet:
        """Write a plan and its entry of the journal; `lost` is told when the latter fails."""
        try:
            written = write_plan(
                self.file, plan, now=now, new_id=self._new_id, entry=entry, watch=watch
            )
        except VaultChanged:
            # A row that a damaged index hides or mixes up looks changed, too.
            self.file.refuse_when_damaged()
            raise
        except BaseException:
            entry.withdraw()
            raise
        # Losing the journal costs an undo step, never a memory.
        try:
            entry.settle()
        except VaultError as error:
            self._said.append(
                tr(
                    "The change is saved. {lost}, because the journal failed: {error}",
                    lost=lost,
                    error=error,
                )
            )
        self.write_count += 1
        self.text_index.follow(self, texts_changed(written))
        return ChangeSet.of(written, write_number=self.write_count)

    def _repeat(self, step: Step, now: int, watch: Watch | None, *, undone: bool) -> ChangeSet:
        plan = step.plan.inverse() if undone else step.plan
        entry = self.journal.mark(step, undone=undone)
        lost = (
            tr("The step may be offered for undo again")
            if undone
            else tr("The step may be offered for redo again")
        )
        try:
            return self._write(plan, now, entry, lost, watch)
        except VaultChanged as error:
            raise _misfit(step, error, undone=undone) from error

    # Choices kept with the vault

    @property
    def model_id(self) -> str | None:
        """The score model chosen for this vault, None before someone chose."""
        chosen = self.companion.read_setting(_MODEL)
        return chosen if isinstance(chosen, str) else None

    def set_model(self, model_id: str) -> None:
        """Keep a choice of score model with the vault. Raises BadValue for an unknown one."""
        try:
            find_model(model_id)
        except ModelError as error:
            raise BadValue("model", str(error)) from error
        self.companion.write_setting(_MODEL, model_id)

    @property
    def suggested_model_id(self) -> str:
        """The model to offer: for a server's file the one that gives its server's numbers.

        Until someone chooses, vaults are scored by the default model all the same.
        """
        if not self._is_servers:
            return DEFAULT_MODEL_ID
        with self.file.read() as conn:
            recalled = has_recall_data(conn, self.file.schema, self.brain.id)
        return SERVER_V2.id if recalled else SERVER_V1.id

    def remember_brain(self) -> None:
        """Open this brain next time, when none is asked for."""
        self.companion.write_setting(_BRAIN, self.brain.id)


def _misfit(step: Step, error: VaultChanged, *, undone: bool) -> UndoImpossible:
    why = error.what.removesuffix(AFTER_PREVIEW)
    return UndoImpossible(
        tr("“{label}” can't be undone: {why} since.", label=step.label, why=why)
        if undone
        else tr("“{label}” can't be done again: {why} since.", label=step.label, why=why),
        tr("Nothing was written."),
        tr("Change the memory by hand instead; skip the step to reach those before it."),
        error.details,
        step_id=step.id,
    )


def _pick_brain(brains: Sequence[Brain], wanted: str | None, remembered: object) -> Brain:
    for brain in brains:
        if brain.id == wanted:
            return brain
    if wanted is not None:
        known = ", ".join(f"{brain.name} ({brain.id})" for brain in brains)
        raise BadValue(
            "brain",
            tr("this vault holds none called {wanted!r}.", wanted=wanted),
            tr("It holds {known}.", known=known),
        )
    kept = [brain for brain in brains if brain.id == remembered]
    return kept[0] if kept else max(brains, key=lambda brain: brain.memory_count)

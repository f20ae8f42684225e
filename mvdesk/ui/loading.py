"""What the session does off the GUI thread: open, read, score, write, read again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mvdesk.errors import VaultError
from mvdesk.scoring.builtin import DEFAULT_MODEL_ID, find_model
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.scoring.model import ModelError
from mvdesk.ui.arrange import Arrangement, Arranger
from mvdesk.ui.chosen import find_chosen
from mvdesk.ui.list_state import read_list_state
from mvdesk.ui.rescoring import scores_after
from mvdesk.ui.standing import Standing
from mvdesk.ui.text_ranks import rank_titles
from mvdesk.vault.changes import ChangeSet
from mvdesk.vault.comparing import compare_snapshots
from mvdesk.vault.demo import write_demo
from mvdesk.vault.indexing import IndexingCancelled
from mvdesk.vault.plan import MEMORIES
from mvdesk.vault.searching import Searcher
from mvdesk.vault.snapshot import (
    ReadCancelled,
    Snapshot,
    catch_up,
    keep_snapshot,
    keep_title_ranks,
    read_snapshot,
    refresh_snapshot,
)
from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.arrays import BoolArray
    from mvdesk.records import Brain, Memory, SourceTrust
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.chosen import ListFilter
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.write_progress import WriteProgress
    from mvdesk.vault.plan import Plan

NOTHING_CHANGED = ChangeSet()


@dataclass(frozen=True, slots=True)
class Want:
    """What the shown list needs: the model, sort and filter, the clock.

    `shown` is the state on screen, whose scores mostly stay as they are.
    """

    model: ScoreModel
    arrangement: Arrangement
    now: int
    shown: Loaded | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """One state of the vault, read and scored. `arranger` is ready for `arrangement`.

    `chosen` is its filter with what that lets through, None without one.
    """

    snapshot: Snapshot
    model: ScoreModel
    now: int
    scores: Scores
    trust: tuple[SourceTrust, ...]
    undo_label: str
    redo_label: str
    undo_id: int  # the journal's step, 0 for none
    redo_id: int
    brains: tuple[Brain, ...]
    suggested_model_id: str
    arranger: Arranger
    searcher: Searcher
    arrangement: Arrangement
    standing: Standing
    chosen: tuple[ListFilter, BoolArray] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """The outcome of a write: what was done, what changed, and the state after it."""

    label: str
    changes: ChangeSet
    loaded: Loaded


def open_vault(
    path: Path,
    brain_id: str | None,
    data_folder: Path | None,
    now: int,
    token: CancelToken,
    *,
    prepare: Callable[[Path, int], None] | None,
    progress: Callable[[str], None],
) -> tuple[OpenVault, Loaded]:
    """Open a vault and read it; `prepare` makes the file first. Raises VaultError."""
    if prepare is not None:
        prepare(path, now)
    vault = Vault.open(path, brain_id=brain_id, data_folder=data_folder)
    opened = OpenVault(vault)
    try:
        if brain_id is not None and vault.read_only_reason is None:
            vault.remember_brain()
        want = Want(chosen_model(vault), _as_left(vault), now)
        loaded = opened.load(want, progress=progress, token=token)
    except BaseException:
        opened.close()
        raise
    if token.is_cancelled():
        opened.close()
        raise ReadCancelled
    return opened, loaded


def make_vault(path: Path, now: int) -> None:
    """Make an empty vault named after its file. Raises VaultError when the file exists."""
    Vault.create(path, path.stem, now=now).close()


def make_demo(path: Path, now: int) -> None:
    """Write the demo vault, unless it is there from before."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_demo(path, now=now)


def chosen_model(vault: Vault) -> ScoreModel:
    """The model the person chose for this vault, else the default."""
    try:
        return find_model(vault.model_id or DEFAULT_MODEL_ID)
    except ModelError:
        return find_model(DEFAULT_MODEL_ID)  # chosen in another version of mvdesk


def _as_left(vault: Vault) -> Arrangement:
    """How the list was when the vault was closed."""
    with suppress(VaultError):
        return read_list_state(vault.companion, vault.brain.id)
    return Arrangement()


class OpenVault:
    """An open vault with its newest snapshot. Used by one thread at a time: the write lane."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._searcher = Searcher(vault)
        self._snapshot: Snapshot | None = None
        self._brains: tuple[Brain, ...] = ()
        self._suggested_model_id = DEFAULT_MODEL_ID
        self._is_kept = True
        self._are_ranks_kept = False

    def load(
        self,
        want: Want,
        *,
        progress: Callable[[str], None] | None = None,
        token: CancelToken | None = None,
    ) -> Loaded:
        """Read everything afresh."""
        self._is_kept = True
        # Counted once for each reading: at 100,000 memories it takes longer than a save.
        self._brains = tuple(self.vault.brains)
        self._suggested_model_id = self.vault.suggested_model_id
        self._snapshot = read_snapshot(
            self.vault,
            progress=progress,
            cancelled=token.is_cancelled if token else None,
        )
        self._are_ranks_kept = bool(self._snapshot.title_ranks)
        return self._finish(want)

    def apply(
        self, make_plan: Callable[[Vault], Plan], progress: WriteProgress, want: Want
    ) -> Written:
        """Write a plan, unless it is empty, and read again what it changed.

        Raises WriteCancelled, with nothing written, when `progress` was told to.
        """
        plan = make_plan(self.vault)
        if plan.is_empty:
            return Written(plan.label, NOTHING_CHANGED, self._finish(want))
        with progress.watching() as watch:
            changes = self.vault.apply(plan, now=want.now, watch=watch)
        return self._refresh(plan.label, changes, want)

    def reload(self, want: Want) -> Written:
        """Read what another program changed."""
        old = self._snapshot
        assert old is not None
        self._snapshot, changes = catch_up(self.vault, old)
        self._is_kept = False
        if changes.touches(MEMORIES):
            self._brains = tuple(self.vault.brains)
            self._suggested_model_id = self.vault.suggested_model_id
        self.vault.text_index.follow_snapshot(self.vault, self._snapshot, changes.memory_ids)
        return Written("", changes, self._finish(want))

    def undo(self, want: Want, progress: WriteProgress, step_id: int | None = None) -> Written:
        """Take the last step back; nothing when it isn't `step_id` any more, if one is given."""
        if step_id not in (None, self.vault.journal.undo_id):
            return Written("", NOTHING_CHANGED, self._finish(want))
        with progress.watching() as watch:
            label, changes = self.vault.undo(now=want.now, watch=watch)
        return self._refresh(label, changes, want)

    def redo(self, want: Want, progress: WriteProgress, step_id: int | None = None) -> Written:
        """Do the step again that was undone last; `step_id` as for `undo`."""
        if step_id not in (None, self.vault.journal.redo_id):
            return Written("", NOTHING_CHANGED, self._finish(want))
        with progress.watching() as watch:
            label, changes = self.vault.redo(now=want.now, watch=watch)
        return self._refresh(label, changes, want)

    def skip_step(self, want: Want, step_id: int) -> Written:
        """Forget a step that can't be undone or done again."""
        self.vault.skip_step(step_id)
        return Written("", NOTHING_CHANGED, self._finish(want))

    def close(self) -> None:
        """Close the file; what was read stays in the companion for the next start."""
        with suppress(VaultError):  # the next start reads the rows, which is only slower
            if self._snapshot is not None and not self._are_columns_kept(self._snapshot):
                keep_snapshot(self.vault, self._snapshot)
        self.vault.close()

    def _are_columns_kept(self, snapshot: Snapshot) -> bool:
        if not self._is_kept:
            return False
        if self._are_ranks_kept or not snapshot.title_ranks:
            return True
        # Refused where the columns aren't there: the file was too fresh when it was opened.
        return keep_title_ranks(self.vault, snapshot)

    def _refresh(self, label: str, changes: ChangeSet, want: Want) -> Written:
        old = self._snapshot
        assert old is not None
        self._snapshot = refresh_snapshot(self.vault, old, changes)
        self._is_kept = False
        if self._snapshot.version != old.version:
            # Another program wrote meanwhile.
            changes = compare_snapshots(old, self._snapshot, changes.tables)
            self.vault.text_index.follow_snapshot(self.vault, self._snapshot, changes.memory_ids)
        return Written(label, changes, self._finish(want))

    def _finish(self, want: Want) -> Loaded:
        snapshot = self._snapshot
        assert snapshot is not None
        snapshot.row_of("")  # makes the index of ids here, not on the GUI thread
        arranger = Arranger(snapshot, self._searcher)
        arranger.prepare(want.arrangement)
        journal = self.vault.journal
        scores, now = _score(snapshot, want)
        chosen = _choose(want.arrangement, snapshot, scores, want.model, now)
        arranger.sort_ahead(scores, want.arrangement, chosen[1] if chosen else None)
        return Loaded(
            snapshot=snapshot,
            model=want.model,
            now=now,
            scores=scores,
            trust=tuple(self.vault.read_trust()),
            undo_label=journal.undo_label or "",
            redo_label=journal.redo_label or "",
            undo_id=journal.undo_id,
            redo_id=journal.redo_id,
            brains=self._brains,
            suggested_model_id=self._suggested_model_id,
            arranger=arranger,
            searcher=self._searcher,
            arrangement=want.arrangement,
            standing=Standing(snapshot, scores),
            chosen=chosen,
        )


def close_opened(result: tuple[OpenVault, Loaded]) -> None:
    """Close a vault that nobody waits for any more."""
    result[0].close()


def rescore(
    loaded: Loaded, model: ScoreModel, now: int, _token: CancelToken | None = None
) -> Loaded:
    """The same state under another model or clock."""
    scores = evaluate(loaded.snapshot.inputs(model), model, now)
    chosen = _choose(loaded.arrangement, loaded.snapshot, scores, model, now)
    loaded.arranger.sort_ahead(scores, loaded.arrangement, chosen[1] if chosen else None)
    standing = loaded.standing.rescored(scores)
    return replace(loaded, model=model, now=now, scores=scores, chosen=chosen, standing=standing)


def _score(snapshot: Snapshot, want: Want) -> tuple[Scores, int]:
    """The scores of a snapshot, and the moment they are for."""
    inputs, shown = snapshot.inputs(want.model), want.shown
    if shown is None or shown.model is not want.model:
        return evaluate(inputs, want.model, want.now), want.now
    before = shown.snapshot.inputs(shown.model)
    return scores_after((before, shown.scores, shown.now), inputs, want.model, want.now)


def _choose(
    arrangement: Arrangement, snapshot: Snapshot, scores: Scores, model: ScoreModel, now: int
) -> tuple[ListFilter, BoolArray] | None:
    only = arrangement.only
    if only is None:
        return None
    return only, find_chosen(only, snapshot, scores, model, now)


def read_memory(vault: Vault, loaded: Loaded, memory_id: str, _token: CancelToken) -> Memory:
    """A memory with its text. Raises MemoryNotFound."""
    row = loaded.snapshot.row_of(memory_id)
    if row is not None:  # several panels are about to ask, on the GUI thread
        loaded.snapshot.links_of_row(row)
        loaded.standing.prepare(row)
    return vault.read_memory(memory_id)


def index_texts(
    vault: Vault, snapshot: Snapshot, progress: Callable[[str], None], token: CancelToken
) -> None:
    """Bring the index of texts up to date, which takes seconds when there is none yet."""
    snapshot.prepare_lookups()  # else some click or other would have to wait for it
    with suppress(IndexingCancelled):
        vault.text_index.fill(vault, snapshot, progress=progress, cancelled=token.is_cancelled)
        vault.text_rows.prepare(snapshot)  # so would the first search,
        rank_titles(snapshot)  # and the first sort by title


def look(vault: Vault, _token: CancelToken) -> bool:
    """True when another program wrote to the vault since it was last read."""
    return vault.changed_outside()

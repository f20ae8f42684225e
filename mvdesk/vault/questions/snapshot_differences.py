"""What became of a brain since a snapshot of it: rows, and the scores they make."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mvdesk.records import SourceTrust
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.snapshot_restore import KINDS, REPLACE
from mvdesk.vault.plan import LINKS, MEMORIES, TRUST, Plan
from mvdesk.vault.questions.foresee import (
    ForeseeingCancelled,
    Foreseen,
    NotForeseen,
    snapshot_after,
)
from mvdesk.vault.refreshing import refresh_sources
from mvdesk.vault.snapshot_restoring import preview_restore
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mvdesk.records import StoredSnapshot
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.plan import RowChange
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_SCORED: Final = (MEMORIES, LINKS)
_NO_SCORES: Final = tr("Too many types of memories: which scores differ can't be told.")


@dataclass(frozen=True, slots=True)
class KindDifference:
    """The rows of one kind that differ, seen from then: `before` is what the snapshot holds."""

    changes: Sequence[RowChange]

    @property
    def made(self) -> int:
        """How many there are since."""
        return sum(change.before is None for change in self.changes)

    @property
    def gone(self) -> int:
        """How many aren't there any more."""
        return sum(change.after is None for change in self.changes)

    @property
    def changed(self) -> int:
        """How many hold something else."""
        return len(self.changes) - self.made - self.gone


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotDifferences:
    """Everything that differs, by kind; `notes` and `unread` are sentences.

    `scores` are of the memories that both have, the snapshot's before, for one moment: what
    the texts, links and trust of then would score now. The largest change comes first.
    """

    stored: StoredSnapshot
    kinds: Mapping[str, KindDifference]
    scores: Foreseen
    notes: tuple[str, ...]
    unread: tuple[str, ...]


def compare_with_now(
    vault: Vault,
    snapshot: Snapshot,
    stored: StoredSnapshot,
    model: ScoreModel,
    now: int,
    *,
    cancelled: Callable[[], bool] = lambda: False,
) -> SnapshotDifferences:
    """Compare what a snapshot holds with the brain as it is. Nothing is written.

    Takes seconds for a hundred thousand memories. Raises VaultError for a snapshot that is
    gone, too large or damaged, ForeseeingCancelled when `cancelled` says so.
    """
    restore = preview_restore(vault, stored, REPLACE, now=now, new_id=lambda: "")
    if cancelled():
        raise ForeseeingCancelled
    changes = restore.plan.changes
    kinds = {
        kind: KindDifference(tuple(c.inverse() for c in changes if c.key.table == table))
        for kind, table in KINDS.items()
    }
    notes = restore.notes
    try:
        scores = _moved_scores(vault, snapshot, restore.plan, model, now, cancelled)
    except NotForeseen:
        scores, notes = Foreseen.none(), (*notes, _NO_SCORES)
    return SnapshotDifferences(stored, kinds, scores, notes, restore.skipped)


def _moved_scores(
    vault: Vault,
    snapshot: Snapshot,
    plan: Plan,
    model: ScoreModel,
    now: int,
    cancelled: Callable[[], bool],
) -> Foreseen:
    """The scores of then and now, of the memories that both states have."""
    then = _state_then(vault, snapshot, plan, cancelled)
    rows = snapshot.rows_of([then.memories.ids.text(row) for row in range(len(then.memories))])
    old = evaluate(then.inputs(model), model, now)
    new = evaluate(snapshot.inputs(model), model, now)
    moved = (old.confidence != new.confidence[rows]) | (old.importance != new.importance[rows])
    size = np.abs(old.confidence - new.confidence[rows])
    size = size + np.abs(old.importance - new.importance[rows])
    places = np.flatnonzero(moved)
    places = places[np.argsort(-size[places], kind="stable")]
    at = rows[places]
    return Foreseen(
        at,
        old.confidence[places],
        new.confidence[at],
        old.importance[places],
        new.importance[at],
    )


def _state_then(
    vault: Vault, snapshot: Snapshot, plan: Plan, cancelled: Callable[[], bool]
) -> Snapshot:
    """The snapshot as it was, but for memories that are gone since."""
    scored = tuple(
        change
        for change in plan.changes
        if change.key.table in _SCORED
        and not (change.key.table == MEMORIES and change.before is None)
    )
    then = snapshot_after(vault, snapshot, replace(plan, changes=scored), cancelled=cancelled)
    trust = {one.id: one for one in vault.read_trust()}
    for change in plan.changes:
        if change.key.table != TRUST:
            continue
        row: dict[str, Any] = change.written
        if change.after is None:
            trust.pop(change.key.id, None)
        elif change.key.id in trust:
            trust[change.key.id] = replace(trust[change.key.id], **row)
        else:
            trust[f"made {len(trust)}"] = SourceTrust(**row)
    sources = refresh_sources(
        then.sources, then.sources.texts, then.memories, then.memories, list(trust.values())
    )
    return replace(then, sources=sources, _inputs={})

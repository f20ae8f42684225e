"""What other trust does: movers, counts, conflicts and searches, as text and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mvdesk.cli.output import Column, clean, format_number, write_line, write_table
from mvdesk.cli.records_json import plain
from mvdesk.scoring.rounding import round3
from mvdesk.vault import rules
from mvdesk.vault.questions.conflict_changes import ConflictChanges, ConflictIndex
from mvdesk.vault.questions.distribution import Distribution, find_distribution
from mvdesk.vault.questions.movers import (
    MoveCounts,
    Mover,
    Movers,
    count_moves,
    find_movers,
)
from mvdesk.vault.questions.overlay import Overlay
from mvdesk.vault.questions.retrieval_effect import (
    Reach,
    SearchChange,
    make_finder,
    measure_reach,
    measure_search,
)
from mvdesk.vault.saved_searches import read_searches

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from mvdesk.cli.opened import Opened
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.questions.conflicts import Conflict
    from mvdesk.vault.questions.distribution import ScoreCounts
    from mvdesk.vault.questions.movers import Moves

_SHOWN_CONFLICTS: Final = 10
_REASONS: Final = {
    "trust": "its own score",
    "clamped": "others moved; it is at the limit",
    "others": "others moved",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to tell: of which score, across which threshold, how many movers each way."""

    kind: ScoreKind
    threshold: float
    top: int


@dataclass(frozen=True, slots=True, eq=False)
class TrustEffect:
    """Everything that tried trust values do to a vault."""

    wanted: Wanted
    before: Scores
    after: Scores
    counts: MoveCounts
    movers: Movers
    distribution: Distribution
    conflicts: ConflictChanges
    reach: Reach
    searches: tuple[SearchChange, ...]


def find_effect(
    vault_open: Opened, trust: Mapping[str, float | None], wanted: Wanted
) -> TrustEffect:
    """What `trust` (by source key, None for "not set") would do; nothing is written."""
    snapshot, model, now = vault_open.snapshot, vault_open.model, vault_open.now
    overlay = Overlay(snapshot, model, now, vault_open.scores)
    return measure_effect(vault_open, overlay.scores(trust), trust, wanted, trust)


def measure_effect(
    vault_open: Opened,
    after: Scores,
    sources: Collection[str],
    wanted: Wanted,
    trust: Mapping[str, float | None] | None = None,
) -> TrustEffect:
    """What it does that the memories of some sources have other scores, tried trust or not."""
    snapshot, before = vault_open.snapshot, vault_open.scores
    resolutions = rules.read_resolutions(vault_open.vault)
    index = ConflictIndex(snapshot, resolutions, vault_open.vault.read_memories)
    texts = read_searches(vault_open.vault.companion, vault_open.brain_id)
    searches: tuple[SearchChange, ...] = ()
    if texts:
        find = make_finder(vault_open.searcher, snapshot, vault_open.now)
        searches = tuple(measure_search(text, before, after, find, trust=trust) for text in texts)
    kind, threshold = wanted.kind, wanted.threshold
    return TrustEffect(
        wanted,
        before,
        after,
        count_moves(snapshot, before, after, sources, kind=kind, threshold=threshold),
        find_movers(snapshot, before, after, sources, kind=kind, limit=wanted.top),
        find_distribution(snapshot, before, after, kind=kind),
        index.find_changes(before, after, limit=None),
        measure_reach(snapshot, before, after),
        searches,
    )


# As text.


def write_effect(vault_open: Opened, effect: TrustEffect) -> None:
    """The counts, who moves most each way, conflicts and searches."""
    threshold = f"{effect.wanted.threshold:.2f}"
    write_line(_counts_text(effect.counts.whole, threshold))
    if len(effect.counts.by_source) > 1:
        for key, moves in effect.counts.by_source.items():
            write_line(f"  {clean(key)}: {_counts_text(moves, threshold)}")
    _write_movers(vault_open, effect.movers)
    _write_conflicts(vault_open, effect.conflicts)
    for change in effect.searches:
        write_line(_search_text(vault_open, change))
    write_line(f"Largest effect on the order of a search: {effect.reach.most:.3f} of 1.")


def _counts_text(moves: Moves, threshold: str) -> str:
    noun = "memory" if moves.affected == 1 else "memories"
    parts = [f"{moves.up:,} up", f"{moves.down:,} down"]
    parts.append(f"{moves.crossing_up:,} reach {threshold}")
    parts.append(f"{moves.crossing_down:,} fall below it")
    parts.append(f"{moves.stuck:,} cannot move")
    return f"{moves.affected:,} active {noun}: {', '.join(parts)}."


def _write_movers(vault_open: Opened, movers: Movers) -> None:
    if not movers.rising and not movers.falling:
        write_line(f"No memory changes its place by {movers.kind}.")
        return
    for verb, shown, count in (
        ("rise", movers.up, movers.rising),
        ("fall", movers.down, movers.falling),
    ):
        first = f", the first {len(shown)}" if len(shown) < count else ""
        write_line(f"{count:,} of {movers.total:,} {verb} by {movers.kind}{first}")
        if shown:
            write_table(_MOVER_COLUMNS, [_mover_cells(vault_open, one) for one in shown])


_MOVER_COLUMNS: Final = (
    Column("places", right=True),
    Column("rank", right=True),
    Column("", right=True),
    Column("score", right=True),
    Column("", right=True),
    Column("id", drop=1),
    Column("memory", elastic=True),
    Column("because", elastic=True, drop=3),
)


def _mover_cells(vault_open: Opened, one: Mover) -> tuple[str, ...]:
    memories = vault_open.snapshot.memories
    sign = "+" if one.places > 0 else "\u2212"
    return (
        f"{sign}{abs(one.places):,}",
        f"{one.rank_before:,}",
        f"→ {one.rank_after:,}",
        format_number(one.score_before),
        f"→ {format_number(one.score_after)}",
        vault_open.short_id(memories.ids.text(one.row)),
        memories.labels.text(one.row),
        _REASONS[one.reason],
    )


def _write_conflicts(vault_open: Opened, changes: ConflictChanges) -> None:
    if changes.is_empty:
        write_line("No conflict appears or vanishes.")
        return
    for verb, shown, total in (
        ("appear", changes.appearing, changes.appearing_total),
        ("vanish", changes.vanishing, changes.vanishing_total),
    ):
        if total:
            one = total == 1
            write_line(f"{total:,} conflict{'' if one else 's'} {verb}{'s' if one else ''}")
        for conflict in shown[:_SHOWN_CONFLICTS]:
            write_line(f"  {_conflict_text(vault_open, conflict)}")
        if total > _SHOWN_CONFLICTS:
            write_line("  …")


def _conflict_text(vault_open: Opened, conflict: Conflict) -> str:
    labels = vault_open.snapshot.memories.labels
    sides = (
        f"{labels.text(row)} ({format_number(confidence)})"
        for row, confidence in zip(
            (conflict.a_row, conflict.b_row), conflict.confidence, strict=True
        )
    )
    return clean(" — ".join(sides))


def _search_text(vault_open: Opened, change: SearchChange) -> str:
    labels = vault_open.snapshot.memories.labels
    said = f"Search “{change.text}”: {change.kept} of the first {len(change.before)} stay"
    if change.is_same:
        said += ", in the same order"
    for verb, rows in (("leaves", change.left), ("enters", change.entered)):
        if rows:
            said += f"; {verb}: {', '.join(labels.text(row) for row in rows)}"
    return clean(f"{said}.")


# As JSON.


def effect_json(vault_open: Opened, effect: TrustEffect) -> dict[str, Any]:
    """All of it; scores and shares as numbers, memories by id and label."""
    conflicts, movers = effect.conflicts, effect.movers
    return {
        "score": effect.wanted.kind,
        "threshold": plain(float(effect.wanted.threshold)),
        "counts": _counts_json(effect.counts.whole),
        "counts_by_source": {
            key: _counts_json(moves) for key, moves in effect.counts.by_source.items()
        },
        "movers": {
            "ranked": movers.total,
            "rising": movers.rising,
            "falling": movers.falling,
            "up": [_mover_json(vault_open, one) for one in movers.up],
            "down": [_mover_json(vault_open, one) for one in movers.down],
        },
        "distribution": {
            "before": _distribution_json(effect.distribution.before),
            "after": _distribution_json(effect.distribution.after),
        },
        "conflicts": {
            "threshold": plain(conflicts.threshold),
            "appearing": [_conflict_json(vault_open, one) for one in conflicts.appearing],
            "vanishing": [_conflict_json(vault_open, one) for one in conflicts.vanishing],
        },
        "retrieval": {
            "largest_effect": round3(effect.reach.most),
            "largest_gain": round3(effect.reach.up),
            "largest_loss": round3(effect.reach.down),
            "searches": [_search_json(vault_open, one) for one in effect.searches],
        },
        "scores": _moved_json(vault_open, effect),
    }


def _counts_json(moves: Moves) -> dict[str, int]:
    counts = asdict(moves)
    counts["cannot_move"] = counts.pop("stuck")
    return counts


def _mover_json(vault_open: Opened, one: Mover) -> dict[str, Any]:
    return {
        **_memory_json(vault_open, one.row),
        "rank_before": one.rank_before,
        "rank_after": one.rank_after,
        "places": one.places,
        "score_before": plain(one.score_before),
        "score_after": plain(one.score_after),
        "because": one.reason,
    }


def _distribution_json(counts: ScoreCounts) -> dict[str, Any]:
    spread = counts.spread()
    numbers = {
        name: None if value is None else plain(round3(value))
        for name, value in zip(("mean", "p5", "p50", "p95"), spread, strict=True)
    }
    return {"bins": counts.bins().tolist(), **numbers}


def _conflict_json(vault_open: Opened, conflict: Conflict) -> dict[str, Any]:
    return {
        "conflict_type": conflict.kind,
        "fact_key": conflict.fact_key or None,
        "confidence_pair": [plain(value) for value in conflict.confidence],
        "a": _memory_json(vault_open, conflict.a_row),
        "b": _memory_json(vault_open, conflict.b_row),
        "resolution_status": conflict.resolution.status if conflict.resolution else None,
    }


def _search_json(vault_open: Opened, change: SearchChange) -> dict[str, Any]:
    def memories(rows: Sequence[int]) -> list[dict[str, Any]]:
        return [_memory_json(vault_open, row) for row in rows]

    return {
        "text": change.text,
        "kept": change.kept,
        "same_order": change.is_same,
        "before": memories(change.before),
        "after": memories(change.after),
        "left": memories(change.left),
        "entered": memories(change.entered),
    }


def _moved_json(vault_open: Opened, effect: TrustEffect) -> list[dict[str, Any]]:
    """Every memory of which a score moves, archived ones too."""
    before, after = effect.before, effect.after
    moved = before.confidence != after.confidence
    moved |= before.importance != after.importance
    return [
        {
            **_memory_json(vault_open, row),
            "before": _pair_json(before, row),
            "after": _pair_json(after, row),
        }
        for row in np.flatnonzero(moved).tolist()
    ]


def _pair_json(scores: Scores, row: int) -> dict[str, Any]:
    return {
        "confidence": plain(float(scores.confidence[row])),
        "importance": plain(float(scores.importance[row])),
    }


def _memory_json(vault_open: Opened, row: int) -> dict[str, Any]:
    memories = vault_open.snapshot.memories
    return {"id": memories.ids.text(row), "label": memories.labels.text(row)}

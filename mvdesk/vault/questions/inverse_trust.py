"""Which trust a wanted score takes: for one memory, or for many of several sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvdesk.scoring.inverse import GridAnswer, solve_trust
from mvdesk.scoring.shared_trust import SharedTrust, solve_shared_trust
from mvdesk.scoring.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.scoring.inverse import Direction
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class LowestTrust:
    """The lowest trust of one source for some of its memories, given by row."""

    source_key: str
    rows: tuple[int, ...]
    answer: SharedTrust


def find_trust_for(
    snapshot: Snapshot,
    model: ScoreModel,
    now: float,
    row: int,
    target: float,
    *,
    kind: ScoreKind = "confidence",
    direction: Direction = "raise",
) -> GridAnswer | None:
    """The trust that just puts a memory at a score; None for a memory without a source."""
    subject = Subject(inputs=snapshot.inputs(model).taken([row]), model=model, now=now)
    return solve_trust(subject, kind, target, direction)


def find_lowest_trusts(
    snapshot: Snapshot,
    model: ScoreModel,
    now: float,
    rows: Sequence[int],
    target: float,
    *,
    kind: ScoreKind = "confidence",
) -> tuple[LowestTrust, ...]:
    """For each source of some memories the lowest trust that keeps them at a score or above.

    In the order of the sources' first memories; those without a source are left out.
    """
    by_key: dict[str, list[int]] = {}
    for row in rows:
        if (key := snapshot.source_key_of_row(row)) is not None:
            by_key.setdefault(key, []).append(row)
    inputs = snapshot.inputs(model)
    return tuple(
        LowestTrust(
            key, tuple(own), solve_shared_trust(inputs.taken(own), model, now, kind, target)
        )
        for key, own in by_key.items()
    )

"""A previewed reinforcement as rows and as nodes, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.records import RELATION_WORDS, RELATIONS
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.plots.heat_layout import HeatNode
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from mvdesk.vault.questions.reinforcing import ReinforcingRun

MOST_DRAWN: Final = 60
"""So many memories that move most are drawn, and those on the ways to them."""

TITLES: Final = (
    tr("Memory"),
    tr("Base conf."),
    tr("Base imp."),
    tr("Confidence"),
    tr("Importance"),
    tr("Links"),
    tr("Way"),
)
_CONTRADICTS: Final = "contradicts"
assert _CONTRADICTS in RELATIONS


def describe_reinforcing(run: ReinforcingRun) -> str:
    """How many gain and lose."""
    if not len(run):
        return tr(
            "Nothing would change: these values move no base, or all are at their ends already."
        )
    gains = _gains(run)
    total = gains[0] + gains[1]
    up, down = int((total > 0).sum()), int((total < 0).sum())
    loses = tr(", {down:,} lose through a contradiction or a minus", down=down) if down else ""
    return tr_n("{up:,} gains{loses}.", "{up:,} gain{loses}.", up, up=up, loses=loses)


def reinforcing_rows(run: ReinforcingRun) -> list[PlainRow]:
    """A row for each memory that moves, the largest change first."""
    return [_row(run, place) for place in range(len(run))]


def describe_way(run: ReinforcingRun, place: int) -> str:
    """From the seed to a memory in words."""
    rows, relations = run.ways[place]
    labels = run.snapshot.memories.labels
    if len(rows) == 1:
        return tr("The memory itself.")
    said = labels.text(rows[0])
    for relation, row in zip(relations, rows[1:], strict=True):
        said += f" —{RELATION_WORDS.get(relation, relation)}— {labels.text(row)}"
    return said


def heat_nodes(run: ReinforcingRun, most: int = MOST_DRAWN) -> tuple[list[HeatNode], int]:
    """The seed, the memories that move most and those on their ways; and how many are left out.

    Each comes after the one it came from. One that only passes a signal on gains nothing.
    """
    confidence, importance = _gains(run)
    places = {int(row): place for place, row in enumerate(run.found.moves.rows)}
    table = run.snapshot.memories
    nodes: list[HeatNode] = []
    where: dict[int, int] = {}

    def add(row: int, before: int, relation: str, *, turned: bool) -> None:
        place = places.get(row)
        where[row] = len(nodes)
        nodes.append(
            HeatNode(
                table.ids.text(row),
                table.labels.text(row),
                0.0 if place is None else float(confidence[place]),
                0.0 if place is None else float(importance[place]),
                before,
                relation,
                turned,
            )
        )

    if not len(run):
        return [], 0
    add(run.found.seed, -1, "", turned=False)
    for rows, relations in run.ways[:most]:
        for number, relation in enumerate(relations):
            row = rows[number + 1]
            if row not in where:
                turned = _CONTRADICTS in relations[: number + 1]
                add(row, where[rows[number]], relation, turned=turned)
    return nodes, max(len(run) - most, 0)


def _gains(run: ReinforcingRun) -> tuple[np.ndarray, np.ndarray]:
    moves = run.found.moves
    return (
        np.asarray(moves.confidence_after - moves.confidence_before),
        np.asarray(moves.importance_after - moves.importance_before),
    )


def _row(run: ReinforcingRun, place: int) -> PlainRow:
    moves, row = run.found.moves, int(run.found.moves.rows[place])
    pairs = (
        (moves.confidence_before[place], moves.confidence_after[place]),
        (moves.importance_before[place], moves.importance_after[place]),
        (run.scores.confidence[row], run.after.confidence[row]),
        (run.scores.importance[row], run.after.importance[row]),
    )
    table = run.snapshot.memories
    hops, way = str(run.found.hops[place]), describe_way(run, place)
    texts = (table.labels.text(row), *(_pair(*pair) for pair in pairs), hops, way)
    tones = ("", *(_tone(*pair) for pair in pairs))
    return PlainRow(table.ids.text(row), texts, tones, tip=way)


def _pair(before: float, after: float) -> str:
    old, new = format_number(before, ".3f"), format_number(after, ".3f")
    if old == new:
        return old
    return f"{old} {'↑' if after > before else '↓'} {new}"


def _tone(before: float, after: float) -> str:
    return "" if before == after else "positive" if after > before else "negative"

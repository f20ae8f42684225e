"""What a merge does, in words and rows, and what its dialog shows at first: made in a job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.ui.dialogs.merge import MergeNews, MergeSide
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.moments import format_day
from mvdesk.ui.pair_content import split_sides
from mvdesk.ui.stretches import split_stretches
from mvdesk.ui.widgets.merge_fields import FIELDS
from mvdesk.vault.questions.merging import read_pair_seen
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.records import Link, Memory
    from mvdesk.textdiff import Piece
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.stretches import Stretch
    from mvdesk.vault.questions.merging import LinkFate, MergePreview, PairSeen
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

MOST_ROWS: Final = 200
_FATES: Final = {
    "stays": tr("stays as it is"),
    "moves": tr("now leads {}"),
    "becomes": tr("becomes supersedes"),
    "made": tr("is made, so that the history is known"),
    "itself": tr("goes: it would lead to itself"),
    "same": tr("goes: there is the same one already"),
}


@dataclass(frozen=True, slots=True, eq=False)
class MergeContent:
    """Two memories as the dialog shows them."""

    seen: PairSeen
    sides: tuple[MergeSide, MergeSide]
    stretches: tuple[Stretch, ...]


def find_merge(vault: Vault, a_id: str, b_id: str, _token: CancelToken) -> MergeContent:
    """Read the two and compare their texts. Raises MemoryNotFound."""
    seen = read_pair_seen(vault, a_id, b_id)
    pieces = split_sides(seen.a.content, seen.b.content)
    a, b = (_side(one, pieces[at]) for at, one in enumerate((seen.a, seen.b)))
    return MergeContent(seen, (a, b), split_stretches(seen.a.content, seen.b.content))


def tell_merge(preview: MergePreview, snapshot: Snapshot) -> MergeNews:
    """What the preview comes to."""
    return MergeNews(_said(preview), _link_rows(preview, snapshot), _score_rows(preview, snapshot))


def _side(memory: Memory, pieces: Sequence[Piece]) -> MergeSide:
    facts = [
        tr("made {created_at}", created_at=format_day(memory.created_at)),
        tr("edited {updated_at}", updated_at=format_day(memory.updated_at)),
    ]
    if memory.last_accessed_at:
        facts.append(
            tr("recalled {last_accessed_at}", last_accessed_at=format_day(memory.last_accessed_at))
        )
    values = {name: getattr(memory, name) for name, _ in FIELDS}
    title = " ".join(memory.label.split())[:200]
    return MergeSide(title, "  ·  ".join(facts), values, pieces)


def _said(preview: MergePreview) -> str:
    if preview.scores is None or preview.others is None:
        return tr("What it does to the scores can't be told beforehand.")
    a, b, merged = preview.scores
    said = [
        tr(
            "{name}: A {a:.3f}, B {b:.3f}, merged {merged:.3f}.",
            name=name,
            a=a[at],
            b=b[at],
            merged=merged[at],
        )
        for at, name in enumerate((tr("Confidence"), tr("Importance")))
    ]
    count = len(preview.others)
    others = tr_n("one other memory", "{count:,} other memories", count, count=count)
    said.append(
        tr("The scores of {others} move.", others=others) if count else tr("No other score moves.")
    )
    return " ".join(said)


def _link_rows(preview: MergePreview, snapshot: Snapshot) -> list[PlainRow]:
    letters = {preview.seen.a.id: "A", preview.seen.b.id: "B"}

    def name(memory_id: str) -> str:
        row = snapshot.row_of(memory_id)
        if memory_id in letters:
            return letters[memory_id]
        if row is None:
            return tr("a memory that is gone")
        return " ".join(snapshot.memories.labels.text(row).split())[:120]

    def said(link: Link) -> str:
        return f"{name(link.from_id)} {link.relation_type} {name(link.to_id)}"

    rows = []
    for number, fate in enumerate(preview.links[:MOST_ROWS]):
        link = fate.before or fate.after
        assert link is not None
        told = _FATES[fate.fate].format(_way(fate, letters))
        rows.append(PlainRow(f"{number}", (said(link), told)))
    if len(preview.links) > MOST_ROWS:
        rows.append(
            PlainRow("more", (tr("{links:,} more", links=len(preview.links) - MOST_ROWS), ""))
        )
    return rows


def _way(fate: LinkFate, letters: dict[str, str]) -> str:
    link = fate.after
    if link is None:
        return ""
    if link.from_id in letters:
        return tr("from {letters}", letters=letters[link.from_id])
    return tr("to {letters}", letters=letters.get(link.to_id, ""))


def _score_rows(preview: MergePreview, snapshot: Snapshot) -> list[PlainRow]:
    if preview.scores is None or preview.others is None:
        return []
    at = int(preview.primary_id == preview.seen.b.id)
    old, new = preview.scores[at], preview.scores[2]
    title = tr("The merged one, as compared with ") + "AB"[at]
    rows = [PlainRow("merged", (title, _moved(old[0], new[0]), _moved(old[1], new[1])))]
    others = preview.others
    distance = np.abs(others.confidence_after - others.confidence_before)
    distance += np.abs(others.importance_after - others.importance_before)
    for place in np.argsort(-distance, kind="stable")[:MOST_ROWS].tolist():
        row = int(others.rows[place])
        rows.append(
            PlainRow(
                snapshot.memories.ids.text(row),
                (
                    " ".join(snapshot.memories.labels.text(row).split())[:120],
                    _moved(others.confidence_before[place], others.confidence_after[place]),
                    _moved(others.importance_before[place], others.importance_after[place]),
                ),
            )
        )
    return rows


def _moved(before: float, after: float) -> str:
    return (
        format_number(after, ".3f")
        if before == after
        else f"{format_number(before, '.3f')} → {format_number(after, '.3f')}"
    )

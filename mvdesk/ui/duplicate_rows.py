"""Pairs that may be duplicates as lines of text, off the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.arrays import NO_TIME
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.vault.not_duplicates import Apart
    from mvdesk.vault.questions.duplicates import Duplicate, Duplicates
    from mvdesk.vault.snapshot import Snapshot

_LONGEST: Final = 200
_WHY: Final = {
    "text": tr("same text"),
    "near": tr("nearly the same text"),
    "key": tr("same key"),
    "title": tr("same title and source"),
}


@dataclass(frozen=True, slots=True, eq=False)
class FoundDuplicates:
    """What a search gave, the snapshot it was made in, and the pairs kept apart."""

    snapshot: Snapshot
    duplicates: Duplicates
    apart: Apart


def make_duplicate_rows(
    found: FoundDuplicates,
    snapshot: Snapshot,
    which: str,
    words: Sequence[str],
    _token: CancelToken,
) -> list[PlainRow]:
    """A row for each pair with a reason, "all" for any, and all of the case-folded words.

    `which` "apart" asks for the pairs that were said to be none. Pairs of which one was
    archived or deleted by the time of `snapshot` are left out.
    """
    pairs: list[tuple[str, str, Duplicate | None]] = []
    if which == "apart":
        pairs += [(min(pair), max(pair), None) for pair in sorted(found.apart, key=sorted)]
    else:
        ids = found.snapshot.memories.ids
        pairs += [
            (ids.text(one.a_row), ids.text(one.b_row), one)
            for one in found.duplicates.pairs
            if which in ("all", *one.reasons)
        ]
    made = (
        _row(snapshot, a_id, b_id, one, words)
        for a_id, b_id, one in pairs
        if one is None or frozenset((a_id, b_id)) not in found.apart
    )
    return [row for row in made if row is not None]


def _row(
    snapshot: Snapshot, a_id: str, b_id: str, one: Duplicate | None, words: Sequence[str]
) -> PlainRow | None:
    table = snapshot.memories
    titles, hay = [], ""
    for row in (snapshot.row_of(a_id), snapshot.row_of(b_id)):
        if row is None or table.archived_at[row] != NO_TIME:
            return None
        titles.append(" ".join(table.labels.text(row).split())[:_LONGEST])
        hay += f"{titles[-1]}\n{table.keys.text(row)}\n{table.tags.text(row)}\n"
    if not all(word in hay.casefold() for word in words):
        return None
    if one is None:
        return PlainRow(f"{a_id}\n{b_id}", ("", *titles, tr("said to be no duplicates")))
    told = dict(_WHY)
    if one.copies > 2:
        told["text"] = tr("same text ({copies:,} memories)", copies=one.copies)
    why = ", ".join(told[reason] for reason in one.reasons)
    return PlainRow(f"{a_id}\n{b_id}", (format_number(one.similarity, ".0%"), *titles, why))

"""The links that are the evidence looked at, as the graph names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.records import RELATIONS
from mvdesk.ui.panels.neighbours import UNKNOWN_RELATION

if TYPE_CHECKING:
    from collections.abc import Collection

    from mvdesk.vault.snapshot import Snapshot


def find_evidence(
    snapshot: Snapshot, link_ids: Collection[str], row: int | None
) -> frozenset[tuple[str, str, str]]:
    """Those links of a memory's row, as ids of both ends and relation; none without a row."""
    links, ids = snapshot.links, snapshot.memories.ids
    marked = set()
    for number in () if row is None else snapshot.links_of_row(row):
        if links.ids.text(int(number)) in link_ids:
            start, end = int(links.from_rows[number]), int(links.to_rows[number])
            code = int(links.relations[number])
            relation = RELATIONS[code] if code >= 0 else UNKNOWN_RELATION
            ends = [ids.text(place) if place >= 0 else "" for place in (start, end)]
            marked.add((ends[0], ends[1], relation))
    return frozenset(marked)

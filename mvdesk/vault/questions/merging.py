"""What merging two memories comes to: the plan, every link's fate, the scores that move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from mvdesk.errors import VaultChanged
from mvdesk.records import Link
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.merge import plan_merge
from mvdesk.vault.plan import LINKS
from mvdesk.vault.questions.foresee import Foreseen, NotForeseen, foresee
from mvdesk.vault.tags import join_tags, parse_tags
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from mvdesk.arrays import BoolArray
    from mvdesk.records import Memory
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.plan import Plan, Value
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

Fate = Literal["stays", "moves", "becomes", "made", "itself", "same"]
"""A link is left, leads to the merged one, gets another relation, is made; or goes, since it
would lead to itself or is there already."""


@dataclass(frozen=True, slots=True)
class PairSeen:
    """Two memories and every link of either, as a person sees them."""

    a: Memory
    b: Memory
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class LinkFate:
    """What becomes of one link; `after` is None for one that goes, `before` for one made."""

    fate: Fate
    before: Link | None
    after: Link | None


@dataclass(frozen=True, slots=True, eq=False)
class MergePreview:
    """A merge before it is written.

    `scores` are confidence and importance of A, of B, and of the merged one afterwards, each
    in [0, 1]; None when they can't be told. `others` are the memories besides the two whose
    scores move.
    """

    seen: PairSeen
    plan: Plan
    primary_id: str
    links: tuple[LinkFate, ...]
    scores: tuple[tuple[float, float], ...] | None
    others: Foreseen | None


def read_pair_seen(vault: Vault, a_id: str, b_id: str) -> PairSeen:
    """The two as they are stored. Raises MemoryNotFound."""
    a, b = vault.read_memory(a_id), vault.read_memory(b_id)
    return PairSeen(a, b, tuple(vault.read_links_of(a_id, b_id)))


def usual_fields(seen: PairSeen, primary_id: str) -> dict[str, Value]:
    """What the merged one gets of each field but the text, unless somebody says otherwise.

    The first one's, or the other's where that has none; all tags; the highest bases.
    """
    first, other = (seen.a, seen.b) if primary_id == seen.a.id else (seen.b, seen.a)
    tags = {tag for one in (first, other) for tag in parse_tags(one.tags)}
    return {
        "title": first.title or other.title,
        "type": first.type,
        "key": first.key or other.key,
        "tags": first.tags if tags == set(parse_tags(first.tags)) else join_tags(sorted(tags)),
        "source": first.source or other.source,
        "confidence": min(max(first.confidence, other.confidence, 0.0), 1.0),
        "importance": min(max(first.importance, other.importance, 0.0), 1.0),
    }


def preview_merge(
    vault: Vault,
    snapshot: Snapshot,
    seen: PairSeen,
    primary_id: str,
    fields: Mapping[str, object],
    model: ScoreModel,
    *,
    shown_at: int,
    now: int,
    new_id: Callable[[], str],
    cancelled: Callable[[], bool] = lambda: False,
) -> MergePreview:
    """Merge the two with these fields, to be written `now`; scores are for `shown_at`.

    Raises BadValue for what can't be, ForeseeingCancelled when `cancelled` says so.
    """
    plan = plan_merge(
        [seen.a, seen.b],
        seen.links,
        primary_id=primary_id,
        fields=fields,
        now=now,
        new_id=new_id,
    )
    fates = find_fates(seen, plan)
    rows = snapshot.rows_of([seen.a.id, seen.b.id])
    if (rows < 0).any():  # made by another program a moment ago
        return MergePreview(seen, plan, primary_id, fates, None, None)
    try:
        moved = foresee(vault, snapshot, plan, model, shown_at, cancelled=cancelled)
    except NotForeseen:
        return MergePreview(seen, plan, primary_id, fates, None, None)
    scores = evaluate(snapshot.inputs(model).taken(rows), model, shown_at)
    before = list(zip(scores.confidence.tolist(), scores.importance.tolist(), strict=True))
    at = int(primary_id == seen.b.id)
    place = np.flatnonzero(moved.rows == rows[at])
    after = before[at]
    if len(place):
        after = float(moved.confidence_after[place[0]]), float(moved.importance_after[place[0]])
    others = _without(moved, ~np.isin(moved.rows, rows))
    return MergePreview(seen, plan, primary_id, fates, (*before, after), others)


def plan_as_seen(vault: Vault, preview: MergePreview) -> Plan:
    """The plan of the preview, if both memories and their links still are what was seen.

    Raises MemoryNotFound when one of the two is gone, VaultChanged when something differs.
    """
    seen = preview.seen
    if read_pair_seen(vault, seen.a.id, seen.b.id) != seen:
        raise VaultChanged(
            tr(
                "{short_label}, {short_label_2} or one of their links was changed "
                "elsewhere meanwhile.",
                short_label=seen.a.short_label,
                short_label_2=seen.b.short_label,
            ),
            tr("Nothing was written."),
            tr("Open the merge again to see both as they are now."),
        )
    return preview.plan


def find_fates(seen: PairSeen, plan: Plan) -> tuple[LinkFate, ...]:
    """What the plan does to every link of the two, in their order; those that it makes last."""
    changes = {change.key.id: change for change in plan.changes if change.key.table == LINKS}
    inside = {seen.a.id, seen.b.id}
    fates: list[LinkFate] = []
    for link in seen.links:
        change = changes.pop(link.id, None)
        if change is None:
            fates.append(LinkFate("stays", link, link))
        elif change.after is None:
            own = link.from_id in inside and link.to_id in inside
            fates.append(LinkFate("itself" if own else "same", link, None))
        else:
            written: dict[str, Any] = change.written
            moves = "from_id" in written or "to_id" in written
            after = replace(link, **written)
            fates.append(LinkFate("moves" if moves else "becomes", link, after))
    for change in changes.values():
        row: dict[str, Any] = dict(change.after or {})
        fates.append(LinkFate("made", None, Link(**row)))
    return tuple(fates)


def _without(moved: Foreseen, kept: BoolArray) -> Foreseen:
    return Foreseen(
        moved.rows[kept],
        moved.confidence_before[kept],
        moved.confidence_after[kept],
        moved.importance_before[kept],
        moved.importance_after[kept],
    )

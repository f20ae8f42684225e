"""What is asked of many memories at once, planned and looked ahead at off the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.plans import new_id
from mvdesk.vault.operations.bulk import BulkEdit, plan_bulk_edit, plan_link_all
from mvdesk.vault.operations.forget import plan_archive, plan_delete, plan_restore
from mvdesk.vault.questions.foresee import Foreseen, NotForeseen, foresee
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mvdesk.arrays import FloatArray
    from mvdesk.records import Memory
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

KINDS: Final = ("tags", "type", "source", "bases", "archive", "restore", "delete", "link")
MOST_MOVERS: Final = 200
_AT_ONCE: Final = 2_000
_LABELS: Final = {
    "tags": tr("Tag"),
    "type": tr("Set the type of"),
    "source": tr("Set the source of"),
    "bases": tr("Set the bases of"),
}


@dataclass(frozen=True, slots=True)
class BulkChoice:
    """One of `KINDS` with what it needs: an edit, or the other end and relation of links."""

    kind: str
    edit: BulkEdit = field(default_factory=BulkEdit)
    target_id: str = ""
    relation: str = "related"


@dataclass(frozen=True, slots=True, eq=False)
class BulkPreview:
    """The plan for `selected` memories, and the scores it moves; None when that isn't known.

    `changed` counts the memories that the plan writes; of links it counts the links.
    """

    choice: BulkChoice
    selected: int
    changed: int
    plan: Plan
    foreseen: Foreseen | None


def make_preview(
    vault: Vault,
    snapshot: Snapshot,
    model: ScoreModel,
    shown_at: int,
    now: int,
    ids: Sequence[str],
    choice: BulkChoice,
    token: CancelToken,
) -> BulkPreview:
    """Plan a choice for these memories, to be written `now`; scores are for `shown_at`.

    Raises VaultError, BadValue for what can't be done.
    """
    plan = make_plan(vault, ids, choice, now)
    try:
        foreseen = foresee(vault, snapshot, plan, model, shown_at, cancelled=token.is_cancelled)
    except NotForeseen:
        foreseen = None
    wanted = "memory_links" if choice.kind == "link" else "memories"
    changed = sum(change.key.table == wanted for change in plan.changes)
    return BulkPreview(choice, len(ids), changed, plan, foreseen)


def make_plan(vault: Vault, ids: Sequence[str], choice: BulkChoice, now: int) -> Plan:
    """What a choice does to these memories as they are now."""
    brain_id = vault.brain.id
    if choice.kind == "link":
        return plan_link_all(
            vault.read_links_of(choice.target_id),
            list(_read(vault, ids)),
            vault.read_memory(choice.target_id),
            choice.relation,
            now=now,
            new_id=new_id,
        )
    if choice.kind == "delete":
        links = vault.read_links_of(*ids)
        return plan_delete(list(_read(vault, ids)), links, brain_id=brain_id)
    if choice.kind in ("archive", "restore"):
        make: Callable[..., Plan] = plan_archive if choice.kind == "archive" else plan_restore
        return make(list(_read(vault, ids)), brain_id=brain_id, now=now)
    what = _LABELS[choice.kind]
    return plan_bulk_edit(_read(vault, ids), choice.edit, brain_id=brain_id, now=now, what=what)


def _read(vault: Vault, ids: Sequence[str]) -> Iterator[Memory]:
    """The memories in parts: nobody holds all of their texts at once who doesn't need them."""
    for start in range(0, len(ids), _AT_ONCE):
        yield from vault.read_memories(ids[start : start + _AT_ONCE])


# What the person reads.


def say_counts(preview: BulkPreview) -> str:
    """How many of the selected memories change."""
    kind, selected, changed = preview.choice.kind, preview.selected, preview.changed
    of = (
        tr("{changed:,} of {selected:,} memories", changed=changed, selected=selected)
        if selected > 1
        else tr("The memory")
    )
    if kind == "delete":
        links = len(preview.plan.changes) - changed
        also = (
            tr_n(" and {links:,} link", " and {links:,} links", links, links=links) if links else ""
        )
        return tr(
            "{memories}{also} will be deleted for good. Undo brings them back.",
            memories=_memories(changed),
            also=also,
        )
    if not changed:
        return tr("Nothing would change: it is so already.")
    if kind == "link":
        return tr_n(
            "{changed:,} link is made or changed.",
            "{changed:,} links are made or changed.",
            changed,
            changed=changed,
        )
    rest = selected - changed
    same = (
        tr_n(" {rest:,} is so already.", " {rest:,} are so already.", rest, rest=rest)
        if rest
        else ""
    )
    return f"{of} {tr_n('changes', 'change', selected)}.{same}"


def say_effect(preview: BulkPreview, rows: Sequence[int]) -> str:
    """What becomes of the scores, in one or two sentences; `rows` are the selected ones."""
    seen = preview.foreseen
    if not preview.changed:
        return ""
    if seen is None:
        return tr("What it does to the scores can't be told beforehand.")
    begins = "" if preview.choice.kind in ("delete", "link") else tr("Their age starts anew. ")
    if not len(seen):
        return tr("{begins}No score moves.", begins=begins)
    own = np.isin(seen.rows, np.asarray(rows, dtype=np.intp))
    said = []
    if own.any():
        said.append(f"{begins}{_moves(seen, own)}")
    elif begins:
        said.append(begins.strip())
    if others := int(np.count_nonzero(~own)):
        named = tr_n("another memory", "{others:,} other memories", others, others=others)
        said.append(
            tr(
                "The scores of {named} move{what}.",
                named=named,
                what=tr(", too") if own.any() else "",
            )
        )
    return " ".join(said)


def _moves(seen: Foreseen, own: np.ndarray) -> str:
    parts = []
    for name in ("confidence", "importance"):
        before: FloatArray = getattr(seen, f"{name}_before")[own]
        after: FloatArray = getattr(seen, f"{name}_after")[own]
        up, down = int(np.count_nonzero(after > before)), int(np.count_nonzero(after < before))
        if up or down:
            ways = [
                f"{format_number(n, ',')} {way}"
                for n, way in ((up, tr("up")), (down, tr("down")))
                if n
            ]
            mean = float((after - before)[after != before].mean())
            parts.append(
                tr(
                    "{what}: {names}, {mean} on average.",
                    what=KIND_WORDS[name].capitalize(),
                    names=", ".join(ways),
                    mean=_signed(mean),
                )
            )
    return " ".join(parts)


def mover_rows(preview: BulkPreview, snapshot: Snapshot) -> list[tuple[str, str, str]]:
    """The memories whose scores move most: title, confidence, importance."""
    seen = preview.foreseen
    if seen is None:
        return []
    distance = np.abs(seen.confidence_after - seen.confidence_before)
    distance += np.abs(seen.importance_after - seen.importance_before)
    places = np.argsort(-distance, kind="stable")[:MOST_MOVERS].tolist()
    labels = snapshot.memories.labels
    return [
        (
            labels.text(int(seen.rows[at])),
            _pair(seen.confidence_before[at], seen.confidence_after[at]),
            _pair(seen.importance_before[at], seen.importance_after[at]),
        )
        for at in places
    ]


def _pair(before: float, after: float) -> str:
    return (
        format_number(after, ".3f")
        if before == after
        else f"{format_number(before, '.3f')} → {format_number(after, '.3f')}"
    )


def _signed(number: float) -> str:
    return f"{'−' if number < 0 else '+'}{format_number(abs(number), '.3f')}"


def _memories(count: int) -> str:
    return tr_n("1 memory", "{count:,} memories", count, count=count)

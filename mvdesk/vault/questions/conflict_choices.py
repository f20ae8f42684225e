"""What each decision about two memories would do to both: scores, and the links between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from mvdesk.errors import VaultChanged
from mvdesk.records import RELATION_WORDS
from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.whitespace import trim
from mvdesk.vault.operations.conflicts import find_resolution, plan_resolve
from mvdesk.vault.operations.links import find_links_between
from mvdesk.vault.plan import LINKS, MEMORIES
from mvdesk.vault.questions.foresee import snapshot_after
from mvdesk.vault.rules import read_resolutions
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.arrays import FloatArray
    from mvdesk.records import ConflictResolution, Link, Memory
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

Choice = Literal["keep_a", "keep_b", "both", "review"]
CHOICES: Final[tuple[Choice, ...]] = ("keep_a", "keep_b", "both", "review")
_STATUS: Final = {
    "keep_a": "superseded",
    "keep_b": "superseded",
    "both": "dismissed",
    "review": "needs_review",
}


@dataclass(frozen=True, slots=True)
class PairState:
    """Two memories as a person sees them: their links to one another, what was decided."""

    a: Memory
    b: Memory
    links: tuple[Link, ...]
    stored: ConflictResolution | None


@dataclass(frozen=True, slots=True)
class PairScores:
    """Confidence and importance of A and B, each in [0, 1]."""

    confidence: tuple[float, float]
    importance: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a choice comes to. `links` are sentences: rewritten, made, removed, and what stays."""

    choice: Choice
    plan: Plan
    before: PairScores
    after: PairScores
    links: tuple[str, ...]


def read_pair(vault: Vault, a_id: str, b_id: str) -> PairState:
    """The pair as it is stored. Raises MemoryNotFound."""
    a, b = vault.read_memory(a_id), vault.read_memory(b_id)
    links = find_links_between(vault.read_links_of(a_id), a_id, b_id)
    stored = find_resolution(read_resolutions(vault), a_id, b_id)
    return PairState(a, b, tuple(links), stored)


def still_contradicts(pair: PairState) -> bool:
    """Whether a link or one key with two texts sets the two against each other."""
    if any(link.relation_type == "contradicts" for link in pair.links):
        return True
    a, b = pair.a, pair.b
    key = (trim(a.key) if a.key else "").lower()
    return bool(key) and key == (trim(b.key) if b.key else "").lower()


def plan_choice(
    pair: PairState,
    choice: Choice,
    *,
    note: str | None,
    retire: bool,
    now: int,
    new_id: Callable[[], str],
) -> Plan:
    """The plan of one choice. Without a note the one that is stored stays."""
    canonical = {"keep_a": pair.a.id, "keep_b": pair.b.id}.get(choice)
    stored = pair.stored.note if pair.stored is not None else None
    return plan_resolve(
        pair.a,
        pair.b,
        _STATUS[choice],
        canonical_id=canonical,
        note=stored if note is None else note,
        stored=pair.stored,
        links=pair.links,
        now=now,
        new_id=new_id,
        retire=retire,
    )


def plan_choice_as_seen(
    vault: Vault,
    seen: PairState,
    choice: Choice,
    *,
    note: str | None,
    retire: bool,
    now: int,
    new_id: Callable[[], str],
) -> Plan:
    """The same plan, if the pair still is what the person saw.

    Raises MemoryNotFound when one of the two is gone, VaultChanged when it was decided about
    or linked otherwise meanwhile.
    """
    pair = read_pair(vault, seen.a.id, seen.b.id)
    names = tr(
        "{short_label} and {short_label_2}",
        short_label=seen.a.short_label,
        short_label_2=seen.b.short_label,
    )
    if pair.stored != seen.stored:
        status = pair.stored.status.replace("_", " ") if pair.stored else "open"
        raise VaultChanged(
            tr(
                "The conflict of {names} was decided elsewhere meanwhile: it is {status} now.",
                names=names,
                status=status,
            ),
            tr("Nothing was written."),
            tr("Look at the pair again; what you see is being read anew."),
        )
    if pair.links != seen.links:
        raise VaultChanged(
            tr("The links between {names} were changed elsewhere meanwhile.", names=names),
            tr("Nothing was written."),
            tr("Look at the pair again; what you see is being read anew."),
        )
    return plan_choice(pair, choice, note=note, retire=retire, now=now, new_id=new_id)


def find_outcomes(
    vault: Vault,
    snapshot: Snapshot,
    pair: PairState,
    model: ScoreModel,
    now: int,
    trust: FloatArray,
    *,
    retire: bool,
    new_id: Callable[[], str],
) -> tuple[Outcome, ...]:
    """What every choice comes to. `trust` are those of A and B to score with, NaN for not set.

    Raises KeyError for a memory that the snapshot doesn't have.
    """
    rows = [row for row in map(snapshot.row_of, (pair.a.id, pair.b.id)) if row is not None]
    if len(rows) != 2:
        raise KeyError(pair.a.id)
    before = score_pair(snapshot, rows, model, now, trust)
    made = []
    for choice in CHOICES:
        plan = plan_choice(pair, choice, note=None, retire=retire, now=now, new_id=new_id)
        scored = [change for change in plan.changes if change.key.table in (LINKS, MEMORIES)]
        after = before
        if scored:
            ahead = snapshot_after(vault, snapshot, replace(plan, changes=scored))
            after = score_pair(ahead, rows, model, now, trust)
        made.append(Outcome(choice, plan, before, after, _tell_links(pair, plan)))
    return tuple(made)


def score_pair(
    snapshot: Snapshot, rows: Sequence[int], model: ScoreModel, now: int, trust: FloatArray
) -> PairScores:
    """The scores of two rows under some trust."""
    inputs = snapshot.inputs(model).taken(rows).with_trust(trust)
    scores = evaluate(inputs, model, now)
    confidence, importance = scores.confidence.tolist(), scores.importance.tolist()
    return PairScores((confidence[0], confidence[1]), (importance[0], importance[1]))


def contradiction_costs(
    snapshot: Snapshot, pairs: Sequence[tuple[int, int]], model: ScoreModel, now: int
) -> list[tuple[float, float]]:
    """What one contradicting link takes from the confidence of both of each pair, 0 or less."""
    if not pairs:
        return []
    rows = np.array(pairs, dtype=np.intp).ravel()
    inputs = snapshot.inputs(model).taken(rows)
    without = inputs.link_counts.copy()
    without[:, [0, 2]] -= 1  # links at all, and those that contradict
    freed = evaluate(replace(inputs, link_counts=np.maximum(without, 0)), model, now)
    lost = evaluate(inputs, model, now).confidence - freed.confidence
    return [(float(a), float(b)) for a, b in np.round(lost, 3).reshape(-1, 2)]


def _tell_links(pair: PairState, plan: Plan) -> tuple[str, ...]:
    """What becomes of the links between the two, in sentences."""
    changes = {c.key.id: c for c in plan.changes if c.key.table == LINKS}
    told = []
    for link in pair.links:
        way = _way(pair, link.from_id)
        change = changes.pop(link.id, None)
        if change is None:
            costs = (
                tr(" and still counts against both") if link.relation_type == "contradicts" else ""
            )
            told.append(
                tr(
                    "{way} {relation_type} stays{costs}",
                    way=way,
                    relation_type=_relation(link.relation_type),
                    costs=costs,
                )
            )
        elif change.after is None:
            told.append(
                tr(
                    "{way} {relation_type} is removed",
                    way=way,
                    relation_type=_relation(link.relation_type),
                )
            )
        elif change.after["relation_type"] == link.relation_type:
            told.append(
                tr(
                    "{way} {relation_type} gets another label",
                    way=way,
                    relation_type=_relation(link.relation_type),
                )
            )
        else:
            told.append(
                tr(
                    "{way} {relation_type} becomes {after}",
                    way=way,
                    relation_type=_relation(link.relation_type),
                    after=_relation(change.after["relation_type"]),
                )
            )
    made = [change.after for change in changes.values() if change.after is not None]
    told += [
        tr(
            "{way} {one} is added",
            way=_way(pair, str(one["from_id"])),
            one=_relation(one["relation_type"]),
        )
        for one in made
    ]
    return tuple(told)


def _way(pair: PairState, from_id: str) -> str:
    return tr("A → B") if from_id == pair.a.id else tr("B → A")


def _relation(stored: object) -> str:
    return RELATION_WORDS.get(str(stored), str(stored))

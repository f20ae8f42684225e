"""The review queue and one memory of it, computed off the GUI thread, and said in lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.ui.effect_lines import title_of
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.vault.questions.review import ReviewSettings, find_review_queue
from mvdesk.vault.questions.review_outcomes import find_care_outcomes
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.vault.questions.review import ReviewQueue
    from mvdesk.vault.questions.review_outcomes import CareOutcome, Standing
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

MOST_LISTED: Final = 200
SETTINGS: Final = ReviewSettings(limit=None)
_NAMES: Final = {
    "true": ("Y", tr("Still true"), tr("its age starts again; nothing else changes")),
    "reinforce": ("R", tr("Reinforce"), tr("raises its bases, and some of those it is linked to")),
    "archive": ("A", tr("Archive"), tr("out of the lists; restoring brings it back")),
}
_OTHERS: Final = (
    PlainRow(
        "edit", ("E", tr("Edit"), "", "", "", tr("opens it in the editor; saving counts as done"))
    ),
    PlainRow(
        "contradict", ("C", tr("Contradict"), "", "", "", tr("links it to what speaks against it"))
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class Queue:
    """The most urgent memories but those done today, by place in `found`; and all of them."""

    snapshot: Snapshot
    found: ReviewQueue
    places: tuple[int, ...]
    total: int


def find_queue(
    snapshot: Snapshot, done: Collection[str], now: int, _token: CancelToken | None = None
) -> Queue:
    """The queue of this moment."""
    found = find_review_queue(snapshot, SETTINGS, now=now)
    done_rows = {snapshot.row_of(one) for one in done}
    places: list[int] = []
    left = 0
    for place, row in enumerate(found.rows.tolist()):
        if row in done_rows:
            continue
        left += 1
        if len(places) < MOST_LISTED:
            places.append(place)
    return Queue(snapshot, found, tuple(places), left)


@dataclass(frozen=True, slots=True)
class CareQuestion:
    """One memory as a job gets it."""

    vault: Vault
    snapshot: Snapshot
    model: ScoreModel
    now: int
    memory_id: str
    trust: float


def find_cares(question: CareQuestion, _token: CancelToken) -> tuple[str, tuple[CareOutcome, ...]]:
    """The memory, and what each way of looking after it comes to. Raises VaultError."""
    one = question
    found = find_care_outcomes(
        one.vault, one.snapshot, one.memory_id, one.model, one.now, one.trust, SETTINGS
    )
    return one.memory_id, found


def queue_rows(queue: Queue) -> list[PlainRow]:
    """A row for each memory, the most urgent first."""
    found, snapshot = queue.found, queue.snapshot
    links = snapshot.link_counts
    rows = []
    for place in queue.places:
        row = int(found.rows[place])
        texts = (
            format_number(found.urgency[place], ".3f"),
            title_of(snapshot, row),
            snapshot.memories.type_names[int(snapshot.memories.type_codes[row])],
            tr("{days:,} d", days=max(0, int(found.idle_days[place]))),
            format_number(int(links[row, 0]), ","),
        )
        rows.append(PlainRow(snapshot.memories.ids.text(row), texts))
    return rows


def urgency_parts(queue: Queue, memory_id: str) -> tuple[list[tuple[str, float]], float] | None:
    """The four parts of a memory's urgency and their sum; None when it isn't in the queue."""
    found, snapshot = queue.found, queue.snapshot
    row = snapshot.row_of(memory_id)
    place = next((one for one in queue.places if int(found.rows[one]) == row), None)
    if place is None or row is None:
        return None
    table = snapshot.memories
    idle, links = max(0, int(found.idle_days[place])), int(snapshot.link_counts[row, 0])
    parts = [
        (
            tr("Importance {base_importance:.2f}", base_importance=table.base_importance[row]),
            float(found.importance_signal[place]),
        ),
        (
            tr("Confidence {base_confidence:.2f}", base_confidence=table.base_confidence[row]),
            float(found.confidence_gap[place]),
        ),
        (tr("Idle {idle:,} d", idle=idle), float(found.staleness_signal[place])),
        (
            tr_n("1 link", "{links:,} links", links, links=links),
            float(found.isolation_signal[place]),
        ),
    ]
    return parts, float(found.urgency[place])


def care_rows(outcomes: Sequence[CareOutcome]) -> list[PlainRow]:
    """Every way of looking after it with what that does; none is known without outcomes."""
    rows = {}
    for one in outcomes:
        key, name, says = _NAMES[one.care]
        if one.others:
            says = f"{says} ({format_number(one.others, ',')})"
        if one.plan.is_empty:
            says = tr("nothing would change")
        before, after = one.before, one.after
        texts = (
            key,
            name,
            _moved(before.confidence, after.confidence),
            _moved(before.importance, after.importance),
            _urgency(before, after),
            says,
        )
        rows[one.care] = PlainRow(one.care, texts, tip=says)
    if not rows:
        return []
    return [rows["true"], _OTHERS[0], rows["reinforce"], rows["archive"], _OTHERS[1]]


def _moved(before: float, after: float) -> str:
    if f"{before:.3f}" == f"{after:.3f}":
        return tr("{before:.3f}, same", before=before)
    return f"{format_number(before, '.3f')} → {format_number(after, '.3f')}"


def _urgency(before: Standing, after: Standing) -> str:
    was = "–" if before.urgency is None else format_number(before.urgency, ".3f")
    becomes = tr("leaves") if after.urgency is None else format_number(after.urgency, ".3f")
    return tr("{was}, same", was=was) if was == becomes else f"{was} → {becomes}"

"""Which of the pairs in conflict somebody wants to see: by what they are, and by words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mvdesk.ui.conflict_lines import Sentences, pairs_of
from mvdesk.ui.conflict_watch import MOST_LISTED
from mvdesk.vault.questions.conflict_choices import contradiction_costs
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.conflict_watch import Inbox
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.vault.questions.conflict_changes import DecidedPair
    from mvdesk.vault.questions.conflicts import Conflict
    from mvdesk.vault.snapshot import Snapshot

    Listed = Conflict | DecidedPair

EVERY: Final = "every"
_REASONS: Final = ((EVERY, tr("Any reason")), ("linked", tr("Linked")), ("key", tr("Same key")))
KINDS: Final = {
    "open": (*_REASONS, ("needs_review", tr("Needs review"))),
    "below": _REASONS,
    "decided": (
        (EVERY, tr("Any decision")),
        ("superseded", tr("One kept")),
        ("dismissed", tr("Both true")),
        ("needs_review", tr("Needs review")),
        ("resolved", tr("Resolved")),
        ("noted", tr("With a note")),
    ),
}
"""By state of the list: what pairs can be narrowed to, as (kind, caption)."""
MOST_LOOKED_AT: Final = 5_000
"""Of more pairs the strongest so many are looked through."""
_CANCEL_EVERY: Final = 256


@dataclass(frozen=True, slots=True)
class PairFilter:
    """A kind of `KINDS`, and words that the pair or its note holds."""

    state: str
    kind: str = EVERY
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """An inbox whose list of one state holds what fits; how many fit, of how many."""

    source: Inbox
    inbox: Inbox
    wanted: PairFilter
    total: int
    looked_at: int
    all_total: int


def find_matching(
    inbox: Inbox, wanted: PairFilter, model: ScoreModel, now: int, token: CancelToken
) -> Matching:
    """The pairs of a state that fit, in their order."""
    pairs, all_total = _every(inbox, wanted.state)
    words = wanted.text.casefold().split()
    fitting: list[Listed] = []
    for place, one in enumerate(pairs):
        if place % _CANCEL_EVERY == 0 and token.is_cancelled():
            break
        if _is_kind(one, wanted.kind) and _has_words(inbox.snapshot, one, words):
            fitting.append(one)
    listed = tuple(fitting[:MOST_LISTED])
    linked = [one for one in listed if one.link_row >= 0]
    costs = contradiction_costs(
        inbox.snapshot, [(one.a_row, one.b_row) for one in linked], model, now
    )
    by_link = {one.link_row: cost for one, cost in zip(linked, costs, strict=True)}
    shown = replace(inbox, costs=by_link, **{wanted.state: listed})  # type: ignore[arg-type]
    return Matching(inbox, shown, wanted, len(fitting), len(pairs), all_total)


def say_matching(found: Matching) -> Sentences:
    """How much fits, and of how much."""
    fit = tr_n("1 pair fits", "{total:,} pairs fit", found.total, total=found.total)
    said = tr("{fit} of {looked_at:,}.", fit=fit, looked_at=found.looked_at)
    if found.looked_at < found.all_total:
        said = tr(
            "{fit} of the strongest {looked_at:,} among {all_total:,}.",
            fit=fit,
            looked_at=found.looked_at,
            all_total=found.all_total,
        )
    if found.total > MOST_LISTED:
        said += tr(" The first {most_listed:,} are listed.", most_listed=MOST_LISTED)
    return Sentences(said, tr("No pair fits what is asked for."), "every")


def _every(inbox: Inbox, state: str) -> tuple[Sequence[Listed], int]:
    """The pairs of a state as far as they are looked through, and how many there are."""
    pairs = pairs_of(inbox, state)
    if state == "decided":
        return pairs, len(pairs)
    total = inbox.open_total if state == "open" else inbox.below_total
    if len(pairs) == total:
        return pairs, total
    find = inbox.index.find_open if state == "open" else inbox.index.find_below
    return find(inbox.scores.confidence, threshold=inbox.threshold, limit=MOST_LOOKED_AT)


def _is_kind(one: Listed, kind: str) -> bool:
    ruling = one.resolution
    if kind == EVERY:
        return True
    if kind == "linked":
        return one.link_row >= 0
    if kind == "key":
        return bool(one.fact_key)
    if kind == "noted":
        return ruling is not None and bool(ruling.note)
    return ruling is not None and ruling.status == kind


def _has_words(snapshot: Snapshot, one: Listed, words: Sequence[str]) -> bool:
    """Whether every word is somewhere in titles, keys, tags and sources of both, or the note."""
    if not words:
        return True
    table = snapshot.memories
    hay = [(one.resolution.note or "") if one.resolution is not None else ""]
    for row in (one.a_row, one.b_row):
        hay += [table.labels.text(row), table.keys.text(row), table.tags.text(row)]
        hay.append(snapshot.source_key_of_row(row) or "")
    text = "\n".join(hay).casefold()
    return all(word in text for word in words)

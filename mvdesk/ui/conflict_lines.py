"""Pairs in conflict as lines of text: what they are, since when, what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.arrays import NO_TIME
from mvdesk.records import STATUS_WORDS
from mvdesk.ui.effect_lines import title_of
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.widgets.score_bar import format_score
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.conflict_watch import Inbox
    from mvdesk.vault.questions.conflict_changes import DecidedPair
    from mvdesk.vault.questions.conflict_choices import Outcome, PairScores
    from mvdesk.vault.questions.conflicts import Conflict

_DAY: Final = 86_400
STATES: Final = (
    ("open", tr("Open")),
    ("below", tr("Below the threshold")),
    ("decided", tr("Decided")),
)
CHOICE_NAMES: Final = {
    "keep_a": ("1", tr("Keep A")),
    "keep_b": ("2", tr("Keep B")),
    "both": ("3", tr("Both true")),
    "review": ("4", tr("Needs review")),
}

_SAID: Final = {"dismissed": tr("Both true"), "needs_review": tr("Needs review")}
_GONE: Final = tr("The two contradict each other no more")


@dataclass(frozen=True, slots=True)
class Sentences:
    """What the list says of itself, and of itself when it is empty."""

    rule: str
    empty: str
    action: str
    """The state that the button of the empty list shows, "" for no button."""


def pair_key_of(inbox: Inbox, one: Conflict | DecidedPair) -> str:
    """Both ids; the first is A."""
    ids = inbox.snapshot.memories.ids
    return f"{ids.text(one.a_row)}\n{ids.text(one.b_row)}"


def pairs_of(inbox: Inbox, state: str) -> Sequence[Conflict | DecidedPair]:
    """The pairs of one state."""
    if state == "decided":
        return inbox.decided
    return inbox.open if state == "open" else inbox.below


def conflict_rows(inbox: Inbox, state: str, now: int) -> list[PlainRow]:
    """A row for each pair of one state."""
    return [_row(inbox, one, now) for one in pairs_of(inbox, state)]


def say_state(inbox: Inbox, state: str) -> Sentences:
    """The rule behind the list, and what is elsewhere."""
    least = format_number(inbox.threshold, ".2f")
    rule = tr("Facts only, both at {least} or above", least=least)
    below = tr("{pairs} below", pairs=_pairs(inbox.below_total))
    decided = tr("{decided:,} decided", decided=len(inbox.decided))
    if state == "open":
        counted = tr_n(
            "1 conflict", "{open_total:,} conflicts", inbox.open_total, open_total=inbox.open_total
        )
        said = f"{counted}. {rule}; {below}, {decided}.{_cut(inbox.open, inbox.open_total)}"
        empty = tr("No conflicts: only facts at {least} or above are compared.", least=least)
        if inbox.below_total:
            return Sentences(said, f"{empty} {below[0].upper()}{below[1:]}.", "below")
        return Sentences(said, tr("{empty} No pair is below either.", empty=empty), "")
    if state == "below":
        cut = _cut(inbox.below, inbox.below_total)
        said = tr(
            "{below} {least}: at least one of the two is less sure than that.{cut}",
            below=below,
            least=least,
            cut=cut,
        )
        said = said[0].upper() + said[1:]
        return Sentences(said, tr("No pair is below {least}.", least=least), "")
    said = tr(
        "{upper}{decided}, the last decision first. Another choice replaces it",
        upper=decided[0].upper(),
        decided=decided[1:],
    )
    said = tr("{said}; 4 reopens a pair that still contradicts.", said=said)
    return Sentences(said, tr("Nothing was decided yet."), "")


def choice_rows(
    outcomes: Sequence[Outcome], *, decided: bool, contradicts: bool = True
) -> list[PlainRow]:
    """Every choice with what both scores of both become, and the links between the two.

    `contradicts` says whether the two still do; else reopening lists them nowhere.
    """
    rows = []
    for one in outcomes:
        key, name = CHOICE_NAMES[one.choice]
        if decided and one.choice == "review":
            name = tr("Reopen")
        links = "; ".join(one.links) or tr("no link between the two")
        effects = _effects(one.before, one.after)
        if decided and one.choice == "review" and not contradicts:
            links = tr("{gone}: not listed as open again; {links}", gone=_GONE, links=links)
        if one.plan.is_empty:
            links = tr("as it is decided now; nothing would change")
        rows.append(PlainRow(one.choice, (key, name, *effects, links), tip=links))
    return rows


def describe_choice(outcome: Outcome) -> str:
    """One choice in full, for the line below the choices."""
    before, after = outcome.before, outcome.after
    said = [
        tr(
            "{name}: confidence {moved}, importance {moved_2}",
            name=name,
            moved=_moved(before.confidence[at], after.confidence[at]),
            moved_2=_moved(before.importance[at], after.importance[at]),
        )
        for at, name in enumerate("AB")
    ]
    links = "; ".join(outcome.links)
    told = tr("Links: {links}.", links=links) if links else tr("No link joins the two.")
    return f"{'. '.join(said)}. {told}"


def _effects(before: PairScores, after: PairScores) -> list[str]:
    told = [_moved(before.confidence[at], after.confidence[at]) for at in (0, 1)]
    return told + [_moved(before.importance[at], after.importance[at]) for at in (0, 1)]


def _moved(before: float, after: float) -> str:
    if round(before, 3) == round(after, 3):
        return tr("{before}, same", before=format_score(before))
    return f"{format_score(before)} → {format_score(after)}"


def _row(inbox: Inbox, one: Conflict | DecidedPair, now: int) -> PlainRow:
    snapshot = inbox.snapshot
    a, b = one.confidence
    kind, tip = _say_why(inbox, one)
    cost = inbox.costs.get(one.link_row)
    costs = "" if cost is None else f"{_signed(cost[0])} / {_signed(cost[1])}"
    texts = (
        kind,
        title_of(snapshot, one.a_row),
        format_score(a),
        title_of(snapshot, one.b_row),
        format_score(b),
        _age(inbox, one, now),
        costs,
    )
    return PlainRow(pair_key_of(inbox, one), texts, tip=tip)


def _say_why(inbox: Inbox, one: Conflict | DecidedPair) -> tuple[str, str]:
    """Why a pair is listed, in few words, and whole sentences about it."""
    kind = tr("Linked") if one.link_row >= 0 else tr("Same key") if one.fact_key else ""
    tips = [tr("Both have the key {fact_key}.", fact_key=one.fact_key)] if one.fact_key else []
    ruling = one.resolution
    if ruling is None or (ruling.status == "needs_review" and kind):
        low = [
            name for name, score in zip("AB", one.confidence, strict=True) if _is_low(inbox, score)
        ]
        if low:
            kind += tr(", both below") if len(low) == 2 else tr(", {low} below", low=low[0])
            scores = tr(" and ").join(
                tr(
                    "{name} at {confidence}",
                    name=name,
                    confidence=format_score(one.confidence["AB".index(name)]),
                )
                for name in low
            )
            tips.append(
                tr(
                    "Not counted while below {threshold:.2f}: {scores}.",
                    threshold=inbox.threshold,
                    scores=scores,
                )
            )
    if ruling is not None:
        ids = inbox.snapshot.memories.ids
        kept = {ids.text(one.a_row): tr("A kept"), ids.text(one.b_row): tr("B kept")}
        status = STATUS_WORDS.get(ruling.status, ruling.status.replace("_", " ")).capitalize()
        decided = kept.get(ruling.canonical_id or "") or _SAID.get(ruling.status, status)
        tips.insert(
            0,
            f"{status}: {ruling.note}"
            if ruling.note
            else tr("{status}, without a note.", status=status),
        )
        if not kind:
            tips.append(f"{_GONE}.")
        kind = f"{decided}, {kind[0].lower()}{kind[1:]}" if kind else decided
    return kind, "\n".join(tips)


def _is_low(inbox: Inbox, score: float) -> bool:
    return round(score, 3) < inbox.threshold


def _age(inbox: Inbox, one: Conflict | DecidedPair, now: int) -> str:
    """How long the two contradict each other: since the link, or since both are there."""
    snapshot = inbox.snapshot
    if one.link_row >= 0:
        since = int(snapshot.links.created_at[one.link_row])
    else:
        created = snapshot.memories.created_at
        since = max(int(created[one.a_row]), int(created[one.b_row]))
    if since == NO_TIME:
        return "–"
    days = max(0, (now - since) // _DAY)
    return tr("today") if not days else tr("{days:,} d", days=days)


def _signed(value: float) -> str:
    if not value:
        return "0"
    return f"{'+' if value > 0 else chr(8722)}{format_number(abs(value), '.3f')}"


def _pairs(count: int) -> str:
    return (
        tr_n("1 pair is", "{count:,} pairs are", count, count=count) if count else tr("no pair is")
    )


def _cut(shown: Sequence[object], total: int) -> str:
    return (
        tr(" The strongest {shown:,} are listed.", shown=len(shown)) if len(shown) < total else ""
    )

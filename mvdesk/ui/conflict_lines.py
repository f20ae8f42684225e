"""Pairs in conflict as lines of text: what they are, since when, what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.arrays import NO_TIME
from mvdesk.ui.effect_lines import title_of
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.widgets.score_bar import format_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.conflict_watch import Inbox
    from mvdesk.vault.questions.conflict_changes import DecidedPair
    from mvdesk.vault.questions.conflict_choices import Outcome, PairScores
    from mvdesk.vault.questions.conflicts import Conflict

_DAY: Final = 86_400
STATES: Final = (("open", "Open"), ("below", "Below the threshold"), ("decided", "Decided"))
CHOICE_NAMES: Final = {
    "keep_a": ("1", "Keep A"),
    "keep_b": ("2", "Keep B"),
    "both": ("3", "Both true"),
    "review": ("4", "Needs review"),
}

_SAID: Final = {"dismissed": "Both true", "needs_review": "Needs review"}
_GONE: Final = "The two contradict each other no more"


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
    least = f"{inbox.threshold:.2f}"
    rule = f"Facts only, both at {least} or above"
    below = f"{_pairs(inbox.below_total)} below"
    decided = f"{len(inbox.decided):,} decided"
    if state == "open":
        counted = "1 conflict" if inbox.open_total == 1 else f"{inbox.open_total:,} conflicts"
        said = f"{counted}. {rule}; {below}, {decided}.{_cut(inbox.open, inbox.open_total)}"
        empty = f"No conflicts: only facts at {least} or above are compared."
        if inbox.below_total:
            return Sentences(said, f"{empty} {below[0].upper()}{below[1:]}.", "below")
        return Sentences(said, f"{empty} No pair is below either.", "")
    if state == "below":
        cut = _cut(inbox.below, inbox.below_total)
        said = f"{below} {least}: at least one of the two is less sure than that.{cut}"
        said = said[0].upper() + said[1:]
        return Sentences(said, f"No pair is below {least}.", "")
    said = f"{decided[0].upper()}{decided[1:]}, the last decision first. Another choice replaces it"
    said = f"{said}; 4 reopens a pair that still contradicts."
    return Sentences(said, "Nothing was decided yet.", "")


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
            name = "Reopen"
        links = "; ".join(one.links) or "no link between the two"
        effects = _effects(one.before, one.after)
        if decided and one.choice == "review" and not contradicts:
            links = f"{_GONE}: not listed as open again; {links}"
        if one.plan.is_empty:
            links = "as it is decided now; nothing would change"
        rows.append(PlainRow(one.choice, (key, name, *effects, links), tip=links))
    return rows


def describe_choice(outcome: Outcome) -> str:
    """One choice in full, for the line below the choices."""
    before, after = outcome.before, outcome.after
    said = [
        f"{name}: confidence {_moved(before.confidence[at], after.confidence[at])}, "
        f"importance {_moved(before.importance[at], after.importance[at])}"
        for at, name in enumerate("AB")
    ]
    links = "; ".join(outcome.links)
    return f"{'. '.join(said)}. {f'Links: {links}.' if links else 'No link joins the two.'}"


def _effects(before: PairScores, after: PairScores) -> list[str]:
    told = [_moved(before.confidence[at], after.confidence[at]) for at in (0, 1)]
    return told + [_moved(before.importance[at], after.importance[at]) for at in (0, 1)]


def _moved(before: float, after: float) -> str:
    if round(before, 3) == round(after, 3):
        return f"{format_score(before)}, same"
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
    kind = "Linked" if one.link_row >= 0 else "Same key" if one.fact_key else ""
    tips = [f"Both have the key {one.fact_key}."] if one.fact_key else []
    ruling = one.resolution
    if ruling is None or (ruling.status == "needs_review" and kind):
        low = [
            name for name, score in zip("AB", one.confidence, strict=True) if _is_low(inbox, score)
        ]
        if low:
            kind += ", both below" if len(low) == 2 else f", {low[0]} below"
            scores = " and ".join(
                f"{name} at {format_score(one.confidence['AB'.index(name)])}" for name in low
            )
            tips.append(f"Not counted while below {inbox.threshold:.2f}: {scores}.")
    if ruling is not None:
        ids = inbox.snapshot.memories.ids
        kept = {ids.text(one.a_row): "A kept", ids.text(one.b_row): "B kept"}
        status = ruling.status.replace("_", " ").capitalize()
        decided = kept.get(ruling.canonical_id or "") or _SAID.get(ruling.status, status)
        tips.insert(0, f"{status}: {ruling.note}" if ruling.note else f"{status}, without a note.")
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
    return "today" if not days else f"{days:,} d"


def _signed(value: float) -> str:
    if not value:
        return "0"
    return f"{'+' if value > 0 else chr(0x2212)}{abs(value):.3f}"


def _pairs(count: int) -> str:
    return "1 pair is" if count == 1 else f"{count:,} pairs are" if count else "no pair is"


def _cut(shown: Sequence[object], total: int) -> str:
    return f" The strongest {len(shown):,} are listed." if len(shown) < total else ""

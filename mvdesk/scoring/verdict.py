"""One sentence or three that say how a score stands and what moved it most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.rounding import round3, thousandths

if TYPE_CHECKING:
    from mvdesk.scoring.explain import Component, ScoreExplanation

NAMED_CAUSES: Final = 3
HIGH_SHARE: Final = 0.25
"""With less than this share above it, a score is high and its positives are named."""

_LEAST: Final = 0.0005
_PLURALS: Final = {"note": "notes", "fact": "facts", "journal": "journals"}


@dataclass(frozen=True, slots=True)
class Rank:
    """How a score stands among the memories of the same type.

    `lower_than` is the share, 0 to 1, of those that score higher; `count` how many memories
    of the type there are, the ranked one included.
    """

    lower_than: float
    type_name: str
    count: int


def format_verdict(score: ScoreExplanation, rank: Rank | None) -> str:
    """The verdict on a score, in plain text; `rank` is None where nothing is compared."""
    high = rank is not None and rank.lower_than < HIGH_SHARE
    parts = [_standing(score, rank), _causes(score, high=high), _clamp(score)]
    return " ".join(part for part in parts if part)


def format_difference(pinned: ScoreExplanation, shown: ScoreExplanation) -> str:
    """How a score differs from that of a pinned memory under the same model, and why most."""
    head = f"{shown.kind.capitalize()} {shown.unrounded:.2f}"
    apart = thousandths(shown.final) - thousandths(pinned.final)
    if apart:
        side = "lower" if apart < 0 else "higher"
        head += f", {abs(apart) / 1000:.3f} {side} than the pinned memory"
    else:
        head += ", the same as the pinned memory"
    before = {part.name: part.delta for part in pinned.components}
    moved = [("Base", shown.base - pinned.base)]
    moved += [(part.label, part.delta - before[part.name]) for part in shown.components]
    named = sorted((one for one in moved if abs(one[1]) >= _LEAST), key=lambda one: -abs(one[1]))
    if not named:
        return f"{head} ({pinned.unrounded:.2f})."
    causes = " · ".join(
        f"{label} ({format_delta(round3(delta))})" for label, delta in named[:NAMED_CAUSES]
    )
    return f"{head} ({pinned.unrounded:.2f}). It differs most in: {causes}."


def format_delta(delta: float) -> str:
    """A change with its sign and three decimals, "−0.180"; `delta` is rounded already."""
    sign = "\u2212" if delta < 0 else "+"
    return f"{sign}{abs(delta):.3f}"


def _standing(score: ScoreExplanation, rank: Rank | None) -> str:
    head = f"{score.kind.capitalize()} {score.unrounded:.2f}"
    if rank is None:
        return f"{head}."
    group = _PLURALS.get(rank.type_name, f"memories of type {rank.type_name}")
    if rank.count <= 1:
        return f"{head}, with no other {group} to compare."
    if rank.lower_than == 0.0:
        return f"{head}, none of your {group} scores higher."
    percent = int(rank.lower_than * 100 + 1e-9)
    share = f"{percent} %" if percent else "less than 1 %"
    if rank.lower_than < 0.5:
        return f"{head}, {share} of your {group} score higher."
    return f"{head}, lower than {share} of your {group}."


def _causes(score: ScoreExplanation, *, high: bool) -> str:
    sign = 1 if high else -1
    moved = [c for c in score.components if c.rounded * sign > 0]
    moved.sort(key=lambda c: -abs(c.delta))  # stable: equals stay in table order
    if not moved:
        return "Nothing lifts it." if high else "Nothing pulls it down."
    named = " · ".join(_cause(component) for component in moved[:NAMED_CAUSES])
    return f"{'Lifted' if high else 'Pulled down'} most by: {named}."


def _cause(component: Component) -> str:
    return f"{component.cause} ({format_delta(component.rounded)})"


def _clamp(score: ScoreExplanation) -> str:
    if score.clamp == 0.0:
        return ""
    if score.clamp < 0.0:
        return f"It would be {score.raw:.2f}; capped at 1."
    return f"It would be \u2212{abs(score.raw):.2f}; held at 0."

"""One sentence or three that say how a score stands and what moved it most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.scoring.rounding import round3, thousandths
from mvdesk.scoring.saying import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.scoring.explain import Component, ScoreExplanation
    from mvdesk.scoring.inputs import FloatArray

NAMED_CAUSES: Final = 3
HIGH_SHARE: Final = 0.25
"""With less than this share above it, a score is high and what lifts it is named."""

WORTH_NAMING: Final = 0.005
"""A smaller change is no cause of anything."""

LOW_START: Final = 0.05
"""A base this far below the median of its type is worth a word."""

_LEAST: Final = 0.0005
_PLURALS: Final = {"note": tr("notes"), "fact": tr("facts"), "journal": tr("journals")}


@dataclass(frozen=True, slots=True)
class Rank:
    """How a score stands among the memories of the same type.

    `higher` and `lower` are how many of the others score higher and lower; `count` is how many
    memories of the type there are, the ranked one included. `usual_base` is the median of what
    is stored for this score in the type, None when that isn't known.
    """

    higher: int
    lower: int
    type_name: str
    count: int
    usual_base: float | None = None

    @property
    def lower_than(self) -> float:
        """The share of the others that score higher, 0 to 1."""
        return self.higher / max(self.count - 1, 1)

    @property
    def higher_than(self) -> float:
        """The share of the others that score lower, 0 to 1."""
        return self.lower / max(self.count - 1, 1)


def median_base(bases: FloatArray) -> float | None:
    """The median of stored bases as they count, between 0 and 1; None of none."""
    return float(np.median(np.clip(bases, 0.0, 1.0))) if bases.size else None


def format_verdict(score: ScoreExplanation, rank: Rank | None) -> str:
    """The verdict on a score, in plain text; `rank` is None where nothing is compared."""
    high = rank is not None and rank.lower_than < HIGH_SHARE
    parts = [_standing(score, rank), _start(score, rank), _causes(score, high=high), _clamp(score)]
    return " ".join(part for part in parts if part)


def format_difference(pinned: ScoreExplanation, shown: ScoreExplanation) -> str:
    """How a score differs from that of a pinned memory under the same model, and why most."""
    head = f"{KIND_WORDS[shown.kind].capitalize()} {_figure(shown.unrounded)}"
    before_it = f"({_figure(pinned.unrounded)})"
    apart = thousandths(shown.final) - thousandths(pinned.final)
    if apart:
        by = abs(apart) / 1000
        head += (
            tr(", {by:.3f} lower than the pinned memory", by=by)
            if apart < 0
            else tr(", {by:.3f} higher than the pinned memory", by=by)
        )
    else:
        head += tr(", the same as the pinned memory")
    before = {part.name: part.delta for part in pinned.components}
    moved = [(tr("Base"), shown.base - pinned.base)]
    moved += [(part.label, part.delta - before[part.name]) for part in shown.components]
    named = sorted((one for one in moved if abs(one[1]) >= _LEAST), key=lambda one: -abs(one[1]))
    if not named:
        return f"{head} {before_it}."
    causes = " · ".join(
        f"{label} ({format_delta(round3(delta))})" for label, delta in named[:NAMED_CAUSES]
    )
    return tr(
        "{head} {before_it}. It differs most in: {causes}.",
        head=head,
        before_it=before_it,
        causes=causes,
    )


def format_delta(delta: float) -> str:
    """A change with its sign and three decimals, "−0.180"; `delta` is rounded already."""
    sign = "\u2212" if delta < 0 else "+"
    return f"{sign}{format_number(abs(delta), '.3f')}"


def _standing(score: ScoreExplanation, rank: Rank | None) -> str:
    head = f"{KIND_WORDS[score.kind].capitalize()} {_figure(score.unrounded)}"
    return f"{head}." if rank is None else f"{head}, {_compare(rank)}."


def _figure(value: float) -> str:
    """Two decimals, or three where two would say 0 or 1 of what is not."""
    is_short = f"{abs(value):.2f}" not in ("0.00", "1.00") or value in (0.0, 1.0)
    text = format_number(abs(value), ".2f" if is_short else ".3f")
    return f"\u2212{text}" if value < 0 else text


def _start(score: ScoreExplanation, rank: Rank | None) -> str:
    """That a score below the median starts low, where that is as large a cause as those named."""
    if rank is None or rank.usual_base is None or rank.higher <= rank.lower:
        return ""
    lowering = _moving(score, -1)[:NAMED_CAUSES]
    least = -lowering[-1].rounded if len(lowering) == NAMED_CAUSES else 0.0
    if not rank.usual_base - score.base >= max(least, LOW_START):
        return ""
    usual = tr(
        "the median of your {plural} {usual_base:.2f}",
        plural=_plural(rank.type_name),
        usual_base=rank.usual_base,
    )
    return tr("It starts low: its base is {base:.2f}, {usual}.", base=score.base, usual=usual)


def _plural(type_name: str) -> str:
    return _PLURALS.get(type_name, tr("memories of type {type_name}", type_name=type_name))


def _compare(rank: Rank) -> str:
    """Where the score stands: from below the median by those above it, else by those below."""
    one = (
        rank.type_name
        if rank.type_name in _PLURALS
        else tr("memory of type {type_name}", type_name=rank.type_name)
    )
    all_ = _plural(rank.type_name)
    if rank.count <= 1:
        return tr("with no other {one} to compare", one=one)
    is_high = rank.higher <= rank.lower
    share = rank.higher_than if is_high else rank.lower_than
    if rank.count == 2 and not share:
        return tr("the same as your only other {one}", one=one)
    if rank.count == 2:
        higher = tr("higher than your only other {one}", one=one)
        return higher if is_high else tr("lower than your only other {one}", one=one)
    if not share:
        return tr("the same as all your other {all}", all=all_)
    if share >= 1.0:
        highest = tr("the highest of your {count:,} {all}", count=rank.count, all=all_)
        lowest = tr("the lowest of your {count:,} {all}", count=rank.count, all=all_)
        return highest if is_high else lowest
    percent = int(share * 100 + 1e-9)
    if not percent:
        return tr("the same as nearly all your {all}", all=all_)
    if is_high:
        return tr("higher than {percent} % of your {all}", percent=percent, all=all_)
    return tr("lower than {percent} % of your {all}", percent=percent, all=all_)


def _causes(score: ScoreExplanation, *, high: bool) -> str:
    """What moved the score: what lowers it, or what lifts a high one or has no contrary."""
    lifting, lowering = _moving(score, 1), _moving(score, -1)
    if high:
        if lifting:
            return tr("Lifted {name}.", name=_name(lifting))
        rest = tr(" Pulled down {name}.", name=_name(lowering)) if lowering else ""
        return tr(
            "Nothing lifts it above what is stored, {base:.2f}.{rest}", base=score.base, rest=rest
        )
    if lowering:
        return tr("Pulled down {name}.", name=_name(lowering))
    is_lowered = any(component.rounded < 0.0 for component in score.components)
    little = tr("Next to nothing") if is_lowered else tr("Nothing")
    if lifting:
        return tr("{little} pulls it down. Lifted {name}.", little=little, name=_name(lifting))
    return tr("{little} moves it from what is stored, {base:.2f}.", little=little, base=score.base)


def _moving(score: ScoreExplanation, sign: int) -> list[Component]:
    """The components that move a score that way and are worth a word, largest first."""
    moved = [part for part in score.components if part.rounded * sign >= WORTH_NAMING]
    return sorted(moved, key=lambda part: -abs(part.delta))  # stable: ties in table order


def _name(causes: Sequence[Component]) -> str:
    named = " · ".join(_cause(component) for component in causes[:NAMED_CAUSES])
    return f"{tr('most by') if len(causes) > 1 else tr('by')}: {named}"


def _cause(component: Component) -> str:
    return f"{component.cause} ({format_delta(component.rounded)})"


def _clamp(score: ScoreExplanation) -> str:
    if score.clamp == 0.0:
        return ""
    if score.clamp < 0.0:
        raw = tr("just over 1") if f"{score.raw:.3f}" == "1.000" else _figure(score.raw)
        return tr("It would be {raw}; capped at 1.", raw=raw)
    raw = tr("just under 0") if f"{-score.raw:.3f}" == "0.000" else _figure(score.raw)
    return tr("It would be {raw}; held at 0.", raw=raw)

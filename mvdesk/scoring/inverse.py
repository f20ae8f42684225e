"""Which trust, or which base, a wanted score takes: in closed form, checked by recomputing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from mvdesk.scoring.changes import Change, apply_change
from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.scoring.saying import format_number, tr
from mvdesk.scoring.subject import score_subjects

if TYPE_CHECKING:
    from mvdesk.scoring.subject import ScoreKind, ScorePair, Subject

Direction = Literal["raise", "lower"]

GRID: Final = 100
"""Values are sought in hundredths."""
_HALF: Final = 0.0005
_LEAST_SLOPE: Final = 1e-9

_NAMES: Final = {"trust": tr("trust"), "base": tr("base")}


@dataclass(frozen=True, slots=True)
class GridAnswer:
    """The value on the 0.01 grid that is just enough, from 0 to 1.

    To raise it is the smallest that reaches the target, to lower the largest. `value` is None
    when none does; `scores` are then those at `best_value`, which comes closest.
    """

    name: Literal["trust", "base"]
    kind: ScoreKind
    target: float
    direction: Direction
    value: float | None
    best_value: float
    scores: ScorePair

    @property
    def change(self) -> Change:
        """What sets the value, or the one that comes closest."""
        return _change(self.name, self.kind, self.best_value)

    def text(self) -> str:
        """One sentence for the person."""
        score = format_score(self.scores.of(self.kind))
        if self.value is None:
            return tr(
                "no {name} value reaches {target}; {best_value:.2f} gives {score}",
                name=_NAMES[self.name],
                target=format_score(self.target),
                best_value=self.best_value,
                score=score,
            )
        least = tr("at least") if self.direction == "raise" else tr("at most")
        return tr(
            "{name} of {least} {value:.2f} gives {kind} {score}",
            name=_NAMES[self.name],
            least=least,
            value=self.value,
            kind=KIND_WORDS[self.kind],
            score=score,
        )

    def to_json(self) -> dict[str, Any]:
        """`value` is null when no value reaches the target."""
        return {
            "value": self.value,
            "best_value": self.best_value,
            "scores": self.scores.to_json(),
            "text": self.text(),
        }


def format_score(score: float) -> str:
    """A score with two decimals, or three where the third says something."""
    text = format_number(score, ".3f")
    return text[:-1] if text.endswith("0") else text


def meets(score: float, target: float, direction: Direction) -> bool:
    """Whether a rounded score is where it is wanted."""
    return score >= target if direction == "raise" else score <= target


def solve_trust(
    subject: Subject, kind: ScoreKind, target: float, direction: Direction = "raise"
) -> GridAnswer | None:
    """The trust of the source that is just enough; None for a memory without a source."""
    if not subject.inputs.source_named[0]:
        return None
    model = subject.model
    slope = model.trust_confidence if kind == "confidence" else model.trust_importance
    return _solve("trust", subject, kind, target, direction, slope)


def solve_base(
    subject: Subject, kind: ScoreKind, target: float, direction: Direction = "raise"
) -> GridAnswer:
    """The base of the score that is just enough."""
    return _solve("base", subject, kind, target, direction, 1.0)


def _solve(
    name: Literal["trust", "base"],
    subject: Subject,
    kind: ScoreKind,
    target: float,
    direction: Direction,
    slope: float,
) -> GridAnswer:
    """Scores rise with the value, so it is enough to look beside the closed form's answer."""
    lowest, highest = _scored(name, subject, kind, (0, GRID))
    start, end = (0, GRID) if direction == "raise" else (GRID, 0)
    easiest, hardest = (lowest, highest) if direction == "raise" else (highest, lowest)
    if meets(easiest.of(kind), target, direction):
        return GridAnswer(name, kind, target, direction, start / GRID, start / GRID, easiest)
    if not meets(hardest.of(kind), target, direction):
        return GridAnswer(name, kind, target, direction, None, end / GRID, hardest)
    near = _near(lowest.raw_of(kind), slope, target, direction)
    places = range(max(near - 2, 0), min(near + 2, GRID) + 1)
    if slope < _LEAST_SLOPE:  # dividing by it may miss by more than that
        places = range(GRID + 1)
    found = list(zip(places, _scored(name, subject, kind, tuple(places)), strict=True))
    if direction == "lower":
        found.reverse()
    place, scores = next(one for one in found if meets(one[1].of(kind), target, direction))
    return GridAnswer(name, kind, target, direction, place / GRID, place / GRID, scores)


def _near(raw_at_zero: float, slope: float, target: float, direction: Direction) -> int:
    """The grid place nearest to value = (wanted raw sum − raw sum at 0) / slope."""
    thousand = target * 1000
    if direction == "raise":
        wanted = math.ceil(thousand - 1e-9) / 1000 - _HALF
    else:
        wanted = math.floor(thousand + 1e-9) / 1000 + _HALF
    return min(max(round((wanted - raw_at_zero) / slope * GRID), 0), GRID)


def _scored(
    name: Literal["trust", "base"], subject: Subject, kind: ScoreKind, places: tuple[int, ...]
) -> list[ScorePair]:
    changes = [_change(name, kind, place / GRID) for place in places]
    return score_subjects([apply_change(subject, change) for change in changes])


def _change(name: Literal["trust", "base"], kind: ScoreKind, value: float) -> Change:
    if name == "trust":
        return Change(trust=value)
    return Change(base_confidence=value) if kind == "confidence" else Change(base_importance=value)

"""What would change a score: levers whose effects are found by running the engine again."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from mvdesk.scoring.changes import Change, apply_change
from mvdesk.scoring.inverse import GridAnswer, format_score, meets, solve_base, solve_trust
from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.scoring.lever_list import (
    LEVER_FAMILIES,
    LEVER_KINDS,
    Single,
    find_singles,
    trust_lever,
)
from mvdesk.scoring.rounding import thousandths
from mvdesk.scoring.saying import format_number, tr
from mvdesk.scoring.subject import score_subjects
from mvdesk.scoring.verdict import format_delta

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mvdesk.scoring.inverse import Direction
    from mvdesk.scoring.lever_list import LeverKind
    from mvdesk.scoring.subject import ScoreKind, ScorePair, Subject

__all__ = ["LEVER_FAMILIES", "LEVER_KINDS", "Lever", "Outcome", "WhatIf", "find_levers"]

MOST_LEVERS: Final = 5
LEAST_EFFECT: Final = 5
"""Thousandths; what moves the wanted score by less is not shown."""
DEFAULT_TARGET: Final = 0.7

_MOST_PAIRS: Final = 2
_PAIRED: Final = 8
"""Singles that pairs are made of, those with the largest effects."""
_WORDS_NOTE: Final = tr(
    "Adding words such as “{word}” would raise the score too, but words don't count as evidence; "
    "that is never suggested."
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Another way that a lever may turn out, with its exact scores."""

    text: str
    change: Change
    after: ScorePair
    effect: ScorePair


@dataclass(frozen=True, slots=True, kw_only=True)
class Lever:
    """One change, or two at once, with the exact scores that it leads to.

    `families` are those of its parts. `after` are the scores when nothing but `change` is
    different, `effect` how far that is from now. Saving a memory also counts as an edit: `saved`
    are the scores right after that, None where the change doesn't save the memory itself.
    `reaches` says that `after` is where the score is wanted.
    """

    kind: LeverKind
    families: tuple[str, ...]
    text: str
    change: Change
    after: ScorePair
    effect: ScorePair
    reaches: bool
    saved: ScorePair | None
    side_effects: tuple[str, ...]
    caution: str
    outcomes: tuple[Outcome, ...]

    def scores_text(self) -> str:
        """Both scores: "confidence +0.090 → 0.563, importance +0.043 → 0.774"."""
        return ", ".join(self.scores_texts())

    def scores_texts(self) -> tuple[str, ...]:
        """The same, one after the other."""
        return tuple(
            f"{KIND_WORDS[kind]} {_signed(change)} → {format_score(score)}"
            for kind, change, score in (
                ("confidence", self.effect.confidence, self.after.confidence),
                ("importance", self.effect.importance, self.after.importance),
            )
        )

    def line(self) -> str:
        """One line: what to do, and both scores afterwards."""
        return f"{self.text}: {self.scores_text()}"

    def remarks(self) -> list[str]:
        """What else there is to know, a phrase each."""
        found = [self.caution] if self.caution else []
        found += [
            tr(
                "{text}: confidence {confidence}, importance {importance}",
                text=one.text,
                confidence=_signed(one.effect.confidence),
                importance=_signed(one.effect.importance),
            )
            for one in self.outcomes
        ]
        found += self.side_effects
        if self.saved is not None and self.saved != self.after:
            found.append(
                tr(
                    "saving it also counts as an edit today: confidence {confidence}, "
                    "importance {importance}",
                    confidence=format_score(self.saved.confidence),
                    importance=format_score(self.saved.importance),
                )
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """Effects and scores to three decimals."""
        return {
            "kind": self.kind,
            "families": list(self.families),
            "text": self.text,
            "change": self.change.to_json(),
            "effect": self.effect.to_json(),
            "after": self.after.to_json(),
            "reaches_target": self.reaches,
            "when_saved": None if self.saved is None else self.saved.to_json(),
            "side_effects": list(self.side_effects),
            "caution": self.caution or None,
            "outcomes": [
                {
                    "text": one.text,
                    "change": one.change.to_json(),
                    "effect": one.effect.to_json(),
                    "after": one.after.to_json(),
                }
                for one in self.outcomes
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """What would bring one score of a memory to a target.

    `levers` are at most five, in the order of their kinds, pairs last; none moves the wanted
    score by less than 0.005. `best` is the score that the best single change leads to, also one
    that is not shown; `best_pair` the same for the shown pairs, None without any. `trust` is None
    without a source or with that lever switched off.
    """

    kind: ScoreKind
    target: float
    direction: Direction
    current: ScorePair
    levers: tuple[Lever, ...]
    best: float
    best_pair: float | None
    trust: GridAnswer | None
    base: GridAnswer
    notes: tuple[str, ...]

    @property
    def is_met(self) -> bool:
        """Whether the score is where it is wanted already."""
        return meets(self.current.of(self.kind), self.target, self.direction)

    @property
    def is_reachable(self) -> bool:
        """Whether one change is enough, or none is needed."""
        return self.is_met or meets(self.best, self.target, self.direction)

    def headline(self) -> str:
        """One or two sentences: where the score is and whether one change is enough."""
        score, target = format_score(self.current.of(self.kind)), format_score(self.target)
        more, less = tr("{target} or more", target=target), tr("{target} or less", target=target)
        aim = more if self.direction == "raise" else less
        if self.is_met:
            return tr(
                "{what} is {score}, which is {aim} already.",
                what=KIND_WORDS[self.kind].capitalize(),
                score=score,
                aim=aim,
            )
        head = tr(
            "{what} is {score}, wanted is {aim}.",
            what=KIND_WORDS[self.kind].capitalize(),
            score=score,
            aim=aim,
        )
        if self.is_reachable:
            return tr("{head} One change is enough.", head=head)
        if not self.levers:
            return tr("{head} Not reachable.", head=head)
        missed = tr(
            "{head} Not reachable by one change; best is {best}.",
            head=head,
            best=format_score(self.best),
        )
        if self.best_pair is None:
            return missed
        is_enough = meets(self.best_pair, self.target, self.direction)
        best = format_score(self.best_pair)
        if is_enough:
            return tr("{missed} Two changes reach {best}.", missed=missed, best=best)
        return tr("{missed} Two changes get no further than {best}.", missed=missed, best=best)

    def to_json(self) -> dict[str, Any]:
        """All of it, scores to three decimals."""
        return {
            "score": self.kind,
            "target": self.target,
            "direction": self.direction,
            "current": self.current.to_json(),
            "is_met": self.is_met,
            "is_reachable": self.is_reachable,
            "best": self.best,
            "headline": self.headline(),
            "levers": [lever.to_json() for lever in self.levers],
            "trust": None if self.trust is None else self.trust.to_json(),
            "base": self.base.to_json(),
            "notes": list(self.notes),
        }


def find_levers(
    subject: Subject,
    kind: ScoreKind = "confidence",
    target: float = DEFAULT_TARGET,
    direction: Direction = "raise",
    *,
    without: Collection[str] = (),
) -> WhatIf:
    """What would bring a score to a target, exact for both scores.

    `without` names families or kinds of levers that are switched off. Raises ValueError when
    the target isn't in 0..1 or a name is not one of `LEVER_FAMILIES` or `LEVER_KINDS`.
    """
    _check(target, without)
    off = {name for name, group in LEVER_FAMILIES.items() if {name, group} & set(without)}
    finder = _Finder(subject, kind, target, direction)
    singles = [
        one for one in find_singles(subject, kind, target, direction) if one.family not in off
    ]
    levers = finder.valued([(one,) for one in singles])
    valued = zip(levers, singles, strict=True)
    helping = finder.best_types(
        [(lever, one) for lever, one in valued if finder.gain(lever) >= LEAST_EFFECT]
    )
    scores = [finder.current.of(kind), *(lever.after.of(kind) for lever in levers)]
    rising = direction == "raise"
    best = max(scores) if rising else min(scores)
    pairs = [] if meets(best, target, direction) else finder.pairs(helping)
    return WhatIf(
        kind=kind,
        target=target,
        direction=direction,
        current=finder.current,
        levers=(*finder.picked([one for one, _ in helping], MOST_LEVERS - len(pairs)), *pairs),
        best=best,
        best_pair=pairs[0].after.of(kind) if pairs else None,
        trust=None if "trust" in off else solve_trust(subject, kind, target, direction),
        base=solve_base(subject, kind, target, direction),
        notes=_notes(subject) if rising and kind == "confidence" else (),
    )


def _check(target: float, without: Collection[str]) -> None:
    if not (math.isfinite(target) and 0.0 <= target <= 1.0):
        raise ValueError("a target is a number from 0 to 1")
    for name in without:
        if name not in LEVER_FAMILIES and name not in LEVER_KINDS:
            known = ", ".join((*LEVER_KINDS, *LEVER_FAMILIES))
            raise ValueError(f"no lever is called {name!r}; there are {known}")


def _notes(subject: Subject) -> tuple[str, ...]:
    words = subject.model.keywords.certainty
    return (_WORDS_NOTE.format(word=words[0]),) if words else ()


class _Finder:
    """Values changes to one memory by scoring it with them."""

    def __init__(
        self, subject: Subject, kind: ScoreKind, target: float, direction: Direction
    ) -> None:
        self.current = score_subjects([subject])[0]
        self._subject, self._kind = subject, kind
        self._target, self._direction = target, direction
        self._sign = 1 if direction == "raise" else -1
        self._worded: dict[tuple[str, ...], Subject] = {}

    def valued(self, groups: Sequence[tuple[Single, ...]]) -> list[Lever]:
        """A lever per group of singles."""
        plans = [(group, _join(group)) for group in groups]
        changes: list[Change] = []
        for group, change in plans:
            changes.append(change)
            if change.edits_memory:
                changes.append(replace(change, edited_at=self._subject.now))
            if len(group) == 1:
                changes += [variant for _, variant in group[0].variants]
        scores = iter(score_subjects([self._applied(one) for one in changes]))
        levers = []
        for group, change in plans:
            after = next(scores)
            saved = next(scores) if change.edits_memory else None
            variants = group[0].variants if len(group) == 1 else ()
            outcomes = tuple(self._outcome(text, one, next(scores)) for text, one in variants)
            levers.append(self._lever(group, change, after, saved, outcomes))
        return levers

    def _applied(self, change: Change) -> Subject:
        """The memory after a change; a long text is read once for the same words."""
        words = change.removed_words
        if words not in self._worded:
            self._worded[words] = apply_change(self._subject, Change(removed_words=words))
        return apply_change(self._worded[words], replace(change, removed_words=()))

    def _outcome(self, text: str, change: Change, after: ScorePair) -> Outcome:
        return Outcome(text, change, after, after.minus(self.current))

    def _lever(
        self,
        group: tuple[Single, ...],
        change: Change,
        after: ScorePair,
        saved: ScorePair | None,
        outcomes: tuple[Outcome, ...],
    ) -> Lever:
        kinds = [one.kind for one in group]
        return Lever(
            kind=max(kinds, key=LEVER_KINDS.index),
            families=tuple(one.family for one in group),
            text=tr(", and ").join(one.text for one in group),
            change=change,
            after=after,
            effect=after.minus(self.current),
            reaches=meets(after.of(self._kind), self._target, self._direction),
            saved=saved,
            side_effects=tuple(dict.fromkeys(text for one in group for text in one.side_effects)),
            caution="; ".join(dict.fromkeys(one.caution for one in group if one.caution)),
            outcomes=outcomes,
        )

    def gain(self, lever: Lever) -> int:
        """Thousandths by which the wanted score moves where it is wanted."""
        return thousandths(lever.effect.of(self._kind)) * self._sign

    def best_types(self, found: list[tuple[Lever, Single]]) -> list[tuple[Lever, Single]]:
        """The same without all types but the one that moves the score most."""
        types = [one for one in found if one[1].family == "type"]
        best = max(types, key=lambda one: self.gain(one[0]), default=None)
        return [one for one in found if one[1].family != "type" or one is best]

    def picked(self, levers: list[Lever], most: int) -> list[Lever]:
        """The best of every kind, then the best of the rest; in the order of kinds."""
        ranked = sorted(levers, key=lambda one: (not one.reaches, -self.gain(one)))
        firsts = [
            next(one for one in ranked if one.kind == kind)
            for kind in LEVER_KINDS
            if any(one.kind == kind for one in ranked)
        ]
        chosen = [*firsts, *(one for one in ranked if one not in firsts)][:most]
        return sorted(chosen, key=lambda one: (LEVER_KINDS.index(one.kind), -self.gain(one)))

    def pairs(self, helping: list[tuple[Lever, Single]]) -> list[Lever]:
        """The best two pairs, each better than both of its parts by more than what is hidden."""
        alone = sorted(helping, key=lambda one: -self.gain(one[0]))[:_PAIRED]
        couples = list(combinations(alone, 2))
        groups = [self._fitted(first[1], second[1]) for first, second in couples]
        needed = [max(self.gain(a), self.gain(b)) + LEAST_EFFECT for (a, _), (b, _) in couples]
        valued = zip(self.valued(groups), needed, strict=True)
        pairs = [lever for lever, least in valued if self.gain(lever) >= least]
        # Of those that reach the target, the one that asks least of trust.
        pairs.sort(
            key=lambda one: (
                not one.reaches,
                self._trust_moved(one) if one.reaches else 0.0,
                -self.gain(one),
            )
        )
        return pairs[:_MOST_PAIRS]

    def _trust_moved(self, lever: Lever) -> float:
        now, wanted = self._subject.trust, lever.change.trust
        return 0.0 if wanted is None else abs(wanted - (0.5 if now is None else now))

    def _fitted(self, first: Single, second: Single) -> tuple[Single, Single]:
        """A pair in the order of kinds, in which trust is as much as the other leaves to do."""
        if "trust" not in (first.family, second.family):
            return (second, first) if _place(second) < _place(first) else (first, second)
        other = second if first.family == "trust" else first
        changed = self._applied(other.change)
        fitted = trust_lever(changed, self._kind, self._target, self._direction)
        trust = fitted or (first if first.family == "trust" else second)
        return (trust, other) if _place(trust) < _place(other) else (other, trust)


def _place(single: Single) -> int:
    return LEVER_KINDS.index(single.kind)


def _join(group: tuple[Single, ...]) -> Change:
    change = Change()
    for one in group:
        joined = change.joined(one.change)
        assert joined is not None  # single levers are about different things
        change = joined
    return change


def _signed(change: float) -> str:
    return format_delta(change) if change else f"±{format_number(0.0, '.3f')}"

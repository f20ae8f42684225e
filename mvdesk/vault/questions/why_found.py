"""Why a memory is among the hits of a search, or isn't: part by part, with numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.dates import format_day, format_days
from mvdesk.vault.questions.conditions import measure, superseding_links
from mvdesk.vault.questions.matching import (
    IMPORTANCE_SHARE,
    LOSER_COST,
    RELEVANCE_SHARE,
    SUPERSEDED_COST,
)
from mvdesk.vault.questions.query import Condition, Either, Every, Not, Place, Word
from mvdesk.vault.questions.query_operators import Days, Range
from mvdesk.vault.questions.query_wording import describe_part
from mvdesk.vault.questions.word_spans import WordSpans
from mvdesk.vault.tags import parse_tags
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import IntArray
    from mvdesk.records import Memory
    from mvdesk.vault.questions.conditions import Moment
    from mvdesk.vault.questions.matching import Matches
    from mvdesk.vault.questions.query import Node

_FIELDS: Final = ("title", "key", "tags", "source", "content")


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """Whether one part of a search holds for the memory, and what was looked at."""

    text: str
    holds: bool
    why: str
    place: Place


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the place of a hit comes from; all but `place` and `total` are in [0, 1]."""

    relevance: float
    importance: float
    confidence: float
    superseded_by: tuple[str, ...]
    has_lost: bool
    blended: float
    place: int  # 1 for the best
    total: int

    @property
    def formula(self) -> str:
        """The sum with its numbers."""
        said = tr(
            "{relevance_share:g} × relevance {relevance:.3f} + {format_number:g} × "
            "({importance_share:g} × importance {importance:.3f} + {format_number_2:g} "
            "× confidence {confidence:.3f})",
            relevance_share=RELEVANCE_SHARE,
            relevance=self.relevance,
            format_number=1 - RELEVANCE_SHARE,
            importance_share=IMPORTANCE_SHARE,
            importance=self.importance,
            format_number_2=1 - IMPORTANCE_SHARE,
            confidence=self.confidence,
        )
        if self.superseded_by:
            said += tr(" − {superseded_cost:.2f} superseded", superseded_cost=SUPERSEDED_COST)
        if self.has_lost:
            said += tr(" − {loser_cost:.2f} lost a conflict", loser_cost=LOSER_COST)
        return f"{said} = {self.blended:.3f}".replace("= -", "= −")


@dataclass(frozen=True, slots=True)
class WhyFound:
    """The answer about one memory.

    `is_hit`: every part holds, and nothing else keeps it out. `kept_out` are sentences about
    what else does. `ranking` is there whenever every part holds. `remedies` are sentences that
    say what would let it in, or move it up; without any it is there already.
    """

    memory_id: str
    label: str
    is_hit: bool
    parts: tuple[PartAnswer, ...]
    kept_out: tuple[str, ...]
    ranking: Ranking | None
    remedies: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """One sentence."""
        failing = [part.text for part in self.parts if not part.holds]
        if failing:
            return tr(
                "It isn't among the hits: {listed} {do} not hold for it.",
                listed=_listed(failing),
                do=_do(failing),
            )
        if self.kept_out:
            return tr("It isn't among the hits: {kept_out}", kept_out=self.kept_out[0])
        if self.ranking is None or not self.parts:
            return tr("It is listed: nothing is searched for, so everything is.")
        return tr(
            "It is hit {place:,} of {total:,} by relevance.",
            place=self.ranking.place,
            total=self.ranking.total,
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """What else decides about hits: least confidence, how many are shown, archived ones."""

    min_score: float = 0.0
    limit: int | None = None
    archived: bool = False


def explain_match(
    matches: Matches, moment: Moment, row: int, memory: Memory, limits: Limits
) -> WhyFound:
    """Why the memory in a row is found, or not. `memory` is the same one with its texts."""
    answers = tuple(
        PartAnswer(
            describe_part(part, matches.ways),
            bool(matches.mark(part, moment)[row]),
            _measured(part, matches, moment, row, memory),
            part.place,
        )
        for part in matches.query.parts
    )
    holds = all(answer.holds for answer in answers)
    kept_out, remedies = _limits_met(matches, moment, row, limits)
    ranking = None
    if holds:
        rows = np.flatnonzero(matches.marks(moment))
        table = matches.snapshot.memories
        if not limits.archived and not matches.query.asks_for_archived:
            rows = rows[(table.archived_at[rows] == NO_TIME) | (rows == row)]
        rows = rows[(moment.scores.confidence[rows] >= limits.min_score) | (rows == row)]
        ranking = _rank(matches, moment, row, rows)
        if not kept_out and limits.limit is not None and ranking.place > limits.limit:
            kept_out.append(
                tr(
                    "it is hit {place:,}, and only the first {limit:,} are shown.",
                    place=ranking.place,
                    limit=limits.limit,
                )
            )
            remedies.append(tr("Show at least {place:,} hits.", place=ranking.place))
    failing = [answer for answer in answers if not answer.holds]
    first = [tr("Take out {text}.", text=answer.text) for answer in failing]
    if len(failing) > 1:
        first = [
            tr(
                "Take out {listed}: each keeps it out.",
                listed=_listed([answer.text for answer in failing]),
            )
        ]
    return WhyFound(
        memory.id,
        matches.snapshot.memories.labels.text(row),
        holds and not kept_out,
        answers,
        tuple(kept_out),
        ranking,
        (*first, *remedies),
    )


def _limits_met(
    matches: Matches, moment: Moment, row: int, limits: Limits
) -> tuple[list[str], list[str]]:
    kept_out: list[str] = []
    remedies: list[str] = []
    is_archived = matches.snapshot.memories.archived_at[row] != NO_TIME
    if is_archived and not limits.archived and not matches.query.asks_for_archived:
        kept_out.append(tr("it is archived, and archived memories aren't looked at."))
        remedies.append(tr("Show archived memories, or search with archived:."))
    confidence = float(moment.scores.confidence[row])
    if confidence < limits.min_score:
        kept_out.append(
            tr(
                "its confidence {confidence:.3f} is below the least score {min_score:.3f}.",
                confidence=confidence,
                min_score=limits.min_score,
            )
        )
        remedies.append(tr("Lower the least score to {confidence:.3f}.", confidence=confidence))
    return kept_out, remedies


def _rank(matches: Matches, moment: Moment, row: int, rows: IntArray) -> Ranking:
    relevance = matches.relevance(rows)
    at = int(np.flatnonzero(rows == row)[0])
    order = matches.order(rows, moment.scores)
    penalties, links = matches.penalties, matches.snapshot.links
    superseding = np.empty(0, dtype=np.intp)
    if penalties is not None and penalties.superseded[row]:
        superseding = np.flatnonzero(superseding_links(matches.snapshot) & (links.to_rows == row))
    ids = matches.snapshot.memories.ids
    return Ranking(
        float(relevance[at]),
        float(moment.scores.importance[row]),
        float(moment.scores.confidence[row]),
        tuple(dict.fromkeys(ids.text(int(links.from_rows[one])) for one in superseding)),
        bool(penalties is not None and penalties.lost[row]),
        float(matches.blend(rows, relevance, moment.scores)[at]),
        int(np.flatnonzero(order == row)[0]) + 1,
        len(rows),
    )


def _measured(node: Node, matches: Matches, moment: Moment, row: int, memory: Memory) -> str:
    """What the memory has where a part of the search looks."""
    if isinstance(node, Word):
        return _where(node, matches, memory)
    if isinstance(node, Not):
        return _measured(node.part, matches, moment, row, memory)
    if isinstance(node, (Either, Every)):
        said = [_measured(part, matches, moment, row, memory) for part in node.parts]
        return "; ".join(dict.fromkeys(one for one in said if one))
    return _measured_condition(node, matches, moment, row, memory)


def _where(word: Word, matches: Matches, memory: Memory) -> str:
    fields = {name: getattr(memory, name) or "" for name in _FIELDS}
    way = matches.ways.get(word, "words")
    spans = WordSpans([word], {word: way})
    found = [name for name in _FIELDS if spans.find(fields[name])]
    if found:
        return tr("found in ") + _listed(found)
    inside = WordSpans([word], {word: "inside"})
    close = next((name for name in _FIELDS if inside.find(fields[name])), "")
    if close and way == "words":
        start, end = inside.find(fields[close])[0]
        return tr(
            "only inside of “{word_around}” in {close}",
            word_around=_word_around(fields[close], start, end),
            close=close,
        )
    if matches.known[word][_row(matches, memory)]:
        return tr("found by its id")
    return tr("in none of its texts")


def _row(matches: Matches, memory: Memory) -> int:
    row = matches.snapshot.row_of(memory.id)
    assert row is not None
    return row


def _word_around(text: str, start: int, end: int) -> str:
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[start:end][:40]


def _measured_condition(
    condition: Condition, matches: Matches, moment: Moment, row: int, memory: Memory
) -> str:
    name, value = condition.name, condition.value
    if isinstance(value, Range):
        return _measured_number(name, float(measure(name, matches.snapshot, moment)[row]))
    if isinstance(value, Days):
        at = {"created": memory.created_at, "edited": memory.updated_at}.get(
            name, memory.last_accessed_at
        )
        return f"{name} {format_day(at)}" if at else tr("never {name}", name=name)
    if name in ("has", "no"):
        return tr(
            "has {what}", what="one" if _holds_part(condition, matches, moment, row) else "none"
        )
    texts = {
        "type": tr("it is a {type}", type=memory.type),
        "source": tr("its source is “{source}”", source=memory.source)
        if memory.source
        else tr("it has no source"),
        "key": tr("its key is “{key}”", key=memory.key) if memory.key else tr("it has no key"),
        "title": tr("its title is “{label}”", label=memory.label),
        "id": tr("its id is {id}", id=memory.id),
    }
    if name == "tag":
        tags = parse_tags(memory.tags)
        return tr("its tags are {names}", names=", ".join(tags)) if tags else tr("it has no tags")
    if name in ("low", "clamped"):
        return tr(
            "its confidence is {confidence:.3f}", confidence=float(moment.scores.confidence[row])
        )
    return texts.get(name, "")


def _holds_part(condition: Condition, matches: Matches, moment: Moment, row: int) -> bool:
    marked = bool(matches.mark(condition, moment)[row])
    return marked if condition.name == "has" else not marked


def _measured_number(name: str, number: float) -> str:
    if np.isnan(number):
        return tr("its source has no trust set") if name == "trust" else tr("it has no date")
    if name in ("idle", "age"):
        return f"{tr('idle for') if name == 'idle' else 'made'} {format_days(round(number, 1))}" + (
            "" if name == "idle" else tr(" ago")
        )
    if name in ("links", "recalls"):
        return tr("it has {number:.0f}", number=number)
    what = {"conf": tr("its confidence"), "imp": tr("its importance")}.get(
        name, tr("its source's trust")
    )
    return tr("{what} is {number:.3f}", what=what, number=number)


def _listed(names: Sequence[str]) -> str:
    return (
        names[0] if len(names) == 1 else ", ".join(names[:-1]) + tr(" and {names}", names=names[-1])
    )


def _do(names: Sequence[str]) -> str:
    return tr_n("does", "do", len(names))

"""A query in words: what a chip says, and the line that tells what was understood."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from mvdesk.vault.questions.query import Either, Every, Not, Place, Query, Word
from mvdesk.vault.questions.query_operators import Days, Flag, Range

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mvdesk.vault.questions.matching import Leaf, Way
    from mvdesk.vault.questions.query import Condition, Node

_SUBJECTS: Final = {
    "conf": "confidence",
    "imp": "importance",
    "trust": "trust",
    "links": "links",
    "recalls": "recalls",
    "idle": "idle",
    "age": "age",
}
_FLAGS: Final = {
    "low": "low for its type",
    "clamped": "cut off at 0 or 1",
    "insideword": "words inside words only",
    "archived": "archived",
    "superseded": "superseded",
}
_PARTS: Final = {
    "supports": "a supports link",
    "contradicts": "a contradiction",
    "supersedes": "a supersedes link",
    "causes": "a causes link",
    "example_of": "an example link",
    "related": "a related link",
    "links": "links",
    "source": "a source",
    "tag": "a tag",
    "key": "a key",
    "trust": "a set trust",
}
_WAYS: Final = {"inside": "anywhere inside", "fields": "not in texts yet"}


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a query for people, and where it stands in the text."""

    text: str
    place: Place
    is_words: bool = False


def describe_query(query: Query, ways: Mapping[Leaf, Way] | None = None) -> list[Piece]:
    """The parts of a query in words, in order; plain words that stand together are one."""
    pieces: list[Piece] = []
    run: list[Word] = []
    for part in query.parts:
        if isinstance(part, Word) and not part.is_exact:
            if run and _say_way(run[-1], ways or {}) != _say_way(part, ways or {}):
                pieces += _words_together(run, ways or {})
                run = []
            run.append(part)
            continue
        pieces += _words_together(run, ways or {})
        run = []
        pieces.append(Piece(describe_part(part, ways), part.place, isinstance(part, Word)))
    return [*pieces, *_words_together(run, ways or {})]


def describe_part(node: Node, ways: Mapping[Leaf, Way] | None = None) -> str:
    """One part of a query in words."""
    if isinstance(node, Word):
        return _say_word(node) + _say_way(node, ways or {})
    if isinstance(node, Not):
        inner = describe_part(node.part, ways)
        return f"not ({inner})" if isinstance(node.part, Either) else f"not {inner}"
    if isinstance(node, Either):
        return " or ".join(describe_part(part, ways) for part in node.parts)
    if isinstance(node, Every):
        return "(" + " and ".join(describe_part(part, ways) for part in node.parts) + ")"
    return describe_condition(node) + _say_way(node, ways or {})


def describe_condition(condition: Condition) -> str:
    """An operator in words."""
    value, name = condition.value, condition.name
    if isinstance(value, Range):
        return _say_range(name, value)
    if isinstance(value, Days):
        return _say_days(name, value)
    if isinstance(value, Flag):
        which = {"imp": " by importance", "conf": " by confidence"}.get(value.which, "")
        return ("" if value.on else "not ") + _FLAGS[name] + which
    if name in ("has", "no"):
        part = _PARTS[value]
        return (
            f"has {part}" if name == "has" else "no " + part.removeprefix("a ").removeprefix("an ")
        )
    shown = f"“{value}”" if condition.is_exact else value.replace(",", " or ")
    return f"{name} is exactly {shown}" if condition.sign == "=" else f"{name} {shown}"


def _words_together(run: list[Word], ways: Mapping[Leaf, Way]) -> Iterator[Piece]:
    if not run:
        return
    text = " ".join(word.text + ("…" if word.is_beginning else "") for word in run)
    yield Piece(
        f"“{text}”{_say_way(run[0], ways)}", (run[0].place[0], run[-1].place[1]), is_words=True
    )


def _say_word(word: Word) -> str:
    if word.is_exact:
        return f"exactly “{word.text}”"
    return f"“{word.text}{'…' if word.is_beginning else ''}”"


def _say_way(leaf: Leaf, ways: Mapping[Leaf, Way]) -> str:
    said = _WAYS.get(ways.get(leaf, "words"), "")
    return f" ({said})" if said else ""


def _say_range(name: str, value: Range) -> str:
    subject = _SUBJECTS[name]
    if value.is_set is not None:
        return f"{subject} {'set' if value.is_set else 'not set'}"
    if name == "idle" or name == "age":
        subject = "idle" if name == "idle" else "made"
        return f"{subject} {_say_span(value)}" + ("" if name == "idle" else " ago")
    if value.least == value.most:
        return f"no {subject}" if value.least == 0 else f"{subject} {_say(value.least)}"
    if math.isinf(value.least):
        return f"{subject} {'<' if value.below else '≤'} {_say(value.most)}"
    if math.isinf(value.most):
        return f"{subject} {'>' if value.beyond else '≥'} {_say(value.least)}"
    return f"{subject} {_say(value.least)} to {_say(value.most)}"


def _say_span(value: Range) -> str:
    if math.isinf(value.least):
        return f"{'less than' if value.below else 'at most'} {_days(value.most)}"
    if math.isinf(value.most):
        return f"{'more than' if value.beyond else 'at least'} {_days(value.least)}"
    if value.most == value.least + 1 and value.below:
        return _days(value.least)
    return f"{_say(value.least)} to {_days(value.most)}"


def _days(number: float) -> str:
    return "1 day" if number == 1 else f"{_say(number)} days"


def _say(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".").replace("-", "−")


def _say_days(name: str, value: Days) -> str:
    if value.first is None and value.after is None:
        return f"never {name}"
    if value.first is None:
        return f"{name} before {value.after}"
    if value.after is None:
        return f"{name} from {value.first} on"
    return f"{name} {_say_period(value.first, value.after)}"


def _say_period(first: date, after: date) -> str:
    last = after - timedelta(days=1)
    if first == last:
        return str(first)
    if (first.day, after.day) == (1, 1):
        if (first.month, after.month, after.year) == (1, 1, first.year + 1):
            return str(first.year)
        if after == date(first.year + first.month // 12, first.month % 12 + 1, 1):
            return f"{first:%Y-%m}"
    return f"{first} to {last}"

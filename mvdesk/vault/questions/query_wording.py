"""A query in words: what a chip says, and the line that tells what was understood."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.vault.questions.query import Either, Every, Not, Place, Query, Word
from mvdesk.vault.questions.query_operators import Days, Flag, Range
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mvdesk.vault.questions.matching import Leaf, Way
    from mvdesk.vault.questions.query import Condition, Node

_SUBJECTS: Final = {
    "conf": KIND_WORDS["confidence"],
    "imp": KIND_WORDS["importance"],
    "trust": tr("trust"),
    "links": tr("links"),
    "recalls": tr("recalls"),
}
_FLAGS: Final = {
    "low": tr("low for its type"),
    "clamped": tr("cut off at 0 or 1"),
    "insideword": tr("words inside words only"),
    "archived": tr("archived"),
    "superseded": tr("superseded"),
}
_HAS: Final = {
    "supports": tr("has a supports link"),
    "contradicts": tr("has a contradiction"),
    "supersedes": tr("has a supersedes link"),
    "causes": tr("has a causes link"),
    "example_of": tr("has an example link"),
    "related": tr("has a related link"),
    "links": tr("has links"),
    "source": tr("has a source"),
    "tag": tr("has a tag"),
    "key": tr("has a key"),
    "trust": tr("has a set trust"),
}
_LACKS: Final = {
    "supports": tr("no supports link"),
    "contradicts": tr("no contradiction"),
    "supersedes": tr("no supersedes link"),
    "causes": tr("no causes link"),
    "example_of": tr("no example link"),
    "related": tr("no related link"),
    "links": tr("no links"),
    "source": tr("no source"),
    "tag": tr("no tag"),
    "key": tr("no key"),
    "trust": tr("no set trust"),
}
_WAYS: Final = {"inside": tr("anywhere inside"), "fields": tr("not in texts yet")}


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
        return (
            tr("not ({inner})", inner=inner)
            if isinstance(node.part, Either)
            else tr("not {inner}", inner=inner)
        )
    if isinstance(node, Either):
        return tr(" or ").join(describe_part(part, ways) for part in node.parts)
    if isinstance(node, Every):
        return "(" + tr(" and ").join(describe_part(part, ways) for part in node.parts) + ")"
    return describe_condition(node) + _say_way(node, ways or {})


def describe_condition(condition: Condition) -> str:
    """An operator in words."""
    value, name = condition.value, condition.name
    if isinstance(value, Range):
        return _say_range(name, value)
    if isinstance(value, Days):
        return _say_days(name, value)
    if isinstance(value, Flag):
        which = {"imp": tr(" by importance"), "conf": tr(" by confidence")}.get(value.which, "")
        return ("" if value.on else tr("not ")) + _FLAGS[name] + which
    if name in ("has", "no"):
        return _HAS[value] if name == "has" else _LACKS[value]
    shown = f"“{value}”" if condition.is_exact else value.replace(",", tr(" or "))
    return (
        tr("{name} is exactly {shown}", name=name, shown=shown)
        if condition.sign == "="
        else f"{name} {shown}"
    )


def _words_together(run: list[Word], ways: Mapping[Leaf, Way]) -> Iterator[Piece]:
    if not run:
        return
    text = " ".join(word.text + ("…" if word.is_beginning else "") for word in run)
    yield Piece(
        f"“{text}”{_say_way(run[0], ways)}", (run[0].place[0], run[-1].place[1]), is_words=True
    )


def _say_word(word: Word) -> str:
    if word.is_exact:
        return tr("exactly “{text}”", text=word.text)
    return f"“{word.text}{'…' if word.is_beginning else ''}”"


def _say_way(leaf: Leaf, ways: Mapping[Leaf, Way]) -> str:
    said = _WAYS.get(ways.get(leaf, "words"), "")
    return f" ({said})" if said else ""


def _say_range(name: str, value: Range) -> str:
    subject = _SUBJECTS.get(name, "")
    if value.is_set is not None:
        return f"{subject} {tr('set') if value.is_set else tr('not set')}"
    if name == "idle":
        return tr("idle {span}", span=_say_span(value))
    if name == "age":
        return tr("made {span} ago", span=_say_span(value))
    if value.least == value.most:
        return (
            tr("no {subject}", subject=subject)
            if value.least == 0
            else f"{subject} {_say(value.least)}"
        )
    if math.isinf(value.least):
        return f"{subject} {'<' if value.below else '≤'} {_say(value.most)}"
    if math.isinf(value.most):
        return f"{subject} {'>' if value.beyond else '≥'} {_say(value.least)}"
    return tr(
        "{subject} {say} to {say_2}", subject=subject, say=_say(value.least), say_2=_say(value.most)
    )


def _say_span(value: Range) -> str:
    if math.isinf(value.least):
        return f"{tr('less than') if value.below else tr('at most')} {_days(value.most)}"
    if math.isinf(value.most):
        return f"{tr('more than') if value.beyond else tr('at least')} {_days(value.least)}"
    if value.most == value.least + 1 and value.below:
        return _days(value.least)
    return tr("{say} to {days}", say=_say(value.least), days=_days(value.most))


def _days(number: float) -> str:
    return tr_n("1 day", "{say} days", number, say=_say(number))


def _say(number: float) -> str:
    digits = len(f"{number:.3f}".rstrip("0").partition(".")[2])
    return format_number(number, f".{digits}f").replace("-", "−")


def _say_days(name: str, value: Days) -> str:
    if value.first is None and value.after is None:
        return tr("never {name}", name=name)
    if value.first is None:
        return tr("{name} before {after}", name=name, after=value.after)
    if value.after is None:
        return tr("{name} from {first} on", name=name, first=value.first)
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
    return tr("{first} to {last}", first=first, last=last)

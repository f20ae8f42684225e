"""The operators of the search box: their names, what they take, what their values mean."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from typing import Final, Literal

from mvdesk.records import MEMORY_TYPES, RELATIONS
from mvdesk.wording import tr

Kind = Literal["text", "number", "share", "days", "day", "flag", "part"]
"""What an operator takes: a text, a number, one from 0 to 1, a time span, a day, nothing, or
the name of a part that a memory has or lacks."""

Sign = Literal[":", "<", "<=", ">", ">=", "="]


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator. `help` is a phrase for people, `example` one that can be typed."""

    name: str
    kind: Kind
    help: str
    example: str
    aliases: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """Values worth offering, for a text or a part also the only ones that are known before."""


PARTS: Final = (
    *RELATIONS,
    "links",
    "source",
    "tag",
    "key",
    "trust",
)
"""What `has:` and `no:` ask for: a kind of link, or something filled in."""

OPERATORS: Final = (
    Operator("type", "text", tr("of this type"), "type:fact", values=MEMORY_TYPES),
    Operator("source", "text", tr("whose source has this"), "source:slack"),
    Operator("tag", "text", tr("with this tag"), "tag:work", aliases=("tags",)),
    Operator("key", "text", tr("whose key has this"), "key:home"),
    Operator("title", "text", tr("whose title has this"), "title:tiles"),
    Operator("id", "text", tr("whose id begins so"), "id:3fa9"),
    Operator(
        "conf",
        "share",
        tr("by confidence, as shown"),
        "conf<0.5",
        aliases=("confidence", "min_score"),
    ),
    Operator("imp", "share", tr("by importance, as shown"), "imp>=0.7", aliases=("importance",)),
    Operator("trust", "share", tr("by trust of the source"), "trust<0.4", values=("unset", "set")),
    Operator("links", "number", tr("by number of links"), "links:0"),
    Operator("recalls", "number", tr("by number of recalls"), "recalls>5"),
    Operator("has", "part", tr("that have this"), "has:contradicts", values=PARTS),
    Operator("no", "part", tr("that lack this"), "no:source", values=PARTS),
    Operator("idle", "days", tr("by time since the last edit or recall"), "idle>60d"),
    Operator("age", "days", tr("by time since it was made"), "age<7d"),
    Operator("created", "day", tr("made then"), "created:2026-03", aliases=("made",)),
    Operator("edited", "day", tr("last edited then"), "edited>=2026-11-02", aliases=("updated",)),
    Operator("recalled", "day", tr("last recalled then"), "recalled:2026", values=("never",)),
    Operator("low", "flag", tr("low for its type"), "low:", values=("conf", "imp")),
    Operator("clamped", "flag", tr("with a score cut off at 0 or 1"), "clamped:"),
    Operator(
        "insideword", "flag", tr("whose text signal rests on words inside words"), "insideword:"
    ),
    Operator("archived", "flag", tr("that are archived"), "archived:"),
    Operator("superseded", "flag", tr("that another memory supersedes"), "superseded:"),
)

BY_NAME: Final = {
    name: operator for operator in OPERATORS for name in (operator.name, *operator.aliases)
}

_COMPARED: Final = ("share", "number", "days", "day")
_UNITS: Final = {"": 1.0, "d": 1.0, "w": 7.0, "m": 30.0, "y": 365.0, "h": 1 / 24}
_SPAN: Final = re.compile(r"(\d+(?:\.\d+)?)\s?([a-z]*)")
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_DAY: Final = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_FLAG_WORDS: Final = {"": True, "yes": True, "true": True, "no": False, "false": False}
_UNSET: Final = ("unset", "none", "no")


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `least` to `most`; the ends count unless they are `beyond` or `below`.

    Scores and trusts are from 0 to 1, spans are days. `is_set` alone asks whether there is a
    value at all: True for any, False for none.
    """

    least: float = -math.inf
    most: float = math.inf
    beyond: bool = False
    below: bool = False
    is_set: bool | None = None


@dataclass(frozen=True, slots=True)
class Days:
    """Days from `first` to before `after`, None for no end; both None: never."""

    first: date | None = None
    after: date | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """A yes or no; `which` is the score that it is about, "" where there is no choice."""

    on: bool = True
    which: str = ""


Value = str | Range | Days | Flag


class Unreadable(ValueError):
    """A value that an operator can't take; the message says what it would take."""


def takes_comparison(name: str) -> bool:
    """Whether `name` is an operator that can be followed by < or >."""
    operator = BY_NAME.get(name.lower())
    return operator is not None and operator.kind in _COMPARED


def suggest_name(name: str, sign: Sign = ":") -> str:
    """The operator that was probably meant, of those that take the sign; "" for none."""
    compares = sign not in (":", "=")
    if compares and name.lower() in ("score", "scores"):
        return "conf"
    names = [one for one in BY_NAME if not compares or takes_comparison(one)]
    close = get_close_matches(name.lower(), names, n=1, cutoff=0.6)
    return BY_NAME[close[0]].name if close else ""


def read_value(operator: Operator, sign: Sign, text: str) -> Value:
    """What follows an operator, as a value. Raises Unreadable with what would be one."""
    if operator.kind == "text":
        if sign not in (":", "="):
            raise Unreadable(
                tr(
                    "{name} takes a colon, such as {example}",
                    name=operator.name,
                    example=operator.example,
                )
            )
        if not text.strip():
            raise Unreadable(
                tr(
                    "{name}: say which, such as {example}",
                    name=operator.name,
                    example=operator.example,
                )
            )
        return text
    text = text.strip().lower()
    if operator.kind == "part":
        return _read_part(operator, text)
    if operator.kind == "flag":
        return _read_flag(operator, text)
    if operator.kind == "day":
        return _read_days(operator, sign, text)
    return _read_range(operator, sign, text)


def _read_part(operator: Operator, text: str) -> str:
    wanted = {"tags": "tag", "link": "links", "example": "example_of"}.get(text, text)
    found = [part for part in PARTS if part == wanted] or [
        part for part in PARTS if wanted and part.startswith(wanted)
    ]
    if len(found) != 1:
        among = found or PARTS
        raise Unreadable(
            tr("{name}: takes one of {names}", name=operator.name, names=", ".join(among))
        )
    return found[0]


def _read_flag(operator: Operator, text: str) -> Flag:
    if text in _FLAG_WORDS:
        return Flag(_FLAG_WORDS[text])
    which = BY_NAME[text].name if text in BY_NAME else text
    if which in operator.values:
        return Flag(which=which)
    raise Unreadable(tr("{name}: stands alone", name=operator.name) + _or_with(operator))


def _or_with(operator: Operator) -> str:
    return (
        tr(", or takes {names}", names=tr(" or ").join(operator.values)) if operator.values else ""
    )


def _read_range(operator: Operator, sign: Sign, text: str) -> Range:
    if operator.name == "trust" and sign in (":", "="):
        if text in _UNSET:
            return Range(is_set=False)
        if text in ("set", "any", "yes"):
            return Range(is_set=True)
    first, dots, last = text.partition("..")
    if dots and sign in (":", "="):
        if not first and not last:
            raise Unreadable(
                tr(
                    "{name}: from where to where, such as {example}",
                    name=operator.name,
                    example=operator.example,
                )
            )
        least = _read_number(operator, first) if first else -math.inf
        most = _read_number(operator, last) if last else math.inf
        return Range(min(least, most), max(least, most))
    number = _read_number(operator, text)
    if sign in ("<", "<="):
        return Range(most=number, below=sign == "<")
    if sign in (">", ">="):
        return Range(least=number, beyond=sign == ">")
    if operator.kind == "days":
        return Range(math.floor(number), math.floor(number) + 1, below=True)
    return Range(number, number)


def _read_number(operator: Operator, text: str) -> float:
    if operator.kind == "days":
        match = _SPAN.fullmatch(text)
        unit = match and next((u for u in _UNITS if _is_unit(match[2], u)), None)
        if match is None or unit is None:
            raise Unreadable(
                tr(
                    "{name} takes a time, such as {example}",
                    name=operator.name,
                    example=operator.example,
                )
            )
        return float(match[1][:20]) * _UNITS[unit]
    if operator.kind == "share" and text.count(",") == 1:
        text = text.replace(",", ".")  # as numbers are written in much of the world
    if _NUMBER.fullmatch(text) is None:
        span = tr(" from 0 to 1") if operator.kind == "share" else ""
        raise Unreadable(
            tr(
                "{name} takes a number{span}, such as {example}",
                name=operator.name,
                span=span,
                example=operator.example,
            )
        )
    return float(text)


def _is_unit(text: str, unit: str) -> bool:
    names = {"d": "days", "w": "weeks", "m": "months", "y": "years", "h": "hours"}
    return text == unit or (bool(unit) and len(text) > 0 and names[unit].startswith(text))


def _read_days(operator: Operator, sign: Sign, text: str) -> Days:
    if text == "never" and sign in (":", "="):
        return Days()
    first, dots, last = text.partition("..")
    if dots and sign in (":", "="):
        start = _period(operator, first)[0] if first else None
        end = _period(operator, last)[1] if last else None
        if start is None and end is None:
            raise Unreadable(
                tr(
                    "{name} takes a day, such as {example}",
                    name=operator.name,
                    example=operator.example,
                )
            )
        return Days(start, end)
    start, end = _period(operator, text)
    if sign == "<":
        return Days(after=start)
    if sign == "<=":
        return Days(after=end)
    if sign == ">":
        return Days(first=end)
    return Days(first=start, after=end if sign in (":", "=") else None)


def _period(operator: Operator, text: str) -> tuple[date, date]:
    """The first day of a year, month or day, and the first one after it."""
    match = _DAY.fullmatch(text)
    try:
        if match is None:
            raise ValueError
        year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
        first = date(year, month, day)
        if match[3]:
            return first, first + timedelta(days=1)
        if match[2]:
            return first, date(year + month // 12, month % 12 + 1, 1)
        return first, date(year + 1, 1, 1)
    except (ValueError, OverflowError):
        raise Unreadable(
            tr(
                "{name} takes a year, month or day, such as {example}",
                name=operator.name,
                example=operator.example,
            )
        ) from None


def day_start(day: date, *, local: bool) -> int:
    """The first second of a day, in local time or UTC."""
    naive = datetime(day.year, day.month, day.day)
    try:
        moment = naive.astimezone() if local else naive.replace(tzinfo=UTC)
        return int(moment.timestamp())
    except (OverflowError, OSError, ValueError):  # the edges of what the system's clock knows
        return int(naive.replace(tzinfo=UTC).timestamp())

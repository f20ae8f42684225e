"""Texts of the command line as values: what can't be read is wrong usage, said in our words.

A number that an option takes may still be out of its range; commands move it there and say so.
What a memory, link, source or policy is to hold is no option in this sense: the operation that
writes it refuses it.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import typer

from mvdesk.errors import BadValue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LAST_SECOND: Final = 8_640_000_000_000
"""The last one that the vault's own server has a date for."""

_MINUS: Final = "\u2212"
_WHOLE: Final = re.compile(r"[+-]?\d{1,18}")


class WrongUsage(BadValue):
    """The command line itself makes no sense: a text that is no number, options at odds."""


def count_option(
    help_text: str, *, least: int = 1, most: int | None = None, exact: bool = False
) -> Any:  # noqa: ANN401 (typer's own word for an option)
    """An option that takes a whole number; `exact` refuses what is out of its range."""
    return typer.Option(metavar="N", parser=_whole(least, most, exact=exact), help=help_text)


def number_option(
    help_text: str, least: float | None = 0.0, most: float | None = 1.0, metavar: str = ""
) -> Any:  # noqa: ANN401
    """An option that takes a finite number, from 0 to 1 unless said otherwise."""
    span = "N" if least is None or most is None else f"{least:g}..{most:g}"
    return typer.Option(metavar=metavar or span, parser=_number(least, most), help=help_text)


def choice_option(metavar: str, choices: Sequence[str], help_text: str) -> Any:  # noqa: ANN401
    """An option that takes one of some words."""
    return typer.Option(metavar=metavar, parser=one_of(choices), help=help_text)


def one_of(choices: Sequence[str]) -> Callable[[str], str]:
    """A parser for one of some words."""
    listed = f"{', '.join(choices[:-1])} or {choices[-1]}"

    def parse(text: str) -> str:
        if text in choices:
            return text
        raise ValueError(f"expected {listed}, not {text!r}.")

    return parse


def _whole(least: int, most: int | None, *, exact: bool) -> Callable[[str | int], int]:
    span = f"of {least} or more" if most is None else f"from {least} to {most}"

    def parse(text: str | int) -> int:
        if isinstance(text, int):  # the default
            return text
        if _WHOLE.fullmatch(spelled := text.strip().replace(_MINUS, "-")):
            number = int(spelled)
            if not exact or (number >= least and (most is None or number <= most)):
                return number
        raise ValueError(f"expected a whole number {span}, not {text!r}.")

    return parse


def _number(least: float | None, most: float | None) -> Callable[[str | float], float]:
    span = ""
    if least is not None:
        span = f" of {least:g} or more" if most is None else f" from {least:g} to {most:g}"

    def parse(text: str | float) -> float:
        if not isinstance(text, str):  # the default
            return text
        number = math.nan
        with suppress(ValueError):
            number = float(text.strip().replace(_MINUS, "-"))
        if math.isfinite(number):
            return number
        raise ValueError(f"expected a number{span.replace('-', _MINUS)}, not {text!r}.")

    return parse


def read_time(text: str | int) -> int:
    """Whole epoch seconds, rounded down; ISO dates are UTC unless they say otherwise."""
    if isinstance(text, int):
        return text
    try:
        seconds = float(text)
    except ValueError:
        seconds = _iso_seconds(text.strip())
    if math.isfinite(seconds) and abs(seconds) <= _LAST_SECOND:
        return math.floor(seconds)
    raise ValueError(
        f"expected seconds since 1970 or an ISO date such as 2026-11-30, not {text!r}."
    )


def _iso_seconds(text: str) -> float:
    """The seconds of an ISO date, not a number for what is none."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, OverflowError):
        return math.nan


def read_size(text: str) -> tuple[int, int]:
    """A size in pixels, spelled 1440x900."""
    width, _, height = str(text).lower().partition("x")
    if width.isdecimal() and height.isdecimal() and len(text) <= 20:
        return int(width), int(height)
    raise ValueError(f"expected WIDTHxHEIGHT such as 1440x900, not {text!r}.")

"""Options and arguments that commands share, and how their texts become values."""

from __future__ import annotations

import math
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from mvdesk.errors import BadValue

VaultPath = Annotated[Path, typer.Argument(metavar="VAULT", help="The vault, a MemoryVault file.")]
MemoryId = Annotated[
    str, typer.Argument(metavar="ID", help="The memory's id, or its first letters (4 or more).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
Now = Annotated[
    str | None,
    typer.Option(
        "--now",
        metavar="TIME",
        help="The clock: seconds since 1970 or an ISO date, UTC unless it says otherwise.",
    ),
]
Model = Annotated[
    str | None,
    typer.Option("--model", metavar="MODEL", help="The score model, instead of the vault's."),
]
Brain = Annotated[
    str | None,
    typer.Option(
        "--brain", metavar="BRAIN", help="A brain, by id or name, where there are several."
    ),
]
Relation = Annotated[
    str,
    typer.Argument(
        metavar="RELATION",
        help="related, supports, contradicts, supersedes, causes or example_of.",
    ),
]

_LAST_SECOND: Final = 8_640_000_000_000
"""The last one that the vault's own server has a date for."""


def parse_now(text: str | None) -> int:
    """The clock in whole epoch seconds, rounded down; None is the real one."""
    if text is None:
        return int(time.time())
    try:
        seconds = float(text)
    except ValueError:
        seconds = _iso_seconds(text)
    if not math.isfinite(seconds) or abs(seconds) > _LAST_SECOND:
        raise _no_time(text)
    return math.floor(seconds)


def _iso_seconds(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, OverflowError) as error:
        raise _no_time(text) from error


def _no_time(text: str) -> BadValue:
    return BadValue(
        "--now",
        f"expected seconds since 1970 or an ISO date such as 2026-11-30, not {text!r}.",
    )


def parse_number(field: str, text: str | None) -> float | None:
    """The number that a text spells; range and kind of number are checked where it is used."""
    if text is None:
        return None
    try:
        return float(text.strip().replace("\u2212", "-"))
    except ValueError as error:
        raise BadValue(field, f"expected a number from 0 to 1, not {text!r}.") from error

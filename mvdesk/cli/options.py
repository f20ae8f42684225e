"""Options and arguments that commands share, and how their texts become values."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from mvdesk.cli.values import read_time
from mvdesk.errors import BadValue


def _file_name(path: Path) -> Path:
    if not path.name:
        raise BadValue("VAULT", f"{str(path)!r} is not the name of a file.")
    return path


VaultPath = Annotated[
    Path,
    typer.Argument(metavar="VAULT", help="The vault, a MemoryVault file.", callback=_file_name),
]
MemoryId = Annotated[
    str, typer.Argument(metavar="ID", help="The memory's id, or its first letters (4 or more).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
Now = Annotated[
    int | None,
    typer.Option(
        "--now",
        metavar="TIME",
        parser=read_time,
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


def parse_now(given: int | None) -> int:
    """The clock in whole epoch seconds; None is the real one."""
    return int(time.time()) if given is None else given


def parse_number(field: str, text: str | None) -> float | None:
    """The number that a text spells; range and kind of number are checked where it is used."""
    if text is None:
        return None
    try:
        return float(text.strip().replace("\u2212", "-"))
    except ValueError as error:
        raise BadValue(field, f"expected a number from 0 to 1, not {text!r}.") from error

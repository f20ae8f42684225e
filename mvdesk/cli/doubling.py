"""The command that lists memories that may be the same one twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, Now, VaultPath, parse_now
from mvdesk.cli.output import Column, write_json, write_line, write_table
from mvdesk.cli.parameters import All, tell_out_of_range
from mvdesk.cli.values import count_option
from mvdesk.vault.not_duplicates import read_apart
from mvdesk.vault.questions.duplicates import MOST_LISTED, Duplicate, Duplicates, find_duplicates

if TYPE_CHECKING:
    from mvdesk.vault.not_duplicates import Apart

_REASONS = {
    "text": "same text",
    "near": "nearly the same text",
    "key": "same key",
    "title": "same title and source",
}


def duplicates(
    vault: VaultPath,
    limit: Annotated[
        int, count_option(f"At most so many pairs, 1 to {MOST_LISTED}.", most=MOST_LISTED)
    ] = 40,
    no_limit: All = False,
    set_apart: Annotated[
        bool, typer.Option("--set-apart", help="Also the pairs that were said to be none.")
    ] = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """List memories that may be the same one twice, with the reasons. Nothing is written.

    Example: mvdesk duplicates notes.sqlite --json
    """
    with opened(vault, brain=brain, now=parse_now(now)) as vault_open:
        apart: Apart = frozenset()
        if not set_apart:
            apart = read_apart(vault_open.vault.companion, vault_open.vault.brain.id)
        most = None if no_limit else tell_out_of_range("limit", limit, 1, MOST_LISTED)
        found = find_duplicates(vault_open.vault, vault_open.snapshot, apart=apart, limit=most)
        if as_json:
            write_json(_found_json(vault_open, found, len(apart)))
        elif not found.pairs:
            write_line("No duplicates found.")
        else:
            _write_found(vault_open, found)


def _found_json(vault_open: Opened, found: Duplicates, apart: int) -> dict[str, Any]:
    return {
        "total": found.total,
        "by_reason": dict(found.by_reason),
        "set_apart": apart,
        "duplicates": [_pair_json(vault_open, one) for one in found.pairs],
    }


def _pair_json(vault_open: Opened, one: Duplicate) -> dict[str, Any]:
    table = vault_open.snapshot.memories
    sides = {
        side: {"id": table.ids.text(row), "title": table.labels.text(row)}
        for side, row in (("a", one.a_row), ("b", one.b_row))
    }
    return {
        **sides,
        "reasons": list(one.reasons),
        "similarity": one.similarity,
        "copies": one.copies,
    }


def _write_found(vault_open: Opened, found: Duplicates) -> None:
    table = vault_open.snapshot.memories
    columns = (
        Column("alike", right=True),
        Column("id"),
        Column("memory", elastic=True),
        Column("id"),
        Column("memory", elastic=True),
        Column("because", elastic=True, drop=1),
    )
    cells = []
    for one in found.pairs:
        sides: list[str] = []
        for row in (one.a_row, one.b_row):
            sides += [vault_open.short_id(table.ids.text(row)), table.labels.text(row)]
        because = ", ".join(_REASONS[reason] for reason in one.reasons)
        cells.append((f"{one.similarity:.0%}", *sides, because))
    write_table(columns, cells)
    if found.total > len(found.pairs):
        write_line(f"{len(found.pairs)} of {found.total}; --all shows the rest.")

"""The command that shows what was done to a vault."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mvdesk.cli.opened import opened
from mvdesk.cli.options import AsJson, Brain, Now, VaultPath, parse_now
from mvdesk.cli.output import Column, format_day, write_json, write_line, write_table
from mvdesk.cli.parameters import All, tell_out_of_range
from mvdesk.cli.values import count_option
from mvdesk.vault import rules

if TYPE_CHECKING:
    from mvdesk.cli.opened import Opened
    from mvdesk.records import HistoryEntry

_MOST = 1000


def history(
    vault: VaultPath,
    entity_id: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="Only what was done to this memory, link or source."),
    ] = None,
    limit: Annotated[int, count_option("At most so many lines, 1 to 1000.", most=_MOST)] = 40,
    no_limit: All = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Show what was done to a vault, by this program and by a server, the newest first.

    Example: mvdesk history notes.sqlite --limit 10
    """
    clock = parse_now(now)
    limit = tell_out_of_range("limit", limit, 1, _MOST)
    with opened(vault, brain=brain, now=clock) as vault_open:
        entries = rules.read_history(
            vault_open.vault, limit=None if no_limit else limit, entity_id=entity_id
        )
        if entity_id is not None and not entries:
            # Not everything in the history is a memory, and not every one is there still.
            entries = rules.read_history(
                vault_open.vault,
                limit=None if no_limit else limit,
                entity_id=vault_open.find_id(entity_id),
            )
        if as_json:
            write_json({"count": len(entries), "entries": [_entry_json(one) for one in entries]})
        elif not entries:
            write_line("Nothing was done yet.")
        else:
            _write(vault_open, entries)


def _entry_json(entry: HistoryEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "event_type": entry.event_type,
        "entity_type": entry.entity_type,
        "entity_id": entry.entity_id,
        "summary": entry.summary,
        "payload": _payload(entry),
        "created_at": entry.created_at,
    }


def _payload(entry: HistoryEntry) -> object:
    """The payload as data; as the text it is where that is no JSON."""
    if entry.payload is None:
        return None
    try:
        return json.loads(entry.payload, parse_constant=str)
    except (ValueError, RecursionError):
        return entry.payload


def _write(vault_open: Opened, entries: list[HistoryEntry]) -> None:
    columns = (
        Column("when"),
        Column("what", elastic=True),
        Column("about", elastic=True),
        Column("event", drop=1),
    )
    cells = []
    for entry in entries:
        payload = _payload(entry)
        about = _about(vault_open, entry, payload)
        undone = isinstance(payload, dict) and "undo_of" in payload
        what = f"{entry.summary} (undo)" if undone else entry.summary
        cells.append((_when(entry.created_at), what, about, entry.event_type))
    write_table(columns, cells)


def _about(vault_open: Opened, entry: HistoryEntry, payload: object) -> str:
    """A memory's title, both of a link and of a conflict; the ids of what is gone."""

    def title(memory_id: str) -> str:
        row = vault_open.snapshot.row_of(memory_id)
        return memory_id if row is None else vault_open.snapshot.memories.labels.text(row)

    if entry.entity_type == "memory_link" and isinstance(payload, dict):
        ends = [payload.get(end) for end in ("from_id", "to_id")]
        if all(isinstance(end, str) for end in ends):
            return " → ".join(map(title, map(str, ends)))
    if entry.entity_type == "memory_conflict":
        return " and ".join(map(title, entry.entity_id.replace("::", "|").split("|")))
    return title(entry.entity_id)


def _when(seconds: int) -> str:
    with suppress(OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
    return format_day(seconds)  # a time that no calendar has: its number

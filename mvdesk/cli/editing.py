"""Commands that write memories and take a write back: add, edit, undo."""

from __future__ import annotations

import sys
import uuid
from typing import Annotated, Final

import typer

from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import (
    AsJson,
    Brain,
    MemoryId,
    Model,
    Now,
    VaultPath,
    parse_now,
    parse_number,
)
from mvdesk.cli.output import clean, write_json, write_line
from mvdesk.cli.parameters import DRY_RUN, DryRun, write
from mvdesk.cli.records_json import changes_json, memory_json
from mvdesk.errors import BadValue, UndoImpossible
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.plan import Plan
from mvdesk.vault.vault import Vault

STANDARD_INPUT: Final = "-"

Type = Annotated[str | None, typer.Option("--type", metavar="TYPE", help="note, fact or journal.")]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Its title.")]
Key = Annotated[str | None, typer.Option("--key", metavar="TEXT", help="Its key.")]
Content = Annotated[
    str | None,
    typer.Option("--content", metavar="TEXT", help="Its text; - reads it from standard input."),
]
Tags = Annotated[
    str | None, typer.Option("--tags", metavar="TAGS", help="Its tags, with commas between.")
]
Source = Annotated[
    str | None, typer.Option("--source", metavar="TEXT", help="Where it comes from.")
]
Confidence = Annotated[
    str | None, typer.Option("--confidence", metavar="0..1", help="Its base confidence.")
]
Importance = Annotated[
    str | None, typer.Option("--importance", metavar="0..1", help="Its base importance.")
]


def add(
    vault: VaultPath,
    content: Content = None,
    type_: Type = None,
    title: Title = None,
    key: Key = None,
    tags: Tags = None,
    source: Source = None,
    confidence: Confidence = None,
    importance: Importance = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """Add a memory.

    It is a note with bases 0.7 and 0.5, unless you say otherwise.

    Example: mvdesk add notes.sqlite --type fact --content "The spare key is at Lena's."
    """
    clock = parse_now(now)
    fields = _fields(content, type_, title, key, tags, source, confidence, importance)
    with opened(vault, brain=brain, model=model, now=clock) as vault_open:
        memory_id = str(uuid.uuid4())
        plan = plan_add(vault_open.brain_id, fields, now=clock, memory_id=memory_id)
        write(vault_open, plan, dry_run=dry_run)
        label = clean(plan.changes[0].key.label)
        if as_json:
            _write_result(vault_open, plan, memory_id, dry_run=dry_run)
        else:
            write_line(f"{DRY_RUN}Add {label}." if dry_run else f"Added {memory_id}: {label}")


def edit(
    vault: VaultPath,
    memory_id: MemoryId,
    content: Content = None,
    type_: Type = None,
    title: Title = None,
    key: Key = None,
    tags: Tags = None,
    source: Source = None,
    confidence: Confidence = None,
    importance: Importance = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """Give a memory other values.

    An empty text clears a field; fields that aren't named stay.

    Example: mvdesk edit notes.sqlite 3fa9c1d2 --source "incident log" --confidence 0.8
    """
    clock = parse_now(now)
    fields = _fields(content, type_, title, key, tags, source, confidence, importance)
    with opened(vault, brain=brain, model=model, now=clock) as vault_open:
        memory = vault_open.read_memory(memory_id)
        plan = plan_edit(memory, fields, now=clock)
        write(vault_open, plan, dry_run=dry_run)
        if as_json:
            _write_result(vault_open, plan, memory.id, dry_run=dry_run)
        elif plan.is_empty:
            write_line("Nothing to change.")
        else:
            said = DRY_RUN if dry_run else ""
            write_line(clean(f"{said}{plan.label}: {plan.changes[0].why}."))


def undo(
    vault: VaultPath,
    dry_run: DryRun = False,
    skip: Annotated[
        bool,
        typer.Option(
            "--skip", help="Forget the last step where it can't be undone, to reach those before."
        ),
    ] = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Take back the last step.

    That is the last thing done to this vault, in the window or by a command.

    Example: mvdesk undo notes.sqlite
    """
    clock = parse_now(now)
    with opened(vault, brain=brain, now=clock) as vault_open:
        within = vault_open.vault
        if skip:
            _skip(within, dry_run=dry_run, as_json=as_json)
            return
        label, changes = within.try_undo() if dry_run else within.undo(now=clock)
        if as_json:
            write_json(
                {
                    "dry_run": dry_run,
                    "undone": label,
                    "memory_ids": sorted(changes.memory_ids),
                    "link_ids": sorted(changes.link_ids),
                    "source_keys": sorted(changes.source_keys),
                }
            )
        else:
            write_line(clean(f"{DRY_RUN}Undo: {label}." if dry_run else f"Undone: {label}."))


def _skip(vault: Vault, *, dry_run: bool, as_json: bool) -> None:
    """Forget the last step. Raises BadValue when it can be undone, UndoImpossible for none."""
    try:
        label, _ = vault.try_undo()
    except UndoImpossible as error:
        if not error.step_id:
            raise
        label = vault.journal.undo_label
        if not dry_run:
            vault.skip_step(error.step_id)
    else:
        raise BadValue("--skip", f"“{label}” can be undone.", "Undo it without --skip.")
    if as_json:
        write_json({"dry_run": dry_run, "skipped": label, "next": vault.journal.undo_label})
    else:
        write_line(clean(f"{DRY_RUN}Skip: {label}." if dry_run else f"Skipped: {label}."))


def _fields(
    content: str | None,
    type_: str | None,
    title: str | None,
    key: str | None,
    tags: str | None,
    source: str | None,
    confidence: str | None,
    importance: str | None,
) -> dict[str, object]:
    """What was given, by the vault's column names."""
    given: dict[str, object] = {
        "type": type_,
        "title": title,
        "key": key,
        "content": read_standard_input() if content == STANDARD_INPUT else content,
        "tags": tags,
        "source": source,
        "confidence": parse_number("confidence", confidence),
        "importance": parse_number("importance", importance),
    }
    return {name: value for name, value in given.items() if value is not None}


def read_standard_input() -> str:
    """A memory's text from standard input. Raises BadValue for what is no UTF-8."""
    try:
        return sys.stdin.buffer.read().decode("utf-8").rstrip("\n")
    except UnicodeDecodeError as error:
        raise BadValue("content", "standard input is not UTF-8 text.", "", str(error)) from error


def _write_result(before: Opened, plan: Plan, memory_id: str, *, dry_run: bool) -> None:
    done: dict[str, object] = {"dry_run": dry_run, "changes": changes_json(plan), "id": memory_id}
    if not dry_run:  # until it is written, nobody has seen its scores
        after = Opened(before.vault, before.model, before.now)
        done["memory"] = memory_json(after, after.vault.read_memory(memory_id))
    write_json(done)

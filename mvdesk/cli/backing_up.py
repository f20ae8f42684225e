"""The command that copies a vault, lists its automatic backups and restores one."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mvdesk.cli.options import AsJson, Now, VaultPath, parse_now
from mvdesk.cli.output import Column, clean, format_day, write_json, write_line, write_table
from mvdesk.cli.parameters import DRY_RUN, DryRun
from mvdesk.cli.values import WrongUsage
from mvdesk.errors import BadValue, VaultNotFound
from mvdesk.store.restoring import (
    copy_vault,
    count_memories,
    read_backups,
    restore_backup,
)

if TYPE_CHECKING:
    from mvdesk.store.restoring import BackupFile


def backup(
    vault: VaultPath,
    target: Annotated[
        Path | None,
        typer.Argument(metavar="TO", help="The new file; beside the vault unless given."),
    ] = None,
    show: Annotated[
        bool, typer.Option("--list", help="List the automatic backups instead.")
    ] = False,
    restore: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Put this backup (a name of the list, or a file) in its place."
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
) -> None:
    """Copy a vault while it may be in use, or go back to a backup.

    Before a backup is restored, the present state is backed up as well: restoring that one
    takes it back.

    Example: mvdesk backup notes.sqlite --restore 2026-11-30.sqlite
    """
    clock = parse_now(now)
    if sum((target is not None, show, restore is not None)) > 1:
        raise WrongUsage("backup", "TO, --list and --restore don't go together.")
    if show:
        _list(vault, as_json=as_json)
    elif restore is not None:
        _restore(vault, restore, clock, dry_run=dry_run, as_json=as_json)
    else:
        _copy(vault, target or _free_name(vault, clock), dry_run=dry_run, as_json=as_json)


def _copy(vault: Path, target: Path, *, dry_run: bool, as_json: bool) -> None:
    if not dry_run:
        copy_vault(vault, target)
    count = count_memories(vault if dry_run else target)
    if as_json:
        write_json({"dry_run": dry_run, "backup": str(target), "memory_count": count})
    else:
        write_line(f"{_head(dry_run)}{clean(str(target))}: {_counted(count)}.")


def _list(vault: Path, *, as_json: bool) -> None:
    if not (vault.exists() or read_backups(vault)):
        raise VaultNotFound(f"There is no file {vault}.", "Nothing was changed.", "Check the name.")
    found = read_backups(vault)
    if as_json:
        write_json({"count": len(found), "backups": [_backup_json(one) for one in found]})
    elif not found:
        write_line("No backups yet. One is made before the first write of each day.")
    else:
        write_table(
            (
                Column("backup"),
                Column("made"),
                Column("memories", right=True),
                Column("size", right=True),
            ),
            [
                (
                    one.path.name,
                    format_day(one.made_at),
                    "damaged" if one.memory_count is None else str(one.memory_count),
                    f"{one.size / 1e6:.1f} MB",
                )
                for one in found
            ],
        )


def _restore(vault: Path, name: str, clock: int, *, dry_run: bool, as_json: bool) -> None:
    source = _find(vault, name)
    before, after = count_memories(vault), count_memories(source)
    kept, was_damaged = None, False
    if not dry_run or after is None:  # what is no vault is refused either way
        done = restore_backup(vault, source, day=_day(clock))
        kept, was_damaged = done.kept, done.was_damaged
    if as_json:
        write_json(
            {
                "dry_run": dry_run,
                "restored": str(source),
                "memory_count_before": before,
                "memory_count": after,
                "kept": str(kept) if kept else None,
                "was_damaged": was_damaged,
            }
        )
        return
    there = "a file that can't be read" if before is None else _counted(before)
    write_line(clean(f"{_head(dry_run)}{source.name}, {_counted(after)}, replaces {there}."))
    if kept and was_damaged:
        write_line(clean(f"The file that was there is kept as {kept.name}."))
    elif kept:
        write_line(
            clean(f"The state before is kept: {kept.name} in the folder {kept.parent.name}.")
        )
    if not dry_run:
        write_line("`mvdesk undo` doesn't reach across a restored backup.")


def _find(vault: Path, name: str) -> Path:
    backups = {one.path.name: one.path for one in read_backups(vault)}
    if name in backups:
        return backups[name]
    if f"{name}.sqlite" in backups:
        return backups[f"{name}.sqlite"]
    if Path(name).is_file():
        return Path(name)
    known = ", ".join(list(backups)[:3]) or "none"
    raise BadValue("--restore", f"there is no backup {name!r}.", f"There are: {known}.")


def _free_name(vault: Path, clock: int) -> Path:
    stem, number = f"{vault.stem}-{_day(clock)}", 1
    path = vault.with_name(f"{stem}.sqlite")
    while os.path.lexists(path):
        number += 1
        path = vault.with_name(f"{stem}-{number}.sqlite")
    return path


def _day(clock: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(clock))


def _head(dry_run: bool) -> str:
    return DRY_RUN if dry_run else ""


def _counted(count: int | None) -> str:
    return "an unknown number of memories" if count is None else f"{count} memories"


def _backup_json(one: BackupFile) -> dict[str, object]:
    return {
        "name": one.path.name,
        "path": str(one.path),
        "made_at": one.made_at,
        "size": one.size,
        "memory_count": one.memory_count,
    }

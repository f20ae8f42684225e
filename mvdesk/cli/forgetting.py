"""Commands that put memories away: archive, restore, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, Now, VaultPath, parse_now
from mvdesk.cli.output import clean, write_json, write_line
from mvdesk.cli.parameters import DryRun, headline, write
from mvdesk.cli.records_json import changes_json
from mvdesk.vault.operations.forget import plan_archive, plan_delete, plan_restore
from mvdesk.vault.plan import MEMORIES

if TYPE_CHECKING:
    from mvdesk.records import Memory
    from mvdesk.vault.plan import Plan

MemoryIds = Annotated[
    list[str], typer.Argument(metavar="ID", help="Memories, by id or its first letters.")
]


def archive(
    vault: VaultPath,
    memory_ids: MemoryIds,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Put memories into the archive: kept, but out of lists, conflicts and decay.

    Example: mvdesk archive notes.sqlite 3fa9c1d2 77b0e4aa
    """
    clock = parse_now(now)
    with opened(vault, brain=brain, now=clock) as vault_open:
        memories = _read(vault_open, memory_ids)
        plan = plan_archive(memories, brain_id=vault_open.brain_id, now=clock)
        _finish(vault_open, plan, dry_run=dry_run, as_json=as_json)


def restore(
    vault: VaultPath,
    memory_ids: MemoryIds,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Bring memories back from the archive.

    Example: mvdesk restore notes.sqlite 3fa9c1d2
    """
    clock = parse_now(now)
    with opened(vault, brain=brain, now=clock) as vault_open:
        memories = _read(vault_open, memory_ids)
        plan = plan_restore(memories, brain_id=vault_open.brain_id, now=clock)
        _finish(vault_open, plan, dry_run=dry_run, as_json=as_json)


def delete(
    vault: VaultPath,
    memory_ids: MemoryIds,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Delete memories for good, with their links. `mvdesk undo` still brings them back.

    Example: mvdesk delete notes.sqlite 3fa9c1d2 --dry-run
    """
    clock = parse_now(now)
    with opened(vault, brain=brain, now=clock) as vault_open:
        memories = _read(vault_open, memory_ids)
        links = vault_open.vault.read_links_of(*(memory.id for memory in memories))
        plan = plan_delete(memories, links, brain_id=vault_open.brain_id)
        _finish(vault_open, plan, dry_run=dry_run, as_json=as_json)


def _read(vault_open: Opened, texts: list[str]) -> list[Memory]:
    """The memories in the order they were named, each once."""
    ids = dict.fromkeys(vault_open.find_id(text) for text in texts)
    return [vault_open.vault.read_memory(memory_id) for memory_id in ids]


def _finish(vault_open: Opened, plan: Plan, *, dry_run: bool, as_json: bool) -> None:
    write(vault_open, plan, dry_run=dry_run)
    ids = [change.key.id for change in plan.changes if change.key.table == MEMORIES]
    if as_json:
        write_json(
            {"dry_run": dry_run, "count": len(ids), "ids": ids, "changes": changes_json(plan)}
        )
        return
    links = len(plan.changes) - len(ids)
    also = f" {links} {'link goes' if links == 1 else 'links go'} too." if links else ""
    write_line(clean(f"{headline(plan, dry_run=dry_run)}{also}"))

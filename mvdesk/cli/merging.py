"""The command that makes one memory of several."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Annotated

import typer

from mvdesk.cli.editing import STANDARD_INPUT, read_standard_input
from mvdesk.cli.opened import opened
from mvdesk.cli.options import AsJson, Brain, Now, VaultPath, parse_now
from mvdesk.cli.output import clean, write_json, write_line
from mvdesk.cli.parameters import DryRun, headline, write
from mvdesk.cli.records_json import changes_json
from mvdesk.vault.operations.merge import plan_merge
from mvdesk.vault.plan import LINKS, MEMORIES

if TYPE_CHECKING:
    from mvdesk.vault.plan import Plan


def merge(
    vault: VaultPath,
    memory_ids: Annotated[
        list[str],
        typer.Argument(metavar="ID", help="The memories, by id or its first letters."),
    ],
    into: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The one that stays; else the most important of them."),
    ] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Its title afterwards; else its own.")
    ] = None,
    content: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Its text afterwards; - reads it from standard input. Else all texts, its own "
            "first.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Make one memory of several: with all tags, texts and links, and the highest bases.

    The others go to the archive, superseded by it.

    Example: mvdesk merge notes.sqlite 77b0e4aa 5c20d9e1 --into 3fa9c1d2 --dry-run
    """
    clock = parse_now(now)
    text = read_standard_input() if content == STANDARD_INPUT else content
    with opened(vault, brain=brain, now=clock) as vault_open:
        wanted = memory_ids if into is None else [into, *memory_ids]
        ids = list(dict.fromkeys(vault_open.find_id(one) for one in wanted))
        plan = plan_merge(
            list(vault_open.read_memories(ids).values()),
            vault_open.vault.read_links_of(*ids),
            primary_id=None if into is None else ids[0],
            content=text,
            title=title,
            now=clock,
            new_id=lambda: str(uuid.uuid4()),
        )
        write(vault_open, plan, dry_run=dry_run)
        if as_json:
            told = {name: plan.log[0].payload[name] for name in _TOLD}
            write_json({"dry_run": dry_run, **told, "changes": changes_json(plan)})
        else:
            _say(plan, dry_run=dry_run)


_TOLD = ("primary_id", "archived_ids", "source_count")


def _say(plan: Plan, *, dry_run: bool) -> None:
    write_line(clean(headline(plan, dry_run=dry_run)))
    primary = plan.changes[0]
    fields = [name for name in primary.written if name != "updated_at"]
    if fields:
        named = ", ".join("text" if name == "content" else name for name in fields)
        write_line(f"  {clean(primary.key.label)} gets new values: {named}")
    for change in plan.changes[1:]:
        if change.key.table == MEMORIES:
            write_line(f"  {clean(change.key.label)} goes to the archive, superseded")
    links = [change for change in plan.changes if change.key.table == LINKS]
    made = sum(change.before is None for change in links)
    gone = sum(change.after is None for change in links)
    moved = len(links) - made - gone
    counted = ((made, "made"), (moved, "moved to the one"), (gone, "removed, as it has the same"))
    for count, what in counted:
        if count:
            write_line(f"  {count} {'link' if count == 1 else 'links'} {what}")

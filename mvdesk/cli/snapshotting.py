"""The command that takes, lists and restores snapshots of a brain."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mvdesk.cli.opened import Opened, opened, read_rules, unique_start
from mvdesk.cli.options import AsJson, Brain, Now, VaultPath, parse_now
from mvdesk.cli.output import Column, clean, format_day, write_json, write_line, write_table
from mvdesk.cli.parameters import All, DryRun, headline, tell_out_of_range, write
from mvdesk.cli.records_json import changes_json
from mvdesk.cli.values import WrongUsage, choice_option, count_option, one_of
from mvdesk.errors import BadValue
from mvdesk.vault import brain_state
from mvdesk.vault.operations.snapshot_restore import MERGE, Restore
from mvdesk.vault.operations.snapshots import plan_snapshot
from mvdesk.vault.snapshot_restoring import preview_restore

if TYPE_CHECKING:
    from mvdesk.records import StoredSnapshot
    from mvdesk.vault.plan import Plan

ACTIONS = (CREATE, LIST, RESTORE) = ("create", "list", "restore")
MODES = (MERGE, "replace")
_MOST = 500
_SHOWN_SKIPPED = 20


def snapshot(
    vault: VaultPath,
    action: Annotated[
        str, typer.Argument(metavar="ACTION", parser=one_of(ACTIONS), help=" or ".join(ACTIONS))
    ],
    snapshot_id: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="Which snapshot to restore, by id or its beginning."),
    ] = None,
    label: Annotated[str | None, typer.Option(metavar="TEXT", help="create: its name.")] = None,
    summary: Annotated[
        str | None, typer.Option(metavar="TEXT", help="create: what it is for.")
    ] = None,
    include_archived: Annotated[
        bool, typer.Option("--include-archived", help="create: with the archive.")
    ] = False,
    mode: Annotated[
        str,
        choice_option(
            "MODE", MODES, "restore: merge (add and update) or replace (delete the rest, too)."
        ),
    ] = MERGE,
    restore_policy: Annotated[
        bool, typer.Option("--restore-policy/--keep-policy", help="restore: the policy, too.")
    ] = True,
    restore_source_trust: Annotated[
        bool,
        typer.Option("--restore-source-trust/--keep-source-trust", help="restore: trust, too."),
    ] = True,
    limit: Annotated[int, count_option("list: at most so many, 1 to 500.", most=_MOST)] = 50,
    no_limit: All = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Take a snapshot of a brain inside the vault, list those there are, or restore one.

    A restore is one step that `mvdesk undo` takes back; --dry-run shows what it would change.

    Example: mvdesk snapshot notes.sqlite create --label "before tidying"
    """
    clock = parse_now(now)
    if (action == RESTORE) == (snapshot_id is None):
        raise WrongUsage(
            "ID",
            "name the snapshot to restore."
            if snapshot_id is None
            else f"{action} takes no snapshot.",
            "`mvdesk snapshot VAULT list` shows them.",
        )
    limit = tell_out_of_range("limit", limit, 1, _MOST)
    with opened(vault, brain=brain, now=clock) as vault_open:
        if action == LIST:
            _list(vault_open, None if no_limit else limit, as_json=as_json)
        elif action == CREATE:
            existing = brain_state.read_snapshots(vault_open.vault)
            with brain_state.stream_brain(vault_open.vault) as whole:
                plan = plan_snapshot(
                    whole,
                    existing,
                    label=label,
                    summary=summary,
                    include_archived=include_archived,
                    now=clock,
                    snapshot_id=str(uuid.uuid4()),
                )
            write(vault_open, plan, dry_run=dry_run)
            _tell_created(vault_open, plan, dry_run=dry_run, as_json=as_json)
        else:
            restore = preview_restore(
                vault_open.vault,
                _find(vault_open, snapshot_id or ""),
                mode,
                restore_policy=restore_policy,
                restore_trust=restore_source_trust,
                now=clock,
                new_id=lambda: str(uuid.uuid4()),
            )
            write(vault_open, restore.plan, dry_run=dry_run)
            _tell_restored(restore, dry_run=dry_run, as_json=as_json)


def _list(vault_open: Opened, limit: int | None, *, as_json: bool) -> None:
    found = brain_state.read_snapshots(vault_open.vault)
    shown = found[:limit]
    if as_json:
        write_json({"count": len(shown), "snapshots": [_snapshot_json(one) for one in shown]})
        return
    if not found:
        write_line("No snapshots yet. `mvdesk snapshot VAULT create` takes one.")
        return
    columns = (
        Column("id"),
        Column("taken"),
        Column("label", elastic=True),
        Column("memories", right=True),
        Column("links", right=True),
        Column("summary", elastic=True, drop=1),
    )
    write_table(
        columns,
        [
            (
                vault_open.short_id(one.id),
                format_day(one.created_at),
                one.label or "",
                str(one.memory_count),
                str(one.link_count),
                one.summary or "",
            )
            for one in shown
        ],
    )
    if len(shown) < len(found):
        write_line(f"{len(shown)} of {len(found)}; --all shows the rest.")


def _find(vault_open: Opened, text: str) -> StoredSnapshot:
    snapshots = {one.id: one for one in brain_state.read_snapshots(vault_open.vault)}
    found = text if text in snapshots else unique_start(text, list(snapshots))
    if found is None:
        raise BadValue(
            "ID",
            f"no snapshot has the id {text!r}.",
            "`mvdesk snapshot VAULT list` shows the ids.",
        )
    return snapshots[found]


def _tell_created(vault_open: Opened, plan: Plan, *, dry_run: bool, as_json: bool) -> None:
    row = plan.changes[0].after or {}
    retention = read_rules(vault_open).snapshot_retention
    if as_json:
        write_json(
            {
                "dry_run": dry_run,
                "snapshot_id": row["id"],
                "memory_count": row["memory_count"],
                "link_count": row["link_count"],
                "retention_applied": retention,
                "pruned_snapshots": len(plan.changes) - 1,
            }
        )
        return
    write_line(
        clean(
            f"{headline(plan, dry_run=dry_run)} {row['memory_count']!s} memories, "
            f"{row['link_count']!s} links, id {plan.changes[0].key.id}."
        )
    )
    for change in plan.changes[1:]:
        write_line(f"  {clean(change.key.label)} goes: {clean(change.why)}.")


def _tell_restored(restore: Restore, *, dry_run: bool, as_json: bool) -> None:
    plan = restore.plan
    if as_json:
        write_json(
            {
                "dry_run": dry_run,
                "snapshot_id": restore.snapshot.id,
                "mode": restore.mode,
                "restored": {
                    kind: count.held for kind, count in restore.counts.items() if kind != "policy"
                },
                "restore_policy": restore.restores_policy,
                "counts": {kind: _count_json(count) for kind, count in restore.counts.items()},
                "skipped": list(restore.skipped),
                "notes": list(restore.notes),
                "changes": changes_json(plan),
            }
        )
        return
    write_line(clean(headline(plan, dry_run=dry_run)))
    write_table(
        (
            Column(""),
            Column("made", right=True),
            Column("changed", right=True),
            Column("deleted", right=True),
            Column("in the snapshot", right=True),
        ),
        [
            (
                kind.replace("_", " "),
                str(count.made),
                str(count.changed),
                str(count.deleted),
                str(count.held),
            )
            for kind, count in restore.counts.items()
        ],
    )
    for sentence in (*restore.notes, *restore.skipped[:_SHOWN_SKIPPED]):
        write_line(clean(sentence))
    if len(restore.skipped) > _SHOWN_SKIPPED:
        write_line(f"… and {len(restore.skipped) - _SHOWN_SKIPPED} more; --json names them all.")


def _count_json(count: object) -> dict[str, Any]:
    return {name: getattr(count, name) for name in ("made", "changed", "deleted", "held")}


def _snapshot_json(one: StoredSnapshot) -> dict[str, Any]:
    return {
        "id": one.id,
        "label": one.label,
        "summary": one.summary,
        "memory_count": one.memory_count,
        "link_count": one.link_count,
        "created_at": one.created_at,
    }

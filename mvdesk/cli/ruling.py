"""Commands about what a brain keeps beside memories: its policy, its aliases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mvdesk.cli.opened import Opened, opened, read_rules
from mvdesk.cli.options import AsJson, Brain, Now, VaultPath, parse_now
from mvdesk.cli.output import Column, clean, format_day, write_json, write_line, write_table
from mvdesk.cli.parameters import DryRun, headline, write
from mvdesk.cli.records_json import changes_json, plain
from mvdesk.cli.values import WrongUsage
from mvdesk.errors import BadValue
from mvdesk.vault import rules
from mvdesk.vault.operations.policy import RANGES, Policy, plan_set_policy

if TYPE_CHECKING:
    from mvdesk.records import EntityAlias


def policy(
    vault: VaultPath,
    settings: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE", help="Rules to set; none shows them all."),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Show the rules of a brain, or set some: after how many days memories decay, and so on.

    Example: mvdesk policy notes.sqlite decay_days=60 snapshot_retention=20
    """
    clock = parse_now(now)
    wanted = dict(_parsed(text) for text in settings or [])
    if dry_run and not wanted:
        raise WrongUsage("--dry-run", "it needs NAME=VALUE to try.")
    with opened(vault, brain=brain, now=clock) as vault_open:
        in_force = read_rules(vault_open)
        if not wanted:
            _show(in_force, as_json=as_json)
            return
        stored = rules.read_policy(vault_open.vault)
        plan = plan_set_policy(stored, wanted, brain_id=vault_open.brain_id, now=clock)
        before = in_force.to_json()
        after = {**before, **wanted}
        write(vault_open, plan, dry_run=dry_run)
        if as_json:
            write_json({"dry_run": dry_run, "policy": after, "changes": changes_json(plan)})
            return
        write_line(clean(headline(plan, dry_run=dry_run)))
        for name, value in after.items():
            if before[name] != value:
                write_line(f"  {name}: {_spelled(before[name])} becomes {_spelled(value)}")


def aliases(
    vault: VaultPath,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """List the memories that are another name for one, as a server keeps them.

    Example: mvdesk aliases notes.sqlite
    """
    with opened(vault, brain=brain, now=parse_now(now)) as vault_open:
        found = rules.read_aliases(vault_open.vault)
        if as_json:
            write_json({"count": len(found), "aliases": [_alias_json(one) for one in found]})
        elif not found:
            write_line("No aliases.")
        else:
            _write_aliases(vault_open, found)


def _parsed(text: str) -> tuple[str, object]:
    """NAME=VALUE as a rule and what it is set to; whether that fits is for the operation."""
    name, mark, value = text.partition("=")
    if not mark:
        raise BadValue("policy", f"expected NAME=VALUE, not {text!r}.", "Such as decay_days=60.")
    value = {"yes": "true", "no": "false"}.get(value.strip().lower(), value.strip())
    try:
        return name.strip(), json.loads(value.lower())
    except (ValueError, RecursionError):
        return name.strip(), value


def _show(rules_in_force: Policy, *, as_json: bool) -> None:
    values, defaults = rules_in_force.to_json(), Policy().to_json()
    if as_json:
        write_json({"policy": values})
        return
    write_table(
        (Column("rule"), Column("value", right=True), Column("usual", right=True), Column("range")),
        [
            (name, _spelled(value), _spelled(defaults[name]), _range(name))
            for name, value in values.items()
        ],
    )


def _range(name: str) -> str:
    return f"{RANGES[name][0]:g} to {RANGES[name][1]:g}" if name in RANGES else "yes or no"


def _spelled(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(plain(value)) if isinstance(value, float) else str(value)


def _alias_json(one: EntityAlias) -> dict[str, Any]:
    return {
        "id": one.id,
        "canonical_memory_id": one.canonical_memory_id,
        "alias_memory_id": one.alias_memory_id,
        "note": one.note,
        "confidence": plain(one.confidence),
        "created_at": one.created_at,
        "updated_at": one.updated_at,
    }


def _write_aliases(vault_open: Opened, found: list[EntityAlias]) -> None:
    labels = {
        memory.id: memory.label
        for memory in vault_open.vault.read_memories(
            [end for one in found for end in (one.canonical_memory_id, one.alias_memory_id)]
        )
    }

    def named(memory_id: str) -> str:
        return f"{vault_open.short_id(memory_id)} {labels.get(memory_id, '(not in the vault)')}"

    write_table(
        (
            Column("alias", elastic=True),
            Column("stands for", elastic=True),
            Column("since"),
            Column("note", elastic=True, drop=1),
        ),
        [
            (
                named(one.alias_memory_id),
                named(one.canonical_memory_id),
                format_day(one.created_at),
                one.note or "",
            )
            for one in found
        ],
    )

"""The command that checks a vault, mends what it can, and rescues what a damaged one holds."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mvdesk.cli.opened import opened
from mvdesk.cli.options import AsJson, Brain, Now, VaultPath, parse_now
from mvdesk.cli.output import Column, clean, complain, write_json, write_line, write_table
from mvdesk.cli.parameters import DRY_RUN, DryRun, write
from mvdesk.cli.records_json import changes_json
from mvdesk.cli.values import WrongUsage
from mvdesk.errors import VaultDamaged, VaultError
from mvdesk.vault.operations.repair import can_be_repaired, plan_remove_orphans, plan_repair
from mvdesk.vault.questions.check import check_vault, renew_companion
from mvdesk.vault.rescuing import rescue_vault

if TYPE_CHECKING:
    from mvdesk.cli.opened import Opened
    from mvdesk.store.checking import Finding
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.check import Check

_SHOWN = 10
_PROBLEMS = 1


def check(
    vault: VaultPath,
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what has an obvious right value.")
    ] = False,
    rescue: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save what can be read of a damaged vault as a MemoryVault export."
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> int:
    """Check a vault: the file itself, references, values, times, links, the file beside it.

    `mvdesk undo` takes a repair back, except that links without an end don't come back where
    the file's rules forbid them. Exit code 1: problems are left.

    Example: mvdesk check notes.sqlite --repair --dry-run
    """
    clock = parse_now(now)
    if rescue is not None:
        if repair or dry_run:
            raise WrongUsage("--rescue", "it doesn't go with --repair or --dry-run.")
        _rescue(vault, rescue, brain, clock, as_json=as_json)
        return 0
    try:
        with opened(vault, brain=brain, now=clock) as vault_open:
            return _check(vault_open, repair=repair, dry_run=dry_run, as_json=as_json)
    except VaultDamaged as error:
        raise VaultDamaged(
            error.what,
            error.safe,
            f"{error.remedy} `mvdesk check VAULT --rescue FILE` saves what can still be read.",
            error.details,
        ) from error


def _check(vault_open: Opened, *, repair: bool, dry_run: bool, as_json: bool) -> int:
    vault = vault_open.vault
    found = check_vault(vault, now=vault_open.now)
    plans: list[Plan] = []
    if repair:
        # What can't be undone comes first, so that it isn't in the way of what can.
        for plan_part in (plan_remove_orphans, plan_repair):
            plan = plan_part(found.repairable, brain_id=vault_open.brain_id)
            write(vault_open, plan, dry_run=dry_run)
            plans += [] if plan.is_empty else [plan]
        if not dry_run:
            renew_companion(vault, found)
    mended = repair and not dry_run
    left = [one for one in found.problems if not (mended and can_be_repaired(one))]
    beside = [] if mended and not found.companion else [found.companion, found.index_damage]
    if as_json:
        write_json(_check_json(found, plans, left, repaired=mended))
    else:
        _write_check(found)
        for note in vault.file.schema.missing_notes():
            write_line(note)
        if repair:
            _write_repair(plans, dry_run=dry_run)
    count = len(left) + sum(bool(text) for text in beside)
    if count:
        can = 0 if mended else len(found.repairable)
        hint = f" --repair mends {can} of them." if can else ""
        complain(f"{count} {'problem' if count == 1 else 'problems'} in this vault.{hint}")
    return _PROBLEMS if count else 0


def _write_check(found: Check) -> None:
    if found.findings:
        counted = Counter((one.kind, one.table, one.column) for one in found.findings)
        write_table(
            (
                Column("what"),
                Column("where"),
                Column("rows", right=True),
                Column("such as", elastic=True),
            ),
            [
                (
                    kind,
                    f"{table}.{column}" if table else "the file",
                    str(count),
                    _example(found, key),
                )
                for key, count in counted.items()
                for kind, table, column in (key,)
            ],
        )
    else:
        write_line("The vault is sound.")
    if found.companion:
        write_line(clean(f"The file beside the vault is damaged: {found.companion}"))
    if found.index_damage:
        write_line(clean(f"The index of texts is damaged: {found.index_damage}"))
    if found.is_companion_stale:
        write_line("What is kept beside the vault for a fast start is not of its present state.")


def _write_repair(plans: list[Plan], *, dry_run: bool) -> None:
    head = DRY_RUN if dry_run else ""
    if not plans:
        write_line("Nothing to repair.")
    for plan in plans:
        write_line(clean(f"{head}{plan.label}."))
        for change in plan.changes[:_SHOWN]:
            write_line(f"  {clean(f'{change.key.label}: {change.why}')}")
        if len(plan.changes) > _SHOWN:
            write_line(f"  … and {len(plan.changes) - _SHOWN} more")


def _example(found: Check, key: tuple[str, str, str]) -> str:
    one = next(one for one in found.findings if (one.kind, one.table, one.column) == key)
    return one.details or f"{one.row_id}: {_plain(one.value)}"


def _check_json(
    found: Check, plans: list[Plan], left: list[Finding], *, repaired: bool
) -> dict[str, Any]:
    return {
        "sound": not found.problems and not found.companion and not found.index_damage,
        "findings": [_finding_json(one) for one in found.findings],
        "companion": found.companion or None,
        "index": found.index_damage or None,
        "companion_is_stale": found.is_companion_stale,
        "repaired": repaired,
        "changes": [change for plan in plans for change in changes_json(plan)],
        "problems_left": len(left),
    }


def _finding_json(one: Finding) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "table": one.table or None,
        "id": one.row_id or None,
        "column": one.column or None,
        "value": _plain(one.value),
        "details": one.details or None,
        "repairable": can_be_repaired(one),
    }


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    return value if isinstance(value, str | int | None) else str(value)


def _rescue(vault: Path, target: Path, brain: str | None, clock: int, *, as_json: bool) -> None:
    saved = rescue_vault(vault, exported_at=clock, brain_id=brain)
    try:
        handle = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError as error:
        raise VaultError(
            f"There is a file {target} already.", "Nothing was written.", "Choose another name."
        ) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(saved.text)
    except OSError:
        target.unlink(missing_ok=True)
        raise
    if as_json:
        write_json(
            {
                "rescued": str(target),
                "counts": dict(saved.counts),
                "broken": list(saved.broken),
                "missing": list(saved.missing),
            }
        )
        return
    named = ", ".join(f"{count} {name}" for name, count in saved.counts.items())
    write_line(clean(f"Rescued into {target}: {named}."))
    if saved.broken:
        write_line(f"Parts of these tables can't be read: {', '.join(saved.broken)}.")
    if saved.missing:
        write_line(
            "The list of tables is damaged. Not found without it, so either empty or lost: "
            f"{', '.join(saved.missing)}."
        )
    write_line("The vault is as it was. How much a damaged one has lost, nobody can tell.")

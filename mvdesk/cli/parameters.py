"""Parameters of operations and questions: options that commands share, and how they are checked."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Final

import typer

from mvdesk.cli.output import MINUS, complain

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from mvdesk.cli.opened import Opened
    from mvdesk.vault.plan import Plan

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would change, and write nothing.")
]
DRY_RUN: Final = "Dry run, nothing written. "
"""What the first line for people begins with when nothing was written."""
All = Annotated[bool, typer.Option("--all", help="Without a limit.")]


def tell_clamped(given: DataclassInstance, used: DataclassInstance) -> None:
    """Say on standard error which settings were moved into their range."""
    for field in fields(given):
        old, new = getattr(given, field.name), getattr(used, field.name)
        if old != new:
            complain(f"{_option(field.name)} {_shown(old)} is out of range; {_shown(new)} is used.")


def tell_out_of_range(name: str, given: int, low: int, high: int) -> int:
    """The number moved into its range, which is said on standard error when it had to be."""
    used = min(max(given, low), high)
    if used != given:
        complain(f"{_option(name)} {_shown(given)} is out of range; {_shown(used)} is used.")
    return used


def write(opened: Opened, plan: Plan, *, dry_run: bool) -> None:
    """Carry a plan out, unless it was only to be looked at."""
    if not dry_run and not plan.is_empty:
        opened.vault.apply(plan, now=opened.now)


def headline(plan: Plan, *, dry_run: bool) -> str:
    """The first line for people: what was done, or would be."""
    if plan.is_empty:
        return "Nothing to change."
    return f"{DRY_RUN if dry_run else ''}{plan.label}."


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _shown(value: float) -> str:
    return f"{value:g}".replace("-", MINUS)

"""The command that lists, shows, sets and clears the trust of sources."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, Model, Now, VaultPath, parse_now, parse_number
from mvdesk.cli.output import (
    Column,
    clean,
    format_number,
    format_signed,
    write_json,
    write_line,
    write_table,
)
from mvdesk.cli.records_json import changes_json, plain
from mvdesk.cli.values import WrongUsage
from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.operations.trust import plan_set_trust

if TYPE_CHECKING:
    from mvdesk.vault.plan import Plan

_NOT_SET = "not set"


def trust(
    vault: VaultPath,
    source: Annotated[
        str | None, typer.Argument(metavar="SOURCE", help="A source, as memories name it.")
    ] = None,
    value: Annotated[
        str | None, typer.Argument(metavar="TRUST", help="Its new trust, 0 to 1.")
    ] = None,
    clear: Annotated[
        bool, typer.Option("--clear", help="Make it “not set” again, which counts as neutral.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show every score that would move; write nothing.")
    ] = False,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """List, show, set or clear how far sources are trusted.

    Example: mvdesk trust notes.sqlite slack 0.3 --dry-run
    """
    clock = parse_now(now)
    wanted = parse_number("trust", value)
    if clear and value is not None:
        raise WrongUsage("--clear", "a value was given as well.", "Give one of the two.")
    if source is None and (clear or dry_run):
        raise WrongUsage("source", "no source was named.", "Name one, as the memories do.")
    if dry_run and not clear and value is None:
        raise WrongUsage("--dry-run", "there is no change to try.", "Give a value or --clear.")
    with opened(vault, brain=brain, model=model, now=clock) as vault_open:
        if source is not None and (clear or value is not None):
            _change(vault_open, source, wanted, dry_run=dry_run, as_json=as_json)
        else:
            _show(vault_open, source, as_json=as_json)


def _show(vault_open: Opened, source: str | None, *, as_json: bool) -> None:
    sources = _sources_json(vault_open)
    if source is not None:
        key = normalise_source_key(source)
        sources = [one for one in sources if one["source_key"] == key]
    if as_json:
        write_json({"count": len(sources), "sources": sources})
        return
    if source is not None and not sources:
        write_line(f"{clean(source)}: {_NOT_SET}, and no memory names it.")
        return
    columns = (
        Column("trust", right=True),
        Column("source", elastic=True),
        Column("memories", right=True),
        Column("mean conf", right=True, drop=2),
        Column("mean imp", right=True, drop=3),
        Column("note", elastic=True, drop=4),
    )
    write_table(columns, [_cells(one) for one in sources])


def _cells(one: dict[str, Any]) -> tuple[str, ...]:
    def mean(name: str) -> str:
        return "" if one[name] is None else format_number(one[name])

    return (
        _trust_text(one["trust"]),
        one["source_key"],
        str(one["memory_count"]),
        mean("mean_confidence"),
        mean("mean_importance"),
        one["notes"] or "",
    )


def _sources_json(vault_open: Opened) -> list[dict[str, Any]]:
    """Every source that memories name or that has a trust: the most trusted first, as stored."""
    snapshot, scores = vault_open.snapshot, vault_open.scores
    stored = {row.source_key: row for row in vault_open.vault.read_trust()}
    found: list[dict[str, Any]] = []
    for index, key in enumerate(snapshot.sources.keys):
        rows = snapshot.rows_of_source(key)
        trust = float(snapshot.sources.trust[index])
        row = stored.get(key)
        found.append(
            {
                "source_key": key,
                "trust": plain(trust),
                "notes": snapshot.sources.notes[index],
                "created_at": row.created_at if row else None,
                "updated_at": row.updated_at if row else None,
                "memory_count": len(rows),
                "mean_confidence": _mean(scores.confidence[rows]),
                "mean_importance": _mean(scores.importance[rows]),
            }
        )
    # Those that are not set come last.
    found.sort(key=lambda one: (one["trust"] is None, -(one["trust"] or 0.0), one["source_key"]))
    return found


def _mean(values: np.ndarray) -> float | int | None:
    return plain(round(float(values.mean()), 3)) if len(values) else None


def _change(
    vault_open: Opened, source: str, wanted: float | None, *, dry_run: bool, as_json: bool
) -> None:
    vault = vault_open.vault
    plan = plan_set_trust(
        vault.read_trust(),
        {source: wanted},
        brain_id=vault_open.brain_id,
        now=vault_open.now,
        new_id=lambda: str(uuid.uuid4()),
    )
    key = normalise_source_key(source)
    moved = [] if plan.is_empty else _moved(vault_open, key, wanted)
    if not dry_run and not plan.is_empty:
        vault.apply(plan, now=vault_open.now)
    if as_json:
        write_json(
            {
                "changes": changes_json(plan),
                "source_key": key,
                "trust": None if wanted is None else plain(wanted),
                "dry_run": dry_run,
                "scores": moved,
            }
        )
        return
    _say(plan, moved, dry_run=dry_run)


def _moved(vault_open: Opened, key: str, wanted: float | None) -> list[dict[str, Any]]:
    """Every memory whose score another trust of one source moves, by how far."""
    snapshot, model = vault_open.snapshot, vault_open.model
    index = snapshot.key_index(key)
    if index is None:
        return []
    sources = snapshot.sources.with_trust({index: wanted})
    inputs = snapshot.inputs(model).with_trust(snapshot.trust_per_row(sources))
    before, after = vault_open.scores, evaluate(inputs, model, vault_open.now)
    found = []
    for row in snapshot.rows_of_source(key).tolist():
        pair = [(float(s.confidence[row]), float(s.importance[row])) for s in (before, after)]
        if pair[0] != pair[1]:
            found.append(
                {
                    "id": snapshot.memories.ids.text(row),
                    "label": snapshot.memories.labels.text(row),
                    "before": dict(
                        zip(("confidence", "importance"), map(plain, pair[0]), strict=True)
                    ),
                    "after": dict(
                        zip(("confidence", "importance"), map(plain, pair[1]), strict=True)
                    ),
                }
            )
    return found


def _say(plan: Plan, moved: list[dict[str, Any]], *, dry_run: bool) -> None:
    if plan.is_empty:
        write_line("Nothing to change.")
        return
    why = f" ({plan.changes[0].why})" if len(plan.changes) == 1 else ""
    memories = "1 memory moves" if len(moved) == 1 else f"{len(moved)} memories move"
    would = "Dry run, nothing written. " if dry_run else ""
    write_line(clean(f"{would}{plan.label}{why}: {memories}."))
    if moved:
        columns = (
            Column("conf", right=True),
            Column("", right=True),
            Column("imp", right=True),
            Column("", right=True),
            Column("memory", elastic=True),
        )
        write_table(columns, [_moved_cells(one) for one in moved])


def _moved_cells(one: dict[str, Any]) -> tuple[str, ...]:
    cells: list[str] = []
    for name in ("confidence", "importance"):
        cells += [
            format_number(one["after"][name]),
            format_signed(one["after"][name] - one["before"][name]),
        ]
    return (*cells, one["label"])


def _trust_text(trust: float | None) -> str:
    return _NOT_SET if trust is None else f"{trust:.2f}"

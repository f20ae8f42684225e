"""Commands about facts that contradict each other: conflicts, resolve."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, Model, Now, VaultPath, parse_now
from mvdesk.cli.output import Column, clean, format_number, write_json, write_line, write_table
from mvdesk.cli.parameters import All, DryRun, headline, tell_clamped, write
from mvdesk.cli.records_json import changes_json, plain
from mvdesk.cli.values import count_option, number_option
from mvdesk.errors import BadValue
from mvdesk.vault import rules
from mvdesk.vault.operations.conflicts import find_resolution, pair_key, plan_resolve
from mvdesk.vault.questions.conflicts import BY_LINK, ConflictSettings, find_conflicts

if TYPE_CHECKING:
    from mvdesk.records import Memory
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.conflicts import Conflict, Conflicts


def conflicts(
    vault: VaultPath,
    min_confidence: Annotated[
        float, number_option("Only where both facts score at least this.")
    ] = 0.7,
    include_resolved: Annotated[
        bool, typer.Option("--include-resolved", help="Those that were decided, too.")
    ] = False,
    limit: Annotated[int, count_option("At most so many, 1 to 200.", most=200)] = 40,
    no_limit: All = False,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """List facts that contradict each other: by a link, or under one key with different texts.

    Example: mvdesk conflicts notes.sqlite --min-confidence 0.5
    """
    clock = parse_now(now)
    given = ConflictSettings(min_confidence, include_resolved, None if no_limit else limit)
    settings = given.clamped()
    tell_clamped(given, settings)
    with opened(vault, brain=brain, model=model, now=clock) as vault_open:
        found = find_conflicts(
            vault_open.snapshot,
            vault_open.scores,
            rules.read_resolutions(vault_open.vault),
            vault_open.vault.read_memories,
            settings,
        )
        if as_json:
            write_json(_conflicts_json(vault_open, found))
        elif not found.conflicts:
            write_line("No conflicts.")
        else:
            _write_conflicts(vault_open, found)


def resolve(
    vault: VaultPath,
    a_id: Annotated[str, typer.Argument(metavar="A", help="One of the two memories, by id.")],
    b_id: Annotated[str, typer.Argument(metavar="B", help="The other memory, by id.")],
    status: Annotated[
        str,
        typer.Argument(metavar="STATUS", help="needs_review, resolved, superseded or dismissed."),
    ],
    canonical: Annotated[
        str | None, typer.Option(metavar="ID", help="Which of the two holds, by id.")
    ] = None,
    note: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Why, in at most 600 characters.")
    ] = None,
    retire: Annotated[
        bool, typer.Option("--retire", help="Remove the old contradicting link as well.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Keep a decision about two memories; the one that holds will supersede the other.

    Example: mvdesk resolve notes.sqlite 3fa9c1d2 77b0e4aa resolved --canonical 3fa9c1d2
    """
    clock = parse_now(now)
    with opened(vault, brain=brain, now=clock) as vault_open:
        a, b = vault_open.read_memory(a_id), vault_open.read_memory(b_id)
        plan = plan_resolve(
            a,
            b,
            status,
            canonical_id=_canonical(vault_open, canonical, a, b),
            note=note,
            stored=find_resolution(rules.read_resolutions(vault_open.vault), a.id, b.id),
            links=vault_open.vault.read_links_of(a.id),
            now=clock,
            new_id=lambda: str(uuid.uuid4()),
            retire=retire,
        )
        write(vault_open, plan, dry_run=dry_run)
        if as_json:
            write_json(_resolution_json(vault_open, plan, a, b, dry_run=dry_run))
            return
        write_line(clean(headline(plan, dry_run=dry_run)))
        for change in plan.changes:
            write_line(f"  {clean(change.key.label)}: {clean(change.why)}")


def _canonical(vault_open: Opened, text: str | None, a: Memory, b: Memory) -> str | None:
    if text is None:
        return None
    found = vault_open.find_id(text)
    if found not in (a.id, b.id):
        raise BadValue("--canonical", f"{text} is neither of the two.", "Name one of them.")
    return found


def _resolution_json(
    vault_open: Opened, plan: Plan, a: Memory, b: Memory, *, dry_run: bool
) -> dict[str, Any]:
    stored = find_resolution(rules.read_resolutions(vault_open.vault), a.id, b.id)
    names = (
        "id", "pair_key", "a_id", "b_id", "status", "canonical_id", "note", "created_at",
        "updated_at",
    )  # fmt: skip
    return {
        "dry_run": dry_run,
        "changes": changes_json(plan),
        **{name: getattr(stored, name) if stored else None for name in names},
    }


def _conflicts_json(vault_open: Opened, found: Conflicts) -> dict[str, Any]:
    ids = vault_open.snapshot.memories.ids
    wanted = {ids.text(row) for one in found.conflicts for row in (one.a_row, one.b_row)}
    memories = vault_open.read_memories(sorted(wanted))
    return {
        "min_confidence": plain(float(found.settings.min_confidence)),
        "include_resolved": found.settings.include_resolved,
        "total_conflicts": found.total,
        "conflicts": [_conflict_json(vault_open, one, memories) for one in found.conflicts],
    }


def _conflict_json(
    vault_open: Opened, conflict: Conflict, memories: dict[str, Memory]
) -> dict[str, Any]:
    ids, links = vault_open.snapshot.memories.ids, vault_open.snapshot.links
    a, b = (memories[ids.text(row)] for row in (conflict.a_row, conflict.b_row))
    by_link = conflict.kind == BY_LINK
    told = (
        {
            "link_id": links.ids[conflict.link_row],
            "link_label": links.labels[conflict.link_row],
        }
        if by_link
        else {"fact_key": conflict.fact_key}
    )
    resolution = conflict.resolution
    return {
        "pair_key": pair_key(a.id, b.id),
        "conflict_type": conflict.kind,
        **told,
        "confidence_pair": [plain(value) for value in conflict.confidence],
        "a": _side(vault_open, a, conflict.a_row, by_link=by_link),
        "b": _side(vault_open, b, conflict.b_row, by_link=by_link),
        "resolution_status": resolution.status if resolution else None,
        "resolution_canonical_id": resolution.canonical_id if resolution else None,
        "resolution_note": resolution.note if resolution else None,
        "resolution_updated_at": resolution.updated_at if resolution else None,
    }


def _side(vault_open: Opened, memory: Memory, row: int, *, by_link: bool) -> dict[str, Any]:
    named = {"key": memory.key, "title": memory.title} if by_link else {}
    dated = {} if by_link else {"updated_at": memory.updated_at}
    return {
        "id": memory.id,
        **named,
        "content": memory.content,
        "confidence": plain(float(vault_open.scores.confidence[row])),
        "importance": plain(float(vault_open.scores.importance[row])),
        **dated,
    }


def _write_conflicts(vault_open: Opened, found: Conflicts) -> None:
    table, links = vault_open.snapshot.memories, vault_open.snapshot.links
    columns = (
        Column("conf", right=True),
        Column("id"),
        Column("memory", elastic=True),
        Column("conf", right=True),
        Column("id"),
        Column("memory", elastic=True),
        Column("because", elastic=True, drop=2),
        Column("decided", drop=1),
    )
    cells = []
    for one in found.conflicts:
        sides: list[str] = []
        for row, confidence in zip((one.a_row, one.b_row), one.confidence, strict=True):
            sides += [
                format_number(confidence),
                vault_open.short_id(table.ids.text(row)),
                table.labels.text(row),
            ]
        label = links.labels[one.link_row] if one.link_row >= 0 else None
        because = f"key {one.fact_key}" if one.link_row < 0 else f"link {label or ''}"
        cells.append((*sides, because, one.resolution.status if one.resolution else ""))
    write_table(columns, cells)
    if found.total > len(found.conflicts):
        write_line(f"{len(found.conflicts)} of {found.total}; --all shows the rest.")

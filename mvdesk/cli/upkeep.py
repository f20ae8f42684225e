"""Commands that keep a vault in shape: decay, reinforce, review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from mvdesk.cli.opened import Opened, opened, read_rules
from mvdesk.cli.options import AsJson, Brain, MemoryId, Model, Now, VaultPath, parse_now
from mvdesk.cli.output import (
    Column,
    format_number,
    format_signed,
    write_json,
    write_line,
    write_table,
    write_wrapped,
)
from mvdesk.cli.parameters import All, DryRun, headline, tell_clamped, write
from mvdesk.cli.records_json import changes_json, memory_json, plain
from mvdesk.cli.values import count_option, number_option
from mvdesk.scoring.rounding import round3
from mvdesk.vault.operations.decay import DecaySettings, find_decay, plan_decay
from mvdesk.vault.operations.reinforce import (
    ReinforceSettings,
    find_reinforcement,
    plan_reinforce,
)
from mvdesk.vault.questions.review import ReviewSettings, find_review_queue

if TYPE_CHECKING:
    from mvdesk.vault.operations.bases import BaseMoves
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.review import ReviewQueue

_SHOWN_MEMORIES = 25
_CONTENT_HEAD = 300


def decay(
    vault: VaultPath,
    older_than_days: Annotated[
        float | None,
        number_option(
            "Days without activity; unless given, what the vault's policy says (30 at first).",
            0,
            None,
            metavar="DAYS",
        ),
    ] = None,
    max_link_count: Annotated[
        int, count_option("Only memories with at most so many links.", least=0)
    ] = 1,
    decay_confidence: Annotated[
        float, number_option("Base confidence lost in each such time.", 0, 0.5)
    ] = 0.01,
    decay_importance: Annotated[
        float, number_option("Base importance lost in each such time.", 0, 0.5)
    ] = 0.03,
    limit: Annotated[int, count_option("At most so many memories, 1 to 1000.", most=1000)] = 200,
    no_limit: All = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Lower the base values of memories that nobody touched for long and little links to.

    Example: mvdesk decay notes.sqlite --older-than-days 90 --dry-run
    """
    clock = parse_now(now)
    with opened(vault, brain=brain, now=clock) as vault_open:
        if older_than_days is None:
            older_than_days = read_rules(vault_open).decay_days
        given = DecaySettings(
            older_than_days,
            max_link_count,
            decay_confidence,
            decay_importance,
            None if no_limit else limit,
        )
        settings = given.clamped()
        tell_clamped(given, settings)
        snapshot = vault_open.snapshot
        found = find_decay(snapshot, settings, now=clock)
        plan = plan_decay(snapshot, found, now=clock)
        write(vault_open, plan, dry_run=dry_run)
        if not as_json:
            _tell(vault_open, plan, found.moves, dry_run=dry_run)
            return
        updates = _updates(vault_open, found.moves)
        for row, update, idle, due in zip(
            found.moves.rows.tolist(),
            updates,
            found.idle_days.tolist(),
            found.periods.tolist(),
            strict=True,
        ):
            update["link_count"] = int(snapshot.link_counts[row, 0])
            update["idle_days"] = plain(round3(idle))
            update["decay_periods"] = plain(round3(due))
        write_json(
            {
                "dry_run": dry_run,
                "older_than_days": plain(float(settings.older_than_days)),
                "max_link_count": settings.max_link_count,
                "decay_confidence": plain(float(settings.decay_confidence)),
                "decay_importance": plain(float(settings.decay_importance)),
                "candidate_count": found.candidate_count,
                "decayed_count": len(found.moves),
                "updates": updates,
                "changes": changes_json(plan),
            }
        )


def reinforce(
    vault: VaultPath,
    memory_id: MemoryId,
    delta_confidence: Annotated[float, number_option("Base confidence gained.", -0.5, 0.5)] = 0.04,
    delta_importance: Annotated[float, number_option("Base importance gained.", -0.5, 0.5)] = 0.06,
    spread: Annotated[float, number_option("The share of it that linked memories get.")] = 0.35,
    hops: Annotated[int, count_option("How many links far, 0 to 3.", least=0, most=3)] = 1,
    no_limit: All = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """Raise the base values of a memory and, less, of what is linked to it.

    Example: mvdesk reinforce notes.sqlite 3fa9c1d2 --hops 2 --dry-run
    """
    clock = parse_now(now)
    given = ReinforceSettings(delta_confidence, delta_importance, spread, hops)
    settings = given.clamped()
    tell_clamped(given, settings)
    if no_limit:
        settings = settings.without_limit()
    with opened(vault, brain=brain, model=model, now=clock) as vault_open:
        seed = vault_open.find_id(memory_id)
        found = find_reinforcement(vault_open.snapshot, seed, settings)
        plan = plan_reinforce(vault_open.snapshot, found)
        write(vault_open, plan, dry_run=dry_run)
        if not as_json:
            _tell(vault_open, plan, found.moves, dry_run=dry_run)
            return
        updates = _updates(vault_open, found.moves)
        for update, hop in zip(updates, found.hops.tolist(), strict=True):
            update["hops"] = hop
        # As they are now: the first ones only, as on the server.
        after = Opened(vault_open.vault, vault_open.model, clock)
        shown = [] if dry_run else [update["id"] for update in updates[:_SHOWN_MEMORIES]]
        write_json(
            {
                "dry_run": dry_run,
                "seed_id": seed,
                "spread_hops": settings.hops,
                "spread": plain(float(settings.spread)),
                "updated_count": len(found.moves),
                "updates": updates,
                "updated_memories": [
                    memory_json(after, memory) for memory in after.read_memories(shown).values()
                ],
                "changes": changes_json(plan),
            }
        )


def review(
    vault: VaultPath,
    min_importance: Annotated[float, number_option("Only from this base importance up.")] = 0.4,
    min_age_days: Annotated[
        float, number_option("Only what was made so many days ago.", 0, None, metavar="DAYS")
    ] = 7,
    max_confidence: Annotated[float, number_option("Only up to this base confidence.")] = 0.8,
    limit: Annotated[int, count_option("At most so many memories, 1 to 50.", most=50)] = 15,
    no_limit: All = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Show which memories want a second look, the most urgent first.

    Example: mvdesk review notes.sqlite --min-importance 0.6
    """
    clock = parse_now(now)
    given = ReviewSettings(
        min_importance, min_age_days, max_confidence, None if no_limit else limit
    )
    settings = given.clamped()
    tell_clamped(given, settings)
    with opened(vault, brain=brain, now=clock) as vault_open:
        queue = find_review_queue(vault_open.snapshot, settings, now=clock)
        if as_json:
            write_json(_queue_json(vault_open, queue))
        elif not len(queue.rows):
            write_line("Nothing to review.")
        else:
            _write_queue(vault_open, queue)


def _updates(vault_open: Opened, moves: BaseMoves) -> list[dict[str, Any]]:
    ids = vault_open.snapshot.memories.ids
    columns = (
        moves.confidence_before, moves.confidence_after,
        moves.importance_before, moves.importance_after,
    )  # fmt: skip
    names = ("confidence_before", "confidence_after", "importance_before", "importance_after")
    return [
        {
            "id": ids.text(row),
            **{name: plain(round3(value)) for name, value in zip(names, values, strict=True)},
        }
        for row, *values in zip(
            moves.rows.tolist(), *(column.tolist() for column in columns), strict=True
        )
    ]


def _tell(vault_open: Opened, plan: Plan, moves: BaseMoves, *, dry_run: bool) -> None:
    write_wrapped(headline(plan, dry_run=dry_run))
    if not plan.is_empty:
        _write_moves(vault_open, moves, [change.why for change in plan.changes])


def _write_moves(vault_open: Opened, moves: BaseMoves, why: list[str]) -> None:
    table = vault_open.snapshot.memories
    columns = (
        Column("id"),
        Column("base conf", right=True),
        Column("", right=True),
        Column("base imp", right=True),
        Column("", right=True),
        Column("memory", elastic=True),
        Column("why", elastic=True, drop=1),
    )
    cells = [
        (
            vault_open.short_id(table.ids.text(row)),
            format_number(moves.confidence_after[place]),
            format_signed(moves.confidence_after[place] - moves.confidence_before[place]),
            format_number(moves.importance_after[place]),
            format_signed(moves.importance_after[place] - moves.importance_before[place]),
            table.labels.text(row),
            why[place],
        )
        for place, row in enumerate(moves.rows.tolist())
    ]
    write_table(columns, cells)


def _write_queue(vault_open: Opened, queue: ReviewQueue) -> None:
    table = vault_open.snapshot.memories
    columns = (
        Column("urgency", right=True),
        Column("id"),
        Column("conf", right=True),
        Column("imp", right=True),
        Column("idle days", right=True),
        Column("links", right=True, drop=1),
        Column("memory", elastic=True),
    )
    cells = [
        (
            format_number(queue.urgency[place]),
            vault_open.short_id(table.ids.text(row)),
            format_number(table.base_confidence[row]),
            format_number(table.base_importance[row]),
            f"{queue.idle_days[place]:.0f}",
            str(vault_open.snapshot.link_counts[row, 0]),
            table.labels.text(row),
        )
        for place, row in enumerate(queue.rows.tolist())
    ]
    write_table(columns, cells)


def _queue_json(vault_open: Opened, queue: ReviewQueue) -> dict[str, Any]:
    ids = [vault_open.snapshot.memories.ids.text(row) for row in queue.rows.tolist()]
    memories = vault_open.read_memories(ids)
    listed = []
    for place, row in enumerate(queue.rows.tolist()):
        memory = memories[ids[place]]
        listed.append(
            {
                "id": memory.id,
                "type": memory.type,
                "title": memory.title,
                "key": memory.key,
                "content": memory.content[:_CONTENT_HEAD],
                "tags": memory.tags,
                "source": memory.source,
                "confidence": plain(min(max(memory.confidence, 0.0), 1.0)),
                "importance": plain(min(max(memory.importance, 0.0), 1.0)),
                "created_at": memory.created_at,
                "updated_at": memory.updated_at,
                "link_count": int(vault_open.snapshot.link_counts[row, 0]),
                "access_count": memory.access_count,
                "age_days": plain(round3(queue.age_days[place])),
                "stale_days": plain(round3(queue.idle_days[place])),
                "urgency_score": plain(float(queue.urgency[place])),
                "urgency_breakdown": {
                    name: plain(round3(float(getattr(queue, name)[place])))
                    for name in (
                        "importance_signal",
                        "confidence_gap",
                        "staleness_signal",
                        "isolation_signal",
                    )
                },
            }
        )
    settings = queue.settings
    return {
        "candidates_scanned": queue.scanned_count,
        "review_count": len(listed),
        "filters": {
            "min_importance": plain(float(settings.min_importance)),
            "min_age_days": plain(float(settings.min_age_days)),
            "max_confidence": plain(float(settings.max_confidence)),
        },
        "memories": listed,
    }

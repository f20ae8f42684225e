"""Commands about how memories hang together: suggest, path."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mvdesk.arrays import NO_TIME
from mvdesk.cli.opened import Opened, opened, read_rules
from mvdesk.cli.options import AsJson, Brain, MemoryId, Now, VaultPath, parse_now
from mvdesk.cli.output import (
    Column,
    clean,
    format_number,
    format_signed,
    line_width,
    shorten,
    write_json,
    write_line,
    write_table,
)
from mvdesk.cli.parameters import All, tell_clamped, tell_out_of_range
from mvdesk.cli.records_json import plain
from mvdesk.cli.values import count_option, number_option
from mvdesk.errors import BadValue
from mvdesk.graphs.paths import find_paths
from mvdesk.graphs.relations import path_weights
from mvdesk.graphs.server_paths import find_server_paths
from mvdesk.records import RELATIONS, shortened
from mvdesk.scoring.rounding import round3
from mvdesk.vault.questions.suggest import SuggestSettings, find_suggestions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mvdesk.graphs.paths import LinkPath, Paths
    from mvdesk.vault.questions.suggest import Suggestion

_MOST_HOPS = 8
_MOST_PATHS = 20


def suggest(
    vault: VaultPath,
    memory_id: MemoryId,
    min_score: Annotated[
        float | None, number_option("From this score up; unless given, what the policy says.")
    ] = None,
    limit: Annotated[int, count_option("At most so many, 1 to 120.", most=120)] = 20,
    no_limit: All = False,
    include_existing: Annotated[
        bool, typer.Option("--include-existing", help="Memories that are linked already, too.")
    ] = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Suggest memories that a memory might be linked to, with the reasons.

    Example: mvdesk suggest notes.sqlite 3fa9c1d2 --min-score 0.4
    """
    with opened(vault, brain=brain, now=parse_now(now)) as vault_open:
        if min_score is None:
            min_score = read_rules(vault_open).min_link_suggestion_score
        given = SuggestSettings(min_score, None if no_limit else limit, include_existing)
        settings = given.clamped()
        tell_clamped(given, settings)
        seed = vault_open.find_id(memory_id)
        row = _active_row(vault_open, seed)
        found = find_suggestions(
            vault_open.snapshot, [row], vault_open.vault.read_memories, settings
        )
        if as_json:
            write_json(
                {
                    "seed_ids": [seed],
                    "min_score": plain(float(settings.min_score)),
                    "count": len(found),
                    "suggestions": [_suggestion_json(vault_open, one) for one in found],
                }
            )
        elif not found:
            write_line("No suggestions.")
        else:
            _write_suggestions(vault_open, found)


def path(
    vault: VaultPath,
    from_id: Annotated[str, typer.Argument(metavar="FROM", help="Where it starts, by id.")],
    to_id: Annotated[str, typer.Argument(metavar="TO", help="Where it leads, by id.")],
    max_hops: Annotated[
        int | None,
        count_option(
            "At most so many links, 1 to 8; unless given, what the policy says.", most=_MOST_HOPS
        ),
    ] = None,
    limit: Annotated[int, count_option("At most so many paths, 1 to 20.", most=_MOST_PATHS)] = 5,
    server_limits: Annotated[
        bool,
        typer.Option(
            "--server-limits",
            help="As the server does: only the 18 strongest links of a memory, no archived ends.",
        ),
    ] = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Find how two memories hang together over links, the strongest path first.

    Example: mvdesk path notes.sqlite 3fa9c1d2 77b0e4aa --max-hops 4
    """
    with opened(vault, brain=brain, now=parse_now(now)) as vault_open:
        if max_hops is None:
            max_hops = read_rules(vault_open).path_max_hops
        max_hops = tell_out_of_range("max_hops", max_hops, 1, _MOST_HOPS)
        limit = tell_out_of_range("limit", limit, 1, _MOST_PATHS)
        ends = [vault_open.find_id(text) for text in (from_id, to_id)]
        rows = [vault_open.snapshot.row_of(end) or 0 for end in ends]
        if server_limits:
            rows = [_active_row(vault_open, end) for end in ends]
        links = vault_open.snapshot.links
        find = find_server_paths if server_limits else find_paths
        found = find(
            links.from_rows,
            links.to_rows,
            path_weights(links.relations),
            *rows,
            max_hops=max_hops,
            limit=limit,
        )
        if as_json:
            write_json(_paths_json(vault_open, found, ends, max_hops))
        else:
            _write_paths(vault_open, found, max_hops)


def _active_row(vault_open: Opened, memory_id: str) -> int:
    table = vault_open.snapshot.memories
    row = vault_open.snapshot.row_of(memory_id) or 0
    if table.archived_at[row] != NO_TIME:
        raise BadValue(
            "id", f"{shortened(table.labels.text(row))} is in the archive.", "Restore it first."
        )
    return row


def _suggestion_json(vault_open: Opened, one: Suggestion) -> dict[str, Any]:
    ids = vault_open.snapshot.memories.ids
    return {
        "from_id": ids.text(one.from_row),
        "to_id": ids.text(one.to_row),
        "relation_hint": "related",
        "score": plain(one.score),
        "reasons": {
            "shared_tags": list(one.shared_tags),
            "lexical_similarity": plain(round3(one.words)),
            "same_source": one.same_source,
            "temporal_score": plain(one.time),
            "type_score": plain(one.type),
        },
    }


def _write_suggestions(vault_open: Opened, found: list[Suggestion]) -> None:
    table = vault_open.snapshot.memories
    columns = (
        Column("score", right=True),
        Column("id"),
        Column("memory", elastic=True),
        Column("because", elastic=True),
    )
    cells = [
        (
            format_number(one.score),
            vault_open.short_id(table.ids.text(one.to_row)),
            table.labels.text(one.to_row),
            _because(one),
        )
        for one in found
    ]
    write_table(columns, cells)


def _because(one: Suggestion) -> str:
    reasons = [f"tags {', '.join(one.shared_tags)}"] if one.shared_tags else []
    if one.words > 0:
        reasons.append(f"{one.words:.0%} of the words")
    if one.same_source:
        reasons.append("same source")
    if one.time == 1:
        reasons.append("edited in the same week")
    return "; ".join(reasons) or "same type"


def _paths_json(vault_open: Opened, found: Paths, ends: list[str], max_hops: int) -> dict[str, Any]:
    return {
        "from_id": ends[0],
        "to_id": ends[1],
        "max_hops": max_hops,
        "explored_paths": found.explored,
        "expansions": found.steps,
        "complete": found.is_complete,
        "count": len(found.paths),
        "paths": [_path_json(vault_open, one) for one in found.paths],
    }


def _path_json(vault_open: Opened, one: LinkPath) -> dict[str, Any]:
    table, links = vault_open.snapshot.memories, vault_open.snapshot.links
    weights = path_weights(links.relations)
    nodes = [table.ids.text(row) for row in one.rows]
    return {
        "nodes": nodes,
        "edges": [
            {
                "link_id": links.ids[link],
                "from_id": start,
                "to_id": end,
                "relation_type": _relation(vault_open, link),
                "label": links.labels[link],
                "weight": plain(round3(float(weights[link]))),
            }
            for link, start, end in zip(one.links, nodes[:-1], nodes[1:], strict=True)
        ],
        "hops": len(one.links),
        "cumulative_score": plain(one.total),
        "avg_score": plain(one.mean),
        "archived": [table.ids.text(row) for row in one.rows if _is_archived(vault_open, row)],
    }


def _write_paths(vault_open: Opened, found: Paths, max_hops: int) -> None:
    if not found.paths:
        hops = "1 link" if max_hops == 1 else f"{max_hops} links"
        write_line(f"No path of at most {hops}.")
    told = Counter(tuple(_path_lines(vault_open, one)) for one in found.paths)
    for (head, *steps), times in told.items():
        write_line(head if times == 1 else f"{head}, {times} times: by links that read the same")
        for step in steps:
            write_line(shorten(step, line_width()))
    if not found.is_complete and not found.paths:
        write_line("The search was given up; fewer hops may find one.")


def _path_lines(vault_open: Opened, one: LinkPath) -> Iterator[str]:
    """A path in lines; links beside each other are told apart by relation and label."""
    links = vault_open.snapshot.links
    hops = "1 link" if len(one.links) == 1 else f"{len(one.links)} links"
    yield f"{format_number(one.mean)} over {hops}"
    yield f"  {clean(_step(vault_open, one.rows[0]))}"
    for link, row in zip(one.links, one.rows[1:], strict=True):
        label = links.labels[link]
        named = _relation(vault_open, link) + (f" “{clean(shortened(label, 24))}”" if label else "")
        arrow = f"{named} →" if int(links.to_rows[link]) == row else f"← {named}"
        weight = path_weights(links.relations)[link]
        yield f"  {arrow} ({format_signed(weight)})  {clean(_step(vault_open, row))}"


def _step(vault_open: Opened, row: int) -> str:
    table = vault_open.snapshot.memories
    archived = " (archived)" if _is_archived(vault_open, row) else ""
    short = vault_open.short_id(table.ids.text(row))
    return f"{short}  {table.labels.text(row)}{archived}"


def _is_archived(vault_open: Opened, row: int) -> bool:
    return bool(vault_open.snapshot.memories.archived_at[row] != NO_TIME)


def _relation(vault_open: Opened, link: int) -> str:
    code = int(vault_open.snapshot.links.relations[link])
    return RELATIONS[code] if code >= 0 else "related"

"""The command that searches: search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, Model, Now, VaultPath, parse_now
from mvdesk.cli.output import (
    Column,
    complain,
    format_number,
    write_json,
    write_line,
    write_table,
)
from mvdesk.cli.parameters import tell_clamped
from mvdesk.cli.query_hints import query_json, tell_hints
from mvdesk.cli.records_json import memory_json
from mvdesk.cli.values import count_option, number_option, one_of
from mvdesk.cli.why_found import write_why
from mvdesk.records import MEMORY_TYPES
from mvdesk.scoring.rounding import round3
from mvdesk.vault.questions.find import (
    MAX_LIMIT,
    FindSettings,
    Hits,
    find_memories,
    find_superseding,
)
from mvdesk.vault.questions.query import parse_query

if TYPE_CHECKING:
    from mvdesk.records import Memory

SearchText = Annotated[
    str,
    typer.Argument(
        metavar="TEXT", help="Words and operators; the last word may be the beginning of one."
    ),
]


def search(
    vault: VaultPath,
    text: SearchText,
    min_score: Annotated[
        float, number_option("Only hits whose confidence is at least this.")
    ] = 0.0,
    type_: Annotated[
        str | None,
        typer.Option(
            "--type",
            metavar="TYPE",
            parser=one_of(MEMORY_TYPES),
            help=f"Only one of {', '.join(MEMORY_TYPES)}.",
        ),
    ] = None,
    limit: Annotated[int, count_option("At most so many hits, 1 to 50.", most=MAX_LIMIT)] = 20,
    why: Annotated[
        str | None,
        typer.Option(
            "--why",
            metavar="ID",
            help="Instead of hits, say why this memory is one of them or isn't: part by part, "
            "with the numbers that make its place.",
        ),
    ] = None,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """Search titles, keys, tags, sources and texts; the best hits come first.

    Beside words, TEXT may hold operators as in the search box of the window: type:fact
    source:slack tag:work conf<0.5 trust:unset links:0 has:contradicts no:source idle>60d
    created:2026-03 low: clamped: insideword: "words in a row" -not OR, and brackets.

    Example: mvdesk search notes.sqlite "kitchen til type:fact" --min-score 0.7
    """
    given = FindSettings(type=type_, min_score=min_score, limit=limit)
    settings = given.clamped()
    tell_clamped(given, settings)
    with opened(vault, brain=brain, model=model, now=parse_now(now)) as vault_open:
        query = parse_query(text)
        if why is not None:
            write_why(vault_open, query, vault_open.find_id(why), settings, as_json=as_json)
            return
        found = find_memories(
            vault_open.searcher, vault_open.snapshot, vault_open.moment, query, settings
        )
        if as_json:
            head: dict[str, Any] = {"query": text, **query_json(query, is_any=found.is_any)}
            write_json({**head, "results": _results(vault_open, found)})
            return
        tell_hints(query)
        if found.is_any and found.total:
            complain("No memory has all of these words; those that have some are listed.")
        _write_hits(vault_open, found)


def _results(vault_open: Opened, found: Hits) -> list[dict[str, Any]]:
    ids = [vault_open.snapshot.memories.ids.text(row) for row in found.rows.tolist()]
    memories = vault_open.read_memories(ids, all_there=False)
    return [
        _result(vault_open, found, place, memories[memory_id])
        for place, memory_id in enumerate(ids)
        if memory_id in memories
    ]


def _result(vault_open: Opened, found: Hits, place: int, memory: Memory) -> dict[str, Any]:
    # The server's names: "fused" is what the texts alone say, "relevance" what the order goes by.
    retrieval: dict[str, Any] = {
        "fused_score": round3(float(found.relevance[place])),
        "relevance_score": round3(float(found.blended[place])),
    }
    if found.is_superseded[place]:
        row = int(found.rows[place])
        retrieval["superseded_by"] = find_superseding(vault_open.snapshot, row)
    if found.is_loser[place]:
        retrieval["conflict_loser"] = True
    return {**memory_json(vault_open, memory), "retrieval": retrieval}


def _write_hits(vault_open: Opened, found: Hits) -> None:
    table, scores = vault_open.snapshot.memories, vault_open.scores
    columns = (
        Column("id"),
        Column("hit", right=True, drop=3),
        Column("conf", right=True),
        Column("imp", right=True),
        Column("type", drop=2),
        Column("title", elastic=True),
        Column("", drop=1),
    )
    rows = []
    for place, row in enumerate(found.rows.tolist()):
        marks = (("superseded", found.is_superseded), ("lost a conflict", found.is_loser))
        rows.append(
            (
                vault_open.short_id(table.ids.text(row)),
                format_number(float(found.blended[place])),
                format_number(float(scores.confidence[row])),
                format_number(float(scores.importance[row])),
                table.type_names[table.type_codes[row]],
                table.labels.text(row),
                ", ".join(name for name, marked in marks if marked[place]),
            )
        )
    if rows:
        write_table(columns, rows)
    shown, total = len(rows), found.total
    of_all = "" if shown == total else f" of {total:,}"
    write_line(f"{shown}{of_all} {'hit' if total == 1 else 'hits'}")

"""Commands that look: list, show, links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from mvdesk.arrays import NO_TIME
from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, MemoryId, Model, Now, VaultPath, parse_now
from mvdesk.cli.output import (
    Column,
    clean,
    clean_block,
    format_day,
    format_number,
    write_json,
    write_json_rows,
    write_line,
    write_table,
)
from mvdesk.cli.query_hints import query_json, tell_hints
from mvdesk.cli.records_json import link_json, memory_json
from mvdesk.cli.values import choice_option, count_option
from mvdesk.vault.questions.query import parse_query
from mvdesk.vault.questions.query_wording import describe_query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mvdesk.arrays import Int64Array, IntArray
    from mvdesk.records import Memory
    from mvdesk.vault.questions.query import Query

_READ_AT_ONCE = 2_000
SORTS = ("confidence", "importance", "updated", "created", "title")


def list_memories(
    vault: VaultPath,
    sort: Annotated[
        str | None, choice_option("BY", SORTS, f"{', '.join(SORTS)}; lowest first.")
    ] = None,
    desc: Annotated[bool, typer.Option("--desc", help="Highest or newest first.")] = False,
    query: Annotated[
        str,
        typer.Option(
            "--query",
            metavar="QUERY",
            help="Only memories that this finds: words (the last one may be the beginning of "
            "one), “phrases”, -not, OR, and operators such as type:fact conf<0.5 no:source; "
            "`mvdesk search --help` lists them.",
        ),
    ] = "",
    limit: Annotated[
        int | None, count_option("At most so many memories; all unless given.", least=0, exact=True)
    ] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Archived ones too.")] = False,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """List memories with both scores.

    The most confident come first, unless sorted otherwise.

    Example: mvdesk list notes.sqlite --sort importance --desc --limit 20
    """
    with opened(vault, brain=brain, model=model, now=parse_now(now)) as vault_open:
        asked = parse_query(query)
        rows = _matching(vault_open, asked, archived)
        rows = _sorted(vault_open, rows, sort or "confidence", desc or sort is None)
        rows = rows if limit is None else rows[:limit]
        if as_json:
            _write_list_json(vault_open, rows, asked)
            return
        tell_hints(asked)
        _write_list(vault_open, rows)
        if not asked.is_empty:
            said = " · ".join(piece.text for piece in describe_query(asked))
            write_line(clean(f"Found by {said}"))


def _matching(vault_open: Opened, asked: Query, archived: bool) -> IntArray:
    snapshot = vault_open.snapshot
    shown = np.ones(len(snapshot.memories), dtype=np.bool_)
    if not asked.is_empty:  # without a query the index isn't needed, so it isn't filled
        searcher = vault_open.searcher
        shown = searcher.find(snapshot, asked, ranked=False).marks(vault_open.moment)
    if not archived and not asked.asks_for_archived:
        shown = shown & (snapshot.memories.archived_at == NO_TIME)
    return np.flatnonzero(shown)


def _sorted(vault_open: Opened, rows: IntArray, by: str, descending: bool) -> IntArray:
    table = vault_open.snapshot.memories
    if by == "title":
        folded = {row: table.labels.text(row).casefold() for row in rows.tolist()}
        order = sorted(rows.tolist(), key=folded.__getitem__, reverse=descending)
        return np.array(order, dtype=np.intp)
    keys: dict[str, Callable[[], Int64Array]] = {
        "confidence": lambda: _thousandths(vault_open.scores.confidence),
        "importance": lambda: _thousandths(vault_open.scores.importance),
        "updated": lambda: table.updated_at,
        "created": lambda: table.created_at,
    }
    values = keys[by]()[rows]
    # ~ turns the order round without the overflow that - has at NO_TIME.
    return rows[np.argsort(~values if descending else values, kind="stable")]


def _thousandths(scores: np.ndarray) -> Int64Array:
    return np.rint(scores * 1000.0).astype(np.int64)


def _write_list_json(vault_open: Opened, rows: IntArray, asked: Query) -> None:
    ids = [vault_open.snapshot.memories.ids.text(row) for row in rows.tolist()]
    head = {"model": vault_open.model.id, "now": vault_open.now}
    if asked.text.strip():
        head |= {"query": asked.text, **query_json(asked)}
    write_json_rows(head, "memories", _read_json(vault_open, ids))


def _read_json(vault_open: Opened, ids: list[str]) -> Iterator[dict[str, Any]]:
    """The memories of these ids, in that order; texts of some at a time are held."""
    for start in range(0, len(ids), _READ_AT_ONCE):
        some = ids[start : start + _READ_AT_ONCE]
        memories = vault_open.read_memories(some, all_there=False)
        yield from (memory_json(vault_open, memories[one]) for one in some if one in memories)


def _write_list(vault_open: Opened, rows: IntArray) -> None:
    table, sources, scores = (
        vault_open.snapshot.memories,
        vault_open.snapshot.sources,
        vault_open.scores,
    )
    columns = (
        Column("id"),
        Column("conf", right=True),
        Column("imp", right=True),
        Column("type", drop=2),
        Column("title", elastic=True),
        Column("source", elastic=True, drop=3),
        Column("updated", drop=4),
    )

    def cells(row: int) -> tuple[str, ...]:
        source = int(table.source_rows[row])
        updated = int(table.updated_at[row])
        return (
            vault_open.short_id(table.ids.text(row)),
            format_number(float(scores.confidence[row])),
            format_number(float(scores.importance[row])),
            table.type_names[table.type_codes[row]],
            table.labels.text(row) + ("" if table.archived_at[row] == NO_TIME else " (archived)"),
            sources.texts.text(source) if source >= 0 else "",
            format_day(None if updated == NO_TIME else updated),
        )

    if len(rows):
        write_table(columns, [cells(row) for row in rows.tolist()])
    write_line(f"{_plural(len(rows), 'memory', 'memories')}, scored by {vault_open.model.id}")


def show(
    vault: VaultPath,
    memory_id: MemoryId,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """Show one memory: its text, values, scores and links.

    Example: mvdesk show notes.sqlite 3fa9c1d2
    """
    with opened(vault, brain=brain, model=model, now=parse_now(now)) as vault_open:
        memory = vault_open.read_memory(memory_id)
        if as_json:
            write_json(memory_json(vault_open, memory))
            return
        for line in memory_lines(vault_open, memory):
            write_line(line)
        if links := vault_open.vault.read_links_of(memory.id):
            write_line()
            write_line(_plural(len(links), "link", "links"))
            write_links(vault_open, memory.id)


def memory_lines(vault_open: Opened, memory: Memory) -> Iterable[str]:
    """A memory as people read it."""
    data = memory_json(vault_open, memory)
    yield clean(memory.label)
    yield ""
    yield clean_block(memory.content)
    yield ""
    recalls = memory.access_count
    facts = {
        "id": memory.id,
        "type": memory.type,
        "key": memory.key,
        "tags": memory.tags,
        "source": memory.source,
        "confidence": _score(data["dynamic_confidence"], memory.confidence),
        "importance": _score(data["dynamic_importance"], memory.importance),
        "model": vault_open.model.id,
        "created": format_day(memory.created_at),
        "updated": format_day(memory.updated_at),
        "archived": format_day(memory.archived_at),
        "recalled": f"{recalls} times, last {format_day(memory.last_accessed_at)}"
        if recalls
        else "",
    }
    for name, value in facts.items():
        if value:
            yield f"{name:<11} {clean(value)}"


def _score(score: float | None, base: float) -> str:
    return f"{format_number(score or 0.0)} (base {format_number(base)})"


def links(
    vault: VaultPath,
    memory_id: MemoryId,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """List the links of one memory, in both directions.

    Example: mvdesk links notes.sqlite 3fa9c1d2
    """
    with opened(vault, brain=brain, model=model, now=parse_now(now)) as vault_open:
        found = vault_open.find_id(memory_id)
        if as_json:
            every = [
                link_json(vault_open, link, found) for link in vault_open.vault.read_links_of(found)
            ]
            write_json({"memory_id": found, "count": len(every), "links": every})
            return
        write_links(vault_open, found)


def write_links(vault_open: Opened, memory_id: str, *, most: int | None = None) -> None:
    """A memory's links as a table, seen from it; of more than `most` the first ones."""
    table = vault_open.snapshot.memories
    rows = []
    links = vault_open.vault.read_links_of(memory_id)
    for link in links[:most]:
        outgoing = link.from_id == memory_id
        other = link.to_id if outgoing else link.from_id
        row = vault_open.snapshot.row_of(other)
        title, scores = "(not in this vault)", ("", "")
        if row is not None:
            is_archived = int(table.archived_at[row]) != NO_TIME
            title = f"{'(archived) ' if is_archived else ''}{table.labels.text(row)}"
            both = vault_open.scores.confidence[row], vault_open.scores.importance[row]
            scores = format_number(float(both[0])), format_number(float(both[1]))
        rows.append(
            (
                vault_open.short_id(link.id),
                "→" if outgoing else "←",
                link.relation_type,
                *scores,
                title,
                link.label or "",
                vault_open.short_id(other),
            )
        )
    if not rows:
        write_line("No links.")
        return
    columns = (
        Column("link"),
        Column(""),
        Column("relation"),
        Column("conf", right=True),
        Column("imp", right=True),
        Column("memory", elastic=True),
        Column("label", elastic=True, drop=2),
        Column("id", drop=1),
    )
    write_table(columns, rows)
    if len(rows) < len(links):
        write_line(f"… and {len(links) - len(rows):,} more; `mvdesk links` lists all of them.")


def _plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"

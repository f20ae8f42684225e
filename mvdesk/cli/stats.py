"""The command that tells how a vault is made up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mvdesk.cli.opened import Opened, opened, read_rules
from mvdesk.cli.options import AsJson, Brain, Model, Now, VaultPath, parse_now
from mvdesk.cli.output import Column, clean, format_number, write_json, write_line, write_table
from mvdesk.cli.records_json import memory_json, plain
from mvdesk.vault.questions.stats import (
    BUCKETS,
    count_all,
    count_tags,
    measure_graph,
    spread_of_scores,
)

if TYPE_CHECKING:
    from mvdesk.vault.questions.stats import Counts, GraphStats, Spread, TagStats

_BAR_WIDTH = 40
_SHOWN_HUBS = 5
_SHOWN_TAGS = 10


@dataclass(frozen=True, slots=True)
class _Numbers:
    counts: Counts
    graph: GraphStats
    tags: TagStats
    spread: Spread


def stats(
    vault: VaultPath,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """Count memories, links and tags; show hubs and how the scores are spread.

    Example: mvdesk stats notes.sqlite
    """
    with opened(vault, brain=brain, model=model, now=parse_now(now)) as vault_open:
        policy = read_rules(vault_open)
        snapshot, scores = vault_open.snapshot, vault_open.scores
        numbers = _Numbers(
            count_all(snapshot, scores),
            measure_graph(snapshot, scores, max_inferred=policy.max_inferred_edges),
            count_tags(snapshot),
            spread_of_scores(snapshot, scores),
        )
        if as_json:
            write_json(_json(vault_open, numbers))
        else:
            _write(vault_open, numbers)


def _json(vault_open: Opened, numbers: _Numbers) -> dict[str, Any]:
    counts = numbers.counts
    ids = vault_open.snapshot.memories.ids
    recent = vault_open.read_memories([ids.text(row) for row in counts.recent])
    return {
        "model": vault_open.model.id,
        "now": vault_open.now,
        "total": counts.active,
        "archived": counts.archived,
        "by_type": [{"type": name, "count": count} for name, count in counts.by_type.items()],
        "by_relation": [
            {"relation_type": name, "count": count} for name, count in counts.by_relation.items()
        ],
        "avg_recent_dynamic_confidence": _plain(counts.recent_confidence),
        "avg_recent_dynamic_importance": _plain(counts.recent_importance),
        "recent_5": [memory_json(vault_open, recent[ids.text(row)]) for row in counts.recent],
        "graph": _graph_json(vault_open, numbers.graph),
        "tags": _tags_json(vault_open, numbers.tags),
        "scores": {
            "confidence": list(numbers.spread.confidence),
            "importance": list(numbers.spread.importance),
        },
    }


def _graph_json(vault_open: Opened, graph: GraphStats) -> dict[str, Any]:
    table = vault_open.snapshot.memories
    return {
        "node_count": graph.nodes,
        "explicit_edge_count": graph.links,
        "inferred_edge_count": len(graph.inferred),
        "total_edge_count": graph.links + len(graph.inferred),
        "connected_components": graph.components,
        "isolated_nodes": graph.isolated,
        "largest_component_size": graph.largest_component,
        "density": plain(graph.density),
        "relation_counts": dict(graph.relations),
        "avg_dynamic_confidence": _plain(graph.confidence),
        "avg_dynamic_importance": _plain(graph.importance),
        "top_hubs": [
            {
                "id": table.ids.text(hub.row),
                "label": table.labels.text(hub.row),
                "degree": hub.degree,
                "relations": dict(hub.relations),
            }
            for hub in graph.hubs
        ],
    }


def _tags_json(vault_open: Opened, tags: TagStats) -> dict[str, Any]:
    ids = vault_open.snapshot.memories.ids
    return {
        "memory_count": tags.memories,
        "unique_tag_count": tags.unique,
        "tags": [
            {
                "tag": one.tag,
                "count": one.count,
                "sample_memory_ids": [ids.text(row) for row in one.samples],
            }
            for one in tags.tags
        ],
        "top_pairs": [
            {"tag_a": first, "tag_b": second, "count": count} for first, second, count in tags.pairs
        ],
    }


def _write(vault_open: Opened, numbers: _Numbers) -> None:
    counts, graph = numbers.counts, numbers.graph
    types = ", ".join(clean(f"{count:,} {name}") for name, count in counts.by_type.items())
    relations = ", ".join(f"{count:,} {name}" for name, count in counts.by_relation.items())
    facts = (
        ("memories", f"{counts.active:,}" + (f": {types}" if types else "")),
        ("archived", f"{counts.archived:,}"),
        ("links", f"{graph.links:,}" + (f": {relations}" if relations else "")),
        ("inferred links", f"{len(graph.inferred):,}"),
        (
            "components",
            f"{graph.components:,}, the largest of {graph.largest_component:,}; "
            f"{graph.isolated:,} without a link",
        ),
        (
            "mean score",
            f"{_mean(graph.confidence)} confidence, {_mean(graph.importance)} importance",
        ),
        ("tags", ", ".join(f"{one.tag} {one.count:,}" for one in numbers.tags.tags[:_SHOWN_TAGS])),
        ("model", vault_open.model.id),
    )
    write_table((Column(""), Column("", elastic=True)), facts)
    if graph.hubs and graph.hubs[0].degree:
        write_line("\nmost linked")
        labels = vault_open.snapshot.memories.labels
        hubs = [(str(hub.degree), labels.text(hub.row)) for hub in graph.hubs[:_SHOWN_HUBS]]
        write_table((Column("links", right=True), Column("memory", elastic=True)), hubs)
    if counts.active:
        _write_spread(numbers.spread)


def _write_spread(spread: Spread) -> None:
    """How many memories score in each tenth, as bars for the confidence."""
    write_line("\nscores")
    most = max(*spread.confidence, *spread.importance, 1)
    rows = []
    for place in range(BUCKETS):
        confidence, importance = spread.confidence[place], spread.importance[place]
        bar = "█" * -(-_BAR_WIDTH * confidence // most)
        span = f"{place / BUCKETS:.1f}–{(place + 1) / BUCKETS:.1f}"
        rows.append((span, f"{confidence:,}", f"{importance:,}", bar))
    columns = (
        Column("from–to"),
        Column("confidence", right=True),
        Column("importance", right=True),
        Column("confidence", drop=1),
    )
    write_table(columns, rows)


def _plain(value: float | None) -> float | int | None:
    return None if value is None else plain(value)


def _mean(value: float | None) -> str:
    return "no" if value is None else format_number(value)

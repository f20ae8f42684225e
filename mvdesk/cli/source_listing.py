"""The sources of a vault in a table or as JSON, and those that are worth a look."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from mvdesk.arrays import NO_TIME
from mvdesk.cli.output import (
    Column,
    clean,
    format_day,
    format_number,
    write_json,
    write_line,
    write_table,
)
from mvdesk.cli.records_json import plain
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault import rules
from mvdesk.vault.questions.conflict_changes import ConflictIndex
from mvdesk.vault.questions.source_facts import find_source_facts, find_spellings
from mvdesk.vault.questions.worth_a_look import find_worth_a_look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.cli.opened import Opened
    from mvdesk.vault.questions.source_facts import SourceFacts, Spelling, Spreads
    from mvdesk.vault.questions.worth_a_look import SplitSource, WorthALook

NOT_SET: Final = "not set"
_SORT_FIELDS: Final = {
    "trust": "trust",
    "leverage": "leverage",
    "memories": "active_count",
    "contradicted": "contradicted_share",
    "confidence": "mean_confidence",
    "last-used": "last_used_at",
}
SORTS: Final = (*_SORT_FIELDS, "source")
_COLUMNS: Final = (
    Column("trust", right=True),
    Column("source", elastic=True),
    Column("memories", right=True),
    Column("mean conf", right=True, drop=2),
    Column("5 to 95 %", drop=4),
    Column("mean imp", right=True, drop=5),
    Column("contradicted", right=True, drop=3),
    Column("leverage", right=True, drop=6),
    Column("last used", drop=7),
    Column("note", elastic=True, drop=8),
)


def read_facts(vault_open: Opened) -> SourceFacts:
    """All facts about the sources; open conflicts count as contradictions."""
    snapshot, scores, vault = vault_open.snapshot, vault_open.scores, vault_open.vault
    index = ConflictIndex(snapshot, rules.read_resolutions(vault), vault.read_memories)
    return find_source_facts(
        snapshot, scores, vault_open.model, conflicting=index.open_rows(scores)
    )


def show_sources(vault_open: Opened, source: str | None, *, sort: str, as_json: bool) -> None:
    """Every source that memories name or that has a trust, or one of them."""
    sources = _sources_json(vault_open, sort)
    if source is not None:
        key = normalise_source_key(source)
        sources = [one for one in sources if one["source_key"] == key]
    if as_json:
        write_json({"count": len(sources), "sources": sources})
    elif source is not None and not sources:
        write_line(f"{clean(source)}: {NOT_SET}, and no memory names it.")
    else:
        write_table(_COLUMNS, [_cells(one) for one in sources])


def show_worth_a_look(vault_open: Opened, *, as_json: bool) -> None:
    """Sources that stand out, and what to do about them."""
    found = find_worth_a_look(vault_open.snapshot, read_facts(vault_open))
    if as_json:
        write_json(_worth_json(found))
        return
    if found.is_empty:
        write_line("No source stands out.")
    for one in found.contradicted:
        write_line(
            clean(
                f"{one.key}: {one.contradicted:,} of {one.active:,} memories are contradicted "
                f"({one.share:.0%}); elsewhere {one.rest_share:.0%}. Consider a lower trust."
            )
        )
    for unset in found.without_trust:
        write_line(
            clean(
                f"{unset.key}: no trust is set for its {unset.active:,} memories "
                f"({unset.share:.0%} of those with a source)."
            )
        )
    for split in found.split:
        write_line(clean(_split_text(split)))


def trust_text(trust: float | None) -> str:
    """Two decimals, or "not set"."""
    return NOT_SET if trust is None else f"{trust:.2f}"


def _split_text(split: SplitSource) -> str:
    named = (
        f"“{key}” ({count:,}, {trust_text(trust)})"
        for key, count, trust in zip(split.keys, split.memories, split.trusts, strict=True)
    )
    return f"{' and '.join(named)} look like one source: mvdesk unify makes them one."


def _cells(one: dict[str, Any]) -> tuple[str, ...]:
    def number(value: float | None) -> str:
        return "" if value is None else format_number(value)

    low, high = one["confidence_p5"], one["confidence_p95"]
    share = one["contradicted_share"]
    return (
        trust_text(one["trust"]),
        one["source_key"],
        f"{one['active_count']:,}",
        number(one["mean_confidence"]),
        "" if low is None else f"{number(low)} to {number(high)}",
        number(one["mean_importance"]),
        f"{share:.0%}" if one["contradicted_count"] else "",
        f"{one['leverage']:.1f}",
        format_day(one["last_used_at"]),
        one["notes"] or "",
    )


def _sources_json(vault_open: Opened, sort: str) -> list[dict[str, Any]]:
    facts = read_facts(vault_open)
    stored = {row.source_key: row for row in vault_open.vault.read_trust()}
    spellings = find_spellings(vault_open.snapshot)
    found: list[dict[str, Any]] = []
    for index, key in enumerate(facts.keys):
        row = stored.get(key)
        last_used = int(facts.last_used[index])
        found.append(
            {
                "source_key": key,
                "trust": _number(float(facts.trust[index])),
                "notes": facts.notes[index],
                "created_at": row.created_at if row else None,
                "updated_at": row.updated_at if row else None,
                "memory_count": int(facts.active[index] + facts.archived[index]),
                "active_count": int(facts.active[index]),
                **_spread_json("confidence", facts.confidence, index),
                **_spread_json("importance", facts.importance, index),
                "contradicted_count": int(facts.contradicted[index]),
                "contradicted_share": plain(round3(float(facts.contradicted_share[index]))),
                "movable_count": int(facts.movable[index]),
                "leverage": plain(round3(float(facts.leverage[index]))),
                "last_used_at": None if last_used == NO_TIME else last_used,
                "spellings": _spellings_json(spellings.get(key, ())),
            }
        )
    found.sort(key=lambda one: _place(one, sort))
    return found


def _place(one: dict[str, Any], sort: str) -> tuple[Any, ...]:
    """Largest first, what isn't there last, ties by name."""
    if sort == "source":
        return (one["source_key"],)
    value = one[_SORT_FIELDS[sort]]
    return (value is None, -(value or 0), one["source_key"])


def _spread_json(name: str, spreads: Spreads, index: int) -> dict[str, Any]:
    return {
        f"mean_{name}": _number(float(spreads.mean[index])),
        f"{name}_p5": _number(float(spreads.low[index])),
        f"{name}_p50": _number(float(spreads.median[index])),
        f"{name}_p95": _number(float(spreads.high[index])),
    }


def _spellings_json(spellings: Sequence[Spelling]) -> list[dict[str, Any]]:
    return [{"source": one.text, "memory_count": one.memories} for one in spellings]


def _worth_json(found: WorthALook) -> dict[str, Any]:
    return {
        "often_contradicted": [
            {
                "source_key": one.key,
                "contradicted_count": one.contradicted,
                "active_count": one.active,
                "contradicted_share": plain(round3(one.share)),
                "share_elsewhere": plain(round3(one.rest_share)),
            }
            for one in found.contradicted
        ],
        "without_trust": [
            {
                "source_key": one.key,
                "active_count": one.active,
                "share": plain(round3(one.share)),
                "leverage": plain(round3(one.leverage)),
            }
            for one in found.without_trust
        ],
        "split": [
            {
                "sources": [
                    {"source_key": key, "memory_count": count, "trust": trust}
                    for key, count, trust in zip(one.keys, one.memories, one.trusts, strict=True)
                ],
                "offer": one.text,
            }
            for one in found.split
        ],
    }


def _number(value: float) -> int | float | None:
    return None if math.isnan(value) else plain(round3(value))

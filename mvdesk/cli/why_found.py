"""Why a memory is among the hits of a search, or isn't, on the command line."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from mvdesk.cli.output import clean, write_json, write_line
from mvdesk.cli.query_hints import query_json, tell_hints
from mvdesk.scoring.rounding import round3
from mvdesk.vault.questions.why_found import Limits, WhyFound, explain_match

if TYPE_CHECKING:
    from typing import Any

    from mvdesk.cli.opened import Opened
    from mvdesk.vault.questions.find import FindSettings
    from mvdesk.vault.questions.query import Query


def write_why(
    vault_open: Opened, query: Query, memory_id: str, settings: FindSettings, *, as_json: bool
) -> None:
    """Explain one memory's place in a search, or its absence."""
    snapshot = vault_open.snapshot
    matches = vault_open.searcher.find(snapshot, query, apart=True)
    memory, row = vault_open.read_memory(memory_id), vault_open.row_of(memory_id)
    limits = Limits(settings.min_score, settings.limit, settings.archived)
    why = explain_match(matches, vault_open.moment, row, memory, limits)
    if as_json:
        write_json({"query": query.text, **query_json(query), **_json(why)})
        return
    tell_hints(query)
    write_line(clean(why.label))
    write_line(why.verdict)
    for part in why.parts:
        mark = "holds   " if part.holds else "fails   "
        write_line(f"  {mark}{clean(part.text)}" + (f": {clean(part.why)}" if part.why else ""))
    for sentence in why.kept_out:
        write_line(f"  kept out: {sentence}")
    if why.ranking is not None and why.parts:
        write_line(f"  {why.ranking.formula}")
    for remedy in why.remedies:
        write_line(f"  {clean(remedy)}")


def _json(why: WhyFound) -> dict[str, Any]:
    data: dict[str, Any] = {
        "memory_id": why.memory_id,
        "is_hit": why.is_hit,
        "verdict": why.verdict,
        "parts": [{"part": p.text, "holds": p.holds, "why": p.why} for p in why.parts],
        "kept_out": list(why.kept_out),
        "remedies": list(why.remedies),
        "ranking": None,
    }
    if why.ranking is not None:
        numbers = asdict(why.ranking)
        data["ranking"] = {
            name: round3(value) if isinstance(value, float) else value
            for name, value in numbers.items()
        } | {"formula": why.ranking.formula}
    return data

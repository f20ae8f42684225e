"""The rules of a brain in words: what each does, its range, and what it comes to now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.ui.widgets.amount_field import AmountSpec, format_amount
from mvdesk.vault.operations.policy import RANGES, Policy

if TYPE_CHECKING:
    from collections.abc import Mapping

PRIVATE: Final = "private_mode"
PRIVATE_CAPTION: Final = "Private mode"
PRIVATE_EXPLAINED: Final = (
    "Tells a server that shares this file to keep the brain to its owner. Usually on. mvdesk "
    "itself shares nothing either way."
)

_SAID: Final = (
    ("decay_days", "Decay period", "days", 1,
     "What a decay proposes as its period: memories left alone for so long lose base values."),
    ("max_inferred_edges", "Inferred links", "at most", 20,
     "How many links that only shared tags suggest are counted among the links of the graph."),
    ("min_link_suggestion_score", "Link suggestions", "from", 0.05,
     "How alike two memories must be before a link between them is suggested. Lower: more."),
    ("retention_days", "Keep the log", "days", 30,
     "How long a server keeps lines of the changelog. mvdesk never deletes any."),
    ("snapshot_retention", "Keep snapshots", "of them", 1,
     "Taking one more snapshot than this drops the oldest."),
    ("path_max_hops", "Longest path", "links", 1,
     "How many links a path between two memories may have. Longer paths take longer to find."),
    ("subgraph_default_radius", "Neighbourhood", "links away", 1,
     "How far around a memory a program looks that asks for its neighbourhood."),
)  # fmt: skip


def policy_amounts() -> list[AmountSpec]:
    """The fields of the rules that are numbers."""
    return [
        AmountSpec(
            name, caption, unit, *RANGES[name], step, explained,
            is_whole=name != "min_link_suggestion_score",
        )
        for name, caption, unit, step, explained in _SAID
    ]  # fmt: skip


def describe_range(name: str) -> str:
    """From where to where a rule goes, and what it usually is."""
    low, high = RANGES[name]
    usual = getattr(Policy(), name)
    return f"{format_amount(low)} to {format_amount(high)}, usually {format_amount(usual)}."


def describe_effects(counts: Mapping[str, int]) -> dict[str, str]:
    """What rules come to now, by rule."""
    touched, older, snapshots = counts["decay_days"], counts["retention_days"], counts["snapshots"]
    said = {
        "decay_days": f"Now a decay of that age would touch {_count(touched, 'memory')}.",
        "retention_days": f"Now {_count(older, 'line')} of the log older than that.",
    }
    beyond = counts["snapshot_retention"]
    kept = f"Now {_count(snapshots, 'snapshot')} kept"
    drops = f"; the next one drops {_count(beyond, 'snapshot')}." if beyond else "."
    return {**said, "snapshot_retention": kept + drops}


def _count(count: int, noun: str) -> str:
    many = "memories" if noun == "memory" else f"{noun}s"
    return f"one {noun}" if count == 1 else f"{count:,} {many}"

"""The rules of a brain in words: what each does, its range, and what it comes to now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.ui.widgets.amount_field import AmountSpec, format_amount
from mvdesk.vault.operations.policy import RANGES, Policy
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping

PRIVATE: Final = "private_mode"
PRIVATE_CAPTION: Final = tr("Private mode")
PRIVATE_EXPLAINED: Final = tr(
    "Tells a server that shares this file to keep the brain to its owner. Usually on. mvdesk "
    "itself shares nothing either way."
)

_SAID: Final = (
    ("decay_days", tr("Decay period"), tr("days"), 1,
     tr("What a decay proposes as its period: memories left alone for so long lose base values.")),
    ("max_inferred_edges", tr("Inferred links"), tr("at most"), 20,
     tr("How many links that only shared tags suggest are counted among the links of the graph.")),
    ("min_link_suggestion_score", tr("Link suggestions"), tr("from"), 0.05,
     tr("How alike two memories must be before a link between them is suggested. Lower: more.")),
    ("retention_days", tr("Keep the log"), tr("days"), 30,
     tr("How long a server keeps lines of the changelog. mvdesk never deletes any.")),
    ("snapshot_retention", tr("Keep snapshots"), tr("of them"), 1,
     tr("Taking one more snapshot than this drops the oldest.")),
    ("path_max_hops", tr("Longest path"), tr("links"), 1,
     tr("How many links a path between two memories may have. Longer paths take longer to find.")),
    ("subgraph_default_radius", tr("Neighbourhood"), tr("links away"), 1,
     tr("How far around a memory a program looks that asks for its neighbourhood.")),
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
    return tr(
        "{low} to {high}, usually {usual}.",
        low=format_amount(low),
        high=format_amount(high),
        usual=format_amount(usual),
    )


def describe_effects(counts: Mapping[str, int]) -> dict[str, str]:
    """What rules come to now, by rule."""
    touched, older, snapshots = counts["decay_days"], counts["retention_days"], counts["snapshots"]
    beyond = counts["snapshot_retention"]
    kept = tr_n(
        "Now one snapshot is kept", "Now {count:,} snapshots are kept", snapshots, count=snapshots
    )
    drops = tr_n(
        "; the next one drops one.", "; the next one drops {count:,}.", beyond, count=beyond
    )
    return {
        "decay_days": tr_n(
            "Now a decay of that age would touch one memory.",
            "Now a decay of that age would touch {count:,} memories.",
            touched,
            count=touched,
        ),
        "retention_days": tr_n(
            "Now one line of the log is older than that.",
            "Now {count:,} lines of the log are older than that.",
            older,
            count=older,
        ),
        "snapshot_retention": kept + (drops if beyond else "."),
    }

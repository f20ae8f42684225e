"""Effects of a preview as lines of text for tables: titles, sources, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.ui.models.movers_table import MoverLine
from mvdesk.ui.panels.conflict_changes_page import ConflictLine
from mvdesk.ui.panels.searches_page import SearchLine
from mvdesk.ui.widgets.trust_slider import format_trust
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.effects import Effects, Retrieval, Tried
    from mvdesk.vault.questions.conflicts import Conflict
    from mvdesk.vault.questions.movers import Mover
    from mvdesk.vault.snapshot import Snapshot

_WORTH: Final = tr(
    "A replaced memory loses 0.20 there, a text that fits better is worth up to 0.75."
)


def mover_lines(tried: Tried, movers: Sequence[Mover]) -> list[MoverLine]:
    """Movers with what they are called and why they move."""
    ids = tried.snapshot.memories.ids
    return [
        MoverLine(
            ids.text(mover.row),
            title_of(tried.snapshot, mover.row),
            tried.snapshot.source_key_of_row(mover.row) or "",
            mover.rank_before,
            mover.rank_after,
            mover.score_before,
            mover.score_after,
            _why_it_moves(tried, mover),
        )
        for mover in movers
    ]


def conflict_lines(effects: Effects) -> list[ConflictLine]:
    """Conflicts that appear, then those that vanish, each by the fact that crosses."""
    changes = effects.conflicts
    lines = [_conflict_line(effects, one, appears=True) for one in changes.appearing]
    return lines + [_conflict_line(effects, one, appears=False) for one in changes.vanishing]


def search_lines(retrieval: Retrieval) -> list[SearchLine]:
    """The saved searches with what comes in and goes out."""
    snapshot, is_preview = retrieval.tried.snapshot, bool(retrieval.tried.trust)
    return [
        SearchLine(
            one.text,
            len(one.after),
            one.kept if is_preview else None,
            not one.is_same,
            tuple(title_of(snapshot, row) for row in one.entered),
            tuple(title_of(snapshot, row) for row in one.left),
            title_of(snapshot, one.after[0]) if one.after else "",
        )
        for one in retrieval.searches
    ]


def reach_line(retrieval: Retrieval) -> str:
    """How far trust can move a memory in a search: at all, and in this preview."""
    said = tr(
        "Trust, from 0 to 1, moves a memory in a search by at most {most:.3f}", most=retrieval.most
    )
    if retrieval.tried.trust:
        said += tr("; this preview by up to {most:.3f}", most=retrieval.reach.most)
    return f"{said}. {_WORTH}"


def title_of(snapshot: Snapshot, row: int) -> str:
    """What a memory is called, on one line."""
    return " ".join(snapshot.memories.labels.text(row).split())


def describe_trust(tried: Tried, key: str) -> str:
    """How a source's trust moves in the preview."""
    index = tried.snapshot.key_index(key)
    stored = None if index is None else float(tried.snapshot.sources.trust[index])
    was = None if stored is None or stored != stored else stored  # NaN is "not set"
    return f"{key} {format_trust(was)} → {format_trust(tried.trust[key])}"


def _why_it_moves(tried: Tried, mover: Mover) -> str:
    key = tried.snapshot.source_key_of_row(mover.row)
    if mover.reason == "trust" and key in tried.trust:
        return describe_trust(tried, key or "")
    if mover.reason == "clamped":
        return tr(
            "stays at {score_after:.0f}, cannot move; others do", score_after=mover.score_after
        )
    return tr("others fall below it") if mover.places > 0 else tr("others pass it")


def _conflict_line(effects: Effects, conflict: Conflict, *, appears: bool) -> ConflictLine:
    tried, threshold = effects.tried, effects.conflicts.threshold
    before, after = tried.before.confidence, tried.after.confidence
    row, other = conflict.a_row, conflict.b_row
    if (before[row] >= threshold) == (after[row] >= threshold):
        row, other = other, row
    how = (
        tr("same key {fact_key}", fact_key=conflict.fact_key)
        if conflict.fact_key
        else tr("linked as contradicting")
    )
    verb = tr("rises") if appears else tr("falls")
    why = f"{verb} {format_number(before[row], '.3f')} → {format_number(after[row], '.3f')}; {how}"
    key = tried.snapshot.source_key_of_row(row)
    if key in tried.trust:
        why = f"{describe_trust(tried, key or '')}: {why}"
    snapshot = tried.snapshot
    ids = snapshot.memories.ids
    return ConflictLine(
        ids.text(row),
        ids.text(other),
        title_of(snapshot, row),
        title_of(snapshot, other),
        appears,
        why,
    )

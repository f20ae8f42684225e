"""What the window shows of a vault: scores with the preview laid over, and the order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.explain import ExplainFacts, explain_row
from mvdesk.scoring.verdict import Rank
from mvdesk.ui.chosen import ListFilter, find_chosen
from mvdesk.ui.grouping import Groups, find_groups, grouped
from mvdesk.ui.preview import NO_PREVIEW, THRESHOLD, Preview, preview_of
from mvdesk.ui.standing import column, count_scores
from mvdesk.vault.questions.distribution import thousandths_of
from mvdesk.vault.questions.overlay import Overlay, PatchedScores

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import BoolArray, Int64Array, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.explain import Explanation
    from mvdesk.ui.arrange import Arrangement
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.loading import Loaded
    from mvdesk.vault.questions.conditions import Moment
    from mvdesk.vault.questions.matching import Matches


_KEPT_EXPLANATIONS = 8
_SORTED_AT_ONCE = 250_000
"""More memories than these are sorted in a job: they take longer than 8 ms."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The outcome of laying trust values over the stored state."""

    scores: Scores
    preview: Preview


_Still = tuple[tuple["IntArray", ...], "Int64Array", "IntArray"]
"""The rows that a preview moves, how many others of a type have each score, those of the type."""


class Shown:
    """One loaded state with its overlay; replaced as a whole when the vault changes."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self.is_before = False  # shows the stored values although there is a preview
        self.threshold = THRESHOLD
        self._scored = Scored(loaded.scores, NO_PREVIEW)
        self.arrangement = loaded.arrangement
        self._chosen: dict[ListFilter, BoolArray] = {}
        self._prepared: tuple[Arrangement, Scores, Matches | None, IntArray] | None = None
        self._groups: tuple[IntArray, Groups | None] | None = None
        self.order = self._order(loaded.scores, loaded.arrangement)
        self._still: dict[tuple[int, str], _Still] = {}
        self._explained: dict[tuple[object, ...], Explanation] = {}
        self._overlay = Overlay(loaded.snapshot, loaded.model, loaded.now, loaded.scores)

    @property
    def scores(self) -> Scores:
        """The shown ones."""
        return self.loaded.scores if self.is_before else self._scored.scores

    @property
    def tried_scores(self) -> Scores:
        """Those of the preview, whatever is shown."""
        return self._scored.scores

    @property
    def preview(self) -> Preview:
        return self._scored.preview

    def rows_touched(self, trust: Mapping[str, float | None]) -> int:
        """How many memories `compute` scores for these trust values."""
        return self._overlay.rows_touched(trust)

    def compute(self, trust: Mapping[str, float | None]) -> Scored:
        """Scores under `trust`; one caller at a time, on any thread."""
        return Scored(self._overlay.scores(trust), self._count(trust))

    def count_again(self) -> Preview:
        """The preview with who crosses the threshold of now."""
        trust = self.preview.trust
        self._scored = Scored(self._scored.scores, self._count(trust))
        return self.preview

    def _count(self, trust: Mapping[str, float | None]) -> Preview:
        return preview_of(trust, self._overlay.count(trust, threshold=self.threshold))

    def compute_job(self, trust: Mapping[str, float | None], _token: CancelToken) -> Scored:
        """As `compute`, and sorts the list by the new scores already, unless it is searched."""
        scored, arrangement = self.compute(trust), self.arrangement
        if not arrangement.filter_text:
            self._prepare_order(arrangement, scored.scores)
        _ = scored.scores.importance  # painted, so it is made here
        return scored

    def still_open(self, trust: Mapping[str, float | None]) -> dict[str, float | None]:
        """Those tried values that still differ from what is stored."""
        return {
            key: value
            for key, value in trust.items()
            if self.loaded.snapshot.key_index(key) is not None
            and value != self.trust_of(key, committed=True)
        }

    def show(self, scored: Scored) -> bool:
        """Take what `compute` made. True when the order moved."""
        self._scored = scored
        return self.arrange(self.arrangement)

    def set_before(self, *, on: bool) -> bool:
        """Show the stored values, or those of the preview again. True when the order moved."""
        self.is_before = on
        return self.arrange(self.arrangement)

    def is_ready(self, arrangement: Arrangement) -> bool:
        if arrangement == self.arrangement:
            return self.loaded.arranger.is_ready(arrangement)
        only = arrangement.only
        is_chosen = only is None or self._chosen_by(only, find=False) is not None
        if not is_chosen or not self.loaded.arranger.is_ready(arrangement):
            return False
        return len(self.scores) <= _SORTED_AT_ONCE or self._is_prepared(self.scores, arrangement)

    def is_refined(self, arrangement: Arrangement) -> bool:
        """False when `refine` would bring hits into a better order."""
        return self.loaded.arranger.is_refined(arrangement)

    def refine(self, arrangement: Arrangement, token: CancelToken) -> None:
        """Weigh the hits of a search; for a job."""
        self.loaded.arranger.prepare(arrangement, cancelled=token.is_cancelled)
        self._sort_ahead(arrangement)

    def matches(self) -> Matches | None:
        """The search of what is shown, looked up; None without one."""
        return self.loaded.arranger.matches(self.arrangement)

    def moment(self) -> Moment:
        """What a search compares with: shown scores and trusts, the clock."""
        loaded, snapshot = self.loaded, self.loaded.snapshot
        tried = {} if self.is_before else self.preview.trust
        known = {snapshot.key_index(key): trust for key, trust in tried.items()}
        sources = snapshot.sources.with_trust({k: t for k, t in known.items() if k is not None})
        return loaded.searcher.moment(
            snapshot,
            self.scores,
            loaded.now,
            stored=loaded.scores,
            trust=snapshot.trust_per_row(sources),
        )

    def prepare(self, arrangement: Arrangement, token: CancelToken) -> None:
        """Make what `arrange` needs; slow, for a job. Hits of a search aren't weighed yet."""
        self.loaded.arranger.prepare(arrangement, refined=False, cancelled=token.is_cancelled)
        if arrangement.only is not None:
            self._chosen_by(arrangement.only)
        self._sort_ahead(arrangement)

    def _sort_ahead(self, arrangement: Arrangement) -> None:
        if len(self.scores) > _SORTED_AT_ONCE:
            self._prepare_order(arrangement, self.scores)

    def _prepare_order(self, arrangement: Arrangement, scores: Scores) -> None:
        """Sort ahead; an order that didn't move is the very array that is shown."""
        matches, order = self.loaded.arranger.matches(arrangement), self._order(scores, arrangement)
        if np.array_equal(order, self.order):
            order = self.order
        self._prepared = (arrangement, scores, matches, order)

    @property
    def groups(self) -> Groups | None:
        """The groups of the order, None when the list isn't grouped."""
        kept = self._groups
        if kept is None or kept[0] is not self.order:
            found = find_groups(self.order, self.loaded.snapshot, self.arrangement.group)
            kept = self._groups = (self.order, found)
        return kept[1]

    def _is_prepared(self, scores: Scores, arrangement: Arrangement) -> bool:
        made = self._prepared
        if made is None or made[0] != arrangement or made[1] is not scores:
            return False
        return made[2] is self.loaded.arranger.matches(arrangement)

    def arrange(self, arrangement: Arrangement) -> bool:
        """Sort and filter as asked. True when the order moved."""
        was_compared = self._is_prepared(self.scores, arrangement)
        order = self._order(self.scores, arrangement)
        regrouped = arrangement.group != self.arrangement.group
        self.arrangement = arrangement
        is_same = order is self.order or (not was_compared and np.array_equal(order, self.order))
        if is_same and not regrouped:
            return False
        self.order = order
        return True

    def low(self) -> BoolArray:
        """Marks the memories whose stored confidence is low for their type."""
        marks = self._chosen_by(ListFilter("low"))
        assert marks is not None
        return marks

    def _order(self, scores: Scores, arrangement: Arrangement) -> IntArray:
        if self._prepared is not None and self._is_prepared(scores, arrangement):
            return self._prepared[3]
        only = arrangement.only
        chosen = None if only is None else self._chosen_by(only)
        order = self.loaded.arranger.order(scores, arrangement, self.moment, chosen)
        return grouped(order, self.loaded.snapshot, arrangement.group)

    def _chosen_by(self, only: ListFilter, *, find: bool = True) -> BoolArray | None:
        """What a filter lets through; None when that isn't known and not to be found out."""
        loaded = self.loaded
        kept = loaded.chosen
        if kept is not None and kept[0] == only:
            return kept[1]
        if only not in self._chosen and find:
            self._chosen[only] = find_chosen(
                only, loaded.snapshot, loaded.scores, loaded.model, loaded.now
            )
        return self._chosen.get(only)

    def trust_of(self, source_key: str, *, committed: bool) -> float | None:
        if not committed and not self.is_before and source_key in self.preview.trust:
            return self.preview.trust[source_key]
        snapshot = self.loaded.snapshot
        key = snapshot.key_index(source_key)
        trust = np.nan if key is None else float(snapshot.sources.trust[key])
        return None if np.isnan(trust) else trust

    def find_end_of_link(self, link_id: str, near_row: int | None) -> str | None:
        """A memory at an end of a link, looked for at `near_row` first; None when unknown."""
        snapshot = self.loaded.snapshot
        links = snapshot.links
        near = [] if near_row is None else snapshot.links_of_row(near_row).tolist()
        row = next((row for row in near if links.ids[row] == link_id), None)
        if row is None:
            row = next((row for row, other in enumerate(links.ids) if other == link_id), None)
        if row is None:
            return None
        ends = (int(links.from_rows[row]), int(links.to_rows[row]))
        return next((snapshot.memories.ids[end] for end in ends if end >= 0), None)

    def explain(
        self, row: int, fields: Mapping[str, str | None] | None, *, committed: bool
    ) -> Explanation:
        """Why a memory scores as it does; `fields` are its texts, for evidence, if at hand."""
        loaded = self.loaded
        snapshot = loaded.snapshot
        key = snapshot.source_key_of_row(row)
        trust = None if key is None else self.trust_of(key, committed=committed)
        about = (row, trust, None if fields is None else tuple(fields.values()))
        # Several panels explain the same memory in the same frame.
        explanation = self._explained.get(about)
        if explanation is None:
            if len(self._explained) >= _KEPT_EXPLANATIONS:
                self._explained.clear()
            explanation = self._explained[about] = self._explain(row, fields, trust)
        return explanation

    def _explain(
        self, row: int, fields: Mapping[str, str | None] | None, trust: float | None
    ) -> Explanation:
        loaded = self.loaded
        snapshot = loaded.snapshot
        inputs = snapshot.inputs(loaded.model).taken([row])
        inputs = inputs.with_trust(np.array([np.nan if trust is None else trust]))
        source_row = int(snapshot.memories.source_rows[row])
        source = snapshot.sources.texts[source_row] if source_row >= 0 else None
        facts = ExplainFacts(source=source, fields=fields)
        return explain_row(inputs, facts, loaded.model, loaded.now)

    def rank_of(self, row: int, kind: str) -> Rank:
        """Where a memory's shown score stands among the active memories of its type."""
        memories, standing = self.loaded.snapshot.memories, self.loaded.standing
        code = int(memories.type_codes[row])
        _, count = standing.alike(code)
        counts = self._counted(code, kind)
        place = int(thousandths_of(column(self.scores, kind)[row : row + 1])[0])
        higher, lower = int(counts[place + 1 :].sum()), int(counts[:place].sum())
        is_archived = bool(memories.archived_at[row] != NO_TIME)
        count += is_archived  # it counts itself all the same
        usual = standing.usual_base(code, kind)
        return Rank(higher, lower, memories.type_names[code], count, usual)

    def _counted(self, code: int, kind: str) -> Int64Array:
        """How many active memories of a type have each shown score, per thousandth.

        Of a preview only the rows that it moves are counted, the others once.
        """
        scores, standing = self.scores, self.loaded.standing
        if not isinstance(scores, PatchedScores):
            return standing.counts(code, kind)
        moving = scores.patched_rows
        kept = self._still.get((code, kind))
        if kept is None or not _are_same(kept[0], moving):
            alike, _ = standing.alike(code)
            rows = np.concatenate([rows[alike[rows]] for rows in moving])
            moved = count_scores(column(scores.base, kind)[rows])
            kept = self._still[code, kind] = (moving, standing.counts(code, kind) - moved, rows)
        _, counts, rows = kept
        return counts + count_scores(column(scores, kind)[rows])


def _are_same(some: tuple[IntArray, ...], others: tuple[IntArray, ...]) -> bool:
    return len(some) == len(others) and all(a is b for a, b in zip(some, others, strict=True))

"""What a waterfall shows, whatever its size: a score, a difference or effects of causes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.plots.waterfall_plans import (
    describe_causes,
    describe_difference,
    find_change_range,
    plan_causes,
    plan_difference,
)
from mvdesk.ui.plots.waterfall_rows import Row, RowOrder, describe_score, find_axis_range, plan_rows
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.scoring.explain import ScoreExplanation

_TITLES: Final = {"confidence": tr("confidence (0–1)"), "importance": tr("importance (0–1)")}


@dataclass(frozen=True, slots=True)
class WaterfallContent:
    """A score and how it is read.

    `previous` is the score before the preview, whose bars appear as ghosts; `pinned` the one it
    is compared with; `causes` are effects shown instead of the components, None for those.
    `base_note` says where the base is from.
    """

    score: ScoreExplanation | None = None
    previous: ScoreExplanation | None = None
    pinned: ScoreExplanation | None = None
    causes: tuple[Row, ...] | None = None
    order: RowOrder = "grouped"
    base_note: str = ""

    @property
    def shows_causes(self) -> bool:
        """Whether the rows are effects of causes."""
        return self.pinned is None and self.causes is not None

    @property
    def stored(self) -> ScoreExplanation | None:
        """The score as it is stored, whatever a preview makes of it."""
        return self.previous or self.score

    def plan(self, *, unfolded: bool) -> tuple[Row, ...]:
        """The rows from top to bottom; `unfolded` lists those at zero one by one."""
        if self.score is None:
            return ()
        if self.pinned is not None:
            return plan_difference(self.pinned, self.score, unfolded=unfolded)
        if self.causes is not None:
            return plan_causes(self.causes, unfolded=unfolded)
        return plan_rows(
            self.score,
            previous=self.previous,
            order=self.order,
            unfolded=unfolded,
            base_note=self.base_note,
        )

    def axis_of(self, rows: Sequence[Row], *, zoomed: bool = False) -> tuple[float, float]:
        """The score points that the axis shows, at its widest or `zoomed` to the bars."""
        if self.shows_causes:
            return find_change_range(rows)
        return find_axis_range(rows, zoomed=zoomed)

    @property
    def axis_title(self) -> str:
        """What the axis is, "" without a score."""
        if self.score is None:
            return ""
        kind = self.score.kind
        return tr("effect on {kind}", kind=KIND_WORDS[kind]) if self.shows_causes else _TITLES[kind]

    def describe(self, rows: Sequence[Row]) -> str:
        """All of it in one sentence."""
        if self.score is None:
            return tr("Nothing is selected.")
        if self.pinned is not None:
            return describe_difference(self.pinned, self.score)
        if self.shows_causes:
            return describe_causes(rows, self.score.kind)
        return describe_score(self.score)

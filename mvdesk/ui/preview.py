"""The preview: trust values being tried out, and how many memories they move."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from mvdesk.vault.questions.movers import THRESHOLD as THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.vault.questions.movers import MoveCounts

PreviewView = Literal["after", "before", "split"]
"""Which values are shown in a preview: the new ones, the stored ones, or both."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What is being tried out, and how many memories it moves.

    `trust` maps source keys to the tried value, `None` for "not set". `affected` are the
    active memories of those sources; `up` and `down` those whose confidence moves;
    `crossing_up` and `crossing_down` those that pass `threshold`; `clamped` those that can't move
    because their confidence is at the floor or the ceiling, `clamped_by_source` the same by
    source key.
    """

    trust: Mapping[str, float | None]
    affected: int = 0
    up: int = 0
    down: int = 0
    crossing_up: int = 0
    crossing_down: int = 0
    clamped: int = 0
    clamped_by_source: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    threshold: float = THRESHOLD

    @property
    def is_empty(self) -> bool:
        return not self.trust

    @property
    def crossing(self) -> int:
        return self.crossing_up + self.crossing_down


NO_PREVIEW: Final = Preview(MappingProxyType({}))


def preview_of(trust: Mapping[str, float | None], counts: MoveCounts) -> Preview:
    """What the bar says about `trust`."""
    if not trust:
        return NO_PREVIEW
    whole = counts.whole
    return Preview(
        trust=MappingProxyType(dict(trust)),
        affected=whole.affected,
        up=whole.up,
        down=whole.down,
        crossing_up=whole.crossing_up,
        crossing_down=whole.crossing_down,
        clamped=whole.stuck,
        clamped_by_source=MappingProxyType(
            {key: moves.stuck for key, moves in counts.by_source.items()}
        ),
        threshold=counts.threshold,
    )

"""One memory's scoring inputs as plain values, and the arrays made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.scoring.inputs import ScoreInputs
from mvdesk.scoring.signals import measure_sources, measure_texts, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mvdesk.scoring.inputs import FloatArray
    from mvdesk.scoring.model import ScoreModel


@dataclass(frozen=True, slots=True)
class LinkStats:
    """Links that touch a memory, in either direction: all of them, and by relation."""

    link_count: int = 0
    supports_count: int = 0
    contradicts_count: int = 0
    supersedes_count: int = 0
    causes_count: int = 0
    example_of_count: int = 0

    def as_row(self) -> tuple[int, ...]:
        """The counts in the order of `inputs.LINK_COLUMNS`."""
        return (
            self.link_count,
            self.supports_count,
            self.contradicts_count,
            self.supersedes_count,
            self.causes_count,
            self.example_of_count,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What one memory's scores depend on, besides the model.

    Times are epoch seconds, None for missing (`ScoreInputs` says what missing falls back to).
    `trust` is None where none is set for the source. Bases and trust outside 0..1 are clamped.
    """

    now: float
    type: str | None = None
    title: str | None = None
    key: str | None = None
    content: str | None = None
    tags: str | None = None
    source: str | None = None
    base_confidence: float = 0.7
    base_importance: float = 0.5
    created_at: float | None = None
    updated_at: float | None = None
    access_count: float = 0.0
    last_accessed_at: float | None = None
    links: LinkStats = field(default_factory=LinkStats)
    trust: float | None = None


def type_name_of(memory_type: str | None) -> str:
    """The type as scoring looks at it: lower-cased, "unknown" for none."""
    return memory_type.lower() if memory_type else "unknown"


def inputs_of(cases: Sequence[Case], model: ScoreModel) -> ScoreInputs:
    """The arrays of some cases, one row each; their `now` is left to the caller."""
    names = [type_name_of(case.type) for case in cases]
    codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
    texts = measure_texts(
        (text_of(case.title, case.key, case.content, case.tags) for case in cases), model.keywords
    )
    sources = measure_sources([case.source for case in cases], model)
    return ScoreInputs(
        base_confidence=_floats(case.base_confidence for case in cases),
        base_importance=_floats(case.base_importance for case in cases),
        type_codes=np.array([codes[name] for name in names], dtype=np.int32),
        type_names=tuple(codes),
        certainty_hits=texts.certainty_hits,
        hedge_hits=texts.hedge_hits,
        importance_hits=texts.importance_hits,
        content_length=texts.content_length,
        source_named=sources.named,
        source_high=sources.high,
        source_low=sources.low,
        trust=_floats(case.trust for case in cases),
        link_counts=np.array([case.links.as_row() for case in cases], np.int32).reshape(-1, 6),
        created_at=_floats(case.created_at for case in cases),
        updated_at=_floats(case.updated_at for case in cases),
        access_count=_floats(case.access_count for case in cases),
        last_accessed_at=_floats(case.last_accessed_at for case in cases),
    )


def _floats(values: Iterable[float | None]) -> FloatArray:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)

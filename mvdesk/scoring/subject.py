"""The one memory that evidence, levers and causes are about, and what it scores when changed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from mvdesk.scoring.case import inputs_of
from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.inputs import LINK_COLUMNS, stack_inputs
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.signals import normalise_source_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.scoring.case import Case
    from mvdesk.scoring.inputs import FloatArray, ScoreInputs
    from mvdesk.scoring.model import ScoreModel

ScoreKind = Literal["confidence", "importance"]

RELATION_COLUMNS: Final[dict[str, int]] = {
    name.removesuffix("_count"): place for place, name in enumerate(LINK_COLUMNS) if place
}
"""Where links of a relation are counted besides the total; others count in the total alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFact:
    """A link as seen from the explained memory; it counts whichever way it runs.

    `outgoing` says that it runs from the explained memory to the other one. `confidence` and
    `importance` are the other end's scores, None when it isn't there. `ends` is how often it
    counts: twice for a link from the memory to itself.
    """

    id: str
    relation: str
    outgoing: bool
    other_id: str
    title: str
    confidence: float | None = None
    importance: float | None = None
    archived: bool = False
    ends: int = 1

    def to_json(self) -> dict[str, Any]:
        """Field names as lists of links have them."""
        return {
            "link_id": self.id,
            "relation_type": self.relation,
            "direction": "from" if self.outgoing else "to",
            "memory_id": self.other_id,
            "title": self.title,
            "confidence": self.confidence,
            "importance": self.importance,
            "archived": self.archived,
            "counted": self.ends,
        }


@dataclass(frozen=True, slots=True)
class ScorePair:
    """Both scores of one memory. The raw ones are neither rounded nor clamped."""

    confidence: float
    importance: float
    raw_confidence: float
    raw_importance: float

    def of(self, kind: ScoreKind) -> float:
        """The score of a kind, rounded and clamped."""
        return self.confidence if kind == "confidence" else self.importance

    def raw_of(self, kind: ScoreKind) -> float:
        """The raw sum of a kind."""
        return self.raw_confidence if kind == "confidence" else self.raw_importance

    def minus(self, other: ScorePair) -> ScorePair:
        """The differences; those of the scores are whole thousandths."""
        return ScorePair(
            round3(self.confidence - other.confidence),
            round3(self.importance - other.importance),
            self.raw_confidence - other.raw_confidence,
            self.raw_importance - other.raw_importance,
        )

    def to_json(self) -> dict[str, float]:
        """All four numbers to three decimals."""
        return {
            "confidence": self.confidence,
            "importance": self.importance,
            "raw_confidence": round3(self.raw_confidence),
            "raw_importance": round3(self.raw_importance),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """One memory under one model at one time, with what its numbers came from.

    `inputs` has one row; it alone makes the scores, the rest is what evidence names. `source`
    and the text `fields` (title, key, content, tags) are as written, `fields` None when not at
    hand. `links` are the counted links, if given. `trust_note` belongs to the stored trust,
    `source_count` is how many active memories share the source, this one included; None for
    unknown.
    """

    inputs: ScoreInputs
    model: ScoreModel
    now: float
    source: str | None = None
    fields: Mapping[str, str | None] | None = None
    links: tuple[LinkFact, ...] = ()
    trust_note: str | None = None
    source_count: int | None = None

    def __post_init__(self) -> None:
        if len(self.inputs) != 1:
            raise ValueError(f"one memory can be looked at at once, not {len(self.inputs)}")

    @property
    def source_key(self) -> str:
        """What trust of the source is stored under, "" for no source."""
        return normalise_source_key(self.source)

    @property
    def type_name(self) -> str:
        """The type, lower-cased."""
        return self.inputs.type_names[int(self.inputs.type_codes[0])]

    @property
    def trust(self) -> float | None:
        """The trust that counts, in [0, 1]; None is "not set"."""
        trust = float(self.inputs.trust[0])
        return None if math.isnan(trust) else min(max(trust, 0.0), 1.0) + 0.0

    def with_inputs(self, **values: object) -> Subject:
        """The same memory with other values in some columns of `inputs`."""
        changed = {
            name: np.array([value], dtype=getattr(self.inputs, name).dtype)
            for name, value in values.items()
        }
        # The arrays go through a dict whose values mypy can't tell from type_names.
        return replace(self, inputs=replace(self.inputs, **changed))  # type: ignore[arg-type]

    def with_type(self, type_name: str) -> Subject:
        """The same memory as another type."""
        inputs = replace(self.inputs, type_names=(type_name,), type_codes=np.zeros(1, np.int32))
        return replace(self, inputs=inputs)


def subject_of_case(
    case: Case,
    model: ScoreModel,
    *,
    links: tuple[LinkFact, ...] = (),
    trust_note: str | None = None,
    source_count: int | None = None,
) -> Subject:
    """The memory of a case. `links` should be those that the case counts."""
    return Subject(
        inputs=inputs_of([case], model),
        model=model,
        now=case.now,
        source=case.source,
        fields={"title": case.title, "key": case.key, "content": case.content, "tags": case.tags},
        links=links,
        trust_note=trust_note,
        source_count=source_count,
    )


def score_subjects(subjects: Sequence[Subject]) -> list[ScorePair]:
    """What each scores; they share a model and a time."""
    if not subjects:
        return []
    inputs = stack_inputs([one.inputs for one in subjects])
    return score_rows(inputs, subjects[0].model, subjects[0].now)


def score_rows(inputs: ScoreInputs, model: ScoreModel, now: float | FloatArray) -> list[ScorePair]:
    """The scores of every row, one pair each."""
    scores = evaluate(inputs, model, now)
    columns = (scores.confidence, scores.importance, scores.raw_confidence, scores.raw_importance)
    return [ScorePair(*row) for row in np.column_stack(columns).tolist()]

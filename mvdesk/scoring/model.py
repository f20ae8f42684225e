"""A score model as data: every number and keyword that a score is made with.

The parameters are those of the two tables of components; a model has no code of its own, so
a person can copy one, change its numbers and read it back from JSON.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from mvdesk.scoring.model_json import ModelError, check_leaf, read_dataclass
from mvdesk.scoring.saying import tr

__all__ = [
    "CountRate",
    "Depth",
    "KeywordLists",
    "LogRate",
    "ModelError",
    "Recency",
    "ScoreModel",
    "Stale",
    "Step",
    "TypeBias",
    "Use",
]


@dataclass(frozen=True, slots=True)
class KeywordLists:
    """Lower-cased words that are looked for as substrings.

    The first three are looked for in the text, the two `…_source` ones in the source.
    """

    certainty: tuple[str, ...]
    hedge: tuple[str, ...]
    importance: tuple[str, ...]
    high_source: tuple[str, ...]
    low_source: tuple[str, ...]

    @property
    def of_text(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The lists that text signals depend on; equal lists give equal signals."""
        return self.certainty, self.hedge, self.importance


@dataclass(frozen=True, slots=True)
class CountRate:
    """Score points for a count n: min(cap, each · n)."""

    each: float
    cap: float


@dataclass(frozen=True, slots=True)
class LogRate:
    """Score points for a count n: min(cap, each · ln(1 + n))."""

    each: float
    cap: float


@dataclass(frozen=True, slots=True)
class Step:
    """Score points for an age below so many days."""

    below_days: float
    delta: float


@dataclass(frozen=True, slots=True)
class TypeBias:
    """Score points by lower-cased memory type; `other` for any type that is not listed."""

    by_type: tuple[tuple[str, float], ...]
    other: float

    def of(self, type_name: str) -> float:
        return dict(self.by_type).get(type_name, self.other)


@dataclass(frozen=True, slots=True)
class Depth:
    """Score points for content: min(cap, per_span · max(0, (length − free_length) / span))."""

    free_length: float
    span: float
    per_span: float
    cap: float


@dataclass(frozen=True, slots=True)
class Stale:
    """Confidence lost with age: min(cap, per_year · age / 365), when older than `after_days`."""

    after_days: float
    per_year: float
    cap: float


@dataclass(frozen=True, slots=True)
class Recency:
    """Importance by age: the first step that the age is below.

    Past the last step, −min(floor, per_year · (age − last step's days) / 365).
    """

    steps: tuple[Step, ...]
    per_year: float
    floor: float

    @property
    def start_days(self) -> float:
        """The age from which importance falls."""
        return self.steps[-1].below_days if self.steps else 0.0


@dataclass(frozen=True, slots=True)
class Use:
    """What recalls are worth. A model that has it also counts age from the last recall."""

    usage: LogRate
    usage_confidence_share: float
    recall_steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ScoreModel:
    """A named, validated set of scoring parameters; making an invalid one raises ModelError.

    A `…_share` is the part of the full signal that the other score gets. `use` is None in
    models that leave recalls out.
    """

    id: str
    title: str
    description: str
    keywords: KeywordLists
    source_high_bonus: float
    source_named_bonus: float
    source_low_penalty: float
    trust_confidence: float
    trust_importance: float
    certainty: CountRate
    hedge: CountRate
    importance_words: CountRate
    support: CountRate
    contradiction: CountRate
    contradiction_importance_share: float
    cause: CountRate
    supersede: CountRate
    example: CountRate
    example_confidence_share: float
    link: LogRate
    link_confidence_share: float
    type_confidence: TypeBias
    type_importance: TypeBias
    depth: Depth
    stale: Stale
    recency: Recency
    use: Use | None

    def __post_init__(self) -> None:
        for field in fields(self):
            check_leaf(field.name, getattr(self, field.name))

    def to_json(self) -> dict[str, Any]:
        """The model as a JSON object; `from_json` reads it back to an equal model."""
        data = asdict(self)
        for name in ("type_confidence", "type_importance"):
            data[name]["by_type"] = dict(data[name]["by_type"])
        return data

    @classmethod
    def from_json(cls, data: object) -> ScoreModel:
        """The model that a JSON object describes. Raises ModelError naming the field."""
        return read_dataclass(cls, data, "")

    def copy_as(self, model_id: str, title: str, **changes: Any) -> ScoreModel:
        """A model of another name with some parameters changed. Raises ModelError."""
        for name in changes:
            if name not in {field.name for field in fields(self)}:
                raise ModelError(name, tr("is not a parameter of a score model"))
        return replace(self, id=model_id, title=title, **changes)

"""The one engine: components, raw and final scores, for arrays. A single memory is an array of one.

Every sum is a plain left-to-right float64 addition in the order of the component tables, and
every formula is evaluated in the order in which it is written there, so that the last bit
agrees with the server.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.scoring.inputs import ScoreInputs, as_floats
from mvdesk.scoring.rounding import round3_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mvdesk.scoring.inputs import BoolArray, FloatArray, Int32Array, NumberArray
    from mvdesk.scoring.model import CountRate, LogRate, Recency, ScoreModel, Step, TypeBias
    from mvdesk.scoring.subject import ScoreKind

    Deltas = Iterator[tuple[str, FloatArray]]

__all__ = [
    "DAY_SECONDS",
    "Ages",
    "Breakdown",
    "ScoreInputs",
    "Scores",
    "clamped",
    "component_deltas",
    "compute_ages",
    "evaluate",
    "evaluate_components",
]

DAY_SECONDS: Final = 86400
BLOCK: Final = 16384
"""Rows evaluated at once: the temporaries of a block fit in the processor's cache."""
_TABLE_TOP: Final = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One score pair per memory.

    `confidence` and `importance` are the scores, in [0, 1], rounded to three decimals: what
    is compared, sorted and shown. The raw ones are neither rounded nor clamped.
    """

    confidence: FloatArray
    importance: FloatArray
    raw_confidence: FloatArray
    raw_importance: FloatArray

    def __len__(self) -> int:
        return len(self.confidence)

    def of(self, kind: ScoreKind) -> FloatArray:
        """The scores of a kind, rounded and clamped."""
        return self.confidence if kind == "confidence" else self.importance

    def raw_of(self, kind: ScoreKind) -> FloatArray:
        """The raw sums of a kind."""
        return self.raw_confidence if kind == "confidence" else self.raw_importance

    @property
    def unrounded_confidence(self) -> FloatArray:
        """Clamped, not rounded."""
        return clamped(self.raw_confidence)

    @property
    def unrounded_importance(self) -> FloatArray:
        """Clamped, not rounded."""
        return clamped(self.raw_importance)


@dataclass(frozen=True, slots=True, eq=False)
class Breakdown:
    """Scores with every component: unrounded deltas, one column per name, in table order.

    The bases are clamped to [0, 1] and are not among the components.
    """

    base_confidence: FloatArray
    base_importance: FloatArray
    confidence_names: tuple[str, ...]
    confidence_deltas: FloatArray
    importance_names: tuple[str, ...]
    importance_deltas: FloatArray
    scores: Scores


@dataclass(frozen=True, slots=True, eq=False)
class Ages:
    """Days, fractional, not below 0. `recall` is infinite where never recalled.

    `activity` is what age-based components use: in a model with recalls the smaller of the
    two others, else `age`.
    """

    age: FloatArray
    recall: FloatArray
    activity: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """Signals that both scores use."""

    trust: FloatArray  # distance from neutral, 0 where not set
    links: FloatArray
    examples: FloatArray
    contradiction: FloatArray
    usage: FloatArray | None
    ages: Ages


def evaluate(inputs: ScoreInputs, model: ScoreModel, now: float | FloatArray) -> Scores:
    """Both scores of every memory at `now` (epoch seconds; an array gives each its own)."""
    count = len(inputs)
    columns = [np.empty(count) for _ in range(4)]
    for part in _blocks(count):
        block, at = _block(inputs, now, part)
        raw_confidence, raw_importance, confidence, importance = (c[part] for c in columns)
        shared = _share(block, model, at)
        np.copyto(raw_confidence, clamped(block.base_confidence))
        for _, delta in _confidence_deltas(block, model, shared):
            raw_confidence += delta
        np.copyto(raw_importance, clamped(block.base_importance))
        for _, delta in _importance_deltas(block, model, shared):
            raw_importance += delta
        np.copyto(confidence, round3_array(clamped(raw_confidence)))
        np.copyto(importance, round3_array(clamped(raw_importance)))
    return Scores(columns[2], columns[3], columns[0], columns[1])


def evaluate_components(
    inputs: ScoreInputs, model: ScoreModel, now: float | FloatArray
) -> Breakdown:
    """As `evaluate`, with the delta of every component that made the scores."""
    shared = _share(inputs, model, now)
    confidence = list(_confidence_deltas(inputs, model, shared))
    importance = list(_importance_deltas(inputs, model, shared))
    return Breakdown(
        base_confidence=clamped(inputs.base_confidence),
        base_importance=clamped(inputs.base_importance),
        confidence_names=tuple(name for name, _ in confidence),
        confidence_deltas=np.column_stack([delta for _, delta in confidence]),
        importance_names=tuple(name for name, _ in importance),
        importance_deltas=np.column_stack([delta for _, delta in importance]),
        scores=evaluate(inputs, model, now),
    )


def component_deltas(
    inputs: ScoreInputs, model: ScoreModel, now: float | FloatArray
) -> tuple[Deltas, Deltas]:
    """Name and delta of every component of confidence, and of importance, in table order."""
    shared = _share(inputs, model, now)
    return _confidence_deltas(inputs, model, shared), _importance_deltas(inputs, model, shared)


def compute_ages(inputs: ScoreInputs, model: ScoreModel, now: float | FloatArray) -> Ages:
    """How long ago memories were written and recalled; `now` is epoch seconds."""
    written = as_floats(inputs.updated_at)
    written = np.where(np.isnan(written), as_floats(inputs.created_at), written)
    written = np.where(np.isnan(written), now, written)
    age = np.maximum((now - written) / DAY_SECONDS, 0.0)
    last = as_floats(inputs.last_accessed_at)
    recall = np.where(last > 0, np.maximum((now - last) / DAY_SECONDS, 0.0), np.inf)
    return Ages(age, recall, age if model.use is None else np.minimum(age, recall))


def _blocks(count: int) -> Iterator[slice]:
    for start in range(0, count, BLOCK):
        yield slice(start, min(start + BLOCK, count))


def _block(
    inputs: ScoreInputs, now: float | FloatArray, part: slice
) -> tuple[ScoreInputs, float | FloatArray]:
    if part.stop - part.start == len(inputs):
        return inputs, now
    return inputs.taken(part), now[part] if isinstance(now, np.ndarray) else now


def _share(inputs: ScoreInputs, model: ScoreModel, now: float | FloatArray) -> _Shared:
    links = inputs.link_counts
    trust = clamped(inputs.trust) - 0.5
    return _Shared(
        trust=np.where(np.isnan(trust), 0.0, trust),
        links=_log_points(links[:, 0], model.link),
        examples=_points(links[:, 5], model.example),
        contradiction=0.0 - _points(links[:, 2], model.contradiction),
        usage=None if model.use is None else _usage_points(inputs.access_count, model.use.usage),
        ages=compute_ages(inputs, model, now),
    )


def _confidence_deltas(inputs: ScoreInputs, model: ScoreModel, shared: _Shared) -> Deltas:
    kinds = np.array([0.0, model.source_named_bonus, model.source_high_bonus])
    kind = np.maximum(inputs.source_named, inputs.source_high * np.int8(2))
    yield "source_bonus", kinds.take(kind)
    yield "source_trust_delta", shared.trust * model.trust_confidence
    yield "certainty_signal", _points(inputs.certainty_hits, model.certainty)
    yield "type_confidence_bias", _type_points(inputs, model.type_confidence)
    yield "support_signal", _points(inputs.link_counts[:, 1], model.support)
    if model.use is not None and shared.usage is not None:
        yield "usage_signal", shared.usage * model.use.usage_confidence_share
    yield "link_signal", shared.links * model.link_confidence_share
    yield "example_signal", shared.examples * model.example_confidence_share
    yield "contradiction_penalty", shared.contradiction
    yield "hedge_penalty", 0.0 - _points(inputs.hedge_hits, model.hedge)
    yield "source_penalty", _mark_points(inputs.source_low, 0.0 - model.source_low_penalty)
    yield "stale_penalty", _stale_points(shared.ages.activity, model)


def _importance_deltas(inputs: ScoreInputs, model: ScoreModel, shared: _Shared) -> Deltas:
    links = inputs.link_counts
    yield "importance_keyword_signal", _points(inputs.importance_hits, model.importance_words)
    yield "source_trust_delta", shared.trust * model.trust_importance
    yield "content_depth_signal", _depth_points(inputs.content_length, model)
    yield "type_importance_bias", _type_points(inputs, model.type_importance)
    yield "link_signal", shared.links
    yield "cause_signal", _points(links[:, 4], model.cause)
    yield "example_signal", shared.examples
    yield "supersede_signal", _points(links[:, 3], model.supersede)
    if model.use is not None and shared.usage is not None:
        yield "usage_signal", shared.usage
        yield "recall_recency_signal", _step_points(shared.ages.recall, model.use.recall_steps)
    yield "recency_signal", _recency_points(shared.ages.activity, model.recency)
    yield "contradiction_penalty", shared.contradiction * model.contradiction_importance_share


def clamped(values: FloatArray) -> FloatArray:
    """Values moved into [0, 1], −0 as +0; a new array."""
    inside = np.minimum(np.maximum(values, 0.0), 1.0)
    inside += 0.0  # a base of −0 counts as +0
    return inside


def _points(counts: Int32Array, rate: CountRate) -> FloatArray:
    points: FloatArray = np.minimum(counts * rate.each, rate.cap)
    return points


def _mark_points(marks: BoolArray, points: float) -> FloatArray:
    return np.array([0.0, points]).take(marks)


def _log_points(counts: Int32Array, rate: LogRate) -> FloatArray:
    # math.log1p, tabulated: a vectorised log may differ in the last bit, and a memory must
    # score the same alone as in bulk. Counts past the cap share the table's last entry.
    top = min(int(counts.max(initial=0)), _full_count(rate))
    if top > _TABLE_TOP:
        return _log_points_one_by_one(counts, rate)
    curve = np.array([log_points(n, rate) for n in range(top + 1)])
    return curve.take(np.minimum(counts, top))


def _usage_points(access_count: NumberArray, rate: LogRate) -> FloatArray:
    counts = np.fmax(np.floor(as_floats(access_count)), 0.0)  # a missing count (NaN) is 0
    full = _full_count(rate)
    if counts.max(initial=0.0) <= _TABLE_TOP or full <= _TABLE_TOP:
        return _log_points(np.minimum(counts, _TABLE_TOP).astype(np.int32), rate)
    return _log_points_one_by_one(counts, rate)


def _log_points_one_by_one(counts: FloatArray | Int32Array, rate: LogRate) -> FloatArray:
    values, places = np.unique(counts, return_inverse=True)
    return np.array([log_points(n, rate) for n in values.tolist()]).take(places)


def log_points(count: float, rate: LogRate) -> float:
    """What one count earns."""
    return min(rate.cap, rate.each * math.log1p(count))


def _full_count(rate: LogRate) -> int:
    """A count that surely reaches the cap."""
    if rate.each == 0.0:
        return 0
    return math.ceil(math.exp(min(rate.cap / rate.each, 30.0))) + 1


def _type_points(inputs: ScoreInputs, bias: TypeBias) -> FloatArray:
    points = np.array([bias.of(name) for name in inputs.type_names])
    return points.take(inputs.type_codes)


def _depth_points(content_length: Int32Array, model: ScoreModel) -> FloatArray:
    depth = model.depth
    spans = np.maximum((content_length - depth.free_length) / depth.span, 0.0)
    points: FloatArray = np.minimum(spans * depth.per_span, depth.cap)
    return points


def _stale_points(age: FloatArray, model: ScoreModel) -> FloatArray:
    stale = model.stale
    lost = np.minimum(stale.per_year * age / 365, stale.cap)
    return np.where(age > stale.after_days, 0.0 - lost, 0.0)


def _step_points(age: FloatArray, steps: tuple[Step, ...]) -> FloatArray:
    passed = np.zeros(len(age), dtype=np.int8)
    for step in steps:
        passed += age >= step.below_days
    return np.array([*(step.delta for step in steps), 0.0]).take(passed)


def _recency_points(age: FloatArray, recency: Recency) -> FloatArray:
    start = recency.start_days
    lost = np.minimum(recency.per_year * (age - start) / 365, recency.floor)
    return np.where(age < start, _step_points(age, recency.steps), 0.0 - lost)

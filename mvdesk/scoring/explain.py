"""The explanation of one memory's scores: every number that made them, with evidence.

The numbers come from the engine that scores everything else; an explained memory is an array
of one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from mvdesk.scoring.case import Case, LinkStats, inputs_of
from mvdesk.scoring.dates import is_ahead
from mvdesk.scoring.engine import Ages, compute_ages, evaluate_components
from mvdesk.scoring.evidence import Evidence, describe
from mvdesk.scoring.explain_json import explanation_to_json
from mvdesk.scoring.rounding import round3, thousandths
from mvdesk.scoring.saying import tr
from mvdesk.scoring.signals import normalise_source_key, normalise_source_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.scoring.engine import Breakdown
    from mvdesk.scoring.inputs import ScoreInputs
    from mvdesk.scoring.model import ScoreModel

ScoreKind = Literal["confidence", "importance"]

COMPONENT_LABELS: Final[dict[str, str]] = {
    "base_confidence": tr("Base"),
    "base_importance": tr("Base"),
    "source_bonus": tr("Source kind"),
    "source_trust_delta": tr("Source trust"),
    "source_penalty": tr("Weak source"),
    "certainty_signal": tr("Certainty words"),
    "hedge_penalty": tr("Hedge words"),
    "importance_keyword_signal": tr("Importance words"),
    "content_depth_signal": tr("Content depth"),
    "type_confidence_bias": tr("Type"),
    "type_importance_bias": tr("Type"),
    "support_signal": tr("Support"),
    "contradiction_penalty": tr("Contradiction"),
    "cause_signal": tr("Causes"),
    "example_signal": tr("Examples"),
    "supersede_signal": tr("Supersedes"),
    "link_signal": tr("Links"),
    "usage_signal": tr("Recalls"),
    "recall_recency_signal": tr("Last recall"),
    "recency_signal": tr("Recency"),
    "stale_penalty": tr("Staleness"),
}

COMPONENT_GROUPS: Final[dict[str, str]] = {
    "base_confidence": "Base",
    "base_importance": "Base",
    "source_bonus": "Source",
    "source_trust_delta": "Source",
    "source_penalty": "Source",
    "certainty_signal": "Text",
    "hedge_penalty": "Text",
    "importance_keyword_signal": "Text",
    "content_depth_signal": "Text",
    "type_confidence_bias": "Text",
    "type_importance_bias": "Text",
    "support_signal": "Links",
    "contradiction_penalty": "Links",
    "cause_signal": "Links",
    "example_signal": "Links",
    "supersede_signal": "Links",
    "link_signal": "Links",
    "usage_signal": "Use and time",
    "recall_recency_signal": "Use and time",
    "recency_signal": "Use and time",
    "stale_penalty": "Use and time",
}


@dataclass(frozen=True, slots=True)
class Component:
    """What one signal added to a score. `delta` is unrounded, `rounded` has three decimals.

    `hint` is one short line of evidence; `cause` says the same inside a sentence
    ("contradicted by 2 memories").
    """

    name: str
    label: str
    group: str
    delta: float
    rounded: float
    hint: str
    cause: str


@dataclass(frozen=True, slots=True)
class ScoreExplanation:
    """One score taken apart. `components` are in table order and leave the base out.

    `base` (in [0, 1]), `raw` and `unrounded` (clamped) are unrounded; `final` is the score.
    `clamp` is unrounded − raw, 0 when raw is inside [0, 1]. `rounding` is what the displayed
    parts miss of the displayed raw sum, in thousandths' precision.
    """

    kind: ScoreKind
    base: float
    components: tuple[Component, ...]
    raw: float
    unrounded: float
    final: float
    clamp: float
    rounding: float

    @property
    def delta(self) -> float:
        """Final − base, rounded as the server does."""
        return round3(self.final - self.base)


@dataclass(frozen=True, slots=True)
class Signals:
    """What the components were made from."""

    certainty_hits: int
    hedge_hits: int
    importance_hits: int
    source_trust: float | None  # clamped to [0, 1]; None is "not set"
    high_signal_source: bool
    low_signal_source: bool
    content_length: int
    access_count: float
    recall_age_days: float | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Both scores of one memory under one model at one time. Ages are days, unrounded.

    `source` is trimmed and lower-cased, None for none; `source_key` is what trust is stored
    under. `uses_recall` says whether the model has recall components; `dated_ahead` that the
    memory is dated after `evaluated_at`, which counts as age 0.
    """

    model_id: str
    model_title: str
    evaluated_at: int
    memory_type: str
    source: str | None
    source_key: str
    age_days: float
    activity_age_days: float
    dated_ahead: bool
    uses_recall: bool
    link_stats: LinkStats
    confidence: ScoreExplanation
    importance: ScoreExplanation
    signals: Signals

    def to_json(self, *, evidence: bool = False) -> dict[str, Any]:
        """The server's field names, and our extras under keys of their own."""
        return explanation_to_json(self, evidence=evidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainFacts:
    """What evidence names besides numbers. `fields` are the four text fields, if at hand."""

    source: str | None = None
    fields: Mapping[str, str | None] | None = None


def explain(case: Case, model: ScoreModel) -> Explanation:
    """The explanation of a memory given as plain values."""
    fields = {"title": case.title, "key": case.key, "content": case.content, "tags": case.tags}
    facts = ExplainFacts(source=case.source, fields=fields)
    return explain_row(inputs_of([case], model), facts, model, case.now)


def explain_row(
    inputs: ScoreInputs, facts: ExplainFacts, model: ScoreModel, now: float
) -> Explanation:
    """The explanation of the one memory that `inputs` holds, at `now` (epoch seconds).

    Raises ValueError when `inputs` has another number of rows.
    """
    if len(inputs) != 1:
        raise ValueError(f"one memory can be explained at once, not {len(inputs)}")
    breakdown = evaluate_components(inputs, model, now)
    ages = compute_ages(inputs, model, now)
    evidence = _evidence_of(inputs, facts, model, ages, now)
    return Explanation(
        model_id=model.id,
        model_title=model.title,
        evaluated_at=math.floor(now),
        memory_type=evidence.type_name,
        source=evidence.source or None,
        source_key=evidence.source_key,
        age_days=evidence.age_days,
        activity_age_days=evidence.activity_age_days,
        dated_ahead=evidence.dated_ahead,
        uses_recall=model.use is not None,
        link_stats=evidence.links,
        confidence=_take_apart("confidence", breakdown, evidence),
        importance=_take_apart("importance", breakdown, evidence),
        signals=_signals_of(inputs, evidence),
    )


def _evidence_of(
    inputs: ScoreInputs, facts: ExplainFacts, model: ScoreModel, ages: Ages, now: float
) -> Evidence:
    trust = float(inputs.trust[0])
    recall = float(ages.recall[0])
    written = inputs.updated_at[0] if inputs.updated_at[0] == inputs.updated_at[0] else None
    written = inputs.created_at[0] if written is None else written
    return Evidence(
        model=model,
        type_name=inputs.type_names[inputs.type_codes[0]],
        source=normalise_source_text(facts.source),
        source_key=normalise_source_key(facts.source),
        source_high=bool(inputs.source_high[0]),
        source_low=bool(inputs.source_low[0]),
        trust=None if math.isnan(trust) else min(max(trust, 0.0), 1.0) + 0.0,
        certainty_hits=int(inputs.certainty_hits[0]),
        hedge_hits=int(inputs.hedge_hits[0]),
        importance_hits=int(inputs.importance_hits[0]),
        content_length=int(inputs.content_length[0]),
        links=LinkStats(*inputs.link_counts[0].tolist()),
        access_count=_whole_count(float(inputs.access_count[0])),
        age_days=float(ages.age[0]),
        recall_age_days=None if math.isinf(recall) else recall,
        activity_age_days=float(ages.activity[0]),
        dated_ahead=is_ahead(float(written), now),
        fields=facts.fields,
    )


def _whole_count(count: float) -> float:
    return 0.0 if math.isnan(count) else max(float(math.floor(count)), 0.0)


def _signals_of(inputs: ScoreInputs, evidence: Evidence) -> Signals:
    return Signals(
        certainty_hits=evidence.certainty_hits,
        hedge_hits=evidence.hedge_hits,
        importance_hits=evidence.importance_hits,
        source_trust=evidence.trust,
        high_signal_source=evidence.source_high,
        low_signal_source=evidence.source_low,
        content_length=evidence.content_length,
        access_count=evidence.access_count,
        recall_age_days=evidence.recall_age_days,
    )


def _take_apart(kind: ScoreKind, breakdown: Breakdown, evidence: Evidence) -> ScoreExplanation:
    names = getattr(breakdown, f"{kind}_names")
    deltas = getattr(breakdown, f"{kind}_deltas")[0].tolist()
    base = float(getattr(breakdown, f"base_{kind}")[0])
    raw = float(getattr(breakdown.scores, f"raw_{kind}")[0])
    unrounded = float(getattr(breakdown.scores, f"unrounded_{kind}")[0])
    components = tuple(
        _component(name, delta, kind, evidence) for name, delta in zip(names, deltas, strict=True)
    )
    parts = thousandths(round3(base)) + sum(thousandths(c.rounded) for c in components)
    return ScoreExplanation(
        kind=kind,
        base=base,
        components=components,
        raw=raw,
        unrounded=unrounded,
        final=float(getattr(breakdown.scores, kind)[0]),
        clamp=unrounded - raw,
        rounding=(thousandths(round3(raw)) - parts) / 1000,
    )


def _component(name: str, delta: float, kind: ScoreKind, evidence: Evidence) -> Component:
    hint, cause = describe(name, kind, evidence)
    return Component(
        name=name,
        label=COMPONENT_LABELS[name],
        group=COMPONENT_GROUPS[name],
        delta=delta,
        rounded=round3(delta),
        hint=hint,
        cause=cause,
    )

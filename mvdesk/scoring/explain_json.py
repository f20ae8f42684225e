"""Explanations as JSON: the server's field names, ours beside them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mvdesk.scoring.rounding import round3

if TYPE_CHECKING:
    from mvdesk.scoring.explain import Explanation, ScoreExplanation, Signals


def explanation_to_json(explanation: Explanation, *, evidence: bool) -> dict[str, Any]:
    """The JSON object of an explanation; whole numbers are ints, as the server prints them.

    Ours beyond the server's fields: `source_key`, `confidence_delta`, `importance_delta`
    and, on request, `evidence`.
    """
    confidence, importance = explanation.confidence, explanation.importance
    data: dict[str, Any] = {
        "score_model": explanation.model_id,
        "evaluated_at": explanation.evaluated_at,
        "memory_type": explanation.memory_type,
        "source": explanation.source,
        "age_days": plain_number(round3(explanation.age_days)),
    }
    if explanation.uses_recall:
        data["activity_age_days"] = plain_number(round3(explanation.activity_age_days))
    data |= {
        "link_stats": asdict(explanation.link_stats),
        "base_confidence": plain_number(round3(confidence.base)),
        "base_importance": plain_number(round3(importance.base)),
        "raw_confidence": plain_number(round3(confidence.raw)),
        "raw_importance": plain_number(round3(importance.raw)),
        "dynamic_confidence": plain_number(confidence.final),
        "dynamic_importance": plain_number(importance.final),
        "confidence_components": _components(confidence),
        "importance_components": _components(importance),
        "signals": _signals(explanation.signals, uses_recall=explanation.uses_recall),
        "source_key": explanation.source_key or None,
        "confidence_delta": plain_number(confidence.delta),
        "importance_delta": plain_number(importance.delta),
    }
    if evidence:
        data["evidence"] = _evidence(explanation)
    return data


def plain_number(value: float) -> int | float:
    """An int where the value is whole: 0 and 1 rather than 0.0 and 1.0."""
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _components(score: ScoreExplanation) -> list[dict[str, Any]]:
    base = {"name": f"base_{score.kind}", "delta": plain_number(round3(score.base))}
    rest = [{"name": c.name, "delta": plain_number(c.rounded)} for c in score.components]
    return [base, *rest]


def _signals(signals: Signals, *, uses_recall: bool) -> dict[str, Any]:
    data = asdict(signals)
    if signals.source_trust is not None:
        data["source_trust"] = plain_number(signals.source_trust)
    if not uses_recall:
        del data["access_count"], data["recall_age_days"]
        return data
    data["access_count"] = plain_number(signals.access_count)
    if signals.recall_age_days is not None:
        data["recall_age_days"] = plain_number(round3(signals.recall_age_days))
    return data


def _evidence(explanation: Explanation) -> dict[str, Any]:
    data: dict[str, Any] = {
        "model_title": explanation.model_title,
        "dated_in_the_future": explanation.dated_ahead,
    }
    for score in (explanation.confidence, explanation.importance):
        data[score.kind] = {
            "clamp": plain_number(round3(score.clamp)),
            "rounding": plain_number(score.rounding),
            "components": [
                {"name": c.name, "label": c.label, "group": c.group, "evidence": c.hint}
                for c in score.components
            ],
        }
    return data

"""Finding the evidence of every component of a memory's scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from mvdesk.scoring.evidence_ages import find_recall, find_recency, find_staleness
from mvdesk.scoring.evidence_caps import cap_of_count, cap_of_depth, cap_of_log
from mvdesk.scoring.evidence_record import (
    ComponentEvidence,
    MemoryEvidence,
    ScoreEvidence,
    SourceEvidence,
    TrustEvidence,
    TypeEvidence,
)
from mvdesk.scoring.explain import ExplainFacts, explain_row
from mvdesk.scoring.keywords import find_keyword_hits, find_source_hits
from mvdesk.scoring.saying import tr
from mvdesk.scoring.subject import RELATION_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.scoring.evidence_record import SourceClass
    from mvdesk.scoring.explain import Component, Explanation, ScoreExplanation
    from mvdesk.scoring.model import CountRate
    from mvdesk.scoring.subject import ScoreKind, Subject

_LINK_NOUNS: Final = {
    "supports": tr("supporting links"),
    "contradicts": tr("contradicting links"),
    "supersedes": tr("superseding links"),
    "causes": tr("causal links"),
    "example_of": tr("example links"),
}


def explain_subject(subject: Subject) -> Explanation:
    """The explanation of the memory's scores, the same numbers as everywhere."""
    facts = ExplainFacts(source=subject.source, fields=subject.fields)
    return explain_row(subject.inputs, facts, subject.model, subject.now)


def find_evidence(subject: Subject, explanation: Explanation | None = None) -> MemoryEvidence:
    """The evidence of both scores; `explanation` spares making it again.

    Keyword places need the text, links those that were given; without them the counts stay.
    """
    made = explanation or explain_subject(subject)
    return MemoryEvidence(
        model_title=made.model_title,
        dated_ahead=made.dated_ahead,
        confidence=_score(subject, made.confidence),
        importance=_score(subject, made.importance),
    )


def _score(subject: Subject, score: ScoreExplanation) -> ScoreEvidence:
    return ScoreEvidence(
        score=score,
        stored_base=float(getattr(subject.inputs, f"base_{score.kind}")[0]),
        components=tuple(
            ComponentEvidence(
                component=component, **_FINDERS[component.name](subject, score.kind, component)
            )
            for component in score.components
        ),
    )


_Parts = dict[str, Any]


def _source_bonus(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    return {"source": _source(subject, "high", subject.model.keywords.high_source)}


def _source_penalty(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    return {"source": _source(subject, "low", subject.model.keywords.low_source)}


def _source(subject: Subject, kind: SourceClass, words: Sequence[str]) -> SourceEvidence:
    hits = tuple(find_source_hits(subject.source, words))
    if not subject.inputs.source_named[0]:
        kind = "none"
    elif not getattr(subject.inputs, f"source_{kind}")[0]:
        kind = "named"
    return SourceEvidence(subject.source or "", subject.source_key, kind, hits)


def _trust(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    model = subject.model
    factor = model.trust_confidence if kind == "confidence" else model.trust_importance
    trust = TrustEvidence(
        key=subject.source_key,
        trust=subject.trust,
        note=subject.trust_note,
        factor=factor,
        delta=component.delta,
        memories=subject.source_count,
    )
    return {"trust": trust}


def _certainty(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    count = int(subject.inputs.certainty_hits[0])
    return _words(subject, count, subject.model.keywords.certainty, subject.model.certainty)


def _hedge(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    count = int(subject.inputs.hedge_hits[0])
    return _words(subject, count, subject.model.keywords.hedge, subject.model.hedge)


def _importance_words(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    count, model = int(subject.inputs.importance_hits[0]), subject.model
    return _words(subject, count, model.keywords.importance, model.importance_words)


def _words(subject: Subject, count: int, words: Sequence[str], rate: CountRate) -> _Parts:
    hits = () if subject.fields is None else tuple(find_keyword_hits(subject.fields, words))
    return {"words": hits, "cap": cap_of_count(count, tr("words"), rate)}


def _depth(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    return {"cap": cap_of_depth(int(subject.inputs.content_length[0]), subject.model.depth)}


def _type(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    model = subject.model
    bias = model.type_confidence if kind == "confidence" else model.type_importance
    return {"type": TypeEvidence(subject.type_name, bias.by_type, bias.other)}


def _support(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    return _relation(subject, "supports", subject.model.support)


def _contradiction(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    model = subject.model
    share = 1.0 if kind == "confidence" else model.contradiction_importance_share
    return _relation(subject, "contradicts", model.contradiction, share)


def _cause(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    return _relation(subject, "causes", subject.model.cause)


def _example(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    model = subject.model
    share = model.example_confidence_share if kind == "confidence" else 1.0
    return _relation(subject, "example_of", model.example, share)


def _supersede(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    return _relation(subject, "supersedes", subject.model.supersede)


def _relation(subject: Subject, relation: str, rate: CountRate, share: float = 1.0) -> _Parts:
    count = int(subject.inputs.link_counts[0, RELATION_COLUMNS[relation]])
    links = tuple(link for link in subject.links if link.relation == relation)
    return {
        "links": links,
        "links_missing": max(count - sum(link.ends for link in links), 0),
        "cap": cap_of_count(count, _LINK_NOUNS[relation], rate, share),
    }


def _links(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    model = subject.model
    share = model.link_confidence_share if kind == "confidence" else 1.0
    count = int(subject.inputs.link_counts[0, 0])
    return {
        "links": subject.links,
        "links_missing": max(count - sum(link.ends for link in subject.links), 0),
        "cap": cap_of_log(count, tr("links"), model.link, share),
    }


def _usage(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    use, count = subject.model.use, float(subject.inputs.access_count[0])
    assert use is not None  # or there is no such component
    share = use.usage_confidence_share if kind == "confidence" else 1.0
    whole = max(math.floor(count), 0) if count == count else 0
    return {"cap": cap_of_log(whole, tr("recalls"), use.usage, share)}


def _recall(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    use = subject.model.use
    assert use is not None  # or there is no such component
    return {"age": find_recall(subject, use.recall_steps)}


def _recency(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    return {"age": find_recency(subject)}


def _stale(subject: Subject, kind: ScoreKind, component: Component) -> _Parts:
    return {"age": find_staleness(subject)}


_FINDERS: Final[dict[str, Callable[[Subject, ScoreKind, Component], _Parts]]] = {
    "source_bonus": _source_bonus,
    "source_trust_delta": _trust,
    "source_penalty": _source_penalty,
    "certainty_signal": _certainty,
    "hedge_penalty": _hedge,
    "importance_keyword_signal": _importance_words,
    "content_depth_signal": _depth,
    "type_confidence_bias": _type,
    "type_importance_bias": _type,
    "support_signal": _support,
    "contradiction_penalty": _contradiction,
    "cause_signal": _cause,
    "example_signal": _example,
    "supersede_signal": _supersede,
    "link_signal": _links,
    "usage_signal": _usage,
    "recall_recency_signal": _recall,
    "recency_signal": _recency,
    "stale_penalty": _stale,
}

"""Where the evidence of a bar is marked in other panels, and where it can be changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from mvdesk.ui.looking import Highlight, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mvdesk.scoring.causes import Cause
    from mvdesk.scoring.evidence_record import ComponentEvidence
    from mvdesk.scoring.keywords import KeywordHit
    from mvdesk.scoring.levers import Lever
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.reasons import Reasons

CAUSE_PREFIX: Final = "cause:"


def cause_name(cause: Cause) -> str:
    """What a cause's row is called."""
    return f"{CAUSE_PREFIX}{cause.kind}:{cause.ref}"


def cause_named(reasons: Reasons, name: str) -> Cause | None:
    """The cause that a row is about."""
    return next((cause for cause in reasons.causes if cause_name(cause) == name), None)


def component_named(reasons: Reasons, kind: ScoreKind, name: str) -> ComponentEvidence | None:
    """The evidence of a component; None for a row of another kind."""
    components = getattr(reasons.evidence, kind).components
    return next((one for one in components if one.name == name), None)


def all_hits(reasons: Reasons) -> list[KeywordHit]:
    """Every place of every word that scores."""
    scores = (reasons.evidence.confidence, reasons.evidence.importance)
    return [hit for score in scores for one in score.components for hit in one.words]


def highlight_of(reasons: Reasons, kind: ScoreKind, name: str) -> Highlight:
    """What the other panels mark while a row is open."""
    subject, spans = reasons.subject, {}
    links: Iterable[str] = ()
    source = False
    if name.startswith(CAUSE_PREFIX):
        cause = cause_named(reasons, name)
        if cause is not None and cause.kind == "link":
            links = [cause.ref]
        elif cause is not None and cause.kind == "word":
            spans = _spans([hit for hit in all_hits(reasons) if hit.keyword == cause.ref])
        source = cause is not None and cause.kind == "source"
    elif (one := component_named(reasons, kind, name)) is not None:
        spans = _spans(one.words)
        links = [link.id for link in one.links]
        source = bool((one.source or one.trust) and subject.source_key)
    return Highlight(reasons.memory_id, spans, frozenset(links), source)


def place_of(reasons: Reasons | None, kind: ScoreKind, name: str) -> Place | None:
    """Where a row can be changed; None for what nobody can change."""
    base = f"base_{kind}"
    if name == base:
        return Place("editor", kind)
    if name.startswith(CAUSE_PREFIX):
        return None if reasons is None else place_of_cause(reasons, name)
    if name == "source_trust_delta":
        return Place("sources") if reasons and reasons.subject.source_key else _SOURCE
    if name in ("source_bonus", "source_penalty"):
        return _SOURCE
    if name in ("type_confidence_bias", "type_importance_bias"):
        return Place("editor", "type")
    if name.endswith(("_words", "keyword_signal")) or name in _WORD_BARS:
        one = None if reasons is None else component_named(reasons, kind, name)
        return _place_of_hits(one.words if one else ())
    if name in _LINK_BARS:
        return Place("editor", "links")
    if name in ("content_depth_signal", "recency_signal", "stale_penalty"):
        return Place("editor", "content")
    return None


def place_of_lever(reasons: Reasons | None, lever: Lever) -> Place:
    """Where a change is made, as far as it isn't about trust."""
    family = next(name for name in lever.families if name != "trust")
    if family == "words" and reasons is not None:
        name = f"{CAUSE_PREFIX}word:{lever.change.removed_words[0]}"
        if (place := place_of_cause(reasons, name)) is not None:
            return place
    return Place("editor", _FAMILY_PLACES[family])


_FAMILY_PLACES: Final = {
    "contradiction": "links",
    "support": "addLink",
    "cause": "addLink",
    "example": "addLink",
    "supersede": "addLink",
    "type": "type",
    "source": "source",
    "words": "content",
    "review": "content",
}
_SOURCE: Final = Place("editor", "source")
_WORD_BARS: Final = ("certainty_signal", "hedge_penalty", "importance_keyword_signal")
_LINK_BARS: Final = (
    "support_signal",
    "contradiction_penalty",
    "cause_signal",
    "example_signal",
    "supersede_signal",
    "link_signal",
)


def _place_of_hits(hits: Sequence[KeywordHit]) -> Place:
    if not hits:
        return Place("editor", "content")
    first = next((hit for hit in hits if hit.field == "content"), hits[0])
    return Place("editor", first.field, (first.start, first.end))


def place_of_cause(reasons: Reasons, name: str) -> Place | None:
    """Where a cause can be changed."""
    cause = cause_named(reasons, name)
    if cause is None or cause.kind == "recalls":
        return None
    if cause.kind == "word":
        return _place_of_hits([hit for hit in all_hits(reasons) if hit.keyword == cause.ref])
    fields = {"link": "links", "source": "source", "type": "type", "wait": "content"}
    return Place("editor", fields[cause.kind])


def _spans(hits: Sequence[KeywordHit]) -> dict[str, tuple[tuple[int, int], ...]]:
    fields = Counter(hit.field for hit in hits)
    return {
        field: tuple((hit.start, hit.end) for hit in hits if hit.field == field) for field in fields
    }

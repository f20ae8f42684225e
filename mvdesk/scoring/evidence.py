"""One short line of evidence per component, and the same as part of a sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.signals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mvdesk.scoring.case import LinkStats
    from mvdesk.scoring.model import CountRate, LogRate, ScoreModel, Step

MINUS: Final = "\u2212"
MAX_SOURCE: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The values that the components of one memory were made from.

    `source` is trimmed and lower-cased, "" for none; ages are days, `recall_age_days` is None
    when never recalled; `fields` are the text fields by name, None when not at hand.
    """

    model: ScoreModel
    type_name: str
    source: str
    source_key: str
    source_high: bool
    source_low: bool
    trust: float | None
    certainty_hits: int
    hedge_hits: int
    importance_hits: int
    content_length: int
    links: LinkStats
    access_count: float
    age_days: float
    recall_age_days: float | None
    activity_age_days: float
    dated_ahead: bool
    fields: Mapping[str, str | None] | None


def describe(name: str, kind: str, evidence: Evidence) -> tuple[str, str]:
    """The hint and the cause of a component; `kind` is the score it belongs to."""
    if name == "source_trust_delta":
        model = evidence.model
        factor = model.trust_confidence if kind == "confidence" else model.trust_importance
        return _trust(evidence, factor)
    if name in _COUNTERS:
        return _COUNTERS[name](evidence, _share_of(name, kind, evidence.model))
    return _DESCRIBERS[name](evidence)


def _share_of(name: str, kind: str, model: ScoreModel) -> float:
    """The part of the full signal that a score gets of it."""
    if kind == "importance":
        is_part = name == "contradiction_penalty"
        return model.contradiction_importance_share if is_part else 1.0
    if name == "link_signal":
        return model.link_confidence_share
    if name == "example_signal":
        return model.example_confidence_share
    if name == "usage_signal" and model.use is not None:
        return model.use.usage_confidence_share
    return 1.0


def _trust(e: Evidence, factor: float) -> tuple[str, str]:
    if not e.source and e.trust is None:
        return "no source", "no source"
    source = _short(e.source_key)
    if e.trust is None:
        return f"trust of {source} is not set", f"source {source} without a trust"
    formula = f"({e.trust:.2f} {MINUS} 0.50) × {factor:.2f}"
    if not source:  # a trust that is given beside the memory, as to `score`
        unnamed = "an unnamed source"
        return f"trust {e.trust:.2f} of {unnamed}: {formula}", f"{unnamed} trusted {e.trust:.2f}"
    return f"trust {e.trust:.2f} of {source}: {formula}", f"source {source} trusted {e.trust:.2f}"


def _source_bonus(e: Evidence) -> tuple[str, str]:
    if not e.source:
        return "no source", "no source"
    if e.source_high:
        marked = _marked(e.source, e.model.keywords.high_source)
        return f"{marked}: high-signal source", f"high-signal source {_short(e.source)}"
    return f"{_short(e.source)}: an ordinary source", f"source {_short(e.source)} named"


def _source_penalty(e: Evidence) -> tuple[str, str]:
    if not e.source_low:
        return "no low-signal word in the source", "no low-signal source"
    marked = _marked(e.source, e.model.keywords.low_source)
    return f"{marked}: low-signal source", f"low-signal source {_short(e.source)}"


def _certainty(e: Evidence) -> tuple[str, str]:
    return _words(e, "certainty", e.certainty_hits, e.model.keywords.certainty, e.model.certainty)


def _hedge(e: Evidence) -> tuple[str, str]:
    return _words(e, "hedge", e.hedge_hits, e.model.keywords.hedge, e.model.hedge)


def _importance_words(e: Evidence) -> tuple[str, str]:
    words, rate = e.model.keywords.importance, e.model.importance_words
    return _words(e, "importance", e.importance_hits, words, rate)


def _depth(e: Evidence) -> tuple[str, str]:
    depth = e.model.depth
    full = depth.free_length + depth.span * (depth.cap / depth.per_span if depth.per_span else 0.0)
    text = f"{e.content_length:,} characters"
    if e.content_length >= full:
        return f"{text}, full credit from {full:,.0f}", f"a text of {text}"
    if e.content_length <= depth.free_length:
        return f"{text}, only those beyond {depth.free_length:,.0f} count", f"a text of {text}"
    return f"{text} of {full:,.0f} for full credit", f"a text of {text}"


def _type(e: Evidence) -> tuple[str, str]:
    return f"type {e.type_name}", f"its type {e.type_name}"


def _support(e: Evidence, share: float) -> tuple[str, str]:
    # Not "supported by": the memory at the link's start gains as much as the one at its end.
    count = e.links.supports_count
    hint = _counted(count, "supporting link", e.model.support, share)
    return hint, _plural(count, "supporting link")


def _contradiction(e: Evidence, share: float) -> tuple[str, str]:
    count = e.links.contradicts_count
    hint = _counted(count, "contradicting link", e.model.contradiction, share)
    return hint, f"contradicted by {_plural(count, 'memory', 'memories')}"


def _cause(e: Evidence, share: float) -> tuple[str, str]:
    hint = _counted(e.links.causes_count, "causal link", e.model.cause, share)
    return hint, _plural(e.links.causes_count, "causal link")


def _example(e: Evidence, share: float) -> tuple[str, str]:
    hint = _counted(e.links.example_of_count, "example link", e.model.example, share)
    return hint, _plural(e.links.example_of_count, "example link")


def _supersede(e: Evidence, share: float) -> tuple[str, str]:
    hint = _counted(e.links.supersedes_count, "superseding link", e.model.supersede, share)
    return hint, _plural(e.links.supersedes_count, "superseding link")


def _links(e: Evidence, share: float) -> tuple[str, str]:
    count = e.links.link_count
    return _log_counted(count, "link", e.model.link, share), _plural(count, "link")


def _usage(e: Evidence, share: float) -> tuple[str, str]:
    if not e.access_count:
        return "never recalled", "never recalled"
    count = int(e.access_count)
    rate = e.model.use.usage if e.model.use else e.model.link
    return _log_counted(count, "recall", rate, share), f"recalled {_plural(count, 'time')}"


def _recall(e: Evidence) -> tuple[str, str]:
    if e.recall_age_days is None:
        return "never recalled", "never recalled"
    steps = e.model.use.recall_steps if e.model.use else ()
    days = _days(e.recall_age_days)
    return f"recalled {days} ago{_step(e.recall_age_days, steps)}", f"recalled {days} ago"


def _recency(e: Evidence) -> tuple[str, str]:
    recency, age = e.model.recency, e.activity_age_days
    since = _since(e)
    if age < recency.start_days:
        return f"{since}{_step(age, recency.steps)}", _fresh(e)
    lost = f"{MINUS}{recency.per_year:g} a year from day {recency.start_days:g}"
    floor = f", at the floor of {MINUS}{recency.floor:g}" if _at_floor(e) else ""
    return f"{since}: {lost}{floor}", f"untouched for {_days(age, whole=True)}"


def _stale(e: Evidence) -> tuple[str, str]:
    stale, age = e.model.stale, e.activity_age_days
    cause = f"untouched for {_days(age, whole=True)}"
    if stale.after_days and age <= stale.after_days:
        return f"{_since(e)}: counts from {stale.after_days:g} days on", cause
    points = stale.per_year * age / 365
    return f"{_since(e)}{_cut_off(points, stale.cap)}", cause


_COUNTERS: Final[dict[str, Callable[[Evidence, float], tuple[str, str]]]] = {
    "support_signal": _support,
    "contradiction_penalty": _contradiction,
    "cause_signal": _cause,
    "example_signal": _example,
    "supersede_signal": _supersede,
    "link_signal": _links,
    "usage_signal": _usage,
}
_DESCRIBERS: Final[dict[str, Callable[[Evidence], tuple[str, str]]]] = {
    "source_bonus": _source_bonus,
    "source_penalty": _source_penalty,
    "certainty_signal": _certainty,
    "hedge_penalty": _hedge,
    "importance_keyword_signal": _importance_words,
    "content_depth_signal": _depth,
    "type_confidence_bias": _type,
    "type_importance_bias": _type,
    "recall_recency_signal": _recall,
    "recency_signal": _recency,
    "stale_penalty": _stale,
}


def _words(
    e: Evidence, list_name: str, count: int, keywords: Sequence[str], rate: CountRate
) -> tuple[str, str]:
    cause = _plural(count, f"{list_name} word")
    if not count:
        return f"no {list_name} words", f"no {list_name} words"
    if e.fields is None:
        return f"{cause}{_cut_off(rate.each * count, rate.cap)}", cause
    text = text_of(*(e.fields.get(name) for name in ("title", "key", "content", "tags")))
    listed = ", ".join(word for word in keywords if word in text)
    cause = f"the {list_name} word" if count == 1 else f"the {cause}"
    return f"{listed}{_cut_off(rate.each * count, rate.cap)}", f"{cause} {listed}"


def _counted(count: int, noun: str, rate: CountRate, share: float) -> str:
    points = rate.each * count * share
    return f"{_plural(count, noun)}{_cut_off(points, rate.cap * share)}"


def _log_counted(count: int, noun: str, rate: LogRate, share: float) -> str:
    points = rate.each * math.log1p(count) * share
    return f"{_plural(count, noun)}{_cut_off(points, rate.cap * share)}"


def _cut_off(points: float, cap: float) -> str:
    """What to say of a component at its cap, "" below it."""
    if points < cap or not points:
        return ""
    lost = points - cap
    return f", at the cap, {lost:.3f} cut off" if lost >= 0.0005 else ", at the cap"


def _step(age: float, steps: Sequence[Step]) -> str:
    for step in steps:
        if age < step.below_days:
            return f", under {step.below_days:g} days"
    return ", past the last step" if steps else ""


def _at_floor(e: Evidence) -> bool:
    recency = e.model.recency
    lost = recency.per_year * (e.activity_age_days - recency.start_days) / 365
    return lost >= recency.floor


def _since(e: Evidence) -> str:
    if e.activity_age_days < 1:
        return _fresh(e)
    if e.activity_age_days < e.age_days:
        return f"{_days(e.activity_age_days)} since the last recall"
    return f"{_days(e.activity_age_days)} since the last edit"


def _fresh(e: Evidence) -> str:
    """Why a memory counts as fresh, or since when it rests, in whole days."""
    is_recall = e.activity_age_days < e.age_days
    if e.dated_ahead and not is_recall:
        return "dated in the future, counts as new"
    verb = "recalled" if is_recall else "edited"
    if e.activity_age_days < 1:
        return f"{verb} today"
    return f"{verb} {_days(e.activity_age_days, whole=True)} ago"


def _days(days: float, *, whole: bool = False) -> str:
    text = f"{int(days):,}" if whole else f"{days:,.1f}"
    return f"{text} day" if text == "1" else f"{text} days"


def _plural(count: int, noun: str, plural: str = "") -> str:
    text = "no" if count == 0 else f"{count:,}"
    return f"{text} {noun if count == 1 else plural or noun + 's'}"


def _short(source: str) -> str:
    return source if len(source) <= MAX_SOURCE else source[: MAX_SOURCE - 1].rstrip() + "…"


def _marked(source: str, keywords: Sequence[str]) -> str:
    """The source with the first keyword in it in brackets: "b[log]"."""
    keyword = min((word for word in keywords if word in source), key=source.find)
    start = source.find(keyword)
    end = start + len(keyword)
    before, after = source[:start], source[end:]
    room = max(MAX_SOURCE - len(keyword), 0) // 2
    before = before if len(before) <= room else "…" + before[-room:]
    after = after if len(after) <= room else after[:room] + "…"
    return f"{before}[{source[start:end]}]{after}"

"""One short line of evidence per component, and the same as part of a sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.saying import format_number, tr, tr_n
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
        return tr("no source"), tr("no source")
    source = _short(e.source_key)
    if e.trust is None:
        return tr("trust of {source} is not set", source=source), tr(
            "source {source} without a trust", source=source
        )
    trust = format_number(e.trust, ".2f")
    formula = f"({trust} {MINUS} {format_number(0.5, '.2f')}) × {format_number(factor, '.2f')}"
    if not source:  # a trust that is given beside the memory, as to `score`
        unnamed = tr("an unnamed source")
        return tr(
            "trust {trust:.2f} of {unnamed}: {formula}",
            trust=e.trust,
            unnamed=unnamed,
            formula=formula,
        ), tr("{unnamed} trusted {trust:.2f}", unnamed=unnamed, trust=e.trust)
    return tr(
        "trust {trust:.2f} of {source}: {formula}", trust=e.trust, source=source, formula=formula
    ), tr("source {source} trusted {trust:.2f}", source=source, trust=e.trust)


def _source_bonus(e: Evidence) -> tuple[str, str]:
    if not e.source:
        return tr("no source"), tr("no source")
    if e.source_high:
        marked = _marked(e.source, e.model.keywords.high_source)
        return tr("{marked}: high-signal source", marked=marked), tr(
            "high-signal source {source}", source=_short(e.source)
        )
    return tr("{source}: an ordinary source", source=_short(e.source)), tr(
        "source {source} named", source=_short(e.source)
    )


def _source_penalty(e: Evidence) -> tuple[str, str]:
    if not e.source_low:
        return tr("no low-signal word in the source"), tr("no low-signal source")
    marked = _marked(e.source, e.model.keywords.low_source)
    return tr("{marked}: low-signal source", marked=marked), tr(
        "low-signal source {source}", source=_short(e.source)
    )


def _certainty(e: Evidence) -> tuple[str, str]:
    count, said = e.certainty_hits, _figure(e.certainty_hits)
    words = tr_n("{n} certainty word", "{n} certainty words", count, n=said)
    those = tr_n("the certainty word", "the {n} certainty words", count, n=said)
    return _words(e, count, words, those, e.model.keywords.certainty, e.model.certainty)


def _hedge(e: Evidence) -> tuple[str, str]:
    count, said = e.hedge_hits, _figure(e.hedge_hits)
    words = tr_n("{n} hedge word", "{n} hedge words", count, n=said)
    those = tr_n("the hedge word", "the {n} hedge words", count, n=said)
    return _words(e, count, words, those, e.model.keywords.hedge, e.model.hedge)


def _importance_words(e: Evidence) -> tuple[str, str]:
    count, said = e.importance_hits, _figure(e.importance_hits)
    words = tr_n("{n} importance word", "{n} importance words", count, n=said)
    those = tr_n("the importance word", "the {n} importance words", count, n=said)
    return _words(e, count, words, those, e.model.keywords.importance, e.model.importance_words)


def _depth(e: Evidence) -> tuple[str, str]:
    depth = e.model.depth
    full = depth.free_length + depth.span * (depth.cap / depth.per_span if depth.per_span else 0.0)
    text = tr("{content_length:,} characters", content_length=e.content_length)
    if e.content_length >= full:
        return tr("{text}, full credit from {full:,.0f}", text=text, full=full), tr(
            "a text of {text}", text=text
        )
    if e.content_length <= depth.free_length:
        return tr(
            "{text}, only those beyond {free_length:,.0f} count",
            text=text,
            free_length=depth.free_length,
        ), tr("a text of {text}", text=text)
    return tr("{text} of {full:,.0f} for full credit", text=text, full=full), tr(
        "a text of {text}", text=text
    )


def _type(e: Evidence) -> tuple[str, str]:
    return tr("type {type_name}", type_name=e.type_name), tr(
        "its type {type_name}", type_name=e.type_name
    )


def _support(e: Evidence, share: float) -> tuple[str, str]:
    # Not "supported by": the memory at the link's start gains as much as the one at its end.
    count = e.links.supports_count
    cause = tr_n("{n} supporting link", "{n} supporting links", count, n=_figure(count))
    return cause + _cut_off_of(count, e.model.support, share), cause


def _contradiction(e: Evidence, share: float) -> tuple[str, str]:
    count = e.links.contradicts_count
    n = _figure(count)
    hint = tr_n("{n} contradicting link", "{n} contradicting links", count, n=n)
    cause = tr_n("contradicted by {n} memory", "contradicted by {n} memories", count, n=n)
    return hint + _cut_off_of(count, e.model.contradiction, share), cause


def _cause(e: Evidence, share: float) -> tuple[str, str]:
    count = e.links.causes_count
    cause = tr_n("{n} causal link", "{n} causal links", count, n=_figure(count))
    return cause + _cut_off_of(count, e.model.cause, share), cause


def _example(e: Evidence, share: float) -> tuple[str, str]:
    count = e.links.example_of_count
    cause = tr_n("{n} example link", "{n} example links", count, n=_figure(count))
    return cause + _cut_off_of(count, e.model.example, share), cause


def _supersede(e: Evidence, share: float) -> tuple[str, str]:
    count = e.links.supersedes_count
    cause = tr_n("{n} superseding link", "{n} superseding links", count, n=_figure(count))
    return cause + _cut_off_of(count, e.model.supersede, share), cause


def _links(e: Evidence, share: float) -> tuple[str, str]:
    count = e.links.link_count
    cause = tr_n("{n} link", "{n} links", count, n=_figure(count))
    return cause + _cut_off_of_log(count, e.model.link, share), cause


def _usage(e: Evidence, share: float) -> tuple[str, str]:
    if not e.access_count:
        return tr("never recalled"), tr("never recalled")
    count = int(e.access_count)
    rate = e.model.use.usage if e.model.use else e.model.link
    n = _figure(count)
    hint = tr_n("{n} recall", "{n} recalls", count, n=n)
    cause = tr_n("recalled {n} time", "recalled {n} times", count, n=n)
    return hint + _cut_off_of_log(count, rate, share), cause


def _recall(e: Evidence) -> tuple[str, str]:
    if e.recall_age_days is None:
        return tr("never recalled"), tr("never recalled")
    steps = e.model.use.recall_steps if e.model.use else ()
    days = _days(e.recall_age_days)
    return tr("recalled {days} ago{step}", days=days, step=_step(e.recall_age_days, steps)), tr(
        "recalled {days} ago", days=days
    )


def _recency(e: Evidence) -> tuple[str, str]:
    recency, age = e.model.recency, e.activity_age_days
    since = _since(e)
    if age < recency.start_days:
        return f"{since}{_step(age, recency.steps)}", _fresh(e)
    lost = tr(
        "{minus}{per_year:g} a year from day {start_days:g}",
        minus=MINUS,
        per_year=recency.per_year,
        start_days=recency.start_days,
    )
    floor = (
        tr(", at the floor of {minus}{floor:g}", minus=MINUS, floor=recency.floor)
        if _at_floor(e)
        else ""
    )
    return f"{since}: {lost}{floor}", tr("untouched for {days}", days=_days(age, whole=True))


def _stale(e: Evidence) -> tuple[str, str]:
    stale, age = e.model.stale, e.activity_age_days
    cause = tr("untouched for {days}", days=_days(age, whole=True))
    if stale.after_days and age <= stale.after_days:
        return tr(
            "{since}: counts from {after_days:g} days on",
            since=_since(e),
            after_days=stale.after_days,
        ), cause
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
    e: Evidence, count: int, counted: str, those: str, keywords: Sequence[str], rate: CountRate
) -> tuple[str, str]:
    """`counted` and `those` are how many words of the list there are, without and with "the"."""
    if not count:
        return counted, counted
    cut = _cut_off(rate.each * count, rate.cap)
    if e.fields is None:
        return f"{counted}{cut}", counted
    text = text_of(*(e.fields.get(name) for name in ("title", "key", "content", "tags")))
    listed = ", ".join(word for word in keywords if word in text)
    return f"{listed}{cut}", f"{those} {listed}"


def _cut_off_of(count: int, rate: CountRate, share: float) -> str:
    return _cut_off(rate.each * count * share, rate.cap * share)


def _cut_off_of_log(count: int, rate: LogRate, share: float) -> str:
    return _cut_off(rate.each * math.log1p(count) * share, rate.cap * share)


def _cut_off(points: float, cap: float) -> str:
    """What to say of a component at its cap, "" below it."""
    if points < cap or not points:
        return ""
    lost = points - cap
    return (
        tr(", at the cap, {lost:.3f} cut off", lost=lost) if lost >= 0.0005 else tr(", at the cap")
    )


def _step(age: float, steps: Sequence[Step]) -> str:
    for step in steps:
        if age < step.below_days:
            return tr(", under {below_days:g} days", below_days=step.below_days)
    return tr(", past the last step") if steps else ""


def _at_floor(e: Evidence) -> bool:
    recency = e.model.recency
    lost = recency.per_year * (e.activity_age_days - recency.start_days) / 365
    return lost >= recency.floor


def _since(e: Evidence) -> str:
    if e.activity_age_days < 1:
        return _fresh(e)
    if e.activity_age_days < e.age_days:
        return tr("{days} since the last recall", days=_days(e.activity_age_days))
    return tr("{days} since the last edit", days=_days(e.activity_age_days))


def _fresh(e: Evidence) -> str:
    """Why a memory counts as fresh, or since when it rests, in whole days."""
    is_recall = e.activity_age_days < e.age_days
    if e.dated_ahead and not is_recall:
        return tr("dated in the future, counts as new")
    if e.activity_age_days < 1:
        return tr("recalled today") if is_recall else tr("edited today")
    days = _days(e.activity_age_days, whole=True)
    return tr("recalled {days} ago", days=days) if is_recall else tr("edited {days} ago", days=days)


def _days(days: float, *, whole: bool = False) -> str:
    text = format_number(int(days), ",") if whole else format_number(days, ",.1f")
    return tr("{text} day", text=text) if text == "1" else tr("{text} days", text=text)


def _figure(count: int) -> str:
    return tr("no") if count == 0 else format_number(count, ",")


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

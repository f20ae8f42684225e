"""The evidence of one bar in the words and pieces that the drawer shows, and what to mark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.scoring.causes import CAUSES_NOTE
from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.verdict import format_delta
from mvdesk.ui.evidence_places import (
    CAUSE_PREFIX,
    all_hits,
    cause_named,
    place_of,
    place_of_cause,
)
from mvdesk.ui.moments import format_day
from mvdesk.ui.widgets.evidence_drawer import Details, StepLine, WordPlace
from mvdesk.ui.widgets.link_strip import LinkItem
from mvdesk.wording import format_number, format_short, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mvdesk.scoring.evidence_ages import AgeEvidence
    from mvdesk.scoring.evidence_record import ComponentEvidence, SourceEvidence, TrustEvidence
    from mvdesk.scoring.keywords import KeywordHit
    from mvdesk.scoring.subject import LinkFact, ScoreKind
    from mvdesk.ui.looking import Place
    from mvdesk.ui.reasons import Reasons

FIELD_NAMES: Final = {
    "title": tr("Title"),
    "key": tr("Key"),
    "content": tr("Text"),
    "tags": tr("Tags"),
}
_AROUND: Final = 22
"""Characters shown before and after the word that a hit sits in."""
_MOST_WORDS: Final = 12
_MOST_LINKS: Final = 200
_GO_TEXTS: Final = {
    "base": tr("Go to the base"),
    "source": tr("Go to the source"),
    "trust": tr("Go to the trust"),
    "text": tr("Go to the text"),
    "type": tr("Go to the type"),
    "links": tr("Go to the links"),
}
_TOTALS: Final = {
    "raw": tr("The base and all changes added up."),
    "pinned": tr("The base of the pinned memory and all its changes added up."),
    "pinnedClamp": tr("What the pinned memory's score is moved by to stay within 0 and 1."),
    "pinnedFinal": tr("The score of the pinned memory, as the list shows it."),
    "final": tr("The score that the list shows, rounded to three decimals."),
    "rounding": tr(
        "Each part is rounded by itself, their sum is not. No bar is adjusted to hide it."
    ),
}


def details_of(reasons: Reasons, kind: ScoreKind, name: str) -> Details:
    """What is behind a row of a waterfall: a component, a cause, a total."""
    score = getattr(reasons.evidence, kind)
    if name.startswith(CAUSE_PREFIX):
        return _of_cause(reasons, name)
    if name.startswith("base_"):
        lines = [
            tr(
                "Stored: {stored_base:g}. Every change below is added to it.",
                stored_base=score.stored_base,
            )
        ]
        if note := base_note(reasons, kind):
            lines.append(_sentence(note))
        if not 0.0 <= score.stored_base <= 1.0:
            lines.append(tr("A base outside 0 to 1 counts as the nearer of the two."))
        return Details(lines=tuple(lines), go_text=_GO_TEXTS["base"])
    if name == "clamp":
        return Details(lines=(_sentence(score.clamp_text()),) if score.clamp_text() else ())
    if name == "final":
        peers = reasons.peers[kind]
        among = tr(
            "Median of your {count:,} memories of type {type_name}: ",
            count=peers.count,
            type_name=peers.type_name,
        )
        return Details(lines=(_TOTALS["final"], f"{among}{format_number(peers.median, '.3f')}."))
    if name in _TOTALS:
        return Details(lines=(_TOTALS[name],))
    return _of_component(reasons, kind, score.of(name))


def base_note(reasons: Reasons, kind: ScoreKind) -> str:
    """When and by what a base was changed last, a phrase; "" when nothing tells."""
    change = reasons.base_changes.get(kind)
    return "" if change is None else change.text(format_date(change.at))


def _of_component(reasons: Reasons, kind: ScoreKind, one: ComponentEvidence) -> Details:
    lines: list[str] = []
    shown = _picked(one.words)
    words = list(_word_places(reasons, shown))
    if one.words:
        more = len(one.words) - len(shown)
        if more > 0:
            lines.append(tr("{more:,} more places.", more=more))
        lines.append(tr("Each word counts once, however often it occurs."))
    if one.source is not None:
        words += _source_places(one.source)
        lines += _source_lines(one.source)
    if one.trust is not None:
        lines += _trust_lines(one.trust)
    if one.type is not None:
        lines += [_sentence(line) for line in one.type.lines()]
    if one.links:
        lines.append(tr("A link counts for both of its ends, whichever way it runs."))
    listed = one.links[:_MOST_LINKS]
    if unlisted := one.links_missing + sum(link.ends for link in one.links[_MOST_LINKS:]):
        lines.append(tr("{unlisted:,} more are counted, not listed here.", unlisted=unlisted))
    if one.cap is not None:
        lines.append(_sentence(one.cap.text()))
    if one.age is not None:
        lines.append(_age_line(one.age))
    place = place_of(reasons, kind, one.name)
    return Details(
        words=tuple(words),
        links=tuple(_link_item(reasons, kind, link) for link in listed),
        lines=tuple(lines),
        steps=_step_lines(one.age) if one.age is not None else (),
        go_text=_go_text(place),
    )


def _go_text(place: Place | None) -> str:
    if place is None:
        return ""
    if place.panel == "sources":
        return _GO_TEXTS["trust"]
    return _GO_TEXTS.get(place.field, _GO_TEXTS["text"])


def _picked(hits: Sequence[KeywordHit]) -> list[KeywordHit]:
    """Places to show: all of a few, else the first ones of every word, in their order."""
    if len(hits) <= _MOST_WORDS:
        return list(hits)
    keywords = dict.fromkeys(hit.keyword for hit in hits)
    each = max(_MOST_WORDS // len(keywords), 1)
    left = dict.fromkeys(keywords, each)
    picked = []
    for hit in hits:
        if left[hit.keyword]:
            left[hit.keyword] -= 1
            picked.append(hit)
    return picked


def _word_places(reasons: Reasons, hits: Sequence[KeywordHit]) -> Iterable[WordPlace]:
    fields = reasons.subject.fields or {}
    for hit in hits:
        text = fields.get(hit.field) or ""
        badges = (tr("inside a word"),) if hit.inside_word else ()
        if hit.negated:
            badges = (*badges, "negated?")
        before = _tail(text[: hit.start], hit.start - hit.word_start)
        after = _head(text[hit.end :], hit.word_start + len(hit.word) - hit.end)
        letters = _one_line(text[hit.start : hit.end])
        yield WordPlace(FIELD_NAMES[hit.field], before, letters, after, badges)


def _tail(text: str, word: int) -> str:
    """The end of a text: `word` characters of the word itself, and some words before it."""
    most = word + _AROUND
    if len(text) <= most:
        return _one_line(text)
    cut = text[-most:]
    around, _, rest = cut[:_AROUND].partition(" ")
    return "…" + _one_line(rest + cut[_AROUND:] if rest or around != cut[:_AROUND] else cut)


def _head(text: str, word: int) -> str:
    """The beginning of a text, likewise."""
    most = word + _AROUND
    if len(text) <= most:
        return _one_line(text)
    cut = text[:most]
    rest, gap, _ = cut[word:].rpartition(" ")
    return _one_line(cut[:word] + rest if gap else cut).rstrip() + "…"


def _one_line(text: str) -> str:
    return "".join(" " if char in "\r\n\t\v\f\u2028\u2029" else char for char in text)


def _source_places(source: SourceEvidence) -> Iterable[WordPlace]:
    for hit in source.hits:
        before, after = source.text[: hit.start], source.text[hit.end :]
        badges = (tr("inside a word"),) if hit.inside_word else ()
        yield WordPlace(tr("Source"), before, source.text[hit.start : hit.end], after, badges)


def _source_lines(source: SourceEvidence) -> list[str]:
    names = {
        "none": tr("No source is named."),
        "named": tr("An ordinary source."),
        "high": tr("Counts as a high-signal source because of these letters."),
        "low": tr("Counts as a low-signal source because of these letters."),
    }
    lines = [names[source.kind]]
    if source.key and source.key != source.text:
        lines.append(tr("Its key, under which trust is kept: {key}", key=source.key))
    return lines


def _trust_lines(trust: TrustEvidence) -> list[str]:
    if not trust.key:
        return [tr("No source is named, so there is nothing to trust.")]
    stored = tr("not set, which counts as 0.50") if trust.trust is None else tr("set")
    lines = [tr("Trust is kept under the key “{key}”: {stored}.", key=trust.key, stored=stored)]
    if trust.note:
        lines.append(tr("Note: {note}", note=trust.note))
    if trust.memories is not None:
        one = trust.memories == 1
        lines.append(
            tr("This is the only memory of this source.")
            if one
            else tr(
                "{memories:,} memories share this source; all of them move with it.",
                memories=trust.memories,
            )
        )
    return lines


def _link_item(reasons: Reasons, kind: ScoreKind, link: LinkFact) -> LinkItem:
    other = link.confidence if kind == "confidence" else link.importance
    return LinkItem(
        link_id=link.id,
        memory_id=link.other_id,
        title=link.title,
        relation=link.relation,
        outgoing=link.outgoing,
        score=None if other is None else format_number(other, ".2f"),
        remark=_link_remark(reasons, link, kind),
    )


def _link_remark(reasons: Reasons, link: LinkFact, kind: ScoreKind) -> str:
    parts = [tr("archived")] if link.archived else []
    if link.ends > 1:
        parts.append(tr("to itself, counts at both ends"))
    cause = next((c for c in reasons.causes if c.kind == "link" and c.ref == link.id), None)
    if cause is not None:
        parts.append(
            tr(
                "all in all worth {effect} {kind}",
                effect=_signed(cause.effect.of(kind)),
                kind=KIND_WORDS[kind],
            )
        )
    return ", ".join(parts)


def _age_line(age: AgeEvidence) -> str:
    if age.days is None or age.since_at is None or age.dated_ahead:
        return _sentence(age.head(format_date))
    line = f"{age.since[:1].upper()}{age.since[1:]}: {format_date(age.since_at)}."
    following = age.next_step
    if following is not None and following.begins_at is not None:
        line += tr(" The next step begins on {date}.", date=format_date(following.begins_at))
    return line


def _step_lines(age: AgeEvidence) -> tuple[StepLine, ...]:
    lines = []
    for step in age.steps:
        first = format_short(step.from_days)
        last = "" if step.to_days is None else format_short(step.to_days)
        days = (
            tr("from day {first}", first=first)
            if step.to_days is None
            else tr("day {first}–{last}", first=first, last=last)
        )
        points = _signed(step.delta)
        if step.end_delta != step.delta:
            points += f" → {_signed(step.end_delta)}"
        date = "" if step.begins_at is None else format_date(step.begins_at)
        lines.append(StepLine(days, date, points, step.here))
    return tuple(lines)


def _of_cause(reasons: Reasons, name: str) -> Details:
    cause = cause_named(reasons, name)
    if cause is None:
        return Details()
    now = reasons.explanation
    without = [
        tr(
            "{kind} {final:.3f} would be {final_2:.3f}",
            kind=KIND_WORDS[kind],
            final=getattr(now, kind).final,
            final_2=round3(getattr(now, kind).final - cause.effect.of(kind)),
        )
        for kind in ("confidence", "importance")
    ]
    words: tuple[WordPlace, ...] = ()
    links: tuple[LinkItem, ...] = ()
    if cause.kind == "word":
        hits = [hit for hit in all_hits(reasons) if hit.keyword == cause.ref]
        words = tuple(_word_places(reasons, hits[:_MOST_WORDS]))
    elif cause.kind == "link":
        links = tuple(
            LinkItem(link.id, link.other_id, link.title, link.relation, link.outgoing)
            for link in reasons.subject.links
            if link.id == cause.ref
        )
    return Details(
        words=words,
        links=links,
        lines=(tr("Without it {names}.", names=tr(" and ").join(without)), CAUSES_NOTE),
        go_text=_go_text(place_of_cause(reasons, name)),
    )


def format_date(seconds: float) -> str:
    """A day of the local calendar, "15 Jan 2027"; the number for what has no date."""
    try:
        day = format_day(int(seconds))
    except (OverflowError, ValueError):  # not a number, or without an end
        day = "–"
    return format_number(seconds, ".0f") if day == "–" else day


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _signed(points: float) -> str:
    return format_delta(round3(points)) if round3(points) else "0.000"

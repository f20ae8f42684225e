"""The levers that a person has on one memory: single changes, with the words for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from mvdesk.scoring.changes import Change
from mvdesk.scoring.inverse import format_score, solve_trust
from mvdesk.scoring.keywords import find_keyword_hits
from mvdesk.scoring.saying import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mvdesk.scoring.inverse import Direction
    from mvdesk.scoring.subject import LinkFact, ScoreKind, Subject

LeverKind = Literal["evidence", "curation", "trust", "clock"]

LEVER_FAMILIES: Final[dict[str, LeverKind]] = {
    "contradiction": "evidence",
    "support": "evidence",
    "cause": "evidence",
    "example": "evidence",
    "supersede": "evidence",
    "type": "curation",
    "source": "curation",
    "words": "curation",
    "trust": "trust",
    "review": "clock",
}
"""Every family of levers, which can be switched off one by one, with its kind."""

LEVER_KINDS: Final[tuple[LeverKind, ...]] = ("evidence", "curation", "trust", "clock")
LEVER_WORDS: Final[dict[LeverKind, str]] = {
    "evidence": tr("evidence"),
    "curation": tr("curation"),
    "trust": tr("trust"),
    "clock": tr("clock"),
}
_TYPES: Final = ("note", "fact", "journal")
_TITLE: Final = 40

_MORE_LINKS: Final[dict[ScoreKind, tuple[tuple[str, str, str], ...]]] = {
    "confidence": (("support", "supports", tr("find one more memory that supports it")),),
    "importance": (
        ("cause", "causes", tr("link what it causes, or what caused it")),
        ("example", "example_of", tr("link an example of it, or what it is an example of")),
        ("supersede", "supersedes", tr("link the memory that it replaces")),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """One change that a person could make. `variants` are other ways it may turn out."""

    family: str
    text: str
    change: Change
    side_effects: tuple[str, ...] = ()
    caution: str = ""
    variants: tuple[tuple[str, Change], ...] = ()

    @property
    def kind(self) -> LeverKind:
        return LEVER_FAMILIES[self.family]


def find_singles(
    subject: Subject, kind: ScoreKind, target: float, direction: Direction
) -> list[Single]:
    """The changes that could move a score in a direction, whether or not they do.

    None of them adds words to the text.
    """
    rising = direction == "raise"
    singles = list(_more_evidence(subject, kind) if rising else _less_evidence(subject, kind))
    singles += _types(subject)
    if rising:
        singles += _source(subject)
    singles += _words(subject, kind, direction)
    if (trust := trust_lever(subject, kind, target, direction)) is not None:
        singles.append(trust)
    if rising:
        caution = tr("only if you really re-read it")
        change = Change(edited_at=subject.now)
        singles.append(
            Single(family="review", text=tr("review it today"), change=change, caution=caution)
        )
    return singles


def trust_lever(
    subject: Subject, kind: ScoreKind, target: float, direction: Direction
) -> Single | None:
    """The trust that just reaches the target, or comes closest; None when it is no change."""
    answer = solve_trust(subject, kind, target, direction)
    if answer is None:
        return None
    now = 0.5 if subject.trust is None else subject.trust
    value = answer.best_value
    if value <= now if direction == "raise" else value >= now:
        return None
    enough = (
        "" if answer.value is None else tr(" or more") if direction == "raise" else tr(" or less")
    )
    stored = tr("not set") if subject.trust is None else format_score(subject.trust)
    return Single(
        family="trust",
        text=tr(
            "set the trust of {source_key} to {value:.2f}{enough} (now {stored})",
            source_key=subject.source_key,
            value=value,
            enough=enough,
            stored=stored,
        ),
        change=answer.change,
        side_effects=_others_of_source(subject),
        caution=tr("only if you trust it that far") if direction == "raise" else "",
    )


def _others_of_source(subject: Subject) -> tuple[str, ...]:
    others = (subject.source_count or 1) - 1
    if others < 1:
        return ()
    memories, move = (tr("memory"), tr("moves")) if others == 1 else (tr("memories"), tr("move"))
    return (
        tr(
            "{others:,} other {memories} of this source {move} too",
            others=others,
            memories=memories,
            move=move,
        ),
    )


def _more_evidence(subject: Subject, kind: ScoreKind) -> Iterator[Single]:
    for link in subject.links:
        if link.relation == "contradicts":
            yield Single(
                family="contradiction",
                text=tr("review the contradiction with {title}", title=_title(link)),
                change=Change(relinked=((link.id, "supersedes"),)),
                side_effects=(tr("{title} moves too", title=_title(link)),),
                caution=tr("as if one of the two supersedes the other"),
                variants=(
                    (tr("if they don't contradict after all"), Change(removed_links=(link.id,))),
                ),
            )
    for family, relation, text in _MORE_LINKS[kind]:
        unspecific = next((one for one in subject.links if one.relation == "related"), None)
        variants: tuple[tuple[str, Change], ...] = ()
        if unspecific is not None:
            words = tr(
                "if {title}, now only related, turns out to be one", title=_title(unspecific)
            )
            variants = ((words, Change(relinked=((unspecific.id, relation),))),)
        yield Single(
            family=family,
            text=text,
            change=Change(added_links=(relation,)),
            side_effects=(tr("the memory at the other end moves too"),),
            variants=variants,
        )


def _less_evidence(subject: Subject, kind: ScoreKind) -> Iterator[Single]:
    yield Single(
        family="contradiction",
        text=tr("link a memory that contradicts it"),
        change=Change(added_links=("contradicts",)),
        side_effects=(tr("the memory at the other end moves too"),),
    )
    families = {relation: family for family, relation, _ in _MORE_LINKS[kind]}
    for link in subject.links:
        if link.relation in families:
            yield Single(
                family=families[link.relation],
                text=tr(
                    "review the {relation} link with {title}",
                    relation=link.relation,
                    title=_title(link),
                ),
                change=Change(removed_links=(link.id,)),
                side_effects=(tr("{title} moves too", title=_title(link)),),
                caution=tr("as if it doesn't hold"),
                variants=(
                    (tr("if it stays as related"), Change(relinked=((link.id, "related"),))),
                ),
            )


def _types(subject: Subject) -> Iterator[Single]:
    for name in _TYPES:
        if name != subject.type_name:
            yield Single(
                family="type",
                text=tr("it is a {name}, not a {type_name}", name=name, type_name=subject.type_name)
                if subject.type_name in _TYPES
                else tr("it is a {name}", name=name),
                change=Change(type_name=name),
                caution=tr("only if that is what it is"),
            )


def _source(subject: Subject) -> Iterator[Single]:
    if not subject.inputs.source_named[0]:
        yield Single(
            family="source",
            text=tr("name its source"),
            change=Change(names_source=True),
            caution=tr("for an ordinary source whose trust is not set"),
        )


def _words(subject: Subject, kind: ScoreKind, direction: Direction) -> Iterator[Single]:
    """Words that score against the direction; taking them out is all that is ever suggested."""
    if subject.fields is None:
        return
    lists = subject.model.keywords
    if direction == "raise":
        name, words = "hedge", lists.hedge
    elif kind == "confidence":
        name, words = "certainty", lists.certainty
    else:
        name, words = "importance", lists.importance
    hits = find_keyword_hits(subject.fields, words)
    for keyword in words:
        mine = [hit for hit in hits if hit.keyword == keyword]
        if not mine:
            continue
        doubtful = all(hit.inside_word or hit.negated for hit in mine)
        shown = ", ".join(dict.fromkeys(f"“{_cut(hit.marked)}”" for hit in mine[:3]))
        yield Single(
            family="words",
            text=tr(
                "reword {shown}, which counts as the {name} word “{keyword}”",
                shown=shown,
                name=name,
                keyword=keyword,
            )
            if doubtful
            else tr("remove “{keyword}”", keyword=keyword),
            change=Change(removed_words=(keyword,)),
            caution=tr("as if the word were left out")
            if doubtful
            else tr("only if it is no longer true"),
        )


def _title(link: LinkFact) -> str:
    return f"“{_cut(link.title)}”"


def _cut(text: str) -> str:
    return text if len(text) <= _TITLE else text[: _TITLE - 1].rstrip() + "…"

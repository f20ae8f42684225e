"""Changes to a memory, its links or the trust of its source, in values that can be applied."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from mvdesk.scoring.keywords import TEXT_FIELDS
from mvdesk.scoring.signals import measure_texts, text_of
from mvdesk.scoring.subject import RELATION_COLUMNS
from mvdesk.scoring.wording import without_keyword

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.scoring.subject import LinkFact, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What one or more levers change; what is None or empty stays.

    `removed_words` are keywords whose words leave the text, `names_source` gives a memory
    without one an ordinary source (none of the model's source words, no trust set).
    `relinked` pairs a link's id with its new relation, `added_links` are relations to memories
    that aren't linked yet. `edited_at` is epoch seconds.
    """

    removed_words: tuple[str, ...] = ()
    type_name: str | None = None
    names_source: bool = False
    trust: float | None = None
    added_links: tuple[str, ...] = ()
    relinked: tuple[tuple[str, str], ...] = ()
    removed_links: tuple[str, ...] = ()
    edited_at: float | None = None
    base_confidence: float | None = None
    base_importance: float | None = None

    @property
    def edits_memory(self) -> bool:
        """Whether applying it saves the memory itself, which counts as an edit."""
        values = (self.type_name, self.base_confidence, self.base_importance)
        named = self.names_source or any(value is not None for value in values)
        return named or bool(self.removed_words)

    def joined(self, other: Change) -> Change | None:
        """Both changes at once; None when they are about the same thing."""
        values: dict[str, Any] = {}
        for one in fields(Change):
            mine, theirs = getattr(self, one.name), getattr(other, one.name)
            if mine != one.default and theirs != one.default:
                if not isinstance(mine, tuple) or set(mine) & set(theirs):
                    return None
                values[one.name] = (*mine, *theirs)
            else:
                values[one.name] = theirs if mine == one.default else mine
        joined = Change(**values)
        return None if _links_twice(joined) else joined

    def to_json(self) -> dict[str, Any]:
        """What is changed, by name."""
        return {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if getattr(self, one.name) != one.default
        }


def apply_change(subject: Subject, change: Change) -> Subject:
    """The memory after a change. Raises KeyError when a link isn't among its links."""
    links = {link.id: link for link in subject.links}
    moved = [links[link_id] for link_id in change.removed_links]
    for link_id, relation in change.relinked:
        moved.append(links[link_id])
        subject = with_links(subject, [relation] * links[link_id].ends)
    subject = without_links(subject, moved)
    subject = with_links(subject, change.added_links)
    if change.removed_words:
        subject = without_words(subject, change.removed_words)
    if change.type_name is not None:
        subject = subject.with_type(change.type_name)
    if change.names_source:
        subject = subject.with_inputs(source_named=True, source_high=False, source_low=False)
    values = {
        "trust": change.trust,
        "updated_at": change.edited_at,
        "base_confidence": change.base_confidence,
        "base_importance": change.base_importance,
    }
    given = {name: value for name, value in values.items() if value is not None}
    return subject.with_inputs(**given) if given else subject


def with_links(subject: Subject, relations: Sequence[str]) -> Subject:
    """The memory with more links of these relations."""
    counts = subject.inputs.link_counts[0].copy()
    for relation in relations:
        counts[0] += 1
        if relation in RELATION_COLUMNS:
            counts[RELATION_COLUMNS[relation]] += 1
    return subject.with_inputs(link_counts=counts) if relations else subject


def without_links(subject: Subject, links: Sequence[LinkFact]) -> Subject:
    """The memory without some of its links."""
    if not links:
        return subject
    counts = subject.inputs.link_counts[0].copy()
    for link in links:
        counts[0] = max(counts[0] - link.ends, 0)
        if link.relation in RELATION_COLUMNS:
            column = RELATION_COLUMNS[link.relation]
            counts[column] = max(counts[column] - link.ends, 0)
    gone = {link.id for link in links}
    left = tuple(link for link in subject.links if link.id not in gone)
    return replace(subject.with_inputs(link_counts=counts), links=left)


def without_words(subject: Subject, keywords: Sequence[str]) -> Subject:
    """The memory without the words that these keywords are found in.

    Raises ValueError when the text is not at hand.
    """
    if subject.fields is None:
        raise ValueError("the text is not at hand")
    left = subject.fields
    for keyword in keywords:
        left = without_keyword(left, keyword)
    text = text_of(*(left.get(name) for name in TEXT_FIELDS))
    signals = measure_texts([text], subject.model.keywords)
    columns = {name: column[0] for name, column in signals._asdict().items()}
    return replace(subject.with_inputs(**columns), fields=left)


def without_source(subject: Subject) -> Subject:
    """The memory without a source, and so without its trust."""
    bare = subject.with_inputs(
        source_named=False, source_high=False, source_low=False, trust=float("nan")
    )
    return replace(bare, source=None, trust_note=None, source_count=None)


def without_recalls(subject: Subject) -> Subject:
    """The memory as if it had never been recalled."""
    return subject.with_inputs(access_count=0.0, last_accessed_at=float("nan"))


def _links_twice(change: Change) -> bool:
    touched = [*change.removed_links, *(link_id for link_id, _ in change.relinked)]
    return len(set(touched)) < len(touched)

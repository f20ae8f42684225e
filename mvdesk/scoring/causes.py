"""The scores by cause: what each link, source, word and wait does, found by taking it away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from mvdesk.scoring.changes import (
    Change,
    apply_change,
    without_links,
    without_recalls,
    without_source,
    without_words,
)
from mvdesk.scoring.dates import format_days, idle_since
from mvdesk.scoring.engine import DAY_SECONDS
from mvdesk.scoring.keywords import TEXT_FIELDS
from mvdesk.scoring.saying import tr
from mvdesk.scoring.signals import text_of
from mvdesk.scoring.subject import score_subjects

if TYPE_CHECKING:
    from mvdesk.scoring.subject import LinkFact, ScorePair, Subject

CauseKind = Literal["link", "source", "word", "type", "recalls", "wait"]

CAUSES_NOTE: Final = tr("Effects of causes overlap and need not add up.")
_NO_TYPE: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that the scores depend on. `ref` is a link's id, a source's key or a keyword.

    `effect` is the scores less what they would be without it; its raw values are unrounded and
    also tell what a clamp hides.
    """

    kind: CauseKind
    ref: str
    label: str
    effect: ScorePair

    def to_json(self) -> dict[str, Any]:
        """The effect on both scores, rounded, and on the raw sums."""
        return {
            "kind": self.kind,
            "ref": self.ref,
            "label": self.label,
            "effect": self.effect.to_json(),
        }


def find_causes(subject: Subject) -> list[Cause]:
    """Every cause that is there, each valued by taking it alone away and scoring again.

    Effects overlap and need not add up. Waiting time is taken away by counting the memory as
    edited now, a type by giving it none. Words are only found where the text is at hand.
    """
    found = list(_causes(subject))
    scores = score_subjects([subject, *(without for _, _, _, without in found)])
    return [
        Cause(kind, ref, label, scores[0].minus(without))
        for (kind, ref, label, _), without in zip(found, scores[1:], strict=True)
    ]


_Found = tuple[CauseKind, str, str, "Subject"]


def _causes(subject: Subject) -> list[_Found]:
    found: list[_Found] = []
    if subject.inputs.source_named[0]:
        label = tr("source {source_key}", source_key=subject.source_key)
        found.append(("source", subject.source_key, label, without_source(subject)))
    found += [
        ("word", word, tr("the word “{word}”", word=word), without_words(subject, [word]))
        for word in found_words(subject)
    ]
    if subject.type_name != _NO_TYPE:
        label = tr("type {type_name}", type_name=subject.type_name)
        found.append(("type", subject.type_name, label, subject.with_type(_NO_TYPE)))
    found += [
        ("link", link.id, format_link(link), without_links(subject, [link]))
        for link in subject.links
    ]
    recalled = float(subject.inputs.access_count[0]) >= 1 or subject.inputs.last_accessed_at[0] > 0
    if subject.model.use is not None and recalled:
        found.append(("recalls", "", tr("its recalls"), without_recalls(subject)))
    since = idle_since(subject)
    if since is not None and since < subject.now:
        label = tr("waiting {days}", days=format_days((subject.now - since) / DAY_SECONDS))
        fresh = apply_change(subject, Change(edited_at=subject.now))
        found.append(("wait", "", label, fresh))
    return found


def found_words(subject: Subject) -> list[str]:
    """The keywords of all lists that score in the text, each once, in the model's order."""
    if subject.fields is None:
        return []
    text = text_of(*(subject.fields.get(name) for name in TEXT_FIELDS))
    words = dict.fromkeys(word for words in subject.model.keywords.of_text for word in words)
    return [word for word in words if word in text]


def format_link(link: LinkFact) -> str:
    """A link in one line: its arrow, its relation, the other end."""
    return f"{'→' if link.outgoing else '←'} {link.relation} “{link.title}”"

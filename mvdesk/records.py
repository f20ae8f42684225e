"""Plain data that every layer above scoring passes around. No behaviour, no Qt, no SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from mvdesk.wording import tr

MemoryType = Literal["note", "fact", "journal"]
Relation = Literal["related", "supports", "contradicts", "supersedes", "causes", "example_of"]

MEMORY_TYPES: Final[tuple[MemoryType, ...]] = ("note", "fact", "journal")
RELATIONS: Final[tuple[Relation, ...]] = (
    "related",
    "supports",
    "contradicts",
    "supersedes",
    "causes",
    "example_of",
)

# Words of the vault as people read them; what else a file may hold is shown as it is.
TYPE_WORDS: Final[dict[str, str]] = {
    "note": tr("note"),
    "fact": tr("fact"),
    "journal": tr("journal"),
}
RELATION_WORDS: Final[dict[str, str]] = {
    "related": tr("related"),
    "supports": tr("supports"),
    "contradicts": tr("contradicts"),
    "supersedes": tr("supersedes"),
    "causes": tr("causes"),
    "example_of": tr("example_of"),
}
STATUS_WORDS: Final[dict[str, str]] = {
    "superseded": tr("superseded"),
    "needs_review": tr("needs review"),
    "dismissed": tr("dismissed"),
}

RESOLUTION_STATUSES: Final = ("needs_review", "resolved", "superseded", "dismissed")

LEGACY_BRAIN_ID: Final = "legacy-default-brain"
DEFAULT_BASE_CONFIDENCE: Final = 0.7
DEFAULT_BASE_IMPORTANCE: Final = 0.5

LABEL_LENGTH: Final = 80
"""Characters of a memory's label in messages, and of one made of its text."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as the vault holds it. Times are epoch seconds, UTC.

    `confidence` and `importance` are the *base* values, in [0, 1]. `tags` is the stored
    comma-separated text. `type` is what the file says, which a foreign file may spell freely.
    """

    id: str
    brain_id: str
    type: str
    title: str | None
    key: str | None
    content: str
    tags: str | None
    source: str | None
    confidence: float
    importance: float
    archived_at: int | None
    access_count: int
    last_accessed_at: int | None
    last_decayed_at: int | None
    created_at: int
    updated_at: int

    @property
    def label(self) -> str:
        """What lists call this memory."""
        return label_for(self.title, self.key, self.content)

    @property
    def short_label(self) -> str:
        """What messages call this memory: its label, cut where it is long."""
        return shortened(self.label)


@dataclass(frozen=True, slots=True)
class Link:
    """A typed, directed link between two memories. `created_at` is epoch seconds, UTC."""

    id: str
    brain_id: str
    from_id: str
    to_id: str
    relation_type: str
    label: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class SourceTrust:
    """How far a source is trusted, in [0, 1]. A source without such a record is "not set"."""

    id: str
    brain_id: str
    source_key: str
    trust: float
    notes: str | None
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class Brain:
    """One of the collections of memories in a file."""

    id: str
    name: str
    memory_count: int


@dataclass(frozen=True, slots=True)
class ConflictResolution:
    """What a person or program decided about two memories that contradict each other.

    `status` is one of `RESOLUTION_STATUSES` in a sound file. `canonical_id` names the memory
    that holds, None when neither was chosen.
    """

    id: str
    brain_id: str
    pair_key: str
    a_id: str
    b_id: str
    status: str
    canonical_id: str | None
    note: str | None
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class EntityAlias:
    """A memory that is another name for a canonical one. `confidence` is in [0, 1]."""

    id: str
    brain_id: str
    canonical_memory_id: str
    alias_memory_id: str
    note: str | None
    confidence: float
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class StoredPolicy:
    """The rules of a brain as the file keeps them: JSON text that may hold anything."""

    brain_id: str
    policy_json: str
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One line of the changelog that desktop and server both write.

    `payload` is its JSON text, None where there is none. `created_at` is epoch seconds, UTC.
    """

    id: str
    event_type: str
    entity_type: str
    entity_id: str
    summary: str
    payload: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class StoredSnapshot:
    """A kept state of a brain, without its payload, which has `payload_bytes`.

    `created_at` is epoch seconds, UTC.
    """

    id: str
    brain_id: str
    label: str | None
    summary: str | None
    memory_count: int
    link_count: int
    created_at: int
    payload_bytes: int


def shortened(text: str, most: int = LABEL_LENGTH) -> str:
    """A text of one line, cut to so many characters, with "…" where something is missing."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def label_for(title: str | None, key: str | None, content: str | None) -> str:
    """On one line the title, else the key, else the first 80 characters of the text."""
    for text in (title, key):
        if text and text.strip():
            return " ".join(text.split())
    head = " ".join((content or "")[:400].split())
    return shortened(head) if head else "(empty)"

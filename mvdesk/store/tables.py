"""MemoryVault's tables, as its server makes them.

Table, column and index names are the server's: never rename. Account tables (users,
sessions, OAuth, watches) are left out on purpose: the desktop neither reads nor writes them.

Plain tables: rows go through the driver, and mapped classes would take a tenth of a second at
every start.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    REAL,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from mvdesk.records import LEGACY_BRAIN_ID, MEMORY_TYPES, RELATIONS

LEGACY_BRAIN_NAME: Final = "Legacy Shared Brain"
"""What the server calls its default brain."""

_LEGACY_BRAIN = text(f"'{LEGACY_BRAIN_ID}'")


def _one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})")


def _in_unit_range(column: str) -> CheckConstraint:
    return CheckConstraint(f"{column} >= 0 AND {column} <= 1")


METADATA: Final = MetaData()

Table(
    "brains",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("slug", Text, unique=True),
    # The server points this at its users table, which files made here don't have.
    Column("owner_user_id", Text),
    Column("created_at", Integer, nullable=False),  # epoch seconds, UTC
    Column("updated_at", Integer, nullable=False),  # epoch seconds, UTC
    Index("idx_brains_owner", "owner_user_id"),
    comment="A collection of memories. A file may hold several.",
)

Table(
    "memories",
    METADATA,
    Column("id", Text, primary_key=True),
    Column(
        "brain_id",
        Text,
        ForeignKey("brains.id", ondelete="CASCADE"),
        nullable=False,
        server_default=_LEGACY_BRAIN,
    ),
    Column("type", Text, nullable=False),
    Column("title", Text),
    Column("key", Text),
    Column("content", Text, nullable=False),
    Column("tags", Text),  # comma-separated
    Column("source", Text),
    Column("confidence", REAL, nullable=False, server_default=text("0.7")),  # base value, [0, 1]
    Column("importance", REAL, nullable=False, server_default=text("0.5")),  # base value, [0, 1]
    Column("archived_at", Integer),  # epoch seconds, UTC; NULL for active memories
    Column("access_count", Integer, nullable=False, server_default=text("0")),
    Column("last_accessed_at", Integer),  # epoch seconds, UTC; NULL when never recalled
    Column("last_decayed_at", Integer),  # epoch seconds, UTC
    Column("created_at", Integer, nullable=False),  # epoch seconds, UTC
    Column("updated_at", Integer, nullable=False),  # epoch seconds, UTC
    _one_of("type", MEMORY_TYPES),
    _in_unit_range("confidence"),
    _in_unit_range("importance"),
    Index("idx_type", "type"),
    Index("idx_key", "key"),
    Index("idx_created", text("created_at DESC")),
    Index("idx_archived", "archived_at"),
    Index("idx_importance", text("importance DESC")),
    Index("idx_confidence", text("confidence DESC")),
    Index("idx_memories_brain_created", "brain_id", text("created_at DESC")),
    Index("idx_memories_brain_key", "brain_id", "key"),
    Index("idx_memories_brain_accessed", "brain_id", text("last_accessed_at DESC")),
    comment="One memory with its base values; its scores are never stored.",
)

Table(
    "memory_links",
    METADATA,
    Column("id", Text, primary_key=True),
    Column(
        "brain_id",
        Text,
        ForeignKey("brains.id", ondelete="CASCADE"),
        nullable=False,
        server_default=_LEGACY_BRAIN,
    ),
    Column("from_id", Text, ForeignKey("memories.id", ondelete="CASCADE"), nullable=False),
    Column("to_id", Text, ForeignKey("memories.id", ondelete="CASCADE"), nullable=False),
    Column("relation_type", Text, nullable=False, server_default=text("'related'")),
    Column("label", Text),
    Column("created_at", Integer, nullable=False),  # epoch seconds, UTC
    _one_of("relation_type", RELATIONS),
    Index("idx_links_from", "from_id"),
    Index("idx_links_to", "to_id"),
    Index("idx_links_relation_type", "relation_type"),
    Index("idx_links_brain_from", "brain_id", "from_id"),
    Index("idx_links_brain_to", "brain_id", "to_id"),
    comment="A typed, directed link between two memories.",
)

Table(
    "memory_changelog",
    METADATA,
    Column("id", Text, primary_key=True),
    Column(
        "brain_id",
        Text,
        ForeignKey("brains.id", ondelete="CASCADE"),
        nullable=False,
        server_default=_LEGACY_BRAIN,
    ),
    Column("event_type", Text, nullable=False),
    Column("entity_type", Text, nullable=False),
    Column("entity_id", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("payload", Text),  # JSON
    Column("created_at", Integer, nullable=False),  # epoch seconds, UTC
    Index("idx_changelog_created", text("created_at DESC")),
    Index("idx_changelog_entity", "entity_type", "entity_id", text("created_at DESC")),
    Index("idx_changelog_brain_created", "brain_id", text("created_at DESC")),
    Index(
        "idx_changelog_brain_entity",
        "brain_id",
        "entity_type",
        "entity_id",
        text("created_at DESC"),
    ),
    comment="One line of the history that server and desktop both write.",
)

Table(
    "brain_source_trust",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("brain_id", Text, ForeignKey("brains.id", ondelete="CASCADE"), nullable=False),
    Column(
        "source_key", Text, nullable=False
    ),  # normalised: trimmed, lower-cased, at most 160 characters
    Column("trust", REAL, nullable=False, server_default=text("0.5")),  # [0, 1]
    Column("notes", Text),
    Column("created_at", Integer, nullable=False),  # epoch seconds, UTC
    Column("updated_at", Integer, nullable=False),  # epoch seconds, UTC
    UniqueConstraint("brain_id", "source_key"),
    Index("idx_source_trust_brain", "brain_id", "source_key"),
    comment='How far a source is trusted. A missing row is "not set", not 0.5.',
)

Table(
    "brain_policies",
    METADATA,
    Column("brain_id", Text, ForeignKey("brains.id", ondelete="CASCADE"), primary_key=True),
    Column("policy_json", Text, nullable=False),
    Column("created_at", Integer, nullable=False),  # epoch seconds, UTC
    Column("updated_at", Integer, nullable=False),  # epoch seconds, UTC
    comment="The rules of a brain, as one JSON text.",
)

Table(
    "brain_snapshots",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("brain_id", Text, ForeignKey("brains.id", ondelete="CASCADE"), nullable=False),
    Column("label", Text),
    Column("summary", Text),
    Column("memory_count", Integer, nullable=False, server_default=text("0")),
    Column("link_count", Integer, nullable=False, server_default=text("0")),
    Column("payload_json", Text, nullable=False),
    Column("created_at", Integer, nullable=False),  # epoch seconds, UTC
    Index("idx_brain_snapshots_brain_created", "brain_id", text("created_at DESC")),
    comment="A saved state of a whole brain; the payload is `brain_snapshot_v1` JSON.",
)

Table(
    "memory_conflict_resolutions",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("brain_id", Text, ForeignKey("brains.id", ondelete="CASCADE"), nullable=False),
    # The smaller id, "|", the larger id; rows from the server's import have "::" instead.
    Column("pair_key", Text, nullable=False),
    Column("a_id", Text, nullable=False),
    Column("b_id", Text, nullable=False),
    Column("status", Text, nullable=False),  # needs_review, resolved, superseded or dismissed
    Column("canonical_id", Text),
    Column("note", Text),
    Column("created_at", Integer, nullable=False),  # epoch seconds, UTC
    Column("updated_at", Integer, nullable=False),  # epoch seconds, UTC
    UniqueConstraint("brain_id", "pair_key"),
    Index("idx_conflict_resolutions_brain_status", "brain_id", "status", text("updated_at DESC")),
    comment="What a person decided about two memories that contradict each other.",
)

Table(
    "memory_entity_aliases",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("brain_id", Text, ForeignKey("brains.id", ondelete="CASCADE"), nullable=False),
    Column("canonical_memory_id", Text, nullable=False),
    Column("alias_memory_id", Text, nullable=False),
    Column("note", Text),
    Column("confidence", REAL, nullable=False, server_default=text("0.9")),
    Column("created_at", Integer, nullable=False),  # epoch seconds, UTC
    Column("updated_at", Integer, nullable=False),  # epoch seconds, UTC
    UniqueConstraint("brain_id", "alias_memory_id"),
    Index("idx_entity_aliases_brain_canonical", "brain_id", "canonical_memory_id"),
    comment="A memory that is another name for a canonical one.",
)

KNOWN_TABLES: Final = METADATA.tables
"""The tables that are read and written, by name."""

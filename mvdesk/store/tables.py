"""MemoryVault's tables, as its server makes them.

Table, column and index names are the server's: never rename. Account tables (users,
sessions, OAuth, watches) are left out on purpose: the desktop neither reads nor writes them.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import REAL, CheckConstraint, ForeignKey, Index, Text, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from mvdesk.records import LEGACY_BRAIN_ID, MEMORY_TYPES, RELATIONS

LEGACY_BRAIN_NAME: Final = "Legacy Shared Brain"
"""What the server calls its default brain."""

_LEGACY_BRAIN = text(f"'{LEGACY_BRAIN_ID}'")


def _one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})")


def _in_unit_range(column: str) -> CheckConstraint:
    return CheckConstraint(f"{column} >= 0 AND {column} <= 1")


class Base(DeclarativeBase):
    """What all stored rows share: how Python types are stored."""

    type_annotation_map = {str: Text, float: REAL}  # noqa: RUF012 (SQLAlchemy reads a plain dict)


class BrainRow(Base):
    """A collection of memories. A file may hold several."""

    __tablename__ = "brains"
    __table_args__ = (Index("idx_brains_owner", "owner_user_id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    slug: Mapped[str | None] = mapped_column(unique=True)
    # The server points this at its users table, which files made here don't have.
    owner_user_id: Mapped[str | None]
    created_at: Mapped[int]  # epoch seconds, UTC
    updated_at: Mapped[int]  # epoch seconds, UTC


class MemoryRow(Base):
    """One memory with its base values; its scores are never stored."""

    __tablename__ = "memories"
    __table_args__ = (
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
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    brain_id: Mapped[str] = mapped_column(
        ForeignKey("brains.id", ondelete="CASCADE"), server_default=_LEGACY_BRAIN
    )
    type: Mapped[str]
    title: Mapped[str | None]
    key: Mapped[str | None]
    content: Mapped[str]
    tags: Mapped[str | None]  # comma-separated
    source: Mapped[str | None]
    confidence: Mapped[float] = mapped_column(server_default=text("0.7"))  # base value, [0, 1]
    importance: Mapped[float] = mapped_column(server_default=text("0.5"))  # base value, [0, 1]
    archived_at: Mapped[int | None]  # epoch seconds, UTC; NULL for active memories
    access_count: Mapped[int] = mapped_column(server_default=text("0"))
    last_accessed_at: Mapped[int | None]  # epoch seconds, UTC; NULL when never recalled
    last_decayed_at: Mapped[int | None]  # epoch seconds, UTC
    created_at: Mapped[int]  # epoch seconds, UTC
    updated_at: Mapped[int]  # epoch seconds, UTC


class MemoryLinkRow(Base):
    """A typed, directed link between two memories."""

    __tablename__ = "memory_links"
    __table_args__ = (
        _one_of("relation_type", RELATIONS),
        Index("idx_links_from", "from_id"),
        Index("idx_links_to", "to_id"),
        Index("idx_links_relation_type", "relation_type"),
        Index("idx_links_brain_from", "brain_id", "from_id"),
        Index("idx_links_brain_to", "brain_id", "to_id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    brain_id: Mapped[str] = mapped_column(
        ForeignKey("brains.id", ondelete="CASCADE"), server_default=_LEGACY_BRAIN
    )
    from_id: Mapped[str] = mapped_column(ForeignKey("memories.id", ondelete="CASCADE"))
    to_id: Mapped[str] = mapped_column(ForeignKey("memories.id", ondelete="CASCADE"))
    relation_type: Mapped[str] = mapped_column(server_default=text("'related'"))
    label: Mapped[str | None]
    created_at: Mapped[int]  # epoch seconds, UTC


class ChangelogRow(Base):
    """One line of the history that server and desktop both write."""

    __tablename__ = "memory_changelog"
    __table_args__ = (
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
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    brain_id: Mapped[str] = mapped_column(
        ForeignKey("brains.id", ondelete="CASCADE"), server_default=_LEGACY_BRAIN
    )
    event_type: Mapped[str]
    entity_type: Mapped[str]
    entity_id: Mapped[str]
    summary: Mapped[str]
    payload: Mapped[str | None]  # JSON
    created_at: Mapped[int]  # epoch seconds, UTC


class SourceTrustRow(Base):
    """How far a source is trusted. A missing row is "not set", not 0.5."""

    __tablename__ = "brain_source_trust"
    __table_args__ = (
        UniqueConstraint("brain_id", "source_key"),
        Index("idx_source_trust_brain", "brain_id", "source_key"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    brain_id: Mapped[str] = mapped_column(ForeignKey("brains.id", ondelete="CASCADE"))
    source_key: Mapped[str]  # normalised: trimmed, lower-cased, at most 160 characters
    trust: Mapped[float] = mapped_column(server_default=text("0.5"))  # [0, 1]
    notes: Mapped[str | None]
    created_at: Mapped[int]  # epoch seconds, UTC
    updated_at: Mapped[int]  # epoch seconds, UTC


class PolicyRow(Base):
    """The rules of a brain, as one JSON text."""

    __tablename__ = "brain_policies"

    brain_id: Mapped[str] = mapped_column(
        ForeignKey("brains.id", ondelete="CASCADE"), primary_key=True
    )
    policy_json: Mapped[str]
    created_at: Mapped[int]  # epoch seconds, UTC
    updated_at: Mapped[int]  # epoch seconds, UTC


class SnapshotRow(Base):
    """A saved state of a whole brain; the payload is `brain_snapshot_v1` JSON."""

    __tablename__ = "brain_snapshots"
    __table_args__ = (
        Index("idx_brain_snapshots_brain_created", "brain_id", text("created_at DESC")),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    brain_id: Mapped[str] = mapped_column(ForeignKey("brains.id", ondelete="CASCADE"))
    label: Mapped[str | None]
    summary: Mapped[str | None]
    memory_count: Mapped[int] = mapped_column(server_default=text("0"))
    link_count: Mapped[int] = mapped_column(server_default=text("0"))
    payload_json: Mapped[str]
    created_at: Mapped[int]  # epoch seconds, UTC


class ConflictResolutionRow(Base):
    """What a person decided about two memories that contradict each other."""

    __tablename__ = "memory_conflict_resolutions"
    __table_args__ = (
        UniqueConstraint("brain_id", "pair_key"),
        Index(
            "idx_conflict_resolutions_brain_status", "brain_id", "status", text("updated_at DESC")
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    brain_id: Mapped[str] = mapped_column(ForeignKey("brains.id", ondelete="CASCADE"))
    # The smaller id, "|", the larger id; rows from the server's import have "::" instead.
    pair_key: Mapped[str]
    a_id: Mapped[str]
    b_id: Mapped[str]
    status: Mapped[str]  # needs_review, resolved, superseded or dismissed
    canonical_id: Mapped[str | None]
    note: Mapped[str | None]
    created_at: Mapped[int]  # epoch seconds, UTC
    updated_at: Mapped[int]  # epoch seconds, UTC


class EntityAliasRow(Base):
    """A memory that is another name for a canonical one."""

    __tablename__ = "memory_entity_aliases"
    __table_args__ = (
        UniqueConstraint("brain_id", "alias_memory_id"),
        Index("idx_entity_aliases_brain_canonical", "brain_id", "canonical_memory_id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    brain_id: Mapped[str] = mapped_column(ForeignKey("brains.id", ondelete="CASCADE"))
    canonical_memory_id: Mapped[str]
    alias_memory_id: Mapped[str]
    note: Mapped[str | None]
    confidence: Mapped[float] = mapped_column(server_default=text("0.9"))
    created_at: Mapped[int]  # epoch seconds, UTC
    updated_at: Mapped[int]  # epoch seconds, UTC


KNOWN_TABLES: Final = Base.metadata.tables
"""The tables that are read and written, by name."""

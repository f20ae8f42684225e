"""The rows that restoring a snapshot makes: what a column holds that the snapshot leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.records import DEFAULT_BASE_CONFIDENCE, DEFAULT_BASE_IMPORTANCE
from mvdesk.vault.plan import ALIASES, LINKS, MEMORIES, RESOLUTIONS, TRUST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.vault.operations.snapshot_payload import Row

NEW_MEMORY: Final[Row] = {
    **dict.fromkeys(("title", "key", "tags", "source")),
    "confidence": DEFAULT_BASE_CONFIDENCE,
    "importance": DEFAULT_BASE_IMPORTANCE,
    "archived_at": None,
    "access_count": 0,
    "last_accessed_at": None,
    "last_decayed_at": None,
    "created_at": 0,
    "updated_at": 0,
}
NEW_LINK: Final[Row] = {"label": None, "created_at": 0}
NEW_TRUST: Final[Row] = {"notes": None, "created_at": 0, "updated_at": 0}
NEW_ALIAS: Final[Row] = {"note": None, "confidence": 0.9, "created_at": 0, "updated_at": 0}
NEW_RESOLUTION: Final[Row] = {
    "canonical_id": None,
    "note": None,
    "created_at": 0,
    "updated_at": 0,
}
GUARDS: Final[Mapping[str, tuple[str, ...]]] = {
    MEMORIES: ("updated_at",),
    LINKS: ("from_id", "to_id"),
    TRUST: ("source_key", "updated_at"),
    ALIASES: ("alias_memory_id", "updated_at"),
    RESOLUTIONS: ("a_id", "b_id", "updated_at"),
}
"""What must not have moved since the preview, besides what is written."""

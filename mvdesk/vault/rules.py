"""What a vault keeps beside memories and links, read whole: policy, decisions, aliases, history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.store import reading_rules
from mvdesk.store.cells import is_storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.records import ConflictResolution, EntityAlias, HistoryEntry, StoredPolicy
    from mvdesk.vault.vault import Vault


def read_policy(vault: Vault) -> StoredPolicy | None:
    """The stored policy, None where every rule is the default."""
    with vault.file.read() as conn:
        return reading_rules.read_policy(conn, vault.file.schema, vault.brain.id)


def read_resolutions(vault: Vault) -> list[ConflictResolution]:
    """Every decision about a pair of memories, the oldest change first."""
    with vault.file.read() as conn:
        return reading_rules.read_resolutions(conn, vault.file.schema, vault.brain.id)


def read_aliases(vault: Vault) -> list[EntityAlias]:
    """Every memory that is another name for one, the oldest change first."""
    with vault.file.read() as conn:
        return reading_rules.read_aliases(conn, vault.file.schema, vault.brain.id)


def read_history(
    vault: Vault,
    *,
    limit: int | None = None,
    entity_id: str | None = None,
    naming: str | None = None,
    since: int | None = None,
    until: int | None = None,
    event_types: Sequence[str] = (),
    offset: int = 0,
) -> list[HistoryEntry]:
    """Lines of the changelog, the newest first; `entity_id` keeps those about one thing.

    `naming` also keeps those that tell of an id besides.
    """
    if not all(is_storable(one) for one in (entity_id, naming) if one is not None):
        return []
    with vault.file.read() as conn:
        return reading_rules.read_history(
            conn,
            vault.file.schema,
            vault.brain.id,
            limit=limit,
            entity_id=entity_id,
            naming=naming,
            since=since,
            until=until,
            event_types=event_types,
            offset=offset,
        )


def count_history(
    vault: Vault,
    *,
    before: int | None = None,
    naming: str | None = None,
    since: int | None = None,
    event_types: Sequence[str] = (),
) -> int:
    """How many lines of the changelog there are; `before` counts those older than a moment."""
    if naming is not None and not is_storable(naming):
        return 0
    with vault.file.read() as conn:
        return reading_rules.count_history(
            conn,
            vault.file.schema,
            vault.brain.id,
            naming=naming,
            since=since,
            until=before,
            event_types=event_types,
        )

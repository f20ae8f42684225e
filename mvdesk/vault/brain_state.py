"""Everything that a brain holds, as records: what snapshots and exports are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvdesk.records import Link
from mvdesk.store import reading_rules, reading_snapshots
from mvdesk.store.reading import read_links, read_memories, read_trust

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mvdesk.records import (
        ConflictResolution,
        EntityAlias,
        Memory,
        SourceTrust,
        StoredPolicy,
        StoredSnapshot,
    )
    from mvdesk.store.reading import LinkColumns
    from mvdesk.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class BrainState:
    """One state of a whole brain. Memories and links are by id, in the file's order.

    `policy` is None where every rule is the default.
    """

    brain_id: str
    memories: Mapping[str, Memory]
    links: Mapping[str, Link]
    trust: Sequence[SourceTrust]
    aliases: Sequence[EntityAlias]
    resolutions: Sequence[ConflictResolution]
    policy: StoredPolicy | None


def read_brain_state(vault: Vault) -> BrainState:
    """The open brain as it is now, texts included."""
    brain_id = vault.brain.id
    with vault.file.read() as conn:
        schema = vault.file.schema
        return BrainState(
            brain_id,
            {one.id: one for one in read_memories(conn, schema, brain_id)},
            {
                one.id: one
                for columns in read_links(conn, schema, brain_id)
                for one in _links(brain_id, columns)
            },
            read_trust(conn, schema, brain_id),
            reading_rules.read_aliases(conn, schema, brain_id),
            reading_rules.read_resolutions(conn, schema, brain_id),
            reading_rules.read_policy(conn, schema, brain_id),
        )


def read_snapshots(vault: Vault) -> list[StoredSnapshot]:
    """The snapshots kept of the open brain, the newest first."""
    with vault.file.read() as conn:
        return reading_snapshots.read_snapshots(conn, vault.file.schema, vault.brain.id)


def read_snapshot_payload(vault: Vault, snapshot_id: str) -> str | None:
    """What a snapshot holds, as text; None when it is gone."""
    with vault.file.read() as conn:
        return reading_snapshots.read_snapshot_payload(
            conn, vault.file.schema, vault.brain.id, snapshot_id
        )


def find_ids_elsewhere(vault: Vault, table: str, ids: Sequence[str]) -> set[str]:
    """Those of the ids that other brains of the file use in this table."""
    with vault.file.read() as conn:
        return reading_snapshots.find_ids_elsewhere(
            conn, vault.file.schema, table, vault.brain.id, ids
        )


def _links(brain_id: str, columns: LinkColumns) -> Iterator[Link]:
    for link_id, from_id, to_id, relation, label, created_at in zip(
        columns.ids,
        columns.from_ids,
        columns.to_ids,
        columns.relations,
        columns.labels,
        columns.created_at.tolist(),
        strict=True,
    ):
        yield Link(link_id, brain_id, from_id, to_id, relation, label, created_at)

"""Everything that a brain holds, as records: what snapshots and exports are made of."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from mvdesk.records import RELATIONS
from mvdesk.store import reading_rules, reading_snapshots
from mvdesk.store.reading import (
    link_of,
    memory_of,
    read_link_rows,
    read_memory_rows,
    read_trust,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mvdesk.records import (
        ConflictResolution,
        EntityAlias,
        Link,
        Memory,
        SourceTrust,
        StoredPolicy,
        StoredSnapshot,
    )
    from mvdesk.store.reading import Row
    from mvdesk.vault.vault import Vault

T = TypeVar("T")

MEMORY_COLUMNS: Final = (
    "id", "type", "title", "key", "content", "tags", "source", "confidence", "importance",
    "archived_at", "access_count", "last_accessed_at", "last_decayed_at", "created_at",
    "updated_at",
)  # fmt: skip
"""What the plain rows of memories hold."""
LINK_COLUMNS: Final = ("id", "from_id", "to_id", "relation_type", "label", "created_at")
"""What the plain rows of links hold."""


class Records(Mapping[str, T]):
    """Records by id, each made from its plain row when it is asked for.

    Most of a hundred thousand are only compared, for which `rows` will do.
    """

    def __init__(self, rows: Mapping[str, Row], make: Callable[[Row], T]) -> None:
        self.rows = rows
        self._make = make

    def __getitem__(self, key: str) -> T:
        return self._make(self.rows[key])

    def __contains__(self, key: object) -> bool:
        return key in self.rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class BrainState:
    """One state of a whole brain. Memories and links are by id, in the file's order.

    `policy` is None where every rule is the default.
    """

    brain_id: str
    memories: Records[Memory]
    links: Records[Link]
    trust: Sequence[SourceTrust]
    aliases: Sequence[EntityAlias]
    resolutions: Sequence[ConflictResolution]
    policy: StoredPolicy | None


@dataclass(frozen=True, slots=True)
class BrainRows:
    """A whole brain whose memories and links are read once, as they are asked for."""

    brain_id: str
    memories: Iterable[Row]
    links: Iterable[Row]
    trust: Sequence[SourceTrust]
    aliases: Sequence[EntityAlias]
    resolutions: Sequence[ConflictResolution]
    policy: StoredPolicy | None


@contextmanager
def stream_brain(vault: Vault) -> Iterator[BrainRows]:
    """The open brain as it is now, for whoever can't hold all of it."""
    brain_id = vault.brain.id
    with vault.file.read() as conn:
        schema = vault.file.schema
        yield BrainRows(
            brain_id,
            read_memory_rows(conn, schema, brain_id),
            read_link_rows(conn, schema, brain_id),
            read_trust(conn, schema, brain_id),
            reading_rules.read_aliases(conn, schema, brain_id),
            reading_rules.read_resolutions(conn, schema, brain_id),
            reading_rules.read_policy(conn, schema, brain_id),
        )


def read_brain_state(vault: Vault) -> BrainState:
    """The open brain as it is now, texts included."""
    brain_id = vault.brain.id
    with vault.file.read() as conn:
        schema = vault.file.schema
        memories: dict[str, Row] = {
            str(row[0]): row for row in read_memory_rows(conn, schema, brain_id)
        }
        return BrainState(
            brain_id,
            Records(memories, partial(memory_of, brain_id)),
            Records(
                _sharing_ids(read_link_rows(conn, schema, brain_id), memories),
                partial(link_of, brain_id),
            ),
            read_trust(conn, schema, brain_id),
            reading_rules.read_aliases(conn, schema, brain_id),
            reading_rules.read_resolutions(conn, schema, brain_id),
            reading_rules.read_policy(conn, schema, brain_id),
        )


def _sharing_ids(links: Iterable[Row], memories: Mapping[str, Row]) -> dict[str, Row]:
    """Links by id, with the memories' own ids as ends: they would take twice the room else."""
    shared = {memory_id: memory_id for memory_id in memories} | {name: name for name in RELATIONS}
    get = shared.get
    found: dict[str, Row] = {}
    for link_id, from_id, to_id, relation, label, created_at in cast("Iterable[Any]", links):
        ends = get(from_id, from_id), get(to_id, to_id)
        found[link_id] = (link_id, *ends, get(relation, relation), label, created_at)
    return found


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


@contextmanager
def stream_snapshot_payload(vault: Vault, snapshot_id: str) -> Iterator[Iterator[str]]:
    """What a snapshot holds, in pieces of text; none when it is gone."""
    with vault.file.read() as conn:
        pieces = reading_snapshots.stream_snapshot_payload(
            conn, vault.file.schema, vault.brain.id, snapshot_id
        )
        with closing(pieces):  # before the connection is
            yield pieces


def find_ids_elsewhere(vault: Vault, table: str, ids: Sequence[str]) -> set[str]:
    """Those of the ids that other brains of the file use in this table."""
    with vault.file.read() as conn:
        return reading_snapshots.find_ids_elsewhere(
            conn, vault.file.schema, table, vault.brain.id, ids
        )

"""What a write, ours or another program's, touched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.plan import LINKS, MEMORIES, TRUST, ColumnChanges

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.vault.plan import Plan, RowChange, Value

_NONE: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Ids of what changed. `everything`: assume nothing, read it all again.

    `memory_ids` holds the memories whose own row changed and the ends of changed links,
    since their link counts moved. `source_keys` are the sources whose trust, note or
    memories changed. `tables` names the tables written. `write_number` counts the writes
    of one open vault, 0 when it is not one of them. `made_ids` are those memories and links
    that were not there before, as far as that is known. `end_ids` are those of `memory_ids`
    whose own rows didn't change, as far as that is known.
    """

    memory_ids: frozenset[str] = _NONE
    source_keys: frozenset[str] = _NONE
    link_ids: frozenset[str] = _NONE
    everything: bool = False
    tables: frozenset[str] = _NONE
    write_number: int = 0
    made_ids: frozenset[str] = field(default=_NONE, compare=False)
    end_ids: frozenset[str] = field(default=_NONE, compare=False)

    @classmethod
    def of(cls, plan: Plan, *, write_number: int = 0) -> ChangeSet:
        """What a plan touches."""
        many = plan.changes
        if isinstance(many, ColumnChanges) and many.names_memories_only:
            return cls(
                memory_ids=frozenset(many.ids),
                tables=frozenset({many.table}),
                write_number=write_number,
            )
        memory_ids: set[str] = set()
        source_keys: set[str] = set()
        link_ids: set[str] = set()
        end_ids: set[str] = set()
        for change in plan.changes:
            if change.key.table == MEMORIES:
                memory_ids.add(change.key.id)
                source_keys |= _texts_of(change, "source", normalised=True)
            elif change.key.table == LINKS:
                link_ids.add(change.key.id)
                end_ids |= _texts_of(change, "from_id") | _texts_of(change, "to_id")
            elif change.key.table == TRUST:
                source_keys |= _texts_of(change, "source_key")
        return cls(
            memory_ids=frozenset(memory_ids | end_ids),
            source_keys=frozenset(source_keys),
            link_ids=frozenset(link_ids),
            tables=frozenset(change.key.table for change in plan.changes),
            write_number=write_number,
            made_ids=frozenset(change.key.id for change in plan.changes if change.before is None),
            end_ids=frozenset(end_ids - memory_ids),
        )

    def touches(self, table: str) -> bool:
        """Whether rows of a table changed, as far as that is known."""
        return self.everything or table in self.tables

    @property
    def is_empty(self) -> bool:
        """Nothing changed."""
        return not (self.everything or self.tables)


def _texts_of(change: RowChange, column: str, *, normalised: bool = False) -> set[str]:
    sides: tuple[Mapping[str, Value], ...] = tuple(s for s in (change.before, change.after) if s)
    texts = {text for side in sides if isinstance(text := side.get(column), str)}
    if normalised:
        texts = {normalise_source_key(text) for text in texts}
    return texts - {""}

"""What became of one memory: its steps as the changelog tells them, with what it held then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mvdesk.vault.log_payload import read_log_payload
from mvdesk.vault.operations.fields import MEMORY_FIELDS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from mvdesk.records import HistoryEntry, Memory
    from mvdesk.vault.plan import Value

LOGGED_FIELDS: Final = (*MEMORY_FIELDS, "archived_at")
UNLOGGED: Final = "unlogged"
"""The event of a step that nobody logged: the memory held something else than the log says."""


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One step. `at` is epoch seconds, None for an unlogged one.

    `values` are the fields after the step, as far as they can be told; `changed` those that
    the step is known to have changed, in the order of a memory's fields. `other_id` and
    `relation` belong to a link that came, went or changed; `is_undo` says that the step took
    an older one back.
    """

    event: str
    at: int | None
    summary: str
    values: Mapping[str, Value]
    changed: tuple[str, ...] = ()
    other_id: str = ""
    relation: str = ""
    is_outgoing: bool = True  # the link leads from this memory to the other one
    is_undo: bool = False


def find_steps(memory: Memory, lines: Sequence[HistoryEntry]) -> list[HistoryStep]:
    """The steps of a memory, the newest first, told from what it holds now.

    `lines` are those of the changelog that name it, newest first. Fields that a step changed
    without the log telling from what, as a server's does, are left out of the `values` of
    older steps until the log tells of them again.
    """
    known: dict[str, Value] = {name: getattr(memory, name) for name in LOGGED_FIELDS}
    steps: list[HistoryStep] = []
    for line in lines:
        payload = read_log_payload(line)
        if line.entity_type == "memory_link":
            steps.append(_link_step(line, payload, memory.id, known))
            continue
        before, after = (_told(payload.get(side), payload, memory.id) for side in _SIDES)
        moved = {name: value for name, value in after.items() if known.get(name, value) != value}
        if moved:
            steps.append(HistoryStep(UNLOGGED, None, "", dict(known), _in_order(moved)))
        known |= after
        changed = {name for name in before if name in after and before[name] != after[name]}
        untold = _flagged(payload) - set(before)
        event = line.event_type
        steps.append(
            HistoryStep(
                event,
                line.created_at,
                line.summary,
                dict(known),
                _in_order(changed | untold),
                is_undo="undo_of" in payload,
            )
        )
        # Before it was made there was nothing, or another one of this id, deleted since.
        known = {} if event == "memory_created" else known | before
        for name in untold | _moved_untold(event, payload, memory.id, before):
            known.pop(name, None)
    return steps


_SIDES: Final = ("before", "after")


def _link_step(
    line: HistoryEntry, payload: Mapping[str, Any], memory_id: str, known: Mapping[str, Value]
) -> HistoryStep:
    ends = [str(payload.get(end) or "") for end in ("from_id", "to_id")]
    other = ends[1] if ends[0] == memory_id else ends[0]
    return HistoryStep(
        line.event_type,
        line.created_at,
        line.summary,
        dict(known),
        other_id=other,
        relation=str(payload.get("relation_type") or ""),
        is_outgoing=ends[0] == memory_id,
        is_undo="undo_of" in payload,
    )


def _told(side: object, payload: Mapping[str, Any], memory_id: str) -> dict[str, Value]:
    """The memory's own values on one side of a line."""
    if not isinstance(side, dict):
        return {}
    own = side.get(memory_id, side)
    if not isinstance(own, dict):  # by id, the time of archiving
        return {"archived_at": own} if isinstance(own, int | None) else {}
    ids = payload.get("memory_ids")
    if isinstance(ids, list):  # by column, for many memories
        place = ids.index(memory_id) if memory_id in ids else -1
        own = {
            name: cells[place]
            for name, cells in own.items()
            if isinstance(cells, list) and 0 <= place < len(cells)
        }
    return {
        name: value
        for name, value in own.items()
        if name in LOGGED_FIELDS and isinstance(value, str | int | float | None)
    }


def _moved_untold(
    event: str, payload: Mapping[str, Any], memory_id: str, before: Mapping[str, Value]
) -> set[str]:
    """What else a step moves, where a line doesn't say from what."""
    if event in ("memory_reinforced", "memory_decayed") and not before:
        return {"confidence", "importance"}
    if event in ("memory_merged", "memory_consolidated"):
        is_primary = payload.get("primary_id", memory_id) == memory_id
        untold = set(MEMORY_FIELDS) - {"type", "key"}
        return untold - set(before) if is_primary else set()
    return set()


def _flagged(payload: Mapping[str, Any]) -> set[str]:
    """The fields that a line says were changed, without telling from what."""
    flags = payload.get("updated_fields")
    if not isinstance(flags, dict):
        return set()
    names = {"archived_at" if name == "archived" else name for name, on in flags.items() if on}
    return names & set(LOGGED_FIELDS)


def _in_order(names: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in LOGGED_FIELDS if name in names)

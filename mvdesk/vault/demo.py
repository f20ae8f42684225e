"""The demo vault: invented memories from resources/demo, dated back from a given moment."""

from __future__ import annotations

import tomllib
import uuid
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mvdesk.assets import resource_path
from mvdesk.errors import VaultError
from mvdesk.records import DEFAULT_BASE_CONFIDENCE, DEFAULT_BASE_IMPORTANCE, RELATIONS
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.store.engine import VaultFile
from mvdesk.store.reading import read_brains
from mvdesk.store.rows import ChangelogEntry, add_changelog, insert_row
from mvdesk.vault.plan import LINKS, MEMORIES, TRUST

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.store.reading import Value

DEMO_NAME: Final = "Demo"
_DAY: Final = 86_400
_EARLIEST_DAYS: Final = 900.0
_IDS: Final = uuid.UUID("5b0c8f0e-6f4f-4a0e-9f0b-3c1d7e5a2d60")
_HOURS_SPREAD: Final = 9 * 3600


def demo_id(name: str) -> str:
    """The id in the vault of what resources/demo calls `name`; the same in every demo vault."""
    return str(uuid.uuid5(_IDS, name))


def read_demo(part: str) -> list[dict[str, Any]]:
    """What resources/demo says: part "memories", "sources" or "links", as written there."""
    folder = resource_path("demo")
    if part == "memories":
        files = sorted((folder / "memories").glob("*.toml"))
        return [entry for file in files for entry in _load(file)["memory"]]
    if part == "sources":
        return list(_load(folder / "sources.toml")["source"])
    by_relation = _load(folder / "links.toml")
    return [
        {"relation": relation, "from": ends[0], "to": ends[1], "label": (*ends, None)[2]}
        for relation in RELATIONS
        for ends in by_relation[relation]
    ]


def write_demo(path: Path, *, now: int) -> None:
    """Make the demo vault at `path`; equal `now` (epoch seconds) gives equal rows.

    Written beside and moved there when complete. Raises VaultError, with nothing left
    behind, when there is a file already or none can be made.
    """
    if path.exists() or path.is_symlink():
        raise VaultError(
            f"There is a file at {path} already.",
            "It was left as it is.",
            "Give the demo vault another name, or move that file away.",
        )
    draft = path.with_name(f".{path.name}.part")
    _remove(draft)
    try:
        file = VaultFile.create(
            draft, DEMO_NAME, now=now - int(_EARLIEST_DAYS * _DAY), new_id=_numbered("brain")
        )
        try:
            _fill(file, now)
        finally:
            file.close()
        draft.rename(path)
    except OSError as error:
        raise VaultError(
            f"The demo vault could not be written to {path}.",
            "Nothing was left behind.",
            "Check that the folder is there and can be written.",
            str(error),
        ) from error
    finally:
        _remove(draft)


def _fill(file: VaultFile, now: int) -> None:
    with file.read() as conn:
        brain_id = read_brains(conn, file.schema)[0].id
    memories = {entry["id"]: _memory_row(entry, brain_id, now) for entry in read_demo("memories")}
    links = [_link_row(entry, brain_id, memories) for entry in read_demo("links")]
    sources = [_trust_row(entry, brain_id, now) for entry in read_demo("sources")]
    history = [_created(row) for row in memories.values()]
    history += [_edited(row) for row in memories.values() if row["updated_at"] != row["created_at"]]
    history += [_linked(row) for row in links] + [_trusted(row) for row in sources]
    new_id = _numbered("changelog")
    with file.write() as conn:
        for row in memories.values():
            insert_row(conn, MEMORIES, row)
        for row in links:
            insert_row(conn, LINKS, row)
        for row in sources:
            insert_row(conn, TRUST, row)
        for at, entry in sorted(history, key=lambda item: item[0]):
            add_changelog(conn, brain_id, [entry], now=at, new_id=new_id)


def _memory_row(entry: dict[str, Any], brain_id: str, now: int) -> dict[str, Value]:
    row_id = demo_id(entry["id"])
    # Nobody writes everything at the same minute of the day.
    spread = uuid.UUID(row_id).int % _HOURS_SPREAD if entry["created"] >= 1 else 0

    def ago(name: str) -> int | None:
        days = entry.get(name)
        return None if days is None else now - round(days * _DAY) - min(spread, round(days * 3600))

    created_at = ago("created")
    return {
        "id": row_id,
        "brain_id": brain_id,
        "type": entry["type"],
        "title": entry["title"],
        "key": entry.get("key"),
        "content": entry["content"].strip(),
        "tags": entry.get("tags"),
        "source": entry.get("source"),
        "confidence": float(entry.get("confidence", DEFAULT_BASE_CONFIDENCE)),
        "importance": float(entry.get("importance", DEFAULT_BASE_IMPORTANCE)),
        "archived_at": ago("archived"),
        "access_count": entry.get("recalls", 0),
        "last_accessed_at": ago("recalled"),
        "created_at": created_at,
        "updated_at": ago("updated") or created_at,
    }


def _link_row(
    entry: dict[str, Any], brain_id: str, memories: dict[str, dict[str, Value]]
) -> dict[str, Value]:
    ends = [memories[entry["from"]], memories[entry["to"]]]
    return {
        "id": demo_id(f"{entry['from']} {entry['relation']} {entry['to']}"),
        "brain_id": brain_id,
        "from_id": ends[0]["id"],
        "to_id": ends[1]["id"],
        "relation_type": entry["relation"],
        "label": entry["label"],
        # Linked a minute after the younger of the two was written.
        "created_at": max(int(str(end["created_at"])) for end in ends) + 60,
    }


def _trust_row(entry: dict[str, Any], brain_id: str, now: int) -> dict[str, Value]:
    at = now - round(entry["created"] * _DAY)
    return {
        "id": demo_id(f"trust {entry['name']}"),
        "brain_id": brain_id,
        "source_key": normalise_source_key(entry["name"]),
        "trust": float(entry["trust"]),
        "notes": entry.get("notes"),
        "created_at": at,
        "updated_at": at,
    }


def _created(row: dict[str, Value]) -> tuple[int, ChangelogEntry]:
    payload = {name: row[name] for name in ("type", "title", "key")}
    return _logged(row, "created_at", "memory_created", "memory", "Created memory", payload)


def _edited(row: dict[str, Value]) -> tuple[int, ChangelogEntry]:
    payload = {"updated_fields": {"content": True}}
    return _logged(row, "updated_at", "memory_updated", "memory", "Updated memory", payload)


def _linked(row: dict[str, Value]) -> tuple[int, ChangelogEntry]:
    payload = {name: row[name] for name in ("from_id", "to_id", "relation_type")}
    name = "memory_link_created"
    return _logged(row, "created_at", name, "memory_link", "Created memory link", payload)


def _trusted(row: dict[str, Value]) -> tuple[int, ChangelogEntry]:
    key = str(row["source_key"])
    payload = {"source": key, "trust": row["trust"]}
    entry = ChangelogEntry(
        "memory_source_trust_set", "source", key, "Updated source trust score", payload
    )
    return int(str(row["created_at"])), entry


def _logged(
    row: dict[str, Value], when: str, event: str, kind: str, summary: str, payload: dict[str, Any]
) -> tuple[int, ChangelogEntry]:
    return int(str(row[when])), ChangelogEntry(event, kind, str(row["id"]), summary, payload)


def _numbered(name: str) -> Callable[[], str]:
    numbers = count()
    return lambda: demo_id(f"{name} {next(numbers)}")


def _load(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _remove(draft: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{draft}{suffix}").unlink(missing_ok=True)

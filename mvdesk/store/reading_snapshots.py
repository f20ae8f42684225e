"""Reading the snapshots that a brain keeps of itself, and whose rows ids are."""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, Final

from mvdesk.records import LEGACY_BRAIN_ID, StoredSnapshot
from mvdesk.store.cells import text_of, whole_of
from mvdesk.store.reading import driver_of, fetch_leniently

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from sqlalchemy import Connection

    from mvdesk.store.upgrade import Schema

_TABLE: Final = "brain_snapshots"
_IDS_PER_QUERY: Final = 500
_PIECE_BYTES: Final = 1_000_000


def read_snapshots(conn: Connection, schema: Schema, brain_id: str) -> list[StoredSnapshot]:
    """The snapshots of a brain without their payloads, the newest first."""
    if not (schema.has(_TABLE, "id") and schema.has(_TABLE, "payload_json")):
        return []
    names = ("label", "summary", "memory_count", "link_count", "created_at")
    cells = ", ".join(name if schema.has(_TABLE, name) else "NULL" for name in names)
    where, values = _in_brain(schema, brain_id)
    # As bytes: counting the characters of a hundred megabytes takes far longer.
    sql = (
        f"SELECT id, {cells}, length(CAST(payload_json AS BLOB)) FROM {_TABLE} "
        f"WHERE id IS NOT NULL AND {where} ORDER BY 6 DESC, rowid DESC"
    )
    return [
        StoredSnapshot(
            id=text_of(row[0]) or "",
            brain_id=brain_id,
            label=text_of(row[1]),
            summary=text_of(row[2]),
            memory_count=whole_of(row[3]),
            link_count=whole_of(row[4]),
            created_at=whole_of(row[5]),
            payload_bytes=whole_of(row[6]),
        )
        for row in fetch_leniently(conn, sql, values)
    ]


def read_snapshot_payload(
    conn: Connection, schema: Schema, brain_id: str, snapshot_id: str
) -> str | None:
    """The payload of a snapshot as text, None where there is no such snapshot."""
    where, values = _in_brain(schema, brain_id)
    sql = f"SELECT payload_json FROM {_TABLE} WHERE id = ? AND {where}"
    rows = fetch_leniently(conn, sql, (snapshot_id, *values))
    return (text_of(rows[0][0]) or "") if rows else None


def stream_snapshot_payload(
    conn: Connection, schema: Schema, brain_id: str, snapshot_id: str
) -> Generator[str, None, None]:
    """The payload of a snapshot in pieces, none where there is no such snapshot.

    As one text of Python's a large one takes several times the room it has in the file.
    """
    where, values = _in_brain(schema, brain_id)
    sql = f"SELECT rowid, typeof(payload_json) FROM {_TABLE} WHERE id = ? AND {where}"
    raw = driver_of(conn)
    found = raw.execute(sql, (snapshot_id, *values)).fetchone()
    encoding = raw.execute("PRAGMA encoding").fetchone()[0]
    if found is None:
        return
    rowid, kind = found
    if kind not in ("text", "blob"):
        yield read_snapshot_payload(conn, schema, brain_id, snapshot_id) or ""
        return
    decoder = getincrementaldecoder(encoding if kind == "text" else "utf-8")("replace")
    with raw.blobopen(_TABLE, "payload_json", rowid, readonly=True) as blob:
        while piece := blob.read(_PIECE_BYTES):
            yield decoder.decode(piece)
        yield decoder.decode(b"", True)


def find_ids_elsewhere(
    conn: Connection, schema: Schema, table: str, brain_id: str, ids: Sequence[str]
) -> set[str]:
    """Those of the ids that rows of other brains in the file have."""
    if not schema.has(table, "brain_id"):
        return set()
    found: set[str] = set()
    for start in range(0, len(ids), _IDS_PER_QUERY):
        some = ids[start : start + _IDS_PER_QUERY]
        sql = (
            f"SELECT id FROM {table} WHERE id IN ({', '.join('?' * len(some))}) AND "
            f"coalesce(nullif(brain_id, ''), '{LEGACY_BRAIN_ID}') <> ?"
        )
        found |= {str(row[0]) for row in fetch_leniently(conn, sql, (*some, brain_id))}
    return found


def _in_brain(schema: Schema, brain_id: str) -> tuple[str, tuple[str, ...]]:
    if not schema.has(_TABLE, "brain_id"):
        return ("1" if brain_id == LEGACY_BRAIN_ID else "0"), ()
    return f"coalesce(nullif(brain_id, ''), '{LEGACY_BRAIN_ID}') = ?", (brain_id,)

"""Small vaults whose cells hold whatever other programs have left there, cell for cell."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path

BRAIN = "legacy-default-brain"
KEYS = {
    "memories": "id",
    "memory_links": "id",
    "brain_source_trust": "id",
    "brain_policies": "brain_id",
    "brain_snapshots": "id",
    "memory_conflict_resolutions": "id",
    "memory_entity_aliases": "id",
}
MEMORIES = tuple(f"memory-{number}" for number in range(4))
LINKS = tuple(f"link-{number}" for number in range(3))
TRUST = tuple(f"trust-{number}" for number in range(3))
SOURCES = ("slack", "mail ", "notes")

# "" for no declared type at all, where every cell stays just what it is.
_TYPES = {"texts": "TEXT", "shares": "REAL", "times": "INTEGER"}
_SCHEMA = """
CREATE TABLE brains (id TEXT PRIMARY KEY, name TEXT, slug TEXT, owner_user_id TEXT,
  created_at INTEGER, updated_at INTEGER);
CREATE TABLE memories (id TEXT PRIMARY KEY, brain_id TEXT, type {texts}, title {texts},
  key {texts}, content {texts}, tags {texts}, source {texts}, confidence {shares},
  importance {shares}, archived_at {times}, access_count {times}, last_accessed_at {times},
  last_decayed_at {times}, created_at {times}, updated_at {times},
  Mood {texts}, "their ""own"" column" {times}, twice {times} AS (created_at));
CREATE TABLE memory_links (id TEXT PRIMARY KEY, brain_id TEXT, from_id TEXT, to_id TEXT,
  relation_type {texts}, label {texts}, created_at {times}, weight {shares});
CREATE TABLE memory_changelog (id TEXT PRIMARY KEY, brain_id TEXT, event_type TEXT,
  entity_type TEXT, entity_id TEXT, summary TEXT, payload TEXT, created_at INTEGER);
CREATE TABLE brain_source_trust (id TEXT PRIMARY KEY, brain_id TEXT, source_key {texts},
  trust {shares}, notes {texts}, created_at {times}, updated_at {times}, why {texts});
CREATE TABLE brain_policies (brain_id TEXT PRIMARY KEY, policy_json {texts}, created_at {times},
  updated_at {times});
CREATE TABLE brain_snapshots (id TEXT PRIMARY KEY, brain_id TEXT, label {texts}, summary {texts},
  memory_count {times}, link_count {times}, payload_json {texts}, created_at {times});
CREATE TABLE memory_conflict_resolutions (id TEXT PRIMARY KEY, brain_id TEXT, pair_key TEXT,
  a_id TEXT, b_id TEXT, status {texts}, canonical_id {texts}, note {texts}, created_at {times},
  updated_at {times});
CREATE TABLE memory_entity_aliases (id TEXT PRIMARY KEY, brain_id TEXT, canonical_memory_id TEXT,
  alias_memory_id TEXT, note {texts}, confidence {shares}, created_at {times},
  updated_at {times});
"""


@dataclass(frozen=True)
class Broken:
    """A text whose bytes are not UTF-8."""

    data: bytes


_TEXTS = (None, "", " ", "text", "Slack", "é😀\u202e\u0000x", "0.5", "1", "a,b, A", "supports")
_NUMBERS = (0, 1, -1, 2, 2**53 + 1, 2**63 - 1, -(2**63), 0.5, 1.0, -0.0, 2.75, 1e308, 9e999, -9e999)
_BYTES = (b"", b"blob \xff\x00", b"1")
_BROKEN = (Broken(b"bad \xff"), Broken(b"\xed\xa0\x80"), Broken(b"\xff"))
cells = st.sampled_from((*_TEXTS, *_NUMBERS, *_BYTES, *_BROKEN))
sane = {
    "texts": st.sampled_from(["one", "two words", "a,b", "slack", "fact", None]),
    "shares": st.sampled_from([0.1, 0.5, 0.7, 1.0, 0]),
    "times": st.sampled_from([1_700_000_000, 1_790_000_000, 5, None]),
}


def quoted(name: str) -> str:
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


@st.composite
def vaults(draw: st.DrawFn) -> tuple[str, list[tuple[str, tuple[object, ...]]]]:
    """A script that makes the tables, and statements that fill them."""
    typed = draw(st.booleans())
    schema = _SCHEMA.format(**(_TYPES if typed else dict.fromkeys(_TYPES, "")))
    oddness = draw(st.sampled_from([0, 2, 10]))

    def cell(kind: str) -> object:
        odd = draw(st.integers(0, 9)) < oddness
        return draw(cells if odd else sane[kind])

    def row(table: str, known: dict[str, object], **kinds: str) -> None:
        values: dict[str, object] = {**known}
        for kind, names in kinds.items():
            values |= {name: cell(kind) for name in names.split()}
        names = ", ".join(map(quoted, values))
        marks = ", ".join(
            "CAST(? AS TEXT)" if isinstance(value, Broken) else "?" for value in values.values()
        )
        bound = tuple(v.data if isinstance(v, Broken) else v for v in values.values())
        statements.append((f'INSERT INTO "{table}" ({names}) VALUES ({marks})', bound))

    brains = st.sampled_from([BRAIN, "", None])
    ends = st.sampled_from(MEMORIES)
    statements: list[tuple[str, tuple[object, ...]]] = []
    for memory_id in MEMORIES:
        row(
            "memories",
            {"id": memory_id, "brain_id": draw(brains), 'their "own" column': cell("times")},
            texts="type title key content tags source Mood",
            shares="confidence importance",
            times="archived_at access_count last_accessed_at last_decayed_at created_at updated_at",
        )
    for link_id in LINKS[: draw(st.integers(0, len(LINKS)))]:
        known = {"id": link_id, "brain_id": draw(brains), "from_id": draw(ends)}
        row(
            "memory_links",
            {**known, "to_id": draw(ends)},
            texts="relation_type label",
            shares="weight",
            times="created_at",
        )
    for trust_id, source in zip(TRUST, SOURCES, strict=True):
        if draw(st.booleans()):
            known = {"id": trust_id, "brain_id": BRAIN, "source_key": source}
            row(
                "brain_source_trust",
                known,
                shares="trust",
                texts="notes why",
                times="created_at updated_at",
            )
    a_id, b_id = draw(st.lists(ends, min_size=2, max_size=2, unique=True).map(sorted))
    if draw(st.booleans()):
        known = {"id": "decision", "brain_id": BRAIN, "pair_key": f"{a_id}|{b_id}"}
        row(
            "memory_conflict_resolutions",
            {**known, "a_id": a_id, "b_id": b_id},
            texts="status canonical_id note",
            times="created_at updated_at",
        )
        known = {"id": "alias", "brain_id": BRAIN, "canonical_memory_id": a_id}
        row(
            "memory_entity_aliases",
            {**known, "alias_memory_id": b_id},
            texts="note",
            shares="confidence",
            times="created_at updated_at",
        )
    if draw(st.booleans()):
        row("brain_policies", {"brain_id": BRAIN}, texts="policy_json", times="created_at")
    if draw(st.booleans()):
        known = {"id": "old snapshot", "brain_id": BRAIN}
        row("brain_snapshots", known, texts="label summary payload_json", times="created_at")
    return schema, statements


def make_vault(path: Path, made: tuple[str, list[tuple[str, tuple[object, ...]]]]) -> None:
    """Write what `vaults` drew."""
    schema, statements = made
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.executescript(schema)
        for sql, values in statements:
            conn.execute(sql, values)


def read_cells(path: Path) -> dict[tuple[str, str], dict[str, tuple[str, object]]]:
    """Every row of the tables that plans write: storage class and bytes of every cell."""
    found: dict[tuple[str, str], dict[str, tuple[str, object]]] = {}
    with closing(sqlite3.connect(path)) as conn:
        for table, key in KEYS.items():
            names = [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
            listed = ", ".join(
                f"typeof({name}), iif(typeof({name}) = 'text', CAST({name} AS BLOB), {name})"
                for name in map(quoted, names)
            )
            for row_id, *cells_of in conn.execute(f"SELECT {key}, {listed} FROM {table}"):
                pairs = list(zip(cells_of[::2], cells_of[1::2], strict=True))
                found[table, row_id] = dict(zip(map(str.lower, names), pairs, strict=True))
    return found

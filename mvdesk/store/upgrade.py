"""What a file has of MemoryVault's tables, and adding what an older server left out.

Reading copes with what is missing: it takes the default. Nothing is added before the first
write, and what is there, known or not, is never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from mvdesk.records import LEGACY_BRAIN_ID
from mvdesk.store.reading import fetch_leniently
from mvdesk.store.tables import KNOWN_TABLES, LEGACY_BRAIN_NAME, Base
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Column, Connection, Table

_RECALL_COLUMNS = frozenset(
    {"memories.access_count", "memories.last_accessed_at", "memories.last_decayed_at"}
)

# Why usage counts as nothing in a file without these: for who asks.
_WORDS_FOR_MISSING = {
    ("memories", "access_count"): tr("recall tracking; usage counts as 0"),
    ("memories", "last_decayed_at"): tr("decay dates; no memory counts as decayed"),
    ("memories", "source"): tr("sources; no memory has one"),
    ("memories", "confidence"): tr("base confidence; every memory counts as 0.7"),
    ("memories", "importance"): tr("base importance; every memory counts as 0.5"),
    ("memories", "archived_at"): tr("the archive; no memory counts as archived"),
    ("memory_links", "relation_type"): tr("link types; every link counts as “related”"),
}


@dataclass(frozen=True, slots=True)
class Schema:
    """Which of the known tables and columns a file has.

    `columns` maps each known table in the file to its columns, all in lower case, unknown ones
    too. `version` is SQLite's schema cookie: equal numbers of one file mean equal schemas.
    `read_only_reason` is a sentence when the tables can't be written safely, else `None`.
    """

    columns: Mapping[str, frozenset[str]]
    version: int = 0
    read_only_reason: str | None = None
    missing_tables: tuple[str, ...] = field(init=False)
    missing_columns: tuple[tuple[str, str], ...] = field(init=False)

    def __post_init__(self) -> None:
        tables = tuple(name for name in KNOWN_TABLES if name not in self.columns)
        columns = tuple(
            (name, column.name)
            for name, table in KNOWN_TABLES.items()
            if name in self.columns
            for column in table.columns
            if column.name not in self.columns[name]
        )
        object.__setattr__(self, "missing_tables", tables)
        object.__setattr__(self, "missing_columns", columns)

    def has(self, table: str, column: str | None = None) -> bool:
        """Whether the file has the table, or the column of the table."""
        found = self.columns.get(table)
        return found is not None and (column is None or column in found)

    @property
    def is_complete(self) -> bool:
        """Whether nothing has to be added before writing."""
        return not self.missing_tables and not self.missing_columns

    def notices(self) -> tuple[str, ...]:
        """At most one sentence for the person about what counts as a default in this file."""
        if self.read_only_reason or not self.missing_notes():
            return ()  # the reason says more
        if {f"{table}.{name}" for table, name in self.missing_columns} <= _RECALL_COLUMNS:
            return (tr("This vault was made before recall tracking; usage counts as 0."),)
        return (
            tr(
                "This vault was made by an older server; missing columns read as defaults and are "
                "added at the first write."
            ),
        )

    def missing_notes(self) -> tuple[str, ...]:
        """What counts as a default in this file, column by column, for who wants to know."""
        return tuple(
            tr(
                "This vault was made before {words_for_missing}.",
                words_for_missing=_WORDS_FOR_MISSING[missing],
            )
            for missing in self.missing_columns
            if missing in _WORDS_FOR_MISSING
        )


def inspect_schema(conn: Connection) -> Schema:
    """What the file behind `conn` has. Changes nothing; unknown tables are not looked into."""
    version = conn.exec_driver_sql("PRAGMA schema_version").scalar_one()
    names: dict[str, str] = {}  # in lower case -> as the file spells it
    plain: set[str] = set()
    for kind, name, sql in fetch_leniently(conn, "SELECT type, name, sql FROM sqlite_master"):
        names[str(name).lower()] = str(name)
        if kind == "table" and not str(sql).upper().startswith("CREATE VIRTUAL"):
            plain.add(str(name).lower())
    columns: dict[str, frozenset[str]] = {}
    reasons: list[str] = []
    for table in KNOWN_TABLES.values():
        if table.name not in names:
            continue
        if table.name not in plain:
            reasons.append(
                tr("{name} is not a plain table here, so the vault is read-only.", name=table.name)
            )
            continue
        rows = fetch_leniently(
            conn,
            'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)',
            (names[table.name],),
        )
        columns[table.name] = frozenset(str(row[0]).lower() for row in rows)
        reasons += _reasons_not_to_write(table, columns[table.name], rows)
    return Schema(columns, int(version), " ".join(reasons) or None)


def _reasons_not_to_write(
    table: Table, found: frozenset[str], rows: list[tuple[object, ...]]
) -> list[str]:
    """Sentences: required columns that are missing, unknown ones that must be filled."""
    lacking = [
        column.name
        for column in table.columns
        if column.name not in found and not _can_be_added(column)
    ]
    reasons = []
    if lacking:
        named = tr(" and ").join(filter(None, (", ".join(lacking[:-1]), lacking[-1])))
        word = "column" if len(lacking) == 1 else "columns"
        reasons.append(
            tr(
                "The table {name} has no {word} {named}, so the vault is read-only.",
                name=table.name,
                word=word,
                named=named,
            )
        )
    for name, declared, not_null, default, key, hidden in rows:
        fills_itself = default is not None or hidden or (key and declared == "INTEGER")
        if not_null and not fills_itself and str(name).lower() not in table.columns:
            reasons.append(
                tr(
                    "The table {name} wants a value in the column {name_2}, which mvdesk "
                    "doesn't know, so the vault is read-only.",
                    name=table.name,
                    name_2=name,
                )
            )
    return reasons


def _can_be_added(column: Column[object]) -> bool:
    """Whether SQLite can add the column to rows that are already there."""
    if column.primary_key:
        return False
    return bool(column.nullable) or column.server_default is not None


def find_missing(conn: Connection, schema: Schema) -> tuple[str, ...]:
    """What has to be added before the file can be written, as people should read it."""
    found = [tr("the table {name}", name=name) for name in schema.missing_tables]
    found += [f"{table}.{column}" for table, column in schema.missing_columns]
    if schema.has("brains"):
        homeless = conn.exec_driver_sql(f"SELECT count(*) FROM ({_homeless(schema)})").scalar_one()
        found += (
            [tr("{homeless} brains without a row of their own", homeless=homeless)]
            if homeless
            else []
        )
    return tuple(found)


def add_missing(conn: Connection, schema: Schema) -> Schema:
    """Add the tables and columns that `schema` lacks; gives back the schema afterwards.

    Call it inside a write transaction: all of it is added, or nothing is. Every brain that
    memories name gets its row, because other tables refer to it.
    """
    for table_name, column_name in schema.missing_columns:
        column = KNOWN_TABLES[table_name].columns[column_name]
        conn.exec_driver_sql(f'ALTER TABLE "{table_name}" ADD COLUMN {_column_ddl(column)}')
    for table in Base.metadata.sorted_tables:
        if table.name in schema.missing_tables:
            for statement in creating(table.name):
                conn.exec_driver_sql(statement)
    complete = inspect_schema(conn)
    # No slug: it must be unique, and the server does without.
    conn.exec_driver_sql(
        f"""
        INSERT INTO brains (id, name, created_at, updated_at)
        SELECT brain, iif(brain = ?, ?, brain), since, since FROM ({_homeless(complete)})
        """,
        (LEGACY_BRAIN_ID, LEGACY_BRAIN_NAME),
    )
    return complete


def _homeless(schema: Schema) -> str:
    """SELECTs the brains (with their first date) that memories name and that have no row."""
    brain = "nullif(brain_id, '')" if schema.has("memories", "brain_id") else "NULL"
    return f"""
        SELECT * FROM (
            SELECT coalesce({brain}, '{LEGACY_BRAIN_ID}') AS brain, min(created_at) AS since
            FROM memories GROUP BY 1
            UNION ALL
            SELECT '{LEGACY_BRAIN_ID}', 0
            WHERE NOT EXISTS (SELECT 1 FROM memories) AND NOT EXISTS (SELECT 1 FROM brains)
        ) WHERE brain NOT IN (SELECT id FROM brains WHERE id IS NOT NULL)
    """


@cache
def creating(table_name: str) -> tuple[str, ...]:
    """The statements that make a known table and its indexes."""
    table = KNOWN_TABLES[table_name]
    dialect = sqlite.dialect()
    make_table = str(CreateTable(table).compile(dialect=dialect))
    make_indexes = [
        str(CreateIndex(index, if_not_exists=True).compile(dialect=dialect))
        for index in sorted(table.indexes, key=lambda index: str(index.name))
    ]
    return (make_table, *make_indexes)


def _column_ddl(column: Column[object]) -> str:
    """The column as ALTER TABLE takes it.

    Without its foreign key: SQLite adds a column that refers to another table only with the
    default NULL, and the server adds these columns bare as well.
    """
    ddl = f'"{column.name}" {column.type.compile(dialect=sqlite.dialect())}'
    if column.server_default is not None:
        default = column.server_default.arg  # type: ignore[attr-defined] # declared on a subclass
        ddl += f" NOT NULL DEFAULT {default}"
    return ddl

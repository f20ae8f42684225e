"""Row access for the one writer, and what can't be stored."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import BadValue, VaultError
from mvdesk.store.cells import BrokenText
from mvdesk.store.rows import (
    ChangelogEntry,
    add_changelog,
    delete_row,
    insert_row,
    read_columns,
    read_row,
    update_row,
    update_rows,
)
from tests.store.vault_files import BRAIN, FIRST_SERVER, make_file, run_sql

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.store.engine import VaultFile
    from mvdesk.store.reading import Value

NEW: dict[str, Value] = {
    "id": "it's", "brain_id": BRAIN, "type": "note", "key": 'a "key"', "content": "x\0y",
    "created_at": 1, "updated_at": 2,
}  # fmt: skip
KEY = {"id": "it's"}


def test_a_row_is_made_changed_and_deleted(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    with open_vault(reference).write() as conn:
        assert read_columns(conn, "memories", KEY, ["content"]) is None
        assert not update_row(conn, "memories", KEY, {"title": "x"})
        assert not update_row(conn, "memories", KEY, {})
        insert_row(conn, "memories", NEW)
        assert read_columns(conn, "memories", KEY, list(NEW)) == NEW
        assert update_row(conn, "memories", KEY, {"title": "T", "archived_at": None})
        assert update_row(conn, "memories", KEY, {})
        columns = ["title", "confidence", "archived_at"]
        assert read_columns(conn, "memories", KEY, columns) == {
            "title": "T",
            "confidence": 0.7,
            "archived_at": None,
        }
        assert delete_row(conn, "memories", KEY)
        assert not delete_row(conn, "memories", KEY)


def test_deleting_a_memory_deletes_its_links(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    ends = run_sql(reference, "SELECT from_id FROM memory_links LIMIT 1")[0][0]
    touching = "SELECT count(*) FROM memory_links WHERE ? IN (from_id, to_id)"
    assert run_sql(reference, touching, (ends,))[0][0] > 0
    with open_vault(reference).write() as conn:
        delete_row(conn, "memories", {"id": ends})
    assert run_sql(reference, touching, (ends,)) == [(0,)]


def test_many_rows_change_at_once(reference: Path, open_vault: Callable[..., VaultFile]) -> None:
    ids = [row[0] for row in run_sql(reference, "SELECT id FROM memories")]
    with open_vault(reference).write() as conn:
        rows = [(row_id, (0.25, number)) for number, row_id in enumerate([*ids, "none"])]
        assert update_rows(conn, "memories", ["confidence", "access_count"], rows) == len(ids)
    stored = run_sql(reference, "SELECT DISTINCT confidence FROM memories")
    assert stored == [(0.25,)]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", "half \ud83d of a pair"),
        ("created_at", 2**63),
        ("created_at", -(2**63) - 1),
        ("confidence", float("nan")),
    ],
)
def test_what_cannot_be_stored_is_refused_with_the_field_named(
    reference: Path, open_vault: Callable[..., VaultFile], field: str, value: Value
) -> None:
    vault = open_vault(reference)
    for write in (
        lambda conn: insert_row(conn, "memories", NEW | {field: value}),
        lambda conn: update_row(conn, "memories", KEY, {field: value}),
        lambda conn: update_rows(conn, "memories", [field], [("x", (value,))]),
    ):
        with pytest.raises(BadValue, match=field) as caught, vault.write() as conn:
            write(conn)
        assert caught.value.field == field
    assert run_sql(reference, "SELECT count(*) FROM memories") == [(182,)]


def test_only_the_servers_tables_and_columns_can_be_named(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        for table in ("users", "auth_sessions", "memories; DROP TABLE memories"):
            with pytest.raises(KeyError):
                read_columns(conn, table, {"id": "x"}, ["id"])
        with pytest.raises(KeyError):
            read_columns(conn, "memories", {"id": "x"}, ["rowid"])


def test_the_changelog_is_appended_in_the_servers_form(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    numbers = count(1)
    entries = [
        ChangelogEntry("memory_updated", "memory", "m", "Edited “A”", {"before": {"title": None}}),
        ChangelogEntry("memory_deleted", "memory", "n", "Deleted", {"half": "\ud83d"}),
    ]
    with open_vault(reference).write() as conn:
        add_changelog(conn, BRAIN, entries, now=5, new_id=lambda: f"log {next(numbers)}")
    stored = run_sql(
        reference,
        "SELECT id, brain_id, event_type, summary, payload, created_at FROM memory_changelog "
        "WHERE id LIKE 'log %' ORDER BY id",
    )
    assert stored[0] == (
        "log 1", BRAIN, "memory_updated", "Edited “A”", '{"before": {"title": null}}', 5,
    )  # fmt: skip
    assert json.loads(stored[1][4]) == {"half": "\ud83d"}


def test_texts_that_are_none_are_read_and_written_byte_for_byte(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    path = make_file(tmp_path / "odd.sqlite", FIRST_SERVER)
    half = "a\ud83db".encode("utf-8", "surrogatepass")
    sql = "UPDATE memories SET title = CAST(? AS TEXT), content = 'é\u202e', key = x'ff00'"
    run_sql(path, sql, (half,))
    whole = "SELECT *, typeof(title), typeof(key), CAST(title AS BLOB) FROM memories ORDER BY id"
    query = whole.replace("*", "id, type, key, content, tags")
    before = run_sql(path, query)
    vault = open_vault(path)
    with vault.write() as conn:
        row = read_row(conn, "memories", {"id": "m1"})
        assert row is not None
        assert (row["title"], row["content"], row["key"]) == (half, "é\u202e", b"\xff\0")
        assert isinstance(row["title"], BrokenText)
        assert not isinstance(row["key"], BrokenText)
        some = read_columns(conn, "memories", {"id": "m1"}, ["title", "type"])
        assert some == {"title": half, "type": "note"}
        delete_row(conn, "memories", {"id": "m1"})
    with vault.write() as conn:
        insert_row(conn, "memories", row)
        update_row(conn, "memories", {"id": "m2"}, {"title": "Readable"})
    with vault.write() as conn:
        update_row(conn, "memories", {"id": "m2"}, {"title": BrokenText(half)})
        assert read_columns(conn, "memories", {"id": "m3"}, ["title"]) is None
    assert run_sql(path, query) == before


def test_a_table_that_the_file_lacks_is_told_as_such(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(make_file(tmp_path / "old.sqlite", FIRST_SERVER))
    with pytest.raises(VaultError, match="as expected"), vault.read() as conn:
        read_columns(conn, "brain_policies", {"brain_id": BRAIN}, ["policy_json"])

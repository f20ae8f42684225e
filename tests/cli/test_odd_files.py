"""Damaged, foreign and old files: every command says what is the matter, and writes nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.cli.outcome import CONTRADICTED, STALE, digest
from tests.store.damaging import drop_entries, misspell
from tests.store.vault_files import make_file, make_first_server_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.outcome import Outcome

    Command = Callable[..., Outcome]

BY_ID = "sqlite_autoindex_memories_1"


@pytest.mark.parametrize("backed_up", [False, True])
@pytest.mark.parametrize(
    "arguments",
    [
        ("edit", STALE, "--title", "x"),
        ("archive", STALE),
        ("delete", STALE),
        ("show", STALE),
        ("show", STALE, "--json"),
        ("explain", STALE, "--json"),
        ("link", STALE, CONTRADICTED, "supports"),
        ("list", "--json"),
    ],
    ids=" ".join,
)
def test_what_a_damaged_index_hides_is_damage_not_another_program(
    mvdesk: Command, demo: Path, arguments: tuple[str, ...], backed_up: bool
) -> None:
    if backed_up:  # then nothing is looked at before a write
        assert mvdesk("edit", demo, CONTRADICTED, "--title", "y").code == 0
    misspell(demo, BY_ID, STALE)
    before = digest(demo)
    name, *rest = arguments
    said = mvdesk(name, demo, *rest)
    assert said.code == 1, said
    assert "damaged" in said.err
    assert "another program" not in said.err
    assert ("open a backup of your own" in said.err) is not backed_up
    assert digest(demo) == before


def test_no_command_calls_a_damaged_file_a_mistake_of_its_own(mvdesk: Command, demo: Path) -> None:
    drop_entries(demo, BY_ID)
    before = digest(demo)
    for arguments in (
        ("list", demo, "--json"),
        ("stats", demo, "--json"),
        ("review", demo, "--json"),
        ("conflicts", demo, "--json", "--min-confidence", "0"),
        ("search", demo, "story", "--json"),
        ("decay", demo),
        ("trust", demo, "slack", "0.1"),
        ("snapshot", demo, "create"),
        ("undo", demo),
    ):
        result = mvdesk(*arguments)
        assert "made a mistake" not in result.err, arguments
        assert "another program" not in result.err, arguments
    assert digest(demo) == before


def test_an_old_file_has_one_line_to_say(mvdesk: Command, tmp_path: Path) -> None:
    old = make_first_server_file(tmp_path)
    listed = mvdesk("list", old)
    assert listed.code == 0
    assert listed.err == (
        "mvdesk: This vault was made by an older server; missing columns read as defaults and "
        "are added at the first write.\n"
    )
    mvdesk("edit", old, "m1", "--confidence", "7").refused()  # why, and nothing else
    written = mvdesk("edit", old, "m1", "--title", "x")
    assert written.code == 0
    assert written.err.startswith("mvdesk: Added to this vault: ")
    assert len(written.err.splitlines()) == 1
    assert mvdesk("list", old).err == ""


def test_a_table_that_lacks_columns_is_read_and_said(mvdesk: Command, tmp_path: Path) -> None:
    script = "CREATE TABLE memories (id TEXT, title TEXT); INSERT INTO memories VALUES ('m1', 'x')"
    path = make_file(tmp_path / "x.sqlite", script)
    listed = mvdesk("list", path)
    assert listed.code == 0
    assert "no columns type, content, created_at and updated_at" in listed.err
    assert len(listed.err.splitlines()) == 1
    said = mvdesk("edit", path, "m1", "--title", "y").refused()
    assert "no columns type, content, created_at and updated_at" in said


def test_a_table_of_another_program_is_refused(mvdesk: Command, tmp_path: Path) -> None:
    script = (
        "CREATE TABLE memories (id INTEGER PRIMARY KEY, note TEXT);"
        "INSERT INTO memories (note) VALUES ('mine')"
    )
    path = make_file(tmp_path / "x.sqlite", script)
    assert "none of MemoryVault's columns" in mvdesk("list", path).refused()


def test_the_check_tells_what_an_old_file_lacks(mvdesk: Command, tmp_path: Path) -> None:
    said = mvdesk("check", make_first_server_file(tmp_path)).out
    assert "This vault was made before recall tracking; usage counts as 0." in said
    assert "made before sources" in said


def test_long_titles_are_cut_in_confirmations_and_refusals(mvdesk: Command, demo: Path) -> None:
    title = "one line\nand another " + "very " * 2_000 + "long"
    added = mvdesk("add", demo, "--content", "x", "--title", title, "--json").json["id"]
    other = mvdesk("add", demo, "--content", "y", "--title", title)
    assert other.out.startswith("Added ")
    for arguments in (
        ("edit", demo, added, "--confidence", "0.1"),
        ("link", demo, added, STALE, "supports"),
        ("unlink", demo, added, STALE),
        ("reinforce", demo, added, "--hops", "0"),
        ("resolve", demo, added, STALE, "dismissed"),
        ("archive", demo, added),
        ("restore", demo, added),
        ("delete", demo, added),
        ("undo", demo),
    ):
        result = mvdesk(*arguments)
        assert result.code == 0, result
        said = result.out.splitlines()[0]
        assert len(said) < 300
        assert "one line and another very" in said
    assert len(mvdesk("edit", demo, added, "--type", "long " * 5_000).refused()) < 1_100
    assert len(mvdesk("show", demo, "x" * 50_000).refused()) < 1_100


def test_what_a_strange_file_holds_is_shown_as_it_is(mvdesk: Command, demo: Path) -> None:
    with closing(sqlite3.connect(demo)) as db, db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute(
            "UPDATE memories SET confidence = 9e999, importance = -9e999, "
            "updated_at = 99999999999999 WHERE id = ?",
            (STALE,),
        )
    said = mvdesk("show", demo, STALE).out
    assert "(base infinite)" in said
    assert "(base −infinite)" in said
    assert "(not a date) 99999999999999" in said
    assert "(not a date) 99999999999999" in mvdesk("list", demo).out
    assert mvdesk("explain", demo, STALE, "--evidence").code == 0

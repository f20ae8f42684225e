"""mvdesk check: what is said, mended and rescued."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.cli.outcome import Outcome, digest
from tests.store.damaging import break_pages, list_pages
from tests.store.vault_files import run_sql

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., Outcome]


def spoil(path: Path) -> None:
    """Values that the server's rules forbid, as a careless program leaves them."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("UPDATE memories SET confidence = 7, created_at = created_at * 1000")
        db.execute(
            "UPDATE memory_links SET to_id = 'gone' WHERE id = (SELECT min(id) FROM memory_links)"
        )
        db.execute("UPDATE brain_source_trust SET trust = x'ff'")


def test_a_sound_vault_is_sound(mvdesk: Command, brain: Path) -> None:
    before = digest(brain)
    result = mvdesk("check", brain)
    assert (result.code, result.err) == (0, "")
    assert "The vault is sound." in result.out
    assert mvdesk("check", brain, "--json").json["sound"] is True
    assert "Nothing to repair." in mvdesk("check", brain, "--repair").out
    assert digest(brain) == before


def test_problems_are_counted_mended_and_gone(mvdesk: Command, brain: Path) -> None:
    spoil(brain)
    before = digest(brain)
    result = mvdesk("check", brain)
    assert result.code == 1
    assert "milliseconds  memories.created_at" in result.out
    assert result.err.startswith("mvdesk: 378 problems in this vault. --repair mends 378")
    told = mvdesk("check", brain, "--json").json
    assert told["problems_left"] == 378
    assert {one["kind"] for one in told["findings"]} == {
        "out of range",
        "milliseconds",
        "orphan link",
    }
    tried = mvdesk("check", brain, "--repair", "--dry-run").out
    assert "Dry run, nothing written. Remove 1 link without an end." in tried
    assert "… and 185 more" in tried
    assert digest(brain) == before
    done = mvdesk("check", brain, "--repair", "--json")
    assert (done.code, done.json["repaired"], done.json["problems_left"]) == (0, True, 0)
    assert len(done.json["changes"]) == 196
    assert mvdesk("check", brain).code == 0


def test_what_cannot_be_mended_stays_a_problem(mvdesk: Command, brain: Path) -> None:
    with closing(sqlite3.connect(brain)) as db, db:
        db.execute("UPDATE brain_snapshots SET payload_json = '{'")
    result = mvdesk("check", brain, "--repair")
    assert result.code == 1
    assert result.err == "mvdesk: 1 problem in this vault.\n"


def test_a_damaged_companion_is_told(mvdesk: Command, brain: Path) -> None:
    mvdesk("add", brain, "--content", "new")
    mvdesk("search", brain, "new")
    with closing(sqlite3.connect(brain.with_name("brain.sqlite.mvdesk"))) as db, db:
        db.execute("DELETE FROM search_index_data WHERE id > 10")
    result = mvdesk("check", brain)
    assert result.code == 1
    assert "The index of texts is damaged" in result.out
    assert mvdesk("check", brain, "--repair").code == 0
    assert mvdesk("check", brain).code == 0


def test_a_damaged_vault_is_rescued(mvdesk: Command, brain: Path, tmp_path: Path) -> None:
    brain.write_bytes(brain.read_bytes()[:-200_000])
    before = digest(brain)
    assert "--rescue FILE" in mvdesk("check", brain).refused()
    target = tmp_path / "rescued.json"
    assert "memories" in mvdesk("check", brain, "--rescue", target).out
    data = json.loads(target.read_text(encoding="utf-8"))
    assert len(data["data"]["memories"]) > 100
    assert digest(brain) == before
    assert "already" in mvdesk("check", brain, "--rescue", target).refused()
    told = mvdesk("check", brain, "--rescue", tmp_path / "again.json", "--json").json
    assert told["counts"]["memories"] == len(data["data"]["memories"])
    mvdesk("check", brain, "--rescue", tmp_path / "no" / "folder.json").refused()


def test_what_could_not_be_rescued_is_named(mvdesk: Command, brain: Path, tmp_path: Path) -> None:
    run_sql(brain, "DELETE FROM memory_entity_aliases")
    leaf = "SELECT max(pageno) FROM dbstat WHERE name = 'memories' AND pagetype = 'leaf'"
    break_pages(brain, [*list_pages(brain), run_sql(brain, leaf)[0][0]])
    before = digest(brain)
    said = mvdesk("check", brain, "--rescue", tmp_path / "rescued.json").out
    assert "259 memory_links" in said
    assert "Parts of these tables can't be read: memories." in said
    assert "so either empty or lost: memory_entity_aliases." in " ".join(said.split())
    told = mvdesk("check", brain, "--rescue", tmp_path / "again.json", "--json").json
    assert (told["broken"], told["missing"]) == (["memories"], ["memory_entity_aliases"])
    assert 150 < told["counts"]["memories"] < 182
    assert digest(brain) == before


@pytest.mark.parametrize("arguments", [("--repair",), ("--dry-run",)])
def test_rescuing_goes_with_nothing_else(
    mvdesk: Command, brain: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    mvdesk("check", brain, "--rescue", tmp_path / "x", *arguments).misused()
    assert not (tmp_path / "x").exists()

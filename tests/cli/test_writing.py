"""add, edit, link, unlink, trust, undo: what they write, and what they take back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from tests.cli.outcome import CONTRADICTED, NOW, STALE, UNVERIFIED, Outcome, digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., Outcome]

TABLES = ("memories", "memory_links", "brain_source_trust")


def rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row but those of the changelog."""
    db = sqlite3.connect(path)
    try:
        return {t: db.execute(f"SELECT * FROM {t} ORDER BY id").fetchall() for t in TABLES}
    finally:
        db.close()


def test_a_memory_is_added_with_the_usual_values(mvdesk: Command, demo: Path) -> None:
    before = rows(demo)
    result = mvdesk("add", demo, "--content", "The key is at Lena's.", "--json", "--now", str(NOW))
    memory = result.json["memory"]
    assert (memory["type"], memory["base_confidence"], memory["base_importance"]) == (
        "note",
        0.7,
        0.5,
    )
    assert memory["created_at"] == memory["updated_at"] == NOW
    assert result.json["changes"][0]["before"] is None
    assert mvdesk("undo", demo).code == 0
    assert rows(demo) == before


def test_the_text_of_a_new_memory_may_come_from_standard_input(
    process: Command, demo: Path
) -> None:
    text = "Zeile eins\nδεύτερη γραμμή 🌱\n"
    added = process("add", demo, "--content", "-", "--type", "fact", "--json", stdin=text.encode())
    assert added.json["memory"]["content"] == text.rstrip("\n")
    assert process("add", demo, "--content", "-", stdin=b"\xff\xfe").refused()


def test_an_edit_touches_what_was_named_and_moves_updated_at(mvdesk: Command, demo: Path) -> None:
    before = rows(demo)
    result = mvdesk(
        "edit", demo, STALE, "--source", "", "--confidence", "0.25", "--json", "--now", str(NOW)
    )
    change = result.json["changes"][0]
    assert change["id"] == STALE
    assert change["after"] == {"source": None, "confidence": 0.25, "updated_at": NOW}
    assert result.json["memory"]["source"] is None
    assert result.json["memory"]["key"] == "probe.revb.limits"
    assert mvdesk("undo", demo).code == 0
    assert rows(demo) == before


def test_an_edit_that_changes_nothing_writes_nothing(mvdesk: Command, demo: Path) -> None:
    before = digest(demo)
    result = mvdesk("edit", demo, STALE, "--type", "fact")
    assert "Nothing to change." in result.out
    assert digest(demo) == before


def test_a_link_is_made_changed_and_removed(mvdesk: Command, demo: Path) -> None:
    before = rows(demo)
    made = mvdesk("link", demo, STALE, UNVERIFIED, "causes", "--label", "why", "--json").json
    assert made["changes"][0]["after"]["relation_type"] == "causes"
    # The other way round it is the same pair: the link that is there changes.
    changed = mvdesk("link", demo, UNVERIFIED, STALE, "related", "--json").json
    assert [link["from_id"] for link in changed["links"]] == [STALE]
    assert changed["links"][0]["relation_type"] == "related"
    again = mvdesk("link", demo, UNVERIFIED, STALE, "related")
    assert "Nothing to change" in again.out
    assert mvdesk("unlink", demo, STALE[:9], UNVERIFIED[:9]).code == 0
    assert rows(demo) == before
    for _ in range(3):
        assert mvdesk("undo", demo).code == 0
    assert rows(demo) == before


def test_a_link_is_removed_by_its_id(mvdesk: Command, demo: Path) -> None:
    before = rows(demo)
    links = mvdesk("links", demo, CONTRADICTED, "--json").json["links"]
    removed = mvdesk("unlink", demo, links[0]["link_id"], "--json").json["removed"]
    assert removed["link_id"] == links[0]["link_id"]
    assert mvdesk("links", demo, CONTRADICTED, "--json").json["count"] == len(links) - 1
    mvdesk("undo", demo)
    assert rows(demo) == before


def test_of_several_links_one_has_to_be_named(mvdesk: Command, demo: Path) -> None:
    mvdesk("link", demo, STALE, UNVERIFIED, "causes")
    db = sqlite3.connect(demo)
    with db:
        db.execute(
            "INSERT INTO memory_links SELECT 'second', brain_id, from_id, to_id, 'supports', NULL,"
            " created_at FROM memory_links WHERE from_id = ? AND to_id = ?",
            (STALE, UNVERIFIED),
        )
    db.close()
    said = mvdesk("unlink", demo, STALE, UNVERIFIED).refused()
    assert "2 links" in said
    assert "second" in said
    assert mvdesk("unlink", demo, STALE, UNVERIFIED, "--relation", "supports").code == 0
    assert mvdesk("unlink", demo, STALE, UNVERIFIED).code == 0
    assert "no link" in mvdesk("unlink", demo, STALE, UNVERIFIED).refused()


def test_trust_is_listed_for_every_source(mvdesk: Command, demo: Path) -> None:
    data = mvdesk("trust", demo, "--json").json
    assert data["count"] == 14
    by_key = {source["source_key"]: source for source in data["sources"]}
    assert by_key["slack"]["trust"] == 0.25
    assert by_key["slack"]["memory_count"] == 6
    assert by_key["garden blog"]["trust"] is None
    assert data["sources"][0]["source_key"] == "official datasheet"
    assert "not set" in mvdesk("trust", demo).out
    one = mvdesk("trust", demo, "  SLACK ", "--json").json
    assert [source["source_key"] for source in one["sources"]] == ["slack"]
    assert mvdesk("trust", demo, "nobody", "--json").json == {"count": 0, "sources": []}


def test_a_dry_run_shows_every_score_that_would_move(mvdesk: Command, demo: Path) -> None:
    clock = ("--now", str(NOW))
    dry = mvdesk("trust", demo, "slack", "0.75", "--dry-run", "--json", *clock).json
    assert dry["dry_run"] is True
    assert len(dry["scores"]) == 6
    before = {m["id"]: m for m in mvdesk("list", demo, "--json", *clock).json["memories"]}
    mvdesk("trust", demo, "slack", "0.75", *clock)
    after = {m["id"]: m for m in mvdesk("list", demo, "--json", *clock).json["memories"]}
    moved = {i for i in before if before[i]["confidence"] != after[i]["confidence"]}
    assert moved == {one["id"] for one in dry["scores"]}
    for one in dry["scores"]:
        assert one["before"]["confidence"] == before[one["id"]]["confidence"]
        assert one["after"]["importance"] == after[one["id"]]["importance"]


def test_trust_keeps_its_note_and_can_be_cleared_and_undone(mvdesk: Command, demo: Path) -> None:
    before = rows(demo)
    said = mvdesk("trust", demo, "Slack", "0.5").out
    assert said.startswith("Set trust of slack to 0.50 (was 0.25):\n6 active memories: 6 up")
    slack = mvdesk("trust", demo, "slack", "--json").json["sources"][0]
    assert (slack["trust"], slack["notes"]) == (0.5, "Written fast, rarely corrected.")
    assert mvdesk("trust", demo, "slack", "--clear").code == 0
    assert mvdesk("trust", demo, "slack", "--json").json["sources"][0]["trust"] is None
    assert mvdesk("trust", demo, "slack", "--clear").out == "Nothing to change.\n"
    assert mvdesk("undo", demo).code == 0
    assert mvdesk("undo", demo, "--json").json["source_keys"] == ["slack"]
    assert rows(demo) == before


def test_undo_with_nothing_to_undo_says_so(mvdesk: Command, demo: Path) -> None:
    assert mvdesk("undo", demo).refused()


def test_every_write_is_in_the_history(mvdesk: Command, demo: Path) -> None:
    mvdesk("edit", demo, STALE, "--title", "Limits", "--now", str(NOW))
    mvdesk("undo", demo, "--now", str(NOW))
    db = sqlite3.connect(demo)
    found = db.execute(
        "SELECT event_type, payload LIKE '%undo_of%' FROM memory_changelog"
        " WHERE entity_id = ? AND created_at = ? ORDER BY rowid",
        (STALE, NOW),
    ).fetchall()
    db.close()
    assert found == [("memory_updated", 0), ("memory_updated", 1)]


def test_demo_writes_a_vault_once(mvdesk: Command, tmp_path: Path) -> None:
    path = tmp_path / "my demo.sqlite"
    result = mvdesk("demo", path, "--json", "--now", "2027-01-15T08:00:00Z")
    assert result.json == {"path": str(path), "memories": 120, "archived": 2, "links": 160}
    said = mvdesk("demo", tmp_path / "other.sqlite").out
    assert "120 memories, 2 of them archived, 160 links." in said
    assert mvdesk("list", path, "--now", str(NOW)).code == 0
    before = digest(path)
    assert "already" in mvdesk("demo", path).refused()
    assert digest(path) == before


def test_every_command_that_writes_shows_first_what_it_would_do(
    mvdesk: Command, demo: Path
) -> None:
    mvdesk("add", demo, "--content", "So that there is a step.")
    link_id = mvdesk("link", demo, STALE, UNVERIFIED, "causes", "--json").json["links"][0][
        "link_id"
    ]
    before = digest(demo)
    for arguments in (
        ("add", demo, "--content", "Not yet"),
        ("edit", demo, STALE, "--title", "Other"),
        ("link", demo, STALE, UNVERIFIED, "supports"),
        ("link", demo, STALE, CONTRADICTED, "supports"),
        ("unlink", demo, link_id),
        ("undo", demo),
    ):
        said = mvdesk(*arguments, "--dry-run")
        assert said.out.startswith("Dry run, nothing written. "), arguments
        assert said.code == 0
        assert mvdesk(*arguments, "--dry-run", "--json").json["dry_run"] is True
        assert digest(demo) == before, arguments
    done = mvdesk("unlink", demo, link_id, "--json").json
    assert (done["dry_run"], done["removed"]["link_id"]) == (False, link_id)


def test_a_dry_undo_names_the_rows_that_undo_then_changes(mvdesk: Command, demo: Path) -> None:
    mvdesk("edit", demo, STALE, "--title", "Other")
    tried = mvdesk("undo", demo, "--dry-run", "--json").json
    done = mvdesk("undo", demo, "--json").json
    assert tried == {**done, "dry_run": True}
    assert tried["memory_ids"] == [STALE]
    for _ in range(2):
        last = mvdesk("undo", demo, "--dry-run")
    assert last.refused()


def test_a_step_that_cannot_be_undone_is_skipped(mvdesk: Command, demo: Path) -> None:
    assert "nothing to undo" in mvdesk("undo", demo, "--skip").refused()
    mvdesk("trust", demo, "slack", "0.9")
    mvdesk("edit", demo, STALE, "--title", "Mine")
    assert "can be undone" in mvdesk("undo", demo, "--skip").refused()
    with closing(sqlite3.connect(demo)) as db, db:
        db.execute("UPDATE memories SET title = 'Theirs' WHERE id = ?", (STALE,))
    assert "skip the step" in mvdesk("undo", demo).refused()
    told = mvdesk("undo", demo, "--skip", "--dry-run").out
    assert told.startswith("Dry run, nothing written. Skip: Edit ")
    skipped = mvdesk("undo", demo, "--skip", "--json").json
    assert skipped["skipped"].startswith("Edit ")
    assert skipped["next"].startswith("Set trust")
    assert mvdesk("undo", demo, "--json").json["source_keys"] == ["slack"]

"""snapshot, policy, aliases: what a brain keeps of itself and about itself."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.cli.outcome import NOW, STALE, Outcome, digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., Outcome]

RECORDED = "d4025e59-061c-46ae-95a9-60de601c4621"


def rows(path: Path) -> list[str]:
    """Every row but those of the changelog."""
    with closing(sqlite3.connect(path)) as db:
        return [line for line in db.iterdump() if "memory_changelog" not in line]


def test_snapshots_are_listed_as_the_server_lists_them(mvdesk: Command, brain: Path) -> None:
    listed = mvdesk("snapshot", brain, "list", "--json").json
    assert listed["count"] == 1
    assert listed["snapshots"][0]["label"] == "before tidy"
    assert "before tidy" in mvdesk("snapshot", brain, "list").out


def test_a_snapshot_is_taken_restored_and_undone(mvdesk: Command, demo: Path) -> None:
    assert "No snapshots yet" in mvdesk("snapshot", demo, "list").out
    before = digest(demo)
    tried = mvdesk("snapshot", demo, "create", "--dry-run", "--json").json
    assert tried["memory_count"] > 100
    assert digest(demo) == before
    said = mvdesk("snapshot", demo, "create", "--label", "spring", "--include-archived")
    assert "Take the snapshot spring. 120 memories" in said.out
    (taken,) = mvdesk("snapshot", demo, "list", "--json").json["snapshots"]
    kept = rows(demo)
    assert mvdesk("delete", demo, STALE).code == 0
    deleted = rows(demo)
    tried = mvdesk("snapshot", demo, "restore", taken["id"][:8], "--dry-run", "--json").json
    assert tried["mode"] == "merge"
    assert tried["counts"]["memories"] == {"made": 1, "changed": 0, "deleted": 0, "held": 120}
    assert tried["restored"]["memories"] == 120
    assert rows(demo) == deleted
    said = mvdesk("snapshot", demo, "restore", taken["id"], "--mode", "replace")
    assert "Restore the snapshot spring (replace)." in said.out
    # The order of rows tells what was written anew.
    assert sorted(rows(demo)) == sorted(kept)
    assert "Nothing to change." in mvdesk("snapshot", demo, "restore", taken["id"]).out
    mvdesk("undo", demo)
    assert sorted(rows(demo)) == sorted(deleted)


def test_old_snapshots_that_go_are_named(mvdesk: Command, demo: Path) -> None:
    mvdesk("policy", demo, "snapshot_retention=1")
    for number in (1, 2):
        said = mvdesk(
            "snapshot", demo, "create", "--label", f"n{number}", "--now", f"{NOW + number}"
        )
    assert "The snapshot n1 goes: the newest 1 are kept." in said.out
    counted = mvdesk("snapshot", demo, "create", "--now", f"{NOW + 3}", "--json").json
    assert (counted["retention_applied"], counted["pruned_snapshots"]) == (1, 1)


def test_only_so_many_snapshots_are_listed(mvdesk: Command, brain: Path) -> None:
    mvdesk("snapshot", brain, "create")
    assert "1 of 2; --all shows the rest." in mvdesk("snapshot", brain, "list", "--limit", "1").out
    assert mvdesk("snapshot", brain, "list", "--limit", "1", "--all", "--json").json["count"] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("restore", "nothing"),
        ("restore", ""),
        ("create", "--label", "x" * 161),
        ("create", "--summary", "half \udcff"),
    ],
)
def test_what_makes_no_sense_is_refused(
    mvdesk: Command, brain: Path, arguments: tuple[str, ...]
) -> None:
    before = digest(brain)
    mvdesk("snapshot", brain, *arguments).refused()
    assert digest(brain) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("snapshot", "restore"),
        ("snapshot", "restore", RECORDED, "--mode", "overwrite"),
        ("snapshot", "create", RECORDED),
        ("snapshot", "list", RECORDED),
        ("policy", "--dry-run"),
        ("backup", "--list", "--restore", "x"),
        ("backup", "copy", "--list"),
    ],
)
def test_options_at_odds_are_wrong_usage(
    mvdesk: Command, brain: Path, arguments: tuple[str, ...]
) -> None:
    before = digest(brain)
    command, *rest = arguments
    mvdesk(command, brain, *rest).misused()
    assert digest(brain) == before


def test_a_damaged_snapshot_changes_nothing(mvdesk: Command, brain: Path) -> None:
    with closing(sqlite3.connect(brain)) as db, db:
        db.execute("UPDATE brain_snapshots SET payload_json = substr(payload_json, 1, 9000)")
    before = digest(brain)
    assert "it is not JSON" in mvdesk("snapshot", brain, "restore", RECORDED).refused()
    assert digest(brain) == before
    assert mvdesk("snapshot", brain, "list").code == 0


def test_rows_that_are_skipped_are_named_up_to_a_point(mvdesk: Command, brain: Path) -> None:
    data = {"schema": "brain_snapshot_v1", "memories": [None] * 25}
    with closing(sqlite3.connect(brain)) as db, db:
        db.execute("UPDATE brain_snapshots SET payload_json = ?", (json.dumps(data),))
    said = mvdesk("snapshot", brain, "restore", RECORDED, "--dry-run").out
    assert "memories[19] is no row." in said
    assert "memories[20]" not in said
    assert "… and 5 more" in said


def test_rules_that_cant_be_read_are_said(mvdesk: Command, brain: Path) -> None:
    with closing(sqlite3.connect(brain)) as conn, conn:
        conn.execute("UPDATE brain_policies SET policy_json = '{\"decay_days\": 9, '")
    for command in (["policy"], ["policy", "decay_days=40", "--dry-run"], ["decay", "--dry-run"]):
        said = mvdesk(command[0], brain, *command[1:])
        assert "The rules in the file are broken JSON, so every rule is at its default." in said.err


def test_the_policy_is_shown_and_set(mvdesk: Command, brain: Path) -> None:
    shown = mvdesk("policy", brain, "--json").json["policy"]
    assert (shown["decay_days"], shown["snapshot_retention"]) == (21, 12)
    assert "1 to 3650" in mvdesk("policy", brain).out
    before = digest(brain)
    tried = mvdesk("policy", brain, "decay_days=60", "private_mode=no", "--dry-run").out
    assert "decay_days: 21 becomes 60" in tried
    assert "private_mode: yes becomes no" in tried
    assert digest(brain) == before
    done = mvdesk("policy", brain, "min_link_suggestion_score=0.5", "--json").json
    assert done["policy"]["min_link_suggestion_score"] == 0.5
    assert mvdesk("policy", brain, "--json").json["policy"] == {
        **shown,
        "min_link_suggestion_score": 0.5,
    }
    assert "Nothing to change." in mvdesk("policy", brain, "decay_days=21").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("decay_days",),
        ("decay_days=",),
        ("decay_days=0",),
        ("decay_days=1e400",),
        ("decay_days=NaN",),
        ("decay_days=[[",),
        ("private_mode=5",),
        ("mood=1",),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(
    mvdesk: Command, brain: Path, arguments: tuple[str, ...]
) -> None:
    before = digest(brain)
    mvdesk("policy", brain, *arguments).refused()
    assert digest(brain) == before


def test_aliases_are_listed(mvdesk: Command, brain: Path, demo: Path) -> None:
    (alias,) = mvdesk("aliases", brain, "--json").json["aliases"]
    assert (alias["note"], alias["confidence"]) == ("same topic", 0.9)
    assert "same topic" in mvdesk("aliases", brain).out
    assert mvdesk("aliases", demo).out == "No aliases.\n"


def test_backups_are_listed_copied_and_restored(
    mvdesk: Command, brain: Path, tmp_path: Path
) -> None:
    assert "No backups yet" in mvdesk("backup", brain, "--list").out
    mvdesk("add", brain, "--content", "new")
    (one,) = mvdesk("backup", brain, "--list", "--json").json["backups"]
    assert one["memory_count"] == 182
    assert one["name"] in mvdesk("backup", brain, "--list").out
    copied = mvdesk("backup", brain, tmp_path / "copy.sqlite", "--json").json
    assert copied["memory_count"] == 183
    day = ("--now", "2027-01-15T12:00")
    assert "brain-2027-01-15.sqlite: 183 memories" in mvdesk("backup", brain, *day).out
    assert "brain-2027-01-15-2.sqlite" in mvdesk("backup", brain, *day).out
    assert "Dry run" in mvdesk("backup", brain, tmp_path / "no", "--dry-run").out
    assert not (tmp_path / "no").exists()
    before = digest(brain)
    tried = mvdesk("backup", brain, "--restore", one["name"], "--dry-run").out
    assert "182 memories, replaces 183 memories" in tried
    assert digest(brain) == before
    done = mvdesk("backup", brain, "--restore", one["name"].removesuffix(".sqlite"), *day)
    assert "The state before is kept: 2027-01-15.sqlite" in done.out
    assert mvdesk("list", brain, "--archived", "--json", "--limit", "1").code == 0
    back = mvdesk("backup", brain, "--restore", tmp_path / "copy.sqlite", "--json").json
    assert (back["memory_count_before"], back["memory_count"]) == (182, 183)


def test_a_damaged_vault_is_set_aside_for_its_backup(mvdesk: Command, brain: Path) -> None:
    mvdesk("add", brain, "--content", "new")
    (one,) = mvdesk("backup", brain, "--list", "--json").json["backups"]
    brain.write_bytes(brain.read_bytes()[:70_000])
    done = mvdesk("backup", brain, "--restore", one["name"])
    assert "replaces a file that can't be read" in done.out
    assert "kept as brain.sqlite.damaged-1" in done.out
    assert mvdesk("list", brain).code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("nowhere/to/be/found.sqlite",),
        ("--restore", "2020-01-01"),
        ("--restore", "README.md"),
    ],
)
def test_backups_that_make_no_sense_are_refused(
    mvdesk: Command, brain: Path, arguments: tuple[str, ...]
) -> None:
    before = digest(brain)
    mvdesk("backup", brain, *arguments).refused()
    assert digest(brain) == before
    mvdesk("backup", brain.with_name("gone.sqlite"), "--list").refused()

"""A small disk that runs full while a vault is written, with real limits on a disk of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.store.small_disk import run_on_small_disk

if TYPE_CHECKING:
    from pathlib import Path

SETTING = """
import json, sqlite3
from contextlib import closing
from mvdesk.errors import VaultError, VaultFull
from mvdesk.vault.operations.edit import plan_add
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.vault import Vault

PATH = FOLDER / "v.sqlite"

def add(vault, name, size=20000):
    fields = {"content": "x" * size}
    vault.apply(plan_add(vault.brain.id, fields, now=1, memory_id=name), now=1)

def state():
    with closing(sqlite3.connect(f"{PATH.as_uri()}?mode=ro", uri=True)) as db:
        whole = db.execute("PRAGMA integrity_check").fetchall()
        return whole[0][0], [row[0] for row in db.execute("SELECT id FROM memories ORDER BY 1")]
"""

RUNS_FULL = (
    SETTING
    + """
with Vault.create(PATH, "Home", now=1) as vault:
    done = []
    try:
        for number in range(10_000):
            add(vault, f"m{number:05}")
            done.append(f"m{number:05}")
    except VaultFull as error:
        said = error.one_line()
    full = state()
    shown = len(read_snapshot(vault).memories)
    notices = vault.notices
after = state()
with Vault.open(PATH) as vault:
    reopened = len(read_snapshot(vault).memories)
print(json.dumps([done, said, full, shown, notices, after, reopened]))
"""
)

OPENED_FULL = (
    SETTING
    + """
with Vault.create(PATH, "Home", now=1) as vault:
    for number in range(5):
        add(vault, f"m{number}")
fill_disk()
before, said = PATH.read_bytes(), []
with Vault.open(PATH) as vault:
    shown = len(read_snapshot(vault).memories)
    notices = vault.notices
    for work in (
        lambda: add(vault, "late"),
        lambda: vault.undo(now=1),
        lambda: vault.set_model("memoryvault-dynamic-v2"),
    ):
        try:
            work()
        except VaultError as error:
            said.append(error.one_line())
    untouched = PATH.read_bytes() == before
    free_disk()
    add(vault, "late", 10)
    label = vault.journal.undo_label
    vault.undo(now=1)
print(json.dumps([shown, notices, said, untouched, label, state()]))
"""
)


@pytest.mark.parametrize("kilobytes", [1_200, 3_000])
def test_running_full_costs_nothing_that_was_acknowledged(tmp_path: Path, kilobytes: int) -> None:
    done, said, full, shown, notices, after, reopened = json.loads(
        run_on_small_disk(tmp_path, kilobytes, RUNS_FULL)
    )
    assert len(done) > 5
    assert "no room left on the disk for v.sqlite. Nothing was written." in said
    assert full == after == ["ok", done]
    assert shown == reopened == len(done)
    assert all("The change is saved." in notice for notice in notices)


def test_a_vault_on_a_full_disk_is_read_and_written_again_once_there_is_room(
    tmp_path: Path,
) -> None:
    shown, notices, said, untouched, label, after = json.loads(
        run_on_small_disk(tmp_path, 4_000, OPENED_FULL)
    )
    ids = [f"m{number}" for number in range(5)]
    assert shown == 5
    assert notices == ["There is no room left on the disk: the vault can be read, but not changed."]
    assert len(said) == 3
    assert all("no room left on the disk" in sentence for sentence in said)
    assert untouched
    assert label.startswith("Add xxx")
    assert after == ["ok", ids]

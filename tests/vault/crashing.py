"""A program that kills others while they write a vault, and looks at what they leave behind.

Run as `python crashing.py VAULT KILLS SEED KIND`; it prints what it saw as JSON. It imports mvdesk
once and forks from then on, so that a kill costs hundredths of a second.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import sys
import time
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from mvdesk.errors import UndoImpossible
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.operations.links import plan_link
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = 1_800_000_000
COUNTER = "counter"
_LONGEST_S = 0.010
_ACK = struct.Struct("<II")


def write_until_killed(path: Path, turn: int, pipe: int) -> None:
    """Add, link, edit and delete for ever; every write is acknowledged once it returned."""
    with Vault.open(path) as vault:
        for number in count():
            memory_id = f"m-{turn}-{number}"
            new = {"content": f"Text {number}. " * (1 + number % 40), "source": "crash test"}
            vault.apply(plan_add(vault.brain.id, new, now=NOW, memory_id=memory_id), now=NOW)
            os.write(pipe, _ACK.pack(number, 0))
            counter, memory = vault.read_memory(COUNTER), vault.read_memory(memory_id)
            link = plan_link([], counter, memory, "supports", now=NOW, link_id=f"l-{turn}-{number}")
            vault.apply(link, now=NOW)
            os.write(pipe, _ACK.pack(number, 1))
            edit = plan_edit(counter, {"content": f"{turn} {number}"}, now=NOW + number)
            vault.apply(edit, now=NOW)
            os.write(pipe, _ACK.pack(number, 2))
            if number % 3 == 2:
                links = vault.read_links_of(memory_id)
                vault.apply(plan_delete([memory], links, brain_id=vault.brain.id), now=NOW)
                os.write(pipe, _ACK.pack(number, 3))


def write_all_until_killed(path: Path, turn: int, pipe: int) -> None:
    """Give every memory the same new text, in one step each time."""
    with Vault.open(path) as vault:
        for number in count():
            snapshot = read_snapshot(vault)
            ids = [snapshot.memories.ids.text(row) for row in range(len(snapshot.memories))]
            edits = [
                plan_edit(memory, {"content": f"{turn} {number}"}, now=NOW + number)
                for memory in vault.read_memories(ids)
            ]
            changes = tuple(change for edit in edits for change in edit.changes)
            vault.apply(replace(edits[0], label="Edit all", changes=changes), now=NOW)
            os.write(pipe, _ACK.pack(number, 2))


def kill_one(
    path: Path,
    turn: int,
    rng: random.Random,
    write: Callable[[Path, int, int], None],
    most_writes: int,
) -> list[tuple[int, int]]:
    """Let a process write, kill it at a random moment; gives back what it acknowledged."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            write(path, turn, writer)
        finally:
            os._exit(1)
    os.close(writer)
    # Some die while they open the vault, most between or in their first writes. Counted in
    # writes, not in time: a busy machine is slow.
    said = b""
    writes = rng.randrange(-1, most_writes)
    while len(said) < writes * _ACK.size and (block := os.read(reader, _ACK.size)):
        said += block
    time.sleep(rng.random() * _LONGEST_S)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while block := os.read(reader, 1 << 16):
        said += block
    os.close(reader)
    if not os.WIFSIGNALED(status):
        raise AssertionError(f"turn {turn}: the writer ended by itself")
    return list(_ACK.iter_unpack(said[: len(said) // _ACK.size * _ACK.size]))


def find_faults(path: Path, turn: int, acks: list[tuple[int, int]]) -> list[str]:
    """What is wrong with the file after a kill, as another program sees it."""
    faults: list[str] = []
    with closing(sqlite3.connect(path)) as db:
        for pragma in ("integrity_check", "foreign_key_check"):
            rows = db.execute(f"PRAGMA {pragma}").fetchall()
            if rows not in ([], [("ok",)]):
                faults.append(f"{pragma}: {rows[:3]}")
        here = {row[0] for row in db.execute("SELECT id FROM memories")}
        links = {row[0] for row in db.execute("SELECT id FROM memory_links")}
        logged = {row[0] for row in db.execute("SELECT entity_id FROM memory_changelog")}
        counter = db.execute("SELECT content FROM memories WHERE id = ?", (COUNTER,)).fetchone()[0]
    done = {(number, step) for number, step in acks}
    for number, step in done:
        memory, link = f"m-{turn}-{number}", f"l-{turn}-{number}"
        deleted = (number, 3) in done
        # The write after the last acknowledged one may be there, or not.
        may_be_deleted = number % 3 == 2 and (number, 2) in done
        if step == 0 and memory not in here and not may_be_deleted:
            faults.append(f"{memory} is lost")
        if step == 1 and link not in links and not may_be_deleted:
            faults.append(f"{link} is lost")
        if step == 3 and memory in here:
            faults.append(f"{memory} is back")
        if step in (0, 3) and memory not in logged:
            faults.append(f"{memory} has no history")
        if deleted and link in links:
            faults.append(f"{link} is back")
    edits = [number for number, step in done if step == 2]
    if edits and counter not in {f"{turn} {max(edits)}", f"{turn} {max(edits) + 1}"}:
        faults.append(f"the counter says {counter}, not {turn} {max(edits)}")
    return faults


def find_mixtures(path: Path) -> list[str]:
    """Whether a step of many rows was written by halves."""
    with closing(sqlite3.connect(path)) as db:
        texts = db.execute("SELECT DISTINCT content FROM memories").fetchall()
    return [f"a step was written by halves: {texts[:3]}"] if len(texts) != 1 else []


def find_missing_backups(path: Path) -> list[str]:
    """Whether tables were added or memories written without a whole backup from before."""
    with closing(sqlite3.connect(path)) as db:
        written = db.execute("SELECT count(*) FROM memories WHERE id LIKE 'm-%'").fetchone()[0]
    folder = path.with_name(path.name + ".mvdesk-backups")
    backups = sorted(folder.glob("*.sqlite"))
    if not backups:
        return ["there is no backup"] if written else []
    with closing(sqlite3.connect(backups[0])) as db:
        whole = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        before = db.execute("SELECT count(*) FROM memories WHERE id LIKE 'm-%'").fetchone()[0]
    return [] if whole and not before else ["the backup is not the state before the first write"]


def find_faults_of_reopening(path: Path) -> list[str]:
    """Whether a vault opens again as itself: snapshot, companion and undo."""
    faults: list[str] = []
    with Vault.open(path) as vault:
        faults += vault.companion.notices
        snapshot = read_snapshot(vault)
        with closing(sqlite3.connect(path)) as db:
            stored = db.execute("SELECT count(*) FROM memories").fetchone()[0]
        if len(snapshot.memories) != stored:
            faults.append(f"the snapshot has {len(snapshot.memories)} memories, not {stored}")
    companion = path.with_name(path.name + ".mvdesk")
    if companion.exists():
        with closing(sqlite3.connect(companion)) as db:
            if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                faults.append("the companion is damaged")
    return faults


def find_lost_steps(path: Path, acks: list[tuple[int, int]]) -> list[str]:
    """Whether what was written last can't be undone, or undo takes back something else."""
    with Vault.open(path) as vault:
        if not vault.journal.undo_label:
            return ["nothing can be undone"] if acks else []
        newest = _newest_entries(path)[0][0]
        try:
            label, _ = vault.undo(now=NOW)
        except UndoImpossible as error:
            return [f"the newest step can't be undone: {error}"]
        undone = {json.loads(payload).get("undo_of") for _, payload in _newest_entries(path)}
        vault.redo(now=NOW)
    # Without a write of this turn the newest one is the redo of the last.
    return [f"undo took back {label}"] if acks and newest not in undone else []


def _newest_entries(path: Path) -> list[tuple[str, str]]:
    """Ids and payloads from the changelog, more than a step has, newest first."""
    with closing(sqlite3.connect(path)) as db:
        sql = "SELECT id, payload FROM memory_changelog ORDER BY rowid DESC LIMIT 9"
        return db.execute(sql).fetchall()


def main(path: Path, kills: int, seed: int, kind: str) -> dict[str, object]:
    """Kill so many writers; gives back what was seen.

    `kind`: "grow" goes on with the same file, "fresh" begins each time with the file as it was
    given, "bulk" writes many rows in one step.
    """
    rng = random.Random(seed)
    write = write_all_until_killed if kind == "bulk" else write_until_killed
    most_writes = 3 if kind == "bulk" else 8
    original = path.read_bytes() if kind == "fresh" else b""
    faults: list[str] = []
    acknowledged = silent = 0
    began = time.monotonic()
    for turn in range(kills):
        if original:
            shutil.rmtree(path.with_name(path.name + ".mvdesk-backups"), ignore_errors=True)
            for other in path.parent.glob(path.name + "?*"):
                other.unlink()
            path.write_bytes(original)
        acks = kill_one(path, turn, rng, write, most_writes)
        acknowledged += len(acks)
        silent += not acks
        found = find_faults(path, turn, acks)
        found += find_mixtures(path) if kind == "bulk" else find_missing_backups(path)
        found += find_lost_steps(path, acks)
        faults += [f"turn {turn}: {fault}" for fault in found]
        if turn % 10 == 9:
            faults += [f"turn {turn}: {fault}" for fault in find_faults_of_reopening(path)]
    return {
        "kills": kills,
        "acknowledged": acknowledged,
        "before_any_write": silent,
        "faults": faults,
        "seconds": round(time.monotonic() - began, 1),
    }


if __name__ == "__main__":
    vault_path, how_many, seeded, how = sys.argv[1:]
    print(json.dumps(main(Path(vault_path), int(how_many), int(seeded), how)))

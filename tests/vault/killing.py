"""A program that kills a writer at the very points where vault and journal could part.

Run as `python killing.py VAULT`; it prints what it saw as JSON, a list of faults. As in
`crashing.py` it forks, so that each kill costs hundredths of a second.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mvdesk.vault.journal import JournalEntry
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.vault.plan import Plan

NOW = 1_800_000_000
POINTS = ("announce", "commit", "settle")


def rows_of(path: Path) -> list[tuple[object, ...]]:
    """What the vault holds."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT * FROM memories ORDER BY id").fetchall()


def die(*_: object) -> None:
    """End this process as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_at(point: str) -> None:
    """Let this process die before it announces, before it commits, or before it settles."""
    announce = JournalEntry.announce

    def announce_and_die(*args: object) -> None:
        announce(*args)  # type: ignore[arg-type] # as it was called
        die()

    if point == "announce":
        JournalEntry.announce = die  # type: ignore[method-assign]
    elif point == "commit":
        JournalEntry.announce = announce_and_die  # type: ignore[method-assign]
    else:
        JournalEntry.settle = die  # type: ignore[method-assign]


def kill(path: Path, point: str, work: Callable[[Vault], object]) -> None:
    """Let a process do `work` and die at `point`."""
    child = os.fork()
    if child == 0:
        try:
            with Vault.open(path) as vault:
                die_at(point)
                work(vault)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise AssertionError(f"the writer did not die at {point}")


def plans(vault: Vault) -> dict[str, Plan]:
    """A step of each kind: one line in the changelog, several rows, none at all."""
    one, other = vault.read_memory("one"), vault.read_memory("other")
    edit = plan_edit(one, {"content": "Edited."}, now=NOW)
    return {
        "edit": edit,
        "delete": plan_delete([one, other], [], brain_id=vault.brain.id),
        "silent": replace(edit, label="Silent", log=()),
        "silent delete": replace(
            plan_delete([other], [], brain_id=vault.brain.id), label="Silent delete", log=()
        ),
    }


def find_faults(path: Path, name: str, point: str) -> list[str]:
    """Kill a writer of one step, one who undoes it, one who does it again."""
    faults: list[str] = []
    written = point == "settle"

    def check(what: str, undo: str, redo: str, before: object, after: object) -> None:
        held = rows_of(path)
        if held != (after if written else before):
            faults.append(f"{name}, {point}: {what} left the wrong rows")
        with Vault.open(path) as vault:
            seen = (vault.journal.undo_label, vault.journal.redo_label)
            if seen != (undo, redo):
                faults.append(f"{name}, {point}: after {what} {seen}, not {(undo, redo)}")
            if len(vault.companion.steps.read_pending(vault.brain.id)) > (not written):
                faults.append(f"{name}, {point}: after {what} there are pending steps")

    with Vault.open(path) as vault:
        vault.apply(plan_add(vault.brain.id, {"content": "x"}, now=NOW, memory_id="x"), now=NOW)
        vault.undo(now=NOW)  # something to redo, which the next step forgets
        base, plan = vault.journal.undo_label, plans(vault)[name]
        redone = vault.journal.redo_label
    before = rows_of(path)
    kill(path, point, lambda vault: vault.apply(plan, now=NOW))
    # What the dead writer wanted is not done: the next one isn't disturbed by it.
    check("the step", *((plan.label, "") if written else (base, redone)), before, rows_of(path))
    with Vault.open(path) as vault:
        if not written:
            vault.apply(plan, now=NOW)
        after = rows_of(path)
        if after == before:
            faults.append(f"{name}, {point}: the step did nothing")
    kill(path, point, lambda vault: vault.undo(now=NOW))
    check("undo", *((base, plan.label) if written else (plan.label, "")), after, before)
    with Vault.open(path) as vault:
        if not written:
            vault.undo(now=NOW)
    kill(path, point, lambda vault: vault.redo(now=NOW))
    check("redo", *((plan.label, "") if written else (base, plan.label)), before, after)
    with Vault.open(path) as vault:
        if not written:
            vault.redo(now=NOW)
        vault.undo(now=NOW)
        if rows_of(path) != before:
            faults.append(f"{name}, {point}: undo brought back something else")
        if vault.companion.steps.read_pending(vault.brain.id):
            faults.append(f"{name}, {point}: a pending step is left")
    return faults


def main(path: Path) -> list[str]:
    """Every kind of step, every point."""
    faults: list[str] = []
    with Vault.create(path, "Home", now=1) as vault:
        for memory_id in ("one", "other"):
            fields = {"content": f"Text of {memory_id}."}
            vault.apply(plan_add(vault.brain.id, fields, now=1, memory_id=memory_id), now=1)
        names = list(plans(vault))
    for name in names:
        for point in POINTS:
            faults += find_faults(path, name, point)
    return faults


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))

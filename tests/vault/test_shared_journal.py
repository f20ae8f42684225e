"""Several processes write, undo and redo in one vault: the journal stays true to it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mvdesk.vault.operations.edit import plan_add

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.vault.vault import Vault

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = 3
STEPS = 40
WRITER = """
import random, sys
from pathlib import Path
from mvdesk.errors import UndoImpossible, VaultChanged
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.vault import Vault

rng = random.Random(int(sys.argv[2]))
with Vault.open(Path(sys.argv[1])) as vault:
    for number in range(int(sys.argv[3])):
        try:
            match rng.randrange(4):
                case 0:
                    vault.undo(now=9)
                case 1:
                    vault.redo(now=9)
                case 2:
                    new = {"content": "x"}
                    memory_id = f"{sys.argv[2]}-{number}"
                    plan = plan_add(vault.brain.id, new, now=9, memory_id=memory_id)
                    vault.apply(plan, now=9)
                case 3:
                    seen = vault.read_memory(f"shared-{sys.argv[2]}")
                    vault.apply(plan_edit(seen, {"content": f"{number}"}, now=number), now=9)
        except (UndoImpossible, VaultChanged):
            pass
    print(*vault.companion.notices)
"""


def test_whatever_processes_do_at_once_undo_leads_all_the_way_back(
    empty: Vault, contents: Callable[[Path], dict]
) -> None:
    for number in range(PROCESSES):
        new = {"content": "first"}
        empty.apply(plan_add(empty.brain.id, new, now=1, memory_id=f"shared-{number}"), now=1)
    steps = empty.companion.steps
    steps.remove([step.id for step in steps.read(99)])
    before = contents(empty.path)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, empty.path, str(number), str(STEPS)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env,
        )
        for number in range(PROCESSES)
    ]
    for program in programs:
        out, err = program.communicate(timeout=120)
        assert (program.returncode, out.strip()) == (0, ""), err[-2000:]
    assert steps.read_pending(empty.brain.id) == []
    assert contents(empty.path) != before
    while empty.journal.undo_label:
        empty.undo(now=99)
    assert contents(empty.path) == before

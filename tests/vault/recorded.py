"""A real server's brain, and what the server answered about it, for comparing."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.vault import rules
from mvdesk.vault.operations.policy import policy_of
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.records import ConflictResolution, Memory
    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.operations.policy import Policy
    from mvdesk.vault.snapshot import Snapshot

DATA = Path(__file__).parents[1] / "data"

Call = dict[str, Any]


class Brain:
    """The recorded brain, read whole; nothing of it is open any more."""

    def __init__(self, vault: Vault) -> None:
        self.snapshot: Snapshot = read_snapshot(vault)
        self.resolutions: list[ConflictResolution] = rules.read_resolutions(vault)
        self.policy: Policy = policy_of(rules.read_policy(vault))
        self._memories = {m.id: m for m in vault.read_memories(self.ids(range(len(self))))}

    def __len__(self) -> int:
        return len(self.snapshot.memories)

    def ids(self, rows: Sequence[int]) -> list[str]:
        return [self.snapshot.memories.ids.text(int(row)) for row in rows]

    def row(self, memory_id: str) -> int:
        row = self.snapshot.row_of(memory_id)
        assert row is not None, memory_id
        return row

    def read_memories(self, ids: Sequence[str]) -> list[Memory]:
        """As `Vault.read_memories`."""
        return [self._memories[one] for one in ids if one in self._memories]

    def scores(self, clock: int) -> Scores:
        """As the server that was recorded computes them."""
        return evaluate(self.snapshot.inputs(SERVER_V2), SERVER_V2, clock)


@dataclass
class Tally:
    """How many recorded calls of one kind were compared, and what became of it.

    `rows` counts the rows that a server's write changed. `explained` are the sentences about
    answers that differ on purpose.
    """

    equal: int = 0
    rows: int = 0
    explained: list[str] = field(default_factory=list)

    @property
    def calls(self) -> int:
        return self.equal + len(self.explained)


tallies: dict[str, Tally] = {}
"""What was compared in this process, by kind."""


def note_compared(kind: str, *, rows: int = 0, explained: str = "") -> None:
    """Count one recorded call that a test has found equal, or `explained`."""
    tally = tallies.setdefault(kind, Tally())
    tally.rows += rows
    if explained:
        tally.explained.append(explained)
    else:
        tally.equal += 1


@cache
def recorded_brain() -> Brain:
    """The brain that every recorded call was made against."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(DATA / "brain.sqlite", folder))
        with Vault.open(path) as vault:
            return Brain(vault)


@cache
def _answers() -> list[Call]:
    return list(json.loads((DATA / "responses.json").read_text(encoding="utf-8")))


@cache
def _writes() -> dict[str, list[Call]]:
    return dict(json.loads((DATA / "decay_reinforce.json").read_text(encoding="utf-8")))


def answers(tool: str, *, count: int) -> list[Call]:
    """Every recorded call of a tool that only reads; `count` is how many there must be."""
    found = [call for call in _answers() if call["tool"] == tool]
    assert len(found) == count, f"{len(found)} calls of {tool} are recorded, not {count}"
    return found


def writes(tool: str | None, *, count: int) -> list[Call]:
    """Every recorded call of a tool that wrote, each made on the brain as it is."""
    found = [call for call in _writes()["independent"] if tool in (None, call["tool"])]
    assert len(found) == count, f"{len(found)} calls of {tool} are recorded, not {count}"
    return found


def writes_in_sequence(*, count: int) -> list[Call]:
    """The recorded calls that were made one after the other."""
    found = _writes()["sequence"]
    assert len(found) == count
    return found


def moved_columns(call: Call) -> dict[str, dict[str, tuple[object, object]]]:
    """What a recorded call changed: by memory and column, the values before and after."""
    return {
        row["id"]: {
            name: (old, row["after"][name])
            for name, old in row["before"].items()
            if old != row["after"][name]
        }
        for row in call["changed_rows"]
    }

"""Changes kept column by column: the same as row by row, and cheaper."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import VaultChanged
from mvdesk.vault.changes import ChangeSet
from mvdesk.vault.operations.decay import DecaySettings, find_decay, plan_decay
from mvdesk.vault.plan import MEMORIES, TRUST, ColumnChanges, LogEntry, Plan, RowChange, RowKey
from mvdesk.vault.snapshot import read_snapshot
from tests.vault.made import NOW

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.vault import Vault


def two_rows(table: str = MEMORIES, column: str = "confidence") -> ColumnChanges:
    return ColumnChanges(
        table,
        ["a", "b"],
        ["Rent", "Flat"],
        ["why a", "why b"],
        (column, "updated_at"),
        ([0.5, 0.6], [1, 2]),
        ([0.4, 0.5], [1, 2]),
    )


FIRST = RowChange(
    RowKey(MEMORIES, "a", "Rent"),
    {"confidence": 0.5, "updated_at": 1},
    {"confidence": 0.4, "updated_at": 1},
    "why a",
)


def all_of_it(vault: Vault) -> Plan:
    settings = DecaySettings(older_than_days=0, max_link_count=1000, limit=None)
    snapshot = read_snapshot(vault)
    return plan_decay(snapshot, find_decay(snapshot, settings, now=NOW), now=NOW)


def test_they_are_a_sequence_of_row_changes() -> None:
    many = two_rows()
    assert len(many) == 2
    assert many[0] == FIRST
    assert many[-1].key.id == "b"
    assert many[:1] == (FIRST,)
    assert [change.written for change in many] == [{"confidence": 0.4}, {"confidence": 0.5}]
    with pytest.raises(IndexError):
        many[2]


def test_their_inverse_takes_each_back() -> None:
    many = two_rows()
    assert list(many.inverse()) == [change.inverse() for change in many]
    assert many.inverse().inverse() == many
    assert many != many.inverse()
    assert many != [FIRST]


def test_a_plan_of_them_survives_the_journal() -> None:
    plan = Plan("Decay 2 memories", "b", two_rows(), ())
    assert Plan.from_json(plan.to_json()) == plan
    assert Plan.from_json(plan.inverse().to_json()) == plan.inverse()
    assert not plan.is_empty


def test_long_lists_survive_the_journal_to_the_bit() -> None:
    numbers = [n / 7 for n in range(100)]
    whole, mixed = list(range(-50, 50)), [None, *range(99)]
    many = ColumnChanges(
        MEMORIES,
        [f"m{n}" for n in range(100)],
        ["half \ud800", "", *["x"] * 98],
        ["two\nlines", *["y"] * 99],
        ("confidence", "updated_at", "last_decayed_at"),
        (numbers, whole, mixed),
        ([1 / 3] * 100, whole, [2**60] * 100),
    )
    log = LogEntry("e", "memory", "m0", "s", {"before": {"confidence": numbers}, "count": 100})
    plan = Plan("", "b", many, (log,))
    again = Plan.from_json(plan.to_json())
    assert again == plan
    assert again.changes[7] == many[7]
    assert [type(cell) for cell in again.changes.after[2]] == [int] * 100
    assert json.loads(plan.to_json())["column_changes"][6][0].keys() == {"<f8"}


@pytest.mark.parametrize("part", range(7))
def test_a_journal_that_was_cut_is_no_plan(part: int) -> None:
    data = json.loads(Plan("Decay", "b", two_rows(), ()).to_json())
    columns = data["column_changes"]
    damaged = [*columns]
    damaged[part] = columns[part][:1] if part else None
    if part == 0:
        damaged = columns[:-1]
    data["column_changes"] = damaged
    with pytest.raises(ValueError, match=r"plan|columns|unpack"):
        Plan.from_json(json.dumps(data))


def test_they_touch_their_memories_and_nothing_else() -> None:
    plan = Plan("", "b", two_rows(), ())
    assert ChangeSet.of(plan, write_number=3) == ChangeSet(
        memory_ids=frozenset("ab"), tables=frozenset({MEMORIES}), write_number=3
    )
    trust = Plan("", "b", two_rows(TRUST, "source_key"), ())
    assert ChangeSet.of(trust).tables == {TRUST}


def test_a_row_that_moved_is_named_and_nothing_is_written(
    server: Vault, run_sql: Callable[..., list], contents: Callable[[Path], dict]
) -> None:
    plan = all_of_it(server)
    moved = plan.changes[100].key
    run_sql(server.path, ("UPDATE memories SET importance = 0.123 WHERE id = ?", (moved.id,)))
    untouched = contents(server.path)
    with pytest.raises(VaultChanged) as stopped:
        server.apply(plan, now=NOW)
    assert moved.label in stopped.value.what
    assert contents(server.path) == untouched


def test_cells_of_another_kind_are_written_one_by_one_and_come_back_as_they_were(
    server: Vault, run_sql: Callable[..., list], contents: Callable[[Path], dict]
) -> None:
    # A column without a type keeps what it is given: text reads as the default base.
    run_sql(
        server.path,
        "ALTER TABLE memories RENAME COLUMN importance TO old_importance",
        "ALTER TABLE memories ADD COLUMN importance",
        "UPDATE memories SET importance = 1 WHERE rowid % 2",
        "UPDATE memories SET importance = 'much' WHERE NOT rowid % 2",
    )
    untouched = contents(server.path)
    plan = all_of_it(server)
    server.apply(plan, now=NOW)
    kinds = run_sql(server.path, "SELECT DISTINCT typeof(importance) FROM memories ORDER BY 1")
    assert ("real",) in kinds
    server.undo(now=NOW)
    assert contents(server.path) == untouched

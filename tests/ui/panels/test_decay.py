"""Decay by hand: dry run, ticks, apply and undo, and what it says to odd values."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.arrays import NO_TIME
from mvdesk.ui.panels.upkeep import UpkeepPanel
from mvdesk.ui.plots.distribution import Distribution
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.ui.widgets.ticking_table import TickingTable
from mvdesk.vault import rules
from mvdesk.vault.operations.decay import DecaySettings, find_decay
from mvdesk.vault.operations.policy import policy_of

from .conftest import Desk, find

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def panel(desk: Desk) -> UpkeepPanel:
    return desk.show(UpkeepPanel, width=1180, height=760)


def button(panel: UpkeepPanel, name: str) -> QPushButton:
    return find(panel, QPushButton, name)


def said(panel: UpkeepPanel, name: str) -> str:
    return find(panel, QLabel, name).text()


def type_into(desk: Desk, panel: UpkeepPanel, name: str, text: str) -> QLineEdit:
    field = find(panel, QLineEdit, name)
    field.setFocus()
    field.selectAll()
    desk.qtbot.keyClicks(field, text)
    return field


def dry_run(desk: Desk, panel: UpkeepPanel, days: str = "0") -> TickingTable:
    field = type_into(desk, panel, "decayDays", days)
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.settle()
    return find(panel, TickingTable, "decayTable")


def cells(table: TickingTable, row: int) -> list[str]:
    model = table.model()
    assert model is not None
    return [str(model.index(row, column).data()) for column in range(model.columnCount())]


def find_rows(desk: Desk, days: float = 0) -> list[int]:
    """The rows of the memory table that decay, in the order of the dry run."""
    settings = DecaySettings(older_than_days=days, limit=None)
    found = find_decay(desk.session.snapshot, settings, now=desk.session.current_time())
    return found.moves.rows.tolist()


def rows_of(table: TickingTable) -> int:
    model = table.model()
    assert model is not None
    return model.rowCount()


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def apply(desk: Desk, panel: UpkeepPanel) -> None:
    with desk.qtbot.waitSignal(desk.session.write_finished) as done:
        button(panel, "decayApply").click()
    desk.settle()
    assert done.args == ["decay", True]


def test_the_days_are_those_of_the_policy_until_others_are_typed(
    desk: Desk, panel: UpkeepPanel
) -> None:
    days = str(policy_of(rules.read_policy(desk.session.vault)).decay_days)
    assert find(panel, QLineEdit, "decayDays").text() == days
    type_into(desk, panel, "decayDays", "12")
    button(panel, "decayDefaults").click()
    assert find(panel, QLineEdit, "decayDays").text() == days


def test_a_dry_run_lists_what_decays_and_writes_nothing(desk: Desk, panel: UpkeepPanel) -> None:
    before = digest(desk.session.vault.path)
    table = dry_run(desk, panel)
    rows = find_rows(desk)
    assert rows_of(table) == len(rows) > 0
    assert digest(desk.session.vault.path) == before
    labels = desk.session.snapshot.memories.labels
    titles = [cells(table, place)[1] for place in range(len(rows))]
    assert titles == [labels.text(row) for row in rows]
    assert said(panel, "decaySummary").startswith(f"{len(rows)} memories fade")


def test_apply_writes_what_is_ticked_and_undo_gives_the_bases_back(
    desk: Desk, panel: UpkeepPanel
) -> None:
    session = desk.session
    table = dry_run(desk, panel)
    first = session.snapshot
    rows = find_rows(desk)
    desk.qtbot.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    desk.qtbot.keyClick(table, Qt.Key.Key_Space)
    left_out = rows[table.currentIndex().row()]
    promised = {row: cells(table, place) for place, row in enumerate(rows)}
    apply(desk, panel)
    after = session.snapshot
    for row, told in promised.items():
        side = 0 if row == left_out else -1
        shown = [told[column].split(" → ")[side] for column in range(4, 8)]
        columns = (
            after.memories.base_confidence,
            after.memories.base_importance,
            session.scores.confidence,
            session.scores.importance,
        )
        assert shown == [f"{column[row]:.3f}" for column in columns]
        is_decayed = after.memories.last_decayed_at[row] == session.current_time()
        assert is_decayed == (row != left_out)
    assert after.memories.updated_at.tolist() == first.memories.updated_at.tolist()
    with desk.qtbot.waitSignal(session.write_finished):
        session.undo()
    desk.settle()
    back = session.snapshot.memories
    for name in ("base_confidence", "base_importance", "last_decayed_at", "updated_at"):
        assert getattr(back, name).tolist() == getattr(first.memories, name).tolist()


def test_apply_waits_for_a_dry_run_of_the_values_on_screen(desk: Desk, panel: UpkeepPanel) -> None:
    assert not button(panel, "decayApply").isEnabled()
    dry_run(desk, panel)
    assert button(panel, "decayApply").isEnabled()
    type_into(desk, panel, "decayImportance", "0.2")
    assert not button(panel, "decayApply").isEnabled()
    assert "run it again" in said(panel, "decayNote")
    type_into(desk, panel, "decayImportance", "0.03")
    assert button(panel, "decayApply").isEnabled()


def test_another_programs_write_makes_the_run_void(desk: Desk, panel: UpkeepPanel) -> None:
    table = dry_run(desk, panel)
    memory_id = desk.memory_id(0)
    desk.edit_outside("DELETE FROM memories WHERE id = ?", memory_id)
    assert not button(panel, "decayApply").isEnabled()
    assert "The vault changed" in said(panel, "decayNote")
    assert rows_of(table) > 0


def test_what_is_important_or_recalled_starts_without_a_tick(
    desk: Desk, panel: UpkeepPanel
) -> None:
    table = dry_run(desk, panel)
    memories = desk.session.snapshot.memories
    recent = desk.session.current_time() - 30 * 86_400
    model = table.model()
    assert model is not None
    for place, row in enumerate(find_rows(desk)):
        reason = cells(table, place)[9]
        assert model.index(place, 0).data(Qt.ItemDataRole.UserRole) == (not reason)
        assert ("importance" in reason) == (memories.base_importance[row] >= 0.8)
        seen = memories.last_accessed_at[row]
        assert ("recalled" in reason) == (seen != NO_TIME and seen > recent)


def test_ticks_follow_all_none_and_as_at_first(desk: Desk, panel: UpkeepPanel) -> None:
    table = dry_run(desk, panel, "5")
    usual = button(panel, "decayApply").text()
    keys = Qt.KeyboardModifier
    desk.qtbot.keyClick(table, Qt.Key.Key_Space, keys.ShiftModifier)
    assert not button(panel, "decayApply").isEnabled()
    desk.qtbot.keyClick(table, Qt.Key.Key_A, keys.ControlModifier)
    assert str(rows_of(table)) in button(panel, "decayApply").text()
    button(panel, "decayUsual").click()
    assert button(panel, "decayApply").text() == usual
    desk.settle()
    assert "today would change 0 rows" in said(panel, "decayNote")


def test_sorting_keeps_the_ticks_with_their_memories(desk: Desk, panel: UpkeepPanel) -> None:
    table = dry_run(desk, panel)
    model = table.model()
    assert model is not None

    def ticks() -> list[tuple[str, ...]]:
        role = Qt.ItemDataRole.UserRole
        shown = [(*cells(table, r), str(model.index(r, 0).data(role))) for r in range(len(rows))]
        return sorted(shown)

    rows = find_rows(desk)
    before = ticks()
    for column in (0, 2, 4, 8):
        for descending in (True, False):
            table.sort_requested.emit(column, descending)
            assert ticks() == before
    links = [int(cells(table, row)[8]) for row in range(rows_of(table))]
    assert links == sorted(links)


def test_other_scores_leave_order_and_ticks_as_they_are(desk: Desk, panel: UpkeepPanel) -> None:
    table = dry_run(desk, panel)
    table.sort_requested.emit(8, True)
    table.select_row(3)
    table.tick_asked.emit(1)

    def seen() -> list[tuple[str, str]]:
        model = table.model()
        assert model is not None
        role = Qt.ItemDataRole.UserRole
        rows = range(rows_of(table))
        return [(cells(table, r)[1], str(model.index(r, 0).data(role))) for r in rows]

    before, scores = seen(), [cells(table, row)[6] for row in range(rows_of(table))]
    desk.session.set_model("memoryvault-dynamic-v2")
    desk.settle()
    assert [cells(table, row)[6] for row in range(rows_of(table))] != scores
    assert seen() == before
    assert table.currentIndex().row() == 3


def test_odd_values_are_answered_with_a_sentence(desk: Desk, panel: UpkeepPanel) -> None:
    type_into(desk, panel, "decayImportance", "3")
    assert "out of range; the most, 0.5, is used" in said(panel, "decaySaid")
    dry_run(desk, panel)
    assert button(panel, "decayApply").isEnabled()
    type_into(desk, panel, "decayConfidence", "much")
    assert "“much” is no number" in said(panel, "decaySaid")
    assert not button(panel, "decayRun").isEnabled()
    assert not button(panel, "decayApply").isEnabled()


def test_nothing_to_decay_says_why(desk: Desk, panel: UpkeepPanel) -> None:
    dry_run(desk, panel, "9000")
    assert "was left alone for 9000 days" in said(panel, "decaySummary")
    assert not button(panel, "decayApply").isEnabled()


def test_where_nothing_decays_no_tick_is_asked_for(desk: Desk, panel: UpkeepPanel) -> None:
    dry_run(desk, panel, "99999")
    assert said(panel, "decayNote") == ""
    assert not button(panel, "decayApply").isEnabled()


def test_titles_stay_readable_beside_the_numbers(desk: Desk, panel: UpkeepPanel) -> None:
    table = dry_run(desk, panel)
    for width in range(740, 1401, 60):
        panel.resize(width, 760)
        desk.settle()
        assert table.columnWidth(1) >= 110, (width, table.width())
    shown = [column for column in range(10) if not table.isColumnHidden(column)]
    assert shown == list(range(10))


def test_the_distribution_moves_with_the_ticks(desk: Desk, panel: UpkeepPanel) -> None:
    type_into(desk, panel, "decayConfidence", "0.5")
    dry_run(desk, panel, "5")
    choose(panel, "spread")
    plot = find(panel, Distribution, "decayDistribution")  # type: ignore[type-var]
    moved = [row for row in plot.table() if row[1] != row[2]]
    assert moved
    button(panel, "decayNone").click()
    assert all(before == after for _, before, after in plot.table())


def test_a_year_ahead_tells_who_falls_below_the_threshold(desk: Desk, panel: UpkeepPanel) -> None:
    choose(panel, "ahead")
    desk.settle()
    table = find(panel, KeyedTable, "aheadTable")
    assert [row.texts[0] for row in table.rows] == [
        "Now", "In 1 month", "In 3 months", "In 6 months", "In a year",
    ]  # fmt: skip
    assert table.rows[0].texts[3] == "0"
    assert "If nobody touches a memory for a year" in said(panel, "aheadSaid")
    assert desk.session.undo_label == ""


def choose(panel: UpkeepPanel, view: str) -> None:
    control = find(panel, SegmentedControl, "decayView")
    control.set_value(view)
    control.value_chosen.emit(view)

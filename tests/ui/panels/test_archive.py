"""The archive: found, brought back, deleted after a look, and all of it taken back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPushButton

from mvdesk.arrays import NO_TIME
from mvdesk.ui.dialogs.plan_preview import PlanPreview
from mvdesk.ui.moments import format_minute
from mvdesk.ui.panels.archive import describe_reason
from mvdesk.ui.panels.upkeep import UpkeepPanel
from mvdesk.ui.widgets.ticking_table import TickingTable
from mvdesk.vault.operations.forget import plan_archive
from mvdesk.vault.questions.archive_reason import ArchiveReason

from .conftest import Desk, find


@pytest.fixture
def panel(desk: Desk) -> UpkeepPanel:
    panel = desk.show(UpkeepPanel, width=900, height=700)
    panel.show_page("archive")
    desk.settle()
    return panel


def archived(desk: Desk) -> set[str]:
    table = desk.session.snapshot.memories
    rows = [row for row in range(len(table)) if table.archived_at[row] != NO_TIME]
    return {table.labels.text(row) for row in rows}


def titles(panel: UpkeepPanel) -> list[str]:
    model = find(panel, TickingTable, "archiveTable").model()
    assert model is not None
    return [str(model.index(row, 1).data()) for row in range(model.rowCount())]


def settle(desk: Desk) -> None:
    desk.qtbot.wait(200)  # typing comes to rest first
    desk.settle()


def test_it_lists_what_is_in_the_archive(desk: Desk, panel: UpkeepPanel) -> None:
    assert set(titles(panel)) == archived(desk) != set()


def test_ticked_memories_come_back_and_undo_puts_them_in_again(
    desk: Desk, panel: UpkeepPanel
) -> None:
    before, table = archived(desk), find(panel, TickingTable, "archiveTable")
    moments = desk.session.snapshot.memories.archived_at.tolist()
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    with desk.qtbot.waitSignal(desk.session.write_finished):
        find(panel, QPushButton, "archiveRestore").click()
    settle(desk)
    assert archived(desk) == set()
    assert not table.isVisible()
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.undo()
    settle(desk)
    assert set(titles(panel)) == before
    assert desk.session.snapshot.memories.archived_at.tolist() == moments


def test_it_says_how_a_memory_came_there(desk: Desk, panel: UpkeepPanel) -> None:
    said = find(panel, QLabel, "archiveWhy")
    assert said.text()
    one = desk.memory_id(0)
    memory = desk.read(one)
    now = desk.session.current_time()
    plan = plan_archive([memory], brain_id=desk.session.vault.brain.id, now=now)
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.write("archive", lambda _vault: plan)
    table = find(panel, TickingTable, "archiveTable")
    desk.qtbot.waitUntil(lambda: memory.label in titles(panel))
    table.select_row(titles(panel).index(memory.label))
    desk.settle()
    assert said.text() == f"Archived on {format_minute(now)}, by itself."
    assert describe_reason(ArchiveReason("merged", now, 0, "x"), "Rent").endswith("into Rent.")
    assert "in one step with 2 others" in describe_reason(ArchiveReason("many", now, 2), "")
    assert "doesn't tell" in describe_reason(ArchiveReason("untold"), "")


def test_words_narrow_it_and_nothing_found_says_so(desk: Desk, panel: UpkeepPanel) -> None:
    wanted = titles(panel)[0]
    field = find(panel, QLineEdit, "archiveSearch")
    field.setText(wanted.upper())
    settle(desk)
    assert wanted in titles(panel)
    field.setText("zzzz no such words")
    settle(desk)
    assert titles(panel) == []
    said = [x for x in panel.findChildren(QLabel, "emptyStateText") if x.isVisible()]
    assert said[0].text().startswith("Nothing in the archive has these words.")


def test_deleting_asks_first_and_can_be_undone(desk: Desk, panel: UpkeepPanel) -> None:
    table = find(panel, TickingTable, "archiveTable")
    count = len(desk.session.snapshot.memories)
    table.setFocus()
    find(panel, QPushButton, "archiveDelete").click()
    desk.settle()
    preview = panel.window().findChild(PlanPreview, "planPreview")
    assert isinstance(preview, QDialog)
    assert len(desk.session.snapshot.memories) == count
    with desk.qtbot.waitSignal(desk.session.write_finished):
        find(preview, QPushButton, "planApply").click()
    settle(desk)
    assert len(desk.session.snapshot.memories) == count - 1
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.undo()
    settle(desk)
    assert len(desk.session.snapshot.memories) == count


def test_a_memory_deleted_meanwhile_changes_nothing_else(desk: Desk, panel: UpkeepPanel) -> None:
    before = len(titles(panel))
    table = desk.session.snapshot.memories
    row = next(row for row in range(len(table)) if table.archived_at[row] != NO_TIME)
    desk.edit_outside("DELETE FROM memories WHERE id = ?", table.ids.text(row))
    settle(desk)
    assert len(titles(panel)) == before - 1

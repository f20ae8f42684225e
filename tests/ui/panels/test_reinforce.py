"""Reinforce by hand: preview, apply, undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.ui.panels.upkeep import UpkeepPanel
from mvdesk.ui.widgets.keyed_table import KeyedTable

from .conftest import Desk, find


@pytest.fixture
def panel(desk: Desk) -> UpkeepPanel:
    panel = desk.show(UpkeepPanel, width=1180, height=700)
    panel.show_page("reinforce")
    snapshot = desk.session.snapshot
    linked = int(snapshot.links.from_rows[0])
    desk.select(snapshot.memories.ids.text(linked))
    return panel


def preview(desk: Desk, panel: UpkeepPanel, hops: str = "2") -> KeyedTable:
    field = find(panel, QLineEdit, "reinforceHops")
    field.setFocus()
    field.selectAll()
    desk.qtbot.keyClicks(field, hops)
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.settle()
    return find(panel, KeyedTable, "reinforceTable")


def test_what_is_previewed_is_written_and_taken_back(desk: Desk, panel: UpkeepPanel) -> None:
    session = desk.session
    table = preview(desk, panel)
    first = session.snapshot.memories
    rows = table.rows
    assert len(rows) > 1
    with desk.qtbot.waitSignal(session.write_finished):
        find(panel, QPushButton, "reinforceApply").click()
    desk.settle()
    after = session.snapshot.memories
    for told in rows:
        row = session.snapshot.row_of(told.key)
        assert row is not None
        shown = [text.split(" ")[-1] for text in told.texts[1:5]]
        columns = (
            after.base_confidence,
            after.base_importance,
            session.scores.confidence,
            session.scores.importance,
        )
        assert shown == [f"{column[row]:.3f}" for column in columns]
    with desk.qtbot.waitSignal(session.write_finished):
        session.undo()
    desk.settle()
    back = session.snapshot.memories
    assert back.base_confidence.tolist() == first.base_confidence.tolist()
    assert back.base_importance.tolist() == first.base_importance.tolist()


def test_other_values_or_another_memory_need_another_preview(
    desk: Desk, panel: UpkeepPanel
) -> None:
    apply = find(panel, QPushButton, "reinforceApply")
    assert not apply.isEnabled()
    preview(desk, panel)
    assert apply.isEnabled()
    desk.qtbot.keyClick(find(panel, QLineEdit, "reinforceSpread"), Qt.Key.Key_Up)
    assert not apply.isEnabled()
    assert "preview them" in find(panel, QLabel, "reinforceWay").text()
    desk.qtbot.keyClick(find(panel, QLineEdit, "reinforceSpread"), Qt.Key.Key_Down)
    assert apply.isEnabled()
    desk.select(desk.memory_id(0))
    assert not apply.isEnabled()


def test_an_archived_memory_is_refused_with_a_sentence(desk: Desk, panel: UpkeepPanel) -> None:
    table = desk.session.snapshot.memories
    archived = next(row for row in range(len(table)) if table.archived_at[row] > 0)
    desk.select(table.ids.text(archived))
    failed: list[object] = []
    desk.session.messages.failed.connect(failed.append)
    preview(desk, panel)
    assert "is in the archive" in str(failed[0])
    assert not find(panel, QPushButton, "reinforceApply").isEnabled()

"""Reinforce by hand: preview, apply, undo."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.records import RELATIONS
from mvdesk.ui.panels.upkeep import UpkeepPanel
from mvdesk.ui.plots.heat_chart import HeatChart
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.ui.widgets.segmented_control import SegmentedControl

from .conftest import Desk, find


@pytest.fixture
def panel(desk: Desk) -> UpkeepPanel:
    panel = desk.show(UpkeepPanel, width=1180, height=700)
    snapshot = desk.session.snapshot
    linked = int(snapshot.links.from_rows[0])
    desk.select(snapshot.memories.ids.text(linked))
    panel.show_page("reinforce")
    desk.settle()
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
    assert apply.isEnabled()
    preview(desk, panel)
    assert apply.isEnabled()
    desk.qtbot.keyClick(find(panel, QLineEdit, "reinforceSpread"), Qt.Key.Key_Up)
    assert not apply.isEnabled()
    assert "preview them" in find(panel, QLabel, "reinforceWay").text()
    desk.qtbot.keyClick(find(panel, QLineEdit, "reinforceSpread"), Qt.Key.Key_Down)
    assert apply.isEnabled()


def test_the_memory_stays_while_others_are_looked_at(desk: Desk, panel: UpkeepPanel) -> None:
    table = preview(desk, panel)
    seed, shown = find(panel, QLabel, "reinforceSeed").text(), table.rows
    desk.select(shown[1].key)
    assert find(panel, QLabel, "reinforceSeed").text() == seed
    assert find(panel, QPushButton, "reinforceApply").isEnabled()
    find(panel, QPushButton, "reinforceSelected").click()
    desk.settle()
    title = desk.session.snapshot.memories.labels.text(desk.session.snapshot.row_of(shown[1].key))
    assert find(panel, QLabel, "reinforceSeed").text() == f"Reinforce: {title}"
    assert find(panel, KeyedTable, "reinforceTable").rows[0].key == shown[1].key
    assert not find(panel, QPushButton, "reinforceSelected").isEnabled()


def test_another_memory_is_chosen_by_letters_of_its_title(desk: Desk, panel: UpkeepPanel) -> None:
    other = desk.memory_id(3)
    find(panel, QPushButton, "reinforceChoose").click()
    field = find(panel, SearchField, "pickerField")
    desk.qtbot.keyClicks(field, other)
    desk.settle()
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.settle()
    assert find(panel, KeyedTable, "reinforceTable").rows[0].key == other
    assert desk.session.selected_id != other


def test_the_graph_shows_who_gains_and_who_loses_over_a_contradiction(
    desk: Desk, panel: UpkeepPanel
) -> None:
    links, ids = desk.session.snapshot.links, desk.session.snapshot.memories.ids
    archived = desk.session.snapshot.memories.archived_at
    against = RELATIONS.index("contradicts")
    one, other = next(
        (int(links.from_rows[place]), int(links.to_rows[place]))
        for place in np.flatnonzero(links.relations == against)
        if archived[links.from_rows[place]] < 0 and archived[links.to_rows[place]] < 0
    )
    desk.select(ids.text(one))
    panel.show_page("reinforce")
    desk.settle()
    chart = find(panel, HeatChart, "reinforceChart")
    table = find(panel, KeyedTable, "reinforceTable")
    assert {node.memory_id for node in chart.nodes} == {row.key for row in table.rows}
    node = next(node for node in chart.nodes if node.memory_id == ids.text(other))
    assert node.heat < 0
    assert node.turned
    assert node.relation == "contradicts"
    find(panel, SegmentedControl, "reinforceView").value_chosen.emit("graph")
    find(panel, SegmentedControl, "reinforceView").set_value("graph")
    chart.set_current(node.memory_id)
    assert "\u2212" in chart.accessibleDescription()
    desk.qtbot.keyClick(chart, Qt.Key.Key_Home)
    assert chart.current_id == ids.text(one) == table.current_key
    desk.qtbot.keyClick(chart, Qt.Key.Key_Down)
    assert table.current_key == chart.current_id != ids.text(one)
    desk.qtbot.keyClick(chart, Qt.Key.Key_Return)
    desk.settle()
    assert desk.session.selected_id == chart.current_id
    assert find(panel, QPushButton, "reinforceApply").isEnabled()


def test_an_archived_memory_is_refused_with_a_sentence(desk: Desk, panel: UpkeepPanel) -> None:
    table = desk.session.snapshot.memories
    archived = next(row for row in range(len(table)) if table.archived_at[row] > 0)
    desk.select(table.ids.text(archived))
    failed: list[object] = []
    desk.session.messages.failed.connect(failed.append)
    find(panel, QPushButton, "reinforceSelected").click()
    desk.settle()
    assert "is in the archive" in str(failed[0])
    assert not find(panel, QPushButton, "reinforceApply").isEnabled()

"""What a preview does, beside the source table: movers, conflicts, searches."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from mvdesk.arrays import NO_TIME
from mvdesk.ui.panels.conflict_changes_page import count_changes
from mvdesk.ui.panels.movers import MoversPanel
from mvdesk.ui.plots.slope_chart import SlopeChart
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.vault.saved_searches import read_searches

from .conftest import Desk, find

if TYPE_CHECKING:
    import numpy as np

    pass

SOURCE = "slack #design"


@pytest.fixture
def panel(desk: Desk) -> MoversPanel:
    return desk.show(MoversPanel, width=520, height=560)


def settle(desk: Desk, panel: MoversPanel) -> None:
    desk.qtbot.waitUntil(lambda: panel.is_settled and desk.session.jobs.is_idle())


def preview(desk: Desk, panel: MoversPanel, trust: float, source: str = SOURCE) -> None:
    desk.session.preview_trust(source, trust)
    settle(desk, panel)


def table_of(panel: MoversPanel) -> KeyedTable:
    return find(panel, KeyedTable, "moversTable")


def ranks(desk: Desk, scores: np.ndarray) -> dict[str, int]:
    memories = desk.session.snapshot.memories
    rows = [r for r in range(len(memories)) if memories.archived_at[r] == NO_TIME]
    rows.sort(key=lambda row: (-round(float(scores[row]) * 1000), row))
    return {memories.ids.text(row): place + 1 for place, row in enumerate(rows)}


def empty_sentence(panel: MoversPanel) -> str:
    found = [label for label in panel.findChildren(QLabel, "emptyStateText") if label.isVisible()]
    return found[0].text() if found else ""


def test_without_a_preview_it_says_what_to_do(desk: Desk, panel: MoversPanel) -> None:
    assert empty_sentence(panel).startswith("Nothing is being tried.")
    with desk.qtbot.waitSignal(panel.worth_a_look_requested):
        buttons = panel.findChildren(QPushButton, "emptyStateAction")
        button = next(one for one in buttons if one.isVisible())
        desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_ranks_before_and_after_are_those_of_the_scores(desk: Desk, panel: MoversPanel) -> None:
    preview(desk, panel, 0.0)
    before = ranks(desk, desk.session.committed_scores.confidence)
    after = ranks(desk, desk.session.scores.confidence)
    rows = table_of(panel).rows
    assert rows
    for row in rows:
        was, now = before[row.key], after[row.key]
        assert row.texts[0] == f"{was} → {now}"
        assert row.texts[1] == (f"+{was - now}" if was > now else f"−{now - was}")
    gains = [before[row.key] - after[row.key] for row in rows]
    assert {key for key in before if before[key] != after[key]} >= {row.key for row in rows}
    up, down = [g for g in gains if g > 0], [g for g in gains if g < 0]
    assert gains == up + down
    assert up == sorted(up, reverse=True)
    assert down == sorted(down)


def test_the_ranks_of_a_preview_are_those_after_it_is_applied(
    desk: Desk, panel: MoversPanel
) -> None:
    preview(desk, panel, 0.0)
    told = {row.key: row.texts[0].split(" → ")[1] for row in table_of(panel).rows}
    with desk.qtbot.waitSignal(desk.session.vault_changed):
        desk.session.apply_preview()
    settle(desk, panel)
    after = ranks(desk, desk.session.committed_scores.confidence)
    assert told == {key: str(after[key]) for key in told}


def test_the_reason_names_the_trust_or_the_others(desk: Desk, panel: MoversPanel) -> None:
    preview(desk, panel, 0.0)
    own = {
        desk.session.snapshot.memories.ids.text(int(row))
        for row in desk.session.snapshot.rows_of_source(SOURCE)
    }
    for row in table_of(panel).rows:
        if row.key in own and "cannot move" not in row.texts[5]:
            assert row.texts[5].startswith(f"{SOURCE} ")
            assert row.texts[5].endswith("→ 0.00")
        elif row.key not in own:
            assert "others" in row.texts[5]


def test_the_chart_shows_ten_each_way_and_no_more(desk: Desk, panel: MoversPanel) -> None:
    preview(desk, panel, 0.0)
    lines = find(panel, SlopeChart, "slopeChart").lines
    up, down = [x for x in lines if x.gain > 0], [x for x in lines if x.gain < 0]
    assert len(up) <= 10
    assert len(down) <= 10
    listed = {row.key for row in table_of(panel).rows}
    assert {line.memory_id for line in lines} <= listed


def test_choosing_a_mover_selects_it_everywhere_and_back(desk: Desk, panel: MoversPanel) -> None:
    preview(desk, panel, 0.0)
    table, chart = table_of(panel), find(panel, SlopeChart, "slopeChart")
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    desk.settle()
    assert desk.session.selected_id == table.rows[0].key
    assert chart.current_id == table.rows[0].key
    desk.select(table.rows[2].key)
    assert table.current_key == table.rows[2].key
    chart.memory_chosen.emit(chart.lines[0].memory_id)
    assert desk.session.selected_id == chart.lines[0].memory_id


def test_the_line_below_says_why_the_current_one_moves(desk: Desk, panel: MoversPanel) -> None:
    preview(desk, panel, 0.0)
    row = table_of(panel).rows[0]
    desk.select(row.key)
    said = find(panel, ElidedLabel, "moversDetail").text()
    assert row.texts[4] in said
    assert row.texts[5] in said


def test_only_one_direction_on_request(desk: Desk, panel: MoversPanel) -> None:
    preview(desk, panel, 0.0)
    ways = find(panel, SegmentedControl, "moversDirection")
    both = len(table_of(panel).rows)
    ways.set_value("up")
    ways.value_chosen.emit("up")
    up = [row.texts[1] for row in table_of(panel).rows]
    assert all(text.startswith("+") for text in up)
    ways.set_value("down")
    ways.value_chosen.emit("down")
    down = [row.texts[1] for row in table_of(panel).rows]
    assert all(text.startswith("−") for text in down)
    assert len(up) + len(down) == both


def test_ranked_by_importance_when_asked_for(desk: Desk, panel: MoversPanel) -> None:
    preview(desk, panel, 0.0)
    find(panel, Choice, "moversScore").value_chosen.emit("importance")
    settle(desk, panel)
    before = ranks(desk, desk.session.committed_scores.importance)
    after = ranks(desk, desk.session.scores.importance)
    for row in table_of(panel).rows:
        assert row.texts[0] == f"{before[row.key]} → {after[row.key]}"


def test_the_selected_mover_stays_selected_while_the_preview_moves(
    desk: Desk, panel: MoversPanel
) -> None:
    preview(desk, panel, 0.0)
    key = table_of(panel).rows[0].key
    desk.select(key)
    preview(desk, panel, 0.05)
    assert desk.session.selected_id == key
    if key in {row.key for row in table_of(panel).rows}:
        assert table_of(panel).current_key == key


@pytest.fixture
def low_panel(desk: Desk) -> MoversPanel:
    return desk.show(MoversPanel, width=420, height=330)


def test_t_goes_to_the_chart_where_there_is_room_for_one(
    desk: Desk, low_panel: MoversPanel
) -> None:
    panel = low_panel
    preview(desk, panel, 0.0)
    table, chart = table_of(panel), find(panel, QWidget, "slopeChart")
    assert table.isVisible()
    assert not chart.isVisible()
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_T)
    assert chart.isVisible()
    assert chart.hasFocus()
    assert not table.isVisible()
    desk.qtbot.keyClick(chart, Qt.Key.Key_T)
    assert table.hasFocus()


def test_it_stays_while_the_values_of_before_are_shown(desk: Desk, panel: MoversPanel) -> None:
    preview(desk, panel, 0.0)
    rows = table_of(panel).rows
    desk.session.peek(on=True)
    settle(desk, panel)
    assert table_of(panel).rows == rows
    assert table_of(panel).isVisible()


def test_discarding_empties_it(desk: Desk, panel: MoversPanel) -> None:
    preview(desk, panel, 0.0)
    desk.session.discard_preview()
    settle(desk, panel)
    assert empty_sentence(panel).startswith("Nothing is being tried.")
    assert panel.header.detail() == ""


@pytest.fixture
def clash(desk: Desk) -> tuple[str, str]:
    """Two facts with one key and different texts: of a trusted source and of one that is not."""
    rows = desk.session.snapshot.rows_of_source(SOURCE)
    ids = desk.session.snapshot.memories.ids
    mine = ids.text(int(rows[0]))
    other = next(
        ids.text(row)
        for row in range(len(ids))
        if desk.session.snapshot.source_key_of_row(row) not in (None, SOURCE)
    )
    path = desk.session.vault.path
    with closing(sqlite3.connect(path)) as db, db:
        for memory_id, confidence in ((mine, 0.7), (other, 1.0)):
            db.execute("DELETE FROM memory_links WHERE ? IN (from_id, to_id)", (memory_id,))
            db.execute(
                "UPDATE memories SET type = 'fact', key = 'shared.key', content = ?, "
                "confidence = ?, archived_at = NULL WHERE id = ?",
                (f"It is {memory_id}.", confidence, memory_id),
            )
    with desk.qtbot.waitSignal(desk.session.vault_changed, timeout=10_000):
        pass
    desk.settle()
    return mine, other


def test_conflicts_that_come_and_go_are_told_with_their_reason(
    desk: Desk, clash: tuple[str, str], panel: MoversPanel
) -> None:
    mine, other = clash
    row, session = desk.session.snapshot.row_of(mine), desk.session
    assert row is not None
    stored = session.trust_of(SOURCE, committed=True)
    assert stored is not None
    is_open = session.committed_scores.confidence[row] >= 0.7
    preview(desk, panel, 0.0 if is_open else 1.0)
    assert (session.scores.confidence[row] >= 0.7) != is_open
    panel.show_page("conflicts")
    table = find(panel, KeyedTable, "conflictChangesTable")
    line = next(one for one in table.rows if one.key == f"{mine}\n{other}")
    assert line.texts[0] == ("− vanishes" if is_open else "+ appears")
    assert "same key shared.key" in line.texts[3]
    assert line.texts[3].startswith(SOURCE)
    sentence = find(panel, QLabel, "conflictChangesSentence").text()
    assert "both reach 0.70" in sentence
    table.set_current(None)
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    assert session.selected_id == table.rows[0].key.split("\n")[0]
    assert table.rows[0].texts[3] in find(panel, QLabel, "conflictChangesWhy").text()


@pytest.mark.parametrize(
    ("appear", "vanish", "said"),
    [
        (911, 0, "911 conflicts appear, none vanishes"),
        (0, 1, "1 conflict vanishes, none appears"),
        (1, 3, "1 conflict appears, 3 vanish"),
        (2, 1, "2 conflicts appear, 1 vanishes"),
    ],
)
def test_conflicts_are_counted_in_words(appear: int, vanish: int, said: str) -> None:
    assert count_changes(appear, vanish) == said


def test_no_conflict_that_moves_says_the_rule(desk: Desk, panel: MoversPanel) -> None:
    stored = desk.session.trust_of(SOURCE, committed=True)
    assert stored is not None
    preview(desk, panel, round(stored + 0.01, 2))
    panel.show_page("conflicts")
    assert find(panel, QLabel, "conflictChangesSentence").text().startswith("No conflict")


def test_searches_are_saved_shown_and_removed_without_touching_the_vault(
    desk: Desk, panel: MoversPanel
) -> None:
    session = desk.session
    before = session.vault.path.read_bytes()
    panel.show_page("searches")
    settle(desk, panel)
    assert empty_sentence(panel).startswith("No saved searches yet.")
    reach = find(panel, QLabel, "retrievalReach").text()
    assert reach.startswith("Trust, from 0 to 1, moves a memory in a search by at most 0.")
    field = find(panel, QLineEdit, "searchToSave")
    field.setFocus()
    desk.qtbot.keyClicks(field, "design review")
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(desk, panel)
    desk.settle()
    table = find(panel, KeyedTable, "searchesTable")
    desk.qtbot.waitUntil(lambda: [row.key for row in table.rows] == ["design review"])
    vault = session.vault
    assert read_searches(vault.companion, vault.brain.id) == ("design review",)
    preview(desk, panel, 0.0)
    assert "this preview by up to" in find(panel, QLabel, "retrievalReach").text()
    assert table.rows[0].texts[1] in ("no hits", "the same", "other order") or (
        "stay" in table.rows[0].texts[1]
    )
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    desk.qtbot.keyClick(table, Qt.Key.Key_Delete)
    desk.qtbot.waitUntil(lambda: not table.rows)
    assert session.vault.path.read_bytes() == before


def test_enter_on_a_saved_search_looks_for_it_in_the_list(desk: Desk, panel: MoversPanel) -> None:
    panel.show_page("searches")
    settle(desk, panel)
    find(panel, QLineEdit, "searchToSave").setText("slack")
    desk.qtbot.mouseClick(find(panel, QPushButton, "saveSearch"), Qt.MouseButton.LeftButton)
    table = find(panel, KeyedTable, "searchesTable")
    desk.qtbot.waitUntil(lambda: len(table.rows) == 1)
    assert not find(panel, IconButton, "removeSearch").isEnabled()
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    assert find(panel, IconButton, "removeSearch").isEnabled()
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    desk.settle()
    assert desk.session.filter_text == "slack"


def test_nothing_is_computed_while_nobody_looks(desk: Desk, panel: MoversPanel) -> None:
    panel.hide()
    desk.session.preview_trust(SOURCE, 0.0)
    desk.settle()
    assert not table_of(panel).rows
    panel.show()
    settle(desk, panel)
    assert table_of(panel).rows

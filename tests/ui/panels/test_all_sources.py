"""The table of all sources, on a real vault."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.ui.looking import Highlight
from mvdesk.ui.models.source_columns import SourceColumn
from mvdesk.ui.models.source_delegate import SourceDelegate
from mvdesk.ui.models.source_table import SourceTableModel
from mvdesk.ui.panels.sources import SourcesPanel
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.ui.widgets.trust_slider import TrustSlider
from mvdesk.vault.questions.source_facts import find_source_facts

from .conftest import find

if TYPE_CHECKING:
    from .conftest import Desk

SOURCE = "slack #design"


@pytest.fixture
def panel(desk: Desk) -> SourcesPanel:
    """All sources, one of them looked at."""
    made = desk.show(SourcesPanel, width=520, height=640)
    made.show_for("sources")
    desk.settle()
    desk.session.looking.set_source(SOURCE)
    return made


def _table(panel: SourcesPanel) -> TableView:
    return find(panel, TableView, "sourceTable")


def _model(panel: SourcesPanel) -> SourceTableModel:
    model = _table(panel).model()
    assert isinstance(model, SourceTableModel)
    return model


def _keys(panel: SourcesPanel) -> list[str | None]:
    model = _model(panel)
    return [model.key(row) for row in range(model.rowCount())]


def _cell(panel: SourcesPanel, key: str, column: int) -> str:
    return str(_model(panel).index(_keys(panel).index(key), column).data())


def test_every_source_has_a_row(desk: Desk, panel: SourcesPanel) -> None:
    assert sorted(map(str, _keys(panel))) == sorted(desk.session.snapshot.sources.keys)
    facts = find_source_facts(
        desk.session.snapshot, desk.session.committed_scores, desk.session.model
    )
    place = facts.keys.index(SOURCE)
    assert _cell(panel, SOURCE, SourceColumn.MEMORIES) == str(facts.active[place])
    assert _cell(panel, SOURCE, SourceColumn.MEAN) == f"{facts.confidence.mean[place]:.3f}"
    assert panel.header.detail() == f"{len(facts)} sources"


def test_the_source_looked_at_is_chosen_and_the_slider_is_its(
    desk: Desk, panel: SourcesPanel
) -> None:
    assert _model(panel).key(_table(panel).currentIndex().row()) == SOURCE
    assert find(panel, QLabel, "sourceName").text() == SOURCE  # type: ignore[attr-defined]
    desk.qtbot.keyClick(_table(panel), Qt.Key.Key_Down)
    chosen = desk.session.looking.source_key
    assert chosen != SOURCE
    assert _model(panel).key(_table(panel).currentIndex().row()) == chosen


@pytest.mark.parametrize(
    ("key", "modifier", "by"),
    [
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 0.01),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, -0.01),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, 0.05),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier, -0.05),
    ],
)
def test_the_sliders_keys_work_in_the_table(
    desk: Desk, panel: SourcesPanel, key: Qt.Key, modifier: Qt.KeyboardModifier, by: float
) -> None:
    stored = desk.session.trust_of(SOURCE)
    assert stored is not None
    table = _table(panel)
    table.setFocus()
    desk.qtbot.keyClick(table, key, modifier)
    assert desk.session.trust_of(SOURCE) == pytest.approx(stored + by)
    assert _cell(panel, SOURCE, SourceColumn.STATE) == "preview"
    desk.qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert desk.session.preview.is_empty
    assert _cell(panel, SOURCE, SourceColumn.STATE) == "set"
    desk.qtbot.keyClick(table, Qt.Key.Key_U)
    assert dict(desk.session.preview.trust) == {SOURCE: None}
    assert table.hasFocus()


def _handle(panel: SourcesPanel, key: str, trust: float) -> QPoint:
    """Where the table paints the handle of a source for a trust: found in its picture."""
    table = _table(panel)
    cell = table.visualRect(_model(panel).index(_keys(panel).index(key), SourceColumn.TRUST))
    delegate = table.itemDelegate()
    assert isinstance(delegate, SourceDelegate)
    groove = delegate.groove(_model(panel).source_row(_keys(panel).index(key)), cell)
    assert groove is not None
    return QPoint(round(groove.left() + groove.width() * trust), cell.center().y())


def test_a_handle_in_the_table_is_dragged_as_the_slider_is(desk: Desk, panel: SourcesPanel) -> None:
    session, view, key = desk.session, _table(panel).viewport(), "metrics dashboard"
    stored = session.trust_of(key)
    assert stored is not None
    assert session.looking.source_key != key
    desk.qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=_handle(panel, key, stored))
    assert session.looking.source_key == key
    assert session.preview.is_empty, "taking it moves nothing"
    desk.qtbot.mouseMove(view, _handle(panel, key, 0.2))
    assert session.trust_of(key) == pytest.approx(0.2, abs=0.03)
    below = _handle(panel, key, 0.1) + QPoint(0, 90)
    desk.qtbot.mouseMove(view, below)
    assert session.trust_of(key) == pytest.approx(0.1, abs=0.03)
    assert session.looking.source_key == key, "rows that the pointer passes stay unchosen"
    desk.qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=below)
    desk.qtbot.mouseMove(view, _handle(panel, key, 0.9))
    assert session.trust_of(key) == pytest.approx(0.1, abs=0.03), "let go"


def test_escape_while_a_handle_is_dragged_goes_back(desk: Desk, panel: SourcesPanel) -> None:
    session, table, key = desk.session, _table(panel), "metrics dashboard"
    session.set_preview({SOURCE: 0.05})
    stored = session.trust_of(key)
    assert stored is not None
    view = table.viewport()
    desk.qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=_handle(panel, key, stored))
    desk.qtbot.mouseMove(view, _handle(panel, key, 0.2))
    assert len(session.preview.trust) == 2
    desk.qtbot.keyClick(table, Qt.Key.Key_Escape)
    assert dict(session.preview.trust) == {SOURCE: 0.05}
    desk.qtbot.mouseMove(view, _handle(panel, key, 0.9))
    desk.qtbot.mouseRelease(view, Qt.MouseButton.LeftButton)
    assert dict(session.preview.trust) == {SOURCE: 0.05}


def test_a_press_beside_the_handle_only_chooses_the_row(desk: Desk, panel: SourcesPanel) -> None:
    session, view, key = desk.session, _table(panel).viewport(), "metrics dashboard"
    beside = _handle(panel, key, 0.0)
    desk.qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=beside)
    desk.qtbot.mouseMove(view, _handle(panel, key, 0.3))
    desk.qtbot.mouseRelease(view, Qt.MouseButton.LeftButton)
    assert session.looking.source_key == key
    assert session.preview.is_empty


def test_page_home_and_end_go_through_rows_in_the_table(desk: Desk, panel: SourcesPanel) -> None:
    table = _table(panel)
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_End)
    assert table.currentIndex().row() == _model(panel).rowCount() - 1
    desk.qtbot.keyClick(table, Qt.Key.Key_Home)
    assert table.currentIndex().row() == 0
    assert desk.session.preview.is_empty


def test_enter_goes_to_the_slider(desk: Desk, panel: SourcesPanel) -> None:
    table = _table(panel)
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    assert find(panel, TrustSlider, "trustSlider").hasFocus()


def test_previewed_values_are_those_of_the_facts(desk: Desk, panel: SourcesPanel) -> None:
    session = desk.session
    session.set_preview({SOURCE: 0.05, "metrics dashboard": 0.31})
    desk.settle()
    facts = find_source_facts(
        session.snapshot, session.scores, session.model, trust=session.overlay
    )
    columns = _model(panel).columns
    assert np.array_equal(columns.mean, facts.confidence.mean, equal_nan=True)
    assert np.array_equal(columns.leverage, facts.leverage)
    assert np.array_equal(columns.trust, facts.trust, equal_nan=True)
    session.discard_preview()
    assert _model(panel).columns is _model(panel).before


def test_the_order_holds_still_while_a_trust_moves(desk: Desk, panel: SourcesPanel) -> None:
    find(panel, Choice, "sourceSort").value_chosen.emit(str(int(SourceColumn.MEAN)))
    before = _keys(panel)
    desk.session.preview_trust(SOURCE, 0.0)
    desk.session.preview_trust("metrics dashboard", 1.0)
    desk.settle()
    assert _keys(panel) == before
    _table(panel).sort_requested.emit(int(SourceColumn.MEAN), True)
    means = [float(_model(panel).columns.mean[_model(panel).source_row(row)]) for row in range(4)]
    assert means == sorted(means, reverse=True)


def test_a_filter_narrows_the_table_and_says_when_nothing_fits(
    desk: Desk, panel: SourcesPanel
) -> None:
    field = find(panel, QLineEdit, "sourceFilter")
    panel.focus_filter()
    assert field.hasFocus()
    desk.qtbot.keyClicks(field, "slack")
    assert all("slack" in str(key) for key in _keys(panel))
    assert " of " in panel.header.detail()
    desk.qtbot.keyClicks(field, " nowhere")
    assert _keys(panel) == []
    assert "No source has these words" in find(panel, QLabel, "emptyStateText").text()
    assert find(panel, TrustSlider, "trustSlider").isVisible()
    assert desk.session.looking.source_key == SOURCE
    desk.qtbot.mouseClick(find(panel, QPushButton, "emptyStateAction"), Qt.MouseButton.LeftButton)
    assert len(_keys(panel)) == len(desk.session.snapshot.sources.keys)
    assert _model(panel).key(_table(panel).currentIndex().row()) == SOURCE


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Down])
def test_keys_after_a_filter_move_the_trust_of_what_was_found(
    desk: Desk, panel: SourcesPanel, key: Qt.Key
) -> None:
    assert desk.session.looking.source_key == SOURCE
    field, table = find(panel, QLineEdit, "sourceFilter"), _table(panel)
    panel.focus_filter()
    desk.qtbot.keyClicks(field, "metrics dash")
    assert SOURCE not in _keys(panel)
    desk.qtbot.keyClick(table, Qt.Key.Key_Right)  # nothing that is listed is chosen
    assert desk.session.preview.is_empty
    desk.qtbot.keyClick(field, key)
    assert table.hasFocus()
    assert desk.session.looking.source_key == "metrics dashboard"
    desk.qtbot.keyClick(table, Qt.Key.Key_Right)
    assert list(desk.session.preview.trust) == ["metrics dashboard"]


def test_a_selected_memory_leaves_the_source_looked_at_alone(
    desk: Desk, panel: SourcesPanel
) -> None:
    desk.select(desk.memory_of_source("metrics dashboard"))
    assert desk.session.looking.source_key == SOURCE
    panel.show_for("memories")
    desk.select(desk.memory_of_source("metrics dashboard", 1))
    panel.show_for("sources")
    assert desk.session.looking.source_key == "metrics dashboard"
    assert _model(panel).key(_table(panel).currentIndex().row()) == "metrics dashboard"


def test_source_evidence_chooses_the_row(desk: Desk, panel: SourcesPanel) -> None:
    memory_id = desk.memory_of_source("metrics dashboard")
    desk.select(memory_id)
    desk.session.looking.set_highlight(Highlight(memory_id, source=True))
    assert desk.session.looking.source_key == "metrics dashboard"


def test_a_note_is_a_step_that_undo_takes_back(desk: Desk, panel: SourcesPanel) -> None:
    session = desk.session
    place = session.snapshot.sources.keys.index(SOURCE)
    before = session.snapshot.sources.notes[place]
    desk.qtbot.mouseClick(find(panel, QPushButton, "sourceNoteEdit"), Qt.MouseButton.LeftButton)
    field = find(panel, QLineEdit, "sourceNoteField")
    field.selectAll()
    desk.qtbot.keyClicks(field, "Chat, quickly written")
    with desk.qtbot.waitSignal(session.vault_changed):
        desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.settle()
    assert session.snapshot.sources.notes[place] == "Chat, quickly written"
    assert "Chat, quickly written" in find(panel, QLabel, "sourceNote").text()
    assert session.undo_label == f"Annotate {SOURCE}"
    with desk.qtbot.waitSignal(session.vault_changed):
        session.undo()
    desk.settle()
    assert session.snapshot.sources.notes[place] == before


def test_a_source_without_a_stored_trust_takes_no_note(desk: Desk, panel: SourcesPanel) -> None:
    sources = desk.session.snapshot.sources
    unset = next(key for place, key in enumerate(sources.keys) if np.isnan(sources.trust[place]))
    desk.session.looking.set_source(unset)
    button = find(panel, QPushButton, "sourceNoteEdit")
    assert not button.isEnabled()
    assert "set one and apply it first" in button.toolTip()


def test_a_write_elsewhere_is_measured_again(desk: Desk, panel: SourcesPanel) -> None:
    desk.edit_outside("UPDATE brain_source_trust SET trust = 0.11 WHERE source_key = ?", SOURCE)
    assert _cell(panel, SOURCE, SourceColumn.TRUST) == "0.11"
    assert desk.session.looking.source_key == SOURCE


def test_an_outside_change_rebases_the_preview_and_says_so(desk: Desk, panel: SourcesPanel) -> None:
    session = desk.session
    said: list[str] = []
    session.notice.connect(said.append)
    session.set_preview({SOURCE: 0.05, "metrics dashboard": 0.31})
    desk.edit_outside("UPDATE brain_source_trust SET trust = 0.05 WHERE source_key = ?", SOURCE)
    assert dict(session.preview.trust) == {"metrics dashboard": 0.31}
    assert _cell(panel, SOURCE, SourceColumn.STATE) == "set"
    assert _cell(panel, "metrics dashboard", SourceColumn.STATE) == "preview"
    assert any("Your preview was kept" in text for text in said)


def test_a_thousand_slider_moves_leave_the_file_as_it_is(desk: Desk, panel: SourcesPanel) -> None:
    path = desk.session.vault.path

    def digest() -> bytes:
        return hashlib.sha256(path.read_bytes()).digest()

    before = digest()
    slider = find(panel, TrustSlider, "trustSlider")
    desk.qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    width = slider.width()
    for step in range(500):
        desk.qtbot.mouseMove(slider, QPoint(10 + (step * 37) % (width - 20), 10))
    desk.qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(30, 10))
    slider.setFocus()
    for step in range(500):
        desk.qtbot.keyClick(slider, Qt.Key.Key_Right if (step // 90) % 2 else Qt.Key.Key_Left)
    assert not desk.session.preview.is_empty
    desk.settle()
    assert digest() == before


def test_both_values_are_shown_on_request(desk: Desk, panel: SourcesPanel) -> None:
    desk.session.preview_trust(SOURCE, 0.05)
    desk.session.set_preview_view("split")
    assert _model(panel).is_split
    desk.session.set_preview_view("after")
    assert not _model(panel).is_split
    desk.session.set_preview_view("before")
    assert _cell(panel, SOURCE, SourceColumn.STATE) == "set"
    assert find(panel, TrustSlider, "trustSlider").trust == desk.session.trust_of(SOURCE)


def test_a_vault_that_is_closed_leaves_no_rows(desk: Desk, panel: SourcesPanel) -> None:
    desk.session.close_vault()
    assert _model(panel).rowCount() == 0 or not _table(panel).isVisible()
    assert desk.session.looking.source_key is None


@pytest.mark.parametrize("width", [280, 440, 620, 1000])
@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_columns_fit_into_the_panel(
    desk: Desk, panel: SourcesPanel, width: int, scale: float
) -> None:
    desk.theme.set_scale(scale)
    panel.resize(round(width * scale), 640)
    desk.qtbot.wait(20)
    table = _table(panel)
    shown = [c for c in SourceColumn if not table.isColumnHidden(c)]
    assert {SourceColumn.SOURCE, SourceColumn.TRUST} <= set(shown)
    assert sum(table.columnWidth(c) for c in shown) <= table.viewport().width()
    assert table.columnWidth(SourceColumn.SOURCE) >= 96 * scale


@pytest.mark.parametrize("column", SourceColumn)
def test_what_the_table_is_sorted_by_is_seen(
    desk: Desk, panel: SourcesPanel, column: SourceColumn
) -> None:
    panel.resize(400, 640)
    find(panel, Choice, "sourceSort").value_chosen.emit(str(int(column)))
    assert not _table(panel).isColumnHidden(column)


def test_counts_of_memories_leave_archived_ones_out(desk: Desk, panel: SourcesPanel) -> None:
    snapshot = desk.session.snapshot
    counts = zip(snapshot.sources.keys, snapshot.sources.counts, strict=True)
    active = dict(zip(snapshot.sources.keys, snapshot.active_per_source, strict=True))
    key = next(key for key, count in counts if 1 < active[key] < count)
    desk.session.looking.set_source(key)
    panel.findChild(TrustSlider).setValue(90)  # type: ignore[union-attr]
    desk.settle()
    texts = [label.text() for label in panel.findChildren(QLabel)]
    assert any(f"each of {active[key]:,} memories" in text for text in texts)
    assert _cell(panel, key, SourceColumn.MEMORIES) == f"{active[key]:,}"
    panel.show_for("memories")
    row = int(snapshot.rows_of_source(key)[0])
    desk.session.select(snapshot.memories.ids.text(row))
    desk.settle()
    assert _cell(panel, key, SourceColumn.MEMORIES) == f"{active[key]:,}"


def test_large_sources_follow_in_a_job_with_the_latest_value(
    desk: Desk, panel: SourcesPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.ui.source_watch.FRAME_MEMORIES", -1)
    session = desk.session
    for percent in range(40):
        session.preview_trust(SOURCE, percent / 100)
    facts = find_source_facts(
        session.snapshot, session.scores, session.model, trust=session.overlay
    )
    place = facts.keys.index(SOURCE)

    def is_measured() -> bool:
        columns = _model(panel).columns
        return bool(columns.trust[place] == 0.39)

    desk.qtbot.waitUntil(is_measured)
    desk.settle()
    mean = _model(panel).columns.mean
    assert np.array_equal(mean, facts.confidence.mean, equal_nan=True)
    session.discard_preview()
    desk.settle()
    assert _model(panel).columns is _model(panel).before

"""The source panel: moving trust is a preview, nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QAbstractItemModel, QPoint, QRect, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QScrollArea

from mvdesk.arrays import NO_TIME
from mvdesk.ui.panels.sources import SourcesPanel
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.ui.widgets.trust_control import TrustControl
from mvdesk.ui.widgets.trust_slider import TrustSlider

from .conftest import find

if TYPE_CHECKING:
    from mvdesk.vault.snapshot import Snapshot

    from .conftest import Desk

SOURCE = "slack #design"


def active_of(snapshot: Snapshot, key: str) -> int:
    rows = snapshot.rows_of_source(key)
    return int((snapshot.memories.archived_at[rows] == NO_TIME).sum())


def _row(panel: SourcesPanel) -> list[str]:
    """Name, number of memories, trust and state, as the only row says them."""
    model = find(panel, TableView, "sourceTable").model()
    assert isinstance(model, QAbstractItemModel)
    assert model.rowCount() == 1
    return [str(model.index(0, column).data()) for column in range(4)]


def _slider(panel: SourcesPanel) -> TrustSlider:
    return find(panel, TrustSlider, "trustSlider")


def _effect(panel: SourcesPanel) -> str:
    return panel.findChildren(TrustControl)[0].state_text()


def test_nothing_to_trust_without_a_selection(sources: SourcesPanel) -> None:
    assert "Select a memory" in find(sources, QLabel, "emptyStateText").text()


def test_the_selected_memorys_source_is_shown(desk: Desk, sources: SourcesPanel) -> None:
    desk.select(desk.memory_of_source(SOURCE))
    name, count, trust, state = _row(sources)
    assert name == SOURCE
    assert int(count) == active_of(desk.session.snapshot, SOURCE)
    stored = desk.session.trust_of(SOURCE)
    assert stored is not None
    assert float(trust) == pytest.approx(stored, abs=0.005)
    assert state == "set"
    assert f"each of {count} memories" in _effect(sources)


def test_arrow_keys_preview_and_write_nothing(desk: Desk, sources: SourcesPanel) -> None:
    desk.select(desk.memory_of_source(SOURCE))
    before = desk.session.vault.path.read_bytes()
    stored = desk.session.trust_of(SOURCE)
    assert stored is not None
    slider = _slider(sources)
    slider.setFocus()
    desk.qtbot.keyClick(slider, Qt.Key.Key_Right)
    desk.settle()
    assert desk.session.trust_of(SOURCE) == pytest.approx(stored + 0.01)
    assert desk.session.trust_of(SOURCE, committed=True) == stored
    assert _row(sources)[3] == "preview"
    assert desk.session.vault.path.read_bytes() == before
    desk.qtbot.keyClick(slider, Qt.Key.Key_Delete)
    desk.settle()
    assert desk.session.preview.is_empty
    assert _row(sources)[3] == "set"
    assert slider.hasFocus()


def test_unset_is_a_state_of_its_own(desk: Desk, sources: SourcesPanel) -> None:
    desk.select(desk.memory_of_source(SOURCE))
    slider = _slider(sources)
    slider.setFocus()
    desk.qtbot.keyClick(slider, Qt.Key.Key_U)
    desk.settle()
    assert dict(desk.session.preview.trust) == {SOURCE: None}
    assert find(sources, QLineEdit, "trustValue").text() == "not set"
    assert "In total no effect" in _effect(sources)
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.apply_preview()
    desk.settle()
    assert _row(sources)[2:4] == ["not set", "not set"]


def _set_trust(desk: Desk, trust: float) -> None:
    desk.session.preview_trust(SOURCE, trust)
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.apply_preview()
    desk.settle()


def test_the_effect_is_said_in_score_points(desk: Desk, sources: SourcesPanel) -> None:
    desk.select(desk.memory_of_source(SOURCE))
    _set_trust(desk, 0.2)
    count = active_of(desk.session.snapshot, SOURCE)
    said = f"−0.120 confidence, −0.042 importance for each of {count} memories"
    assert _effect(sources) == said


def test_a_preview_says_the_change_against_what_is_stored(
    desk: Desk, sources: SourcesPanel
) -> None:
    desk.select(desk.memory_of_source(SOURCE))
    _set_trust(desk, 0.85)
    session = desk.session
    count = active_of(session.snapshot, SOURCE)
    session.preview_trust(SOURCE, 0.72)
    desk.settle()
    assert session.preview.clamped == 2
    assert _effect(sources) == (
        f"Preview 0.85 → 0.72: −0.052 confidence, −0.018 importance for each of {count} memories, "
        "2 of which cannot move. In total +0.088 confidence, +0.031 importance."
    )
    session.preview_trust(SOURCE, None)
    desk.settle()
    assert session.preview.clamped == 1
    assert _effect(sources) == (
        f"Preview 0.85 → not set: −0.140 confidence, −0.049 importance for each of {count} "
        "memories, 1 of which cannot move. In total no effect."
    )
    _set_trust(desk, 0.5)
    session.preview_trust(SOURCE, None)
    desk.settle()
    said = f"Preview 0.50 → not set: changes nothing for any of {count} memories"
    assert _effect(sources) == said
    session.preview_trust(SOURCE, 0.6)
    desk.settle()
    assert _effect(sources).count("confidence") == 1, "the change is all of it"


def test_memories_at_a_limit_are_said_not_to_move(desk: Desk, sources: SourcesPanel) -> None:
    session = desk.session
    for row in session.snapshot.rows_of_source(SOURCE)[:4]:
        memory_id = session.snapshot.memories.ids[int(row)]
        desk.edit_outside("UPDATE memories SET confidence = 1.0 WHERE id = ?", memory_id)
    desk.select(desk.memory_of_source(SOURCE))
    _set_trust(desk, 0.9)
    session.preview_trust(SOURCE, 1.0)
    desk.settle()
    stuck = session.preview.clamped
    assert stuck > 0
    before, after = session.committed_scores.confidence, session.scores.confidence
    archived_at = session.snapshot.memories.archived_at
    assert stuck == sum(
        before[row] == after[row]
        for row in session.snapshot.rows_of_source(SOURCE)
        if archived_at[row] == NO_TIME
    )
    assert f"memories, {stuck} of which cannot move." in _effect(sources)


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_what_is_said_about_a_source_is_never_cut(
    desk: Desk, sources: SourcesPanel, scale: float
) -> None:
    desk.theme.set_scale(scale)
    desk.edit_outside("UPDATE brain_source_trust SET notes = ?", "Chat, quickly written. " * 6)
    desk.select(desk.memory_of_source(SOURCE))
    desk.session.preview_trust(SOURCE, 0.2)
    sources.resize(round(280 * scale), round(150 * scale))
    desk.settle()
    desk.qtbot.wait(30)
    labels = [sources.findChildren(TrustControl)[0]._state, find(sources, QLabel, "sourceNote")]
    for label in labels:
        assert label.isVisible()
        assert label.height() >= label.heightForWidth(label.width())
    content = find(sources, QScrollArea, "sourceScroll").widget()
    assert content is not None
    spots = [QRect(label.mapTo(content, QPoint()), label.size()) for label in labels]
    assert not spots[0].intersects(spots[1])
    assert all(content.rect().contains(spot) for spot in spots)


def test_a_number_can_be_typed(desk: Desk, sources: SourcesPanel) -> None:
    desk.select(desk.memory_of_source(SOURCE))
    box = find(sources, QLineEdit, "trustValue")
    box.setFocus()
    box.selectAll()
    desk.qtbot.keyClicks(box, "0.2")
    desk.qtbot.keyClick(box, Qt.Key.Key_Return)
    desk.settle()
    assert desk.session.trust_of(SOURCE) == 0.2
    assert _slider(sources).value() == 20


def test_a_memory_without_a_source_says_so(desk: Desk, sources: SourcesPanel) -> None:
    snapshot = desk.session.snapshot
    row = next(
        row for row in range(len(snapshot.memories)) if snapshot.source_key_of_row(row) is None
    )
    desk.select(snapshot.memories.ids[row])
    assert not _slider(sources).isEnabled()
    assert "names no source" in _effect(sources)
    assert _row(sources)[0] == "No source"
    desk.select(desk.memory_of_source(SOURCE))
    assert _slider(sources).isEnabled()


def test_the_preview_survives_another_selection(desk: Desk, sources: SourcesPanel) -> None:
    desk.select(desk.memory_of_source(SOURCE))
    desk.session.preview_trust(SOURCE, 0.9)
    desk.settle()
    other = next(key for key in desk.session.snapshot.sources.keys if key != SOURCE)
    desk.select(desk.memory_of_source(other))
    assert _row(sources)[0] == other
    desk.select(desk.memory_of_source(SOURCE))
    assert _slider(sources).value() == 90
    assert _row(sources)[3] == "preview"


def test_discarding_brings_the_handle_back(desk: Desk, sources: SourcesPanel) -> None:
    desk.select(desk.memory_of_source(SOURCE))
    slider = _slider(sources)
    before = slider.value()
    slider.setFocus()
    for _ in range(5):
        desk.qtbot.keyClick(slider, Qt.Key.Key_PageUp)
    assert slider.value() != before
    desk.session.discard_preview()
    desk.settle()
    assert slider.value() == before


def test_a_note_is_shown(desk: Desk, sources: SourcesPanel) -> None:
    notes = desk.session.snapshot.sources.notes
    place = next(place for place, note in enumerate(notes) if note)
    key = desk.session.snapshot.sources.keys[place]
    desk.select(desk.memory_of_source(key))
    assert notes[place] in find(sources, QLabel, "sourceNote").text()


def test_the_panel_fits_its_smallest_dock(desk: Desk) -> None:
    panel = desk.show(SourcesPanel, width=280, height=200)
    desk.select(desk.memory_of_source(SOURCE))
    assert panel.width() == 280
    assert panel.minimumSizeHint().width() <= 280

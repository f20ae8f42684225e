"""Why is this low, and what would help: through the whole window, with real events."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QPushButton, QTableView, QWidget

from mvdesk.ui.export_dialog import ExportDialog
from mvdesk.ui.models.memory_table import Column
from mvdesk.ui.panels.explain import ExplainPanel
from mvdesk.ui.plots.graph_scene import GraphView
from mvdesk.ui.plots.waterfall import Waterfall
from mvdesk.ui.settings import ExplainView, PictureChoice
from mvdesk.ui.theme import DARK
from mvdesk.ui.widgets.lever_card import LeverCard
from mvdesk.ui.widgets.marked_text import MarkedLine, MarkedText

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeVar

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from tests.fakes import FakeFileDialogs

    AnyWidget = TypeVar("AnyWidget", bound=QWidget)


def _find(desk: Desk, kind: type[AnyWidget], name: str) -> AnyWidget:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def _settle(qtbot: QtBot, desk: Desk) -> None:
    panel = _find(desk, ExplainPanel, "explainPanel")
    qtbot.waitUntil(lambda: desk.session.jobs.is_idle() and panel.is_settled)


def _select(qtbot: QtBot, desk: Desk, row: int) -> str:
    memory_id = desk.session.snapshot.memories.ids.text(row)
    desk.session.select(memory_id)
    _settle(qtbot, desk)
    return memory_id


def _click_bar(qtbot: QtBot, desk: Desk, kind: str, name: str) -> Waterfall:
    plot = _find(desk, Waterfall, f"{kind}Waterfall")
    plot.setFocus()
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.row_rect(name).center())
    return plot


def _trigger(qtbot: QtBot, desk: Desk, name: str) -> None:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    assert action.isEnabled(), name
    action.trigger()
    _settle(qtbot, desk)


def test_a_word_that_scores_is_marked_where_it_is_written(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    inputs = session.snapshot.inputs(session.model)
    _select(qtbot, open_desk, int(inputs.certainty_hits.argmax()))
    plot = _click_bar(qtbot, open_desk, "confidence", "certainty_signal")
    content = _find(open_desk, MarkedText, "editorContent")
    marked = [selection.cursor.selectedText() for selection in content.extraSelections()]
    fields = [_find(open_desk, MarkedLine, name) for name in ("editorTitle", "editorTags")]
    assert marked or any(field.marks for field in fields)
    lists = session.model.keywords.certainty
    assert all(word.lower() in lists for word in marked)
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert not content.extraSelections()


def test_links_that_score_stand_out_in_the_graph(qtbot: QtBot, open_desk: Desk) -> None:
    row = int(open_desk.session.snapshot.link_counts[:, 2].argmax())
    _select(qtbot, open_desk, row)
    _click_bar(qtbot, open_desk, "confidence", "contradiction_penalty")
    view = _find(open_desk, GraphView, "graphView")
    edges = view.lit_edges
    assert edges is not None
    lit = {name for name, on in zip(view.picture.relations, edges.tolist(), strict=True) if on}
    assert lit == {"contradicts"}
    assert edges.sum() == open_desk.session.snapshot.link_counts[row, 2]


def test_a_source_that_scores_is_marked_in_its_panel(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    key = session.snapshot.sources.keys[0]
    _select(qtbot, open_desk, int(session.snapshot.rows_of_source(key)[0]))
    session.preview_trust(key, 0.1)
    _settle(qtbot, open_desk)
    _click_bar(qtbot, open_desk, "confidence", "source_trust_delta")
    table = _find(open_desk, QTableView, "sourceTable")
    assert table.selectionModel().hasSelection()
    _trigger(qtbot, open_desk, "goToChange")
    focus = QApplication.focusWidget()
    assert focus is not None
    assert _find(open_desk, QWidget, "sourcesPanel").isAncestorOf(focus)
    session.discard_preview()


def test_a_double_click_leads_into_the_editor(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    inputs = session.snapshot.inputs(session.model)
    _select(qtbot, open_desk, int(inputs.hedge_hits.argmax()))
    plot = _find(open_desk, Waterfall, "confidenceWaterfall")
    where = plot.row_rect("hedge_penalty").center()
    qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=where)
    content = _find(open_desk, QPlainTextEdit, "editorContent")
    assert content.hasFocus()
    assert content.textCursor().selectedText().lower() in session.model.keywords.hedge


def test_the_queue_of_low_memories(qtbot: QtBot, open_desk: Desk) -> None:
    session, everything = open_desk.session, len(open_desk.session.order)
    chip = _find(open_desk, QPushButton, "lowForType")
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    _settle(qtbot, open_desk)
    assert 0 < len(session.order) < everything / 2
    assert open_desk.window.findChild(QAction, "lowForTypeAction").isChecked()
    low = [session.snapshot.memories.ids.text(int(row)) for row in session.order]
    _trigger(qtbot, open_desk, "lowForType")
    assert len(session.order) == everything
    assert not chip.isChecked()
    session.select(session.snapshot.memories.ids.text(int(session.order[0])))
    list_ = _find(open_desk, QTableView, "memoryList")
    list_.setFocus()
    qtbot.keyClick(list_, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert session.selected_id == low[0]
    qtbot.keyClick(list_, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert session.selected_id == low[1]
    qtbot.keyClick(list_, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert session.selected_id == low[0]


def test_the_list_of_memories_that_a_component_lowers(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    _select(qtbot, open_desk, int(session.snapshot.link_counts[:, 2].argmax()))
    _click_bar(qtbot, open_desk, "confidence", "contradiction_penalty")
    _trigger(qtbot, open_desk, "belowZero")
    assert all(session.snapshot.link_counts[int(row), 2] for row in session.order)
    chip = _find(open_desk, QPushButton, "belowZero")
    assert chip.isVisible()
    assert "Contradiction below zero" in chip.text()
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    _settle(qtbot, open_desk)
    assert session.only is None
    assert not chip.isVisible()


def test_what_would_raise_it_is_a_key_away_and_applied_with_another(
    qtbot: QtBot, open_desk: Desk
) -> None:
    session = open_desk.session
    panel = _find(open_desk, ExplainPanel, "explainPanel")
    key = session.snapshot.sources.keys[0]
    for row in session.snapshot.rows_of_source(key).tolist():
        _select(qtbot, open_desk, row)
        answer = panel._watch.answer
        if answer and any(lever.families == ("trust",) for lever in answer.levers):
            break
    list_ = _find(open_desk, QTableView, "memoryList")
    list_.setFocus()
    qtbot.keyClick(list_, Qt.Key.Key_W)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert _find(open_desk, QWidget, "whatIf").isAncestorOf(focus)
    answer = panel._watch.answer
    assert answer is not None
    lever = next(lever for lever in answer.levers if lever.families == ("trust",))
    card = next(
        card
        for card in panel.what_if.findChildren(LeverCard)
        if not card.isHidden() and not card.try_button.isHidden() and card.go_button.isHidden()
    )
    card.try_button.setFocus()
    qtbot.keyClick(card.try_button, Qt.Key.Key_Space)
    _settle(qtbot, open_desk)
    assert session.committed_scores is not session.scores
    _trigger(qtbot, open_desk, "applyPreview")
    row = session.selected_row
    assert session.scores.confidence[row] == lever.after.confidence
    assert session.scores.importance[row] == lever.after.importance


def test_pinning_and_swapping_by_keys(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    one = _select(qtbot, open_desk, int(session.order[0]))
    list_ = _find(open_desk, QTableView, "memoryList")
    list_.setFocus()
    qtbot.keyClick(list_, Qt.Key.Key_P)
    assert session.looking.pinned_id == one
    qtbot.keyClick(list_, Qt.Key.Key_Down)
    _settle(qtbot, open_desk)
    other = session.selected_id
    qtbot.keyClick(list_, Qt.Key.Key_X)
    _settle(qtbot, open_desk)
    assert (session.selected_id, session.looking.pinned_id) == (one, other)
    qtbot.keyClick(list_, Qt.Key.Key_P)
    assert session.looking.pinned_id is None


def test_letters_typed_into_a_field_are_no_commands(qtbot: QtBot, open_desk: Desk) -> None:
    _select(qtbot, open_desk, int(open_desk.session.order[0]))
    search = _find(open_desk, QWidget, "searchBox")
    search.setFocus()
    qtbot.keyClicks(search, "pgtwzx")
    assert open_desk.session.looking.pinned_id is None
    assert open_desk.session.filter_text == "pgtwzx"
    _settle(qtbot, open_desk)


@pytest.mark.qt_log_ignore("This plugin does not support")  # popups, on a display of none
@pytest.mark.parametrize(
    ("column", "kind"), [(Column.CONFIDENCE, "confidence"), (Column.IMPORTANCE, "importance")]
)
def test_a_score_of_the_list_can_be_asked_why(
    qtbot: QtBot, open_desk: Desk, column: Column, kind: str
) -> None:
    _select(qtbot, open_desk, int(open_desk.session.order[0]))
    panel = _find(open_desk, ExplainPanel, "explainPanel")
    panel.set_view(ExplainView(which="confidence"))
    list_ = _find(open_desk, QTableView, "memoryList")
    list_.setColumnHidden(column, False)
    cell = list_.model().index(3, column)
    list_.customContextMenuRequested.emit(list_.visualRect(cell).center())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    score = getattr(open_desk.session.scores, kind)[int(open_desk.session.order[3])]
    assert menu.actions()[0].text() == f"Why is its {kind} {score:.2f}?"
    menu.actions()[0].trigger()
    menu.close()
    _settle(qtbot, open_desk)
    assert open_desk.session.selected_row == int(open_desk.session.order[3])
    plot = _find(open_desk, Waterfall, f"{kind}Waterfall")
    assert plot.isVisible()
    assert open_desk.window.focusWidget() is plot


def _open_export(qtbot: QtBot, desk: Desk) -> ExportDialog:
    _trigger(qtbot, desk, "exportPicture")
    return _find(desk, ExportDialog, "exportDialog")


@pytest.mark.parametrize(
    ("kind", "head"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_a_picture_is_exported(
    qtbot: QtBot, open_desk: Desk, files: FakeFileDialogs, tmp_path: Path, kind: str, head: bytes
) -> None:
    _select(qtbot, open_desk, int(open_desk.session.order[0]))
    files.answer = tmp_path / f"why.{kind}"
    dialog = _open_export(qtbot, open_desk)
    dialog.set_choice(PictureChoice(kind, 3, "print"), "both")  # type: ignore[arg-type]
    qtbot.mouseClick(_button(dialog, "exportSave"), Qt.MouseButton.LeftButton)
    assert files.answer.read_bytes().startswith(head)
    qtbot.waitUntil(lambda: open_desk.window.findChild(ExportDialog, "exportDialog") is None)
    again = _open_export(qtbot, open_desk)
    assert again.choice == PictureChoice(kind, 3, "print")  # type: ignore[arg-type]
    again.reject()


def test_a_picture_that_can_not_be_written_is_explained(
    qtbot: QtBot, open_desk: Desk, files: FakeFileDialogs, tmp_path: Path
) -> None:
    _select(qtbot, open_desk, int(open_desk.session.order[0]))
    said: list[str] = []
    open_desk.session.messages.attach(None)
    open_desk.session.messages.shown.connect(lambda kind, _text: said.append(kind))
    dialog = _open_export(qtbot, open_desk)
    qtbot.mouseClick(_button(dialog, "exportSave"), Qt.MouseButton.LeftButton)
    assert dialog.isVisible()  # no file was named: it waits for another try
    files.answer = tmp_path / "no such folder" / "why.png"
    qtbot.mouseClick(_button(dialog, "exportSave"), Qt.MouseButton.LeftButton)
    assert said == ["error"]


def test_a_picture_is_copied_in_one_key(qtbot: QtBot, open_desk: Desk) -> None:
    _select(qtbot, open_desk, int(open_desk.session.order[0]))
    _trigger(qtbot, open_desk, "copyPicture")
    whole = QApplication.clipboard().image()
    assert whole.width() > 1000
    dialog = _open_export(qtbot, open_desk)
    dialog.set_choice(PictureChoice("png", 1, "dark"), "confidence")
    qtbot.mouseClick(_button(dialog, "exportCopy"), Qt.MouseButton.LeftButton)
    one = QApplication.clipboard().image()
    assert one.height() < whole.height() / 2
    assert one.pixelColor(2, 2) == QColor(DARK.surface)


def test_how_scores_are_shown_is_remembered(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    _select(qtbot, open_desk, int(open_desk.session.order[0]))
    panel = _find(open_desk, ExplainPanel, "explainPanel")
    for name in ("byCause", "zoomAxis", "asTable"):
        _trigger(qtbot, open_desk, name)
    panel.set_view(replace(panel.view, which="importance", order="negatives"))
    open_desk.window.close()
    later = make_window()
    with qtbot.waitSignal(later.window.panels_ready, timeout=15_000):
        later.window.open_vault(brain_file)
    _settle(qtbot, later)
    again = _find(later, ExplainPanel, "explainPanel")
    assert again.view == ExplainView("importance", "negatives", True, True, True)
    assert all(
        later.window.findChild(QAction, f"{name}Action").isChecked()  # type: ignore[union-attr]
        for name in ("byCause", "zoomAxis", "asTable")
    )
    assert _find(later, QTableView, "importanceTable").isVisible()
    assert not _find(later, QTableView, "confidenceTable").isVisible()
    later.window.findChild(QAction, "byCauseAction").trigger()  # type: ignore[union-attr]
    _settle(qtbot, later)
    sizes = [
        row.end - row.start
        for row in _find(later, Waterfall, "importanceWaterfall").rows
        if row.kind == "component"
    ]
    assert sizes == sorted(sizes)


def _button(dialog: QWidget, name: str) -> QPushButton:
    found = dialog.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found

"""Before, after and both: what the window shows of a preview, and how it is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMessageBox, QPushButton, QSlider, QTableView, QWidget

from mvdesk.ui.preview import THRESHOLD
from mvdesk.ui.widgets.preview_bar import PreviewBar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

SOURCE = "slack #design"
W = TypeVar("W", bound=QWidget)


def _find(desk: Desk, kind: type[W], name: str) -> W:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def _trigger(desk: Desk, name: str) -> None:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    action.trigger()


def _preview_a_source(qtbot: QtBot, desk: Desk) -> None:
    """Select a memory of the source and try a low trust."""
    session = desk.session
    row = int(session.snapshot.rows_of_source(SOURCE)[0])
    session.select(session.snapshot.memories.ids[row])
    qtbot.waitUntil(session.jobs.is_idle)
    session.preview_trust(SOURCE, 0.05)


def test_b_held_shows_before_and_releases_back(qtbot: QtBot, open_desk: Desk) -> None:
    desk, session = open_desk, open_desk.session
    _preview_a_source(qtbot, desk)
    tried, order = session.scores.confidence.copy(), session.order.copy()
    table = _find(desk, QTableView, "memoryList")
    slider = _find(desk, QSlider, "trustSlider")
    bar = _find(desk, PreviewBar, "previewBar")
    table.setFocus()
    qtbot.keyPress(table, Qt.Key.Key_B)
    assert session.is_before
    assert np.array_equal(session.scores.confidence, session.committed_scores.confidence)
    assert session.trust_of(SOURCE) == session.trust_of(SOURCE, committed=True)
    assert slider.value() == round(100 * (session.trust_of(SOURCE) or 0.5))
    assert not np.array_equal(session.order, order)
    assert "before" in bar.text()
    assert not session.preview.is_empty
    qtbot.keyRelease(table, Qt.Key.Key_B)
    assert not session.is_before
    assert np.array_equal(session.scores.confidence, tried)
    assert np.array_equal(session.order, order)
    assert slider.value() == 5


def test_the_letter_in_a_text_field_is_a_letter(qtbot: QtBot, open_desk: Desk) -> None:
    _preview_a_source(qtbot, open_desk)
    search = _find(open_desk, QWidget, "searchBox")
    search.setFocus()
    qtbot.keyPress(search, Qt.Key.Key_B)
    assert not open_desk.session.is_before
    qtbot.keyRelease(search, Qt.Key.Key_B)


def test_a_peek_ends_with_the_next_key_or_click(qtbot: QtBot, open_desk: Desk) -> None:
    _preview_a_source(qtbot, open_desk)
    table = _find(open_desk, QTableView, "memoryList")
    _trigger(open_desk, "peekBefore")  # from the menu: no key is held
    assert open_desk.session.is_before
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert not open_desk.session.is_before
    _trigger(open_desk, "peekBefore")
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert not open_desk.session.is_before


def test_before_stays_until_another_view_or_a_move(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    _preview_a_source(qtbot, open_desk)
    bar = _find(open_desk, PreviewBar, "previewBar")
    _trigger(open_desk, "viewBefore")
    assert session.is_before
    assert bar.views.value == "before"
    _trigger(open_desk, "viewAfter")
    assert not session.is_before
    _trigger(open_desk, "viewBefore")
    session.preview_trust(SOURCE, 0.06)
    assert not session.is_before
    assert session.preview_view == "after"
    assert bar.views.value == "after"
    assert session.trust_of(SOURCE) == 0.06


def test_a_discarded_preview_ends_before_and_keeps_both(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    _preview_a_source(qtbot, open_desk)
    session.set_preview_view("before")
    session.discard_preview()
    assert session.preview_view == "after"
    _preview_a_source(qtbot, open_desk)
    session.set_preview_view("split")
    session.discard_preview()
    assert session.preview_view == "split"


def test_without_a_preview_there_is_no_before(open_desk: Desk) -> None:
    open_desk.session.set_preview_view("before")
    open_desk.session.peek(on=True)
    assert not open_desk.session.is_before
    assert open_desk.session.preview_view == "after"


def test_discarding_more_than_three_asks(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    keys = session.snapshot.sources.keys[:4]
    for key in keys[:3]:
        session.preview_trust(key, 0.11)
    _trigger(open_desk, "discardPreview")
    assert session.preview.is_empty
    for key in keys:
        session.preview_trust(key, 0.11)
    button = _find(open_desk, QPushButton, "discardPreview")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    box = _find(open_desk, QMessageBox, "discardQuestion")
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Cancel), Qt.MouseButton.LeftButton)
    assert len(session.preview.trust) == 4
    _trigger(open_desk, "discardPreview")
    box = next(b for b in open_desk.window.findChildren(QMessageBox) if b.isVisible())
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Discard), Qt.MouseButton.LeftButton)
    assert session.preview.is_empty


def test_escape_during_a_drag_takes_back_the_drag_alone(qtbot: QtBot, open_desk: Desk) -> None:
    desk, session = open_desk, open_desk.session
    _preview_a_source(qtbot, desk)
    session.preview_trust("hearsay", 0.9)
    slider = _find(desk, QSlider, "trustSlider")
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 2, 10))
    qtbot.mouseMove(slider, QPoint(slider.width() * 3 // 4, 10))
    assert session.trust_of(SOURCE) != 0.05
    qtbot.keyClick(slider, Qt.Key.Key_Escape)
    assert dict(session.preview.trust) == {SOURCE: 0.05, "hearsay": 0.9}
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() * 3 // 4, 10))
    assert dict(session.preview.trust) == {SOURCE: 0.05, "hearsay": 0.9}


# The threshold


def test_the_bar_counts_who_crosses_the_threshold(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    _preview_a_source(qtbot, open_desk)
    rows = session.snapshot.rows_of_source(SOURCE)
    before = session.committed_scores.confidence[rows]
    after = session.scores.confidence[rows]
    line = float((before[0] + after[0]) / 2)
    with qtbot.waitSignals([session.threshold_changed, session.preview_changed]):
        session.set_threshold(line)
    assert session.preview.crossing >= 1
    assert f"cross {line:.2f}" in _find(open_desk, PreviewBar, "previewBar").text()


def test_the_threshold_of_a_vault_is_remembered(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    assert open_desk.session.threshold == THRESHOLD
    open_desk.session.set_threshold(0.55)
    open_desk.window.close()
    second = make_window()
    with qtbot.waitSignal(second.session.threshold_changed):
        second.window.open_vault(brain_file)
    assert second.session.threshold == 0.55
    second.session.open_demo(brain_file.parent / "demo.sqlite")
    qtbot.waitUntil(lambda: second.session.threshold == THRESHOLD)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_a_threshold_that_is_none_is_refused(open_desk: Desk, wrong: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        open_desk.session.set_threshold(wrong)


def test_a_preview_replaced_as_a_whole(open_desk: Desk) -> None:
    session = open_desk.session
    session.preview_trust(SOURCE, 0.05)
    stored = session.trust_of("hearsay", committed=True)
    session.set_preview({"metrics dashboard": 0.31, "hearsay": stored, "no such source": 0.2})
    assert "no such source" not in session.preview.trust
    assert "hearsay" not in session.preview.trust
    assert SOURCE not in session.preview.trust
    session.set_preview({})
    assert session.preview.is_empty


def test_a_list_behind_a_tab_is_in_order_when_it_comes_forward(
    qtbot: QtBot, open_desk: Desk
) -> None:
    desk, session = open_desk, open_desk.session
    desk.window.workspace.show("sources")
    qtbot.waitUntil(lambda: desk.window.is_complete)
    qtbot.wait(30)
    _preview_a_source(qtbot, desk)
    desk.window.workspace.bring_up("memories")
    table = _find(desk, QTableView, "memoryList")

    def shown() -> list[object]:
        model = table.model()
        return [model.index(row, 0).data(Qt.ItemDataRole.UserRole + 1) for row in range(20)]

    wanted = [session.snapshot.memories.ids[int(row)] for row in session.order[:20]]
    qtbot.waitUntil(lambda: shown() == wanted)

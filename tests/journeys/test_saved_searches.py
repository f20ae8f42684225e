"""Saved searches in the rail and the slider for scores, with real keys and clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton

from mvdesk.ui.widgets.least_score import LeastScore
from mvdesk.ui.widgets.query_field import QueryField
from mvdesk.ui.widgets.rail_searches import RailSearches
from mvdesk.vault.operations.edit import plan_add

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from mvdesk.ui.panels.search_bar import SearchBar


def _rail(desk: Desk) -> RailSearches:
    found = desk.window.findChild(RailSearches, "railSearches")
    assert isinstance(found, RailSearches)
    return found


def _settle(qtbot: QtBot, desk: Desk) -> None:
    qtbot.waitUntil(desk.session.jobs.is_idle)


def _tiles(desk: Desk) -> list[QToolButton]:
    found = _rail(desk).findChildren(QToolButton, "railSearch")
    return [tile for tile in found if tile.isVisible()]


def _save(qtbot: QtBot, desk: Desk, *searches: tuple[str, str]) -> None:
    bar: SearchBar = desk.window._memories.search
    for text, name in searches:
        bar.memory.save(text, name)
        _settle(qtbot, desk)


def _trigger(desk: Desk, name: str) -> None:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    action.trigger()


@pytest.fixture
def desk(qtbot: QtBot, make_window: Callable[[], Desk], brain_file: Path) -> Desk:
    desk = make_window()
    with qtbot.waitSignal(desk.session.vault_opened):
        desk.window.open_vault(brain_file)
    qtbot.waitUntil(lambda: desk.window.is_complete and desk.session.jobs.is_idle(), timeout=15_000)
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    return desk


def test_saved_searches_stand_in_the_rail_with_their_counts(qtbot: QtBot, desk: Desk) -> None:
    session = desk.session
    assert _tiles(desk) == []
    _save(qtbot, desk, ("type:fact", "Facts"), ("no:source", ""))
    facts, bare = _tiles(desk)
    session.set_filter("type:fact")
    _settle(qtbot, desk)
    assert facts.accessibleName() == f"Saved search Facts, {len(session.order)} memories"
    assert facts.isChecked()
    assert not bare.isChecked()
    assert bare.accessibleDescription() == "no:source"


def test_keys_alone_choose_a_saved_search_and_leave_it_again(qtbot: QtBot, desk: Desk) -> None:
    _save(qtbot, desk, ("type:fact", "Facts"), ("no:source", "No source"))
    qtbot.keyClick(
        desk.window,
        Qt.Key.Key_G,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    first, second = _tiles(desk)
    assert QApplication.focusWidget() is first
    qtbot.keyClick(first, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is second
    qtbot.keyClick(second, Qt.Key.Key_Return)
    _settle(qtbot, desk)
    assert desk.session.filter_text == "no:source"
    focus = QApplication.focusWidget()
    assert focus is not None
    assert focus.objectName() == "memoryList"
    _trigger(desk, "goToSavedSearches")
    assert QApplication.focusWidget() is second, "the one that is listed"
    qtbot.keyClick(second, Qt.Key.Key_Space)
    _settle(qtbot, desk)
    assert desk.session.filter_text == ""
    assert not second.isChecked()


def test_another_workspace_goes_to_the_list(qtbot: QtBot, desk: Desk) -> None:
    _save(qtbot, desk, ("type:fact", "Facts"))
    _trigger(desk, "upkeepWorkspace")
    _settle(qtbot, desk)
    qtbot.mouseClick(_tiles(desk)[0], Qt.MouseButton.LeftButton)
    _settle(qtbot, desk)
    assert desk.session.filter_text == "type:fact"
    assert desk.window._memories.isVisible()


def test_a_write_counts_saved_searches_again(qtbot: QtBot, desk: Desk, now: int) -> None:
    _save(qtbot, desk, ("zebra", "Zebras"))
    (tile,) = _tiles(desk)
    assert tile.accessibleName() == "Saved search Zebras, 0 memories"
    fields = {"content": "A zebra in the text alone."}
    desk.session.write("add", lambda v: plan_add(v.brain.id, fields, now=now, memory_id="z"))
    qtbot.waitUntil(lambda: tile.accessibleName() == "Saved search Zebras, 1 memory")


def test_what_has_no_room_in_the_rail_is_in_its_menu(qtbot: QtBot, desk: Desk) -> None:
    desk.window.resize(1024, 680)
    names = [f"Number {number}" for number in range(12)]
    _save(qtbot, desk, *((f"word{number}", name) for number, name in enumerate(names)))
    rail = _rail(desk)
    more = rail.findChild(QToolButton, "railMoreSearches")
    assert more is not None
    qtbot.waitUntil(more.isVisible)
    shown = len(_tiles(desk))
    assert 3 <= shown < 12
    assert rail.shown == names[:shown]
    assert more.accessibleName() == f"{12 - shown} more saved searches"
    assert more.geometry().bottom() <= rail.height()
    desk.window.resize(1440, 1000)
    qtbot.waitUntil(lambda: len(_tiles(desk)) == 12)
    assert not more.isVisible()
    head = rail.findChild(QToolButton, "railSearchMenu")
    assert head is not None
    menu = head.menu()
    menu.aboutToShow.emit()
    entries = [action for action in menu.actions() if action.data()]
    assert [action.text().partition("\t")[0] for action in entries] == names
    entries[-1].trigger()
    _settle(qtbot, desk)
    assert desk.session.filter_text == "word11"


def test_the_menu_of_a_saved_search_forgets_it(qtbot: QtBot, desk: Desk) -> None:
    _save(qtbot, desk, ("type:fact", "Facts"))
    menu = _rail(desk).make_menu(0)
    delete = next(action for action in menu.actions() if action.text() == "Delete")
    delete.trigger()
    qtbot.waitUntil(lambda: _tiles(desk) == [])
    _settle(qtbot, desk)


# The slider


def test_the_slider_writes_min_score_and_reads_it(qtbot: QtBot, desk: Desk) -> None:
    session = desk.session
    slider = desk.window.findChild(LeastScore, "leastScore")
    box = desk.window.findChild(QueryField, "searchBox")
    assert isinstance(slider, LeastScore)
    assert isinstance(box, QueryField)
    session.set_filter("type:fact OR type:note")
    slider.setFocus()
    for _ in range(4):
        qtbot.keyClick(slider, Qt.Key.Key_PageUp)
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    qtbot.keyClick(slider, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    _settle(qtbot, desk)
    assert box.text() == "min_score:0.36 type:fact OR type:note"
    assert (session.scores.confidence[session.order] >= 0.36).all()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    _settle(qtbot, desk)
    assert box.text() == "type:fact OR type:note"
    session.set_filter("conf>=0.7 -draft")
    _settle(qtbot, desk)
    assert slider.value() == 70
    assert slider.accessibleDescription() == "at least 0.70"
    session.set_filter("NOT conf>=0.7")
    _settle(qtbot, desk)
    assert slider.value() == 0


def test_the_wheel_over_the_slider_changes_nothing(qtbot: QtBot, desk: Desk) -> None:
    slider = desk.window.findChild(LeastScore, "leastScore")
    assert isinstance(slider, LeastScore)
    slider.setFocus()
    for _ in range(20):
        place = QPointF(slider.rect().center())
        wheel = QWheelEvent(
            place,
            slider.mapToGlobal(place),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(slider, wheel)
    assert slider.value() == 0
    assert desk.session.filter_text == ""


def test_a_click_on_the_track_goes_there(qtbot: QtBot, desk: Desk) -> None:
    slider = desk.window.findChild(LeastScore, "leastScore")
    assert isinstance(slider, LeastScore)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=slider.handle_center(50).toPoint())
    _settle(qtbot, desk)
    assert abs(slider.value() - 50) <= 1
    assert desk.session.filter_text == f"min_score:0.{slider.value()}"


# Back and forward


def test_ways_that_lead_nowhere_are_switched_off(qtbot: QtBot, desk: Desk) -> None:
    session = desk.session
    back, forward = (
        desk.window.findChild(QAction, f"{name}Action") for name in ("goBack", "goForward")
    )
    assert back is not None
    assert forward is not None
    assert not back.isEnabled()
    assert not forward.isEnabled()
    first, second = (session.snapshot.memories.ids.text(row) for row in (3, 5))
    going = desk.window._going.navigation
    going._clock = iter(range(0, 1000, 10)).__next__
    session.select(first)
    session.select(second)
    assert back.isEnabled()
    assert not forward.isEnabled()
    back.trigger()
    assert session.selected_id == first
    assert forward.isEnabled()
    _settle(qtbot, desk)

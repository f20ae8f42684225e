"""The first steps in the demo vault: ticked by doing them, put away, gone on with later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from mvdesk.ui.first_steps import STEPS
from mvdesk.ui.settings import FirstSteps
from mvdesk.ui.widgets.checklist import Checklist
from mvdesk.vault.demo import write_demo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from mvdesk.ui.settings import Settings


def action(desk: Desk, name: str) -> QAction:
    found = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(found, QAction)
    return found


def child(desk: Desk, name: str) -> QWidget:
    found = desk.window.findChild(QWidget, name)
    assert isinstance(found, QWidget), name
    return found


def steps(desk: Desk) -> Checklist:
    found = desk.window.findChild(Checklist, "firstSteps")
    assert isinstance(found, Checklist)
    return found


def open_demo(qtbot: QtBot, desk: Desk) -> None:
    with qtbot.waitSignal(desk.window.panels_ready, timeout=20_000):
        action(desk, "openDemo").trigger()
    qtbot.waitUntil(desk.session.jobs.is_idle)


def test_each_step_is_ticked_by_doing_it_and_both_main_jobs_are_among_them(
    qtbot: QtBot, desk: Desk, settings: Settings, make_window: Callable[[], Desk]
) -> None:
    open_demo(qtbot, desk)
    guide, session = steps(desk), desk.session
    assert guide.isVisible()
    assert child(desk, "checklistTitle").text() == "First steps: 0 of 6 done"  # type: ignore[attr-defined]
    assert len(STEPS) == 6

    def is_next(name: str) -> bool:
        step = guide.next_step()
        return (step.name if step else "") == name

    desk.window.activateWindow()
    search = child(desk, "searchBox")
    search.setFocus()
    QTest.keyClicks(search, "tag:story")
    QTest.keyClick(search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "find" in settings.read_first_steps().done)
    qtbot.waitUntil(lambda: len(session.order) == 6)
    table = child(desk, "memoryList")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: is_next("open"))
    chart = child(desk, "confidenceWaterfall")
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Down)
    QTest.keyClick(chart, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: is_next("try"))
    # Half way: another window goes on from here.
    assert settings.read_first_steps().done == ("find", "read", "open")
    slider = child(desk, "trustSlider")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: is_next("moves"))
    action(desk, "sourcesWorkspace").trigger()
    qtbot.waitUntil(lambda: is_next("settle"))
    action(desk, "discardPreview").trigger()
    qtbot.waitUntil(lambda: is_next(""))
    said = desk.window.findChild(QLabel, "checklistHow")
    assert isinstance(said, QLabel)
    assert said.text().startswith("All of it is done.")
    session.close_vault()


def test_it_is_put_away_with_its_cross_and_brought_back_from_the_menu(
    qtbot: QtBot, desk: Desk, settings: Settings
) -> None:
    settings.write_first_steps(FirstSteps(("find",)))
    open_demo(qtbot, desk)
    guide = steps(desk)
    close = child(desk, "checklistClose")
    close.setFocus()
    QTest.keyClick(close, Qt.Key.Key_Space)
    assert not guide.isVisible()
    assert settings.read_first_steps().dismissed
    action(desk, "firstSteps").trigger()
    assert guide.isVisible()
    # As the window read it at its start: nothing was done in it since.
    assert not settings.read_first_steps().dismissed


def test_a_demo_vault_in_another_place_has_them_too(
    qtbot: QtBot, desk: Desk, tmp_path: Path, now: int
) -> None:
    path = tmp_path / "elsewhere.sqlite"
    write_demo(path, now=now)
    with qtbot.waitSignal(desk.window.panels_ready, timeout=20_000):
        desk.window.open_vault(path)
    assert steps(desk).isVisible()


def test_in_another_vault_it_is_not_there(open_desk: Desk, settings: Settings) -> None:
    assert not steps(open_desk).isVisible()
    open_desk.session.set_filter("tag:story")
    assert settings.read_first_steps().done == ()


def test_garbage_in_the_settings_is_no_step(settings: Settings, tmp_path: Path) -> None:
    settings._store.setValue("start/steps", [3, "", "find"])
    settings._store.setValue("start/stepsDismissed", "perhaps")
    assert settings.read_first_steps() == FirstSteps(("find",), dismissed=False)

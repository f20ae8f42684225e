"""Renders the pictures of the README and the help from the demo vault, by using the window.

Run by `pictures.sh`, with the folder for the vault and the one for the pictures.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QSlider, QTableView, QToolButton, QWidget

from mvdesk.ui.app import Desk, make_application, make_desk
from mvdesk.ui.panels.graph import GraphPanel
from mvdesk.ui.settings import FirstSteps, Settings
from mvdesk.ui.theme import ThemeController
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from mvdesk.ui.theme import ThemeChoice

NOW: Final = 1_796_029_200  # 30 Nov 2026, 09:00 UTC: the same on every machine and day
SIZE: Final = (1440, 900)
SMALLER: Final = (1280, 760)
_PAUSE_MS: Final = 40


def settle(desk: Desk) -> None:
    """Wait until nothing runs any more and everything is painted."""
    calm = 0
    while calm < 8:
        QTest.qWait(_PAUSE_MS)
        ready = desk.session.is_open and desk.window.is_complete and desk.session.jobs.is_idle()
        graph = desk.window.findChild(GraphPanel)
        if graph is not None and graph.header.detail().startswith("Laying out"):
            ready = False  # in a process of its own, which is no job
        calm = calm + 1 if ready else 0


def save(desk: Desk, path: Path, theme: ThemeChoice = "light") -> None:
    desk.theme.set_theme(theme)
    settle(desk)
    if not desk.window.grab().save(str(path), "PNG"):
        sys.exit(f"{path} can't be written")
    print(f"Wrote {path}.")


def show(desk: Desk, workspace: str) -> None:
    desk.window.workspace.show(workspace)
    settle(desk)


def child(desk: Desk, name: str) -> QWidget:
    found = desk.window.findChild(QWidget, name)
    if found is None:
        sys.exit(f"the window has no {name}")
    return found


def take_tuning(desk: Desk, folder: Path) -> None:
    """One question from its beginning to its end, with the keys and the mouse of a person."""
    session = desk.session
    desk.window.resize(*SMALLER)
    show(desk, "sources")
    sort = child(desk, "sourceSort")
    assert isinstance(sort, Choice)
    by_mean = str(next(sort.itemData(n) for n in range(sort.count()) if "mean" in sort.itemText(n)))
    sort.set_value(by_mean)
    sort.value_chosen.emit(by_mean)
    table = child(desk, "sourceTable")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_End)
    save(desk, folder / "tuning-1-before.png")

    slider = child(desk, "trustSlider")
    assert isinstance(slider, QSlider)
    start, end = (slider_point(slider, value) for value in (slider.value(), 5))
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    for part in range(1, 11):
        QTest.mouseMove(slider, start + (end - start) * part / 10)
        QTest.qWait(_PAUSE_MS)
    save(desk, folder / "tuning-2-dragging.png")
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=end)
    settle(desk)

    movers = child(desk, "moversTable")
    movers.setFocus()
    QTest.keyClick(movers, Qt.Key.Key_End)
    save(desk, folder / "tuning-3-movers.png")

    QTest.keyClick(desk.window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(desk)
    save(desk, folder / "tuning-4-applied.png")
    QTest.keyClick(desk.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    save(desk, folder / "tuning-5-undone.png")
    if not session.preview.is_empty:
        sys.exit("the preview of the tuning session is still there")
    desk.window.resize(*SIZE)


def slider_point(slider: QSlider, value: int) -> QPoint:
    """Where the handle stands for a value."""
    share = (value - slider.minimum()) / (slider.maximum() - slider.minimum())
    inner = slider.width() - slider.height()
    return QPoint(round(slider.height() / 2 + share * inner), slider.height() // 2)


def take_all(desk: Desk, folder: Path) -> None:
    session = desk.session
    session.set_filter("story")
    settle(desk)
    session.set_sort("confidence", descending=False)
    settle(desk)
    session.select(session.snapshot.memories.ids[int(session.order[0])])
    session.set_filter("")
    session.set_sort("confidence", descending=True)
    save(desk, folder / "main-light.png")
    save(desk, folder / "main-dark.png", "dark")

    show(desk, "sources")
    session.set_preview({"slack": 0.7, "support tickets": 0.4})
    save(desk, folder / "tune.png")
    session.discard_preview()

    show(desk, "graph")
    reach = child(desk, "graphDepth")
    assert isinstance(reach, SegmentedControl)
    whole = reach.findChildren(QToolButton)[-1]
    QTest.mouseClick(whole, Qt.MouseButton.LeftButton)
    save(desk, folder / "graph.png", "dark")

    show(desk, "conflicts")
    table = child(desk, "conflictTable")
    if isinstance(table, QTableView):
        table.selectRow(1)
    save(desk, folder / "conflicts.png")

    show(desk, "upkeep")
    run = child(desk, "decayRun")
    assert isinstance(run, QPushButton)
    run.click()
    save(desk, folder / "decay.png")

    take_tuning(desk, folder)


def main(vault_folder: Path, folder: Path) -> None:
    app = make_application()
    look = ThemeController()
    look.set_reduced_motion(True)
    look.apply(app)
    settings = Settings(QSettings(str(vault_folder / "own.ini"), QSettings.Format.IniFormat))
    settings.write_first_steps(FirstSteps(dismissed=True))  # pictures are of the panels
    desk = make_desk(app, settings, vault_folder, theme=look, clock=lambda: NOW)
    desk.window.resize(*SIZE)
    desk.window.show()
    desk.window.resize(*SIZE)
    desk.session.open_vault(vault_folder / "demo.sqlite")
    settle(desk)
    take_all(desk, folder)
    desk.window.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

"""Renders the pictures of the README and the help from the demo vault, by using the window.

Run by `pictures.sh`, with the folder for the vault and the one for the pictures.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QPushButton,
    QSlider,
    QTableView,
    QToolButton,
    QWidget,
)

from mvdesk.ui.app import Desk, make_application, make_desk
from mvdesk.ui.models.list_columns import Column
from mvdesk.ui.panels.graph import GraphPanel
from mvdesk.ui.plots.waterfall import Waterfall
from mvdesk.ui.settings import FirstSteps, Settings
from mvdesk.ui.theme import ThemeController, applied
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.ui.widgets.toast import Toast
from mvdesk.vault.demo import demo_id

if TYPE_CHECKING:
    from mvdesk.ui.theme import ThemeChoice

NOW: Final = 1_796_029_200  # 30 Nov 2026, 09:00 UTC: the same on every machine and day
SIZE: Final = (1440, 900)
SMALLER: Final = (1280, 760)
_PAUSE_MS: Final = 40
_COLORS: Final = 256


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


def save(desk: Desk, path: Path, theme: ThemeChoice = "light", part: QWidget | None = None) -> None:
    """The window, or a part of it, with what lies over it."""
    desk.theme.set_theme(theme)
    settle(desk)
    window = desk.window
    picture = window.grab()
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            _put_over(picture, dialog, window.mapFromGlobal(dialog.pos()))
    if part is not None:
        picture = picture.copy(QRect(part.mapTo(window, QPoint()), part.size()))
    save_small(picture.toImage(), path)


def _put_over(picture: QPixmap, dialog: QDialog, place: QPoint) -> None:
    """A dialog where it stands, with the line around it that a desktop would draw."""
    painter = QPainter(picture)
    painter.drawPixmap(place, dialog.grab())
    painter.setPen(QPen(applied().color("control_border"), 1))
    painter.drawRect(QRect(place, dialog.size()).adjusted(-1, -1, 0, 0))
    painter.end()


def save_small(image: QImage, path: Path) -> None:
    """Write a PNG with a palette: the 256 most used colours, and for the rest the nearest one."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32)
    pixels = pixels.reshape(image.height(), image.bytesPerLine() // 4)[:, : image.width()]
    colors, which, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    most = np.argsort(-counts, kind="stable")[:_COLORS]
    parts = np.stack([(colors >> shift) & 255 for shift in (16, 8, 0)], axis=1).astype(np.int32)
    nearest = np.empty(len(colors), dtype=np.uint8)
    for start in range(0, len(colors), 1_000):
        some = parts[start : start + 1_000, None, :]
        away = ((some - parts[most][None, :, :]) ** 2).sum(axis=2)
        nearest[start : start + 1_000] = away.argmin(axis=1)
    small = QImage(image.width(), image.height(), QImage.Format.Format_Indexed8)
    small.setColorTable([int(colors[one]) | 0xFF000000 for one in most])
    rows = nearest[which.reshape(pixels.shape)]
    lines = np.frombuffer(small.bits(), dtype=np.uint8)
    lines.reshape(small.height(), small.bytesPerLine())[:, : small.width()] = rows
    if not small.save(str(path), "PNG", 0):  # 0: as small as it gets
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
    for toast in desk.window.findChildren(Toast):
        toast.dismiss()
    desk.window.resize(*SIZE)


def slider_point(slider: QSlider, value: int) -> QPoint:
    """Where the handle stands for a value."""
    share = (value - slider.minimum()) / (slider.maximum() - slider.minimum())
    inner = slider.width() - slider.height()
    return QPoint(round(slider.height() / 2 + share * inner), slider.height() // 2)


def open_bar(desk: Desk, waterfall: str, bar: str) -> None:
    """Click a bar of a waterfall: its evidence opens below it."""
    chart = child(desk, waterfall)
    assert isinstance(chart, Waterfall)
    place = chart.row_rect(bar).center()
    QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(desk)


def take_explanations(desk: Desk, folder: Path) -> None:
    """One score taken apart in four ways, each a picture of the panel alone."""
    session = desk.session
    show(desk, "memories")
    panel = child(desk, "explainDock")
    desk.window.resize(SIZE[0], 1080)
    session.select(demo_id("subsidy-unverified"))
    settle(desk)
    open_bar(desk, "confidenceWaterfall", "certainty_signal")
    save(desk, folder / "evidence.png", part=panel)
    for close in panel.findChildren(QToolButton, "evidenceClose"):
        close.click()
    session.select(demo_id("valve-before-pump"))
    settle(desk)
    save(desk, folder / "clamp.png", part=panel)
    session.looking.pin(demo_id("subsidy-unverified"))
    settle(desk)
    save(desk, folder / "difference.png", part=panel)
    session.looking.pin(None)
    desk.window.resize(*SIZE)


def take_palette(desk: Desk, folder: Path) -> None:
    show(desk, "memories")
    QTest.keyClick(desk.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    dialog = desk.window.findChild(QDialog, "paletteDialog")
    if dialog is None:
        sys.exit("there is no palette")
    field = dialog.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "trust")
    save(desk, folder / "palette.png")
    dialog.reject()
    settle(desk)


def take_greys(desk: Desk, folder: Path) -> None:
    """What colours say is said without them, too."""
    show(desk, "memories")
    desk.session.select(demo_id("battery-two-seasons"))
    desk.theme.set_palette("greyscale")
    save(desk, folder / "greyscale.png")
    desk.theme.set_palette("blueOrange")


def take_worths(desk: Desk, folder: Path) -> None:
    """One memory with its links, and what each is worth to it."""
    show(desk, "graph")
    desk.session.select(demo_id("battery-two-seasons"))
    reach = child(desk, "graphDepth")
    assert isinstance(reach, SegmentedControl)
    QTest.mouseClick(reach.findChildren(QToolButton)[0], Qt.MouseButton.LeftButton)
    save(desk, folder / "links.png", part=child(desk, "graphDock"))


def take_same(desk: Desk, folder: Path) -> None:
    """One score in four places, the same to the last digit."""
    window = desk.window
    show(desk, "memories")
    desk.session.select(demo_id("battery-two-seasons"))
    settle(desk)
    graph = child(desk, "graphView")
    graph.setFocus()
    QTest.keyClick(graph, Qt.Key.Key_T)
    settle(desk)
    chart = child(desk, "confidenceWaterfall")
    assert isinstance(chart, Waterfall)
    spots = [
        _place_in(window, child(desk, "editorScores")),
        _place_in(window, chart.viewport(), chart.row_rect("final")),
    ]
    for name, column in (("memoryList", int(Column.CONFIDENCE)), ("graphTable", 2)):
        table = child(desk, name)
        assert isinstance(table, QTableView)
        cell = table.currentIndex().siblingAtColumn(column)
        spots.append(_place_in(window, table.viewport(), table.visualRect(cell)))
    picture = window.grab()
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(applied().color("negative"), 3))
    for spot in spots:
        painter.drawRoundedRect(spot.adjusted(-2, -2, 2, 2), 8, 8)
    painter.end()
    save_small(picture.toImage(), folder / "same.png")
    QTest.keyClick(child(desk, "graphTable"), Qt.Key.Key_T)


def _place_in(window: QWidget, widget: QWidget, part: QRect | None = None) -> QRect:
    inside = widget.rect() if part is None else part
    return QRect(widget.mapTo(window, inside.topLeft()), inside.size())


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
    take_worths(desk, folder)
    take_explanations(desk, folder)
    take_greys(desk, folder)
    take_palette(desk, folder)
    take_same(desk, folder)


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

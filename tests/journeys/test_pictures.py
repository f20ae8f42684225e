"""Ctrl+E exports the chart that the keyboard is at."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from mvdesk.ui.export_dialog import ExportDialog
from mvdesk.ui.picture_sources import find_chart, make_chart_sheet
from mvdesk.ui.plots.distribution import Distribution
from mvdesk.ui.plots.export import MARGIN, THEMES, look_of, render_image
from mvdesk.ui.plots.graph_scene import GraphView
from mvdesk.ui.plots.slope_chart import SlopeChart
from mvdesk.ui.settings import PictureChoice
from mvdesk.ui.widgets.choice import Choice

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from tests.fakes import FakeFileDialogs

AnyWidget = TypeVar("AnyWidget", bound=QWidget)


def _find(desk: Desk, kind: type[AnyWidget], name: str) -> AnyWidget:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def _trigger(desk: Desk, name: str) -> None:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    assert action.isEnabled()
    action.trigger()


@pytest.fixture
def tuned(qtbot: QtBot, open_desk: Desk) -> Desk:
    """A window at the Sources workspace with a trust that is tried."""
    session = open_desk.session
    row = int(session.order[len(session.order) // 2])
    session.select(session.snapshot.memories.ids.text(row))
    _trigger(open_desk, "sourcesWorkspace")
    qtbot.waitUntil(lambda: open_desk.window.findChild(SlopeChart) is not None)
    qtbot.waitUntil(lambda: open_desk.window.is_complete and session.jobs.is_idle())
    key = session.snapshot.sources.keys[int(session.snapshot.sources.counts.argmax())]
    assert key is not None
    session.preview_trust(key, 0.95 if (session.trust_of(key) or 0.5) < 0.6 else 0.05)
    slope = _find(open_desk, SlopeChart, "slopeChart")
    qtbot.waitUntil(lambda: session.jobs.is_idle() and bool(slope.lines))
    return open_desk


def test_the_graph_is_exported_with_its_legend(
    qtbot: QtBot, open_desk: Desk, files: FakeFileDialogs, tmp_path: Path
) -> None:
    session = open_desk.session
    row = int(session.snapshot.link_counts[:, 0].argmax())
    session.select(session.snapshot.memories.ids.text(row))
    graph = _find(open_desk, GraphView, "graphView")
    qtbot.waitUntil(lambda: session.jobs.is_idle() and len(graph.table()) > 3)
    graph.setFocus()
    assert find_chart(open_desk.window) is graph
    _trigger(open_desk, "exportPicture")
    dialog = _find(open_desk, ExportDialog, "exportDialog")
    contents = _find(open_desk, Choice, "exportContent")
    assert contents.isVisible()  # all of it, or the part that is seen
    assert contents.count() == 2
    dialog.set_choice(PictureChoice("svg", 2, "print"), "chart")
    files.answer = tmp_path / "around.svg"
    qtbot.mouseClick(_find(open_desk, QPushButton, "exportSave"), Qt.MouseButton.LeftButton)
    text = files.answer.read_text(encoding="utf-8")
    title = session.snapshot.memories.labels.text(row)
    assert f"<title>Around {title}</title>" in text
    assert "contradicts" in text  # its legend is text
    qtbot.waitUntil(lambda: open_desk.window.findChild(ExportDialog, "exportDialog") is None)
    qtbot.waitUntil(session.jobs.is_idle)


def test_a_panel_without_a_chart_exports_the_scores(qtbot: QtBot, open_desk: Desk) -> None:
    _find(open_desk, QWidget, "memoryList").setFocus()
    assert find_chart(open_desk.window) is None
    _trigger(open_desk, "exportPicture")
    dialog = _find(open_desk, ExportDialog, "exportDialog")
    assert dialog.content == "both"
    assert _find(open_desk, Choice, "exportContent").isVisible()
    dialog.reject()
    qtbot.waitUntil(lambda: open_desk.window.findChild(ExportDialog, "exportDialog") is None)


@pytest.mark.parametrize(
    ("kind", "name"), [(Distribution, "distribution"), (SlopeChart, "slopeChart")]
)
def test_charts_of_a_preview_are_copied(
    qtbot: QtBot, tuned: Desk, kind: type[Distribution | SlopeChart], name: str
) -> None:
    chart = _find(tuned, kind, name)
    if not chart.isVisible():  # behind its table where there is little room
        chart.show()
    chart.setFocus()
    qtbot.waitUntil(lambda: find_chart(tuned.window) is chart)
    _trigger(tuned, "copyPicture")
    image = QApplication.clipboard().image()
    assert image.width() > 1_500
    sheet = make_chart_sheet(tuned.session, chart)
    assert sheet is not None
    assert "a preview, nothing written" in sheet.caption
    for theme in THEMES:
        drawn = render_image(sheet, theme, 1)
        ground = look_of(theme).color("surface")
        assert drawn.pixelColor(2, 2) == ground
        colors = {drawn.pixelColor(x, drawn.height() // 2).name() for x in range(drawn.width())}
        assert len(colors) > 2
        for y in range(0, drawn.height(), 3):
            assert drawn.pixelColor(round(MARGIN / 2), y) == QColor(ground)


def test_without_a_vault_there_is_no_picture(qtbot: QtBot, tuned: Desk) -> None:
    chart = _find(tuned, Distribution, "distribution")
    tuned.session.discard_preview()
    with qtbot.waitSignal(tuned.session.vault_closed):
        tuned.session.close_vault()
    assert make_chart_sheet(tuned.session, chart) is None

"""The graph of the whole vault: chosen, laid out elsewhere, kept in place, filtered."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton, QWidget

from mvdesk.arrays import NO_TIME
from mvdesk.ui.export_dialog import ExportDialog
from mvdesk.ui.graph_commands import GraphCommands
from mvdesk.ui.panels import whole_graph
from mvdesk.ui.panels.graph_paths import find_strongest_path
from mvdesk.ui.panels.graph_pins import read_pins
from mvdesk.ui.panels.graph_table import GraphTable
from mvdesk.ui.picture_commands import PictureCommands
from mvdesk.ui.process_lane import ChildFailed, TookTooLong
from mvdesk.ui.settings import PictureChoice, Settings
from mvdesk.vault.operations.links import plan_link
from tests.fakes import FakeFileDialogs

from .conftest import find, view_of

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QAction

    from mvdesk.ui.panels.graph import GraphPanel
    from mvdesk.ui.plots.export import PictureFormat
    from mvdesk.ui.plots.graph_scene import GraphView
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault

    from .conftest import Desk

pytestmark = pytest.mark.usefixtures("lasting_graph")


NOW = 1_800_000_000


@pytest.fixture
def whole(desk: Desk, graph: GraphPanel) -> GraphPanel:
    desk.qtbot.keyClick(view_of(graph), Qt.Key.Key_0)
    desk.settle_all()
    return graph


def _places(view: GraphView) -> dict[str, list[float]]:
    return dict(zip(view.picture.ids, view.picture.positions.tolist(), strict=True))


def _menu(desk: Desk, panel: GraphPanel) -> dict[str, QAction]:
    """The menu's entries, those of its submenus among them, by their words without keys."""
    menu = find(panel, QMenu, "graphMenu")
    menu.aboutToShow.emit()
    actions = [*menu.actions(), *(a for part in menu.findChildren(QMenu) for a in part.actions())]
    return {action.text().replace("&", "").split("\t")[0]: action for action in actions}


def test_key_0_shows_every_memory_that_is_not_archived(desk: Desk, whole: GraphPanel) -> None:
    memories = desk.session.snapshot.memories
    expected = np.flatnonzero(memories.archived_at == NO_TIME).tolist()
    assert list(view_of(whole).picture.ids) == [memories.ids.text(row) for row in expected]
    assert not find(whole, QWidget, "graphBanner").isVisible()
    assert np.isfinite(view_of(whole).picture.positions).all()


def test_over_the_cap_a_banner_says_so_and_changes_it(
    desk: Desk, graph: GraphPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_graph, "CAPS", (3, 5))
    monkeypatch.setattr("mvdesk.ui.panels.graph_menu.CAPS", (3, 5))
    desk.qtbot.keyClick(view_of(graph), Qt.Key.Key_0)
    desk.settle_all()
    total = len(view_of(graph).picture)
    _menu(desk, graph)["3 memories"].trigger()
    desk.settle_all()
    assert len(view_of(graph).picture) == 3
    banner = find(graph, QLabel, "graphBannerText")
    assert banner.isVisible()
    assert banner.text() == f"3 of {total} shown: strongest first"


def test_selecting_moves_nothing(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    before, zoom = _places(view), view.zoom
    desk.select(view.picture.ids[3])
    desk.settle_all()
    assert _places(view) == before
    assert view.zoom == zoom
    assert view.current_id == view.picture.ids[3]


def test_a_click_selects_everywhere(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    target = view.picture.ids[-1]
    desk.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.node_point(target))
    assert desk.session.selected_id == target


def test_memories_stay_where_they_are_when_links_are_made(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    before = _places(view)
    ids = view.picture.ids
    links = len(view.picture.edges)

    def link(vault: Vault) -> Plan:
        one, other = vault.read_memory(ids[0]), vault.read_memory(ids[-1])
        joining = vault.read_links_of(ids[0], ids[-1])
        return plan_link(joining, one, other, "causes", now=NOW, link_id="link-made")

    desk.session.write("link", link)
    desk.qtbot.waitUntil(lambda: len(view.picture.edges) == links + 1)
    desk.settle_all()
    assert _places(view) == before


def test_20_memories_come_in_and_the_others_stay_on_the_screen_as_well(
    desk: Desk, whole: GraphPanel
) -> None:
    view = view_of(whole)
    ids, count = view.picture.ids, len(view.picture)
    before = {key: view.node_point(key) for key in ids}
    old = desk.read(ids[0])
    parts = []
    for number in range(20):
        parts.append(
            "INSERT INTO memories (id, brain_id, type, title, content, created_at, updated_at)"
            f" SELECT 'new{number}', brain_id, type, 'New {number}', content, created_at, {NOW}"
            f" FROM memories WHERE id = '{old.id}'"
        )
        parts.append(
            "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, created_at)"
            f" SELECT 'link{number}', brain_id, 'new{number}', '{ids[number % count]}',"
            f" 'supports', {NOW} FROM memories WHERE id = '{old.id}'"
        )
    with closing(sqlite3.connect(desk.session.vault.path)) as other, other:
        for part in parts:
            other.execute(part)
    desk.qtbot.waitUntil(lambda: len(view.picture) == count + 20, timeout=20_000)
    desk.settle_all()
    for key, point in before.items():
        assert (view.node_point(key) - point).manhattanLength() < 5
    for number in range(20):
        new = view.picture.positions[view.picture.ids.index(f"new{number}")]
        near = view.picture.positions[view.picture.ids.index(ids[number % count])]
        assert np.hypot(*(new - near)) < 300


def test_the_same_places_when_the_panel_is_opened_again(desk: Desk, whole: GraphPanel) -> None:
    before = _places(view_of(whole))
    again = desk.show(type(whole))
    desk.qtbot.keyClick(view_of(again), Qt.Key.Key_0)
    desk.settle_all()
    after = _places(view_of(again))
    for memory_id, place in before.items():
        assert after[memory_id] == place


def test_back_to_the_memory_and_its_neighbours(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    desk.select(view.picture.ids[0])
    desk.qtbot.keyClick(view, Qt.Key.Key_1)
    desk.settle_all()
    assert view.picture.centre == 0


@pytest.mark.parametrize(
    ("error", "words"), [(TookTooLong(), "too long"), (ChildFailed("gone"), "ended early")]
)
def test_a_layout_that_fails_gives_a_plain_picture_and_a_sentence(
    desk: Desk,
    graph: GraphPanel,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    words: str,
) -> None:
    def fail(_key: object, _call: object, _args: object, _done: object, failed: object) -> None:
        failed(error)  # type: ignore[operator]

    monkeypatch.setattr(desk.session.lane, "run", fail)
    desk.qtbot.keyClick(view_of(graph), Qt.Key.Key_0)
    desk.settle_all()
    assert len(view_of(graph).picture)
    assert words in desk.notices[-1]
    banner = find(graph, QLabel, "graphBannerText")
    assert banner.isVisible()
    assert words in banner.text()
    monkeypatch.undo()
    change = find(graph, QToolButton, "graphChange")
    again = next(one for one in change.menu().actions() if one.text() == "Lay out again")
    again.trigger()
    desk.settle_all()
    assert not banner.isVisible()


def test_the_legend_filters_and_counts_at_the_first_click(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    entry = next(entry for entry in view.legend_entries if entry.kind == "relation")
    links = len(view.picture.edges)
    view.legend_toggled.emit(entry.kind, entry.name)
    off = next(one for one in view.legend_entries if one.name == entry.name)
    assert off.is_off
    assert off.text.endswith(" 0")
    assert entry.name not in view.picture.relations
    view.legend_toggled.emit(entry.kind, entry.name)
    assert len(view.picture.edges) == links


def test_a_click_on_the_legend_is_a_toggle(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    names = {entry.name for entry in view.legend_entries if not entry.is_off}
    y = view.height() - 14
    with desk.qtbot.waitSignal(view.legend_toggled) as caught:
        desk.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, y))
    assert caught.args is not None
    assert caught.args[1] in names


def test_types_can_be_left_out_from_the_menu(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    facts = sum(kind == "fact" for kind in view.picture.types)
    assert facts
    _menu(desk, whole)[f"fact {facts}"].trigger()
    assert "fact" not in view.picture.types


def test_only_contradictions(desk: Desk, whole: GraphPanel) -> None:
    _menu(desk, whole)["Only contradictions"].trigger()
    picture = view_of(whole).picture
    assert set(picture.relations) == {"contradicts"}
    assert set(picture.edges.ravel().tolist()) == set(range(len(picture)))


def test_h_hides_and_shift_h_brings_back(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    target = view.picture.ids[2]
    desk.select(target)
    count, before = len(view.picture), _places(view)
    desk.qtbot.keyClick(view, Qt.Key.Key_H)
    assert target not in view.picture.ids
    assert len(view.picture) == count - 1
    desk.qtbot.keyClick(view, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert _places(view) == before


def test_following_the_list_shows_what_is_listed(desk: Desk, whole: GraphPanel) -> None:
    view, session = view_of(whole), desk.session
    _menu(desk, whole)["Follow the list"].trigger()
    with desk.qtbot.waitSignal(session.order_changed):
        session.set_filter("type:fact")
    desk.settle_all()
    listed = {session.snapshot.memories.ids.text(row) for row in session.order.tolist()}
    assert set(view.picture.ids) == listed
    with desk.qtbot.waitSignal(session.order_changed):
        session.set_filter("nothing-says-this")
    desk.settle_all()
    assert "list is empty" in view.notice


def test_another_vault_is_shown_whole_whatever_the_list_was(
    desk: Desk, whole: GraphPanel, tmp_path: Path
) -> None:
    session = desk.session
    _menu(desk, whole)["Follow the list"].trigger()
    with desk.qtbot.waitSignal(session.order_changed):
        session.set_filter("type:fact")
    desk.settle_all()
    other = tmp_path / "other.sqlite"
    shutil.copy(session.vault.path, other)
    with desk.qtbot.waitSignal(session.vault_opened):
        session.open_vault(other)
    desk.settle_all()
    assert "note" in view_of(whole).picture.types


def test_a_preview_recolours_without_moving(desk: Desk, whole: GraphPanel) -> None:
    view, session = view_of(whole), desk.session
    before = _places(view)
    key = session.snapshot.sources.keys[0]
    session.preview_trust(key, 0.0)
    desk.settle_all()
    assert _places(view) == before
    row = session.snapshot.row_of(view.picture.ids[0])
    assert view.picture.confidence[0] == session.scores.confidence[row]


def test_a_path_is_said_and_brought_out(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    start, goal = view.picture.edges[0].tolist()
    start_id, goal_id = view.picture.ids[start], view.picture.ids[goal]
    desk.select(start_id)
    desk.qtbot.mouseClick(
        view.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.ShiftModifier,
        pos=view.node_point(goal_id),
    )
    desk.settle_all()
    text = find(whole, QLabel, "graphPathText")
    assert text.isVisible()
    assert view.picture.labels[goal][:20] in text.text()
    assert " link" in text.text().partition(":")[0]
    assert "each" not in text.text()  # a number there would look like a score
    assert "no part of a score" in text.toolTip()
    assert desk.session.selected_id == start_id  # asking for a path selects nothing
    view.setFocus()
    desk.qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert not text.isVisible()


def test_without_a_path_a_sentence_says_so(desk: Desk) -> None:
    snapshot = desk.session.snapshot
    loner = int(snapshot.link_counts[:, 0].argmin())
    hub = int(snapshot.link_counts[:, 0].argmax())
    path = find_strongest_path(snapshot, hub, loner)
    assert path.text.startswith("No path joins")
    assert not path.links


def test_a_keyboard_walk_along_links_ends_in_a_path(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    hub = int(np.bincount(view.picture.edges.ravel()).argmax())
    desk.select(view.picture.ids[hub])
    view.setFocus()
    neighbours = set(view.picture.neighbours_of(hub).tolist())
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
        desk.qtbot.keyClick(view, key)
        if view.current_id and view.picture.ids.index(view.current_id) in neighbours:
            break
    assert view.current_id != view.picture.ids[hub]
    assert view.current_id is not None
    here = view.picture.ids.index(view.current_id)
    assert view.picture.labels[here][:15] in view.accessibleDescription()
    desk.qtbot.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    desk.settle_all()
    assert find(whole, QLabel, "graphPathText").text()
    desk.qtbot.keyClick(view, Qt.Key.Key_Return)
    assert desk.session.selected_id == view.picture.ids[here]


def test_t_shows_the_same_as_a_table_and_back(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    view.setFocus()
    desk.qtbot.keyClick(view, Qt.Key.Key_T)
    table = find(whole, GraphTable, "graphTable")
    assert table.isVisible()
    assert not view.isVisible()
    model = table.model()
    assert model.rowCount() == len(view.picture)
    counts = [int(model.index(row, 4).data()) for row in range(model.rowCount())]
    assert counts == sorted(counts, reverse=True)
    table.setCurrentIndex(model.index(1, 0))
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    selected = desk.session.selected_row
    assert selected is not None
    assert desk.session.snapshot.memories.labels.text(selected) == model.index(1, 0).data()
    desk.qtbot.keyClick(table, Qt.Key.Key_T)
    assert view.isVisible()
    assert not table.isVisible()


def _drag(desk: Desk, view: GraphView, memory_id: str, across: int, down: int) -> None:
    start = view.node_point(memory_id)
    end = start + QPoint(across, down)
    port, left = view.viewport(), Qt.MouseButton.LeftButton
    desk.qtbot.mousePress(port, left, pos=start)
    for share in (0.3, 0.7, 1.0):
        where = QPointF(start) + QPointF(across, down) * share
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            where,
            port.mapToGlobal(where),
            Qt.MouseButton.NoButton,
            left,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(port, move)
    desk.qtbot.mouseRelease(port, left, pos=end)


def test_a_dragged_memory_is_pinned_there_and_u_puts_it_back(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    before = _places(view)
    target = view.picture.ids[3]
    selected = desk.session.selected_id
    point = view.node_point(target)
    _drag(desk, view, target, 60, 24)
    desk.settle_all()
    assert desk.session.selected_id == selected  # a drag is no click
    assert (view.node_point(target) - point - QPoint(60, 24)).manhattanLength() <= 8
    moved = _places(view)
    assert {key for key in before if before[key] != moved[key]} == {target}
    companion, brain_id = desk.session.vault.companion, desk.session.vault.brain.id
    assert list(companion.read_positions(brain_id)[target]) == moved[target]
    _menu(desk, whole)["Lay out afresh"].trigger()
    desk.settle_all()
    assert _places(view)[target] == moved[target]
    desk.select(target)
    view.setFocus()
    desk.qtbot.keyClick(view, Qt.Key.Key_U)
    desk.settle_all()
    assert _places(view)[target] == before[target]
    assert list(companion.read_positions(brain_id)[target]) == before[target]
    assert read_pins(desk.session.vault) == {}


def test_pins_that_make_no_sense_are_none(desk: Desk) -> None:
    vault = desk.session.vault
    name = f"graph/pins/{vault.brain.id}"
    vault.companion.write_setting(name, {"a": [1, 2], "b": "x", "c": [1], "d": ["1", 2]})
    assert read_pins(vault) == {"a": (1.0, 2.0)}
    vault.companion.write_setting(name, [1])
    assert read_pins(vault) == {}


def test_only_what_is_on_the_path_is_named(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    start, goal = view.picture.edges[0].tolist()
    desk.select(view.picture.ids[start])
    view.path_requested.emit(view.picture.ids[goal])
    desk.settle_all()
    text = find(whole, QLabel, "graphPathText").text()
    named = [label for label in view.placed_labels if label.node is not None]
    assert named
    for label in named:
        assert view.picture.labels[label.node or 0][:15] in text


@pytest.fixture
def window(desk: Desk) -> QWidget:
    """Whose dialogs and commands end with the test; the panel doesn't."""
    made = QWidget()
    desk.qtbot.addWidget(made)
    return made


def test_the_graph_is_written_to_a_file(
    desk: Desk, whole: GraphPanel, window: QWidget, tmp_path: Path
) -> None:
    files = FakeFileDialogs()
    files.answer = tmp_path / "graph.graphml"
    commands = GraphCommands(desk.session, window, files)
    commands.attach(whole)
    _menu(desk, whole)["Export as GraphML…"].trigger()
    whole.graphml_requested.disconnect(commands.export)
    root = ElementTree.fromstring(files.answer.read_bytes())
    assert len(list(root.iter())) > len(view_of(whole).picture)
    assert files.answer.name in desk.notices[-1]


@pytest.mark.parametrize("kind", ["png", "svg"])
@pytest.mark.parametrize("content", ["chart", "seen"])
def test_a_picture_is_asked_about_and_written(
    desk: Desk,
    whole: GraphPanel,
    window: QWidget,
    tmp_path: Path,
    kind: PictureFormat,
    content: str,
) -> None:
    files = FakeFileDialogs()
    files.answer = tmp_path / f"graph.{kind}"
    settings = Settings(QSettings(str(tmp_path / "own.ini"), QSettings.Format.IniFormat))
    pictures = PictureCommands(desk.session, window, settings, files)
    whole.picture_requested.connect(pictures.export_chart)
    view_of(whole).zoom_by(0.4)
    _menu(desk, whole)["Export picture…"].trigger()
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    dialog.set_choice(PictureChoice(kind=kind, scale=2, theme="light"), content)
    dialog.save_requested.emit()
    whole.picture_requested.disconnect(pictures.export_chart)
    data = files.answer.read_bytes()
    image = QImage.fromData(data)
    assert image.width() > (1_500 if kind == "png" else 700)
    line = image.copy(200, 200, 500, 400)
    assert len({line.pixel(x, y) for x in range(0, 500, 9) for y in range(0, 400, 9)}) > 5
    assert kind == "png" or "<title>Memories and their links</title>" in data.decode()
    titles = [label[:12] for label in view_of(whole).picture.labels]
    assert kind == "png" or any(title in data.decode() for title in titles)
    assert files.answer.name in desk.notices[-1]


def test_a_file_that_cannot_be_written_is_said(
    desk: Desk, whole: GraphPanel, window: QWidget, tmp_path: Path
) -> None:
    files = FakeFileDialogs()
    files.answer = tmp_path / "no" / "folder.graphml"
    commands = GraphCommands(desk.session, window, files)
    said = len(desk.notices)
    commands.export(view_of(whole).picture)
    assert "could not be written" in desk.notices[-1]
    files.answer = None
    commands.export(view_of(whole).picture)
    assert len(desk.notices) == said + 1

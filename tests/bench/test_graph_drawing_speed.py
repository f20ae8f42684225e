"""Painting graphs of many nodes, the window's gaps during a layout, and what opening it leaves."""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import psutil
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage, QPainter

from mvdesk.graphs.bulk_layout import compute_bulk_layout
from mvdesk.records import RELATIONS
from mvdesk.ui.app import SWITCH_INTERVAL_S
from mvdesk.ui.panels.neighbours import Wanted, compute_neighbours
from mvdesk.ui.plots.graph_picture import GraphPicture
from mvdesk.ui.plots.graph_scene import GraphView
from mvdesk.ui.process_lane import ProcessLane
from mvdesk.ui.session import VaultSession
from tests.bench.large_vault import NOW
from tests.bench.measuring import process_ms

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.bench.measuring import Ledger

SIZES = ((1_500, 4_500, 5.0), (5_000, 15_000, 14.0), (20_000, 60_000, 45.0))


def _edges(nodes: int, links: int) -> np.ndarray:
    rng = np.random.default_rng(5)
    near = rng.integers(0, nodes, links)
    # Most links lead to memories made about the same time, some anywhere.
    far = np.where(rng.random(links) < 0.9, near + rng.integers(-40, 40, links), near * 7)
    return np.column_stack((near, far % nodes))


def _picture(nodes: int, links: int) -> GraphPicture:
    rng = np.random.default_rng(5)
    edges = _edges(nodes, links)
    return GraphPicture(
        ids=tuple(map(str, range(nodes))),
        labels=tuple(f"Memory {number}" for number in range(nodes)),
        types=tuple(rng.choice(["note", "fact", "journal"], nodes).tolist()),
        confidence=rng.random(nodes),
        importance=rng.random(nodes) ** 2,
        archived=rng.random(nodes) < 0.05,
        positions=compute_bulk_layout(nodes, edges, 7),
        edges=edges,
        relations=tuple(RELATIONS[code] for code in rng.integers(0, 6, links)),
    )


@pytest.mark.parametrize(("nodes", "links", "budget"), SIZES)
def test_a_frame_while_it_moves(
    qtbot: QtBot, ledger: Ledger, nodes: int, links: int, budget: float
) -> None:
    view = GraphView()
    qtbot.addWidget(view)
    view.resize(1200, 800)
    with qtbot.waitExposed(view):
        view.show()
    view.set_graph(_picture(nodes, links))
    image = QImage(1200, 800, QImage.Format.Format_ARGB32_Premultiplied)

    def frame() -> None:
        painter = QPainter(image)
        view.render(painter)
        painter.end()

    def pan() -> None:
        view.scroll_by(6.0, 4.0)
        frame()

    def zoom() -> None:
        view.zoom_by(0.97)
        frame()

    resting = process_ms(frame, 5)
    panning, zooming = process_ms(pan), process_ms(zoom)
    what = f"graph of {nodes:,} nodes, {links:,} links"
    base = {"baseline": "a frame at rest", "baseline_value": resting}
    ledger.record(f"{what}: a frame while panning", panning, budget=budget, **base)
    ledger.record(f"{what}: a frame while zooming", zooming, budget=budget, **base)


def test_the_window_goes_on_while_20_000_nodes_are_laid_out(qtbot: QtBot, ledger: Ledger) -> None:
    edges = _edges(20_000, 60_000)
    lane, done, gaps = ProcessLane(limit_s=60.0), [], [0.0]
    last, used = time.perf_counter(), time.process_time()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL_S)

    def beat() -> None:
        # Whatever keeps this thread from going on, its own work or a thread that has the
        # interpreter, takes processor time here. The rest of a gap is other programs' doing.
        nonlocal last, used
        now, using = time.perf_counter(), time.process_time()
        gaps.append(1000 * min(now - last, using - used))
        last, used = now, using

    timer = QTimer()
    timer.setInterval(0)
    timer.timeout.connect(beat)
    timer.start()
    started = time.perf_counter()
    lane.run("k", compute_bulk_layout, (20_000, edges, 7), done.append, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=60_000)
    took = 1000 * (time.perf_counter() - started)
    timer.stop()
    lane.shut_down()
    sys.setswitchinterval(interval)
    assert isinstance(done[0], np.ndarray)
    ledger.record(
        "the window's longest gap during a layout of 20,000 nodes, less other programs' share",
        max(gaps),
        budget=50,
        baseline="the layout with the start of its process",
        baseline_value=took,
    )


def test_the_local_graph_of_a_large_vault(
    qtbot: QtBot, ledger: Ledger, large_vault: Path, tmp_path: Path
) -> None:
    session = VaultSession(data_folder=tmp_path, clock=lambda: NOW)
    with qtbot.waitSignal(session.vault_opened, timeout=60_000):
        session.open_vault(large_vault)
    qtbot.waitUntil(session.jobs.is_idle, timeout=60_000)  # the index of a new vault
    view = GraphView()
    qtbot.addWidget(view)
    view.resize(700, 500)
    view.show()
    rows = iter(np.argsort(-session.snapshot.link_counts[:, 0], kind="stable")[:40].tolist())

    def show(depth: int = 1) -> None:
        wanted = Wanted(
            snapshot=session.snapshot,
            scores=session.scores,
            model=session.model,
            now=session.now,
            row=next(rows),
            depth=depth,
            places={},
            centre_before="",
            aspect=1.4,
        )
        view.set_graph(compute_neighbours(wanted).picture)
        view.grab()

    took, painting = process_ms(show, 12), process_ms(view.grab, 5)
    session.shut_down()
    ledger.record(
        "from a selected memory to its graph of 150 painted",
        took,
        budget=80,
        baseline="painting it",
        baseline_value=painting,
    )


def test_opening_and_closing_it_50_times_leaks_nothing(qtbot: QtBot, ledger: Ledger) -> None:
    picture = _picture(1_500, 4_500)
    process = psutil.Process()

    def open_and_close() -> None:
        view = GraphView()
        view.resize(1200, 800)
        view.show()
        view.set_graph(picture)
        view.grab()
        view.close()
        view.deleteLater()
        qtbot.wait(1)

    for _ in range(10):
        open_and_close()
    gc.collect()
    before = process.memory_info().rss / 1e6
    for _ in range(50):
        open_and_close()
    gc.collect()
    after = process.memory_info().rss / 1e6
    ledger.record(
        "memory kept by opening the graph 50 times",
        max(after - before, 0.0),
        unit="MB",
        budget=12,
        baseline="the process before",
        baseline_value=before,
    )

"""The whole window at full size: a slider frame, a selection, another model. Real events."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSlider, QTableView

from mvdesk.scoring.builtin import BUILTIN_MODELS
from mvdesk.scoring.engine import evaluate
from mvdesk.ui import loading
from mvdesk.ui.app import Desk, make_desk, spare_what_is_there, tune_interpreter
from mvdesk.ui.settings import Settings
from tests.bench.large_vault import NOW
from tests.bench.measuring import median_ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController
    from tests.bench.measuring import Ledger


@pytest.fixture
def desk(
    qapp: QApplication, qtbot: QtBot, theme: ThemeController, large_vault: Path, tmp_path: Path
) -> Iterator[Desk]:
    settings = Settings(QSettings(str(tmp_path / "bench.ini"), QSettings.Format.IniFormat))
    turns, thresholds = sys.getswitchinterval(), gc.get_threshold()
    tune_interpreter()  # as the program does
    made = make_desk(qapp, settings, tmp_path, theme=theme, clock=lambda: NOW)
    made.window.resize(1440, 900)
    made.window.show()
    with qtbot.waitSignal(made.window.panels_ready, timeout=60_000):
        made.window.open_vault(large_vault)
    qtbot.waitUntil(made.session.jobs.is_idle, timeout=60_000)
    spare_what_is_there()
    yield made
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    sys.setswitchinterval(turns)
    made.window.close()
    made.window.deleteLater()


def settle(desk: Desk) -> None:
    while not desk.session.jobs.is_idle():
        QApplication.processEvents()
    for _ in range(5):
        QApplication.processEvents()


def timed_ms(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def test_a_slider_step_is_painted_within_a_frame(desk: Desk, ledger: Ledger) -> None:
    session = desk.session
    source = int(np.argmax(session.snapshot.sources.counts))
    rows = session.snapshot.rows_of_source(session.snapshot.sources.keys[source])
    session.select(session.snapshot.memories.ids[int(rows[0])])
    settle(desk)
    slider = desk.window.findChild(QSlider, "trustSlider")
    assert isinstance(slider, QSlider)
    slider.setFocus()
    steps: list[float] = []

    def step(key: Qt.Key) -> None:
        QTest.keyClick(slider, key)
        QApplication.processEvents()

    for number in range(300):
        # Across the whole range and back, so that the order really moves.
        key = Qt.Key.Key_Left if (number // 60) % 2 == 0 else Qt.Key.Key_Right
        steps.append(timed_ms(lambda key=key: step(key)))
    assert not session.preview.is_empty
    settle(desk)
    model, inputs = session.model, session.snapshot.inputs(session.model)
    anew = median_ms(lambda: np.argsort(evaluate(inputs, model, NOW).confidence, kind="stable"))
    ledger.note(
        f"slider over a source of {len(rows):,} memories, 300 steps: p95 "
        f"{np.percentile(steps, 95):.1f} ms, worst {max(steps):.1f} ms, "
        f"{sum(step > 33 for step in steps)} over 33 ms"
    )
    ledger.record(
        "slider step: scores, order, list, waterfalls painted",
        statistics.median(steps),
        budget=16,
        baseline="scoring and sorting all anew, unpainted",
        baseline_value=anew,
    )


def test_a_selected_memory_is_explained_within_a_blink(desk: Desk, ledger: Ledger) -> None:
    session = desk.session
    table = desk.window.findChild(QTableView, "memoryList")
    assert isinstance(table, QTableView)
    table.setFocus()
    times: list[float] = []

    def select_next() -> None:
        QTest.keyClick(table, Qt.Key.Key_Down)
        while session.selected_memory is None:
            QApplication.processEvents()
        QApplication.processEvents()

    for _ in range(100):
        before = session.selected_id
        times.append(timed_ms(select_next))
        assert session.selected_id != before
        settle(desk)
    model, inputs = session.model, session.snapshot.inputs(session.model)
    ledger.note(
        f"selection: p95 {np.percentile(times, 95):.1f} ms, worst {max(times):.1f} ms of 100"
    )
    ledger.record(
        "select a memory to text and explanation painted",
        statistics.median(times),
        budget=50,
        baseline="scoring all",
        baseline_value=median_ms(lambda: evaluate(inputs, model, NOW)),
    )


def test_another_model_is_scored_and_sorted_at_once(desk: Desk, ledger: Ledger) -> None:
    state = desk.session._state  # the stored state as a job gets it
    models = list(BUILTIN_MODELS.values())
    for model in models:
        state.loaded.snapshot.inputs(model)
    turn = 0

    def rescore() -> None:
        nonlocal turn
        turn += 1
        loaded = loading.rescore(state.loaded, models[turn % 3], NOW + turn)
        loaded.arranger.order(loaded.scores, state.arrangement)

    inputs = state.loaded.snapshot.inputs(models[0])
    ones = [inputs.taken([row]) for row in range(200)]
    one_by_one = median_ms(lambda: [evaluate(one, models[0], NOW) for one in ones], 5)
    ledger.record(
        "full rescore and sort (another model, another date)",
        median_ms(rescore),
        budget=25,
        baseline="one by one, unsorted",
        baseline_value=one_by_one * len(inputs) / 200,
    )


def test_the_window_never_stands_still(desk: Desk, ledger: Ledger) -> None:
    """The longest gap between two turns of the event loop while models change and lists sort."""
    session = desk.session
    gaps: list[float] = []
    last = time.perf_counter()

    def run_for(seconds: float) -> None:
        nonlocal last
        end = time.perf_counter() + seconds
        last = time.perf_counter()
        while time.perf_counter() < end:
            QApplication.processEvents()
            now = time.perf_counter()
            gaps.append(1000 * (now - last))
            last = now

    for model in BUILTIN_MODELS:
        session.set_model(model)
        run_for(0.4)
    for column in ("title", "source", "updated", "confidence"):
        session.set_sort(column, descending=column == "confidence")
        run_for(0.6)
    session.set_filter("quarterly")
    run_for(0.5)
    session.set_filter("")
    run_for(0.5)
    ledger.record(
        "longest gap of the event loop, models, sorting, filter",
        max(gaps),
        budget=50,
        baseline="the median turn",
        baseline_value=statistics.median(gaps),
    )

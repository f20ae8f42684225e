"""The whole window at full size: a slider frame, a selection, another model. Real events."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QEventLoop, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSlider, QTableView, QWidget

from mvdesk.scoring.builtin import BUILTIN_MODELS
from mvdesk.scoring.engine import evaluate
from mvdesk.ui import loading
from mvdesk.ui.app import Desk, make_desk, spare_what_is_there, tune_interpreter
from mvdesk.ui.panels.movers import MoversPanel
from mvdesk.ui.settings import Settings
from mvdesk.ui.workspaces import WORKSPACES
from tests.bench.conftest import MEMORIES
from tests.bench.large_vault import NOW
from tests.bench.measuring import median_ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController
    from mvdesk.vault.questions.conditions import Moment
    from tests.bench.measuring import Ledger


STEPS = 300
SETTLED_MS = 50
CALM_MS = 500
SIZE = max(1, MEMORIES // 100_000)
OPENING_MS = 60_000 * SIZE


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
    try:
        with qtbot.waitSignal(made.window.panels_ready, timeout=OPENING_MS):
            made.window.open_vault(large_vault)
        settle(made)  # the first opening of a vault makes its companion, which takes minutes
        spare_what_is_there()
        yield made
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(turns)
        made.session.shut_down()  # before the window, which would ask about a running preview
        made.window.close()
        made.window.deleteLater()


def wait_until(condition: Callable[[], bool]) -> None:
    """Run the event loop as the program does: it sleeps until something happens."""
    heartbeat = QTimer()
    heartbeat.start(100)  # in case nothing happens at all
    while not condition():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    heartbeat.stop()


def settle(desk: Desk, calm_ms: float = CALM_MS) -> None:
    """Wait until nothing has run for a while: what one job finds may ask for another."""
    calm_since = time.monotonic()
    give_up = calm_since + OPENING_MS / 1000

    def is_calm() -> bool:
        nonlocal calm_since
        now = time.monotonic()
        assert now < give_up, "jobs go on and on"
        is_idle = desk.session.jobs.is_idle()
        if not is_idle:
            calm_since = now
        return is_idle and 1000 * (now - calm_since) >= calm_ms

    wait_until(is_calm)
    for _ in range(5):
        QApplication.processEvents()


def timed_ms(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


FRAME_MS = 1000 / 60


class Tuning:
    """The largest source, its slider in a workspace, and how long steps of it took."""

    def __init__(self, desk: Desk, workspace: str) -> None:
        self.desk, self.session = desk, desk.session
        self._key = Qt.Key.Key_Left
        self.frames: list[float] = []
        self.busy: list[float] = []  # the processor time of the same steps in this thread
        sources = self.session.snapshot.sources
        self.key = sources.keys[int(np.argmax(sources.counts))]
        rows = self.session.snapshot.rows_of_source(self.key)
        self.count = len(rows)
        desk.window.workspace.show(workspace)
        settle(desk)
        self.session.select(self.session.snapshot.memories.ids[int(rows[0])])
        self.session.looking.set_source(self.key)
        settle(desk)
        spare_what_is_there()
        sliders = desk.window.findChildren(QSlider, "trustSlider")
        (self.slider,) = [slider for slider in sliders if slider.isVisible()]
        self.slider.setFocus()

    def sweep(self) -> None:
        """A key, across the whole range and back, so that the order really moves."""
        self.press(self.next_key())

    def next_key(self) -> Qt.Key:
        """The key that moves the slider on, and back again from its ends."""
        slider = self.slider
        if slider.value() <= slider.minimum():
            self._key = Qt.Key.Key_Right
        elif slider.value() >= slider.maximum():
            self._key = Qt.Key.Key_Left
        return self._key

    def press(self, key: Qt.Key) -> None:
        self._time(partial(QTest.keyClick, self.slider, key))

    def drag(self, number: int) -> None:
        """The mouse, with the button down, one percent further and back from the ends."""
        place = abs((number + 100) % 200 - 100) / 100
        spot = self.slider.handle_center(place).toPoint()
        self._time(partial(QTest.mouseMove, self.slider, spot))

    def settle_step(self, key: Qt.Key) -> None:
        """A key, until the list has the scores and the order of the new value and is painted."""

        def step() -> None:
            QTest.keyClick(self.slider, key)
            asked = self.slider.value() / self.slider.maximum()
            wait_until(lambda: self._shown_trust() == pytest.approx(asked))

        self._time(step)

    def _shown_trust(self) -> float:
        tried = self.session.preview.trust
        found = tried.get(self.key, self.session.trust_of(self.key, committed=True))
        return -1.0 if found is None else found

    def _time(self, event: Callable[[], None]) -> None:
        busy, start = time.thread_time(), time.perf_counter()
        event()
        QApplication.processEvents()
        self.frames.append(1000 * (time.perf_counter() - start))
        self.busy.append(1000 * (time.thread_time() - busy))

    def record(self, ledger: Ledger, what: str) -> None:
        frames, session = self.frames, self.session
        model, inputs = session.model, session.snapshot.inputs(session.model)
        ledger.note(
            f"{what}: {self.count:,} memories, {len(frames)} steps, p50 "
            f"{statistics.median(frames):.1f} ms, p95 {np.percentile(frames, 95):.1f} ms, worst "
            f"{max(frames):.1f} ms, {sum(step > FRAME_MS for step in frames)} dropped frames, "
            f"{sum(step > 50 for step in frames)} over 50 ms; of the processor p50 "
            f"{statistics.median(self.busy):.1f} ms, p95 {np.percentile(self.busy, 95):.1f} ms"
        )
        ledger.record(
            what,
            statistics.median(frames),
            budget=16,
            baseline="scoring and sorting all anew, unpainted",
            baseline_value=median_ms(
                lambda: np.argsort(evaluate(inputs, model, NOW).confidence, kind="stable")
            ),
        )


@pytest.mark.parametrize("workspace", [spec.name for spec in WORKSPACES if "sources" in spec.docks])
def test_a_slider_step_is_painted_within_a_frame(
    desk: Desk, ledger: Ledger, workspace: str
) -> None:
    tuning = Tuning(desk, workspace)
    for _ in range(STEPS):
        tuning.sweep()
    assert not desk.session.preview.is_empty
    settle(desk)
    tuning.record(ledger, f"slider step by key, workspace {workspace}")


def test_a_dragged_slider_is_painted_within_a_frame(desk: Desk, ledger: Ledger) -> None:
    tuning = Tuning(desk, "sources")
    slider = tuning.slider
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=slider.handle_center(0.5).toPoint())
    for number in range(STEPS):
        tuning.drag(number)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=slider.handle_center(0.3).toPoint())
    settle(desk)
    tuning.record(ledger, "slider step by mouse, workspace sources")


@pytest.mark.parametrize("workspace", ["memories", "sources"])
def test_the_order_settles_soon_after_a_slider_step(
    desk: Desk, ledger: Ledger, workspace: str
) -> None:
    """In a large vault scores and order come from a job: until the list shows the new value."""
    tuning, session = Tuning(desk, workspace), desk.session
    model, inputs = session.model, session.snapshot.inputs(session.model)
    for _ in range(STEPS):
        tuning.settle_step(tuning.next_key())
    times = tuning.frames
    ledger.note(
        f"order settled after a slider step, workspace {workspace}: {len(times)} steps, p50 "
        f"{statistics.median(times):.1f} ms, p95 {np.percentile(times, 95):.1f} ms, worst "
        f"{max(times):.1f} ms, {sum(step > SETTLED_MS for step in times)} over {SETTLED_MS} ms; "
        f"of this thread's processor p50 {statistics.median(tuning.busy):.1f} ms"
    )
    ledger.record(
        f"slider step to scores and order settled, workspace {workspace}",
        statistics.median(times),
        budget=SETTLED_MS,
        baseline="scoring and sorting all anew, unpainted",
        baseline_value=median_ms(
            lambda: np.argsort(evaluate(inputs, model, NOW).confidence, kind="stable"), 5
        ),
    )


def test_movers_follow_the_last_step(desk: Desk, ledger: Ledger) -> None:
    tuning = Tuning(desk, "sources")
    movers = desk.window.findChild(QWidget, "moversPanel")
    assert isinstance(movers, MoversPanel)
    tuning.press(Qt.Key.Key_PageUp)
    settle(desk)
    times = []
    for number in range(20):
        tuning.press(Qt.Key.Key_Left if number % 2 else Qt.Key.Key_Right)

        def follow() -> None:
            QApplication.processEvents()
            wait_until(lambda: not desk.session.jobs.is_running("preview") and movers.is_settled)

        times.append(timed_ms(follow))
    ledger.record(
        "last slider step to movers and conflicts shown",
        statistics.median(times),
        budget=120 * SIZE,
        baseline="a slider step",
        baseline_value=statistics.median(tuning.frames),
    )


def test_a_selected_memory_is_explained_within_a_blink(desk: Desk, ledger: Ledger) -> None:
    session = desk.session
    table = desk.window.findChild(QTableView, "memoryList")
    assert isinstance(table, QTableView)
    table.setFocus()
    times: list[float] = []

    def select_next() -> None:
        QTest.keyClick(table, Qt.Key.Key_Down)
        wait_until(lambda: session.selected_memory is not None)
        QApplication.processEvents()

    for _ in range(100):
        before = session.selected_id
        times.append(timed_ms(select_next))
        assert session.selected_id != before
        settle(desk, 0)
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


def _no_search() -> Moment:
    raise AssertionError("nothing is searched for")


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
        loaded.arranger.order(loaded.scores, state.arrangement, _no_search)

    inputs = state.loaded.snapshot.inputs(models[0])
    ones = [inputs.taken([row]) for row in range(200)]
    one_by_one = median_ms(lambda: [evaluate(one, models[0], NOW) for one in ones], 5)
    ledger.record(
        "full rescore and sort (another model, another date)",
        median_ms(rescore),
        budget=25 * SIZE,
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

"""Calls in a process of its own: they answer, they can be dropped, and none stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from mvdesk.ui.process_child import COUNTS_ITS_TIME
from mvdesk.ui.process_lane import ChildFailed, ProcessLane, TookTooLong

from . import slow_calls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

ROOT = Path(__file__).resolve().parents[2]


class Answers:
    def __init__(self) -> None:
        self.results: list[object] = []
        self.errors: list[BaseException] = []

    def count(self) -> int:
        return len(self.results) + len(self.errors)


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def lane(qapp: object) -> Iterator[ProcessLane]:
    made = ProcessLane(limit_s=20.0)
    yield made
    made.shut_down()


def _run(lane: ProcessLane, answers: Answers, call: object, *args: object, key: str = "k") -> None:
    lane.run(key, call, args, answers.results.append, answers.errors.append)  # type: ignore[arg-type]


def test_a_result_comes_back_and_the_process_is_kept(
    qtbot: QtBot, lane: ProcessLane, answers: Answers
) -> None:
    assert lane.process_id is None
    _run(lane, answers, slow_calls.add, 1, 2)
    qtbot.waitUntil(lambda: answers.count() == 1, timeout=30_000)
    first = lane.process_id
    _run(lane, answers, slow_calls.add, 3, 4)
    qtbot.waitUntil(lambda: answers.count() == 2, timeout=30_000)
    assert answers.results == [3, 7]
    assert lane.process_id == first != os.getpid()
    assert lane.is_idle()


def test_an_error_in_the_child_is_told_and_the_child_goes_on(
    qtbot: QtBot, lane: ProcessLane, answers: Answers
) -> None:
    _run(lane, answers, slow_calls.fail)
    qtbot.waitUntil(lambda: answers.count() == 1, timeout=30_000)
    assert isinstance(answers.errors[0], ChildFailed)
    assert "no such thing" in str(answers.errors[0])
    _run(lane, answers, slow_calls.add, 1, 1)
    qtbot.waitUntil(lambda: answers.count() == 2, timeout=30_000)
    assert answers.results == [2]


def test_after_a_crash_of_the_child_the_next_call_gets_another(
    qtbot: QtBot, lane: ProcessLane, answers: Answers
) -> None:
    _run(lane, answers, slow_calls.die)
    qtbot.waitUntil(lambda: answers.count() == 1, timeout=30_000)
    assert isinstance(answers.errors[0], ChildFailed)
    _run(lane, answers, slow_calls.add, 2, 2)
    qtbot.waitUntil(lambda: answers.count() == 2, timeout=30_000)
    assert answers.results == [4]


def test_the_newest_call_under_a_key_wins(
    qtbot: QtBot, lane: ProcessLane, answers: Answers
) -> None:
    _run(lane, answers, slow_calls.stay)
    qtbot.waitUntil(lambda: lane.process_id is not None, timeout=30_000)
    _run(lane, answers, slow_calls.add, 5, 5)
    qtbot.waitUntil(lambda: lane.is_idle(), timeout=30_000)
    assert answers.results == [10]
    assert answers.errors == []


def test_a_cancelled_call_says_nothing(qtbot: QtBot, lane: ProcessLane, answers: Answers) -> None:
    _run(lane, answers, slow_calls.stay)
    assert lane.is_running("k")
    lane.cancel("k")
    qtbot.waitUntil(lane.is_idle, timeout=30_000)
    assert answers.count() == 0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux tells of its threads")
def test_nobody_wakes_while_a_call_runs(qtbot: QtBot, lane: ProcessLane, answers: Answers) -> None:
    """Each look of the waiting thread takes the interpreter from the window."""
    _run(lane, answers, slow_calls.add, 1, 2)
    qtbot.waitUntil(lambda: answers.count() == 1, timeout=30_000)
    looks: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        polled = Connection.poll
        patch.setattr(Connection, "poll", lambda *args: looks.append(1) or polled(*args))
        _run(lane, answers, time.sleep, 0.6)
        qtbot.waitUntil(lambda: answers.count() == 2, timeout=30_000)
    assert len(looks) <= 2
    assert lane.is_idle()


def test_a_call_is_stopped_at_its_limit(qtbot: QtBot, qapp: object, answers: Answers) -> None:
    lane = ProcessLane(limit_s=0.2)
    _run(lane, answers, slow_calls.stay)
    qtbot.waitUntil(lambda: answers.count() == 1, timeout=30_000)
    assert isinstance(answers.errors[0], TookTooLong)
    assert lane.process_id is None
    lane.shut_down()


@pytest.mark.skipif(not COUNTS_ITS_TIME, reason="this system has no such alarm")
def test_only_the_time_it_had_the_processor_counts(
    qtbot: QtBot, qapp: object, answers: Answers
) -> None:
    lane = ProcessLane(limit_s=0.4)
    _run(lane, answers, time.sleep, 0.8)  # as on a machine where others have it
    qtbot.waitUntil(lambda: answers.count() == 1, timeout=30_000)
    assert answers.results == [None]
    _run(lane, answers, slow_calls.spin, 60.0)
    started = time.monotonic()
    qtbot.waitUntil(lambda: answers.count() == 2, timeout=30_000)
    assert isinstance(answers.errors[0], TookTooLong)
    assert time.monotonic() - started < 30
    _run(lane, answers, slow_calls.add, 1, 1)
    qtbot.waitUntil(lambda: answers.count() == 3, timeout=30_000)
    assert answers.results == [None, 2]
    lane.shut_down()


def test_shutting_down_in_the_middle_of_a_call_leaves_no_process(
    qtbot: QtBot, qapp: object, answers: Answers
) -> None:
    lane = ProcessLane(limit_s=20.0)
    _run(lane, answers, slow_calls.stay)
    qtbot.waitUntil(lambda: lane.process_id is not None, timeout=30_000)
    child = psutil.Process(lane.process_id)
    lane.shut_down()
    assert not child.is_running()
    assert answers.count() == 0


_WINDOW = """
import sys
import time
from multiprocessing.connection import Connection
from PySide6.QtCore import QCoreApplication
from mvdesk.ui.process_lane import ProcessLane
from tests.ui import slow_calls
app = QCoreApplication([])
lane = ProcessLane(limit_s={limit})
lane.run("k", slow_calls.add, (1, 2), lambda _: say(), print)
def say():
    lane.run("k", slow_calls.stay, (), print, print)
    print(lane.process_id, flush=True)
app.exec()
"""


@pytest.mark.parametrize("limit", [1.5, 0.3])
def test_a_killed_window_leaves_no_process(limit: float) -> None:
    window = subprocess.Popen(
        [sys.executable, "-c", _WINDOW.format(limit=limit)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    )
    assert window.stdout is not None
    with window:
        child = psutil.Process(int(window.stdout.readline()))
        helpers = psutil.Process(window.pid).children(recursive=True)
        window.send_signal(signal.SIGKILL)
    # A busy child is ended by its own alarm; an idle one by the end of the connection.
    gone, alive = psutil.wait_procs([child, *helpers], timeout=2 * limit + 20)
    assert not alive
    assert child in gone


def test_starting_the_lane_imports_neither_igraph_nor_processes() -> None:
    code = (
        "import sys, mvdesk.ui.process_lane as lane, mvdesk.graphs.bulk_layout\n"
        "from PySide6.QtCore import QCoreApplication\n"
        "app = QCoreApplication([]); made = lane.ProcessLane(); made.shut_down()\n"
        "assert not {'igraph', 'multiprocessing'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)

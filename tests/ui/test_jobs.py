"""Background work: newest wins, writes keep their order, threads are joined."""

from __future__ import annotations

import gc
import threading
import weakref
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from shiboken6 import Shiboken

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.jobs import CancelToken, Jobs


def test_only_the_newest_job_under_a_key_reports(qtbot: QtBot, jobs: Jobs) -> None:
    gate = threading.Event()
    seen: list[object] = []
    jobs.run("rank", lambda _: gate.wait(5) and "old", seen.append)
    jobs.run("rank", lambda _: "new", seen.append)
    gate.set()
    qtbot.waitUntil(jobs.is_idle)
    assert seen == ["new"]


def test_a_replaced_job_is_told_to_stop(qtbot: QtBot, jobs: Jobs) -> None:
    started, stopped = threading.Event(), threading.Event()

    def work(token: CancelToken) -> None:
        started.set()
        while not token.is_cancelled():
            threading.Event().wait(0.001)
        stopped.set()

    jobs.run("rank", work, lambda _: None)
    assert started.wait(5)
    jobs.run("rank", lambda _: None, lambda _: None)
    assert stopped.wait(5)
    qtbot.waitUntil(jobs.is_idle)


def test_a_result_is_let_go_of_once_it_was_handed_over(qtbot: QtBot, jobs: Jobs) -> None:
    class Large:
        pass

    seen: list[weakref.ref[Large]] = []
    gc.disable()  # it isn't to be waited for
    try:
        jobs.run("rank", lambda _: Large(), lambda made: seen.append(weakref.ref(made)))
        qtbot.waitUntil(lambda: bool(seen) and jobs.is_idle())
        qtbot.waitUntil(lambda: seen[0]() is None, timeout=1000)
    finally:
        gc.enable()


def test_a_result_that_nobody_waits_for_is_handed_to_dropped(qtbot: QtBot, jobs: Jobs) -> None:
    gate = threading.Event()
    started = threading.Event()
    dropped: list[str] = []

    def work(_: CancelToken) -> str:
        started.set()
        gate.wait(5)
        return "open file"

    jobs.run("open", work, lambda _: None, dropped=dropped.append)
    assert started.wait(5)
    jobs.cancel("open")
    gate.set()
    qtbot.waitUntil(jobs.is_idle)
    assert dropped == ["open file"]


class Asker(QObject):
    """Asks for something and may be deleted before it is there."""

    told = Signal(str)

    def on_done(self, _number: int, result: str) -> None:
        self.told.emit(result)


def test_a_result_for_someone_who_was_deleted_is_dropped(qtbot: QtBot, jobs: Jobs) -> None:
    parent, gate = QObject(), threading.Event()
    asker, closed = Asker(parent), list[str]()
    jobs.run(
        "ask",
        lambda _: gate.wait(5) and "answer",
        partial(asker.on_done, 1),
        dropped=closed.append,
    )
    Shiboken.delete(parent)
    gate.set()
    qtbot.waitUntil(jobs.is_idle)
    assert closed == ["answer"]


def test_shutting_down_hands_over_what_must_be_closed(jobs: Jobs) -> None:
    gate = threading.Event()
    started = threading.Event()
    dropped: list[str] = []

    def work(_: CancelToken) -> str:
        started.set()
        gate.wait(5)
        return "open file"

    jobs.run("open", work, lambda _: None, dropped=dropped.append)
    assert started.wait(5)
    gate.set()
    jobs.shut_down()
    assert dropped == ["open file"]
    assert jobs.is_idle()


def test_results_arrive_on_the_gui_thread(qtbot: QtBot, jobs: Jobs) -> None:
    threads: list[threading.Thread] = []
    jobs.run("a", lambda _: None, lambda _: threads.append(threading.current_thread()))
    jobs.write(lambda: None, lambda _: threads.append(threading.current_thread()))
    qtbot.waitUntil(jobs.is_idle)
    assert threads == [threading.main_thread()] * 2


def test_writes_keep_their_order_and_none_is_dropped(qtbot: QtBot, jobs: Jobs) -> None:
    done: list[int] = []
    seen: list[int] = []

    def write(number: int) -> int:
        done.append(number)
        return number

    for number in range(50):
        jobs.write(lambda number=number: write(number), seen.append)  # type: ignore[misc]
    qtbot.waitUntil(jobs.is_idle)
    assert done == seen == list(range(50))


def test_shutting_down_finishes_the_writes(jobs: Jobs) -> None:
    done: list[int] = []
    for number in range(20):
        jobs.write(lambda number=number: done.append(number), lambda _: None)  # type: ignore[misc]
    jobs.shut_down()
    assert done == list(range(20))


def test_a_failure_goes_to_whoever_asked_for_it(qtbot: QtBot, jobs: Jobs) -> None:
    errors: list[BaseException] = []
    elsewhere: list[str] = []
    jobs.failed.connect(lambda key, _error: elsewhere.append(key))
    jobs.run("asked", lambda _: 1 / 0, lambda _: None, failed=errors.append)
    jobs.run("not asked", lambda _: 1 / 0, lambda _: None)
    qtbot.waitUntil(jobs.is_idle)
    assert [type(error) for error in errors] == [ZeroDivisionError]
    assert elsewhere == ["not asked"]


def test_a_failing_write_does_not_stop_the_next(qtbot: QtBot, jobs: Jobs) -> None:
    errors: list[BaseException] = []
    seen: list[str] = []
    jobs.write(lambda: [][0], lambda _: None, failed=errors.append)
    jobs.write(lambda: "next", seen.append)
    qtbot.waitUntil(jobs.is_idle)
    assert len(errors) == 1
    assert seen == ["next"]


def test_nothing_runs_after_shutting_down(jobs: Jobs) -> None:
    jobs.shut_down()
    jobs.run("late", lambda _: None, lambda _: None)
    jobs.write(lambda: None, lambda _: None)
    assert jobs.is_idle()


def test_urgent_work_queues_behind_no_other(qtbot: QtBot, jobs: Jobs) -> None:
    gate = threading.Event()
    seen: list[str] = []
    for name in ("one", "two", "three"):
        jobs.run(name, lambda _, name=name: gate.wait(5) and name, seen.append)  # type: ignore[misc]
    jobs.run("frame", lambda _: "frame", seen.append, urgent=True)
    qtbot.waitUntil(lambda: seen == ["frame"])
    gate.set()
    qtbot.waitUntil(jobs.is_idle)
    assert seen[0] == "frame"
    assert len(seen) == 4

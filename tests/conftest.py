"""Fixtures for every test: Qt without a display, the program's own look, nothing left behind."""

from __future__ import annotations

import os

# Before anything imports Qt: tests need no display, and must look alike everywhere.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_SCALE_FACTOR", "1")
os.environ["LC_ALL"] = "C.UTF-8"  # numbers and dates as in English

import gc
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from PySide6.QtCore import QAbstractAnimation, QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from mvdesk.ui.jobs import Jobs
from mvdesk.ui.theme import ThemeController

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# The same examples on every run, and no judgement by the clock of a busy machine.
settings.register_profile(
    "mvdesk", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("mvdesk")

NOW = 1_800_000_000  # 2027-01-15 08:00 UTC
QT_FIXTURES = {"qapp", "qtbot", "qtmodeltester", "theme", "jobs"}
LASTING_FIXTURES = {"lasting_graph"}
"""Fixtures with a session that outlives a test; its threads and timers are no leftovers."""
THREAD_GRACE_S = 5.0
_reported: set[int] = set()  # ids of timers that some test was failed for already


def pytest_configure(config: pytest.Config) -> None:
    # The offscreen platform says so for every window with a smallest size; nothing is wrong.
    config.addinivalue_line("qt_log_ignore", "This plugin does not support propagateSizeHints")


def pytest_collection_finish() -> None:
    """Leave what is imported by now out of every later search for leftovers."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def now() -> int:
    """The clock of tests, in epoch seconds."""
    return NOW


@pytest.fixture(scope="session")
def _dressed(qapp: QApplication) -> ThemeController:
    controller = ThemeController(qapp)
    controller.apply(qapp)
    return controller


@pytest.fixture
def theme(_dressed: ThemeController) -> Iterator[ThemeController]:
    """The theme of the test application: light, scale 1, nothing animated; put back afterwards."""
    _reset(_dressed)
    yield _dressed
    _reset(_dressed)


def _reset(theme: ThemeController) -> None:
    theme.set_theme("light")
    theme.set_scale(1.0)
    theme.set_contrast("usual")
    theme.set_palette("blueOrange")
    theme.set_reduced_motion(True)


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    """Background work with real threads, joined after the test."""
    made = Jobs()
    yield made
    made.shut_down()


@pytest.fixture(autouse=True)
def _nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves threads running, timers ticking, or windows open."""
    threads_before = set(threading.enumerate())
    uses_qt = not QT_FIXTURES.isdisjoint(request.fixturenames)
    if uses_qt:
        _reset(request.getfixturevalue("_dressed"))
        windows_before = {id(window) for window in QApplication.topLevelWidgets()}
    yield
    if uses_qt:
        _let_go_of_the_mouse()
    is_lasting = not LASTING_FIXTURES.isdisjoint(request.fixturenames)
    problems = [] if is_lasting else _leftover_threads(threads_before)
    if uses_qt:
        _delete_what_waits()
        problems += _leftovers(_open_roots if is_lasting else _open_windows, windows_before)
        problems += _holding_on()
        problems += [] if is_lasting else _leftovers(_ticking, _reported)
    if problems:
        pytest.fail("left behind: " + ", ".join(problems))


def _leftover_threads(before: set[threading.Thread]) -> list[str]:
    started = [thread for thread in threading.enumerate() if thread not in before]
    for thread in started:
        thread.join(THREAD_GRACE_S)
    return [f"thread {thread.name}" for thread in started if thread.is_alive()]


def _delete_what_waits() -> None:
    """Carry out every deleteLater; without an event loop Qt would keep them."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _let_go_of_the_mouse() -> None:
    """QTest's double click ends with the button down, for every test after it."""
    held = QGuiApplication.mouseButtons()
    if held == Qt.MouseButton.NoButton:
        return
    nothing = QWidget()
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
        if held & button:
            QTest.mouseRelease(nothing, button)


def _leftovers(find: Callable[[], list[object]], before: set[int]) -> list[str]:
    left = [thing for thing in find() if id(thing) not in before]
    if left:  # cycles keep closed windows alive until collected; that is no leak
        del left
        gc.collect()
        _delete_what_waits()
        left = [thing for thing in find() if id(thing) not in before]
    before.update(id(thing) for thing in left)
    return [f"{type(thing).__name__} {thing.objectName()!r}" for thing in left]  # type: ignore[attr-defined]


def _holding_on() -> list[str]:
    """What would keep the pointer or the keyboard from the next test."""
    holders = {
        "popup": QApplication.activePopupWidget(),
        "dialog": QApplication.activeModalWidget(),
        "pointer grabbed by": QWidget.mouseGrabber(),
        "keyboard grabbed by": QWidget.keyboardGrabber(),
    }
    return [f"{how} {type(who).__name__}" for how, who in holders.items() if who is not None]


def _open_windows() -> list[object]:
    """Top-level widgets that a person would see, or that nobody closed."""
    return [window for window in QApplication.topLevelWidgets() if _is_ours(window)]


def _open_roots() -> list[object]:
    """Those that belong to no other: a window that lasts may make its menus anew."""
    return [window for window in _open_windows() if window.parent() is None]  # type: ignore[attr-defined]


def _is_ours(window: QWidget) -> bool:
    # Qt keeps popups of its own, such as a combo box's list or a tool tip, for later.
    return not window.inherits("QComboBoxPrivateContainer") and not window.inherits("QTipLabel")


def _ticking() -> list[object]:
    """Active timers and running animations that Python code made."""
    found: list[object] = []
    for thing in gc.get_objects():
        kind = type(thing)
        if issubclass(kind, (QTimer, QAbstractAnimation)) and Shiboken.isValid(thing):
            active = (
                thing.isActive()
                if isinstance(thing, QTimer)
                else thing.state() == QAbstractAnimation.State.Running
            )
            if active:
                found.append(thing)
    return found

"""Scores follow the clock while the window stays open."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from mvdesk.ui import clock_watch
from mvdesk.ui.clock_watch import EVERY_S, ClockWatch, seconds_to_next
from mvdesk.ui.session import VaultSession

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

DAY = 86_400
SOON = 0.02


@pytest.fixture(autouse=True)
def short_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_watch, "QUIET_MS", 150)


class Clock:
    """A clock that is set by hand."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock(now: int) -> Clock:
    return Clock(now)


@pytest.fixture
def session(qtbot: QtBot, brain_file: Path, tmp_path: Path, clock: Clock) -> Iterator[VaultSession]:
    made = VaultSession(data_folder=tmp_path / "data", clock=clock)
    ClockWatch(made, clock, every_s=SOON)
    with qtbot.waitSignal(made.vault_opened):
        made.open_vault(brain_file)
    qtbot.waitUntil(made.jobs.is_idle)
    yield made
    made.shut_down()


def test_scores_follow_the_clock(qtbot: QtBot, session: VaultSession, clock: Clock) -> None:
    before = session.scores.importance.copy()
    clock.now += 200 * DAY
    with qtbot.waitSignal(session.scores_changed):
        pass
    assert session.now == clock.now
    assert (session.scores.importance != before).any()


def test_nothing_moves_by_itself_while_a_preview_moves(
    qtbot: QtBot, session: VaultSession, clock: Clock
) -> None:
    source = session.snapshot.sources.keys[0]
    session.preview_trust(source, 0.11)
    then = session.now
    clock.now += DAY
    for step in range(12):
        qtbot.wait(20)
        session.preview_trust(source, 0.12 + step / 100)
        assert session.now == then
    tried = dict(session.preview.trust)
    qtbot.waitUntil(lambda: session.now == clock.now)
    assert dict(session.preview.trust) == tried


def test_nothing_moves_by_itself_while_a_handle_is_held(
    qtbot: QtBot, session: VaultSession, clock: Clock
) -> None:
    held = QWidget()
    qtbot.addWidget(held)
    held.show()
    QTest.mousePress(held, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    then = session.now
    clock.now += DAY
    qtbot.wait(400)
    assert session.now == then
    QTest.mouseRelease(held, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    qtbot.waitUntil(lambda: session.now == clock.now)


def test_a_day_begins_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    noon = int(datetime(2026, 10, 24, 12, 0).timestamp())
    late = int(datetime(2026, 10, 24, 23, 58).timestamp())
    waits = seconds_to_next(noon), seconds_to_next(late)
    monkeypatch.undo()
    time.tzset()
    assert waits == (EVERY_S, 120)


def test_a_closed_vault_has_no_clock(qtbot: QtBot, session: VaultSession, clock: Clock) -> None:
    session.close_vault()
    clock.now += DAY
    with qtbot.assertNotEmitted(session.scores_changed, wait=100):
        pass

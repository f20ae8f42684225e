"""Searching in the whole window at full size: keys typed, hits on the screen, gaps meanwhile."""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mvdesk.ui.app import Desk, make_desk, spare_what_is_there, tune_interpreter
from mvdesk.ui.settings import Settings
from mvdesk.ui.widgets.query_field import QueryField
from tests.bench.large_vault import NOW
from tests.bench.measuring import median_ms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController
    from tests.bench.measuring import Ledger

BASELINE = "sorting a million numbers"
TYPED = (
    "tag12", "quarterly rev", "th", "打ち", "réunion", "blinds riv type:fact",
    "conf<0.4 trust:unset",
    "tag:tag9 OR source:slack", "perhaps -window imp>=0.6", "no:source low:", "3f9a", "zzzz",
)  # fmt: skip


@pytest.fixture(scope="module")
def baseline_ms() -> float:
    numbers = np.random.default_rng(1).random(1_000_000)
    return median_ms(lambda: np.sort(numbers), rounds=5)


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
    made.session.set_filter("")
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    sys.setswitchinterval(turns)
    made.window.close()
    made.window.deleteLater()


class Typist:
    """Types into the search box and keeps times: of the key, to first hits, to settled."""

    def __init__(self, desk: Desk) -> None:
        self.session = desk.session
        box = desk.window.findChild(QueryField, "searchBox")
        assert isinstance(box, QueryField)
        self.box = box
        self.keys: list[float] = []
        self.first: list[float] = []
        self.settled: list[float] = []
        self.gaps: list[float] = []

    def turn(self) -> None:
        start = time.perf_counter()
        QApplication.processEvents()
        self.gaps.append(1000 * (time.perf_counter() - start))

    def type(self, text: str) -> None:
        """Every letter once what was typed before it has been found."""
        self.box.setFocus()
        self.session.set_filter("")
        self.wait()
        for letter in text:
            start = time.perf_counter()
            if letter.isascii():
                QTest.keyClicks(self.box, letter)
            else:
                self.box.insert(letter)  # as an input method does
            self.keys.append(1000 * (time.perf_counter() - start))
            while self.session.filter_text and self.session.matches is None:
                self.turn()
            self.first.append(1000 * (time.perf_counter() - start))
            self.wait()
            self.settled.append(1000 * (time.perf_counter() - start))

    def wait(self) -> None:
        while not self.session.jobs.is_idle():
            self.turn()
        self.turn()


def test_typing_a_search_never_waits(desk: Desk, ledger: Ledger, baseline_ms: float) -> None:
    typist = Typist(desk)
    typist.type("warm up")
    typist = Typist(desk)
    for text in TYPED:
        typist.type(text)
    record = {"baseline": BASELINE, "baseline_value": baseline_ms}
    for what, times, budgets in (
        ("key typed in the search box", typist.keys, (16, 33)),
        ("search typed letter by letter, first hits", typist.first, (40, None)),
        ("search typed letter by letter, settled", typist.settled, (None, None)),
        ("turn of the event loop while searching", typist.gaps, (16, 50)),
    ):
        for share, budget in zip((50, 95), budgets, strict=True):
            figure = float(np.percentile(times, share))
            ledger.record(f"{what}, p{share}", figure, budget=budget, **record)
    ledger.note(f"{len(typist.keys)} letters typed; longest turn {max(typist.gaps):.1f} ms")


def test_filter_and_sort_at_once(desk: Desk, ledger: Ledger, baseline_ms: float) -> None:
    session, typist = desk.session, Typist(desk)

    def filtered() -> None:
        session.set_filter("type:fact conf>=0.3")
        session.set_sort("importance", True)
        typist.wait()
        session.set_filter("")
        session.set_sort("confidence", True)
        typist.wait()

    both = median_ms(filtered, rounds=9) / 2
    ledger.record(
        "filter and sort, painted", both, budget=60, baseline=BASELINE, baseline_value=baseline_ms
    )

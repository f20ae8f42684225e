"""Typing in the whole window at full size: from the key to painted, scores and marks included.

In process time, since the machine may have other work; what waits for the window system is
nothing here.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from mvdesk.ui.app import Desk, make_desk, spare_what_is_there, tune_interpreter
from mvdesk.ui.settings import Settings
from mvdesk.ui.widgets.score_line import ScoreLine
from tests.bench.large_vault import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController
    from tests.bench.measuring import Ledger

LINE = "The probe is **probably** verified at 30 cm, maybe important; see the video. "
ROUNDS = 40


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


@pytest.mark.parametrize(("length", "budget"), [(10_000, 16), (200_000, 50)])
def test_a_key_is_painted_within_its_budget(
    desk: Desk, qtbot: QtBot, ledger: Ledger, length: int, budget: int
) -> None:
    desk.session.select(desk.session.snapshot.memories.ids[7])
    qtbot.waitUntil(desk.session.jobs.is_idle, timeout=60_000)
    field = desk.window.findChild(QPlainTextEdit, "editorContent")
    scores = desk.window.findChild(ScoreLine, "editorScores")
    assert isinstance(field, QPlainTextEdit)
    assert isinstance(scores, ScoreLine)
    field.setPlainText(((LINE * 6 + "\n") * (length // len(LINE) // 6 + 1))[:length])
    field.setFocus()
    cursor = field.textCursor()
    cursor.setPosition(length // 2)
    field.setTextCursor(cursor)
    qtbot.waitUntil(desk.session.jobs.is_idle, timeout=60_000)
    said = scores.text()
    spent = []
    for number in range(ROUNDS):
        qtbot.waitUntil(desk.session.jobs.is_idle, timeout=60_000)
        start = time.process_time()
        QTest.keyClick(field, "a verified maybe"[number % 16])
        QApplication.processEvents()
        spent.append(1000 * (time.process_time() - start))
    assert scores.text() == said  # counted already
    start = time.process_time()
    field.toPlainText()
    baseline = 1000 * (time.process_time() - start)
    ledger.record(
        f"a key in {length:,} characters, scored, marked, painted",
        statistics.median(spent),
        budget=budget,
        baseline="reading the text out",
        baseline_value=baseline,
    )

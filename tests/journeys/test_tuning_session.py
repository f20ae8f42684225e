"""As a new user would: find the worst source, lower its trust, see what that does, take it back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QSlider, QTableView, QWidget

from mvdesk.ui.panels.movers import MoversPanel
from mvdesk.ui.plots.distribution import Distribution
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.vault.demo import write_demo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

W = TypeVar("W", bound=QWidget)
CTRL = Qt.KeyboardModifier.ControlModifier


def find(desk: Desk, kind: type[W], name: str) -> W:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def trust_rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return list(db.execute("SELECT * FROM brain_source_trust ORDER BY id"))


def settle(qtbot: QtBot, desk: Desk) -> None:
    movers = desk.window.findChild(MoversPanel)
    qtbot.waitUntil(
        lambda: (
            desk.window.is_complete
            and desk.session.jobs.is_idle()
            and (movers is None or movers.is_settled)
        )
    )


@pytest.fixture
def tuning_desk(qtbot: QtBot, make_window: Callable[[], Desk], tmp_path: Path, now: int) -> Desk:
    """The demo vault in the Sources workspace."""
    path = tmp_path / "demo.sqlite"
    write_demo(path, now=now)
    desk = make_window()
    with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
        desk.window.open_vault(path)
    qtbot.keyClick(desk.window, Qt.Key.Key_2, CTRL)
    settle(qtbot, desk)
    return desk


def choose_worst_source(qtbot: QtBot, desk: Desk) -> None:
    """Sort by mean score, and go to the end of the table."""
    sort = find(desk, Choice, "sourceSort")
    value = str(next(sort.itemData(n) for n in range(sort.count()) if "mean" in sort.itemText(n)))
    sort.set_value(value)
    sort.value_chosen.emit(value)
    table = find(desk, QTableView, "sourceTable")
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_End)
    settle(qtbot, desk)


def test_from_the_worst_source_to_its_trust_and_back(qtbot: QtBot, tuning_desk: Desk) -> None:
    desk, session = tuning_desk, tuning_desk.session
    path = session.vault.path
    before = trust_rows(path)
    choose_worst_source(qtbot, desk)
    worst = session.looking.source_key
    assert worst == "hallway hearsay"
    stored = session.trust_of(worst)
    assert stored is not None

    slider = find(desk, QSlider, "trustSlider")
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_PageDown)
    settle(qtbot, desk)
    assert session.trust_of(worst) == pytest.approx(stored - 0.1)
    movers = find(desk, KeyedTable, "moversTable")
    own = {
        session.snapshot.memories.ids.text(int(row))
        for row in session.snapshot.rows_of_source(worst)
    }
    falling = [row for row in movers.rows if row.texts[1].startswith("−")]
    assert {row.key for row in falling} <= own
    assert find(desk, QLabel, "distributionSentence").text().startswith("None crosses 0.70")

    movers.setFocus()
    qtbot.keyClick(movers, Qt.Key.Key_End)
    settle(qtbot, desk)
    assert session.selected_id == movers.rows[-1].key
    shown = session.explain(movers.rows[-1].key).confidence.final
    assert movers.rows[-1].texts[2].endswith(f"{shown:.3f}")
    assert trust_rows(path) == before, "a preview writes nothing"

    with qtbot.waitSignal(session.vault_changed):
        qtbot.keyClick(desk.window, Qt.Key.Key_Return, CTRL)
    settle(qtbot, desk)
    assert session.trust_of(worst, committed=True) == pytest.approx(stored - 0.1)
    assert session.preview.is_empty
    assert not movers.isVisible()

    with qtbot.waitSignal(session.vault_changed):
        qtbot.keyClick(desk.window, Qt.Key.Key_Z, CTRL)
    settle(qtbot, desk)
    assert trust_rows(path) == before, "notes and times, too"


def test_keys_lead_to_every_page_from_another_workspace(qtbot: QtBot, tuning_desk: Desk) -> None:
    desk = tuning_desk
    shift = CTRL | Qt.KeyboardModifier.ShiftModifier
    alt = CTRL | Qt.KeyboardModifier.AltModifier
    desk.session.preview_trust("slack", 0.6)
    for key, modifiers, name in (
        (Qt.Key.Key_D, CTRL, "distribution"),
        (Qt.Key.Key_M, CTRL, "moversTable"),
        (Qt.Key.Key_M, shift, "conflictChangesSentence"),
        (Qt.Key.Key_F, shift, "searchToSave"),
        (Qt.Key.Key_O, shift, "suggestionsTable"),
        (Qt.Key.Key_K, shift, "trialName"),
        (Qt.Key.Key_T, alt, "trialName"),
        (Qt.Key.Key_U, CTRL, "questionTarget"),
    ):
        qtbot.keyClick(desk.window, Qt.Key.Key_1, CTRL)
        settle(qtbot, desk)
        qtbot.keyClick(desk.window, key, modifiers)
        settle(qtbot, desk)
        qtbot.waitUntil(find(desk, QWidget, name).isVisible)


def test_a_trial_saved_by_key_is_there_the_next_time(
    qtbot: QtBot, tuning_desk: Desk, make_window: Callable[[], Desk]
) -> None:
    desk, path = tuning_desk, tuning_desk.session.vault.path
    desk.session.preview_trust("slack", 0.6)
    settle(qtbot, desk)
    qtbot.keyClick(desk.window, Qt.Key.Key_K, CTRL | Qt.KeyboardModifier.ShiftModifier)
    field = find(desk, QLineEdit, "trialName")
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "Trust the chat")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(qtbot, desk)
    desk.session.discard_preview()
    desk.window.close()
    again = make_window()
    with qtbot.waitSignal(again.window.panels_ready, timeout=15_000):
        again.window.open_vault(path)
    qtbot.keyClick(again.window, Qt.Key.Key_T, CTRL | Qt.KeyboardModifier.AltModifier)
    settle(qtbot, again)
    table = find(again, KeyedTable, "trialsTable")
    qtbot.waitUntil(lambda: [row.texts[0] for row in table.rows] == ["Trust the chat"])


def test_a_bar_of_the_distribution_brings_its_memories_up(qtbot: QtBot, tuning_desk: Desk) -> None:
    desk = tuning_desk
    plot = find(desk, Distribution, "distribution")
    layout = plot.layout_now
    spot = QPoint(round(layout.x(0.975)), round(layout.lower - 3))
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    settle(qtbot, desk)
    rows = find(desk, QTableView, "memoryList")
    qtbot.waitUntil(rows.isVisible)
    assert rows.model().rowCount() == plot.table()[19][1]

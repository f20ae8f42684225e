"""Long writes: how far they are is seen, and they can be given up with nothing written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QProgressBar, QPushButton

from mvdesk.ui.status_line import StatusLine
from mvdesk.ui.write_progress import WriteProgress
from mvdesk.vault.apply import BACKING_UP, WriteCancelled
from mvdesk.vault.operations.bulk import BulkEdit, plan_bulk_edit
from mvdesk.vault.operations.edit import plan_add
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController
    from mvdesk.vault.plan import Plan

MEMORIES = 600


@pytest.fixture
def vault(tmp_path: Path, now: int) -> Iterator[Vault]:
    with Vault.create(tmp_path / "v.sqlite", "Many", now=now) as vault:
        plans = [
            plan_add(vault.brain.id, {"content": f"text {n}"}, now=now, memory_id=f"m{n:04}")
            for n in range(MEMORIES)
        ]
        changes = tuple(change for plan in plans for change in plan.changes)
        log = tuple(entry for plan in plans for entry in plan.log)
        vault.apply(type(plans[0])("Add many", vault.brain.id, changes, log), now=now)
        yield vault


def _plans(vault: Vault, now: int) -> list[Plan]:
    memories = vault.read_memories([f"m{n:04}" for n in range(MEMORIES)])
    edit = BulkEdit(add_tags=("new",))
    return [
        plan_bulk_edit(memories, edit, brain_id=vault.brain.id, now=now),
        plan_delete(list(memories), [], brain_id=vault.brain.id),
    ]


@pytest.mark.parametrize("which", [0, 1], ids=["tags", "delete"])
def test_a_watched_write_tells_how_far_it_is(vault: Vault, now: int, which: int) -> None:
    told: list[tuple[int, int]] = []
    plan = _plans(vault, now)[which]
    vault.apply(plan, now=now, watch=lambda done, total: told.append((done, total)))
    total = len(plan.changes) + len(plan.log)
    assert told == [(done, total) for done in range(0, total, 250)]


@pytest.mark.parametrize("which", [0, 1], ids=["tags", "delete"])
@pytest.mark.parametrize("at", [0, 500, 750])
def test_a_write_that_is_given_up_leaves_nothing(
    vault: Vault, now: int, which: int, at: int
) -> None:
    def watch(done: int, _total: int) -> None:
        if done >= at:
            raise WriteCancelled

    before = vault.read_memories(["m0000", "m0599"])
    step = vault.journal.undo_id
    with pytest.raises(WriteCancelled):
        vault.apply(_plans(vault, now)[which], now=now, watch=watch)
    assert vault.read_memories(["m0000", "m0599"]) == before
    assert vault.journal.undo_id == step
    assert vault.journal.undo_label == "Add many"
    vault.apply(_plans(vault, now)[0], now=now)
    assert vault.read_memory("m0599").tags == "new"


def test_the_line_shows_a_long_write_and_asks_to_end_it(
    qtbot: QtBot, theme: ThemeController
) -> None:
    owner = QObject()
    progress, line = WriteProgress(owner), StatusLine()
    qtbot.addWidget(line)
    line.resize(900, 40)
    line.show()
    bar = line.findChild(QProgressBar, "writeBar")
    cancel = line.findChild(QPushButton, "writeCancel")
    assert bar is not None
    assert cancel is not None
    progress.changed.connect(line.show_progress)
    line.cancel_requested.connect(progress.cancel)
    progress.follow(True)
    with progress.watching() as tell:
        tell(2_500, 10_000)
        qtbot.waitUntil(bar.isVisible, timeout=15_000)
        assert (bar.value(), bar.maximum()) == (2_500, 10_000)
        assert bar.accessibleDescription() == "2,500 of 10,000 rows"
        qtbot.waitUntil(cancel.isVisible, timeout=15_000)
        qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
        with pytest.raises(WriteCancelled):
            tell(2_750, 10_000)
    progress.follow(False)
    assert not bar.isVisible()


def test_short_writes_show_nothing(qtbot: QtBot) -> None:
    owner = QObject()
    progress = WriteProgress(owner)
    progress.follow(True)
    with qtbot.assertNotEmitted(progress.changed, wait=500), progress.watching() as tell:
        tell(0, 40)
    progress.follow(False)


def test_the_backup_that_comes_first_is_said_for_a_short_write_too(
    qtbot: QtBot, theme: ThemeController
) -> None:
    owner = QObject()
    progress, line = WriteProgress(owner), StatusLine()
    qtbot.addWidget(line)
    line.resize(900, 40)
    line.show()
    bar = line.findChild(QProgressBar, "writeBar")
    assert bar is not None
    progress.changed.connect(line.show_progress)
    progress.follow(True)
    with progress.watching() as tell:
        tell(BACKING_UP, 2)
        qtbot.waitUntil(bar.isVisible, timeout=15_000)
        assert "backup" in bar.accessibleDescription()
        assert bar.maximum() == 0  # how long it takes isn't known
        tell(0, 2)
        qtbot.waitUntil(lambda: not bar.isVisible(), timeout=15_000)
    progress.follow(False)

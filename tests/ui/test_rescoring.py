"""After a write only what it touched is scored again, with the same outcome."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.ui.rescoring import CLOCK_MAY_LAG_S, find_moved
from mvdesk.ui.session import VaultSession

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot


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
    with qtbot.waitSignal(made.vault_opened):
        made.open_vault(brain_file)
    qtbot.waitUntil(made.jobs.is_idle)
    yield made
    made.shut_down()


def assert_as_scored_anew(session: VaultSession) -> None:
    anew = evaluate(session.snapshot.inputs(session.model), session.model, session.now)
    for field in fields(Scores):
        shown = getattr(session.committed_scores, field.name)
        assert np.array_equal(shown, getattr(anew, field.name)), field.name


def edit_base(session: VaultSession) -> None:
    memory = session.vault.read_memory(session.snapshot.memories.ids[5] or "")
    session.save_memory(memory, {"confidence": 0.123, "content": "certainly, maybe"})


def edit_type(session: VaultSession) -> None:
    memory = session.vault.read_memory(session.snapshot.memories.ids[5] or "")
    session.save_memory(memory, {"type": "journal" if memory.type != "journal" else "note"})


def edit_source(session: VaultSession) -> None:
    memory = session.vault.read_memory(session.snapshot.memories.ids[7] or "")
    session.save_memory(memory, {"source": "a source of its own"})


def add(session: VaultSession) -> None:
    session.add_memory({"type": "fact", "content": "Something new"})


def link(session: VaultSession) -> None:
    ids = session.snapshot.memories.ids
    session.add_link(ids[3] or "", ids[20] or "", "contradicts")


def trust(session: VaultSession) -> None:
    session.preview_trust("slack #design", 0.07)
    session.apply_preview()


def undo(session: VaultSession) -> None:
    session.undo()


@pytest.mark.parametrize("write", [edit_base, edit_type, edit_source, add, link, trust])
def test_scores_are_as_if_everything_were_scored(
    qtbot: QtBot, session: VaultSession, clock: Clock, write: Callable[[VaultSession], None]
) -> None:
    for step in (write, undo):
        clock.now += 7
        with qtbot.waitSignal(session.vault_changed):
            step(session)
        qtbot.waitUntil(session.jobs.is_idle)
        assert_as_scored_anew(session)


def test_a_preview_and_its_writing_give_the_same_scores(
    qtbot: QtBot, session: VaultSession, clock: Clock
) -> None:
    session.preview_trust("slack #design", 0.07)
    previewed = session.scores
    clock.now += 300
    with qtbot.waitSignal(session.vault_changed):
        session.apply_preview()
    for field in fields(Scores):
        shown = getattr(session.scores, field.name)
        assert np.array_equal(shown, getattr(previewed, field.name)), field.name


def test_after_long_a_write_takes_the_clock_along(
    qtbot: QtBot, session: VaultSession, clock: Clock
) -> None:
    clock.now += CLOCK_MAY_LAG_S
    with qtbot.waitSignal(session.vault_changed):
        edit_base(session)
    assert session.now == clock.now
    assert_as_scored_anew(session)


def test_rows_that_moved_are_found(session: VaultSession) -> None:
    inputs = session.snapshot.inputs(session.model)
    assert find_moved(inputs, inputs.taken([0, 1])) is None
    same = inputs.taken(np.arange(len(inputs)))
    assert not np.any(find_moved(inputs, same))
    trusted = inputs.trust.copy()
    trusted[4] = 0.5 if np.isnan(trusted[4]) else np.nan
    moved = find_moved(inputs, inputs.with_trust(trusted))
    assert moved is not None
    assert np.flatnonzero(moved).tolist() == [4]

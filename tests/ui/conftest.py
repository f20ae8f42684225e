"""A session on a copy of a real server's file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk.ui.session import VaultSession

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

DATA = Path(__file__).resolve().parents[1] / "data"


@pytest.fixture
def brain_file(tmp_path: Path) -> Path:
    """A copy of the recorded server's vault."""
    path = tmp_path / "brain.sqlite"
    shutil.copy(DATA / "brain.sqlite", path)
    return path


@pytest.fixture
def make_session(qapp: object, tmp_path: Path, now: int) -> Iterator[Callable[[], VaultSession]]:
    """Makes sessions whose clock stands at `now`, and shuts them down afterwards."""
    made: list[VaultSession] = []

    def make() -> VaultSession:
        made.append(VaultSession(data_folder=tmp_path / "data", clock=lambda: now))
        return made[-1]

    yield make
    for session in made:
        session.shut_down()


@pytest.fixture
def empty_session(make_session: Callable[[], VaultSession]) -> VaultSession:
    """A session without a vault."""
    return make_session()


@pytest.fixture
def session(qtbot: QtBot, empty_session: VaultSession, brain_file: Path) -> VaultSession:
    """A session with the recorded vault open."""
    with qtbot.waitSignal(empty_session.vault_opened):
        empty_session.open_vault(brain_file)
    qtbot.waitUntil(empty_session.jobs.is_idle)
    return empty_session

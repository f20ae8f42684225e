"""The whole window, on a copy of a real server's file, driven by real events."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings
from shiboken6 import Shiboken

from mvdesk.ui.app import Desk, make_desk
from mvdesk.ui.settings import Settings
from tests.fakes import FakeFileDialogs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

DATA = Path(__file__).resolve().parents[1] / "data"


@pytest.fixture
def brain_file(tmp_path: Path) -> Path:
    """A copy of the recorded server's vault."""
    path = tmp_path / "brain.sqlite"
    shutil.copy(DATA / "brain.sqlite", path)
    return path


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings in a file of their own."""
    return Settings(QSettings(str(tmp_path / "mvdesk.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def files() -> FakeFileDialogs:
    return FakeFileDialogs()


@pytest.fixture
def make_window(
    qapp: QApplication,
    theme: ThemeController,
    settings: Settings,
    files: FakeFileDialogs,
    tmp_path: Path,
    now: int,
) -> Iterator[Callable[[], Desk]]:
    """Makes windows that are shown, and closes them afterwards."""
    made: list[Desk] = []

    def make() -> Desk:
        folder = tmp_path / "data"
        desk = make_desk(qapp, settings, folder, theme=theme, files=files, clock=lambda: now)
        made.append(desk)
        desk.window.resize(1440, 900)
        desk.window.show()
        desk.window.resize(1440, 900)
        return desk

    yield make
    for desk in made:
        if not Shiboken.isValid(desk.window):
            continue
        desk.session.shut_down()
        desk.window.close()
        desk.window.deleteLater()


@pytest.fixture
def desk(make_window: Callable[[], Desk]) -> Desk:
    """A window without a vault."""
    return make_window()


@pytest.fixture
def open_desk(qtbot: QtBot, desk: Desk, brain_file: Path) -> Desk:
    """A window with the recorded vault open, all panels there and nothing running."""
    with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
        desk.window.open_vault(brain_file)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    return desk

"""The application: its log, and what happens to our own mistakes."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mvdesk.ui.app import start_log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CRASH = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from mvdesk.ui import app
from mvdesk.ui.settings import Settings

application = app.make_application()
folder = Path(sys.argv[1])
settings = Settings(QSettings(str(folder / "own.ini"), QSettings.Format.IniFormat))
desk = app.make_desk(application, settings, folder)
desk.session.messages.log_file = app.start_log(folder)
app.watch_for_mistakes(desk.session.messages)
desk.window.show()
said = []
desk.session.messages.shown.connect(lambda kind, text: said.append((kind, text)))

def fail():
    raise ZeroDivisionError("a slot that fails")

def leave():
    print(said[0][0])
    print(said[0][1])
    desk.session.messages.dialog.accept()
    desk.window.close()

QTimer.singleShot(0, fail)
QTimer.singleShot(50, leave)
sys.exit(application.exec())
"""


@pytest.fixture
def quiet_root() -> Iterator[None]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    for handler in [handler for handler in root.handlers if handler not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def test_a_mistake_in_a_slot_is_said_and_logged_and_the_program_goes_on(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CRASH, str(tmp_path)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kind, text = done.stdout.splitlines()[:2]
    assert kind == "bug"
    assert "mvdesk made a mistake" in text
    assert str(tmp_path / "mvdesk.log") in text
    assert "a slot that fails" in (tmp_path / "mvdesk.log").read_text()
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("quiet_root")
def test_the_log_starts_anew_before_it_grows_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.ui.app.LOG_BYTES", 2_000)
    path = start_log(tmp_path)
    assert path is not None
    for number in range(200):
        logging.getLogger("mvdesk.test").warning("line %d of a log that goes on", number)
    logs = sorted(tmp_path.glob("mvdesk.log*"))
    assert len(logs) == 4
    assert all(log.stat().st_size <= 2_000 for log in logs)


@pytest.mark.usefixtures("quiet_root")
def test_a_folder_that_is_a_file_means_no_log(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    assert start_log(tmp_path / "taken") is None

"""`python -m mvdesk`: a window, a command, or a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mvdesk.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path


def _run(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    cleared = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    inherited = {name: text for name, text in os.environ.items() if name not in cleared}
    return subprocess.run(
        [sys.executable, "-m", "mvdesk", *arguments],
        cwd=folder,
        env={**inherited, "XDG_DATA_HOME": str(folder / "data"), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays may be missing there")
def test_without_a_display_it_says_how_to_get_a_picture(tmp_path: Path) -> None:
    done = _run(folder=tmp_path)
    assert done.returncode == 1
    assert "no display" in done.stderr
    assert "mvdesk screenshot" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_file_is_named_and_nothing_is_made(tmp_path: Path) -> None:
    done = _run("no such.sqlite", folder=tmp_path, QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 1
    assert "no such.sqlite" in done.stderr
    assert not (tmp_path / "no such.sqlite").exists()


def test_a_word_that_is_no_file_is_a_command(tmp_path: Path) -> None:
    done = _run("nosuchcommand", folder=tmp_path)
    assert done.returncode == 2


def test_commands_load_no_qt(tmp_path: Path) -> None:
    code = (
        "import sys; from mvdesk.__main__ import main; "
        "main(['demo', 'd.sqlite']); print('PySide6' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize("with_vault", [False, True])
def test_a_link_opens_the_window(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, with_vault: bool
) -> None:
    asked: list[tuple[Path | None, str]] = []

    def run(path: Path | None, link: str = "") -> int:
        asked.append((path, link))
        return 0

    monkeypatch.setattr("mvdesk.ui.app.run_window", run)
    monkeypatch.setattr("mvdesk.ui.display.find_display_problem", lambda _: "")
    vault = tmp_path / "brain.sqlite"
    vault.touch()
    link = "mvdesk://memory/4f1c?brain=b"
    assert main([str(vault), link] if with_vault else [link]) == 0
    assert asked == [(vault if with_vault else None, link)]

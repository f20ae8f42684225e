"""Commands run in this process or in one of their own, on copies of real vaults."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk.cli.main import run
from mvdesk.vault.demo import write_demo
from tests.cli.outcome import NOW, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).resolve().parents[1] / "data"


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def mvdesk(capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Runs a command in this process."""

    def call(*arguments: str | Path) -> Outcome:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., Outcome]:
    """Runs a command as people do, in a process of its own."""

    def call(
        *arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None
    ) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "mvdesk", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(DATA.parents[1]), **(env or {})},
            cwd=tmp_path,
            timeout=60,
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture(scope="session")
def _demo_master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("master") / "demo.sqlite"
    write_demo(path, now=NOW)
    return path


@pytest.fixture
def demo(_demo_master: Path, tmp_path: Path) -> Path:
    """A demo vault of its own for each test; its clock is NOW."""
    return Path(shutil.copy(_demo_master, tmp_path / "demo.sqlite"))


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    """A copy of a real server's vault."""
    return Path(shutil.copy(DATA / "brain.sqlite", tmp_path / "brain.sqlite"))

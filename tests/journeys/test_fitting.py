"""Nothing is cut off in the smallest window: at the largest text, and on a screen of 200 %."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from tests.ui.fitting import find_misfits

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("screen", "texts"), [("1", ("1.25", "1.6")), ("2", ("1.0",))])
def test_every_workspace_and_dialog_fits(
    tmp_path: Path, screen: str, texts: tuple[str, ...]
) -> None:
    # In a process of its own: the factor of the screen is fixed when Qt starts.
    done = subprocess.run(
        [sys.executable, "-m", "tests.journeys.fitting_walk", *texts],
        cwd=ROOT,
        env={**os.environ, "QT_SCALE_FACTOR": screen, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == []


def test_what_does_not_fit_is_found(theme: object, qtbot: QtBot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    label, button, stray = QLabel("A sentence", box), QPushButton("Press this", box), QLabel(box)
    stray.setText("Stray")
    for place, part in enumerate((label, button, stray)):
        part.move(0, 50 * place)
        part.adjustSize()
    box.resize(300, 150)
    box.show()
    assert find_misfits(box) == []
    label.resize(20, label.height())
    button.resize(30, button.height())
    stray.move(290, 100)
    said = "\n".join(find_misfits(box))
    for words in ("'A sentence' needs", "'Press this' needs", "stands at 290,100"):
        assert words in said

"""The window in a language of which every letter is known: what stays English is found."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    # In a process of its own: the language is spoken before modules are imported.
    done = subprocess.run(
        [sys.executable, "-m", "tests.journeys.pseudo_window", str(tmp_path_factory.mktemp("xx"))],
        cwd=ROOT,
        env={**os.environ, "QT_SCALE_FACTOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_nothing_in_the_window_stays_english(found: dict[str, Any]) -> None:
    assert found["texts"] > 10_000
    assert found["english"] == {}


def test_exports_know_no_language(found: dict[str, Any]) -> None:
    header, row, *_ = found["csv"].splitlines()
    assert header.startswith("Title,")
    assert "⟦" not in found["csv"]
    assert re.search(r",[01]\.\d+", row), row
    assert not re.search(r"\d,\d{3}\b(?!\.)", row), row


def test_what_is_written_into_a_vault_knows_no_language(found: dict[str, Any]) -> None:
    assert found["stored"] == []


def test_texts_of_a_longer_language_have_room(found: dict[str, Any]) -> None:
    assert found["cut"] == {}

"""How long until the list is on screen, and how much memory the open window holds."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.conftest import MEMORIES

if TYPE_CHECKING:
    from tests.bench.measuring import Ledger

IS_HUGE = MEMORIES >= 1_000_000
CHILD = Path(__file__).with_name("start_child.py")


def run_child(*arguments: str) -> dict[str, float]:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "MVDESK_BENCH_STARTED": repr(time.time()),
        "PYTHONPATH": str(CHILD.parents[2]),
    }
    # A program that is started every day finds its modules compiled.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, str(CHILD), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=3_000,
        check=True,
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def test_the_list_is_on_screen_soon_after_start(
    large_vault: Path, tmp_path: Path, ledger: Ledger
) -> None:
    bare = [run_child("bare") for _ in range(3)]
    first = run_child("window", str(large_vault), str(tmp_path))
    later = [run_child("window", str(large_vault), str(tmp_path)) for _ in range(5)]
    assert later[0]["rows"] > 0.9 * MEMORIES

    def median(runs: list[dict[str, float]], name: str) -> float:
        return statistics.median(run[name] for run in runs)

    ledger.note(
        f"the first opening, which makes the companion, took {first['first_list_s']:.2f} s to "
        f"the list; every panel was there {median(later, 'complete_s'):.2f} s after later starts"
    )
    ledger.record(
        "process start to first window with the list filled",
        1000 * median(later, "first_list_s"),
        budget=1800 if IS_HUGE else 1200,
        baseline="an empty Qt window",
        baseline_value=1000 * median(bare, "first_list_s"),
    )
    ledger.record(
        "resident memory, every panel open",
        median(later, "resident_mb"),
        unit="MB",
        budget=700 if IS_HUGE else 300,
        baseline="an empty Qt window",
        baseline_value=median(bare, "resident_mb"),
    )

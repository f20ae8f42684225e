"""Measuring at full size: figures with their budget, and a ratio to a baseline of the same run.

    .venv/bin/python -m pytest tests/bench

Budgets hold for two cores of a current server processor. A figure over its budget fails.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from tests.bench.large_vault import make_large_vault
from tests.bench.measuring import Ledger

MEMORIES = int(os.environ.get("MVDESK_BENCH_MEMORIES", "100000"))
LINKS = 3 * MEMORIES


_ledger = Ledger()


@pytest.fixture
def ledger() -> Ledger:
    return _ledger


@pytest.fixture(scope="session")
def large_vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The measured vault; a benchmark that writes copies it first.

    MVDESK_BENCH_VAULT names a file that is made once and used again: a million take minutes.
    """
    kept = os.environ.get("MVDESK_BENCH_VAULT")
    path = Path(kept) if kept else tmp_path_factory.mktemp("large") / "large.sqlite"
    if not path.exists():
        make_large_vault(path, memories=MEMORIES, links=LINKS)
    return path


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _ledger.figures:
        return
    write = terminalreporter.write_line
    write("")
    write(f"{MEMORIES:,} memories, {LINKS:,} links; {_machine()}")
    for f in _ledger.figures:
        budget = "no budget" if f.budget is None else f"budget {f.budget:g}"
        write(
            f"{f.what:<58} {f.value:>9.1f} {f.unit:<3} {budget:>12}   {f.ratio:.3g} x {f.baseline}"
        )
    for note in _ledger.notes:
        write(note)


def _machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return f"{os.cpu_count()} cores of {model}, Python {platform.python_version()}"

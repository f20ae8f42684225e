"""Memory goes back to the system when it is quiet."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mvdesk.ui import memory
from mvdesk.ui.memory import MemoryWatch

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession

HOLDING = """
import threading
import numpy as np
from mvdesk.ui.memory import release_free_memory, tune_allocator

def resident_mb():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024

assert tune_allocator()
before = resident_mb()
kept = []
def work():
    for _ in range(40):  # large ones that go, small ones between them that stay
        large = [np.ones(100_000) for _ in range(4)]
        kept.append(np.ones(8))
        del large
threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
release_free_memory()
print(resident_mb() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's calls")
def test_large_arrays_leave_nothing_behind() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HOLDING], capture_output=True, text=True, check=True, timeout=60
    )
    assert float(done.stdout) < 8


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory.sys, "platform", "win32")
    assert not memory.tune_allocator()
    memory.release_free_memory()


def test_memory_is_given_back_after_opening_and_writing_once_it_is_quiet(
    qtbot: QtBot,
    empty_session: VaultSession,
    brain_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[int] = []
    monkeypatch.setattr(memory, "release_free_memory", lambda _token: given.append(1))
    session = empty_session
    MemoryWatch(session, quiet_ms=10)
    session.open_vault(brain_file)
    qtbot.waitUntil(lambda: len(given) == 1)
    session.add_memory({"type": "note", "content": "A thought"})
    qtbot.waitUntil(lambda: len(given) >= 2)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's calls")
def test_memory_that_frames_free_is_kept_while_a_preview_moves(
    qtbot: QtBot, session: VaultSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    monkeypatch.setattr(memory, "release_free_memory", lambda _token: given.append(1))
    assert memory.tune_allocator()
    watch = MemoryWatch(session, quiet_ms=10)
    assert not watch.keeps_freed
    with qtbot.waitSignal(session.preview_changed):
        session.preview_trust(session.snapshot.sources.keys[0], 0.31)
    assert watch.keeps_freed
    qtbot.waitUntil(lambda: bool(given))
    assert not watch.keeps_freed
    session.discard_preview()
    assert not watch.keeps_freed
    session.preview_trust(session.snapshot.sources.keys[0], 0.32)
    session.close_vault()
    assert not watch.keeps_freed

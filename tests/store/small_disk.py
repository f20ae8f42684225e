"""Disks without room: a small one of its own for a program, or a limit on this one's files."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]

HELPERS = """
import os, sys
from pathlib import Path

FOLDER = Path(sys.argv[1])

def fill_disk():
    handle = os.open(FOLDER / "filler", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    for size in (65536, 4096, 1):
        try:
            while os.write(handle, b"x" * size):
                pass
        except OSError:
            pass
    os.close(handle)

def free_disk():
    (FOLDER / "filler").unlink()
"""


def run_on_small_disk(folder: Path, kilobytes: int, code: str) -> str:
    """Run Python code whose FOLDER is a disk of that size; what it printed.

    The code may call fill_disk() and free_disk(). Other programs don't see the disk.
    """
    mount = f'mount -t tmpfs -o size={kilobytes}k tmpfs "$1" && exec "$2" -c "$3" "$1"'
    arguments = (folder, sys.executable, HELPERS + code)
    done = subprocess.run(
        ("unshare", "--mount", "--map-root-user", "sh", "-c", mount, "sh", *arguments),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@contextmanager
def files_limited_to(size: int) -> Iterator[None]:
    """No file of this process may grow beyond `size` bytes: the disk refuses the write."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, previous)

"""A mark that a window is open: one that is found without its program tells of a bad end."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject, Slot

_BEGINNING: Final = "window-"


@dataclass(frozen=True, slots=True)
class BadEnd:
    """A run that was killed or crashed; `vault` was open then, None for none."""

    vault: Path | None


class RunMarker(QObject):
    """Marks this run in a folder while it lasts, and knows the vault that is open.

    A lock goes with the mark: it tells whether the program that made it still runs. A folder
    that can't be written has no marks, and so nothing is ever said.
    """

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._path = folder / f"{_BEGINNING}{os.getpid()}.json"
        self._lock: QLockFile | None = None

    def take_bad_ends(self) -> list[BadEnd]:
        """What is left of runs that ended badly, newest first; told once only."""
        found: list[tuple[float, BadEnd]] = []
        with contextlib.suppress(OSError):
            for path in self._folder.glob(f"{_BEGINNING}*.json"):
                lock = _lock(path)
                if not lock.tryLock(0):
                    continue  # it still runs
                with contextlib.suppress(OSError):
                    found.append((path.stat().st_mtime, BadEnd(_read(path))))
                    path.unlink()
                lock.unlock()
        return [end for _, end in sorted(found, key=lambda one: one[0], reverse=True)]

    def begin(self) -> None:
        """Mark that the run goes on from here."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = _lock(self._path)
            if lock.tryLock(0):
                self._lock = lock
                self.note(None)

    def note(self, vault: Path | None) -> None:
        """Another vault is open, or none."""
        if self._lock is not None:
            with contextlib.suppress(OSError):
                text = json.dumps({"vault": None if vault is None else str(vault)})
                self._path.write_text(text, encoding="utf-8")

    @Slot()
    def end(self) -> None:
        """Take the mark away: the run ends as it should."""
        if self._lock is not None:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
            self._lock.unlock()
            self._lock = None


def _lock(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # however old: only a program that is gone makes it stale
    return lock


def _read(path: Path) -> Path | None:
    try:
        vault = json.loads(path.read_text(encoding="utf-8"))["vault"]
    except (OSError, ValueError, KeyError, TypeError):
        return None  # killed while it was written
    return Path(vault) if isinstance(vault, str) and vault else None

"""Run by the start-up benchmark as a process of its own; prints figures as JSON.

    python tests/bench/start_child.py window VAULT FOLDER
    python tests/bench/start_child.py bare

`bare` shows an empty table with nothing of mvdesk: what Qt and Python cost by themselves.
`MVDESK_BENCH_STARTED` is the time (epoch seconds) at which the process was asked for.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

STARTED = float(os.environ["MVDESK_BENCH_STARTED"])


def bare() -> None:
    from PySide6.QtWidgets import QApplication, QTableWidget

    app = QApplication(sys.argv[:1])
    table = QTableWidget(30, 4)
    table.resize(1440, 900)
    table.show()
    app.processEvents()
    report(first_list_s=time.time() - STARTED, resident_mb=resident_mb())


def window(vault: Path, folder: Path) -> None:
    # In the order of mvdesk/__main__.py.
    import mvdesk.vault.demo
    import mvdesk.vault.questions.movers  # noqa: F401

    # isort: split
    from PySide6.QtCore import QEvent, QObject, QSettings
    from PySide6.QtWidgets import QTableView

    from mvdesk.ui.app import make_application, make_desk, tune_interpreter
    from mvdesk.ui.settings import Settings

    class FirstList(QObject):
        """Notes when the list was first painted with rows in it."""

        at: float | None = None

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if self.at is None and event.type() == QEvent.Type.Paint and table.model().rowCount():
                self.at = time.time()
            return False

    tune_interpreter()
    app = make_application()
    settings = Settings(QSettings(str(folder / "bench.ini"), QSettings.Format.IniFormat))
    desk = make_desk(app, settings, folder, vault=vault)
    found = desk.window.findChild(QTableView, "memoryList")
    assert isinstance(found, QTableView)
    table = found
    watch = FirstList()
    table.viewport().installEventFilter(watch)
    desk.window.show()
    while not (watch.at and desk.window.is_complete and desk.session.jobs.is_idle()):
        app.processEvents()
    complete = time.time()
    for _ in range(50):
        app.processEvents()
    report(
        first_list_s=watch.at - STARTED,
        complete_s=complete - STARTED,
        resident_mb=resident_mb(),
        rows=table.model().rowCount(),
    )
    desk.window.close()


def resident_mb() -> float:
    """Resident memory of this process, in units of 2**20 bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmRSS")


def report(**figures: float) -> None:
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "bare":
        bare()
    else:
        window(Path(sys.argv[2]), Path(sys.argv[3]))

"""Walks through every workspace and dialog of the window and tells what doesn't fit.

Run as a program it does so in a small window with the text scales given, on what is set in its
environment (`QT_SCALE_FACTOR`), and prints a line for each thing that doesn't fit.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QWidget

from mvdesk.errors import VaultError
from mvdesk.ui.app import make_application, make_desk
from mvdesk.ui.settings import Settings
from mvdesk.ui.theme import ThemeController
from mvdesk.ui.workspaces import WORKSPACES
from mvdesk.vault.demo import demo_id, write_demo
from tests.ui.fitting import find_misfits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mvdesk.ui.app import Desk

SIZE: Final = (1024, 680)
_PAGES: Final = {
    "sources": ("distribution", "whatMoves", "conflictChanges", "worthALook", "savedSearches",
                "trials", "trustQuestions"),
    "conflicts": ("reviewQueue",),
    "upkeep": ("upkeepDecay", "upkeepReinforce", "upkeepDuplicates", "upkeepPolicy",
               "upkeepArchive", "upkeepHistory"),
}  # fmt: skip
"""Actions that bring up the pages of a workspace."""
_DIALOGS: Final = (
    "settings", "shortcuts", "help", "about", "commandPalette", "goToMemory", "searchHelp",
    "manageSearches", "whyFound", "chooseColumns", "history", "backups", "snapshots",
    "exportPicture", "tagSelected", "typeSelected", "sourceSelected", "basesSelected",
    "linkSelected", "deleteSelected",
)  # fmt: skip
"""Actions that open a dialog."""
_CALM: Final = 3
_TRIES: Final = 4_000


def walk(desk: Desk, *, with_dialogs: bool = True) -> Iterator[str]:
    """What doesn't fit anywhere, each thing once where it is met first."""
    known: set[str] = set()
    for place, root in places(
        desk, {"slack": 0.7, "support tickets": 0.4}, with_dialogs=with_dialogs
    ):
        for misfit in find_misfits(root):
            if misfit not in known:
                known.add(misfit)
                yield f"{place}: {misfit}"


def places(
    desk: Desk, trusts: dict[str, float], *, with_dialogs: bool = True
) -> Iterator[tuple[str, QWidget]]:
    """Every place and the window or dialog it is in; `trusts` are tried at the end."""
    window = desk.window
    if with_dialogs:
        yield from _dialogs(desk)
    for spec in WORKSPACES:
        window.workspace.show(spec.name)
        settle(desk)
        for dock in spec.docks:
            window.workspace.bring_up(dock)
            settle(desk)
            yield f"{spec.name}/{dock}", window
        for name in _PAGES.get(spec.name, ()):
            _action(desk, name).trigger()
            settle(desk)
            yield f"{spec.name}/{name}", window
    desk.session.set_preview(trusts)
    settle(desk)
    for spec in WORKSPACES[:2]:
        window.workspace.show(spec.name)
        settle(desk)
        yield f"{spec.name}/preview", window
    desk.session.discard_preview()


def _dialogs(desk: Desk) -> Iterator[tuple[str, QWidget]]:
    for name in _DIALOGS:
        _action(desk, name).trigger()
        dialog = _opened(desk, name)
        settle(desk)
        yield name, dialog
        dialog.reject()
        settle(desk)
    desk.session.messages.error(
        VaultError(
            "Another program is writing to this vault.",
            "Nothing was written; your changes are kept here.",
            "Try again once it is done.",
            "SQLITE_BUSY: database is locked",
        ),
        retry=lambda: None,
    )
    dialog = _opened(desk, "problem")
    yield "problem", dialog
    dialog.reject()
    settle(desk)


def _action(desk: Desk, name: str) -> QAction:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction), name
    assert action.isEnabled(), name
    return action


def _opened(desk: Desk, name: str) -> QDialog:
    for _ in range(_TRIES):
        dialogs = [one for one in desk.window.findChildren(QDialog) if one.isVisible()]
        if dialogs:
            return dialogs[-1]
        QTest.qWait(5)
    raise AssertionError(f"{name} opened nothing")


def settle(desk: Desk) -> None:
    """Wait until nothing is under way."""
    calm = 0
    for _ in range(_TRIES):
        QTest.qWait(5)
        ready = desk.window.is_complete and desk.session.jobs.is_idle()
        calm = calm + 1 if ready else 0
        if calm >= _CALM:
            return
    raise AssertionError("the window doesn't come to rest")


def main(scales: list[float]) -> None:
    app = make_application()
    theme = ThemeController()
    theme.set_theme("light")
    theme.set_reduced_motion(True)
    theme.apply(app)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        vault = folder / "demo.sqlite"
        write_demo(vault, now=1_800_000_000)
        settings = Settings(QSettings(str(folder / "own.ini"), QSettings.Format.IniFormat))
        desk = make_desk(app, settings, folder, theme=theme, clock=lambda: 1_800_000_000)
        desk.window.resize(*SIZE)
        desk.window.show()
        desk.window.resize(*SIZE)
        desk.session.open_vault(vault)
        while not desk.session.is_open:
            QTest.qWait(5)
        settle(desk)
        desk.session.select(demo_id("battery-two-seasons"))
        for scale in scales:
            theme.set_scale(scale)
            settle(desk)
            for line in walk(desk, with_dialogs=scale == max(scales)):
                print(f"{scale}: {line}")
        desk.window.close()


if __name__ == "__main__":
    main([float(one) for one in sys.argv[1:]] or [1.0])

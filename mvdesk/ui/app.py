"""Starts Qt: the application, its look, the log, and what happens to our own mistakes."""

from __future__ import annotations

import gc
import logging
import signal
import sys
import threading
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from mvdesk.ui.clock_watch import ClockWatch
from mvdesk.ui.kept_threshold import KeptThreshold
from mvdesk.ui.language import translate_qt
from mvdesk.ui.memory import MemoryWatch, tune_allocator
from mvdesk.ui.run_marker import RunMarker
from mvdesk.ui.session import VaultSession, clock_seconds
from mvdesk.ui.settings import Settings
from mvdesk.ui.theme import ThemeController
from mvdesk.ui.widgets.access_role import install_access_roles
from mvdesk.vault.places import data_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from PySide6.QtCore import QMessageLogContext

    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.main_window import MainWindow
    from mvdesk.ui.messages import Messages

log = logging.getLogger(__name__)

LOG_BYTES: Final = 512 * 1024
OLD_LOGS: Final = 3
SWITCH_INTERVAL_S: Final = 0.0005
"""Threads take turns this often: a busy worker must not hold up painting."""
GARBAGE_THRESHOLDS: Final = (5_000, 20, 50)
"""Frames make many short-lived objects: Python's 700 would have them looked through every frame."""


@dataclass(frozen=True, slots=True)
class Desk:
    """A window with everything it stands on."""

    window: MainWindow
    session: VaultSession
    theme: ThemeController


def run_window(path: Path | None, link: str = "") -> int:
    """Show the window, on a vault if one is given, until it is closed. Gives the exit code.

    `link` is an mvdesk:// link to the memory to select, in that vault or one opened lately.
    """
    tune_interpreter()
    app = make_application()
    folder = data_folder()
    settings = Settings()
    if path is None and not link and settings.read_reopen():
        path = next(iter(settings.read_recent().paths), None)
    desk = make_desk(app, settings, folder, vault=path)
    desk.session.messages.log_file = start_log(folder)
    watch_for_mistakes(desk.session.messages)
    # Ctrl+C in the terminal ends the program at once; nothing is ever half written.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    desk.window.panels_ready.connect(spare_what_is_there)
    marker = watch_run(
        desk, folder, is_opening=path is not None or bool(link), follows_link=bool(link)
    )
    desk.window.show()
    if link:
        desk.session.looking.follow_link(link)
    code = app.exec()
    desk.session.shut_down()
    marker.end()
    return code


def watch_run(
    desk: Desk, folder: Path, *, is_opening: bool, follows_link: bool = False
) -> RunMarker:
    """Mark this run until its `end()`, and offer what a run that ended badly left behind.

    `is_opening`: a vault was asked for, so none is offered; `follows_link`: a memory, too.
    """
    marker, session = RunMarker(folder, desk.window), desk.session
    ends = marker.take_bad_ends()
    marker.begin()
    session.vault_opened.connect(lambda: marker.note(session.vault.path))
    session.vault_closing.connect(lambda: marker.note(None))
    desk.window.crashes.offer(ends, is_opening=is_opening, follows_link=follows_link)
    return marker


def tune_interpreter() -> None:
    """Settings for a program that has to answer within a frame, and stays open all day."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    tune_allocator()


def spare_what_is_there() -> None:
    """Modules and panels live as long as the program: nobody needs to look through them again.

    A pass over all of it takes 50 ms, and would come in the middle of a drag.
    """
    gc.freeze()


def make_application() -> QApplication:
    """The one QApplication, made unless there is one."""
    app = cast("QApplication", QApplication.instance() or QApplication(sys.argv[:1]))
    app.setApplicationName("mvdesk")
    app.setApplicationDisplayName("mvdesk")
    app.setDesktopFileName("mvdesk")
    install_access_roles()
    translate_qt(app)
    return app


def make_desk(
    app: QApplication,
    settings: Settings,
    folder: Path,
    *,
    theme: ThemeController | None = None,
    files: FileDialogs | None = None,
    clock: Callable[[], int] = clock_seconds,
    vault: Path | None = None,
) -> Desk:
    """A window that is not shown yet. `folder` is for the demo vault and stray companions.

    `vault` is read while the window is being built, and appears once it is.
    """
    if theme is None:
        theme = ThemeController(app)
        settings.read_appearance().put_on(theme)
        theme.apply(app)
    session = VaultSession(data_folder=folder, clock=clock)
    ClockWatch(session, clock)
    MemoryWatch(session)
    KeptThreshold(session)
    if vault is not None:
        session.open_vault(vault)
    # Late, for start-up time: the vault is read meanwhile.
    from mvdesk.ui.main_window import MainWindow

    window = MainWindow(session, theme, settings, demo_path=folder / "demo.sqlite", files=files)
    session.setParent(window)
    return Desk(window, session, theme)


def start_log(folder: Path) -> Path | None:
    """Log to a file that starts anew before it grows large; None when it can't be written."""
    path = folder / "mvdesk.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            path, maxBytes=LOG_BYTES, backupCount=OLD_LOGS, encoding="utf-8", delay=False
        )
    except OSError:
        return None  # a read-only home: messages then name no file
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    return path


def watch_for_mistakes(messages: Messages) -> None:
    """Every exception that nobody caught becomes a message, whichever thread it is in."""

    def on_exception(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
        else:
            messages.report(error.with_traceback(trace))

    def on_thread_exception(arguments: threading.ExceptHookArgs) -> None:
        log.error("a mistake in a thread", exc_info=arguments.exc_value)

    sys.excepthook = on_exception
    threading.excepthook = on_thread_exception
    qInstallMessageHandler(log_qt_message)


def log_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """Qt's own complaints go to the log, not to the terminal."""
    levels = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
    }
    logging.getLogger("qt").log(levels.get(kind, logging.ERROR), text)

"""The real window, rendered to PNG files without a display."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QEventLoop,
    QObject,
    QPoint,
    QSettings,
    QSize,
    QTimer,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication

from mvdesk.errors import BadValue, MemoryNotFound, VaultError
from mvdesk.ui.app import Desk, log_qt_message, make_application, make_desk
from mvdesk.ui.session import clock_seconds
from mvdesk.ui.settings import FirstSteps, Settings
from mvdesk.ui.theme import LARGEST_SCALE, SMALLEST_SCALE, ThemeController
from mvdesk.ui.workspace import SMALLEST_SIZE, USUAL_SIZE
from mvdesk.ui.workspaces import WORKSPACES
from mvdesk.vault.places import data_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.theme import ThemeChoice

THEMES: Final = ("light", "dark")
_LOOK_EVERY_MS: Final = 20
_CALM_LOOKS: Final = 5
_GIVE_UP_AFTER_MS: Final = 60_000


def render(
    vault: Path,
    folder: Path,
    *,
    theme: str = "both",
    size: tuple[int, int] = (USUAL_SIZE.width(), USUAL_SIZE.height()),
    select: str | None = None,
    scale: float = 1.0,
    pixel_ratio: float = 1.0,
    workspace: str = "memories",
    brain_id: str | None = None,
    now: int | None = None,
) -> list[Path]:
    """Open `vault` in the window and save a picture for each theme; gives back the files.

    `theme` is "light", "dark" or "both". `scale` is that of the texts (0.85 to 1.6), `size` in
    px before `pixel_ratio` (pixels of the picture per px, 0.5 to 4). `select` is the id of the
    memory to show, else the first in the list. Raises VaultError, BadValue for an argument
    that isn't known.
    """
    themes = THEMES if theme == "both" else (theme,)
    _check(themes, size, scale, pixel_ratio, workspace)
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = make_application()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mvdesk-") as scratch:
        look = ThemeController()
        look.set_reduced_motion(True)
        look.set_theme(_choice(themes[0]))
        look.set_scale(scale)
        look.apply(app)
        # Settings of its own: a picture neither shows nor changes the person's arrangement.
        own = Settings(QSettings(str(Path(scratch) / "mvdesk.ini"), QSettings.Format.IniFormat))
        own.write_first_steps(FirstSteps(dismissed=True))  # pictures are of the panels
        clock = clock_seconds if now is None else lambda: now
        desk = make_desk(app, own, data_folder(), theme=look, clock=clock)
        before = qInstallMessageHandler(log_qt_message)
        try:
            desk.window.workspace.show(workspace)
            _open(desk, vault, brain_id, QSize(*size), select)
            return [_save(desk, vault, folder, name, pixel_ratio) for name in themes]
        finally:
            desk.window.close()
            desk.window.deleteLater()
            qInstallMessageHandler(before)
            look.deleteLater()


def _check(
    themes: Sequence[str],
    size: tuple[int, int],
    scale: float,
    pixel_ratio: float,
    workspace: str,
) -> None:
    if any(name not in THEMES for name in themes):
        raise BadValue("theme", f"expected light, dark or both, not {themes[0]!r}.")
    names = [spec.name for spec in WORKSPACES]
    if workspace not in names:
        raise BadValue("workspace", f"expected {' or '.join(names)}, not {workspace!r}.")
    smallest = (SMALLEST_SIZE.width(), SMALLEST_SIZE.height())
    if size[0] < smallest[0] or size[1] < smallest[1] or max(size) > 10_000:
        raise BadValue(
            "size", f"expected {smallest[0]}x{smallest[1]} to 10000x10000, not {size[0]}x{size[1]}."
        )
    if not SMALLEST_SCALE <= scale <= LARGEST_SCALE:
        limits = f"{SMALLEST_SCALE} to {LARGEST_SCALE}"
        raise BadValue("scale", f"expected a number from {limits}, not {scale}.")
    if not 0.5 <= pixel_ratio <= 4.0:
        raise BadValue("pixel ratio", f"expected a number from 0.5 to 4, not {pixel_ratio}.")


def _open(desk: Desk, vault: Path, brain_id: str | None, size: QSize, select: str | None) -> None:
    desk.window.resize(size)
    desk.window.show()
    desk.window.resize(size)
    desk.session.open_vault(vault, brain_id)
    _Calm(desk).wait()
    if select is not None:
        if desk.session.snapshot.row_of(select) is None:
            raise MemoryNotFound(
                f"This vault has no memory {select}.",
                "Nothing was changed.",
                "`mvdesk list` shows the ids.",
            )
        desk.session.select(select)
        _Calm(desk).wait()


def _save(desk: Desk, vault: Path, folder: Path, theme: str, pixel_ratio: float) -> Path:
    desk.theme.set_theme(_choice(theme))
    _Calm(desk).wait()
    window = desk.window
    picture = QPixmap(window.size() * pixel_ratio)
    picture.setDevicePixelRatio(pixel_ratio)
    window.render(picture, QPoint())
    path = folder / f"{vault.stem}-{theme}.png"
    if not picture.save(str(path), "PNG"):
        raise VaultError(
            f"The picture {path} can't be written.",
            "The vault was not changed.",
            "Choose a folder that can be written.",
        )
    return path


def _choice(name: str) -> ThemeChoice:
    return "dark" if name == "dark" else "light"


class _Calm(QObject):
    """Waits until the window shows all it has to show and nothing runs any more."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._loop = QEventLoop()
        self._calm_looks = 0
        self._looks = 0
        self._error: VaultError | None = None

    def wait(self) -> None:
        """Raises the VaultError that came up instead, if one did."""
        self._desk.session.messages.failed.connect(self._on_failed)
        timer = QTimer(self)
        timer.timeout.connect(self._on_look)
        timer.start(_LOOK_EVERY_MS)
        self._loop.exec()
        timer.stop()
        self._desk.session.messages.failed.disconnect(self._on_failed)
        if self._error is not None:
            raise self._error

    @Slot()
    def _on_look(self) -> None:
        session = self._desk.session
        read = session.selected_id is None or session.selected_memory is not None
        calm = session.is_open and self._desk.window.is_complete and session.jobs.is_idle() and read
        self._calm_looks = self._calm_looks + 1 if calm else 0
        self._looks += 1
        if self._calm_looks >= _CALM_LOOKS:
            self._loop.quit()
        elif self._looks * _LOOK_EVERY_MS > _GIVE_UP_AFTER_MS:
            self._error = VaultError(
                "The window took more than a minute to show this vault.",
                "The vault was not changed.",
                "Try again when the machine has less to do.",
            )
            self._loop.quit()

    @Slot(object)
    def _on_failed(self, error: VaultError) -> None:
        self._error = error
        self._loop.quit()

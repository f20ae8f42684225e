"""Opening, making and closing vaults: the actions, the recent list, the running preview."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.ui.files import FileDialogs, SystemFileDialogs
from mvdesk.ui.leaving import PreviewQuestion

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import Settings


class VaultCommands(QObject):
    """Asks which vault, settles a running preview, and tells the session."""

    recent_changed = Signal(object)  # tuple of paths, newest first
    raise_requested = Signal()  # the vault asked for is the one that is shown

    def __init__(
        self,
        session: VaultSession,
        settings: Settings,
        actions: Actions,
        window: QWidget,
        *,
        demo_path: Path,
        files: FileDialogs | None = None,
    ) -> None:
        super().__init__(window)
        self._session, self._settings, self._window = session, settings, window
        self._demo_path = demo_path
        self._files: FileDialogs = files or SystemFileDialogs()
        self._recent = settings.read_recent()
        self._question = PreviewQuestion(session, window)
        actions["openVault"].triggered.connect(self._on_open)
        actions["newVault"].triggered.connect(self._on_new)
        actions["openDemo"].triggered.connect(self._on_demo)
        actions["closeVault"].triggered.connect(self._on_close)
        session.vault_opened.connect(self._on_vault_opened)

    @property
    def recent(self) -> tuple[Path, ...]:
        """Vaults opened before, newest first."""
        return self._recent.paths

    def settle(self, go_on: Callable[[], None]) -> bool:
        """True when no preview runs; else asks, and calls `go_on` once that is settled."""
        return self._question.settle(go_on)

    def let_go(self) -> None:
        self._question.let_go()

    @Slot(Path)
    def open_vault(self, path: Path) -> None:
        """Open a vault; the one that is shown is only brought to the front."""
        if self._session.is_open and path.resolve() == self._session.vault.path.resolve():
            self.raise_requested.emit()
        else:
            self._do(partial(self._session.open_vault, path))

    def restore(self, path: Path, replace_file: Callable[[Path, int], None]) -> None:
        """Replace the file of a vault and open it, once a running preview is settled."""
        self._do(partial(self._session.replace_vault, path, replace_file))

    @Slot(str)
    def set_brain(self, brain_id: str) -> None:
        self._do(partial(self._session.set_brain, brain_id))

    def _do(self, what: Callable[[], None]) -> None:
        if self._question.settle(what):
            what()

    @Slot(bool)
    def _on_open(self, _checked: bool) -> None:
        if path := self._files.ask_open(self._window):
            self.open_vault(path)

    @Slot(bool)
    def _on_new(self, _checked: bool) -> None:
        if path := self._files.ask_new(self._window):
            self._do(partial(self._session.create_vault, path))

    @Slot(bool)
    def _on_demo(self, _checked: bool) -> None:
        if self._session.is_open and self._session.vault.path == self._demo_path:
            self.raise_requested.emit()
        else:
            self._do(partial(self._session.open_demo, self._demo_path))

    @Slot(bool)
    def _on_close(self, _checked: bool) -> None:
        self._do(self._session.close_vault)

    @Slot()
    def _on_vault_opened(self) -> None:
        self._recent = self._recent.with_opened(self._session.vault.path)
        self._settings.write_recent(self._recent)
        self.recent_changed.emit(self._recent.paths)

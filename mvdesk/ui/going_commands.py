"""Going places: the switcher, back and forward, links to memories."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication

from mvdesk.errors import VaultError
from mvdesk.ui.dialogs.switcher import Switcher
from mvdesk.ui.looking import Place
from mvdesk.ui.memory_search import MemorySearch
from mvdesk.ui.navigation import Navigation
from mvdesk.vault.addresses import Address, format_address, parse_address
from mvdesk.vault.vault import Vault
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.vault_commands import VaultCommands

_RECENT: Final = "recent_memories:"
_NOWHERE: Final = (
    tr("The memory of this link is in none of the vaults opened lately."),
    tr("Nothing was changed."),
    tr("Open its vault, then follow the link again."),
)


class GoingCommands(QObject):
    """Joins the ways to a memory to the session; the window's back buttons, too."""

    available_changed = Signal()

    def __init__(
        self,
        session: VaultSession,
        vaults: VaultCommands,
        actions: Actions,
        window: QWidget,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(window)
        self._session, self._vaults, self._actions = session, vaults, actions
        self._window = window
        self.navigation = Navigation(session, clock)
        self._wanted: Address | None = None  # to be selected once its brain is open
        window.installEventFilter(self)
        for name, slot in (
            ("goToMemory", self._on_go),
            ("goBack", self._on_back),
            ("goForward", self._on_forward),
            ("whyLow", self._on_why),
            ("copyMemoryLink", self._on_copy_link),
        ):
            actions[name].triggered.connect(slot)
        self._available: set[str] = set()
        self.navigation.changed.connect(self._on_ways_changed)
        session.vault_changed.connect(self._on_ways_changed)  # where one was may be gone
        session.looking.link_requested.connect(self.open_link)
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closing.connect(self._on_vault_closing)

    # Links.

    @Slot(str)
    def open_link(self, text: str) -> None:
        """Select the memory of an mvdesk:// link, whatever vault of late it is in."""
        address = parse_address(text)
        if address is None:
            self._session.messages.error(
                VaultError(
                    tr("This is no link to a memory."),
                    tr("Nothing was changed."),
                    tr("Such links look like mvdesk://memory/ID?brain=BRAIN."),
                    text[:200],
                )
            )
            return
        session = self._session
        if session.jobs.is_running("open"):
            self._wanted = address  # in the vault that is just being opened
            return
        if session.is_open and self._open_here(address):
            return
        paths = [path for path in self._vaults.recent if not self._is_shown(path)]
        work = partial(_find_vault, paths, address)
        session.jobs.run("link", work, partial(self._on_vault_found, address))

    def _is_shown(self, path: Path) -> bool:
        return self._session.is_open and path == self._session.vault.path

    def _open_here(self, address: Address) -> bool:
        """Whether the open file has it; another brain of it is opened first."""
        session = self._session
        here = session.vault.brain.id
        if (
            address.brain_id in ("", here)
            and session.snapshot.row_of(address.memory_id) is not None
        ):
            session.select(address.memory_id)
            return True
        others = {brain.id for brain in session.brains} - {here}
        if address.brain_id in others:
            self._wanted = address
            self._vaults.set_brain(address.brain_id)
            return True
        return False

    def _on_vault_found(self, address: Address, path: Path | None) -> None:
        if path is None:
            self._session.messages.error(
                VaultError(*_NOWHERE, tr("id {memory_id}", memory_id=address.memory_id))
            )
            return
        self._wanted = address
        self._vaults.open_vault(path)

    @Slot()
    def _on_vault_closing(self) -> None:
        """Recent memories are kept with the vault, by brain."""
        session, ids = self._session, self.navigation.recent_ids
        if ids and not session.read_only_reason:
            keep = partial(_keep_recent, session.vault, ids)
            session.jobs.write(keep, _ignore, failed=_ignore)

    def _on_recent_read(self, brain_id: str, ids: Sequence[str]) -> None:
        if self._session.is_open and self._session.vault.brain.id == brain_id:
            self.navigation.set_earlier(ids)

    @Slot()
    def _on_vault_opened(self) -> None:
        vault = self._session.vault
        read = partial(_read_recent, vault)
        done = partial(self._on_recent_read, vault.brain.id)
        self._session.jobs.run("recent", read, done, failed=_ignore)
        wanted, self._wanted = self._wanted, None
        if wanted is None:
            return
        if self._session.vault.brain.id != wanted.brain_id and wanted.brain_id:
            if not self._open_here(wanted):
                self._session.messages.error(
                    VaultError(*_NOWHERE, tr("id {memory_id}", memory_id=wanted.memory_id))
                )
        elif self._session.snapshot.row_of(wanted.memory_id) is None:
            self._session.messages.error(
                VaultError(*_NOWHERE, tr("id {memory_id}", memory_id=wanted.memory_id))
            )
        else:
            self._session.select(wanted.memory_id)

    @Slot(bool)
    def _on_copy_link(self, _checked: bool) -> None:
        session = self._session
        if session.selected_id is not None:
            address = Address(session.selected_id, session.vault.brain.id)
            QGuiApplication.clipboard().setText(format_address(address))
            session.messages.notice(tr("The link is copied."))

    # The switcher.

    @Slot(bool)
    def _on_go(self, _checked: bool) -> None:
        if not self._session.is_open:
            return
        switcher = Switcher(self._window)
        search = MemorySearch(self._session, switcher.picker, self.recent)
        switcher.picked.connect(self._on_picked)
        switcher.finished.connect(search.stop)
        search.find("")
        switcher.open()

    def recent(self) -> Sequence[str]:
        """The memories looked at of late but the selected one, newest first."""
        here = self._session.selected_id
        return [one for one in self.navigation.recent_ids if one != here]

    @Slot(str)
    def _on_picked(self, memory_id: str) -> None:
        self._session.select(memory_id)

    # Back and forward.

    @property
    def available(self) -> set[str]:
        """Of "back" and "forward", those that lead somewhere."""
        return self._available

    @Slot()
    def _on_ways_changed(self, _changes: object = None) -> None:
        ways = {"back": self.navigation.can_go_back, "forward": self.navigation.can_go_forward}
        available = {name for name, leads in ways.items() if leads}
        if available != self._available:
            self._available = available
            self.available_changed.emit()

    @Slot(bool)
    def _on_back(self, _checked: bool) -> None:
        self.navigation.go(-1)

    @Slot(bool)
    def _on_forward(self, _checked: bool) -> None:
        self.navigation.go(1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The buttons at the side of a mouse, wherever in the window nobody else takes them."""
        if event.type() == QEvent.Type.MouseButtonPress:
            button = cast("QMouseEvent", event).button()
            ways = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
            if button in ways:
                self.navigation.go(ways[button])
                return True
        return super().eventFilter(watched, event)

    @Slot(bool)
    def _on_why(self, _checked: bool) -> None:
        if self._session.selected_id is not None:
            self._session.looking.go_to(Place("explain"))


def _ignore(_: object) -> None:
    """For what is no loss when it fails."""


def _keep_recent(vault: Vault, ids: Sequence[str]) -> None:
    vault.companion.write_setting(f"{_RECENT}{vault.brain.id}", list(ids))


def _read_recent(vault: Vault, _token: CancelToken) -> list[str]:
    kept = vault.companion.read_setting(f"{_RECENT}{vault.brain.id}")
    return [one for one in kept if isinstance(one, str)] if isinstance(kept, list) else []


def _find_vault(paths: Sequence[Path], address: Address, token: CancelToken) -> Path | None:
    """The first vault that holds the memory; those that can't be read are passed over."""
    for path in paths:
        if token.is_cancelled():
            return None
        try:
            with Vault.open(path) as vault:
                brains = [b.id for b in vault.brains if address.brain_id in ("", b.id)]
            for brain_id in brains:
                with Vault.open(path, brain_id=brain_id) as vault:
                    if vault.has_memory(address.memory_id):
                        return path
        except (VaultError, OSError):
            continue
    return None

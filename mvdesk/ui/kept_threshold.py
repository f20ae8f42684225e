"""The threshold of each vault, kept in its companion."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot

from mvdesk.ui.preview import THRESHOLD

if TYPE_CHECKING:
    from mvdesk.store.companion import Companion
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault

QUIET_MS: Final = 400
"""A line that is dragged is written down once it rests."""


class KeptThreshold(QObject):
    """Brings the threshold of a vault back when it is opened, and keeps what it is moved to."""

    def __init__(self, session: VaultSession) -> None:
        super().__init__(session)
        self._session = session
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(QUIET_MS)
        self._rest.timeout.connect(self._keep)
        self._kept = THRESHOLD
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closing.connect(self._keep)
        session.threshold_changed.connect(self._on_threshold_changed)

    @Slot()
    def _on_vault_opened(self) -> None:
        vault = self._session.vault
        self._kept = THRESHOLD
        self._session.set_threshold(THRESHOLD)
        work = partial(_read, vault.companion, vault.brain.id)
        self._session.jobs.write(work, partial(self._on_read, vault))

    def _on_read(self, vault: Vault, threshold: float) -> None:
        session = self._session
        if session.is_open and session.vault is vault and not self._rest.isActive():
            self._kept = threshold
            session.set_threshold(threshold)

    @Slot(float)
    def _on_threshold_changed(self, threshold: float) -> None:
        if self._session.is_open and threshold != self._kept:
            self._rest.start()

    @Slot()
    def _keep(self) -> None:
        self._rest.stop()
        session = self._session
        if session.is_open and session.threshold != self._kept:
            self._kept = session.threshold
            vault = session.vault
            work = partial(_write, vault.companion, vault.brain.id, self._kept)
            session.jobs.write(work, _ignore)


def _name(brain_id: str) -> str:
    return f"threshold/{brain_id}"


def _read(companion: Companion, brain_id: str) -> float:
    stored = companion.read_setting(_name(brain_id))
    is_number = isinstance(stored, int | float) and not isinstance(stored, bool)
    return float(stored) if is_number and 0.0 <= stored <= 1.0 else THRESHOLD  # type: ignore[arg-type, operator]


def _write(companion: Companion, brain_id: str, threshold: float) -> None:
    companion.write_setting(_name(brain_id), threshold)


def _ignore(_: object) -> None:
    """For work whose outcome nobody waits for."""

"""A preview kept for next time: in the companion until the vault is opened again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.store.companion import Companion
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault


class KeptPreview(QObject):
    """Keeps the trusts being tried, per brain, and brings them back on opening."""

    def __init__(self, session: VaultSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        session.vault_opened.connect(self._on_vault_opened)

    @property
    def is_possible(self) -> bool:
        """Whether what is kept now would be there at the next start."""
        return self._session.is_open and self._session.vault.companion.path is not None

    def keep(self) -> None:
        """Put away what is tried now; the vault itself is not touched."""
        self._write(self._session.preview.trust)
        self._session.discard_preview()

    def _write(self, trust: Mapping[str, float | None]) -> None:
        vault = self._session.vault
        work = partial(_write_kept, vault.companion, vault.brain.id, dict(trust))
        self._session.jobs.write(work, _ignore)

    @Slot()
    def _on_vault_opened(self) -> None:
        vault = self._session.vault
        work = partial(_read_kept, vault.companion, vault.brain.id)
        self._session.jobs.write(work, partial(self._on_read, vault))

    def _on_read(self, vault: Vault, trust: Mapping[str, float | None]) -> None:
        session = self._session
        if not trust or not session.is_open or session.vault is not vault:
            return
        self._write({})  # from now on it is a preview like any other
        known = session.snapshot.key_index
        tried = {key: value for key, value in trust.items() if known(key) is not None}
        session.set_preview(tried)
        if count := len(tried):
            noun = tr_n("trust change", "trust changes", count)
            session.messages.notice(
                tr(
                    "Your preview of {count} {noun} from last time is back. Nothing of it is "
                    "written.",
                    count=count,
                    noun=noun,
                )
            )


def _setting(brain_id: str) -> str:
    return f"preview/{brain_id}"


def _write_kept(companion: Companion, brain_id: str, trust: dict[str, float | None]) -> None:
    companion.write_setting(_setting(brain_id), trust)


def _read_kept(companion: Companion, brain_id: str) -> dict[str, float | None]:
    """The trusts kept, without what is none (the companion may be of another version)."""
    stored = companion.read_setting(_setting(brain_id))
    if not isinstance(stored, dict):
        return {}
    return {
        str(key): None if value is None else float(value)
        for key, value in stored.items()
        if value is None
        or (isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1)
    }


def _ignore(_: object) -> None:
    """For work whose outcome nobody waits for."""

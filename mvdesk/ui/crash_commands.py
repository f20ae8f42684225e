"""After a run that ended badly: its vault, what was typed in it, and the log are offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.run_marker import BadEnd
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.vault_commands import VaultCommands
    from mvdesk.ui.widgets.banner import Banner


class CrashCommands(QObject):
    """Says on the start page what happened, and brings things back when asked."""

    def __init__(
        self, session: VaultSession, vaults: VaultCommands, actions: Actions, banner: Banner
    ) -> None:
        super().__init__(banner)
        self._session, self._vaults, self._actions = session, vaults, actions
        self._banner = banner
        self._end: BadEnd | None = None
        self._is_reopening = self._follows_link = False
        banner.action_requested.connect(self._on_action)
        banner.other_requested.connect(self._on_other)
        banner.dismissed.connect(self._forget)
        session.vault_opened.connect(self._on_vault_opened)
        session.unsaved.restored.connect(self._on_drafts_restored)

    def offer(
        self, ends: Sequence[BadEnd], *, is_opening: bool, follows_link: bool = False
    ) -> None:
        """Tell of runs that ended badly, newest first; `is_opening`: a vault was asked for.

        `follows_link`: so was a memory, which stays selected whatever was typed elsewhere.
        """
        self._follows_link = follows_link
        if not ends:
            return
        self._end = next((end for end in ends if end.vault and end.vault.is_file()), ends[0])
        vault = self._end.vault
        said = tr("mvdesk did not end properly the last time. What was saved is safe")
        if is_opening:
            self._is_reopening = True
            said = tr("{said}; what was typed is kept.", said=said)
            self._session.messages.offer(said, tr("Show the log"), self._actions["showLog"].trigger)
        elif vault is None or not vault.is_file():
            self._banner.set_text(f"{said}.", kind="warning", action=tr("Show the log"))
        else:
            self._banner.set_text(
                tr(
                    "{said}; what was typed in {name} is kept as drafts.",
                    said=said,
                    name=vault.name,
                ),
                kind="warning",
                action=tr("Reopen {name}", name=vault.name),
                other=tr("Show the log"),
            )

    @Slot()
    def _on_action(self) -> None:
        vault = self._end.vault if self._end is not None else None
        if vault is None or not vault.is_file():
            self._actions["showLog"].trigger()
            return
        self._is_reopening = True
        self._vaults.open_vault(vault)

    @Slot()
    def _on_other(self) -> None:
        self._actions["showLog"].trigger()

    @Slot()
    def _forget(self) -> None:
        self._end = None

    @Slot()
    def _on_vault_opened(self) -> None:
        self._banner.set_text("")
        is_its_vault = self._end is not None and self._end.vault == self._session.vault.path
        self._is_reopening = self._is_reopening and is_its_vault

    @Slot()
    def _on_drafts_restored(self) -> None:
        """The drafts of last time are there: show the first, say how many there are."""
        session, ids = self._session, self._session.unsaved.memory_ids
        if not self._is_reopening or not session.is_open:
            return
        self._is_reopening, self._end = False, None
        # Of a deleted memory and of a new one the editor tells.
        stored = sorted(one for one in ids if session.snapshot.row_of(one) is not None)
        if not stored:
            return
        session.messages.notice(
            tr_n(
                "1 draft was kept. It is marked in the list; save or revert it.",
                "{count} drafts were kept. They are marked in the list; save or revert them.",
                len(stored),
                count=len(stored),
            )
        )
        if not self._follows_link:
            session.select(stored[0])

"""Merging two memories: the dialog, a preview of every outcome, and the writing of just that."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from mvdesk.errors import BadValue, MemoryNotFound, VaultChanged
from mvdesk.ui.dialogs.merge import MergeDialog
from mvdesk.ui.merge_words import find_merge, tell_merge
from mvdesk.ui.plans import new_id
from mvdesk.vault.operations.merge import pick_primary
from mvdesk.vault.questions.foresee import ForeseeingCancelled
from mvdesk.vault.questions.merging import (
    plan_as_seen,
    preview_merge,
    read_pair_seen,
    usual_fields,
)
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QWidget

    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.dialogs.merge import MergeNews
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.merge_words import MergeContent
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.merging import MergePreview, PairSeen
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_READ: Final = "mergeRead"
_PREVIEW: Final = "mergePreview"
_QUIET_MS: Final = 120
_CHANGED: Final = tr(
    "One of the two or their links was changed meanwhile. Nothing was written; close this and "
    "open the merge again."
)
_GONE: Final = tr("One of the two is not in the vault any more. Nothing was written; close this.")


class Merging(QObject):
    """Opens the dialog over a window; one step writes what it shows."""

    def __init__(self, session: VaultSession, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._dialog: MergeDialog | None = None
        self._content: MergeContent | None = None
        self._preview: MergePreview | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._look)
        session.vault_changed.connect(self._on_vault_changed)
        session.vault_closing.connect(self._on_vault_closing)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is about to change."""
        jobs = self._session.jobs
        return not (self._soon.isActive() or jobs.is_running(_READ) or jobs.is_running(_PREVIEW))

    def open(self, a_id: str, b_id: str) -> None:
        """Show what merging the two would do; what stands in the way is said instead."""
        session = self._session
        if self._dialog is not None or not session.is_open:
            return
        if not session.unsaved.memory_ids.isdisjoint((a_id, b_id)):
            session.messages.notice(tr("Save what you typed first; then the two can be merged."))
            return
        work = partial(find_merge, session.vault, a_id, b_id)
        session.jobs.run(_READ, work, self._on_read, failed=self._on_unread)

    def _on_unread(self, error: BaseException) -> None:
        if isinstance(error, MemoryNotFound):
            self._session.messages.notice(tr("One of the two is not in the vault any more."))
        else:
            self._session.messages.report(error)

    def _on_read(self, content: MergeContent) -> None:
        session, seen = self._session, content.seen
        for one in (seen.a, seen.b):
            if one.archived_at is not None:
                said = tr(
                    "{short_label} is in the archive. Bring it back first.",
                    short_label=one.short_label,
                )
                session.messages.notice(said)
                return
        self._content, self._preview = content, None
        stays = pick_primary([seen.a, seen.b])
        dialog = self._dialog = MergeDialog(
            *content.sides,
            content.stretches,
            "a" if stays is seen.a else "b",
            usual_fields(seen, stays.id),
            self._window,
            refusal=session.read_only_reason or "",
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.edited.connect(self._on_edited)
        dialog.first_chosen.connect(self._on_first_chosen)
        dialog.apply_requested.connect(self._on_apply)
        dialog.finished.connect(self._on_finished)
        dialog.open()
        self._look()

    # The preview.

    @Slot()
    def _on_edited(self) -> None:
        self._preview = None
        self._session.jobs.cancel(_PREVIEW)
        self._soon.start()

    @Slot(str)
    def _on_first_chosen(self, _side: str) -> None:
        if self._dialog is not None and self._content is not None:
            self._dialog.set_usual(usual_fields(self._content.seen, self._primary_id()))

    def _primary_id(self) -> str:
        assert self._content is not None
        assert self._dialog is not None
        seen = self._content.seen
        return seen.a.id if self._dialog.first == "a" else seen.b.id

    @Slot()
    def _look(self) -> None:
        session, dialog, content = self._session, self._dialog, self._content
        if dialog is None or content is None or not session.is_open:
            return
        dialog.set_busy()
        work = partial(
            _look_ahead,
            session.vault,
            session.snapshot,
            content.seen,
            self._primary_id(),
            dialog.fields(),
            session.model,
            session.now,
            session.current_time(),
        )
        session.jobs.run(_PREVIEW, work, self._on_seen, failed=self._on_unseen)

    def _on_seen(self, found: tuple[MergePreview, MergeNews]) -> None:
        if self._dialog is not None:
            self._preview, news = found
            self._dialog.set_news(news)

    def _on_unseen(self, error: BaseException) -> None:
        dialog = self._dialog
        if dialog is None or isinstance(error, ForeseeingCancelled):
            return
        if isinstance(error, BadValue):
            dialog.set_problem(f"{error.what} {error.remedy}".strip())
        elif isinstance(error, MemoryNotFound):
            dialog.set_problem(_GONE)
        elif isinstance(error, VaultChanged):
            dialog.set_problem(error.what)
        else:
            dialog.set_problem(tr("What it does can't be told, so it can't be written."))
            self._session.messages.report(error)

    # Writing.

    @Slot()
    def _on_apply(self) -> None:
        preview, dialog = self._preview, self._dialog
        if preview is None or dialog is None:
            return
        make_plan = partial(_as_seen, preview)
        self._session.write("merge", make_plan, select=preview.primary_id)
        dialog.accept()

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        """What somebody else wrote may concern the two."""
        if self._dialog is not None:
            self._look()

    @Slot(int)
    def _on_finished(self, _answer: int) -> None:
        self._soon.stop()
        self._session.jobs.cancel(_PREVIEW)
        self._dialog = self._content = self._preview = None

    @Slot()
    def _on_vault_closing(self) -> None:
        self._session.jobs.cancel(_READ)
        if self._dialog is not None:
            self._dialog.drop()


def _look_ahead(
    vault: Vault,
    snapshot: Snapshot,
    seen: PairSeen,
    primary_id: str,
    fields: Mapping[str, object],
    model: ScoreModel,
    shown_at: int,
    now: int,
    token: CancelToken,
) -> tuple[MergePreview, MergeNews]:
    if read_pair_seen(vault, seen.a.id, seen.b.id) != seen:
        raise VaultChanged(_CHANGED, tr("Nothing was written."), tr("Open the merge again."))
    preview = preview_merge(
        vault,
        snapshot,
        seen,
        primary_id,
        fields,
        model,
        shown_at=shown_at,
        now=now,
        new_id=new_id,
        cancelled=token.is_cancelled,
    )
    return preview, tell_merge(preview, snapshot)


def _as_seen(preview: MergePreview, vault: Vault) -> Plan:
    return plan_as_seen(vault, preview)

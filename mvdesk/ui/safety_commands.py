"""Backups and snapshots from the menu: what the dialogs ask for, done off the GUI thread."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from PySide6.QtCore import QObject, Qt, Slot

from mvdesk.store.restoring import copy_vault, read_backups, restore_backup
from mvdesk.ui.dialogs.backups import BackupsDialog
from mvdesk.ui.dialogs.plan_preview import PlanPreview
from mvdesk.ui.dialogs.snapshot_since import SnapshotSinceDialog
from mvdesk.ui.dialogs.snapshots import SnapshotsDialog
from mvdesk.vault import brain_state
from mvdesk.vault.operations.snapshots import plan_snapshot
from mvdesk.vault.questions.snapshot_differences import compare_with_now
from mvdesk.vault.snapshot_restoring import preview_restore
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from mvdesk.records import StoredSnapshot
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.store.restoring import BackupFile
    from mvdesk.ui.actions import Actions
    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.vault_commands import VaultCommands
    from mvdesk.vault.operations.snapshot_restore import Restore
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.snapshot_differences import SnapshotDifferences
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault


class SafetyCommands(QObject):
    """Opens the two dialogs and does what they ask for."""

    def __init__(
        self,
        session: VaultSession,
        actions: Actions,
        vaults: VaultCommands,
        window: QWidget,
        files: FileDialogs,
    ) -> None:
        super().__init__(window)
        self._session, self._vaults, self._window = session, vaults, window
        self._files = files
        self._backups: BackupsDialog | None = None
        self._snapshots: SnapshotsDialog | None = None
        self._vault_path: Path | None = None
        actions["backups"].triggered.connect(self._on_backups)
        actions["snapshots"].triggered.connect(self._on_snapshots)
        session.write_finished.connect(self._on_write_finished)
        session.vault_closed.connect(self._on_vault_closed)

    # Backups.

    @Slot(bool)
    def _on_backups(self, _checked: bool) -> None:
        """Of the open vault; without one, of a file that is asked for: it may be damaged."""
        session = self._session
        path = session.vault.path if session.is_open else self._files.ask_open(self._window)
        if path is None:
            return
        self._vault_path = path
        dialog = self._backups = BackupsDialog(path, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._on_backups_finished)
        dialog.restore_requested.connect(self._on_restore_requested)
        dialog.copy_requested.connect(self._on_copy_requested)
        dialog.open()
        self._list_backups()

    def _list_backups(self) -> None:
        assert self._vault_path is not None
        work = partial(_read_backups, self._vault_path)
        self._session.jobs.run("backups", work, self._on_backups_read, failed=self._on_failed)

    def _on_backups_read(self, backups: Sequence[BackupFile]) -> None:
        if self._backups is not None:
            self._backups.set_backups(backups)

    @Slot(int)
    def _on_backups_finished(self, _answer: int) -> None:
        self._session.jobs.cancel("backups")
        self._backups = None

    @Slot(object)
    def _on_restore_requested(self, backup: Path) -> None:
        assert self._vault_path is not None
        self._vaults.restore(self._vault_path, partial(_restore, backup))

    @Slot()
    def _on_copy_requested(self) -> None:
        path, dialog = self._vault_path, self._backups
        if path is None or dialog is None:
            return
        target = self._files.ask_new(dialog, f"{path.stem} copy.sqlite", tr("Back up to a file"))
        if target is not None:
            dialog.set_busy(tr("Copying to {name}…", name=target.name))
            self._session.jobs.run(
                "backups", partial(_copy, path, target), self._on_copied, failed=self._on_failed
            )

    def _on_copied(self, target: Path) -> None:
        self._session.messages.notice(tr("The vault as it is now is in {name}.", name=target.name))
        self._list_backups()

    def _on_failed(self, error: BaseException) -> None:
        self._session.messages.report(error)
        if self._backups is not None:
            self._list_backups()
        if self._snapshots is not None:
            self._list_snapshots()

    # Snapshots.

    @Slot(bool)
    def _on_snapshots(self, _checked: bool) -> None:
        session = self._session
        dialog = self._snapshots = SnapshotsDialog(
            session.vault.brain.name, self._window, refusal=session.read_only_reason or ""
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._on_snapshots_finished)
        dialog.take_requested.connect(self._on_take_requested)
        dialog.compare_requested.connect(self._on_compare_requested)
        dialog.since_requested.connect(self._on_since_requested)
        dialog.open()
        self._list_snapshots()

    def _list_snapshots(self) -> None:
        work = partial(_read_snapshots, self._session.vault)
        done = self._on_snapshots_read
        self._session.jobs.run("snapshots", work, done, failed=self._on_failed)

    def _on_snapshots_read(self, snapshots: Sequence[StoredSnapshot]) -> None:
        if self._snapshots is not None:
            self._snapshots.set_snapshots(snapshots)

    @Slot(int)
    def _on_snapshots_finished(self, _answer: int) -> None:
        self._session.jobs.cancel("snapshots")
        self._snapshots = None

    @Slot()
    def _on_vault_closed(self) -> None:
        if self._snapshots is not None:
            self._snapshots.reject()

    @Slot(str, str, bool)
    def _on_take_requested(self, name: str, summary: str, archive: bool) -> None:
        if self._snapshots is not None:
            self._snapshots.set_busy(tr("Taking a snapshot…"))
        self._session.write(
            "snapshot",
            partial(_plan_snapshot, name, summary, archive, self._session.current_time()),
        )

    @Slot(str, bool)
    def _on_write_finished(self, action: str, _written: bool) -> None:
        if action in ("snapshot", "undo", "redo") and self._snapshots is not None:
            self._list_snapshots()

    @Slot(object)
    def _on_since_requested(self, stored: StoredSnapshot) -> None:
        session = self._session
        if self._snapshots is not None:
            self._snapshots.set_busy(tr("Comparing the snapshot with the brain…"))
        snapshot = session.snapshot
        work = partial(_compare, session.vault, snapshot, stored, session.model, session.now)
        done = partial(self._on_compared, snapshot, session.model.title)
        session.jobs.run("snapshots", work, done, failed=self._on_failed)

    def _on_compared(
        self, snapshot: Snapshot, model_title: str, found: SnapshotDifferences
    ) -> None:
        dialog = self._snapshots
        if dialog is None:
            return
        self._list_snapshots()
        since = SnapshotSinceDialog(found, snapshot, model_title, dialog)
        since.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        since.open()

    @Slot(object, str)
    def _on_compare_requested(self, snapshot: StoredSnapshot, mode: str) -> None:
        session = self._session
        if self._snapshots is not None:
            self._snapshots.set_busy(tr("Comparing the snapshot with the brain…"))
        work = partial(_plan_restore, session.vault, snapshot, mode, session.current_time())
        session.jobs.run("snapshots", work, self._on_restore_planned, failed=self._on_failed)

    def _on_restore_planned(self, restore: Restore) -> None:
        dialog = self._snapshots
        if dialog is None:
            return
        self._list_snapshots()
        preview = PlanPreview(
            restore.plan,
            dialog,
            facts=_facts(restore),
            refusal=self._session.read_only_reason or "",
            apply_text=tr("Restore"),
        )
        preview.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        preview.apply_requested.connect(self._on_apply_requested)
        preview.open()

    @Slot(object)
    def _on_apply_requested(self, plan: Plan) -> None:
        if self._snapshots is not None:
            self._snapshots.accept()
        self._session.write("restore", partial(_as_shown, plan))


def _read_backups(path: Path, _token: CancelToken) -> list[BackupFile]:
    return read_backups(path)


def _copy(path: Path, target: Path, _token: CancelToken) -> Path:
    copy_vault(path, target)
    return target


def _restore(backup: Path, path: Path, now: int) -> None:
    """Before the vault is opened again; raises VaultError with everything as it was."""
    restore_backup(path, backup, day=datetime.fromtimestamp(now, UTC).date().isoformat())


def _read_snapshots(vault: Vault, _token: CancelToken) -> list[StoredSnapshot]:
    return brain_state.read_snapshots(vault)


def _plan_snapshot(name: str, summary: str, archive: bool, now: int, vault: Vault) -> Plan:
    existing = brain_state.read_snapshots(vault)
    with brain_state.stream_brain(vault) as brain:
        return plan_snapshot(
            brain,
            existing,
            label=name or None,
            summary=summary or None,
            include_archived=archive,
            now=now,
            snapshot_id=str(uuid4()),
        )


def _plan_restore(
    vault: Vault, stored: StoredSnapshot, mode: str, now: int, _token: CancelToken
) -> Restore:
    return preview_restore(vault, stored, mode, now=now, new_id=lambda: str(uuid4()))


def _compare(
    vault: Vault,
    snapshot: Snapshot,
    stored: StoredSnapshot,
    model: ScoreModel,
    now: int,
    token: CancelToken,
) -> SnapshotDifferences:
    return compare_with_now(vault, snapshot, stored, model, now, cancelled=token.is_cancelled)


def _as_shown(plan: Plan, _vault: Vault) -> Plan:
    """What was previewed, not what would be planned by now: a guard says when that moved."""
    return plan


def _facts(restore: Restore) -> list[str]:
    """What changes by kind, then what is left out."""
    said = []
    for kind, count in restore.counts.items():
        parts = [
            f"{format_number(number, ',')} {what}"
            for number, what in (
                (count.made, tr("made")),
                (count.changed, tr("changed")),
                (count.deleted, tr("deleted")),
            )
            if number
        ]
        if parts:
            said.append(f"{kind.replace('_', ' ')}: {', '.join(parts)}")
    facts = ["; ".join(said).capitalize() + "."] if said else []
    skipped = len(restore.skipped)
    if skipped:
        rows = tr_n("One row is", "{skipped:,} rows are", skipped, skipped=skipped)
        facts.append(tr("{rows} left out. {skipped}", rows=rows, skipped=restore.skipped[0]))
    return [*facts, *restore.notes]

"""The automatic backups of a vault: when each was made, and putting one back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QMessageBox

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.moments import format_minute
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from mvdesk.store.restoring import BackupFile

_SIZE: Final = QSize(640, 440)
_WIDTHS: Final = {1: 110, 2: 100, 3: 170}
_COLUMNS: Final = (tr("Made"), tr("Memories"), tr("Size"), tr("File"))
_EXPLAINED: Final = tr(
    "mvdesk copies a vault before the first write of each day and before it adds columns to "
    "it, and keeps the newest seven copies. Restoring one makes a copy of the present state first."
)
_NONE: Final = tr(
    "There is no backup of this vault yet. The first one is made before the next change; "
    "“Back up to a file” makes a copy now."
)


class BackupsDialog(TableDialog):
    """Lists backups. What restores or copies is whoever listens to the signals."""

    restore_requested = Signal(object)  # the path of a backup
    copy_requested = Signal()

    def __init__(self, vault_path: Path, parent: QWidget) -> None:
        super().__init__("backupsDialog", tr("Backups"), _SIZE, parent)
        self._vault_path = vault_path
        self._backups: Sequence[BackupFile] = ()
        self.add_sentence("backupsVault", vault_path.name, "section")
        self._text = self.add_sentence("backupsText", _EXPLAINED, "secondary")
        self._table, self._model = self.add_table(
            "backupsTable", tr("Backups, the newest first"), _COLUMNS, _WIDTHS, 0, (1, 2)
        )
        self._table.row_activated.connect(self._on_row_activated)
        self._copy = push_button(
            "backupCopy",
            tr("Back up to a &file…"),
            tr("Copy the vault as it is now, to a file you choose"),
        )
        self._copy.clicked.connect(self._on_copy)
        close = push_button("backupsClose", tr("Close"))
        close.clicked.connect(self.reject)
        self._restore = push_button(
            "backupRestore",
            tr("&Restore…"),
            tr("Put the chosen backup in the vault's place"),
            "primary",
        )
        self._restore.clicked.connect(self._on_restore)
        self.add_buttons(self._copy, None, close, self._restore)
        self.set_busy(tr("Looking for backups…"))

    def set_backups(self, backups: Sequence[BackupFile]) -> None:
        """Show these, the newest first."""
        self._backups = backups
        self._model.set_rows([_row(backup) for backup in backups])
        self._text.setText(_EXPLAINED if backups else _NONE)
        self._table.setVisible(bool(backups))
        self._restore.setEnabled(bool(backups))
        self._copy.setEnabled(True)
        if backups:
            self._table.select_row(0)
            self._table.setFocus()

    def set_busy(self, sentence: str) -> None:
        """Say what is under way; nothing can be asked for meanwhile."""
        self._text.setText(sentence)
        self._restore.setEnabled(False)
        self._copy.setEnabled(False)

    @Slot(int)
    def _on_row_activated(self, _row: int) -> None:
        if self._restore.isEnabled():
            self._on_restore()

    @Slot()
    def _on_copy(self, _checked: bool = False) -> None:
        self.copy_requested.emit()

    @Slot()
    def _on_restore(self, _checked: bool = False) -> None:
        row = self._table.currentIndex().row()
        if not 0 <= row < len(self._backups):
            return
        backup = self._backups[row]
        box = QMessageBox(self)
        box.setObjectName("restoreQuestion")
        box.setWindowTitle(tr("Restore a backup"))
        box.setText(
            tr("Put the backup of {made_at} in place?", made_at=format_minute(backup.made_at))
        )
        box.setInformativeText(
            tr(
                "{name} becomes what it was then. Its present state is kept as a backup "
                "first, so that this can be taken back the same way. Undo steps made since "
                "then won't fit any more.",
                name=self._vault_path.name,
            )
        )
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Cancel)
        restore = box.addButton(tr("&Restore"), QMessageBox.ButtonRole.AcceptRole)
        restore.setObjectName("restoreNow")
        box.setDefaultButton(buttons.Cancel)
        self._asked = backup.path
        restore.clicked.connect(self._on_sure)
        box.finished.connect(box.deleteLater)
        box.open()

    @Slot()
    def _on_sure(self, _checked: bool = False) -> None:
        self.restore_requested.emit(self._asked)
        self.accept()


def _row(backup: BackupFile) -> tuple[str, ...]:
    count = (
        tr("can't be read")
        if backup.memory_count is None
        else format_number(backup.memory_count, ",")
    )
    return format_minute(backup.made_at), count, _format_size(backup.size), backup.path.name


def _format_size(size: int) -> str:
    return (
        tr("{size:,.1f} MB", size=size / 1000000.0)
        if size >= 100_000
        else tr("{size:,.0f} kB", size=max(size / 1000.0, 1))
    )

"""The snapshots of a brain: taking one, seeing what a restore would change, restoring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.moments import format_minute
from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mvdesk.records import StoredSnapshot

_SIZE: Final = QSize(760, 520)
_WIDTHS: Final = {0: 172, 2: 90, 3: 70, 4: 150}
_COLUMNS: Final = (tr("Taken"), tr("Name"), tr("Memories"), tr("Links"), tr("What for"))
_EXPLAINED: Final = tr(
    "A snapshot keeps the memories, links, trust and decisions of this brain inside the vault. "
    "Restoring one shows first what would change; it is one step that undo takes back."
)
_NONE: Final = tr("There is no snapshot of this brain yet. Take one before a large clean-up.")
_HOW: Final = (("merge", tr("Add and update")), ("replace", tr("Replace all")))


class SnapshotsDialog(TableDialog):
    """Lists snapshots. Whoever listens to the signals takes and compares them."""

    take_requested = Signal(str, str, bool)  # name, what for, with the archive
    since_requested = Signal(object)  # StoredSnapshot: what became of the brain since
    compare_requested = Signal(object, str)  # StoredSnapshot, "merge" or "replace"

    def __init__(self, brain: str, parent: QWidget, *, refusal: str = "") -> None:
        """`refusal` says why nothing can be written, "" when it can."""
        super().__init__("snapshotsDialog", tr("Snapshots"), _SIZE, parent)
        self._refusal = refusal
        self._snapshots: Sequence[StoredSnapshot] = ()
        self.add_sentence("snapshotsBrain", brain, "section")
        self._text = self.add_sentence("snapshotsText", _EXPLAINED, "secondary")
        self._table, self._model = self.add_table(
            "snapshotsTable", tr("Snapshots, the newest first"), _COLUMNS, _WIDTHS, 1, (2, 3)
        )
        self._table.row_activated.connect(self._on_row_activated)
        self._build_taking()
        self._how = SegmentedControl(tr("How to restore"), _HOW)
        self._how.setObjectName("snapshotMode")
        self._how.setToolTip(tr("“Replace all” also deletes what the snapshot doesn't hold"))
        self._since = push_button(
            "snapshotSince",
            tr("&Compare with now…"),
            tr("See what differs since; nothing is written"),
        )
        self._since.clicked.connect(self._on_since)
        close = push_button("snapshotsClose", tr("Close"))
        close.clicked.connect(self.reject)
        self._compare = push_button(
            "snapshotCompare",
            tr("&Preview the restore…"),
            tr("See what restoring it would change"),
            "primary",
        )
        self._compare.clicked.connect(self._on_compare)
        row = QHBoxLayout()
        row.addWidget(self._how)
        row.addStretch(1)
        row.addWidget(close)
        row.addWidget(self._since)
        row.addWidget(self._compare)
        self.column.addLayout(row)
        self.set_busy(tr("Looking for snapshots…"))

    def _build_taking(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(applied().px(8))
        self._name = QLineEdit()
        self._name.setObjectName("snapshotName")
        self._name.setAccessibleName(tr("Name of the new snapshot"))
        self._name.setPlaceholderText(tr("Name, such as “before tidying”"))
        self._name.setMaxLength(160)
        self._summary = QLineEdit()
        self._summary.setObjectName("snapshotSummary")
        self._summary.setAccessibleName(tr("What the new snapshot is for"))
        self._summary.setPlaceholderText(tr("What for (optional)"))
        self._summary.setMaxLength(500)
        self._archive = CheckBox(tr("With the &archive"))
        self._archive.setObjectName("snapshotArchive")
        self._archive.setChecked(True)
        self._take = push_button("snapshotTake", tr("&Take a snapshot"), self._refusal)
        self._take.clicked.connect(self._on_take)
        for field in (self._name, self._summary):
            field.returnPressed.connect(self._take.click)
        label = QLabel(tr("New:"))
        label.setBuddy(self._name)
        for widget in (label, self._name, self._summary, self._archive, self._take):
            row.addWidget(widget, int(isinstance(widget, QLineEdit)))
        self.column.addLayout(row)

    def set_snapshots(self, snapshots: Sequence[StoredSnapshot]) -> None:
        """Show these, the newest first; one that is looked at stays selected, a new one is."""
        known = [one.id for one in self._snapshots]
        row = self._table.currentIndex().row()
        kept = known[row] if 0 <= row < len(known) else ""
        is_new = bool(known) and bool(snapshots) and snapshots[0].id not in known
        self._snapshots = snapshots
        self._model.set_rows([_row(one) for one in snapshots])
        said = _EXPLAINED if snapshots else _NONE
        self._text.setText(f"{said} {self._refusal}".strip())
        self._take.setEnabled(not self._refusal)
        self._compare.setEnabled(bool(snapshots))
        self._since.setEnabled(bool(snapshots))
        if snapshots:
            places = [n for n, one in enumerate(snapshots) if one.id == kept and not is_new]
            self._table.select_row(places[0] if places else 0)
            self._table.setFocus()
        else:
            self._name.setFocus()

    def set_busy(self, sentence: str) -> None:
        """Say what is under way; nothing can be asked for meanwhile."""
        self._text.setText(sentence)
        for button in (self._take, self._compare, self._since):
            button.setEnabled(False)

    @Slot()
    def _on_take(self, _checked: bool = False) -> None:
        name, summary = self._name.text().strip(), self._summary.text().strip()
        self.take_requested.emit(name, summary, self._archive.isChecked())
        self._name.clear()
        self._summary.clear()

    @Slot(int)
    def _on_row_activated(self, _row: int) -> None:
        if self._compare.isEnabled():
            self._on_compare()

    @Slot()
    def _on_since(self, _checked: bool = False) -> None:
        row = self._table.currentIndex().row()
        if 0 <= row < len(self._snapshots):
            self.since_requested.emit(self._snapshots[row])

    @Slot()
    def _on_compare(self, _checked: bool = False) -> None:
        row = self._table.currentIndex().row()
        if 0 <= row < len(self._snapshots):
            self.compare_requested.emit(self._snapshots[row], self._how.value)


def _row(one: StoredSnapshot) -> tuple[str, ...]:
    return (
        format_minute(one.created_at),
        one.label or tr("(no name)"),
        format_number(one.memory_count, ","),
        format_number(one.link_count, ","),
        one.summary or "",
    )

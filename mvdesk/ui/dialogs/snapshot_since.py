"""What became of a brain since a snapshot, kind by kind, and what the scores were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, overload

from PySide6.QtCore import QSize, Slot

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.moments import format_minute
from mvdesk.ui.plan_rows import describe_difference
from mvdesk.ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.vault.plan import RowChange
    from mvdesk.vault.questions.snapshot_differences import SnapshotDifferences
    from mvdesk.vault.snapshot import Snapshot

_SIZE: Final = QSize(960, 580)
_WIDTHS: Final = {0: 260}
_KINDS: Final = (
    ("memories", "Memories"),
    ("links", "Links"),
    ("source_trust", "Trust"),
    ("others", "Others"),
    ("scores", "Scores"),
)
_OTHERS: Final = ("aliases", "conflict_resolutions", "policy")
_SAME: Final = "Nothing of this kind differs."
_SCORED: Final = (
    "The scores that the texts, links and trust of then would have by today's clock, beside "
    "those of now; the largest change first."
)
_COLUMNS: Final = ("What", "In the snapshot → now")


class SnapshotSinceDialog(TableDialog):
    """Shows differences; nothing can be written from here."""

    def __init__(
        self, found: SnapshotDifferences, snapshot: Snapshot, model_title: str, parent: QWidget
    ) -> None:
        """`snapshot` is the one that the differences were found in."""
        name = found.stored.label or "the snapshot"
        super().__init__("snapshotSince", f"Since {name}", _SIZE, parent)
        self._found, self._snapshot = found, snapshot
        taken = format_minute(found.stored.created_at)
        self.add_sentence("sinceSummary", f"{name}, taken {taken}. {_summary(found)}", "section")
        for number, fact in enumerate((*found.notes, *found.unread[:1])):
            self.add_sentence(f"sinceFact{number}", fact, "secondary")
        self._which = SegmentedControl("What differs", _KINDS)
        self._which.setObjectName("sinceKind")
        self._which.value_chosen.connect(self._show)
        for kind, caption in _KINDS:
            self._which.set_label(kind, f"{caption} {len(self._rows_of(kind)):,}")
        self.column.addWidget(self._which)
        self._said = self.add_sentence("sinceSaid", "", "mutedCaption")
        self._model_title = model_title
        self.table, self._model = self.add_table(
            "sinceTable", "What differs from the snapshot", _COLUMNS, _WIDTHS, 1
        )
        close = push_button("sinceClose", "Close")
        close.clicked.connect(self.reject)
        self.add_buttons(None, close)
        first = next((kind for kind, _ in _KINDS if len(self._rows_of(kind))), _KINDS[0][0])
        self._which.set_value(first)
        self._show(first)
        self._which.setFocus()

    def _rows_of(self, kind: str) -> Sequence[tuple[str, ...]]:
        if kind == "scores":
            return _ScoreRows(self._found, self._snapshot)
        kinds = _OTHERS if kind == "others" else (kind,)
        return _ChangeRows([c for one in kinds for c in self._found.kinds[one].changes])

    @Slot(str)
    def _show(self, kind: str) -> None:
        rows = self._rows_of(kind)
        self._model.set_rows(rows)
        if len(rows):
            self.table.select_row(0)
        said = f"{_SCORED} {self._model_title}." if kind == "scores" else ""
        self._said.setText(said if len(rows) else _SAME)
        self._said.setVisible(bool(said) or not len(rows))


class _ChangeRows(Sequence[tuple[str, ...]]):
    """Rows of texts, made when asked for."""

    def __init__(self, changes: Sequence[RowChange]) -> None:
        self._changes = changes

    def __len__(self) -> int:
        return len(self._changes)

    @overload
    def __getitem__(self, place: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[str, ...], ...]: ...
    def __getitem__(self, place: int | slice) -> tuple[str, ...] | tuple[tuple[str, ...], ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(len(self))))
        return describe_difference(self._changes[place], made="is new", gone="is gone")


class _ScoreRows(Sequence[tuple[str, ...]]):
    """Both scores of a memory, then and now."""

    def __init__(self, found: SnapshotDifferences, snapshot: Snapshot) -> None:
        self._scores, self._labels = found.scores, snapshot.memories.labels

    def __len__(self) -> int:
        return len(self._scores)

    @overload
    def __getitem__(self, place: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[str, ...], ...]: ...
    def __getitem__(self, place: int | slice) -> tuple[str, ...] | tuple[tuple[str, ...], ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(len(self))))
        told = self._scores
        said = (
            f"conf. {told.confidence_before[place]:.3f} → {told.confidence_after[place]:.3f} · "
            f"imp. {told.importance_before[place]:.3f} → {told.importance_after[place]:.3f}"
        )
        return self._labels.text(int(told.rows[place])), said


def _summary(found: SnapshotDifferences) -> str:
    said = []
    for kind, difference in found.kinds.items():
        counts = (
            (difference.made, "new"),
            (difference.changed, "changed"),
            (difference.gone, "gone"),
        )
        parts = [f"{number:,} {what}" for number, what in counts if number]
        if parts:
            said.append(f"{kind.replace('_', ' ')}: {', '.join(parts)}")
    if not said:
        return "Nothing differs from it."
    moved = len(found.scores)
    scores = "no score moved" if not moved else f"{moved:,} memories score otherwise"
    return f"Since then {'; '.join(said)}; {scores}."

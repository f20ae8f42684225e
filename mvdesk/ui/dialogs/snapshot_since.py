"""What became of a brain since a snapshot, kind by kind, and what the scores were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Slot

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.models.made_rows import MadeRows
from mvdesk.ui.moments import format_minute
from mvdesk.ui.plan_rows import describe_difference
from mvdesk.ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

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
            return _score_rows(self._found, self._snapshot)
        kinds = _OTHERS if kind == "others" else (kind,)
        return _change_rows([c for one in kinds for c in self._found.kinds[one].changes])

    @Slot(str)
    def _show(self, kind: str) -> None:
        rows = self._rows_of(kind)
        self._model.set_rows(rows)
        if len(rows):
            self.table.select_row(0)
        said = f"{_SCORED} {self._model_title}." if kind == "scores" else ""
        self._said.setText(said if len(rows) else _SAME)
        self._said.setVisible(bool(said) or not len(rows))


def _change_rows(changes: Sequence[RowChange]) -> Sequence[tuple[str, ...]]:
    return MadeRows(
        len(changes),
        lambda place: describe_difference(changes[place], made="is new", gone="is gone"),
    )


def _score_rows(found: SnapshotDifferences, snapshot: Snapshot) -> Sequence[tuple[str, ...]]:
    """Both scores of a memory, then and now."""
    told, labels = found.scores, snapshot.memories.labels

    def row(place: int) -> tuple[str, ...]:
        said = (
            f"conf. {told.confidence_before[place]:.3f} → {told.confidence_after[place]:.3f} · "
            f"imp. {told.importance_before[place]:.3f} → {told.importance_after[place]:.3f}"
        )
        return labels.text(int(told.rows[place])), said

    return MadeRows(len(told), row)


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

"""What became of a brain since a snapshot, kind by kind, and what the scores were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Slot

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.models.made_rows import MadeRows
from mvdesk.ui.moments import format_minute
from mvdesk.ui.plan_rows import describe_difference
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mvdesk.vault.plan import RowChange
    from mvdesk.vault.questions.snapshot_differences import SnapshotDifferences
    from mvdesk.vault.snapshot import Snapshot

_SIZE: Final = QSize(960, 580)
_WIDTHS: Final = {0: 260}
_KINDS: Final = (
    ("memories", tr("Memories")),
    ("links", tr("Links")),
    ("source_trust", tr("Trust")),
    ("others", tr("Others")),
    ("scores", tr("Scores")),
)
_OTHERS: Final = ("aliases", "conflict_resolutions", "policy")
_SAME: Final = tr("Nothing of this kind differs.")
_SCORED: Final = tr(
    "The scores that the texts, links and trust of then would have by today's clock, beside "
    "those of now; the largest change first."
)
_COLUMNS: Final = (tr("What"), tr("In the snapshot → now"))


class SnapshotSinceDialog(TableDialog):
    """Shows differences; nothing can be written from here."""

    def __init__(
        self, found: SnapshotDifferences, snapshot: Snapshot, model_title: str, parent: QWidget
    ) -> None:
        """`snapshot` is the one that the differences were found in."""
        name = found.stored.label or tr("the snapshot")
        super().__init__("snapshotSince", tr("Since {name}", name=name), _SIZE, parent)
        self._found, self._snapshot = found, snapshot
        taken = format_minute(found.stored.created_at)
        self.add_sentence(
            "sinceSummary",
            tr("{name}, taken {taken}. {summary}", name=name, taken=taken, summary=_summary(found)),
            "section",
        )
        for number, fact in enumerate((*found.notes, *found.unread[:1])):
            self.add_sentence(f"sinceFact{number}", fact, "secondary")
        self._which = SegmentedControl(tr("What differs"), _KINDS)
        self._which.setObjectName("sinceKind")
        self._which.value_chosen.connect(self._show)
        for kind, caption in _KINDS:
            self._which.set_label(kind, f"{caption} {format_number(len(self._rows_of(kind)), ',')}")
        self.column.addWidget(self._which)
        self._said = self.add_sentence("sinceSaid", "", "mutedCaption")
        self._model_title = model_title
        self.table, self._model = self.add_table(
            "sinceTable", tr("What differs from the snapshot"), _COLUMNS, _WIDTHS, 1
        )
        close = push_button("sinceClose", tr("Close"))
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
        lambda place: describe_difference(changes[place], made=tr("is new"), gone=tr("is gone")),
    )


def _score_rows(found: SnapshotDifferences, snapshot: Snapshot) -> Sequence[tuple[str, ...]]:
    """Both scores of a memory, then and now."""
    told, labels = found.scores, snapshot.memories.labels

    def row(place: int) -> tuple[str, ...]:
        said = tr(
            "conf. {confidence_before:.3f} → {confidence_after:.3f} · imp. "
            "{importance_before:.3f} → {importance_after:.3f}",
            confidence_before=told.confidence_before[place],
            confidence_after=told.confidence_after[place],
            importance_before=told.importance_before[place],
            importance_after=told.importance_after[place],
        )
        return labels.text(int(told.rows[place])), said

    return MadeRows(len(told), row)


def _summary(found: SnapshotDifferences) -> str:
    said = []
    for kind, difference in found.kinds.items():
        counts = (
            (difference.made, tr("new")),
            (difference.changed, tr("changed")),
            (difference.gone, tr("gone")),
        )
        parts = [f"{format_number(number, ',')} {what}" for number, what in counts if number]
        if parts:
            said.append(f"{kind.replace('_', ' ')}: {', '.join(parts)}")
    if not said:
        return tr("Nothing differs from it.")
    moved = len(found.scores)
    scores = (
        tr("no score moved") if not moved else tr("{moved:,} memories score otherwise", moved=moved)
    )
    return tr("Since then {names}; {scores}.", names="; ".join(said), scores=scores)

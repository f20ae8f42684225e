"""Conflicts that a preview makes appear or vanish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

_RULE: Final = tr(
    "Facts conflict only while both reach 0.70: trust can bring conflicts up, or hide them."
)
_NOTHING: Final = tr("No conflict appears or vanishes. {rule}", rule=_RULE)


@dataclass(frozen=True, slots=True)
class ConflictLine:
    """One conflict: `memory_id` is the fact that crosses 0.70, `why` says how that comes."""

    memory_id: str
    other_id: str
    title: str
    other_title: str
    appears: bool
    why: str


class ConflictChangesPage(QWidget):
    """Shows ConflictLines. Knows no session."""

    memory_selected = Signal(str)  # id: the fact that crosses

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = QLabel(_NOTHING)
        self._sentence.setObjectName("conflictChangesSentence")
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setWordWrap(True)
        self._sentence.setContentsMargins(12, 8, 12, 6)
        self.table = KeyedTable(
            tr("Conflicts that appear or vanish"),
            (tr("Conflict"), tr("Fact"), tr("Against"), tr("Why")),
            widths={0: 92, 2: 150, 3: 190},
            stretch=1,
            least={2: 330, 3: 520},
        )
        self.table.setObjectName("conflictChangesTable")
        self.table.key_selected.connect(self._on_selected)
        self._why = QLabel()
        self._why.setObjectName("conflictChangesWhy")
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        self._why.setWordWrap(True)
        self._why.setContentsMargins(12, 5, 12, 6)
        set_role(self._why, "mutedCaption")
        self._why.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._sentence)
        column.addWidget(self.table, 1)
        column.addWidget(self._why)
        column.addStretch()
        self.table.hide()
        self.setFocusProxy(self.table)
        set_role(self._sentence, "secondary")

    def set_conflicts(self, lines: Sequence[ConflictLine], appear: int, vanish: int) -> None:
        """Show conflicts; `appear` and `vanish` count those that aren't listed, too."""
        if not appear and not vanish:
            said = _NOTHING
        else:
            said = f"{count_changes(appear, vanish)}. {_RULE}"
        self._sentence.setText(said)
        self.table.set_rows([_row(line) for line in lines])
        self.table.setVisible(bool(lines))
        self._show_why()

    def _show_why(self) -> None:
        """The current one in full: narrow tables have no column for the reason."""
        key = self.table.current_key
        row = next((row for row in self.table.rows if row.key == key), None)
        self._why.setText("" if row is None else row.tip)
        self._why.setVisible(row is not None)

    def _on_selected(self, key: str) -> None:
        self._show_why()
        self.memory_selected.emit(key.split("\n")[0])


def _row(line: ConflictLine) -> PlainRow:
    what = tr("+ appears") if line.appears else tr("\N{MINUS SIGN} vanishes")
    return PlainRow(
        f"{line.memory_id}\n{line.other_id}",
        (what, line.title, line.other_title, line.why),
        ("negative" if line.appears else "positive",),
        tip=tr(
            "{title} against {other_title}\n{why}",
            title=line.title,
            other_title=line.other_title,
            why=line.why,
        ),
    )


def count_changes(appear: int, vanish: int) -> str:
    """How many conflicts appear and vanish, what there is first; at least one does."""
    parts = [
        (appear, tr_n("appears", "appear", appear), tr("appears")),
        (vanish, tr_n("vanishes", "vanish", vanish), tr("vanishes")),
    ]
    parts.sort(key=lambda part: not part[0])
    (count, verb, _), (other, other_verb, one_verb) = parts
    noun = tr_n("conflict", "conflicts", count)
    rest = (
        f"{format_number(other, ',')} {other_verb}"
        if other
        else tr("none {one_verb}", one_verb=one_verb)
    )
    return f"{format_number(count, ',')} {noun} {verb}, {rest}"

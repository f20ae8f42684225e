"""Trials: overlays with a name, to come back to, to compare, and to apply later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.models.movers_table import (
    MOVER_LEAST,
    MOVER_NUMBERS,
    MOVER_TITLE_COLUMN,
    MOVER_TITLES,
    MOVER_WIDTHS,
    mover_rows,
)
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.models.movers_table import MoverLine

_NOTHING: Final = tr(
    "No trials yet. Move the trust of one source or of several, then give that a name above: it "
    "is kept with this vault, and nothing is written to it."
)
_ROWS_PX: Final = 132
_BUTTONS: Final = (
    ("load", tr("Load"), tr("Make a preview of this trial (Enter)")),
    ("apply", tr("Apply"), tr("Write this trial's values to the vault, as one step")),
    ("replace", tr("Update"), tr("Keep what is being tried now under this name")),
    ("rename", tr("Rename"), tr("Give this trial another name (F2)")),
    ("delete", tr("Delete"), tr("Forget this trial (Del); it can be brought back")),
)


@dataclass(frozen=True, slots=True)
class TrialLine:
    """One trial: `changes` names its sources with their trusts.

    `is_shown` says that it is what is being tried now.
    """

    trial_id: str
    name: str
    changes: str
    saved: str
    is_shown: bool


class TrialsPage(QWidget):
    """Shows TrialLines; the field names a new one, or one anew. Knows no session."""

    save_requested = Signal(str)  # name
    rename_requested = Signal(str, str)  # id, name
    asked = Signal(str, str)  # "load", "apply", "replace" or "delete"; id
    compare_requested = Signal(str, str)  # a trial's id; another's, "stored", "preview" or ""
    memory_selected = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._renaming: str | None = None
        self._names: dict[str, str] = {}
        self._can_save = self._can_write = False
        self._buttons: dict[str, QPushButton] = {}
        self._build()
        self._field.returnPressed.connect(self._on_named)
        self._field.textChanged.connect(self._on_typed)
        self._save.clicked.connect(self._on_named)
        self.table.key_selected.connect(self._on_selected)
        self.table.key_activated.connect(self._on_activated)
        self._other.value_chosen.connect(self._on_compare)
        self.movers.key_selected.connect(self.memory_selected)
        self._show_available()

    def _build(self) -> None:
        self._field = QLineEdit()
        self._field.setObjectName("trialName")
        self._field.setAccessibleName(tr("Name of the trial"))
        self._field.setMaxLength(80)
        set_role(self._field, "compact")
        self._save = QPushButton()
        self._save.setObjectName("saveTrial")
        set_role(self._save, "small")
        line = QHBoxLayout()
        line.setContentsMargins(12, 8, 12, 6)
        line.setSpacing(8)
        line.addWidget(self._field, 1)
        line.addWidget(self._save)
        self.table = KeyedTable(
            tr("Trials"),
            (tr("Trial"), tr("Trusts"), tr("Saved")),
            widths={0: 150, 2: 108},
            stretch=1,
            least={2: 480},
        )
        self.table.setObjectName("trialsTable")
        self._pages = QStackedWidget()
        self._pages.addWidget(EmptyState(_NOTHING, icon_name="copy"))
        self._pages.addWidget(self.table)
        self._other = Choice(tr("Compare with"))
        self._other.setObjectName("compareTrial")
        set_role(self._other, "compact")
        self._difference = QLabel()
        self._difference.setObjectName("trialDifference")
        self._difference.setTextFormat(Qt.TextFormat.PlainText)
        self._difference.setWordWrap(True)
        self._difference.setContentsMargins(12, 0, 12, 6)
        set_role(self._difference, "secondary")
        self.movers = KeyedTable(
            tr("Movers between two trials"),
            MOVER_TITLES,
            widths=MOVER_WIDTHS,
            stretch=MOVER_TITLE_COLUMN,
            numbers=MOVER_NUMBERS,
            least=MOVER_LEAST,
        )
        self.movers.setObjectName("trialMovers")
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(line)
        column.addWidget(self._pages, 1)
        column.addWidget(self._make_buttons())
        column.addWidget(self._make_comparing())
        column.addWidget(self._difference)
        column.addWidget(self.movers, 1)
        self.show_difference("", ())
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolling("trialsArea", content))
        self.setFocusProxy(self._field)
        self._restyle()

    def _restyle(self) -> None:
        """A low panel scrolls rather than hide the rows."""
        least = applied().px(_ROWS_PX)
        self._pages.setMinimumHeight(least)
        self.movers.setMinimumHeight(least)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _make_buttons(self) -> QWidget:
        for name, text, tip in _BUTTONS:
            button = self._buttons[name] = QPushButton(text)
            button.setObjectName(f"{name}Trial")
            button.setToolTip(tip)
            set_role(button, "small")
            button.clicked.connect(self._on_button)
        self._row = flowing(*self._buttons.values(), margins=(12, 6, 12, 8))
        return self._row

    def _make_comparing(self) -> QWidget:
        self._comparing = QWidget()
        line = QHBoxLayout(self._comparing)
        line.setContentsMargins(12, 0, 12, 6)
        line.setSpacing(8)
        label = QLabel(tr("Compare with"))
        label.setBuddy(self._other)
        set_role(label, "secondary")
        line.addWidget(label)
        line.addWidget(self._other)
        line.addStretch(1)
        return self._comparing

    # In

    def set_trials(self, lines: Sequence[TrialLine]) -> None:
        """Show other trials. Never emits."""
        self._names = {line.trial_id: line.name for line in lines}
        others = [
            ("", tr("nothing")),
            ("stored", tr("what is stored")),
            ("preview", tr("the preview")),
        ]
        self._other.set_choices(others + list(self._names.items()))
        self.table.set_rows([_row(line) for line in lines])
        self._pages.setCurrentIndex(1 if lines else 0)
        self._row.setVisible(bool(lines))
        self._comparing.setVisible(bool(lines))
        if self._renaming not in {line.trial_id for line in lines}:
            self._end_renaming()
        self._show_available()

    def set_available(self, *, preview: bool, writable: bool) -> None:
        """Whether something is being tried, and whether the vault can be written."""
        self._can_save, self._can_write = preview, writable
        self._show_available()

    def show_difference(self, sentence: str, lines: Sequence[MoverLine]) -> None:
        """Show the movers between two trials; "" shows nothing. Never emits."""
        self._difference.setText(sentence)
        self._difference.setVisible(bool(sentence))
        self.movers.set_rows(mover_rows(lines))
        self.movers.setVisible(bool(lines))

    def start_naming(self) -> None:
        """Put the keyboard where a name is typed for what is tried now."""
        self._end_renaming()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    # What happens.

    @property
    def chosen(self) -> str | None:
        """The id of the current trial."""
        return self.table.current_key

    @property
    def compared(self) -> tuple[str, str] | None:
        """The current trial's id and what it is compared with; None for nothing."""
        chosen, other = self.chosen, self._other.chosen
        return (chosen, other) if chosen is not None and other else None

    def _show_available(self) -> None:
        named = bool(self._field.text().strip())
        is_renaming = self._renaming is not None
        self._save.setText(tr("Rename") if is_renaming else tr("Save trial"))
        self._save.setEnabled(named and (is_renaming or self._can_save))
        hint = (
            tr("Name for what is being tried now")
            if self._can_save
            else tr("Nothing is being tried")
        )
        self._field.setPlaceholderText(tr("Another name") if is_renaming else hint)
        for name, button in self._buttons.items():
            needs = {"apply": self._can_write, "replace": self._can_save}.get(name, True)
            button.setEnabled(self.chosen is not None and needs)

    def _end_renaming(self) -> None:
        if self._renaming is not None:
            self._renaming = None
            self._field.clear()

    @Slot()
    def _on_named(self) -> None:
        name = self._field.text().strip()
        if not self._save.isEnabled():
            return
        renamed = self._renaming
        self._end_renaming()
        self._field.clear()
        if renamed is not None:
            self.rename_requested.emit(renamed, name)
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.save_requested.emit(name)
        self._show_available()

    @Slot(str)
    def _on_typed(self, _text: str) -> None:
        self._show_available()

    @Slot(str)
    def _on_selected(self, _key: str) -> None:
        self._end_renaming()
        self._show_available()
        self._on_compare()

    @Slot(str)
    def _on_compare(self, _other: str = "") -> None:
        one, other = self.compared or ("", "")
        self.compare_requested.emit(one, other)

    @Slot(str)
    def _on_activated(self, key: str) -> None:
        self.asked.emit("load", key)

    @Slot()
    def _on_button(self) -> None:
        name = next(name for name, one in self._buttons.items() if one is self.sender())
        self._do(name)

    def _do(self, name: str) -> None:
        chosen = self.chosen
        if chosen is None or not self._buttons[name].isEnabled():
            return
        if name != "rename":
            self.asked.emit(name, chosen)
            return
        self._renaming = chosen
        self._field.setText(self._names.get(chosen, ""))
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._field.selectAll()
        self._show_available()

    def event(self, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and self._renaming is not None
        ):
            event.accept()  # renaming ends before a preview is discarded
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {Qt.Key.Key_Delete: "delete", Qt.Key.Key_F2: "rename"}
        name = keys.get(Qt.Key(event.key()))
        if name is not None and self.table.hasFocus():
            self._do(name)
        elif event.key() == Qt.Key.Key_Escape and self._renaming is not None:
            self._end_renaming()
            self._show_available()
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)


def _row(line: TrialLine) -> PlainRow:
    tip = tr("This is what is being tried now.") if line.is_shown else ""
    tones = ("accent" if line.is_shown else "", "text_secondary", "text_muted")
    name = f"\N{BULLET} {line.name}" if line.is_shown else line.name
    return PlainRow(line.trial_id, (name, line.changes, line.saved), tones, tip)

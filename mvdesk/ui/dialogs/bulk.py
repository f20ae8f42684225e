"""A change of many memories: what they get, and what that does, before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, QStringListModel, Qt, Signal, Slot
from PySide6.QtWidgets import QCompleter, QFormLayout, QLineEdit, QWidget

from mvdesk.records import MEMORY_TYPES, RELATION_WORDS, RELATIONS, TYPE_WORDS
from mvdesk.ui.bulk import BulkChoice
from mvdesk.ui.dialogs.frame import TableDialog, add_key, push_button
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.number_field import NumberField
from mvdesk.vault.operations.bulk import BulkEdit
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIZE: Final = QSize(680, 520)
_TITLES: Final = {
    "tags": tr("Tags of {}"),
    "type": tr("Type of {}"),
    "source": tr("Source of {}"),
    "bases": tr("Base values of {}"),
    "archive": tr("Archive {}"),
    "restore": tr("Bring {} back from the archive"),
    "delete": tr("Delete {}"),
    "link": tr("Link {} to one"),
}
_BUTTONS: Final = {
    "archive": tr("&Archive"),
    "restore": tr("&Bring back"),
    "delete": tr("&Delete"),
    "link": tr("&Link"),
}
_MISSING: Final = {
    "tags": tr("Write tags to put on or to take off."),
    "bases": tr("Tick what they get."),
    "link": tr("Find the memory that they are linked to."),
}
_BASES: Final = (("confidence", tr("Base &confidence")), ("importance", tr("Base &importance")))


class BulkDialog(TableDialog):
    """Asks for one kind of change. Whoever listens previews each choice and writes it."""

    edited = Signal(object)  # BulkChoice; None while something is missing
    apply_requested = Signal()

    def __init__(
        self,
        kind: str,
        named: str,
        parent: QWidget,
        *,
        sources: Sequence[str] = (),
        target: QWidget | None = None,
        note: str = "",
    ) -> None:
        """`named` says what is changed, such as "12 memories"; `note` what is worth knowing.

        `sources` are offered for a source; `target` picks the other end of links.
        """
        super().__init__("bulkDialog", _TITLES[kind].format(named), _SIZE, parent)
        self._kind, self._target_id = kind, ""
        self.add_sentence("bulkTitle", self.windowTitle(), "section")
        if note:
            self.add_sentence("bulkNote", note, "secondary")
        self._form = QFormLayout()
        self._first: QWidget | None = None
        self._add_fields(sources, target)
        self.column.addLayout(self._form)
        self._counts = self.add_sentence("bulkCounts")
        self._effect = self.add_sentence("bulkEffect", "", "secondary")
        columns = (tr("Scores that move most"), tr("Confidence"), tr("Importance"))
        self._table, self._model = self.add_table(
            "bulkMovers", columns[0], columns, {1: 140, 2: 140}, 0, (1, 2)
        )
        self.column.addStretch()  # for when nothing moves
        cancel = push_button("bulkCancel", tr("Cancel"), tr("Close this; nothing is written"))
        cancel.clicked.connect(self.reject)
        self._apply = push_button(
            "bulkApply",
            _BUTTONS.get(kind, tr("&Apply")),
            tr("Write all of this as one step (Ctrl+Enter)"),
            "primary",
        )
        add_key(self._apply, "Ctrl+Return")
        self._apply.setEnabled(False)
        self._apply.clicked.connect(self._on_apply)
        self.add_buttons(None, cancel, self._apply)
        (self._first or cancel).setFocus()

    def ask(self) -> None:
        """Say the choice as it is at first."""
        self._on_edited()

    def set_target(self, memory_id: str) -> None:
        """The memory that all are linked to; "" for none yet."""
        self._target_id = memory_id
        self._on_edited()

    def set_busy(self) -> None:
        """A new choice is being looked at; the last one can't be written any more."""
        self._apply.setEnabled(False)
        self._counts.setText(tr("Looking at what would change…"))
        set_role(self._counts, "")

    def set_preview(
        self, counts: str, effect: str, rows: Sequence[Sequence[str]], *, is_possible: bool
    ) -> None:
        """Show what the choice would do."""
        self._counts.setText(counts)
        set_role(self._counts, "strong")
        self._effect.setText(effect)
        self._effect.setVisible(bool(effect))
        self._model.set_rows(rows)
        self._table.setVisible(bool(rows))
        self._apply.setEnabled(is_possible)

    def set_problem(self, sentence: str) -> None:
        """Why the choice can't be."""
        self.set_preview(sentence, "", (), is_possible=False)
        set_role(self._counts, "error")

    # The fields.

    def _add_fields(self, sources: Sequence[str], target: QWidget | None) -> None:
        if self._kind == "tags":
            self._add = self._add_line(
                "bulkAdd", tr("&Add"), tr("Tags to put on, with commas between")
            )
            self._remove = self._add_line("bulkRemove", tr("&Remove"), tr("Tags to take off"))
        elif self._kind == "type":
            self._type = self._add_choice("bulkType", tr("&Type"), MEMORY_TYPES)
        elif self._kind == "source":
            self._source = self._add_line(
                "bulkSource", tr("&Source"), tr("Empty takes the source away")
            )
            completer = QCompleter(QStringListModel(list(sources)), self._source)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            self._source.setCompleter(completer)
        elif self._kind == "bases":
            self._bases = [self._add_base(name, title) for name, title in _BASES]
        elif self._kind == "link":
            self._relation = self._add_choice("bulkRelation", tr("&Relation"), RELATIONS)
            if target is not None:
                self._form.addRow(tr("&To"), target)
                self._first = target

    def _add_line(self, name: str, title: str, hint: str) -> QLineEdit:
        line = QLineEdit()
        line.setObjectName(name)
        line.setPlaceholderText(hint)
        line.setAccessibleName(title.replace("&", ""))
        line.textChanged.connect(self._on_edited)
        line.returnPressed.connect(self._on_apply)
        self._form.addRow(title, line)
        self._first = self._first or line
        return line

    def _add_choice(self, name: str, title: str, values: Sequence[str]) -> Choice:
        choice = Choice(title.replace("&", ""))
        choice.setObjectName(name)
        choice.set_choices([(value, _word(value)) for value in values])
        choice.value_chosen.connect(self._on_edited)
        self._form.addRow(title, choice)
        self._first = self._first or choice
        return choice

    def _add_base(self, name: str, title: str) -> tuple[str, CheckBox, NumberField]:
        box, field = CheckBox(title), NumberField(title.replace("&", ""))
        box.setObjectName(f"bulkHas{name.capitalize()}")
        field.setObjectName(f"bulk{name.capitalize()}")
        field.set_value(0.7 if name == "confidence" else 0.5)
        field.setEnabled(False)
        box.toggled.connect(field.setEnabled)
        box.toggled.connect(self._on_edited)
        field.value_edited.connect(self._on_edited)
        self._form.addRow(box, field)
        self._first = self._first or box
        return name, box, field

    def _choice(self) -> BulkChoice | None:
        kind = self._kind
        if kind == "tags":
            add, remove = _split(self._add.text()), _split(self._remove.text())
            return BulkChoice(kind, BulkEdit({}, add, remove)) if add or remove else None
        if kind == "type":
            return BulkChoice(kind, BulkEdit({"type": self._type.chosen}))
        if kind == "source":
            return BulkChoice(kind, BulkEdit({"source": self._source.text().strip() or None}))
        if kind == "bases":
            wanted = {name: field.value() for name, box, field in self._bases if box.isChecked()}
            return BulkChoice(kind, BulkEdit(wanted)) if wanted else None
        if kind == "link":
            target, relation = self._target_id, self._relation.chosen
            return BulkChoice(kind, target_id=target, relation=relation) if target else None
        return BulkChoice(kind)

    @Slot()
    def _on_edited(self, _value: object = None) -> None:
        choice = self._choice()
        if choice is None:
            self.set_preview(_MISSING.get(self._kind, ""), "", (), is_possible=False)
            set_role(self._counts, "secondary")
        self.edited.emit(choice)

    @Slot()
    def _on_apply(self, _checked: bool = False) -> None:
        if self._apply.isEnabled():
            self.apply_requested.emit()
            self.accept()


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _word(value: str) -> str:
    """A type or relation as people read it."""
    said = TYPE_WORDS.get(value) or RELATION_WORDS.get(value, value)
    return said.replace("_", " ").capitalize()

"""One pair in conflict: both sides, and every choice with what it does before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from mvdesk.ui.conflict_lines import choice_rows, describe_choice
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.choice_row import ChoiceRow, Decision
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.leaving_line import LeavingLine
from mvdesk.ui.widgets.pair_view import PairView
from mvdesk.vault.operations.conflicts import MAX_NOTE_LENGTH
from mvdesk.vault.questions.conflict_choices import still_contradicts
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.pair_content import PairContent
    from mvdesk.vault.questions.conflict_choices import Outcome

_TITLES: Final = (
    tr("Key"),
    tr("Choice"),
    tr("Conf. of A"),
    tr("Conf. of B"),
    tr("Imp. of A"),
    tr("Imp. of B"),
    tr("Links between the two"),
)
_ROWS: Final = 4
_FEWEST_ROWS: Final = 2
"""In a low window the others are a scroll away; their keys work all the same."""
_ROW_PX: Final = 26
_HEADER_PX: Final = 36


class ConflictDetail(QWidget):
    """Shows a PairContent. Nothing is chosen until the person chooses it."""

    choice_made = Signal(str)  # one of CHOICES
    open_requested = Signal(str)  # memory id
    leave_requested = Signal()  # from the note to the list

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: PairContent | None = None
        self._pair = PairView()
        self._pair.open_requested.connect(self.open_requested)
        self.choices = KeyedTable(
            tr("What to do about it, and what that does"),
            _TITLES,
            widths={0: 48, 1: 112, 2: 128, 3: 128, 4: 128, 5: 128},
            stretch=6,
            least={4: 880, 5: 880, 6: 560},
        )
        self.choices.setObjectName("conflictChoices")
        self.choices.setToolTip(tr("Each line says what it would do; Enter or its key does it"))
        self.choices.key_selected.connect(self._show_effect)
        self.choices.key_activated.connect(self.choice_made)
        self.row = ChoiceRow(tr("What to do about it"), _ROWS)
        """The choices as buttons, for whoever has no room for all of this."""
        self.row.setObjectName("conflictChoiceRow")
        self.row.chosen.connect(self.choice_made)
        self._retire = CheckBox(tr("Also &retire the old contradicts link"))
        self._retire.setObjectName("conflictRetire")
        self._retire.setToolTip(
            tr("Remove links between the two that go on saying they contradict")
        )
        self._retire.toggled.connect(self._show_choices)
        self._note = LeavingLine()
        self._note.setObjectName("conflictNote")
        self._note.setAccessibleName(tr("Note kept with the decision"))
        self._note.setPlaceholderText(
            tr(
                "Note kept with the decision (up to {max_note_length})",
                max_note_length=MAX_NOTE_LENGTH,
            )
        )
        self._note.setMaxLength(MAX_NOTE_LENGTH)
        set_role(self._note, "compact")
        self._note.leave_requested.connect(self.leave_requested)
        self._note.returnPressed.connect(self.choices.setFocus)
        self._effect = ElidedLabel(steady=True)
        self._effect.setObjectName("conflictEffect")
        set_role(self._effect, "caption")
        self._build()
        self._restyle()

    def _build(self) -> None:
        self._options = QHBoxLayout()
        self._options.addWidget(self._note, 1)
        self._options.addWidget(self._retire)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pair, 3)
        column.addLayout(self._options)
        column.addWidget(self.choices, 2)
        column.addWidget(self._effect)

    @property
    def note(self) -> str | None:
        """What was typed; None leaves the stored note as it is."""
        stored = "" if self._content is None else _note_of(self._content)
        return None if self._note.text() == stored else self._note.text()

    @property
    def retires(self) -> bool:
        """Whether old contradicting links go too."""
        return self._retire.isChecked()

    @property
    def content(self) -> PairContent | None:
        """The pair that is shown."""
        return self._content

    def set_content(self, content: PairContent | None) -> None:
        """Show a pair. Another pair starts without note and tick."""
        before, self._content = self._content, content
        if content is None:
            self.choices.set_rows([])
            self.row.set_choices(())
            return
        is_other = before is None or _ids(before) != _ids(content)
        if is_other or (before is not None and _note_of(before) != _note_of(content)):
            self._note.setText(_note_of(content))
        if is_other:
            self._retire.setChecked(False)
            self.choices.set_current(None)
        self._pair.set_sides(*content.sides)
        self._show_choices()

    def focus_note(self) -> None:
        """Put the caret into the note."""
        self._note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _outcomes(self) -> tuple[Outcome, ...]:
        content = self._content
        if content is None:
            return ()
        return content.retiring if self.retires else content.outcomes

    @Slot()
    def _show_choices(self, _what: object = None) -> None:
        content = self._content
        stored = None if content is None else content.state.stored
        is_decided = stored is not None and stored.status != "needs_review"
        contradicts = content is not None and still_contradicts(content.state)
        rows = choice_rows(self._outcomes(), decided=is_decided, contradicts=contradicts)
        self.choices.set_rows(rows)
        self.row.set_choices(
            [
                Decision(row.key, "  ".join(row.texts[:2]), describe_choice(outcome))
                for row, outcome in zip(rows, self._outcomes(), strict=True)
            ]
        )
        has_old = content is not None and any(
            link.relation_type == "contradicts" for link in content.state.links
        )
        self._retire.setEnabled(has_old)
        self._show_effect()

    @Slot()
    def _show_effect(self, _what: object = None) -> None:
        current = self.choices.current_key
        chosen = next((one for one in self._outcomes() if one.choice == current), None)
        said = tr("Nothing is chosen yet. Press 1, 2, 3 or 4; M merges the two, S skips the pair.")
        self._effect.setText(said if chosen is None else describe_choice(chosen))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_options"):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        side = look.px(12)
        self._options.setContentsMargins(side, look.px(4), look.px(8), look.px(6))
        self._options.setSpacing(side)
        self._effect.setContentsMargins(side, look.px(4), side, look.px(6))
        self.choices.setMaximumHeight(look.px(_ROWS * _ROW_PX + _HEADER_PX))
        self.choices.setMinimumHeight(look.px(_FEWEST_ROWS * _ROW_PX + _HEADER_PX))


def _ids(content: PairContent) -> tuple[str, str]:
    return content.question.a_id, content.question.b_id


def _note_of(content: PairContent) -> str:
    stored = content.state.stored
    return (stored.note or "") if stored is not None else ""

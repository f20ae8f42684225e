"""What would raise or lower a score: the question, cards that answer it, and the next drops."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.scoring.lever_list import LEVER_WORDS
from mvdesk.scoring.levers import LEVER_KINDS
from mvdesk.ui.evidence_details import format_date
from mvdesk.ui.reasons import Question
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.chip import Chip
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.flow_layout import FlowLayout
from mvdesk.ui.widgets.lever_card import CardTexts, LeverCard
from mvdesk.ui.widgets.number_field import NumberField
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.scoring.drops import Drop
    from mvdesk.scoring.inverse import Direction
    from mvdesk.scoring.levers import Lever, WhatIf
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.reasons import Peers

_MEDIAN, _CUSTOM = "median", "custom"
_TARGETS: Final = (
    ("0.5", format_number(0.5, ".2f")),
    ("0.7", format_number(0.7, ".2f")),
    (_MEDIAN, tr("median of its type")),
    (_CUSTOM, tr("other…")),
)
_PINNED: Final = tr(
    "This memory is pinned for comparison, so these changes are only what would be. "
    "Unpin it (P) to try one."
)
_NOTHING: Final = tr("No change would move it by 0.005 or more.")


class WhatIfSection(QWidget):
    """Shows a WhatIf and the drops ahead. Knows no session."""

    question_changed = Signal(object)  # Question, put by the person
    try_requested = Signal(object)  # Lever
    go_requested = Signal(object)  # Lever

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whatIf")
        self._question = Question()
        self._levers: tuple[Lever, ...] = ()
        self._cards: list[LeverCard] = []
        self._is_hypothetical = False
        self._build()
        self.set_answer(None, None)
        self.set_drops(())

    def _build(self) -> None:
        self._title = QLabel()
        self._title.setObjectName("whatIfTitle")
        set_role(self._title, "strong")
        self._direction = _choice(tr("Raise or lower"), "whatIfDirection")
        self._direction.set_choices([("raise", tr("Raise")), ("lower", tr("Lower"))])
        self._kind = _choice(tr("Score to change"), "whatIfScore")
        self._kind.set_choices(list(KIND_WORDS.items()))
        self._target = _choice(tr("Target"), "whatIfTarget")
        self._target.set_choices(_TARGETS)
        self._target.set_value("0.7")
        self._custom = NumberField(tr("Other target"))
        self._custom.setObjectName("whatIfCustom")
        self._custom.set_value(0.8)
        self._custom.hide()
        self._custom.value_edited.connect(self._on_custom_edited)
        for choice in (self._direction, self._kind, self._target):
            choice.value_chosen.connect(self._on_chosen)
        line = QWidget()
        asked = FlowLayout(line, gap=6)
        to = QLabel(tr("to"))
        to.setMinimumHeight(applied().px(28))
        for part in (self._direction, self._kind, to, self._target, self._custom):
            asked.addWidget(part)
        _flows(line)
        self._pinned = _wrapped("whatIfPinned", "mutedCaption")
        self._pinned.setText(_PINNED)
        self._pinned.hide()
        self._headline = _wrapped("whatIfHeadline", "secondary")
        self._list = QVBoxLayout()
        self._list.setSpacing(8)
        self._empty = _wrapped("whatIfEmpty", "muted")
        self._notes = _wrapped("whatIfNotes", "mutedCaption")
        self._drops_title = QLabel(tr("Next drops"))
        set_role(self._drops_title, "strong")
        self._drops = _wrapped("nextDrops", "secondary")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(line)
        column.addWidget(self._make_chips())
        column.addWidget(self._pinned)
        column.addWidget(self._headline)
        column.addLayout(self._list)
        column.addWidget(self._empty)
        column.addWidget(self._notes)
        column.addSpacing(8)
        column.addWidget(self._drops_title)
        column.addWidget(self._drops)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def _make_chips(self) -> QWidget:
        row = QWidget()
        flow = FlowLayout(row, gap=6)
        self._chips = {}
        for kind in LEVER_KINDS:
            chip = self._chips[kind] = Chip(LEVER_WORDS[kind].capitalize())
            chip.setObjectName(f"{kind}Levers")
            chip.setAccessibleName(tr("Suggest changes of kind {kind}", kind=LEVER_WORDS[kind]))
            chip.setToolTip(
                tr("Suggest changes of the kind {kind}, or leave them out", kind=LEVER_WORDS[kind])
            )
            chip.setChecked(True)
            chip.toggled.connect(self._on_chip_toggled)
            flow.addWidget(chip)
        _flows(row)
        return row

    # In

    def set_answer(self, answer: WhatIf | None, peers: Peers | None) -> None:
        """Show an answer; None while it is being found out. Never emits."""
        rising = self._question.direction == "raise"
        self._title.setText(tr("What would {what} it", what=tr("raise") if rising else tr("lower")))
        if peers is not None:
            place = self._target.findData(_MEDIAN)
            self._target.setItemText(
                place, tr("median of its type, {median:.2f}", median=peers.median)
            )
        if answer is None:
            return  # what is shown stays until it is replaced, or cleared
        self._headline.setText(answer.headline())
        self._levers = answer.levers
        while len(self._cards) < len(answer.levers):
            self._add_card()
        self._fill_cards(answer)
        for number, card in enumerate(self._cards):
            card.setVisible(number < len(answer.levers))
        self._empty.setText(_NOTHING)
        self._empty.setVisible(not answer.levers and not answer.is_met)
        extra = [] if answer.is_met else _alone(answer)
        self._notes.setText("\n".join((*extra, *answer.notes)))
        self._notes.setVisible(bool(self._notes.text()))

    def set_hypothetical(self, is_hypothetical: bool) -> None:
        """Say what would be, with nothing to try: for a memory that is pinned. Never emits."""
        if is_hypothetical != self._is_hypothetical:
            self._is_hypothetical = is_hypothetical
            self._pinned.setVisible(is_hypothetical)
            for card in self._cards:
                card.set_read_only(is_hypothetical)

    def clear(self) -> None:
        """Another memory is looked at: nothing of the old one's answer may stay."""
        self._levers = ()
        for card in self._cards:
            card.hide()
        self._headline.setText("")
        self._empty.hide()
        self._notes.hide()
        self.set_drops(())

    def set_drops(self, drops: Sequence[Drop]) -> None:
        """Show the steps ahead."""
        lines = [f"{format_date(drop.at)}, {drop.text()}" for drop in drops]
        self._drops.setText("\n".join(lines) or tr("No drops ahead."))

    def focus_first(self) -> None:
        """Put the keyboard at the first card, or at the question where there is none."""
        buttons = [
            button
            for card in self._cards
            for button in (card.try_button, card.go_button)
            if not card.isHidden() and not button.isHidden()
        ]
        target: QWidget = buttons[0] if buttons else self._direction
        target.setFocus(Qt.FocusReason.TabFocusReason)

    # Out

    @property
    def question(self) -> Question:
        return self._question

    def texts(self) -> list[str]:
        """Everything that is said, as plain lines."""
        cards = [card.accessibleDescription() for card in self._cards[: len(self._levers)]]
        pinned = self._pinned.text() if self._is_hypothetical else ""
        parts = (self._title.text(), pinned, self._headline.text(), *cards, self._notes.text())
        drops = f"{self._drops_title.text()}: {self._drops.text()}"
        return [text for text in (*parts, drops) if text]

    # What happens.

    def _fill_cards(self, answer: WhatIf) -> None:
        for card, lever in zip(self._cards, answer.levers, strict=False):
            card.set_texts(card_texts(lever, answer))

    def _add_card(self) -> None:
        card = LeverCard()
        card.set_read_only(self._is_hypothetical)
        card.try_requested.connect(self._on_try)
        card.go_requested.connect(self._on_go)
        self._cards.append(card)
        self._list.addWidget(card)

    def _put(self, **changes: object) -> None:
        question = replace(self._question, **changes)  # type: ignore[arg-type]
        if question != self._question:
            self._question = question
            self.set_answer(None, None)
            self.question_changed.emit(question)

    @Slot(str)
    def _on_chosen(self, _value: str) -> None:
        target = self._target.chosen
        had_custom = not self._custom.isHidden()
        self._custom.setVisible(target == _CUSTOM)
        if target == _CUSTOM and not had_custom:
            self._custom.setFocus(Qt.FocusReason.OtherFocusReason)
            self._custom.selectAll()
        wanted = {_MEDIAN: None, _CUSTOM: self._custom.value()}
        self._put(
            kind=cast("ScoreKind", self._kind.chosen),
            direction=cast("Direction", self._direction.chosen),
            target=wanted[target] if target in wanted else float(target),
        )

    @Slot(float)
    def _on_custom_edited(self, value: float) -> None:
        self._put(target=value)

    @Slot(bool)
    def _on_chip_toggled(self, _on: bool) -> None:
        off = frozenset(kind for kind, chip in self._chips.items() if not chip.isChecked())
        self._put(without=off)

    @Slot()
    def _on_try(self) -> None:
        if (lever := self._lever_of(self.sender())) is not None:
            self.try_requested.emit(lever)

    @Slot()
    def _on_go(self) -> None:
        if (lever := self._lever_of(self.sender())) is not None:
            self.go_requested.emit(lever)

    def _lever_of(self, card: object) -> Lever | None:
        shown = zip(self._cards, self._levers, strict=False)
        return next((lever for one, lever in shown if one is card), None)


def card_texts(lever: Lever, answer: WhatIf) -> CardTexts:
    """What the card of a lever says."""
    is_pair = len(lever.families) > 1
    kind = tr("Two changes") if is_pair else LEVER_WORDS[lever.kind].capitalize()
    tries = lever.change.trust is not None
    return CardTexts(
        kind=kind,
        text=lever.text[:1].upper() + lever.text[1:],
        scores=_scores_line(lever),
        remarks=tuple(f"{text[:1].upper()}{text[1:]}" for text in lever.remarks()),
        reach=tr("reaches {target:.2f}", target=answer.target)
        if lever.reaches and not answer.is_met
        else "",
        can_try=tries,
        can_go=any(family != "trust" for family in lever.families),
    )


def _scores_line(lever: Lever) -> str:
    """Both scores; a line may end between them, but not within one."""
    one, other = (part.replace(" ", "\N{NO-BREAK SPACE}") for part in lever.scores_texts())
    return f"{one},  {other}"


def _alone(answer: WhatIf) -> list[str]:
    """What trust or the base would have to be for the target, each by itself."""
    found = [one for one in (answer.trust, answer.base) if one is not None]
    names = {"trust": tr("Trust alone"), "base": tr("Base alone")}
    return [f"{names[one.name]}: {one.text()}." for one in found]


def _choice(name: str, object_name: str) -> Choice:
    choice = Choice(name)
    choice.setObjectName(object_name)
    set_role(choice, "compact")
    return choice


def _wrapped(name: str, role: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    set_role(label, role)
    return label


def _flows(widget: QWidget) -> None:
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    widget.setSizePolicy(policy)

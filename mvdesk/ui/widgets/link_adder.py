"""The line that links a memory to another one, or changes a link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mvdesk.records import RELATIONS
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.leaving_line import LeavingLine
from mvdesk.ui.widgets.relation_mark import relation_phrase
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

    from mvdesk.ui.widgets.link_strip import LinkItem

RELATION_KEYS: Final = {
    Qt.Key.Key_R: "related",
    Qt.Key.Key_S: "supports",
    Qt.Key.Key_C: "contradicts",
    Qt.Key.Key_U: "supersedes",
    Qt.Key.Key_A: "causes",
    Qt.Key.Key_E: "example_of",
}
"""Letters that choose a relation where no text is typed."""

_KEYS_SAID: Final = tr(
    "Enter links as chosen above. In the list a letter links at once: R related, S supports, "
    "C contradicts, U supersedes, A causes, E example of."
)
_NOT_FOUND: Final = tr("No memory has these words in its title.")
_ID_ROLE: Final = Qt.ItemDataRole.UserRole
_INCOMING: Final = "<"
_BOTH_WAYS: Final = ("related", "contradicts")
_LONGEST_LABEL: Final = 200


@dataclass(frozen=True, slots=True)
class LinkWish:
    """A link that is asked for. `outgoing`: it leads to the other memory, `memory_id`.

    `change_id` is the link to change instead of making one, "" for none.
    """

    memory_id: str
    relation: str
    outgoing: bool = True
    label: str | None = None
    change_id: str = ""


class LinkAdder(QWidget):
    """Relation, search field, what was found. Enter links, Escape leaves."""

    link_requested = Signal(object)  # LinkWish
    search_changed = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._links: tuple[LinkItem, ...] = ()
        self._changed: LinkItem | None = None  # the link that is being changed
        self._build_fields()
        how, which = QHBoxLayout(), QHBoxLayout()
        how.addWidget(QLabel(tr("This memory")))
        how.addWidget(self._relation)
        how.addWidget(self._other, 1)
        how.addStretch(1)
        how.addWidget(self._leave)
        which.addWidget(self._search, 3)
        which.addWidget(self._label, 2)
        which.addWidget(self._link)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(how)
        column.addLayout(which)
        for part in (self._found, self._which, self._said):
            column.addWidget(part)
        self.set_found(())

    def _build_fields(self) -> None:
        self._relation = Choice(tr("Relation of the link"))
        self._relation.setObjectName("linkRelation")
        self._other = ElidedLabel()
        self._other.setObjectName("linkOther")
        set_role(self._other, "strong")
        self._leave = IconButton("close", tr("Don't add a link (Esc)"))
        self._leave.clicked.connect(self.left)
        self._search = _MemorySearch()
        self._search.setObjectName("linkSearch")
        self._search.textChanged.connect(self._on_typed)
        self._search.down_pressed.connect(self._on_down)
        self._search.leave_requested.connect(self.left)
        self._search.returnPressed.connect(self._on_return)
        self._label = LeavingLine()
        self._label.leave_requested.connect(self.left)
        self._label.setObjectName("linkLabel")
        self._label.setAccessibleName(tr("Label of the link"))
        self._label.setPlaceholderText(tr("Label (optional)"))
        self._label.setToolTip(tr("A few words that are kept with the link"))
        self._label.setMaxLength(_LONGEST_LABEL)
        self._label.returnPressed.connect(self._on_return)
        self._link = QPushButton(tr("Link"))
        self._link.setObjectName("linkAdd")
        self._link.clicked.connect(self._on_return)
        self._found = _FoundList()
        self._found.itemActivated.connect(self._on_item_activated)
        self._found.itemClicked.connect(self._on_item_activated)
        self._found.currentItemChanged.connect(self._on_current_changed)
        self._found.relation_pressed.connect(self._on_relation_pressed)
        self._found.left_upwards.connect(self._search.setFocus)
        self._which = Choice(tr("Which link to change"))
        self._which.setObjectName("linkWhich")
        self._said = QLabel()
        self._said.setObjectName("linkSaid")
        self._said.setWordWrap(True)
        set_role(self._said, "mutedCaption")

    def set_links(self, links: Sequence[LinkItem]) -> None:
        """The links there are already: a linked pair's link is changed, not doubled."""
        self._links = tuple(links)
        self._show_existing()

    def start(self, relation: str = "") -> None:
        """Ask for a new link, of this relation unless another one is chosen."""
        self._show_mode(None)
        if relation:
            self._relation.set_value(relation)
        self.show()
        self._search.setFocus(Qt.FocusReason.OtherFocusReason)
        self._search.selectAll()

    def start_with(self, memory_id: str, title: str) -> None:
        """Ask for the relation to one memory."""
        self.set_found([(memory_id, title)])
        self._found.setFocus(Qt.FocusReason.OtherFocusReason)

    def start_changing(self, item: LinkItem) -> None:
        """Ask for another relation and label of a link."""
        self._show_mode(item)
        self._relation.set_value(item.relation)
        self._label.setText(item.label or "")
        self.show()
        self._relation.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_found(self, memories: Sequence[tuple[str, str]]) -> None:
        """Offer memories, by id and title."""
        self._found.clear()
        for memory_id, title in memories:
            item = QListWidgetItem(title)
            item.setData(_ID_ROLE, memory_id)
            item.setToolTip(f"{title}\n{memory_id}")
            self._found.addItem(item)
        if memories:
            self._found.setCurrentRow(0)
            rows = self._found.sizeHintForRow(0) * len(memories)
            self._found.setFixedHeight(rows + applied().px(10))
        self._found.setVisible(bool(memories))
        self._link.setEnabled(bool(memories) or self._changed is not None)
        self._show_existing()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _show_mode(self, changed: LinkItem | None) -> None:
        self._changed = changed
        outgoing = changed is None or changed.outgoing
        choices: list[tuple[str, str]] = [
            (name, relation_phrase(name, outgoing=outgoing)) for name in RELATIONS
        ]
        if changed is None:
            choices += [
                (f"{_INCOMING}{name}", relation_phrase(name, outgoing=False))
                for name in RELATIONS
                if name not in _BOTH_WAYS
            ]
        self._relation.set_choices(choices)
        self._other.setText("" if changed is None else changed.title)
        self._other.setVisible(changed is not None)
        self._search.setVisible(changed is None)
        self._link.setText(tr("Link") if changed is None else tr("Change"))
        self._leave.set_text(
            tr("Don't add a link (Esc)") if changed is None else tr("Leave the link as it is (Esc)")
        )
        self._label.clear()
        self._search.clear()
        self.set_found(())

    def _show_existing(self) -> None:
        """Say what links the current memory with the chosen one already."""
        item: QListWidgetItem | None = self._found.currentItem()
        there = [] if item is None else self._links_to(str(item.data(_ID_ROLE)))
        self._which.set_choices(
            [(one.link_id, tr("Change “{sentence}”", sentence=one.sentence)) for one in there]
        )
        self._which.setVisible(len(there) > 1)
        looked = bool(self._search.text().strip())
        if there:
            said = tr("Linked already: {names}. ", names="; ".join(one.sentence for one in there))
            said += tr("Linking again changes ") + (tr_n("it.", "the one above.", len(there)))
            said += tr(" Its direction stays.")
        elif item is not None:
            said = _KEYS_SAID
        else:
            said = _NOT_FOUND if looked and self._changed is None else ""
        self._said.setText(said)
        self._said.setVisible(bool(said))

    def _links_to(self, memory_id: str) -> list[LinkItem]:
        return [one for one in self._links if one.memory_id == memory_id]

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        self._link.setEnabled(False)  # what is offered is for an older text
        self.search_changed.emit(text)

    @Slot()
    def _on_down(self) -> None:
        if not self._found.isHidden():
            self._found.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_return(self) -> None:
        item = self._found.currentItem()
        if not self._link.isEnabled():
            return
        if self._changed is not None:
            self._ask(self._changed.memory_id, self._relation.chosen, self._changed.link_id)
        elif item is not None:
            self._on_item_activated(item)

    @Slot(QListWidgetItem)
    def _on_item_activated(self, item: QListWidgetItem) -> None:
        self._ask(str(item.data(_ID_ROLE)), self._relation.chosen, self._which.chosen)

    @Slot(QListWidgetItem, QListWidgetItem)
    def _on_current_changed(self, _now: QListWidgetItem, _before: QListWidgetItem) -> None:
        self._show_existing()

    @Slot(str)
    def _on_relation_pressed(self, relation: str) -> None:
        item = self._found.currentItem()
        if item is not None:
            self._ask(str(item.data(_ID_ROLE)), relation, self._which.chosen)

    def _ask(self, memory_id: str, chosen: str, change_id: str) -> None:
        wish = LinkWish(
            memory_id,
            chosen.removeprefix(_INCOMING),
            outgoing=not chosen.startswith(_INCOMING),
            label=self._label.text().strip() or None,
            change_id=change_id,
        )
        self._search.clear()
        self._label.clear()
        self.link_requested.emit(wish)


class _MemorySearch(SearchField):
    """The search field, with Down going to what was found."""

    down_pressed = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Title or id of the other memory"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
        else:
            super().keyPressEvent(event)


class _FoundList(QListWidget):
    """What was found; letters are relations here."""

    relation_pressed = Signal(str)
    left_upwards = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("linkFound")
        self.setAccessibleName(tr("Memories found"))
        set_role(self, "choices")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        relation = RELATION_KEYS.get(Qt.Key(event.key())) if plain else None
        if relation is not None:
            self.relation_pressed.emit(relation)
        elif event.key() == Qt.Key.Key_Up and self.currentRow() == 0:
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)

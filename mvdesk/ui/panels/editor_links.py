"""The links of the memory in the editor: a strip, and a line to add one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from mvdesk.records import RELATIONS
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.layouts import settle_layouts
from mvdesk.ui.widgets.link_strip import LinkStrip
from mvdesk.ui.widgets.relation_mark import relation_phrase
from mvdesk.ui.widgets.search_field import SearchField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from mvdesk.ui.widgets.link_strip import LinkItem

_ID_ROLE: Final = Qt.ItemDataRole.UserRole


class EditorLinks(QWidget):
    """Shows links and asks for changes of them. Knows no vault."""

    memory_chosen = Signal(str)  # id, to go there
    remove_requested = Signal(str)  # id of the link
    link_requested = Signal(str, str)  # id of the other memory, relation
    search_changed = Signal(str)  # what was typed to find the other memory
    grown = Signal()  # the line to add a link needs more room

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strip = LinkStrip()
        self._strip.setObjectName("editorLinks")
        self._strip.link_activated.connect(self.memory_chosen)
        self._strip.remove_requested.connect(self.remove_requested)
        self._area = _StripArea(self._strip)
        self._adder = _LinkAdder()
        self._adder.link_requested.connect(self._on_link_requested)
        self._adder.search_changed.connect(self.search_changed)
        self._adder.left.connect(self.stop_adding)
        self._adder.hide()
        self._caption = QLabel("Links")
        set_role(self._caption, "caption")
        # Not the strip's own button: that one scrolls out of sight behind many links.
        self._add = QPushButton("Add link")
        self._add.setObjectName("linkStart")
        self._add.setToolTip("Link this memory to another one (Ctrl+L)")
        set_role(self._add, "quiet")
        self._add.clicked.connect(self.start_adding)
        self._read_only = False
        self._strip.add_button.hide()
        top = QHBoxLayout()
        top.addWidget(self._caption, 1)
        top.addWidget(self._add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self._area)
        column.addWidget(self._adder)

    def set_links(self, links: Sequence[LinkItem]) -> None:
        """Show the links of a memory."""
        self._strip.set_links(links)
        self._caption.setText(f"Links ({len(links):,})" if links else "No links yet")
        self._area.setVisible(bool(links))
        self._area.fit()

    def settle(self) -> None:
        """Lay out now what was set."""
        settle_layouts(self._area, *self._strip.chips)

    def set_read_only(self, read_only: bool) -> None:
        """Hide what changes links."""
        self._read_only = read_only
        self._strip.set_read_only(read_only)
        self._strip.add_button.hide()
        if read_only:
            self.stop_adding()
        self._add.setVisible(not read_only and self._adder.isHidden())
        self._area.fit()

    def set_found(self, memories: Sequence[tuple[str, str]]) -> None:
        """Offer memories, by id and title, for what was typed last."""
        self._adder.set_found(memories)
        self.grown.emit()

    def texts(self) -> list[str]:
        """The links in words."""
        return self._strip.texts()

    def focus_links(self) -> None:
        """Put the keyboard at the first link, or at the button to add one."""
        if not self._strip.focus_first():
            self._add.setFocus(Qt.FocusReason.TabFocusReason)

    @Slot()
    def start_adding(self) -> None:
        """Open the line to add a link, with the caret in its search field."""
        if not self._read_only:
            self._add.hide()
            self._adder.start()
            self.grown.emit()

    @Slot()
    def stop_adding(self) -> None:
        """Close that line; the focus goes to the button that opened it if it was there."""
        if self._adder.isHidden():
            return
        had_focus = self._adder.isAncestorOf(self._adder.window().focusWidget() or self)
        self._add.setVisible(not self._read_only)
        if had_focus:
            self._add.setFocus(Qt.FocusReason.OtherFocusReason)
        self._adder.hide()

    @Slot(str, str)
    def _on_link_requested(self, memory_id: str, relation: str) -> None:
        self.stop_adding()
        self.link_requested.emit(memory_id, relation)


class _StripArea(QScrollArea):
    """As high as its strip: what is around it scrolls, so that one thing does."""

    def __init__(self, strip: LinkStrip) -> None:
        super().__init__()
        self._strip = strip
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(strip)
        self.viewport().setAutoFillBackground(False)
        strip.setAutoFillBackground(False)
        self.fit()

    def fit(self) -> None:
        wanted = self._strip.heightForWidth(max(self.width(), 1))
        self.setFixedHeight(max(wanted, applied().px(30)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.fit()


class _LinkAdder(QWidget):
    """Relation, search field, what was found. Enter links, Escape leaves."""

    link_requested = Signal(str, str)
    search_changed = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._relation = Choice("Relation of the new link")
        self._relation.setObjectName("linkRelation")
        self._relation.set_choices(
            [(name, relation_phrase(name, outgoing=True)) for name in RELATIONS]
        )
        self._search = _MemorySearch()
        self._search.setObjectName("linkSearch")
        self._search.textChanged.connect(self._on_typed)
        self._search.down_pressed.connect(self._on_down)
        self._search.leave_requested.connect(self.left)
        self._search.returnPressed.connect(self._on_return)
        self._link = QPushButton("Link")
        self._link.setObjectName("linkAdd")
        self._link.clicked.connect(self._on_return)
        self._leave = IconButton("close", "Don't add a link (Esc)")
        self._leave.clicked.connect(self.left)
        self._found = QListWidget()
        self._found.setObjectName("linkFound")
        self._found.setAccessibleName("Memories found")
        set_role(self._found, "choices")
        self._found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._found.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._found.itemActivated.connect(self._on_item_activated)
        self._found.itemClicked.connect(self._on_item_activated)
        self._said = QLabel()
        set_role(self._said, "mutedCaption")
        how, which = QHBoxLayout(), QHBoxLayout()
        how.addWidget(QLabel("This memory"))
        how.addWidget(self._relation)
        how.addStretch(1)
        how.addWidget(self._leave)
        which.addWidget(self._search, 1)
        which.addWidget(self._link)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(how)
        column.addLayout(which)
        column.addWidget(self._found)
        column.addWidget(self._said)
        self.set_found(())

    def start(self) -> None:
        self.show()
        self._search.setFocus(Qt.FocusReason.OtherFocusReason)
        self._search.selectAll()

    def set_found(self, memories: Sequence[tuple[str, str]]) -> None:
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
        self._link.setEnabled(bool(memories))
        looked = bool(self._search.text().strip())
        self._said.setText("No memory has these words in its title." if looked else "")
        self._said.setVisible(looked and not memories)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

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
        if item is not None and self._link.isEnabled():
            self._on_item_activated(item)

    @Slot(QListWidgetItem)
    def _on_item_activated(self, item: QListWidgetItem) -> None:
        memory_id = str(item.data(_ID_ROLE))
        self._search.clear()
        self.link_requested.emit(memory_id, self._relation.chosen)


class _MemorySearch(SearchField):
    """The search field, with Down going to what was found."""

    down_pressed = Signal()

    def __init__(self) -> None:
        super().__init__("Title or id of the other memory")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
        else:
            super().keyPressEvent(event)

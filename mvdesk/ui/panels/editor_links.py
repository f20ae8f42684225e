"""The links of the memory in the editor: a strip, and a line to add one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.layouts import settle_layouts
from mvdesk.ui.widgets.link_adder import LinkAdder
from mvdesk.ui.widgets.link_strip import LinkStrip
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from mvdesk.ui.widgets.link_adder import LinkWish
    from mvdesk.ui.widgets.link_strip import LinkItem

_ID_ROLE: Final = Qt.ItemDataRole.UserRole


class EditorLinks(QWidget):
    """Shows links and asks for changes of them. Knows no vault."""

    memory_chosen = Signal(str)  # id, to go there
    remove_requested = Signal(str)  # id of the link
    link_requested = Signal(object)  # LinkWish
    search_changed = Signal(str)  # what was typed to find the other memory
    grown = Signal()  # the line to add a link needs more room

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strip = LinkStrip()
        self._strip.setObjectName("editorLinks")
        self._strip.link_activated.connect(self.memory_chosen)
        self._strip.remove_requested.connect(self.remove_requested)
        self._strip.change_requested.connect(self._on_change_requested)
        self._links: tuple[LinkItem, ...] = ()
        self._area = _StripArea(self._strip)
        self._adder = LinkAdder()
        self._adder.link_requested.connect(self._on_link_requested)
        self._adder.search_changed.connect(self.search_changed)
        self._adder.left.connect(self.stop_adding)
        self._adder.hide()
        self._caption = QLabel(tr("Links"))
        set_role(self._caption, "caption")
        # Not the strip's own button: that one scrolls out of sight behind many links.
        self._add = QPushButton(tr("Add link"))
        self._add.setObjectName("linkStart")
        self._add.setToolTip(tr("Link this memory to another one (L or Ctrl+L)"))
        set_role(self._add, "quiet")
        self._add.clicked.connect(self.start_adding)
        self._read_only = False
        self._changed_id = ""  # the link that the line is about, "" for one to add
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
        self._links = tuple(links)
        self._strip.set_links(links)
        self._adder.set_links(links)
        self._caption.setText(
            tr("Links ({links:,})", links=len(links)) if links else tr("No links yet")
        )
        self._area.setVisible(bool(links))
        self._area.fit()

    def settle(self) -> None:
        """Lay out now what was set."""
        settle_layouts(self._area, *self._strip.chips)
        if (layout := self._adder.layout()) is not None:
            layout.activate()  # what it holds may have come or gone

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
        self.start_adding_as("")

    def start_adding_as(self, relation: str) -> None:
        """Open that line with a relation chosen; "" is the usual one."""
        if not self._read_only:
            self._add.hide()
            self._changed_id = ""
            self._adder.start(relation)
            self.grown.emit()

    def start_adding_to(self, memory_id: str, title: str) -> None:
        """Open that line for a memory that was found already; a letter chooses the relation."""
        self.start_adding()
        if not self._read_only:
            self._adder.start_with(memory_id, title)

    @Slot()
    def stop_adding(self) -> None:
        """Close that line; the focus goes to what opened it, chip or button, if it was there."""
        if self._adder.isHidden():
            return
        had_focus = self._adder.isAncestorOf(self._adder.window().focusWidget() or self)
        self._add.setVisible(not self._read_only)
        if had_focus and not self._strip.focus_link(self._changed_id):
            self._add.setFocus(Qt.FocusReason.OtherFocusReason)
        self._adder.hide()

    @Slot(str)
    def _on_change_requested(self, link_id: str) -> None:
        item = next((one for one in self._links if one.link_id == link_id), None)
        if item is not None and not self._read_only:
            self._add.hide()
            self._changed_id = link_id
            self._adder.start_changing(item)
            self.grown.emit()

    @Slot(object)
    def _on_link_requested(self, wish: LinkWish) -> None:
        self.stop_adding()
        self.link_requested.emit(wish)


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

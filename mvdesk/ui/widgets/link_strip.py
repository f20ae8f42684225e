"""The links of one memory as a strip of chips."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from mvdesk.ui.theme import applied, icon, is_look_change, set_role
from mvdesk.ui.widgets.flow_layout import FlowLayout
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.relation_mark import RelationMark, relation_phrase
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPaintEvent

_FIRST_SHOWN: Final = 12
_MOST_SHOWN: Final = 200
_TITLE_LENGTH: Final = 36
_KEYS_SAID: Final = tr("Enter goes there, F2 changes the link, Del removes it.")


@dataclass(frozen=True, slots=True)
class LinkItem:
    """One link, seen from the memory whose strip it is in. `worth` is its effect, as text.

    `score` is that of the other end, as text; `remark` what else there is to say.
    """

    link_id: str
    memory_id: str
    title: str
    relation: str
    outgoing: bool
    label: str | None = None
    worth: str | None = None
    score: str | None = None
    remark: str = ""

    @property
    def sentence(self) -> str:
        """The link in words, such as "contradicted by Port 5432 is open"."""
        said = f"{relation_phrase(self.relation, outgoing=self.outgoing)} {self.title}"
        if self.label:
            said += f" ({self.label})"
        if self.score is not None:
            said += tr(", scores {score}", score=self.score)
        if self.remark:
            said += f", {self.remark}"
        return (
            said if self.worth is None else tr("{said}, worth {worth}", said=said, worth=self.worth)
        )


_NO_LINK: Final = LinkItem("", "", "", "related", outgoing=True)


class LinkStrip(QWidget):
    """Typed chips with arrows. A chip opens the other memory, its cross removes the link."""

    link_activated = Signal(str)  # id of the memory at the other end
    remove_requested = Signal(str)  # id of the link
    change_requested = Signal(str)  # id of the link
    add_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[LinkItem, ...] = ()
        self._chips: list[_LinkChip] = []
        self._spare: list[_LinkChip] = []  # hidden, for memories with more links
        self._read_only = False
        self._shows_all = False
        self._more = QPushButton()
        set_role(self._more, "quiet")
        self._more.clicked.connect(self._on_more)
        self.add_button = QPushButton(tr("Add link"))
        set_role(self.add_button, "quiet")
        self.add_button.setToolTip(tr("Link this memory to another one (Ctrl+L)"))
        self.add_button.clicked.connect(self.add_requested)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._flow = FlowLayout(self)
        self._flow.addWidget(self._more)
        self._flow.addWidget(self.add_button)
        self.setAccessibleName(tr("Links"))
        self._restyle()
        self.set_links(())

    def set_links(self, links: Sequence[LinkItem]) -> None:
        """Show other links. Never emits. A chip that has the focus keeps it while it is there."""
        links = tuple(links)
        if links == self._items and self._chips:
            return
        focused = next((chip for chip in self._chips if chip.has_focus()), None)
        focused_id = None if focused is None else focused.item.link_id
        if {item.link_id for item in links}.isdisjoint(item.link_id for item in self._items):
            self._shows_all = False
        self._items = links
        self._fill()
        for chip in self._chips:
            if chip.item.link_id == focused_id:
                chip.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_read_only(self, read_only: bool) -> None:
        """Hide what changes links."""
        self._read_only = read_only
        self.add_button.setHidden(read_only)
        for chip in (*self._chips, *self._spare):
            chip.set_read_only(read_only)

    @property
    def chips(self) -> tuple[QWidget, ...]:
        """The chips that are shown, in order."""
        return tuple(self._chips)

    def focus_first(self) -> bool:
        """Put the keyboard at the first chip; False where there is none."""
        if self._chips:
            self._chips[0].button.setFocus(Qt.FocusReason.TabFocusReason)
        return bool(self._chips)

    def focus_link(self, link_id: str) -> bool:
        """Put the keyboard at the chip of a link; False where it isn't shown."""
        chip = next((one for one in self._chips if one.item.link_id == link_id), None)
        if chip is not None:
            chip.button.setFocus(Qt.FocusReason.OtherFocusReason)
        return chip is not None

    def put_after(self, widget: QWidget) -> None:
        """Have Tab come to the chips from another widget."""
        stops = [widget, *(chip.button for chip in self._chips), self._more, self.add_button]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def texts(self) -> list[str]:
        """The chips in words, in order: what a screen reader says."""
        return [item.sentence for item in self._items]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        self.add_button.setIcon(icon("add", look.tokens, look.tokens.accent))
        self.add_button.setIconSize(QSize(look.px(16), look.px(16)))

    def _fill(self) -> None:
        shown = self._items[: _MOST_SHOWN if self._shows_all else _FIRST_SHOWN]
        self._have_chips(len(shown))
        for chip, item in zip(self._chips, shown, strict=True):
            chip.set_item(item)
        hidden = len(self._items) - len(shown)
        self._more.setText(tr("{hidden:,} more", hidden=hidden))
        self._more.setHidden(not hidden)
        self._more.setEnabled(not self._shows_all)
        self.setAccessibleDescription("; ".join(self.texts()) or tr("No links yet"))
        self.updateGeometry()

    def _have_chips(self, count: int) -> None:
        """Show that many chips. Those there are stay: making one takes as long as painting ten."""
        while len(self._chips) > count:
            chip = self._chips.pop()
            chip.hide()
            self._spare.append(chip)
        for chip in self._spare[:-_FIRST_SHOWN]:
            self._flow.removeWidget(chip)
            chip.deleteLater()
        del self._spare[:-_FIRST_SHOWN]
        is_new = False
        while len(self._chips) < count:
            if self._spare:
                chip = self._spare.pop()
            else:
                chip, is_new = self._make_chip(), True
            chip.show()
            self._chips.append(chip)
        if is_new:
            self._put_in_order()

    def _make_chip(self) -> _LinkChip:
        chip = _LinkChip(self)
        chip.set_read_only(self._read_only)
        chip.activated.connect(self.link_activated)
        chip.remove_requested.connect(self.remove_requested)
        chip.change_requested.connect(self.change_requested)
        return chip

    def _put_in_order(self) -> None:
        """Chips, then what follows them, to be seen and walked through in this order."""
        for widget in (*self._chips, self._more, self.add_button):
            self._flow.removeWidget(widget)
            self._flow.addWidget(widget)
        stops = [*(chip.button for chip in self._chips), self._more, self.add_button]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _on_more(self) -> None:
        self._shows_all = True
        self._fill()


class _LinkChip(QFrame):
    """One link: mark, words, cross."""

    activated = Signal(str)
    remove_requested = Signal(str)
    change_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.item = _NO_LINK
        self._sentence = ""
        set_role(self, "linkChip")
        self._mark = RelationMark()
        self.button = _ChipText()
        set_role(self.button, "chipText")
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.clicked.connect(self._on_clicked)
        self._cross = IconButton("close", tr("Remove this link"), side=24)
        self._cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Delete does it from the keyboard
        self._cross.clicked.connect(self._on_remove)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 2, 0)
        row.setSpacing(4)
        for part in (self._mark, self.button, self._cross):
            row.addWidget(part)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_item(self, item: LinkItem) -> None:
        """Show another link."""
        if item == self.item:
            return
        self.item = item
        self._mark.set_relation(item.relation, outgoing=item.outgoing)
        phrase = relation_phrase(item.relation, outgoing=item.outgoing)
        numbers = "".join(f"  {text}" for text in (item.score, item.worth) if text)
        label = f"  “{_shorten(item.label)}”" if item.label else ""
        text = f"{phrase}  {_shorten(item.title)}{label}{numbers}"
        sentence = item.sentence
        self.button.setText(text.replace("&", "&&"))
        self._sentence = sentence
        self._show_tip()
        self.button.setAccessibleName(sentence)
        self._cross.set_text(tr("Remove this link: {sentence}", sentence=sentence))

    def has_focus(self) -> bool:
        return self.button.hasFocus()

    def set_read_only(self, read_only: bool) -> None:
        self._cross.setHidden(read_only)
        self._show_tip()

    def _show_tip(self) -> None:
        keys = "" if self._cross.isHidden() else f"\n{_KEYS_SAID}"
        self.button.setToolTip(f"{self._sentence}{keys}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        can_write = not self._cross.isHidden()
        if event.key() == Qt.Key.Key_Delete and can_write:
            self._on_remove()
        elif event.key() == Qt.Key.Key_F2 and can_write:
            self._on_change()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setObjectName("linkMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("&Go to the other memory"), self._on_clicked)
        if not self._cross.isHidden():
            menu.addAction(tr("&Change relation or label…\tF2"), self._on_change)
            menu.addAction(tr("&Remove the link\tDel"), self._on_remove)
        menu.popup(event.globalPos())

    def _on_change(self) -> None:
        self.change_requested.emit(self.item.link_id)

    def _on_clicked(self) -> None:
        self.activated.emit(self.item.memory_id)

    def _on_remove(self) -> None:
        self.remove_requested.emit(self.item.link_id)


class _ChipText(QToolButton):
    """A button of plain text that ends in an ellipsis where there is no room."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(applied().px(48), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        metrics, room = self.fontMetrics(), self.width() - applied().px(6)
        option.text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        painter.end()


def _shorten(title: str) -> str:
    title = " ".join(title.split())
    return title if len(title) <= _TITLE_LENGTH else title[: _TITLE_LENGTH - 1].rstrip() + "…"

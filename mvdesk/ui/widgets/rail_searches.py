"""Saved searches in the rail: how much each finds over its name, as many as there is room for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)

from mvdesk.ui.theme import applied, is_look_change
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.menu_heading import add_heading
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QAction, QKeyEvent, QPaintEvent, QResizeEvent

_GAP_PX: Final = 2
_HEAD_PX: Final = 28
_NONE: Final = tr("No search is saved yet. Type one into the search box, then save it here")
_SOME: Final = tr("Saved searches: all of them, save this one, manage them")
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class RailSearches(QWidget):
    """A button for the menu of all saved searches, below it one for each, while there is room.

    What is asked for is done by whoever listens.
    """

    chosen = Signal(str)  # the text of a search
    save_requested = Signal()
    manage_requested = Signal()
    rename_requested = Signal(str)
    remove_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("railSearches")
        self.setAccessibleName(tr("Saved searches"))
        self._saved: Sequence[tuple[str, str]] = ()
        self._counts: Mapping[str, int] = {}
        self._current = ""
        self._tiles: list[_Tile] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._head = IconButton("bookmark", _NONE, self)
        self._head.setObjectName("railSearchMenu")
        self._head.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self._head.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._menu = QMenu(self._head)
        self._menu.setToolTipsVisible(True)
        self._head.setMenu(self._menu)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._menu.triggered.connect(self._on_menu_chosen)
        self._more = _Tile(self)
        self._more.setObjectName("railMoreSearches")
        self._more.clicked.connect(self._on_more)
        self._more.stepped.connect(self._on_stepped)
        self._more.hide()

    def set_searches(self, saved: Sequence[tuple[str, str]], counts: Mapping[str, int]) -> None:
        """Show these, as names and texts; `counts` by text, as far as they are known."""
        self._saved, self._counts = tuple(saved), dict(counts)
        self._head.set_text(_SOME if saved else _NONE)
        while len(self._tiles) < len(saved):
            tile = _Tile(self)
            tile.clicked.connect(partial(self._on_clicked, len(self._tiles)))
            tile.stepped.connect(self._on_stepped)
            tile.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            tile.customContextMenuRequested.connect(partial(self._on_menu, len(self._tiles)))
            self._tiles.append(tile)
        for tile, (name, text) in zip(self._tiles, saved, strict=False):
            tile.show_search(name, text, counts.get(text))
        self._show_current()
        self._place()

    def set_current(self, text: str) -> None:
        """Mark the search that the list shows, if it is one of them."""
        if text != self._current:
            self._current = text
            self._show_current()

    @property
    def shown(self) -> list[str]:
        """The names that can be seen, from top to bottom."""
        return [name for tile, (name, _) in self._in_place() if not tile.isHidden()]

    def focus_first(self) -> None:
        """Give the keyboard to the search that is shown, else to the first one."""
        marked = [tile for tile, (_, text) in self._in_place() if text == self._current]
        seen = [tile for tile in (*marked, *self._tiles, self._head) if not tile.isHidden()]
        seen[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def sizeHint(self) -> QSize:
        return self._head.sizeHint().expandedTo(self._head.minimumSize())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def set_side(self, side: int) -> None:
        """As wide as the rail's other buttons, in px."""
        for tile in (*self._tiles, self._more):
            tile.update()
        self.setFixedWidth(side)
        self._place()

    # Placing.

    def _in_place(self) -> list[tuple[_Tile, tuple[str, str]]]:
        return list(zip(self._tiles, self._saved, strict=False))

    def _place(self) -> None:
        look = applied()
        gap, side = look.px(_GAP_PX), self.width()
        own = min(look.px(_HEAD_PX), side)  # the rail grows less than the text
        self._head.setFixedSize(own, own)
        self._head.move((side - own) // 2, 0)
        top, height = self._head.height() + gap, _tile_height()
        room = max((self.height() - top + gap) // (height + gap), 0)
        count = len(self._saved)
        fitting = count if count <= room else max(room - 1, 0)
        for number, tile in enumerate(self._tiles):
            tile.setGeometry(0, top + number * (height + gap), side, height)
            tile.setVisible(number < min(fitting, count))
        rest = count - fitting
        self._more.setGeometry(0, top + fitting * (height + gap), side, height)
        self._more.setVisible(bool(rest) and room > 0)
        if rest:
            self._more.show_more(rest)
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._place()

    def _show_current(self) -> None:
        for tile, (_, text) in self._in_place():
            tile.setChecked(text == self._current)

    # What the person does.

    def _on_clicked(self, number: int, _checked: bool = False) -> None:
        text = self._saved[number][1]
        self._tiles[number].setChecked(text == self._current)  # a click has changed it already
        self.chosen.emit(text)

    @Slot(int)
    def _on_stepped(self, by: int) -> None:
        seen = [tile for tile in (self._head, *self._tiles, self._more) if not tile.isHidden()]
        here = next((place for place, one in enumerate(seen) if one.hasFocus()), 0)
        seen[min(max(here + by, 0), len(seen) - 1)].setFocus(Qt.FocusReason.TabFocusReason)

    @Slot()
    def _on_more(self) -> None:
        self._menu.popup(self._more.mapToGlobal(QPoint(self._more.width(), 0)))

    @Slot()
    def _fill_menu(self) -> None:
        menu = self._menu
        menu.clear()
        known = [text for _, text in self._saved]
        save = menu.addAction(tr("Save this search…"), self.save_requested.emit)
        if not self._current:
            save.setText(tr("Save this search… (type one first)"))
        elif self._current in known:
            save.setText(tr("Save this search… (it is saved)"))
        save.setEnabled(bool(self._current) and self._current not in known)
        manage = menu.addAction(tr("Manage saved searches…"), self.manage_requested.emit)
        manage.setEnabled(bool(known))
        if known:
            add_heading(menu, tr("Saved"))
        for name, text in self._saved:
            count = self._counts.get(text)
            said = _short(name) if count is None else f"{_short(name)}\t{format_number(count, ',')}"
            action = menu.addAction(said.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(text == self._current)
            action.setData(text)
            action.setToolTip(text)

    @Slot(object)
    def _on_menu_chosen(self, action: QAction) -> None:
        if isinstance(action.data(), str):
            self.chosen.emit(action.data())

    def _on_menu(self, number: int, place: QPoint) -> None:
        self.make_menu(number).popup(self._tiles[number].mapToGlobal(place))

    def make_menu(self, number: int) -> QMenu:
        """What can be done with one of the saved searches."""
        text = self._saved[number][1]
        menu = QMenu(self)
        menu.setObjectName("railSearchTileMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Search"), partial(self.chosen.emit, text))
        menu.addSeparator()
        menu.addAction(tr("Rename…"), partial(self.rename_requested.emit, text))
        menu.addAction(tr("Delete"), partial(self.remove_requested.emit, text))
        menu.addSeparator()
        menu.addAction(tr("Manage saved searches…"), self.manage_requested.emit)
        return menu


class _Tile(QToolButton):
    """A number over a name. Up and Down go from one to the next."""

    stepped = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("railSearch")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._number = self._name = ""

    def show_search(self, name: str, text: str, count: int | None) -> None:
        """Stand for a saved search; a count of None isn't known yet."""
        found = "" if count is None else tr_n("1 memory", "{count:,} memories", count, count=count)
        self._set(_shortened(count), name)
        self.setToolTip(f"{name}\n{text}\n{found}" if name != text else f"{text}\n{found}")
        self.setAccessibleName(
            tr("Saved search {name}", name=name) + (f", {found}" if found else "")
        )
        self.setAccessibleDescription(text)

    def show_more(self, rest: int) -> None:
        """Stand for those that there is no room for."""
        self.setCheckable(False)
        self._set(f"+{rest}", "more")
        self.setToolTip(tr("{rest} more saved searches", rest=rest))
        self.setAccessibleName(tr("{rest} more saved searches", rest=rest))

    def _set(self, number: str, name: str) -> None:
        if (number, name) != (self._number, self._name):
            self._number, self._name = number, " ".join(name.split())
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in _STEPS:
            self.stepped.emit(_STEPS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        look, painter = applied(), QPainter(self)
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        self.style().drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option, painter, self)
        number, name = _fonts()
        side, pad = 1, look.px(4)
        top, flags = pad, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
        for font, text, token in (
            (number, self._number, "accent" if self.isChecked() else "text"),
            (name, self._name, "text_secondary"),
        ):
            metrics = QFontMetrics(font)
            room = QRect(side, top, self.width() - 2 * side, metrics.height())
            fitting = _cut(text, metrics, room.width())
            painter.setFont(font)
            painter.setPen(look.color(token))
            painter.drawText(room, flags, fitting)
            top += metrics.height()


def _fonts() -> tuple[QFont, QFont]:
    look = applied()
    number = QFont(look.font("body"))
    number.setWeight(QFont.Weight.DemiBold)
    return number, look.font("caption")


def _cut(text: str, metrics: QFontMetrics, width: int) -> str:
    """As many letters as there is room for: in so little an ellipsis would take half of it."""
    while text and metrics.horizontalAdvance(text) > width:
        text = text[:-1]
    return text.rstrip(" &-,.:")


def _tile_height() -> int:
    return sum(QFontMetrics(font).height() for font in _fonts()) + 2 * applied().px(4)


def _shortened(count: int | None) -> str:
    """A count in the width of a button: 950, 12k, 1.2M; "…" while it isn't known."""
    if count is None:
        return "…"
    if count < 10_000:
        return format_number(count, ",")
    return (
        f"{count // 1000}k" if count < 1_000_000 else f"{format_number(count / 1000000.0, '.1f')}M"
    )


def _short(text: str, most: int = 48) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"

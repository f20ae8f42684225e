"""All actions with their keys: those of the panel first; found by name or key, and changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.keymap import is_letter, name_of, refuse_key, said_of, show_key
from mvdesk.ui.panel_keys import PANEL_ACTIONS, PANEL_KEYS
from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.access_role import set_access_role
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction, QShowEvent

    from mvdesk.ui.keymap import Keymap

_NAME: Final = Qt.ItemDataRole.UserRole
_SIZE: Final = QSize(820, 620)
_REST: Final = tr("Everything")


@dataclass(frozen=True, slots=True)
class _Line:
    """A row: `name` is that of the action, "" for a heading or a key that can't be changed."""

    what: str
    keys: str = ""
    help: str = ""
    name: str = ""
    is_heading: bool = False


class ShortcutsDialog(QDialog):
    """A table of actions: what, key, and what for. A key is pressed to find it, or to set it."""

    def __init__(self, keymap: Keymap, panel: str, title: str, parent: QWidget) -> None:
        """`panel` is the name of the dock with the keyboard, "" for none, `title` its title."""
        super().__init__(parent)
        self._keymap, self._panel, self._title = keymap, panel, title
        self._name = ""  # of the action whose key is being changed
        look = applied()
        self.setObjectName("shortcutsDialog")
        self.setWindowTitle(tr("Shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # Not over the edge of the window that it belongs to.
        wanted = QSize(look.px(_SIZE.width()), look.px(_SIZE.height()))
        self.resize(wanted.boundedTo(parent.size() * 0.9))
        self._build()
        self._fill()
        keymap.changed.connect(self._fill)
        self._table.setFocus()

    # Building.

    def _build(self) -> None:
        look = applied()
        self._field = SearchField(tr("Search by name or key"))
        self._field.setObjectName("shortcutsSearch")
        self._field.textChanged.connect(self._fill)
        self._field.leave_requested.connect(self._on_left)
        self._pressed = _KeyField(tr("Press a key to find what it does"))
        self._pressed.setObjectName("shortcutsByKey")
        self._pressed.keySequenceChanged.connect(self._fill)
        pressed = QLabel(tr("or press it:"))
        pressed.setBuddy(self._pressed)
        top = QHBoxLayout()
        top.setSpacing(look.px(8))
        top.addWidget(self._field, 1)
        top.addWidget(pressed)
        top.addWidget(self._pressed)
        self._said = QLabel()
        self._said.setObjectName("shortcutsSaid")
        self._said.setWordWrap(True)
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        self._table = self._make_table()
        column = QVBoxLayout(self)
        column.setContentsMargins(*[look.px(16)] * 4)
        column.setSpacing(look.px(12))
        column.addLayout(top)
        column.addWidget(self._table, 1)
        column.addWidget(self._said)
        column.addWidget(self._make_changer())
        column.addLayout(self._make_buttons())

    def _make_table(self) -> QTableWidget:
        look = applied()
        table = QTableWidget(0, 3)
        table.setObjectName("shortcutsTable")
        table.setAccessibleName(tr("Shortcuts"))
        table.setHorizontalHeaderLabels([tr("Action"), tr("Key"), tr("What it does")])
        table.verticalHeader().hide()
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setProperty("role", "plain")
        table.setWordWrap(True)
        table.setTextElideMode(Qt.TextElideMode.ElideNone)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.resizeSection(0, look.px(216))
        header.resizeSection(1, look.px(150))
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        header.sectionResized.connect(self._fit_rows)
        table.currentCellChanged.connect(self._show_buttons)
        table.activated.connect(self._on_change)
        return table

    def _make_changer(self) -> QWidget:
        """The line in which a new key is pressed."""
        look = applied()
        self._changer = QWidget()
        row = QHBoxLayout(self._changer)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(look.px(8))
        self._asked = QLabel()
        self._asked.setTextFormat(Qt.TextFormat.PlainText)
        self._asked.setWordWrap(True)
        self._new = _KeyField(tr("The new key"))
        self._new.setObjectName("shortcutsNewKey")
        self._new.keySequenceChanged.connect(self._on_key_pressed)
        self._set = push_button(
            "shortcutsSet", tr("&Use it"), tr("Use this key for the action"), "primary"
        )
        self._set.clicked.connect(self._on_set)
        cancel = push_button("shortcutsCancel", tr("&Cancel"), tr("Leave the key as it is"))
        cancel.clicked.connect(self._on_cancel)
        row.addWidget(self._asked, 1)
        for widget in (self._new, self._set, cancel):
            row.addWidget(widget)
        self._changer.hide()
        return self._changer

    def _make_buttons(self) -> QHBoxLayout:
        self._change = push_button(
            "shortcutsChange",
            tr("C&hange key…"),
            tr("Press another key for the chosen action (Enter)"),
        )
        self._change.clicked.connect(self._on_change)
        self._reset = push_button(
            "shortcutsReset", tr("&Reset"), tr("Bring back the usual keys of the chosen action")
        )
        self._reset.clicked.connect(self._on_reset)
        self._reset_all = push_button(
            "shortcutsResetAll", tr("Reset &all"), tr("Bring back the usual keys of all actions")
        )
        self._reset_all.clicked.connect(self._on_reset_all)
        close = push_button("shortcutsClose", tr("Close"))
        close.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.setSpacing(applied().px(8))
        for button in (self._change, self._reset, self._reset_all):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(close)
        return row

    # The table.

    def _lines(self) -> list[_Line]:
        """What is shown, the panel's own first."""
        actions = {name_of(action): action for action in self._keymap.actions}
        lines: list[_Line] = []
        own = [name for name in PANEL_ACTIONS.get(self._panel, ()) if name in actions]
        fixed = PANEL_KEYS.get(self._panel, ())
        if own or fixed:
            lines.append(_Line(tr("In the panel {title}", title=self._title), is_heading=True))
            lines += [_Line(what, keys, said) for keys, what, said in fixed]
            lines += [self._line(name, actions[name]) for name in own]
            lines.append(_Line(_REST, is_heading=True))
        lines += [self._line(name, action) for name, action in actions.items()]
        return self._narrowed(lines)

    def _line(self, name: str, action: QAction) -> _Line:
        keys = ", ".join(show_key(key) for key in self._keymap.keys_of(name)) or tr("none")
        said = action.whatsThis()
        if self._keymap.differs(name):
            usual = ", ".join(show_key(key) for key in self._keymap.defaults_of(name)) or tr("none")
            said += tr(" Changed; usually {usual}.", usual=usual)
        return _Line(said_of(action), keys, said, name)

    def _narrowed(self, lines: Sequence[_Line]) -> list[_Line]:
        """Only what is searched for; then without headings and without repeating."""
        words = self._field.text().casefold().split()
        key = self._pressed.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        if not words and not key:
            return list(lines)
        found: dict[tuple[str, str], _Line] = {}
        for line in lines:
            text = f"{line.what} {line.keys} {line.help}".casefold()
            has_key = not key or (bool(line.name) and key in self._keymap.keys_of(line.name))
            if not line.is_heading and has_key and all(word in text for word in words):
                found[line.name, line.what] = line
        return list(found.values())

    @Slot()
    def _fill(self, *_: object) -> None:
        table, kept = self._table, self._current()
        lines = self._lines()
        blocked = table.blockSignals(True)
        table.clearSpans()
        table.setRowCount(len(lines))
        place = -1
        for row, line in enumerate(lines):
            for column, text in enumerate((line.what, line.keys, line.help)):
                table.setItem(row, column, self._item(line, text, column))
            if line.is_heading:
                table.setSpan(row, 0, 1, 3)
            elif place < 0 or (kept and line.name == kept):
                place = row
        table.blockSignals(blocked)
        if place >= 0:
            table.setCurrentCell(place, 0)
        self._fit_rows()
        self._say_found(len(lines))
        self._show_buttons()

    def _item(self, line: _Line, text: str, column: int) -> QTableWidgetItem:
        item = QTableWidgetItem(text)
        item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        item.setData(_NAME, line.name)
        changed = column == 1 and bool(line.name) and self._keymap.differs(line.name)
        if line.is_heading or changed:
            font = applied().font("strong")
            item.setFont(font)
        if line.is_heading:
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        return item

    def _say_found(self, count: int) -> None:
        key = self._pressed.keySequence()
        if count:
            said = ""
        elif not key.isEmpty():
            said = tr("{key} is free.", key=key.toString(QKeySequence.SequenceFormat.NativeText))
        else:
            said = tr("No action has these words.")
        self._tell(said)

    def _tell(self, said: str) -> None:
        self._said.setText(said)
        self._said.setVisible(bool(said))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_rows()

    @Slot()
    def _fit_rows(self, *_: int) -> None:
        """Rows as high as their texts, at whatever width; there are some two hundred."""
        table, look = self._table, applied()
        metrics, wrap = table.fontMetrics(), Qt.TextFlag.TextWordWrap
        for row in range(table.rowCount()):
            tallest = metrics.height()
            for column in range(table.columnCount() if table.columnSpan(row, 0) == 1 else 0):
                item, width = table.item(row, column), table.columnWidth(column) - look.px(30)
                text = "" if item is None else item.text()
                if metrics.horizontalAdvance(text) < width:
                    continue  # one line; measuring a wrapped text takes long
                box = metrics.boundingRect(0, 0, max(width, 1), 10_000, wrap, text)
                tallest = max(tallest, box.height())
            table.setRowHeight(row, tallest + look.px(16))

    def _current(self) -> str:
        item = self._table.item(self._table.currentRow(), 0)
        return "" if item is None else str(item.data(_NAME) or "")

    @Slot()
    def _show_buttons(self, *_: int) -> None:
        name = self._current()
        self._change.setEnabled(bool(name))
        self._reset.setEnabled(bool(name) and self._keymap.differs(name))
        self._reset_all.setEnabled(self._keymap.is_changed)

    # Changing.

    @Slot()
    def _on_left(self) -> None:
        self._table.setFocus()

    @Slot()
    def _on_change(self, *_: object) -> None:
        self._name = self._current()
        if not self._name:
            self._tell(tr("This key belongs to a part of the panel and can't be changed."))
            return
        self._tell("")
        self._asked.setText(
            tr("Press the new key for “{text_of}”:", text_of=self._keymap.text_of(self._name))
        )
        self._new.clear()
        self._on_key_pressed()
        self._changer.show()
        self._new.setFocus()

    @Slot()
    def _on_key_pressed(self, *_: object) -> None:
        """Whether the key can be had, and who has it now."""
        key = self._new.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        keymap, refusal = self._keymap, ""
        self._set.setText(tr("&Use it"))
        self._set.setEnabled(False)
        if not self._name or not key:
            self._tell("")
            return
        refusal = refuse_key(key)
        other = keymap.holder_of(key, self._name)
        said = f"{refusal[:1].upper()}{refusal[1:]}." if refusal else ""
        if not refusal and other:
            said = tr(
                "{key} is the key of “{text_of}”, which would go without.",
                key=show_key(key),
                text_of=keymap.text_of(other),
            )
            if len(keymap.keys_of(other)) > 1:
                said = tr(
                    "{key} is also a key of “{text_of}”.",
                    key=show_key(key),
                    text_of=keymap.text_of(other),
                )
            self._set.setText(tr("&Take it"))
        elif not refusal and is_letter(key):
            said = tr(
                "{key} alone acts only while no text field has the keyboard.", key=show_key(key)
            )
        self._set.setEnabled(not refusal)
        self._tell(said)

    @Slot()
    def _on_set(self, *_: object) -> None:
        key = self._new.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        name, self._name = self._name, ""
        self._changer.hide()
        self._keymap.set_key(name, key)
        self._tell(
            tr(
                "“{text_of}” has the key {key} now.",
                text_of=self._keymap.text_of(name),
                key=show_key(key),
            )
        )
        self._table.setFocus()

    @Slot()
    def _on_cancel(self, *_: object) -> None:
        self._name = ""
        self._changer.hide()
        self._tell("")
        self._table.setFocus()

    @Slot()
    def _on_reset(self, *_: object) -> None:
        if name := self._current():
            self._keymap.reset(name)
            self._tell(
                tr("“{text_of}” has its usual keys again.", text_of=self._keymap.text_of(name))
            )

    @Slot()
    def _on_reset_all(self, *_: object) -> None:
        self._keymap.reset_all()
        self._tell(tr("All actions have their usual keys again."))


class _KeyField(QKeySequenceEdit):
    """Takes one key, and then waits for no second one."""

    def __init__(self, name: str) -> None:
        super().__init__()
        set_access_role(self, "key")  # first: what Qt asked once it keeps
        self.setMaximumSequenceLength(1)
        self.setClearButtonEnabled(True)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFixedWidth(applied().px(150))
        for field in self.findChildren(QWidget):
            field.setAccessibleName(name)

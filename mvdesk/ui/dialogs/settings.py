"""All settings: searched, applied at once, each with a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.option_list import GROUP_WORDS
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.option_list import Group, Option, Value

_SIZE: Final = QSize(640, 620)
_CONTROL_PX: Final = 220
_KEPT: Final = tr("kept with the vault")
_NO_VAULT: Final = tr("No vault is open.")


class SettingsDialog(QDialog):
    """Beside the work: what is changed is seen at once, and nothing has to be confirmed."""

    export_requested = Signal()
    import_requested = Signal()
    keys_requested = Signal()

    def __init__(self, options: Sequence[Option], *, is_open: bool, parent: QWidget) -> None:
        """`is_open`: a vault is open, whose own settings can be changed."""
        super().__init__(parent)
        look = applied()
        self.setObjectName("settingsDialog")
        self.setWindowTitle(tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        wanted = QSize(look.px(_SIZE.width()), look.px(_SIZE.height()))
        self.resize(wanted.boundedTo(parent.size() * 0.9))
        self._rows: list[_Row] = []
        self._heads: dict[Group, QLabel] = {}
        self._field = SearchField(tr("Search the settings"))
        self._field.setObjectName("settingsSearch")
        self._field.textChanged.connect(self._on_searched)
        self._field.leave_requested.connect(self._on_left)
        self._said = QLabel()
        self._said.setObjectName("settingsSaid")
        self._said.setWordWrap(True)
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        self._said.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(*[look.px(16)] * 4)
        column.setSpacing(look.px(12))
        column.addWidget(self._field)
        column.addWidget(self._said)
        column.addWidget(self._make_list(options, is_open), 1)
        column.addLayout(self._make_buttons())
        self._field.setFocus()

    def show_values(self) -> None:
        """What is set may have changed elsewhere."""
        for row in self._rows:
            row.show_value()

    def _make_list(self, options: Sequence[Option], is_open: bool) -> QWidget:
        look = applied()
        inner = QWidget()
        set_role(inner, "surface")
        column = QVBoxLayout(inner)
        column.setContentsMargins(*[look.px(16)] * 4)
        column.setSpacing(look.px(12))
        for option in options:
            group = option.spec.group
            if group not in self._heads:
                head = self._heads[group] = QLabel(GROUP_WORDS[group])
                set_role(head, "section")
                column.addWidget(head)
            row = _Row(option, is_usable=is_open or not option.spec.is_of_vault)
            self._rows.append(row)
            column.addWidget(row)
        column.addStretch(1)
        area = QScrollArea()
        area.setObjectName("settingsList")
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        return area

    def _make_buttons(self) -> QHBoxLayout:
        keys = push_button(
            "settingsKeys", tr("&Shortcuts…"), tr("See and change the keys of all actions")
        )
        keys.clicked.connect(self._on_keys)
        export = push_button(
            "settingsExport",
            tr("&Export…"),
            tr("Save all of this and the changed keys to a JSON file"),
        )
        export.clicked.connect(self._on_export)
        bring = push_button(
            "settingsImport", tr("&Import…"), tr("Use the settings of an exported file")
        )
        bring.clicked.connect(self._on_import)
        close = push_button("settingsClose", tr("Close"))
        close.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.setSpacing(applied().px(8))
        for button in (keys, export, bring):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(close)
        return row

    @Slot(str)
    def _on_searched(self, text: str) -> None:
        words = text.casefold().split()
        seen: set[str] = set()
        for row in self._rows:
            fits = all(word in row.told for word in words)
            row.setVisible(fits)
            if fits:
                seen.add(row.option.spec.group)
        for group, head in self._heads.items():
            head.setVisible(group in seen)
        self._said.setText(
            tr("No setting has “{what}”. Shortcuts has all keys.", what=text.strip()[:60])
        )
        self._said.setVisible(not seen)

    @Slot()
    def _on_left(self) -> None:
        for row in self._rows:
            if row.isVisible() and row.control.isEnabled():
                row.control.setFocus(Qt.FocusReason.TabFocusReason)
                return

    @Slot()
    def _on_keys(self, *_: object) -> None:
        self.keys_requested.emit()

    @Slot()
    def _on_export(self, *_: object) -> None:
        self.export_requested.emit()

    @Slot()
    def _on_import(self, *_: object) -> None:
        self.import_requested.emit()


class _Row(QWidget):
    """A setting: its name and sentence at the left, what it is set to at the right."""

    def __init__(self, option: Option, *, is_usable: bool) -> None:
        super().__init__()
        self.option = option
        spec, look = option.spec, applied()
        self.told = " ".join(
            (spec.title, spec.help, GROUP_WORDS[spec.group], *(label for _, label in spec.choices))
        ).casefold()
        title, help_text = QLabel(spec.title), QLabel(spec.help)
        set_role(title, "strong")
        help_text.setWordWrap(True)
        set_role(help_text, "caption")
        self.control: Choice | CheckBox = self._make_control()
        name = spec.key.replace(".", " ").title().replace(" ", "")
        self.control.setObjectName(f"setting{name}")
        self.control.setAccessibleDescription(spec.help)
        self.control.setToolTip(spec.help)
        self.control.setEnabled(is_usable)
        title.setBuddy(self.control)
        head = QHBoxLayout()
        head.setSpacing(look.px(8))
        head.addWidget(title)
        if spec.is_of_vault:
            mark = QLabel(_KEPT if is_usable else _NO_VAULT)
            mark.setObjectName("settingOfVault")
            set_role(mark, "mutedCaption")
            head.addWidget(mark)
        head.addStretch(1)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(look.px(16))
        grid.setVerticalSpacing(look.px(2))
        grid.addLayout(head, 0, 0)
        grid.addWidget(help_text, 1, 0)
        grid.addWidget(self.control, 0, 1, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.setColumnStretch(0, 1)
        self.show_value()

    def _make_control(self) -> Choice | CheckBox:
        spec = self.option.spec
        width = applied().px(_CONTROL_PX)
        if not spec.choices:
            box = CheckBox(tr("On"))
            box.setAccessibleName(spec.title)
            box.setFixedWidth(width)
            box.clicked.connect(self._on_clicked)
            return box
        choice = Choice(spec.title)
        choice.setFixedWidth(width)
        choice.set_choices([(str(value), label) for value, label in spec.choices])
        choice.value_chosen.connect(self._on_chosen)
        return choice

    def show_value(self) -> None:
        value = self.option.read()
        if isinstance(self.control, CheckBox):
            self.control.setChecked(bool(value))
            return
        known = {str(choice) for choice, _ in self.option.spec.choices}
        if str(value) not in known:  # set by a key, or by dragging
            shown = format_number(value, ".2f") if isinstance(value, float) else str(value)
            extra = [(str(choice), label) for choice, label in self.option.spec.choices]
            self.control.set_choices([*extra, (str(value), shown)])
        self.control.set_value(str(value))

    @Slot(bool)
    def _on_clicked(self, checked: bool) -> None:
        self.option.write(checked)

    @Slot(str)
    def _on_chosen(self, text: str) -> None:
        value: Value = float(text) if self.option.spec.is_number else text
        self.option.write(value)

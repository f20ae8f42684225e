"""Asks how a picture is to be made, and shows it meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from mvdesk.ui.plots.export import render_image
from mvdesk.ui.settings import PictureChoice
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.plots.export import PictureFormat, PictureTheme, Sheet

_KINDS: Final = (
    ("png", tr("PNG, for screens")),
    ("svg", tr("SVG, sharp at any size")),
    ("pdf", "PDF"),
)
_SCALES: Final = (("1", tr("1×, smallest")), ("2", tr("2×, usual")), ("3", tr("3×, for print")))
_THEMES: Final = (
    ("", tr("As shown")),
    ("light", tr("Light")),
    ("dark", tr("Dark")),
    ("print", tr("For paper")),
)
_SHOWN_PX: Final = (420, 380)
_BESIDE_PX: Final = (340, 120)
"""What the rest of the dialog takes: it must not be larger than the window."""


def theme_of(choice: PictureChoice) -> PictureTheme:
    """The theme of a picture; that of the window where none is chosen."""
    return choice.theme or applied().tokens.name


class ExportDialog(QDialog):
    """A picture, what is on it, and how it is written. Writes nothing itself."""

    save_requested = Signal()
    copy_requested = Signal()

    def __init__(
        self,
        contents: Sequence[tuple[str, str]],
        make_sheet: Callable[[str], Sheet | None],
        parent: QWidget,
    ) -> None:
        """`contents` are what can be on the picture as (value, label); `make_sheet` makes it."""
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle(tr("Export picture"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._make_sheet = make_sheet
        look, window = applied(), parent.window().size()
        beside = QSize(look.px(_BESIDE_PX[0]), look.px(_BESIDE_PX[1]))
        self._room = QSize(look.px(_SHOWN_PX[0]), look.px(_SHOWN_PX[1])).boundedTo(window - beside)
        self._contents = _choice(tr("What is on it"), "exportContent", contents)
        self._kinds = _choice(tr("Format"), "exportKind", _KINDS)
        self._scales = _choice(tr("Size"), "exportScale", _SCALES)
        self._themes = _choice(tr("Colours"), "exportTheme", _THEMES)
        self._picture = QLabel()
        self._picture.setObjectName("exportPreview")
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._size = QLabel()
        self._size.setObjectName("exportSize")
        set_role(self._size, "mutedCaption")
        self._lay_out()
        for choice in (self._contents, self._kinds, self._scales, self._themes):
            choice.value_chosen.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        form = QGridLayout()
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        choices = (
            (tr("&On it"), self._contents),
            (tr("&Format"), self._kinds),
            (tr("Si&ze"), self._scales),
            (tr("Co&lours"), self._themes),
        )
        shown = choices if self._contents.count() > 1 else choices[1:]
        self._contents.setParent(self)
        self._contents.setVisible(len(shown) == len(choices))
        for row, (text, choice) in enumerate(shown):
            label = QLabel(text)
            label.setBuddy(choice)
            form.addWidget(label, row, 0, Qt.AlignmentFlag.AlignVCenter)
            form.addWidget(choice, row, 1)
        form.addWidget(self._size, len(choices), 1)
        save, copy, cancel = (
            QPushButton(text) for text in (tr("&Save…"), tr("&Copy"), tr("Cancel"))
        )
        for button, name in ((save, "exportSave"), (copy, "exportCopy"), (cancel, "exportCancel")):
            button.setObjectName(name)
        set_role(save, "primary")
        save.setDefault(True)
        copy.setToolTip(tr("Put the picture on the clipboard"))
        save.clicked.connect(self.save_requested)
        copy.clicked.connect(self.copy_requested)
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (cancel, copy, save):
            buttons.addWidget(button)
        beside = QHBoxLayout()
        beside.setSpacing(20)
        beside.addWidget(self._picture, 1)
        right = QVBoxLayout()
        right.addLayout(form)
        right.addStretch(1)
        beside.addLayout(right)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(16)
        column.addLayout(beside)
        column.addLayout(buttons)

    @property
    def content(self) -> str:
        """What is on the picture."""
        return self._contents.chosen

    @property
    def choice(self) -> PictureChoice:
        """How the picture is wanted."""
        return PictureChoice(
            kind=cast("PictureFormat", self._kinds.chosen),
            scale=int(self._scales.chosen),
            theme=cast("PictureTheme", self._themes.chosen),
        )

    def set_choice(self, choice: PictureChoice, content: str) -> None:
        """Show another choice."""
        self._contents.set_value(content)
        self._kinds.set_value(choice.kind)
        self._scales.set_value(str(choice.scale))
        self._themes.setCurrentIndex(self._themes.findData(choice.theme))
        self._show()

    @Slot()
    def _show(self, _value: str = "") -> None:
        """The picture as it would be written, as large as there is room for it."""
        choice, sheet = self.choice, self._make_sheet(self.content)
        self._scales.setEnabled(choice.kind == "png")
        if sheet is None:
            return
        ratio = self.devicePixelRatioF()
        image = render_image(sheet, theme_of(choice), ratio)
        shown = image.scaled(
            self._room * ratio,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        shown.setDevicePixelRatio(ratio)
        self._picture.setPixmap(QPixmap.fromImage(shown))
        self._picture.setMinimumSize(self._room)
        self._picture.setAccessibleName(tr("The picture: {title}", title=sheet.title))
        size = sheet.size(theme_of(choice))
        factor, unit = (choice.scale, tr("pixels")) if choice.kind == "png" else (1, tr("px"))
        width, height = round(size.width() * factor), round(size.height() * factor)
        self._size.setText(f"{format_number(width, ',')} × {format_number(height, ',')} {unit}")


def _choice(name: str, object_name: str, choices: Sequence[tuple[str, str]]) -> Choice:
    choice = Choice(name)
    choice.setObjectName(object_name)
    choice.set_choices(choices)
    return choice

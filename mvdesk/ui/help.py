"""The dialog that says what this program is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.theme import applied, set_role
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterable


def program_version() -> str:
    """The version of the installed program."""
    # Late, for start-up time: it takes e-mail's parser along.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mvdesk")
    except PackageNotFoundError:  # run from its folder without being installed
        return "unreleased"


class AboutDialog(QDialog):
    """Version, licence, and where the program keeps its things."""

    def __init__(self, places: Iterable[tuple[str, str]], parent: QWidget) -> None:
        """`places` are names and paths, such as ("Log", "/…/mvdesk.log")."""
        super().__init__(parent)
        look = applied()
        self.setObjectName("aboutDialog")
        self.setWindowTitle(tr("About mvdesk"))
        column = QVBoxLayout(self)
        column.setContentsMargins(*[look.px(24)] * 4)
        column.setSpacing(look.px(8))
        title = QLabel(tr("mvdesk {program_version}", program_version=program_version()))
        set_role(title, "title")
        column.addWidget(title)
        text = QLabel(
            tr(
                "A desk for MemoryVault: see, tune and explain the scores of your memories. "
                "MIT licence. The fonts Inter and JetBrains Mono are under the SIL Open "
                "Font Licence."
            )
        )
        text.setWordWrap(True)
        column.addWidget(text)
        for name, path in places:
            label = QLabel(f"{name}: {path}")
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            set_role(label, "secondary")
            column.addWidget(label)
        column.addWidget(_close_button(self))
        self.setMinimumWidth(look.px(440))


def _close_button(dialog: QDialog) -> QDialogButtonBox:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    box.rejected.connect(dialog.reject)
    return box

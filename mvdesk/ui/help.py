"""The dialogs of the Help menu: every action with its key, and what this program is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.theme import applied, set_role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QAction, QShowEvent


def program_version() -> str:
    """The version of the installed program."""
    # Late, for start-up time: it takes e-mail's parser along.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mvdesk")
    except PackageNotFoundError:  # run from its folder without being installed
        return "unreleased"


class ShortcutsDialog(QDialog):
    """A table of actions: what, key, and what for."""

    def __init__(self, actions: Iterable[QAction], parent: QWidget) -> None:
        super().__init__(parent)
        look = applied()
        self.setObjectName("shortcutsDialog")
        self.setWindowTitle("Shortcuts")
        # Not over the edge of the window that it belongs to.
        self.resize(QSize(look.px(720), look.px(560)).boundedTo(parent.size() * 0.9))
        rows = [
            (
                action.text().replace("&", "").removesuffix("…").split(":")[0],
                ", ".join(
                    key.toString(QKeySequence.SequenceFormat.NativeText)
                    for key in action.shortcuts()
                ),
                action.whatsThis(),
            )
            for action in actions
        ]
        table = QTableWidget(len(rows), 3)
        table.setObjectName("shortcutsTable")
        table.setAccessibleName("Shortcuts")
        table.setHorizontalHeaderLabels(["Action", "Key", "What it does"])
        table.verticalHeader().hide()
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setProperty("role", "plain")
        table.setWordWrap(True)
        table.setTextElideMode(Qt.TextElideMode.ElideNone)
        table.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
                table.setItem(row, column, item)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.resizeSection(0, look.px(200))
        header.resizeSection(1, look.px(150))
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        header.sectionResized.connect(self._fit_rows)
        self._table = table
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[look.px(16)] * 4)
        layout.setSpacing(look.px(12))
        layout.addWidget(table)
        layout.addWidget(_close_button(self))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_rows()

    @Slot()
    def _fit_rows(self, *_: int) -> None:
        """Rows as high as their texts, at whatever width; there are only a few dozen."""
        table, look = self._table, applied()
        metrics, wrap = table.fontMetrics(), Qt.TextFlag.TextWordWrap
        for row in range(table.rowCount()):
            tallest = 0
            for column in range(table.columnCount()):
                item, width = table.item(row, column), table.columnWidth(column) - look.px(30)
                text = "" if item is None else item.text()
                box = metrics.boundingRect(0, 0, max(width, 1), 10_000, wrap, text)
                tallest = max(tallest, box.height())
            table.setRowHeight(row, tallest + look.px(16))


class AboutDialog(QDialog):
    """Version, licence, and where the program keeps its things."""

    def __init__(self, places: Iterable[tuple[str, str]], parent: QWidget) -> None:
        """`places` are names and paths, such as ("Log", "/…/mvdesk.log")."""
        super().__init__(parent)
        look = applied()
        self.setObjectName("aboutDialog")
        self.setWindowTitle("About mvdesk")
        column = QVBoxLayout(self)
        column.setContentsMargins(*[look.px(24)] * 4)
        column.setSpacing(look.px(8))
        title = QLabel(f"mvdesk {program_version()}")
        set_role(title, "title")
        column.addWidget(title)
        text = QLabel(
            "A desk for MemoryVault: see, tune and explain the scores of your memories. "
            "MIT licence. The fonts Inter and JetBrains Mono are under the SIL Open Font Licence."
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

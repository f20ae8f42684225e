"""A panel of several sections under one heading: a row of names says which is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence


class SectionPages(QWidget):
    """Sections, one of them shown. Subclasses add one for each page, in order."""

    def __init__(
        self,
        title: str,
        question: str,
        pages: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        """`question` is what screen readers call the row; `pages` are (name, caption)."""
        super().__init__(parent)
        self.setAccessibleName(title)
        self._names = [name for name, _ in pages]
        self.header = PanelHeader(title)
        self.which = SegmentedControl(question, pages)
        self.which.value_chosen.connect(self._on_chosen)
        self._pages = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(flowing(self.which, margins=(12, 6, 8, 6)))
        column.addWidget(self._pages, 1)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def add_sections(self, *sections: QWidget) -> None:
        """Add the sections of the pages."""
        for section in sections:
            self._pages.addWidget(section)

    @property
    def shown(self) -> QWidget:
        """The section on screen."""
        return self._pages.currentWidget()

    def show_page(self, page: str) -> None:
        """Show a page by its name, with the keyboard in it."""
        self.which.set_value(page)
        self._on_chosen(page)
        self.shown.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(str)
    def _on_chosen(self, page: str) -> None:
        self._pages.setCurrentIndex(self._names.index(page))

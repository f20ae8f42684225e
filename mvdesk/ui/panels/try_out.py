"""Trying trust out besides moving a slider: trials, questions, and sources worth a look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mvdesk.ui.panels.questions import QuestionsSection
from mvdesk.ui.panels.suggestions import SuggestionsSection
from mvdesk.ui.panels.trials import TrialsSection
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

PAGES: Final = (
    ("suggestions", "Worth a look"),
    ("trials", "Trials"),
    ("questions", "Questions"),
)


class TryOutPanel(QWidget):
    """Three sections, one of them shown."""

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("tryOutPanel")
        self.setAccessibleName("Try out")
        self.header = PanelHeader("Try out")
        self._which = SegmentedControl("Ways to try trust out", PAGES)
        self._which.setObjectName("tryOutPage")
        self._which.value_chosen.connect(self._on_chosen)
        self.trials = TrialsSection(session)
        self._pages = QStackedWidget()
        self._pages.addWidget(SuggestionsSection(session))
        self._pages.addWidget(self.trials)
        self._pages.addWidget(QuestionsSection(session))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(flowing(self._which, margins=(12, 6, 8, 6)))
        column.addWidget(self._pages, 1)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def show_page(self, page: str) -> None:
        """Show "suggestions", "trials" or "questions", with the keyboard in it."""
        self._which.set_value(page)
        self._on_chosen(page)
        shown = self._pages.currentWidget()
        if page == "trials":
            self.trials.start_naming()
        elif shown is not None:
            shown.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(str)
    def _on_chosen(self, page: str) -> None:
        self._pages.setCurrentIndex([name for name, _ in PAGES].index(page))

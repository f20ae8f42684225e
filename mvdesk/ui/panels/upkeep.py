"""Keeping a vault in shape: decay, and what else looks after memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mvdesk.ui.panels.archive import ArchiveSection
from mvdesk.ui.panels.decay import DecaySection
from mvdesk.ui.panels.duplicates import DuplicatesSection
from mvdesk.ui.panels.policy import PolicySection
from mvdesk.ui.panels.reinforce import ReinforceSection
from mvdesk.ui.panels.timeline import TimelineSection
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

PAGES: Final = (
    ("decay", "Decay"),
    ("reinforce", "Reinforce"),
    ("duplicates", "Duplicates"),
    ("policy", "Policy"),
    ("archive", "Archive"),
    ("history", "History"),
)


class UpkeepPanel(QWidget):
    """Sections, one of them shown."""

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("upkeepView")
        self.setAccessibleName("Upkeep")
        self.header = PanelHeader("Upkeep")
        self._which = SegmentedControl("Ways to keep the vault in shape", PAGES)
        self._which.setObjectName("upkeepPage")
        self._which.value_chosen.connect(self._on_chosen)
        self._pages = QStackedWidget()
        self.duplicates = DuplicatesSection(session)
        for section in (
            DecaySection(session),
            ReinforceSection(session),
            self.duplicates,
            PolicySection(session),
            ArchiveSection(session),
            TimelineSection(session),
        ):
            self._pages.addWidget(section)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(flowing(self._which, margins=(12, 6, 8, 6)))
        column.addWidget(self._pages, 1)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def show_page(self, page: str) -> None:
        """Show one of `PAGES`, with the keyboard in it."""
        self._which.set_value(page)
        self._on_chosen(page)
        shown = self._pages.currentWidget()
        if isinstance(shown, ReinforceSection):
            shown.take_selected()
        if shown is not None:
            shown.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(str)
    def _on_chosen(self, page: str) -> None:
        self._pages.setCurrentIndex([name for name, _ in PAGES].index(page))

"""Keeping a vault in shape: decay, and what else looks after memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.ui.panels.archive import ArchiveSection
from mvdesk.ui.panels.decay import DecaySection
from mvdesk.ui.panels.duplicates import DuplicatesSection
from mvdesk.ui.panels.policy import PolicySection
from mvdesk.ui.panels.reinforce import ReinforceSection
from mvdesk.ui.panels.timeline import TimelineSection
from mvdesk.ui.widgets.section_pages import SectionPages
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

PAGES: Final = (
    ("decay", tr("Decay")),
    ("reinforce", tr("Reinforce")),
    ("duplicates", tr("Duplicates")),
    ("policy", tr("Policy")),
    ("archive", tr("Archive")),
    ("history", tr("History")),
)


class UpkeepPanel(SectionPages):
    """A section for each of `PAGES`."""

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Upkeep"), tr("Ways to keep the vault in shape"), PAGES, parent)
        self.setObjectName("upkeepView")
        self.which.setObjectName("upkeepPage")
        self.duplicates = DuplicatesSection(session)
        self.add_sections(
            DecaySection(session),
            ReinforceSection(session),
            self.duplicates,
            PolicySection(session),
            ArchiveSection(session),
            TimelineSection(session),
        )

    def show_page(self, page: str) -> None:
        super().show_page(page)
        if isinstance(self.shown, ReinforceSection):
            self.shown.take_selected()

"""Trying trust out besides moving a slider: trials, questions, and sources worth a look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.ui.panels.questions import QuestionsSection
from mvdesk.ui.panels.suggestions import SuggestionsSection
from mvdesk.ui.panels.trials import TrialsSection
from mvdesk.ui.widgets.section_pages import SectionPages
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

PAGES: Final = (
    ("suggestions", tr("Worth a look")),
    ("trials", tr("Trials")),
    ("questions", tr("Questions")),
)


class TryOutPanel(SectionPages):
    """A section for each of `PAGES`."""

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Try out"), tr("Ways to try trust out"), PAGES, parent)
        self.setObjectName("tryOutPanel")
        self.which.setObjectName("tryOutPage")
        self.trials = TrialsSection(session)
        self.add_sections(SuggestionsSection(session), self.trials, QuestionsSection(session))

    def show_page(self, page: str) -> None:
        super().show_page(page)
        if page == "trials":
            self.trials.start_naming()

"""What the explanation says, for elsewhere: as plain text and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtGui import QGuiApplication

from mvdesk.ui.panels.explain_page import BOTH, KINDS
from mvdesk.ui.picture_caption import caption_of
from mvdesk.ui.plots.export import Section, Sheet
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.panels.explain_page import ExplainPage
    from mvdesk.ui.reasons_watch import ReasonsWatch
    from mvdesk.ui.session import VaultSession


class ExplainTold:
    """Puts into words or on a sheet what the page shows of the selected memory."""

    def __init__(self, session: VaultSession, page: ExplainPage, watch: ReasonsWatch) -> None:
        self._session, self._page, self._watch = session, page, watch

    def text(self, kinds: Iterable[ScoreKind] | None = None) -> str:
        """All that is shown, or some scores alone; "" while nothing is explained."""
        row = self._session.selected_row if self._session.is_open else None
        if row is None:
            return ""
        sections = self._page.sections
        parts = [f"{self._label(row)}\n{self._session.model.id}"]
        shown = self._page.shown_kinds if kinds is None else kinds
        parts += [sections[kind].as_text() for kind in shown]
        if kinds is None:
            parts.append("\n".join(self._page.texts.sentences()))
            if self._watch.answer is not None:
                parts.append("\n".join(self._page.what_if.texts()))
        return "\n\n".join(part for part in parts if part)

    def copy(self, kinds: Iterable[ScoreKind] | None = None) -> None:
        """Put the text on the clipboard."""
        if text := self.text(kinds):
            QGuiApplication.clipboard().setText(text)
            self._session.messages.notice(tr("The explanation is on the clipboard."))

    def pinned_title(self) -> str | None:
        """The pinned memory as lists call it; None without one."""
        pinned = self._session.looking.pinned_id
        row = None if pinned is None else self._session.snapshot.row_of(pinned)
        return None if row is None else self._label(row)

    def sheet(self, which: str) -> Sheet | None:
        """A picture of BOTH scores or of one; None while nothing is explained."""
        session = self._session
        row = session.selected_row if session.is_open else None
        if row is None:
            return None
        title = self._label(row)
        if session.looking.pinned_id not in (None, session.selected_id):
            title = tr(
                "{title}, compared with {pinned_title}",
                title=title,
                pinned_title=self.pinned_title(),
            )
        kinds = KINDS if which == BOTH else (cast("ScoreKind", which),)
        sections = [self._page.sections[kind] for kind in kinds]
        return Sheet(
            title,
            tuple(Section(one.verdict, one.waterfall.drawing()) for one in sections),
            caption_of(session),
        )

    def _label(self, row: int) -> str:
        return self._session.snapshot.memories.labels.text(row)

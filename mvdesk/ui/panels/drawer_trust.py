"""The slider in the drawer of a source's trust: it opens the same preview as the Source panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.panels.explain_page import ExplainPage
    from mvdesk.ui.panels.score_section import ScoreSection
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.trust_control import TrustControl

TRUST_ROW: Final = "source_trust_delta"
_SETTLED: Final = object()


class DrawerTrust(QObject):
    """Shows the slider while the evidence of the trust is open, and previews its moves."""

    def __init__(self, session: VaultSession, page: ExplainPage) -> None:
        super().__init__(page)
        self._session, self._page = session, page
        self._key = ""
        self._asked: object = _SETTLED  # the trust asked for, until the session shows it
        self._joined: set[TrustControl] = set()
        for section in page.sections.values():
            section.row_opened.connect(self._on_row_opened)
        session.preview_changed.connect(self._on_preview_changed)

    def refresh(self, source_key: str) -> None:
        """Show the trust of this source, "" for a memory that names none."""
        if source_key != self._key:
            self._key, self._asked = source_key, _SETTLED
        for section in self._page.sections.values():
            self._show(section)

    def _show(self, section: ScoreSection) -> None:
        if section.opened != TRUST_ROW or not self._key:
            section.drawer.hide_trust()
            return
        control = section.drawer.show_trust()
        if control not in self._joined:
            self._joined.add(control)
            control.trust_edited.connect(self._on_edited)
            control.unset_requested.connect(self._on_unset)
            control.revert_requested.connect(self._on_revert)
        trust = self._session.trust_of(self._key)
        if self._asked == trust:
            self._asked = _SETTLED
        if self._asked is _SETTLED:  # else the handle would jump back to what was asked before
            stored = self._session.trust_of(self._key, committed=True)
            control.set_trust(trust, stored, effect=tr("nothing is written") * (trust != stored))

    @Slot(str)
    def _on_row_opened(self, _name: str) -> None:
        self.refresh(self._key)

    @Slot(object)
    def _on_preview_changed(self, _preview: object) -> None:
        if self._key not in self._session.preview.trust:
            self._asked = _SETTLED  # reverted or discarded
        if self._session.is_open:
            self.refresh(self._key)

    @Slot(float)
    def _on_edited(self, trust: float) -> None:
        self._asked = trust
        self._session.preview_trust(self._key, trust)

    @Slot()
    def _on_unset(self) -> None:
        self._asked = None
        self._session.preview_trust(self._key, None)
        self.refresh(self._key)

    @Slot()
    def _on_revert(self) -> None:
        self._asked = _SETTLED
        self._session.revert_trust(self._key)
        self.refresh(self._key)

"""The links of the shown memory: from the session into the editor, and its wishes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from mvdesk.ui.panels.editor_facts import link_items_of
from mvdesk.ui.panels.title_search import find_titles
from mvdesk.ui.plans import link_plan
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.editor_links import EditorLinks
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.link_adder import LinkWish

_SEARCH_JOB: Final = "link-search"


class EditorLinking(QObject):
    """Joins session and links for the memory that `show` names."""

    def __init__(self, session: VaultSession, links: EditorLinks, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._links = session, links
        self._memory_id = ""
        links.memory_chosen.connect(self._on_followed)
        links.remove_requested.connect(session.remove_link)
        links.link_requested.connect(self._on_requested)
        links.search_changed.connect(self._on_search)

    def show(self, memory_id: str) -> None:
        """Show the links of a memory; "" for none."""
        self._memory_id = memory_id
        if not memory_id or not self._session.is_open:
            return
        row = self._session.snapshot.row_of(memory_id)
        links = [] if row is None else link_items_of(self._session.snapshot, row)
        self._links.set_links(links)

    @Slot(str)
    def _on_followed(self, memory_id: str) -> None:
        if memory_id:
            self._session.select(memory_id)
        else:
            self._session.messages.notice(tr("The memory at the other end of this link is gone."))

    @Slot(object)
    def _on_requested(self, wish: LinkWish) -> None:
        if not self._memory_id:
            return
        ends = (self._memory_id, wish.memory_id)
        from_id, to_id = ends if wish.outgoing else reversed(ends)
        make_plan = link_plan(
            from_id,
            to_id,
            wish.relation,
            wish.label,
            self._session.current_time(),
            wish.change_id or None,
        )
        self._session.write("link", make_plan)

    @Slot(str)
    def _on_search(self, text: str) -> None:
        if not self._memory_id:
            return
        snapshot, own_id = self._session.snapshot, self._memory_id

        def work(token: CancelToken) -> list[tuple[str, str]]:
            return find_titles(snapshot, text, without=own_id, cancelled=token.is_cancelled)

        self._session.jobs.run(_SEARCH_JOB, work, self._links.set_found)

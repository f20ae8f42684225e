"""Sources worth a look, found behind the scenes; the way to each, and unifying split ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mvdesk.ui.conflict_indexing import share_conflict_index
from mvdesk.ui.looking import Place
from mvdesk.ui.panels.suggestions_page import SuggestionLine, SuggestionsPage
from mvdesk.ui.unifying import Unifying
from mvdesk.ui.widgets.trust_slider import format_trust
from mvdesk.vault.questions.source_facts import find_source_facts
from mvdesk.vault.questions.worth_a_look import SplitSource, WorthALook, find_worth_a_look
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.questions.conflict_changes import ConflictIndex
    from mvdesk.vault.snapshot import Snapshot

_JOB: Final = "worthALook"


class SuggestionsSection(QWidget):
    """Session and suggestions, joined. They are about what is stored, not about a preview."""

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("suggestionsSection")
        self.setAccessibleName(tr("Worth a look"))
        self._session = session
        self._found: WorthALook | None = None
        self._of: tuple[object, ...] = ()  # what it was found in
        self._page = SuggestionsPage()
        self._unifying = Unifying(session, self)
        self._indexing = share_conflict_index(session)
        self._indexing.indexed.connect(self._look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._page)
        self.setFocusProxy(self._page)
        self._page.go_requested.connect(self._on_go)
        self._page.unify_requested.connect(self._on_unify)
        session.vault_opened.connect(self._look)
        session.vault_changed.connect(self._look)
        session.model_changed.connect(self._look)
        session.vault_closing.connect(self._on_vault_closing)

    @Slot()
    def _look(self, _what: object = None) -> None:
        session = self._session
        if not self.isVisible() or not session.is_open:
            return
        index = self._indexing.index
        if index is None:
            self._indexing.request()
            return
        of = (session.snapshot, session.committed_scores, index)
        if self._of and all(was is now for was, now in zip(self._of, of, strict=True)):
            return
        self._of = of
        work = partial(_find, *of, session.model)
        session.jobs.run(_JOB, work, self._on_found)

    def _on_found(self, found: WorthALook) -> None:
        self._found = found
        self._page.set_suggestions(suggestion_lines(found))

    @Slot()
    def _on_vault_closing(self) -> None:
        self._session.jobs.cancel(_JOB)
        self._found, self._of = None, ()
        self._page.set_suggestions(None)

    # What happens.

    @Slot(str)
    def _on_go(self, line: str) -> None:
        """Select the source, by its memory that scores lowest, with the keyboard at its trust."""
        session, key = self._session, line.partition("\n")[2]
        rows = session.snapshot.rows_of_source(key)
        if len(rows):
            lowest = rows[int(np.argmin(session.committed_scores.confidence[rows]))]
            session.select(session.snapshot.memories.ids.text(int(lowest)))
        session.looking.set_source(key)
        session.looking.go_to(Place("sources"))

    @Slot(str)
    def _on_unify(self, line: str) -> None:
        key = line.partition("\n")[2]
        for split in self._found.split if self._found is not None else ():
            if split.keys[0] == key:
                self._unifying.open(split)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._session.jobs.is_running(_JOB):
            self._session.jobs.cancel(_JOB)
            self._of = ()


def suggestion_lines(found: WorthALook) -> list[SuggestionLine]:
    """What stands out, in words."""
    lines = [
        SuggestionLine(
            tr("contradicted\n{key}", key=one.key),
            one.key,
            "contradicted",
            tr(
                "{contradicted:,} of {active:,} memories are contradicted ({percent}); of "
                "all others {percent_2}",
                contradicted=one.contradicted,
                active=one.active,
                percent=_percent(one.share),
                percent_2=_percent(one.rest_share),
            ),
        )
        for one in found.contradicted
    ]
    lines += [
        SuggestionLine(
            tr("unset\n{key}", key=one.key),
            one.key,
            "unset",
            tr(
                "no trust is set for {active:,} memories ({percent} of all with a source): "
                "they count as 0.50",
                active=one.active,
                percent=_percent(one.share),
            ),
        )
        for one in found.without_trust
    ]
    return lines + [
        SuggestionLine(tr("split\n{keys}", keys=one.keys[0]), one.keys[0], "split", _why_split(one))
        for one in found.split
    ]


def _why_split(split: SplitSource) -> str:
    others = zip(split.keys[1:], split.memories[1:], split.trusts[1:], strict=True)
    named = ", ".join(
        tr("“{key}” ({count:,}, trust {trust})", key=key, count=count, trust=format_trust(trust))
        for key, count, trust in others
    )
    return tr("most likely the same as {named}; trust counts for each by itself", named=named)


def _percent(share: float) -> str:
    return format_number(share, ".0%").replace("%", "\N{NO-BREAK SPACE}%")


def _find(
    snapshot: Snapshot,
    scores: Scores,
    index: ConflictIndex,
    model: ScoreModel,
    _token: CancelToken,
) -> WorthALook:
    facts = find_source_facts(snapshot, scores, model, conflicting=index.open_rows(scores))
    return find_worth_a_look(snapshot, facts)

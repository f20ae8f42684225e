"""Tags and sources completed from the vault, and how far the typed source is trusted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from mvdesk.scoring.signals import normalise_source_key
from mvdesk.ui.completions import Known, find_known, other_parts, part_at, rank_fitting
from mvdesk.vault.tags import MAX_TAGS
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.editor_form import EditorForm
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.snapshot import Snapshot

_JOB: Final = "known-words"
_NOTHING: Final = Known((), ())


class EditorCompletions(QObject):
    """Joins the lines for tags and source to what the session's vault knows."""

    def __init__(self, session: VaultSession, form: EditorForm, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._form = session, form
        self._known = _NOTHING
        self._known_of: Snapshot | None = None
        for line in (form.tags_line, form.source_line):
            line.focused.connect(self._on_focused)
        form.tags_line.offers_requested.connect(self._on_tags_typed)
        form.tags_line.offer_chosen.connect(self._on_tag_chosen)
        form.tags_line.textChanged.connect(self._show_tag_count)
        form.source_line.offers_requested.connect(self._on_source_typed)
        form.source_line.offer_chosen.connect(self._on_source_chosen)
        form.source_line.textChanged.connect(self._show_trust)
        session.vault_changed.connect(self._on_vault_changed)
        session.scores_changed.connect(self.show)

    @Slot()
    def _on_focused(self) -> None:
        """Count once for each state of the vault, when it is needed."""
        session = self._session
        if not session.is_open or session.snapshot is self._known_of:
            return
        snapshot = session.snapshot

        def work(_token: CancelToken) -> Known:
            return find_known(snapshot)

        session.jobs.run(_JOB, work, partial(self._on_known, snapshot))

    def _on_known(self, snapshot: Snapshot, known: Known) -> None:
        self._known, self._known_of = known, snapshot

    @Slot(str, int)
    def _on_tags_typed(self, text: str, place: int) -> None:
        if self._is_comma_too_many(text, place):
            return
        start, end = part_at(text, place)
        fitting = rank_fitting(self._known.tags, text[start:end], other_parts(text, start))
        self._form.tags_line.set_offers(fitting)

    def _is_comma_too_many(self, text: str, place: int) -> bool:
        """Whether an empty tag was ended by a comma, which is then taken out again.

        A choice puts a comma behind itself, and hands go on to type one.
        """
        start = part_at(text, place - 1)[0]
        is_too_many = start > 0 and text[place - 1] == "," and not text[start : place - 1].strip()
        if is_too_many:
            self._form.tags_line.put(start, place, " ")
        return is_too_many

    @Slot(str)
    def _on_tag_chosen(self, tag: str) -> None:
        line = self._form.tags_line
        start, end = part_at(line.text(), line.cursorPosition())
        text = line.text()
        lead = " " if text[start : start + 1] == " " else ""
        # What is typed on begins the next tag; a comma with nothing behind it isn't saved.
        line.put(start, end, lead + tag + (", " if end == len(text) else ""))

    @Slot(str, int)
    def _on_source_typed(self, text: str, _place: int) -> None:
        self._form.source_line.set_offers(rank_fitting(self._known.sources, text))

    @Slot(str)
    def _on_source_chosen(self, source: str) -> None:
        line = self._form.source_line
        line.put(0, len(line.text()), source)

    @Slot()
    def show(self) -> None:
        """Say how far the source in the line is trusted, and how many tags there are."""
        self._show_trust(self._form.source_line.text())
        self._show_tag_count(self._form.tags_line.text())

    @Slot(str)
    def _show_tag_count(self, text: str) -> None:
        count = sum(1 for part in text.split(",") if part.strip())
        said = tr("{count:,} tags", count=count) if count > 1 else ""
        if count > MAX_TAGS:
            said += tr(", the first {max_tags} count", max_tags=MAX_TAGS)
        self._form.set_tag_count(said)

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        self.show()

    @Slot(str)
    def _show_trust(self, source: str) -> None:
        session, key = self._session, normalise_source_key(source)
        if not key or not session.is_open:
            self._form.set_trust("")
            return
        trust = session.trust_of(key)
        self._form.set_trust(
            tr("trust not set") if trust is None else tr("trust {trust:.2f}", trust=trust)
        )

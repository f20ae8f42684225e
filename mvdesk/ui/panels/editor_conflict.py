"""The choice between what was typed and what another program wrote meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.textdiff import Piece, diff_words
from mvdesk.ui.panels.draft_merge import YOURS, find_marker
from mvdesk.ui.panels.drafts import FIELD_NAMES, FIELDS, list_names, texts_of
from mvdesk.ui.widgets.diff_view import DiffPart
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.draft_merge import Merged
    from mvdesk.ui.panels.draft_store import DraftStore
    from mvdesk.ui.panels.drafts import Draft
    from mvdesk.ui.panels.editor_view import EditorView
    from mvdesk.ui.session import VaultSession

_DIFF_JOB: Final = "conflict-diff"


class EditorConflict(QObject):
    """Carries out what the person chooses for the shown draft. Nothing is written by it."""

    settled = Signal()  # the draft is upon what the vault holds now

    def __init__(
        self,
        session: VaultSession,
        drafts: DraftStore,
        view: EditorView,
        shown_draft: Callable[[], Draft | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._drafts, self._view = session, drafts, view
        self._shown_draft = shown_draft
        view.conflict.mine_requested.connect(self._on_mine)
        view.conflict.both_requested.connect(self._on_both)
        view.conflict.differences_requested.connect(self._on_differences)

    @Slot()
    def _on_mine(self) -> None:
        draft = self._shown_draft()
        if draft is not None and draft.theirs is not None:
            self._drafts.put(draft.memory_id, draft.keeping_mine())
            self.settled.emit()

    @Slot()
    def _on_both(self) -> None:
        draft = self._shown_draft()
        if draft is None or draft.theirs is None:
            return
        place = find_marker(draft.text_of("content"), texts_of(draft.theirs)["content"])
        if place is not None:  # versions within versions could not be told apart
            said = tr("First choose between the two versions that lines in the text mark.")
            self._session.messages.notice(said)
            self._view.form.select_span("content", place)
            return
        kept, merged = draft.keeping_both()
        self._drafts.put(draft.memory_id, kept)
        self._view.form.bring_in(merged.texts)
        self.settled.emit()
        self._session.messages.notice(_describe(merged))
        start = merged.texts["content"].find(YOURS)
        if merged.places and start >= 0:
            self._view.form.select_span("content", (start, start + len(YOURS)))

    @Slot()
    def _on_differences(self) -> None:
        draft = self._shown_draft()
        if draft is None or draft.theirs is None:
            return
        # As shown: fields that weren't touched are theirs already.
        mine, theirs = draft.shown_texts(), texts_of(draft.theirs)

        def work(_token: CancelToken) -> list[DiffPart]:
            return find_differences(mine, theirs)

        self._session.jobs.run(_DIFF_JOB, work, self._view.conflict.set_differences)


def find_differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[DiffPart]:
    """The fields that differ, as pieces: "removed" is only in `one`, "added" only in `other`."""
    parts = []
    for name in FIELDS:
        before, after = one[name], other[name]
        if before == after:
            continue
        caption = FIELD_NAMES[name].capitalize()
        if name == "content":
            pieces = diff_words(before, after)
        else:
            whole = (Piece("removed", before), Piece("same", "  "), Piece("added", after))
            pieces = [piece for piece in whole if piece.text]
        parts.append(DiffPart(caption, pieces))
    return parts


def _describe(merged: Merged) -> str:
    said = tr("Both changes are in the editor, not saved yet.")
    if merged.joined:
        said += tr(" Both changed the same line, at different words: read it once more.")
    if merged.places == 1:
        said += tr(" One place has both versions, yours above theirs.")
    elif merged.places:
        said += tr(
            " {places:,} places have both versions, yours above theirs.", places=merged.places
        )
    if merged.kept:
        said += tr(
            " Yours stayed for {what}.",
            what=list_names([FIELD_NAMES[name] for name in merged.kept]),
        )
    return said

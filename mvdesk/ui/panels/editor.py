"""The editor: reads and changes one memory, and loses no typing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.panels.draft_merge import find_marker
from mvdesk.ui.panels.draft_store import DraftStore
from mvdesk.ui.panels.drafts import (
    FIELDS,
    NEW_MEMORY,
    SHARE_FIELDS,
    Draft,
    find_problems,
    has_lines,
    is_shrunk,
    list_names,
    shown_as_new,
    start_draft,
    texts_of,
    tidy_tags,
    values_of,
)
from mvdesk.ui.panels.editor_bytes import EditorBytes
from mvdesk.ui.panels.editor_completions import EditorCompletions
from mvdesk.ui.panels.editor_conflict import EditorConflict
from mvdesk.ui.panels.editor_facts import describe_history
from mvdesk.ui.panels.editor_finding import EditorFinding
from mvdesk.ui.panels.editor_hints import EditorHints
from mvdesk.ui.panels.editor_linking import EditorLinking
from mvdesk.ui.panels.editor_marks import find_marks, stored_text
from mvdesk.ui.panels.editor_scores import EditorScores
from mvdesk.ui.panels.editor_view import EditorState, EditorView
from mvdesk.ui.panels.saves import Saves, Saving
from mvdesk.ui.theme import set_role
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QAction

    from mvdesk.records import Memory
    from mvdesk.ui.looking import Place
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController
    from mvdesk.vault.changes import ChangeSet


class EditorPanel(QWidget):
    """Session and form, joined: a memory or a new one, its unsaved typing, its links."""

    history_requested = Signal()
    reading_changed = Signal(bool)
    link_requested = Signal(str)  # a link of the text, as written

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("editor")
        self.setAccessibleName(tr("Editor"))
        self._session = session
        self._drafts = DraftStore(session, self)
        self._memory: Memory | None = None  # the stored one that is shown; None for a new one
        self._is_new = self._is_unreadable = False
        self._showing = (False, NEW_MEMORY)
        self._before_new: str | None = None  # what was selected when a new one was begun
        self._saves = Saves()
        self._bytes = EditorBytes(session, self)
        self._problems: dict[str, str] = {}
        self._text_with_marks: str | None = None  # that was to be saved all the same
        self._view = EditorView()
        self.header = self._view.header
        self._form, self._links = self._view.form, self._view.links
        self._linking = EditorLinking(session, self._links, self)
        self._conflict = EditorConflict(session, self._drafts, self._view, self._draft, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._view)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._completions = EditorCompletions(session, self._form, self)
        self.hints = EditorHints(session, self._view, self)
        self._finding = EditorFinding(self._view, self)
        self._scores = EditorScores(session, self._form, self._typed, self)
        self._connect()
        self._show(session.selected_memory)

    # What the window's actions ask for.

    @property
    def has_unsaved(self) -> bool:
        """Whether what is shown has typing that isn't in the vault."""
        return self._draft() is not None

    @Slot()
    def start_new(self) -> None:
        """Show an empty memory to fill in, or the one that was begun."""
        if not self._can_write():
            return
        if not self._is_new:
            self._before_new, self._is_new = self._session.selected_id, True
            self._session.select(None)
            self._show(None)
        self.set_reading(False)
        self._form.focus_field("title")

    @Slot()
    def save(self) -> None:
        """Save what was typed. What can't be saved is said beside its field, and stays."""
        draft = self._draft()
        if not self._can_write() or self._saves.is_under_way(self._shown_id()):
            return  # what was typed since the last save stays unsaved, and marked
        if draft is not None and draft.theirs is not None:
            self._session.messages.notice(
                tr("First choose above: keep what you typed, take theirs, or both.")
            )
            return
        if self._is_new:
            sent = texts_of(None) | dict(draft.texts if draft else {})
        elif draft is not None:
            sent = dict(draft.texts)
        else:
            return
        if self._asks_about_marks(sent):
            return
        self._problems = find_problems(sent)
        self._form.set_problems(self._problems)
        if self._problems:
            if draft is None:  # a new one without any typing: not saved all the same
                self._drafts.put(NEW_MEMORY, start_draft(None))
                self._show_state()
            self.set_reading(False)
            self._view.show_problem(next(name for name in FIELDS if name in self._problems))
            return
        if self._bytes.asks(draft.seen if draft else None, sent):
            return
        if "tags" in sent and tidy_tags(sent["tags"]) != sent["tags"]:
            lines = has_lines(sent["tags"])
            self._session.messages.notice(
                tr("Each line of the tags became a tag of its own.")
                if lines
                else tr("Empty tags between commas were left out.")
            )
        if draft is None or draft.seen is None:
            gone = None if draft is None else draft.gone
            self._drafts.reviving = "" if gone is None else gone.id
            added_id = self._session.add_memory(values_of(sent), self._drafts.reviving)
            self._saves.begin(Saving(NEW_MEMORY, sent, added_id))
        else:
            self._session.save_memory(draft.seen, values_of(sent))
            self._saves.begin(Saving(draft.memory_id, sent))

    def _asks_about_marks(self, sent: Mapping[str, str]) -> bool:
        """Ask before a text is saved that has both versions of a place between marker lines."""
        text, stored = sent.get("content", ""), stored_text(self._memory, "content")
        place = None if text == self._text_with_marks else find_marker(text, stored)
        if place is None:
            return False
        said = tr("The text still has both versions of a place, between lines that mark them.")
        keep = partial(self._save_with_marks, self._shown_id(), text)
        self._session.messages.offer(said, tr("Save as it is"), keep)
        self.set_reading(False)
        self._form.select_span("content", place)
        return True

    @Slot(str)
    def _on_bytes_cleared(self, memory_id: str) -> None:
        if self._shown_id() == memory_id:
            self.save()

    def _save_with_marks(self, memory_id: str, text: str) -> None:
        if self._shown_id() == memory_id:
            self._text_with_marks = text
            self.save()

    @Slot()
    def revert(self) -> None:
        """Forget the typing in the shown memory; a new one is given up.

        For a while it can be brought back, and in its field by Ctrl+Z.
        """
        self._problems = {}
        if (draft := self._draft()) is not None and draft.texts:
            said = tr("What you typed was let go.")
            bring_back = partial(self._bring_back, draft.keeping_mine())
            self._session.messages.offer(said, tr("Bring back"), bring_back)
        self._drafts.put(self._shown_id(), None)
        if self._is_new:
            self._is_new = False
            self._session.select(self._before_new)
            self._show(self._session.selected_memory)
            self._drafts.adopt_orphans()
        else:
            if self._memory is not None:
                self._form.bring_in(texts_of(self._memory))  # Ctrl+Z goes back to what was typed
            self._show(self._memory)

    def _bring_back(self, draft: Draft) -> None:
        """Take typing up again that was let go, unless there is newer typing in its place."""
        if self._drafts.get(draft.memory_id) is not None or not self._session.is_open:
            return
        if draft.memory_id != NEW_MEMORY and self._session.snapshot.row_of(draft.memory_id) is None:
            draft = shown_as_new(draft)
        self._drafts.put(draft.memory_id, draft)
        if draft.memory_id == NEW_MEMORY:
            self.start_new()
        elif self._memory is not None and self._memory.id == draft.memory_id:
            self._show(self._memory)
        else:
            self._session.select(draft.memory_id)

    @Slot(bool)
    def set_reading(self, on: bool) -> None:
        """Show the text as it reads, or fields to write in."""
        if on != self._view.is_reading:
            self._view.set_reading(on)
            self._show_reading()
            self.reading_changed.emit(on)

    def _show_reading(self) -> None:
        if self._view.is_reading and (self._is_new or self._memory is not None):
            draft = self._draft()
            self._view.reading.set_texts(draft.shown_texts() if draft else texts_of(self._memory))

    @Slot()
    def start_link(self, relation: str = "") -> None:
        """Open the line to link the shown memory; without one, say what is missing."""
        if self._memory is None:
            first = tr("Save the new memory first") if self._is_new else tr("Select a memory first")
            self._session.messages.notice(tr("{first}, then link it to another one.", first=first))
        elif not self._session.read_only_reason:
            self.set_reading(False)
            self._links.start_adding_as(relation)

    def add_text_actions(self, actions: Sequence[QAction]) -> None:
        """Offer more in the menu of the text."""
        self._form.text_field.addActions(actions)

    def find_in_text(self, *, backwards: bool | None = None) -> None:
        """Find words in the text; `backwards` goes on from the place found last."""
        if not self._is_new and self._memory is None:
            return
        if backwards is None:
            self._finding.start()
        else:
            self._finding.step(backwards)

    def go_to(self, place: Place) -> None:
        """Put the keyboard where something can be changed."""
        if self._memory is None:
            return
        self.set_reading(False)
        if place.field == "addLink":
            self.start_link()
        elif place.field == "addContradiction":
            self.start_link("contradicts")
        elif place.field == "links":
            self._links.focus_links()
        elif place.span is not None and self._is_as_stored(place.field):
            self._form.select_span(place.field, place.span)
        else:
            self._form.focus_field(place.field)

    # Showing.

    def _connect(self) -> None:
        session = self._session
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_vault_closed)
        session.selection_changed.connect(self._on_selection_changed)
        session.memory_loaded.connect(self._on_memory_loaded)
        session.memory_unreadable.connect(self._on_memory_unreadable)
        session.vault_changed.connect(self._on_vault_changed)
        session.write_finished.connect(self._on_write_finished)
        session.write_retried.connect(self._on_write_retried)
        session.looking.highlight_changed.connect(self._on_highlight_changed)
        self._drafts.restored.connect(self._on_drafts_restored)
        self._drafts.orphaned.connect(self._on_draft_orphaned)
        self._drafts.returned.connect(self._on_draft_returned)
        self._form.text_edited.connect(self._on_text_edited)
        self._form.told.connect(session.messages.notice)
        self._form.offered.connect(session.messages.offer)
        self._view.save_requested.connect(self.save)
        self._view.revert_requested.connect(self.revert)
        self._view.new_requested.connect(self.start_new)
        self._view.history_requested.connect(self.history_requested)
        self._view.reading_requested.connect(self.set_reading)
        self._view.link_requested.connect(self.link_requested)
        self._bytes.cleared.connect(self._on_bytes_cleared)
        self._conflict.settled.connect(self._on_conflict_settled)

    def _can_write(self) -> bool:
        return self._session.is_open and not self._session.read_only_reason

    def _shown_id(self) -> str:
        """The id under which the typing of what is shown is kept."""
        return self._memory.id if self._memory is not None else NEW_MEMORY

    def _draft(self) -> Draft | None:
        if self._is_new or self._memory is not None:
            return self._drafts.get(self._shown_id())
        return None

    def _typed(self) -> tuple[str, dict[str, str] | None]:
        """The id of what is shown, and its fields when they aren't as stored."""
        draft = self._draft()
        if draft is not None:
            return self._shown_id(), draft.shown_texts()
        return self._shown_id(), texts_of(None) if self._is_new else None

    def _show(self, memory: Memory | None) -> None:
        """Show a stored memory; None shows the new one, or that there is nothing."""
        was_new, was_id = self._showing
        self._memory = None if self._is_new else memory
        self._showing = (self._is_new, self._shown_id())
        is_same = self._showing == (was_new, was_id)
        if not is_same:
            self._problems = {}
            self._links.stop_adding()
        draft = self._draft()
        if self._is_new or memory is not None:
            texts = draft.shown_texts() if draft else texts_of(self._memory)
            self._form.set_texts(texts, is_same_memory=is_same)
            self._form.set_problems(self._problems)
        self._show_state()
        self._show_links()
        self._show_marks()
        self._scores.show()
        self._completions.show()
        self.hints.show("" if self._memory is None else self._memory.id)
        self._show_reading()
        self._view.settle()

    def _show_state(self) -> None:
        """All that depends on whether there is something, and whether it is saved."""
        session, draft = self._session, self._draft()
        shows = "memory" if self._memory is not None else "nothing"
        self._view.set_state(
            EditorState(
                shows="new" if self._is_new else shows,
                is_open=session.is_open,
                is_unsaved=draft is not None,
                lock=session.read_only_reason,
                history=describe_history(self._memory),
                changed_meanwhile=() if draft is None else draft.changed_meanwhile(),
                is_gone=draft is not None and draft.gone is not None,
                is_unreadable=self._is_unreadable and session.selected_id is not None,
            )
        )

    def _show_links(self) -> None:
        self._linking.show("" if self._memory is None else self._memory.id)

    def _show_marks(self) -> None:
        """Mark the evidence that is looked at, or the words of a search."""
        self._form.set_marks(find_marks(self._session.looking, self._memory, self._form.texts()))

    def _is_as_stored(self, name: str) -> bool:
        return self._form.texts()[name] == stored_text(self._memory, name)

    # What the session says.

    @Slot(object)
    def _on_highlight_changed(self, _highlight: object) -> None:
        self._show_marks()

    @Slot()
    def _on_vault_opened(self) -> None:
        self._start_afresh()

    @Slot()
    def _on_vault_closed(self) -> None:
        self._start_afresh()

    def _start_afresh(self) -> None:
        self._saves.clear()
        self._is_new = False
        self._show(self._session.selected_memory)

    @Slot(object)
    def _on_selection_changed(self, memory_id: str | None) -> None:
        # Another one is shown once it was read; until then typing goes where it is seen.
        if memory_id is None and not self._is_new:
            self._show(None)

    @Slot(object)
    def _on_memory_loaded(self, memory: Memory) -> None:
        is_added = memory.id == self._saves.added_id
        if is_added:
            self._move_typing_to(memory)
            if self._is_new:  # the caret stays: it is what was just written
                self._showing = (False, memory.id)
        is_own = self._saves.take_own(memory.id)
        draft = self._drafts.get(memory.id)
        if draft is not None:
            if draft.misses_archiving(memory):
                self._session.messages.notice(
                    tr("Another program archived this memory; what you typed is kept.")
                )
            self._drafts.put(memory.id, draft.following(memory, is_own=is_own))
        self._is_new = self._is_unreadable = False
        self._show(memory)
        if is_added:
            self.hints.look(memory.id)
            self._drafts.adopt_orphans()

    @Slot()
    def _on_memory_unreadable(self) -> None:
        self._is_new, self._is_unreadable = False, True
        self._show(None)

    def _move_typing_to(self, memory: Memory) -> None:
        """What was typed while the new memory was being written belongs to it now."""
        self._saves.added_id = ""
        begun = self._drafts.get(NEW_MEMORY)
        if begun is not None:
            self._drafts.put(memory.id, start_draft(memory).with_texts(begun.texts))
            self._drafts.put(NEW_MEMORY, None)

    @Slot(object)
    def _on_vault_changed(self, _changes: ChangeSet) -> None:
        self._show_links()
        self._view.settle()

    @Slot(str, bool)
    def _on_write_finished(self, action: str, written: bool) -> None:
        saving = self._saves.end(written=written) if action in ("save", "add") else None
        if saving is None:
            return
        self._drafts.reviving = ""
        if written:
            draft = self._drafts.get(saving.memory_id)
            if draft is not None:
                self._drafts.put(saving.memory_id, draft.without(saving.texts))
            if saving.memory_id == self._shown_id():
                # What was saved is taken back in the vault; only later typing here.
                rest = self._draft()
                self._form.forget_undo(() if rest is None else rest.texts)
                if not saving.added_id:
                    self.hints.look(saving.memory_id)
        self._show_state()

    @Slot(str, str)
    def _on_write_retried(self, _action: str, memory_id: str) -> None:
        self._saves.try_again(memory_id)

    @Slot()
    def _on_drafts_restored(self) -> None:
        names = [self._name_of(memory_id) for memory_id in self._drafts if memory_id != NEW_MEMORY]
        if self._drafts.get(NEW_MEMORY) is not None:
            names.append(tr("a new memory"))
        if names:
            said = tr("Unsaved typing in {names} was kept.", names=list_names(names))
            self._session.messages.offer(said, tr("Show"), self._show_kept)
        self._show(self._session.selected_memory)

    def _name_of(self, memory_id: str) -> str:
        snapshot = self._session.snapshot
        row = snapshot.row_of(memory_id)
        return tr("a deleted memory") if row is None else f"“{snapshot.memories.labels.text(row)}”"

    def _show_kept(self) -> None:
        """Show the first memory with unsaved typing, or the new one."""
        row_of = self._session.snapshot.row_of
        there = (one for one in self._drafts if one == NEW_MEMORY or row_of(one) is not None)
        memory_id = next(there, None)
        if memory_id == NEW_MEMORY:
            self.start_new()
        elif memory_id is not None:
            self._session.select(memory_id)

    @Slot(str)
    def _on_draft_orphaned(self, memory_id: str) -> None:
        if memory_id == self._shown_id():
            self._before_new, self._is_new = None, True
            self._show(None)

    @Slot(str)
    def _on_draft_returned(self, memory_id: str) -> None:
        if self._is_new:
            self._is_new = False
            self._session.select(memory_id)

    # What the person does.

    @Slot(str, object)
    def _on_text_edited(self, name: str, text: str) -> None:
        draft = self._draft() or start_draft(self._memory)
        if name == "content" and is_shrunk(before := draft.text_of("content"), text):
            said = tr("Most of the text was removed; the old text is kept.")
            put_back = partial(self._put_back, draft.memory_id, before)
            self._session.messages.offer(said, tr("Undo"), put_back)
        self._drafts.put(draft.memory_id, draft.with_text(name, text))
        if name in self._problems or name in SHARE_FIELDS:
            self._problems.pop(name, None)
            self._problems |= find_problems({name: text})
            self._form.set_problems(self._problems)
        self._show_state()
        self._scores.show()

    def _put_back(self, memory_id: str, content: str) -> None:
        """Give a memory the text that most was removed from; what came after is typing, too."""
        if self._shown_id() == memory_id and (self._is_new or self._memory is not None):
            self._form.bring_in({"content": content})
            self._on_text_edited("content", content)
        elif (draft := self._drafts.get(memory_id)) is not None:
            self._drafts.put(memory_id, draft.with_text("content", content))

    @Slot()
    def _on_conflict_settled(self) -> None:
        self._show_state()
        self._scores.show()

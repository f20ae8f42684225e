"""Links drawn, changed and removed in the graph, by keyboard and by mouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent

from mvdesk.records import RELATIONS
from mvdesk.ui.panels.neighbours import UNKNOWN_RELATION
from mvdesk.ui.plans import link_plan
from mvdesk.ui.widgets.link_adder import RELATION_KEYS
from mvdesk.ui.widgets.relation_mark import relation_phrase
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.panels.graph_shaping import GraphShaping
    from mvdesk.ui.plots.graph_overlay import Link
    from mvdesk.ui.plots.graph_scene import GraphView
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.link_line import LinkLine

_WALK_KEYS: Final = {Qt.Key.Key_Period: 1, Qt.Key.Key_Comma: -1}
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PAD: Final = Qt.KeyboardModifier.KeypadModifier
_AIM: Final = tr("walk to the other memory or click it")


@dataclass(frozen=True, slots=True)
class _Stored:
    """A link as the vault has it."""

    link_id: str
    from_id: str
    to_id: str
    relation: str
    label: str | None


class GraphLinking(QObject):
    """Keys and clicks of the view that are about links; the line that asks for the rest.

    L begins a link at the memory the keyboard is at, "." and "," go through its links.
    """

    def __init__(
        self, session: VaultSession, view: GraphView, line: LinkLine, shaping: GraphShaping
    ) -> None:
        super().__init__(view)
        self._session, self._view, self._line, self._shaping = session, view, line, shaping
        self._from: str | None = None
        self._to: str | None = None
        self._chosen: Link | None = None
        self._offered = ""  # the relation that the line began with, or took from a link
        view.installEventFilter(self)
        view.current_changed.connect(self._on_current_changed)
        view.link_clicked.connect(self._on_link_clicked)
        view.link_dragged.connect(self._on_link_dragged)
        line.accepted.connect(self._on_accepted)
        line.remove_requested.connect(self.remove)
        line.left.connect(self.leave)
        session.vault_changed.connect(self._on_vault_changed)

    # The keyboard.

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and not event.modifiers() & ~_PAD:
            kind = event.type()
            if kind == QEvent.Type.ShortcutOverride and self._has_use_for(event):
                event.accept()
                return True
            if kind == QEvent.Type.KeyPress:
                return self._take_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _has_use_for(self, event: QKeyEvent) -> bool:
        key = event.key()
        if self._from is not None:
            return key in RELATION_KEYS or key in (*_ENTER, Qt.Key.Key_Escape, Qt.Key.Key_Tab)
        keys = (Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_Escape)
        return key == Qt.Key.Key_L or (self._chosen is not None and key in keys)

    def _take_key(self, key: Qt.Key) -> bool:
        if self._from is not None:
            return self._take_key_while_drawing(key)
        if key == Qt.Key.Key_L:
            self.begin()
        elif key in _WALK_KEYS:
            self._walk(_WALK_KEYS[key])
        elif self._chosen is None:
            return False
        elif key == Qt.Key.Key_Delete:
            self.remove()
        elif key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_F2, Qt.Key.Key_Tab, *_ENTER):
            self._line.focus_label()
        else:
            return False
        return True

    def _take_key_while_drawing(self, key: Qt.Key) -> bool:
        if key in RELATION_KEYS:
            self._line.set_relation(RELATION_KEYS[key])
            self._say()
        elif key in _ENTER:
            self._line.accept()
        elif key == Qt.Key.Key_Tab:
            self._line.focus_label()
        elif key == Qt.Key.Key_Escape:
            self.leave()
        else:
            return False
        return True

    # What can be done.

    @property
    def is_busy(self) -> bool:
        """Whether a link is being drawn or is chosen."""
        return self._from is not None or self._chosen is not None

    def begin(self) -> None:
        """Draw a link from the memory the keyboard is at."""
        current = self._view.current_id
        if current is None:
            self._session.messages.notice(tr("Select a memory first: the link begins there."))
        elif self._may_write():
            self._start(current)

    def leave(self) -> None:
        """Draw no link and choose none; the focus goes back to the graph."""
        had_focus = self._line.isAncestorOf(self._line.window().focusWidget() or self._view)
        self._from = self._to = self._chosen = None
        self._view.set_drawn_from(None)
        self._view.set_chosen_link(None)
        self._line.hide()
        if had_focus:
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def remove(self) -> None:
        """Remove the chosen link; undo brings it back."""
        stored = self._find_stored(self._chosen)
        if stored is not None and self._may_write():
            self.leave()
            self._session.remove_link(stored.link_id)

    def _start(self, from_id: str) -> None:
        self.leave()
        self._from = from_id
        self._line.ask("")
        self._offered = self._line.relation
        self._view.set_drawn_from(from_id)
        self._say()

    def _may_write(self) -> bool:
        reason = self._session.read_only_reason
        if reason:
            self._session.messages.notice(reason)
        return not reason

    def _walk(self, by: int) -> None:
        """Choose the next or previous link of the memory the keyboard is at."""
        picture, current = self._view.picture, self._view.current_id
        if current is None:
            return
        node = picture.ids.index(current)
        edges = np.flatnonzero((picture.edges == node).any(axis=1)).tolist()
        links = list(dict.fromkeys(self._view.link_of_edge(edge) for edge in edges))
        if not links:
            self._session.messages.notice(tr("This memory has no links here."))
            return
        at = links.index(self._chosen) + by if self._chosen in links else (0 if by > 0 else -1)
        place = at % len(links)
        self._choose(
            links[place], tr("Link {place:,} of {links:,}: ", place=place + 1, links=len(links))
        )

    def _choose(self, link: Link, before: str = "") -> None:
        stored = self._find_stored(link)
        if stored is None:
            return
        self._chosen = link
        self._view.set_chosen_link(link)
        title_of = self._shaping.title_of
        phrase = relation_phrase(stored.relation, outgoing=True)
        text = f"{before}“{title_of(stored.from_id)}” {phrase} “{title_of(stored.to_id)}”"
        self._line.show_link(text, stored.relation, stored.label)
        self._line.set_writable(not self._session.read_only_reason)
        self._view.say(text + (f", {stored.label}" if stored.label else ""))

    def _say(self) -> None:
        """Say in the line, and to screen readers, what Enter would do."""
        assert self._from is not None
        title_of = self._shaping.title_of
        there = None if self._to is None else self._find_joining(self._from, self._to)
        self._offer(there)
        outgoing = there is None or there.from_id == self._from
        phrase = relation_phrase(self._line.relation, outgoing=outgoing)
        if self._to is None:
            text = f"“{title_of(self._from)}” {phrase} …: {_AIM}"
            self._line.set_ready(text, tr("Link"), is_ready=False)
        else:
            text = f"“{title_of(self._from)}” {phrase} “{title_of(self._to)}”"
            if there is not None:
                # First: a narrow line has room for the beginning alone.
                was = relation_phrase(there.relation, outgoing=outgoing)
                text = tr("Linked already ({was}), Enter changes that: {text}", was=was, text=text)
            self._line.set_ready(text, tr("Link") if there is None else tr("Change"), is_ready=True)
        self._view.say(text)

    def _offer(self, there: _Stored | None) -> None:
        """Start from the relation and label that a link has, unless the person chose others."""
        if self._line.relation != self._offered:
            return
        self._offered = RELATIONS[0] if there is None else there.relation
        self._line.set_relation(self._offered)
        self._line.offer_label("" if there is None else there.label or "")

    def _find_joining(self, one_id: str, other_id: str) -> _Stored | None:
        ends = {one_id, other_id}
        found = [one for one in self._links_of(one_id) if {one.from_id, one.to_id} == ends]
        outgoing = [one for one in found if one.from_id == one_id]
        return next(iter(outgoing or found), None)

    def _find_stored(self, link: Link | None) -> _Stored | None:
        if link is None:
            return None
        for stored in self._links_of(link[0]):
            if (stored.from_id, stored.to_id, stored.relation) == link:
                return stored
        return None

    def _links_of(self, memory_id: str) -> list[_Stored]:
        if not self._session.is_open:
            return []
        snapshot = self._session.snapshot
        row = snapshot.row_of(memory_id)
        links, ids = snapshot.links, snapshot.memories.ids
        found = []
        for number in [] if row is None else snapshot.links_of_row(row).tolist():
            ends = int(links.from_rows[number]), int(links.to_rows[number])
            code = int(links.relations[number])
            if min(ends) >= 0:
                relation = RELATIONS[code] if code >= 0 else UNKNOWN_RELATION
                names = ids.text(ends[0]), ids.text(ends[1])
                label = links.labels[number]
                found.append(_Stored(links.ids.text(number), *names, relation, label))
        return found

    # What happens.

    @Slot(str)
    def _on_current_changed(self, memory_id: str) -> None:
        if self._from is not None:
            self._to = memory_id if memory_id != self._from else None
            self._say()
        elif self._chosen is not None and memory_id not in self._chosen[:2]:
            self.leave()

    @Slot(object)
    def _on_link_clicked(self, link: Link | None) -> None:
        if self._from is None and link is not None:
            self._choose(link)
        elif self._from is None and self._chosen is not None:
            self.leave()

    @Slot(str, str)
    def _on_link_dragged(self, from_id: str, to_id: str) -> None:
        if self._may_write():
            self._start(from_id)
            self._to = to_id
            self._say()

    @Slot(str, str)
    def _on_accepted(self, relation: str, label: str) -> None:
        session, now = self._session, self._session.current_time()
        stored = self._find_stored(self._chosen)
        if stored is not None:
            ends, change_id = (stored.from_id, stored.to_id), stored.link_id
        elif self._from is not None and self._to is not None:
            there = self._find_joining(self._from, self._to)
            ends, change_id = (self._from, self._to), ""
            if there is not None:
                ends, change_id = (there.from_id, there.to_id), there.link_id
        else:
            return
        self.leave()
        plan = link_plan(*ends, relation, label or None, now, change_id or None)
        session.write("link", plan)
        # Chosen, so that F2 labels it and Del takes it away again.
        self._chosen = (*ends, relation)
        self._view.set_chosen_link(self._chosen)

    @Slot()
    def _on_vault_changed(self, _changes: object = None) -> None:
        """What was chosen or begun may be gone, or another program changed it."""
        if self._chosen is not None and self._from is None:
            if self._find_stored(self._chosen) is None:
                self.leave()
            elif not self._line.isHidden() or self._view.hasFocus():
                self._choose(self._chosen)
        elif self._from is not None:
            gone = self._session.snapshot.row_of(self._from) is None
            if gone:
                self.leave()
            else:
                self._say()

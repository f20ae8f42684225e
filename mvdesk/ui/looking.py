"""What the person looks at closely: evidence pointed at, a pinned memory, a place to go to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Highlight:
    """Evidence of one memory that every panel marks where it shows it.

    `spans` are starts and ends in code points of the stored text, by field. `links` are ids of
    links; `source` says that the source is meant.
    """

    memory_id: str
    spans: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    links: frozenset[str] = frozenset()
    source: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where something can be changed: a panel, and in the editor a field of it.

    The panel "explain" is gone to for a reason: `field` is the score that is asked about, "" for
    whichever is shown.

    `span` is a start and an end in code points of the stored text of that field. The field
    "links" are the links, "addLink" the line to add one, "addContradiction" the same with
    that relation chosen.
    """

    panel: str
    field: str = ""
    span: tuple[int, int] | None = None


class Looking(QObject):
    """Part of the view state; belongs to a session. Setters emit only on a real change."""

    highlight_changed = Signal(object)  # Highlight | None
    pin_changed = Signal(object)  # memory id | None
    place_requested = Signal(object)  # Place
    source_changed = Signal(object)  # source key | None
    link_requested = Signal(str)  # the text of an mvdesk:// link

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._highlight: Highlight | None = None
        self._pinned_id: str | None = None
        self._word_finder: Callable[[str], list[tuple[int, int]]] | None = None
        self._source_key: str | None = None

    @property
    def word_finder(self) -> Callable[[str], list[tuple[int, int]]] | None:
        """Tells where a text has words that are searched for; None without a search."""
        return self._word_finder

    def set_word_finder(self, find: Callable[[str], list[tuple[int, int]]] | None) -> None:
        """Have the words of a search marked, where no evidence is."""
        if find is not None or self._word_finder is not None:
            self._word_finder = find
            self.highlight_changed.emit(self._highlight)

    @property
    def highlight(self) -> Highlight | None:
        return self._highlight

    @property
    def pinned_id(self) -> str | None:
        """The memory that others are compared with."""
        return self._pinned_id

    def set_highlight(self, highlight: Highlight | None) -> None:
        if highlight != self._highlight:
            self._highlight = highlight
            self.highlight_changed.emit(highlight)

    def pin(self, memory_id: str | None) -> None:
        """Compare others with this memory; None ends it."""
        if memory_id != self._pinned_id:
            self._pinned_id = memory_id
            self.pin_changed.emit(memory_id)

    @property
    def source_key(self) -> str | None:
        """The source that is looked at among all of them; it needn't be the selected memory's."""
        return self._source_key

    def set_source(self, source_key: str | None) -> None:
        """Look at another source; None for none."""
        if source_key != self._source_key:
            self._source_key = source_key
            self.source_changed.emit(source_key)

    def follow_link(self, link: str) -> None:
        """Ask for the memory that an mvdesk:// link names, in whatever vault it is."""
        self.link_requested.emit(link)

    def go_to(self, place: Place) -> None:
        """Ask for a place to be shown, with the keyboard in it."""
        self.place_requested.emit(place)

    def clear(self) -> None:
        """Forget everything, as when the vault is closed."""
        self.set_highlight(None)
        self.set_word_finder(None)
        self.pin(None)
        self.set_source(None)

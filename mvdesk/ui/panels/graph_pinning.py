"""Memories dragged elsewhere in the whole graph, and unpinned: steps that can be taken back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from mvdesk.ui.panels.graph_pins import Pinned, Place
    from mvdesk.ui.panels.graph_shaping import GraphShaping
    from mvdesk.ui.panels.whole_graph import WholeGraph


class GraphPinning(QObject):
    """Pins and unpins, and says where a memory stands then."""

    placed = Signal(str, float, float)  # in px of the layout

    def __init__(self, whole: WholeGraph, shaping: GraphShaping, parent: QObject) -> None:
        super().__init__(parent)
        self._whole, self._shaping = whole, shaping

    def drag(self, memory_id: str, before: Place, place: Place) -> None:
        """Pin a memory at another place than `before`."""
        old = (self._whole.pins.get(memory_id), before)
        self._whole.pin(memory_id, place, before)
        self._finish(f"Move “{self._shaping.title_of(memory_id)}”", memory_id, old, place)

    def unpin(self, memory_id: str, before: Place) -> None:
        """Have a memory back where it stood before it was pinned; nothing if it isn't."""
        old = (self._whole.pins.get(memory_id), before)
        place = self._whole.unpin(memory_id)
        if place is not None:
            self._finish(f"Unpin “{self._shaping.title_of(memory_id)}”", memory_id, old, place)

    def _finish(self, label: str, memory_id: str, old: Pinned, place: Place) -> None:
        new = (self._whole.pins.get(memory_id), place)
        undo, redo = partial(self._put, memory_id, old), partial(self._put, memory_id, new)
        self._shaping.note(label, undo, redo)
        self.placed.emit(memory_id, *place)

    def _put(self, memory_id: str, pinned: Pinned) -> None:
        self._whole.put(memory_id, pinned)
        self.placed.emit(memory_id, *pinned[1])

"""Memories dragged elsewhere in a graph, and unpinned: steps that can be taken back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from mvdesk.ui.panels.graph_pins import Pinned, Place
    from mvdesk.ui.panels.graph_shaping import GraphShaping


class Pins(Protocol):
    """The memories that are pinned in one graph, each with the place it had before."""

    pins: dict[str, Place]

    def pin(self, memory_id: str, place: Place, before: Place) -> None: ...

    def unpin(self, memory_id: str) -> Place | None: ...

    def put(self, memory_id: str, pinned: Pinned) -> None: ...


class AroundPins:
    """Pins of the graph around one memory: as long as the vault is open.

    Distances there say how many links away a memory is, so no place is worth keeping.
    """

    def __init__(self) -> None:
        self.pins: dict[str, Place] = {}
        self.places: dict[str, Place] = {}  # of the pinned ones

    def pin(self, memory_id: str, place: Place, before: Place) -> None:
        """Hold a memory where it was put; `before` is where it goes when that is undone."""
        self.pins.setdefault(memory_id, before)
        self.places[memory_id] = place

    def unpin(self, memory_id: str) -> Place | None:
        """The place that a memory had before it was pinned, and has again; None: it isn't."""
        self.places.pop(memory_id, None)
        return self.pins.pop(memory_id, None)

    def put(self, memory_id: str, pinned: Pinned) -> None:
        """Have a memory stand somewhere, pinned or not, as it did before."""
        before, place = pinned
        self.unpin(memory_id)
        if before is not None:
            self.pin(memory_id, place, before)


class GraphPinning(QObject):
    """Pins and unpins, and says in which graph a memory stands where then."""

    placed = Signal(object, str, float, float)  # Pins; in px of the layout

    def __init__(self, shaping: GraphShaping, parent: QObject) -> None:
        super().__init__(parent)
        self._shaping = shaping
        self._around: dict[str, AroundPins] = {}

    def around(self, memory_id: str) -> AroundPins:
        """The pins of the graph around a memory."""
        return self._around.setdefault(memory_id, AroundPins())

    def forget(self) -> None:
        """Another vault is open."""
        self._around = {}

    def drag(self, pins: Pins, memory_id: str, before: Place, place: Place) -> None:
        """Pin a memory at another place than `before`."""
        old = (pins.pins.get(memory_id), before)
        pins.pin(memory_id, place, before)
        self._finish(pins, "Move", memory_id, old, place)

    def unpin(self, pins: Pins, memory_id: str, before: Place) -> None:
        """Have a memory back where it stood before it was pinned; nothing if it isn't."""
        old = (pins.pins.get(memory_id), before)
        place = pins.unpin(memory_id)
        if place is not None:
            self._finish(pins, "Unpin", memory_id, old, place)

    def _finish(self, pins: Pins, verb: str, memory_id: str, old: Pinned, place: Place) -> None:
        new = (pins.pins.get(memory_id), place)
        undo = partial(self._put, pins, memory_id, old)
        redo = partial(self._put, pins, memory_id, new)
        self._shaping.note(f"{verb} “{self._shaping.title_of(memory_id)}”", undo, redo)
        self.placed.emit(pins, memory_id, *place)

    def _put(self, pins: Pins, memory_id: str, pinned: Pinned) -> None:
        pins.put(memory_id, pinned)
        self.placed.emit(pins, memory_id, *pinned[1])

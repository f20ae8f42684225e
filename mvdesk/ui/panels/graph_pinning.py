"""Memories dragged elsewhere in a graph, and unpinned: steps that can be taken back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, Signal

from mvdesk.errors import VaultError
from mvdesk.ui.panels.graph_pins import read_around, write_around
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.graph_pins import Pinned, Place
    from mvdesk.ui.panels.graph_shaping import GraphShaping
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault

_JOB: Final = "graphAround"


class Pins(Protocol):
    """The memories that are pinned in one graph, each with the place it had before."""

    pins: dict[str, Place]

    def pin(self, memory_id: str, place: Place, before: Place) -> None: ...

    def unpin(self, memory_id: str) -> Place | None: ...

    def put(self, memory_id: str, pinned: Pinned) -> None: ...


class AroundPins:
    """Pins of the graph around one memory. They count there alone, and are kept for it."""

    def __init__(self, keep: Callable[[Mapping[str, Pinned]], None]) -> None:
        self._keep = keep
        self.pins: dict[str, Place] = {}
        self.places: dict[str, Place] = {}  # of the pinned ones

    def load(self, pins: Mapping[str, Pinned]) -> None:
        """Have those that were kept."""
        for memory_id, (before, place) in pins.items():
            if before is not None:
                self.pins[memory_id], self.places[memory_id] = before, place

    def pin(self, memory_id: str, place: Place, before: Place) -> None:
        """Hold a memory where it was put; `before` is where it goes when that is undone."""
        self.pins.setdefault(memory_id, before)
        self.places[memory_id] = place
        self._save()

    def unpin(self, memory_id: str) -> Place | None:
        """The place that a memory had before it was pinned, and has again; None: it isn't."""
        self.places.pop(memory_id, None)
        before = self.pins.pop(memory_id, None)
        if before is not None:
            self._save()
        return before

    def put(self, memory_id: str, pinned: Pinned) -> None:
        """Have a memory stand somewhere, pinned or not, as it did before."""
        before, place = pinned
        self.unpin(memory_id)
        if before is not None:
            self.pin(memory_id, place, before)

    def _save(self) -> None:
        self._keep({key: (before, self.places[key]) for key, before in self.pins.items()})


class GraphPinning(QObject):
    """Pins and unpins, and says in which graph a memory stands where then."""

    placed = Signal(object, str, float, float)  # Pins; in px of the layout
    loaded = Signal()  # pins that were kept beside the vault

    def __init__(self, session: VaultSession, shaping: GraphShaping, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._shaping = shaping
        self._around: dict[str, AroundPins] = {}

    def load(self) -> None:
        """Begin with what is kept beside the vault that was opened."""
        self._around = {}
        vault = self._session.vault

        def work(_token: CancelToken) -> dict[str, dict[str, Pinned]]:
            return _read(vault)

        self._session.jobs.run(_JOB, work, self._on_read)

    def around(self, memory_id: str) -> AroundPins:
        """The pins of the graph around a memory."""
        if memory_id not in self._around:
            self._around[memory_id] = AroundPins(partial(self._keep, memory_id))
        return self._around[memory_id]

    def _on_read(self, kept: dict[str, dict[str, Pinned]]) -> None:
        for centre, pins in kept.items():
            around = self.around(centre)
            if not around.pins:  # what was pinned meanwhile is newer
                around.load(pins)
        if kept:
            self.loaded.emit()

    def _keep(self, centre: str, pins: Mapping[str, Pinned]) -> None:
        save = partial(write_around, self._session.vault, centre, pins)
        self._session.jobs.write(save, _ignore, failed=self._session.messages.report)

    def drag(self, pins: Pins, memory_id: str, before: Place, place: Place) -> None:
        """Pin a memory at another place than `before`."""
        old = (pins.pins.get(memory_id), before)
        pins.pin(memory_id, place, before)
        self._finish(pins, tr("Move"), memory_id, old, place)

    def unpin(self, pins: Pins, memory_id: str, before: Place) -> None:
        """Have a memory back where it stood before it was pinned; nothing if it isn't."""
        old = (pins.pins.get(memory_id), before)
        place = pins.unpin(memory_id)
        if place is not None:
            self._finish(pins, tr("Unpin"), memory_id, old, place)

    def _finish(self, pins: Pins, verb: str, memory_id: str, old: Pinned, place: Place) -> None:
        new = (pins.pins.get(memory_id), place)
        undo = partial(self._put, pins, memory_id, old)
        redo = partial(self._put, pins, memory_id, new)
        self._shaping.note(f"{verb} “{self._shaping.title_of(memory_id)}”", undo, redo)
        self.placed.emit(pins, memory_id, *place)

    def _put(self, pins: Pins, memory_id: str, pinned: Pinned) -> None:
        pins.put(memory_id, pinned)
        self.placed.emit(pins, memory_id, *pinned[1])


def _read(vault: Vault) -> dict[str, dict[str, Pinned]]:
    try:
        return read_around(vault)
    except VaultError:
        return {}  # as if nothing had been pinned


def _ignore(_: object) -> None:
    pass

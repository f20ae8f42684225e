"""What the person did to the shape of the graph, and where that is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from mvdesk.vault.vault import Vault

_KEPT = ("hidden", "stopped")


@dataclass(frozen=True, slots=True)
class GraphShape:
    """Memories by id: hidden, not gone beyond, and opened or folded as long as one looks.

    What is `hidden` or `stopped` is kept beside the vault, the rest is forgotten with it.
    """

    hidden: frozenset[str] = frozenset()
    stopped: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()
    folded: frozenset[str] = frozenset()


NO_SHAPE = GraphShape()


def read_shape(vault: Vault) -> GraphShape:
    """The kept part of the shape. Raises VaultError."""
    stored = vault.companion.read_setting(_name(vault))
    if not isinstance(stored, dict):
        return NO_SHAPE
    lists = [stored.get(name) for name in _KEPT]
    hidden, stopped = (
        frozenset(key for key in one if isinstance(key, str))
        if isinstance(one, list)
        else frozenset()
        for one in lists
    )
    return GraphShape(hidden, stopped)


def write_shape(vault: Vault, shape: GraphShape) -> None:
    """Keep it. Raises VaultError."""
    kept = {name: sorted(getattr(shape, name)) for name in _KEPT if getattr(shape, name)}
    vault.companion.write_setting(_name(vault), kept or None)


def _name(vault: Vault) -> str:
    # As for the pins: a strange file's id may hold a slash.
    return f"graph/shape/{quote(vault.brain.id, safe='')}"

"""The memories that the person put somewhere in the whole graph."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault

Place = tuple[float, float]
Pinned = tuple[Place | None, Place]
"""The place before a memory was pinned, None while it isn't; and where it stands."""


def read_pins(vault: Vault) -> dict[str, Place]:
    """Pinned memories by id, with the place each had before. Raises VaultError."""
    stored = vault.companion.read_setting(_name(vault))
    if not isinstance(stored, dict):
        return {}
    return {
        key: (float(place[0]), float(place[1]))
        for key, place in stored.items()
        if isinstance(place, list)
        and len(place) == 2
        and all(isinstance(number, (int, float)) for number in place)
    }


def move_pin(session: VaultSession, pins: Mapping[str, Place], moved: Mapping[str, Place]) -> None:
    """Keep which memories are pinned, and where those that were `moved` stand now."""
    vault = session.vault
    session.jobs.write(partial(_write, vault, dict(pins), dict(moved)), _ignore)


def _write(vault: Vault, pins: dict[str, Place], moved: dict[str, Place]) -> None:
    vault.companion.write_positions(vault.brain.id, moved)
    vault.companion.write_setting(_name(vault), pins or None)


def _name(vault: Vault) -> str:
    # A strange file's id may hold a slash; no brain must see another's pins.
    return f"graph/pins/{quote(vault.brain.id, safe='')}"


def _ignore(_: None) -> None:
    pass

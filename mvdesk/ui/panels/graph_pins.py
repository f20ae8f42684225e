"""The memories that the person put somewhere in a graph, as they are kept beside the vault."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

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


def read_around(vault: Vault) -> dict[str, dict[str, Pinned]]:
    """Pinned memories of the graph around each memory, by ids. Raises VaultError."""
    beginning = _around(vault)
    found = {}
    for name, stored in vault.companion.read_settings(beginning).items():
        pins = _parse(stored)
        if pins:
            found[unquote(name.removeprefix(beginning))] = pins
    return found


def write_around(vault: Vault, centre: str, pins: Mapping[str, Pinned]) -> None:
    """Keep those of the graph around one memory. Raises VaultError."""
    stored = {key: [*before, *place] for key, (before, place) in pins.items() if before}
    vault.companion.write_setting(f"{_around(vault)}{quote(centre, safe='')}", stored or None)


def _parse(stored: object) -> dict[str, Pinned]:
    if not isinstance(stored, dict):
        return {}
    return {
        key: ((float(four[0]), float(four[1])), (float(four[2]), float(four[3])))
        for key, four in stored.items()
        if isinstance(four, list)
        and len(four) == 4
        and all(isinstance(number, (int, float)) for number in four)
    }


def _around(vault: Vault) -> str:
    return f"graph/around/{quote(vault.brain.id, safe='')}/"


def _name(vault: Vault) -> str:
    # A strange file's id may hold a slash; no brain must see another's pins.
    return f"graph/pins/{quote(vault.brain.id, safe='')}"


def _ignore(_: None) -> None:
    pass

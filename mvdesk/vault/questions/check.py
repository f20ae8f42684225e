"""Whether a vault is sound: the file, its rows, and what is kept beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.store.checking import (
    LOOSE,
    SELF_LINK,
    Finding,
    find_companion_damage,
    find_file_problems,
    find_row_problems,
)
from mvdesk.store.search import SearchIndex
from mvdesk.vault.operations.repair import can_be_repaired
from mvdesk.vault.snapshot import read_snapshot

if TYPE_CHECKING:
    from mvdesk.vault.vault import Vault

_NOTES: Final = frozenset({LOOSE, SELF_LINK})
"""Kinds of findings that a server leaves about as well; they do no harm."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was found. `companion` is a sentence about the file beside the vault, "" if sound.

    `index_damage` says what is wrong with the index of texts, "" for nothing.
    `is_companion_stale`: the columns kept there are of another state of the vault, as after
    any write; they are made anew when they are needed.
    """

    findings: tuple[Finding, ...]
    companion: str
    index_damage: str
    is_companion_stale: bool

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What should not be so, in the vault itself."""
        return tuple(one for one in self.findings if one.kind not in _NOTES)

    @property
    def repairable(self) -> tuple[Finding, ...]:
        """The problems that have one obvious right value."""
        return tuple(one for one in self.problems if can_be_repaired(one))


def check_vault(vault: Vault, *, now: int) -> Check:
    """Look at everything; changes nothing. Takes seconds for a large vault."""
    with vault.file.read() as conn:
        findings = [
            *find_file_problems(conn),
            *find_row_problems(conn, vault.file.schema, vault.brain.id, now=now),
        ]
    path = vault.companion.path
    companion = (find_companion_damage(path) or "") if path else ""
    index_damage = ""
    if path and path.exists() and not companion:
        index = SearchIndex(path)
        index_damage = index.find_damage()
        index.close()
    stamp = vault.file.stamp()
    stale = vault.companion.read_columns(vault.brain.id, stamp) is None
    return Check(tuple(findings), companion, index_damage, stale)


def renew_companion(vault: Vault, check: Check) -> None:
    """Make anew what the companion derives from the vault; the person's part stays."""
    if check.index_damage and vault.companion.path is not None:
        index = SearchIndex(vault.companion.path)
        index.clear()
        index.close()
    read_snapshot(vault)

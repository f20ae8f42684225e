"""Saving what can be read of a damaged vault as a MemoryVault export."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvdesk.exchange.export_json import COLUMNS, format_export
from mvdesk.records import LEGACY_BRAIN_ID, StoredPolicy
from mvdesk.store.rescue import rescue
from mvdesk.vault.operations.policy import policy_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Rescue:
    """An export as text, how many rows of each table it holds, and what isn't all there."""

    text: str
    counts: Mapping[str, int]
    broken: tuple[str, ...]
    """Tables with parts that can't be read."""
    missing: tuple[str, ...]
    """Tables that were not found where the list of tables is damaged: empty or lost."""


def rescue_vault(path: Path, *, exported_at: int, brain_id: str | None = None) -> Rescue:
    """What can be read of a vault, of one brain or of all. The file isn't touched.

    Links whose ends could not be read are kept: a better copy may hold them. Raises
    VaultError when nothing can be read.
    """
    rescued = rescue(path, (*COLUMNS, "brain_policies"))
    tables = rescued.rows
    if brain_id is not None:
        tables = {
            name: [row for row in rows if (row.get("brain_id") or LEGACY_BRAIN_ID) == brain_id]
            for name, rows in tables.items()
        }
    policy = None
    for row in tables.get("brain_policies", ())[:1]:
        stored = StoredPolicy("", str(row.get("policy_json")), 0, 0)
        policy = policy_of(stored).to_json()
    text = format_export(tables, policy, exported_at=exported_at)
    counts = {name: len(rows) for name, rows in tables.items() if name in COLUMNS}
    return Rescue(text, counts, rescued.broken, rescued.missing)

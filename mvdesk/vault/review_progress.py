"""Which memories were looked after today, kept beside the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.store.companion import Companion


def read_done(companion: Companion, brain_id: str, day: str) -> tuple[str, ...]:
    """The ids of a day such as "2026-11-30", in order; none for another. Raises VaultError."""
    stored = companion.read_setting(_setting(brain_id))
    if not isinstance(stored, dict) or stored.get("day") != day:
        return ()
    ids = stored.get("ids")
    return tuple(one for one in ids if isinstance(one, str)) if isinstance(ids, list) else ()


def write_done(companion: Companion, brain_id: str, day: str, ids: Sequence[str]) -> None:
    """Keep what was done on a day in place of what is kept. Raises VaultError."""
    companion.write_setting(_setting(brain_id), {"day": day, "ids": list(ids)})


def _setting(brain_id: str) -> str:
    return f"review/{brain_id}"

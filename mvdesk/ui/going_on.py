"""Where a list goes on when what was current is gone, or skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def follow_key(before: Sequence[str], key: str | None, keys: Sequence[str]) -> str | None:
    """The current key among `keys`: the same, else what came after it, else the first.

    `before` are the keys that were listed while it was there. None for an empty list.
    """
    if key in keys:
        return key
    rest = before[before.index(key) + 1 :] if key in before else []
    return next((one for one in rest if one in keys), keys[0] if keys else None)


def skip_key(keys: Sequence[str], key: str | None) -> str:
    """The key after another one, after the last the first. There is one."""
    place = keys.index(key) if key in keys else -1
    return keys[(place + 1) % len(keys)]

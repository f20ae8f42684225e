"""How often what takes long is computed again while a slider moves."""

from __future__ import annotations

from typing import Final

_SHARE: Final = 10
_LONGEST_MS: Final = 10_000
_MEMORIES_PER_MS: Final = 10_000
_MANY: Final = 100_000


def pause_between(took_ms: int, least_ms: int) -> int:
    """The wait until the next computation, in ms, after one that took `took_ms`.

    So that at most a tenth of a drag is spent on it: the interpreter runs one thread at a
    time, and the frames of the slider come first.
    """
    return min(max(least_ms, _SHARE * took_ms), _LONGEST_MS)


def rest_before(least_ms: int, memories: int) -> int:
    """How long a slider of a vault of so many memories has rested when others follow it, in ms.

    A pass over a million of them takes longer than a frame: it must not be in the way of the
    order of the next step.
    """
    return least_ms + memories // _MEMORIES_PER_MS


def while_moving(least_ms: int, memories: int) -> int:
    """How often others follow a slider that moves on, in ms, before it is known what they cost."""
    return least_ms * max(1, memories // _MANY)

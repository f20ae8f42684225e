"""The way taken through the graph: memories visited, back and forward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_REMEMBERED: Final = 100


class Trail:
    """Memories in the order they were visited, and which of them is looked at."""

    def __init__(self) -> None:
        self._visited: list[str] = []
        self._place = -1

    def visit(self, memory_id: str) -> None:
        """Go on from here; what lay ahead is forgotten. Nothing when one is there already."""
        at = self._visited[self._place] if self._place >= 0 else None
        if memory_id != at:
            self._visited = [*self._visited[: self._place + 1], memory_id][-_MOST_REMEMBERED:]
            self._place = len(self._visited) - 1

    def has(self, by: int) -> bool:
        """Whether there is a memory so many steps away."""
        return 0 <= self._place + by < len(self._visited)

    def step(self, by: int, find: Callable[[str], object]) -> str | None:
        """Go back (-1) or forward (1), past memories that `find` gives None for.

        None, and nothing moves, when there is none that way.
        """
        place = self._place + by
        while 0 <= place < len(self._visited):
            if find(self._visited[place]) is not None:
                self._place = place
                return self._visited[place]
            place += by
        return None

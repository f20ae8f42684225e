"""The editor's saves that are under way, refused, or just done."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvdesk.ui.panels.drafts import NEW_MEMORY

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Saving:
    """A save: of which memory, the fields sent, and the id a new one gets."""

    memory_id: str
    texts: Mapping[str, str]
    added_id: str = ""


class Saves:
    """Keeps order: saves end in the order in which they began."""

    def __init__(self) -> None:
        self._under_way: deque[Saving] = deque()
        self._refused: dict[str, Saving] = {}  # by the memory's id; they may be tried again
        self._done: set[str] = set()  # saved here, and not read again yet
        self.added_id = ""
        """A new memory that is written, but not read yet."""

    def clear(self) -> None:
        """Forget all, as with another vault."""
        self._under_way.clear()
        self._refused.clear()
        self._done.clear()
        self.added_id = ""

    def begin(self, saving: Saving) -> None:
        """A save was sent off."""
        self._under_way.append(saving)

    def is_under_way(self, memory_id: str) -> bool:
        """Whether a memory, or the new one, is being saved."""
        is_added = memory_id == NEW_MEMORY and bool(self.added_id)
        return is_added or any(one.memory_id == memory_id for one in self._under_way)

    def end(self, *, written: bool) -> Saving | None:
        """The oldest save ended; None when there was none of ours."""
        if not self._under_way:
            return None
        saving = self._under_way.popleft()
        if not written:
            self._refused[saving.added_id or saving.memory_id] = saving
        elif saving.added_id:
            self.added_id = saving.added_id
        else:
            self._done.add(saving.memory_id)
        return saving

    def try_again(self, memory_id: str) -> None:
        """A refused save was sent off again."""
        saving = self._refused.pop(memory_id, None)
        if saving is not None:
            self._under_way.append(saving)

    def take_own(self, memory_id: str) -> bool:
        """Whether a memory that was read now was last changed by a save of ours."""
        is_own = memory_id in self._done
        self._done.discard(memory_id)
        return is_own

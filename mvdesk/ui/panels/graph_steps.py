"""What was done to the view of the graph, step by step, beside the vault's own steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST = 200


@dataclass(frozen=True, slots=True)
class ViewStep:
    """Something that was done to the view, and how to take it back and do it again.

    `vault_step` is the vault's last step at that time, 0 for none: it orders the two.
    """

    label: str
    vault_step: int
    undo: Callable[[], object]
    redo: Callable[[], object]


class GraphSteps:
    """Steps of the view in the order they were done, with the vault's between them.

    A step of the view goes back first while no younger step of the vault is left to take back.
    """

    def __init__(self) -> None:
        self._done: list[ViewStep] = []
        self._undone: list[ViewStep] = []

    def push(self, step: ViewStep) -> None:
        """Add a step that was just done. What was undone is forgotten."""
        self._done = [*self._done, step][-_MOST:]
        self._undone = []

    def undo_label(self, vault_step: int) -> str:
        """What `undo` would take back, "" when the vault's last step comes first."""
        newest = self._done[-1] if self._done else None
        return newest.label if newest is not None and newest.vault_step >= vault_step else ""

    def redo_label(self, vault_step: int) -> str:
        """What `redo` would do again, "" when a step of the vault comes first or came since."""
        next_one = self._undone[-1] if self._undone else None
        is_next = next_one is not None and next_one.vault_step == vault_step
        return next_one.label if next_one is not None and is_next else ""

    def undo(self) -> None:
        """Take the newest step back."""
        step = self._done.pop()
        self._undone.append(step)
        step.undo()

    def redo(self) -> None:
        """Do the step again that was taken back last."""
        step = self._undone.pop()
        self._done.append(step)
        step.redo()

"""Undo and redo, kept in the companion: they outlive the program and are shared by all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.errors import UndoImpossible
from mvdesk.vault.plan import Plan

if TYPE_CHECKING:
    from mvdesk.store.companion import Companion

KEPT_STEPS: Final = 1000


@dataclass(frozen=True, slots=True)
class Step:
    """What undo or redo does next: the journal's step, and the plan to write for it."""

    id: int
    label: str
    plan: Plan


class Journal:
    """The steps done to one brain: the newest is undone first, the last undone redone first.

    Nothing is cached: a command in another process may have added a step.
    """

    def __init__(self, companion: Companion, brain_id: str) -> None:
        self._companion = companion
        self._brain_id = brain_id

    @property
    def undo_label(self) -> str:
        """What undo would take back, "" when there is nothing."""
        steps = self._done_and_undone()
        return steps[0][0].label if steps[0] else ""


"""Undo and redo, kept in the companion: they outlive the program and are shared by all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvdesk.errors import UndoImpossible
from mvdesk.store.companion import JournalStep
from mvdesk.vault.plan import Plan

if TYPE_CHECKING:
    from mvdesk.store.companion import Companion


@dataclass(frozen=True, slots=True)
class Step:
    """What undo or redo does next: the journal's step, and the plan that was written."""

    id: int
    label: str
    plan: Plan


class Journal:
    """The steps done to one brain: the newest is undone first, the last undone redone first.

    Nothing is cached: a command in another process may have added a step. Raises VaultError
    when the companion can't be read or written.
    """

    def __init__(self, companion: Companion, brain_id: str) -> None:
        self._companion = companion
        self._brain_id = brain_id

    @property
    def undo_label(self) -> str:
        """What undo would take back, "" when there is nothing."""
        return self._companion.find_label(self._brain_id, undone=False)

    @property
    def redo_label(self) -> str:
        """What redo would do again, "" when there is nothing."""
        return self._companion.find_label(self._brain_id, undone=True)

    @property
    def undo_id(self) -> int:
        """The step that undo would take back, 0 when there is none."""
        return self._companion.find_step_id(self._brain_id, undone=False)

    @property
    def redo_id(self) -> int:
        """The step that redo would do again, 0 when there is none."""
        return self._companion.find_step_id(self._brain_id, undone=True)

    def record(self, plan: Plan, *, now: int) -> None:
        """Add a plan as it was written. What was undone before can't be redone any more."""
        self._companion.add_step(JournalStep(0, self._brain_id, plan.label, plan.to_json(), now))

    def find_undo(self) -> Step:
        """The step to take back next. Raises UndoImpossible when there is none."""
        return self._find("undo", undone=False)

    def plan_undo(self) -> Plan:
        """What undo would write. Raises UndoImpossible when there is nothing to undo."""
        return self.find_undo().plan.inverse()

    def find_redo(self) -> Step:
        """The step to do again next. Raises UndoImpossible when there is none."""
        return self._find("redo", undone=True)

    def plan_redo(self) -> Plan:
        """What redo would write. Raises UndoImpossible when there is nothing to redo."""
        return self.find_redo().plan

    def mark(self, step: Step, *, undone: bool) -> None:
        """Note that a step was taken back, or done again."""
        self._companion.mark_undone(step.id, undone)

    def _find(self, what: str, *, undone: bool) -> Step:
        stored = self._companion.find_step(self._brain_id, undone=undone)
        if stored is None:
            raise UndoImpossible(
                f"There is nothing to {what} in this brain.",
                "Nothing was changed.",
                "Only steps made with mvdesk are kept, in the file beside the vault.",
            )
        try:
            return Step(stored.id, stored.label, Plan.from_json(stored.plan))
        except ValueError as error:
            raise UndoImpossible(
                f"“{stored.label}” can't be read from the journal any more.",
                "Nothing was changed.",
                "Change the memory by hand instead.",
                f"step {stored.id}: {error}",
            ) from error

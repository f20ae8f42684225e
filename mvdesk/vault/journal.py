"""Undo and redo, kept in the companion: they outlive the program and are shared by all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mvdesk.errors import UndoImpossible, VaultError
from mvdesk.store.steps import JournalStep, PendingStep
from mvdesk.vault.apply import holds_entry, holds_rows
from mvdesk.vault.plan import Plan
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.store.engine import VaultFile
    from mvdesk.store.rows import Connection
    from mvdesk.store.steps import Steps


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

    def __init__(self, steps: Steps, file: VaultFile, brain_id: str) -> None:
        self._steps = steps
        self._file = file
        self._brain_id = brain_id

    @property
    def undo_label(self) -> str:
        """What undo would take back, "" when there is nothing."""
        self._settle_written()
        return self._steps.find_label(self._brain_id, undone=False)

    @property
    def redo_label(self) -> str:
        """What redo would do again, "" when there is nothing."""
        self._settle_written()
        return self._steps.find_label(self._brain_id, undone=True)

    @property
    def undo_id(self) -> int:
        """The step that undo would take back, 0 when there is none."""
        self._settle_written()
        return self.find_id(undone=False)

    @property
    def redo_id(self) -> int:
        """The step that redo would do again, 0 when there is none."""
        self._settle_written()
        return self.find_id(undone=True)

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

    def find_id(self, *, undone: bool) -> int:
        """The step that is undone next, or done again; as it is settled. 0 when there is none."""
        return self._steps.find_id(self._brain_id, undone=undone)

    def entry(self, *, now: int) -> JournalEntry:
        """The entry of a plan that is about to be written."""
        return _NewStep(self, self._steps, self._brain_id, now)

    def mark(self, step: Step, *, undone: bool) -> JournalEntry:
        """The entry of a step that is about to be taken back, or done again."""
        return _Mark(self, self._steps, step, undone)

    def skip(self, step_id: int) -> None:
        """Forget a step, whether it is undone or not: the one before it can be undone next."""
        self._steps.remove([step_id])

    def settle_pending(self, conn: Connection) -> None:
        """Settle every step that was announced. `conn` holds the vault's write lock, unused yet.

        Whoever announced one and isn't done by now has been killed, or failed to say so.
        """
        for pending in self._steps.read_pending(self._brain_id):
            self._settle(conn, pending)

    def settle_failed(self, pending: PendingStep) -> None:
        """Settle a step that this program announced, whose write ended with an error."""
        with self._file.read() as conn:
            self._settle(conn, pending)

    def _settle(self, conn: Connection, pending: PendingStep) -> None:
        is_written = self._is_written(conn, pending)
        self._steps.settle(pending.step_id, is_written=is_written)

    def _is_written(self, conn: Connection, pending: PendingStep) -> bool:
        schema = self._file.schema
        if pending.proof:
            return holds_entry(conn, schema, pending.proof)
        try:
            plan = Plan.from_json(pending.plan)
        except ValueError:
            return False  # nobody could undo it
        return holds_rows(conn, schema, plan.inverse() if pending.undone else plan)

    def _settle_written(self) -> None:
        """Settle those steps that the vault holds; others may be under way in this moment."""
        announced = self._steps.read_pending(self._brain_id)
        if not announced:
            return
        with self._file.read() as conn:
            written = [step for step in announced if self._is_written(conn, step)]
        for pending in written:
            self._steps.settle(pending.step_id, is_written=True)

    def _find(self, what: str, *, undone: bool) -> Step:
        self._settle_written()
        stored = self._steps.find(self._brain_id, undone=undone)
        if stored is None:
            raise UndoImpossible(
                tr("There is nothing to undo in this brain.")
                if what == "undo"
                else tr("There is nothing to redo in this brain."),
                tr("Nothing was changed."),
                tr("Only steps made with mvdesk are kept, in the file beside the vault."),
            )
        try:
            return Step(stored.id, stored.label, Plan.from_json(stored.plan))
        except ValueError as error:
            raise UndoImpossible(
                tr("“{label}” can't be read from the journal any more.", label=stored.label),
                tr("Nothing was changed."),
                tr("Change the memory by hand instead; skip the step to reach those before it."),
                tr("step {id}: {error}", id=stored.id, error=error),
                step_id=stored.id,
            ) from error


class JournalEntry(ABC):
    """What one write does to the journal: announced before its commit, settled after it.

    A journal that fails costs the undo step, never the write: only `settle` raises.
    """

    def __init__(self, journal: Journal, steps: Steps) -> None:
        """Use `Journal.entry` or `Journal.mark`."""
        self._journal = journal
        self._steps = steps
        self._pending: PendingStep | None = None

    def begin(self, conn: Connection) -> None:
        """To be called first in the vault's transaction `conn`.

        Raises UndoImpossible when a step isn't the last one any more that is to be undone.
        """
        with suppress(VaultError):  # a companion that can't be written is noticed later
            self._journal.settle_pending(conn)

    def announce(self, plan: Plan) -> None:
        """To be called last in the vault's transaction: note what it is about to commit.

        `plan` is the one that was written, with the ids of its changelog rows.
        """
        with suppress(VaultError):  # `settle` tries again, and says so
            self._pending = self._announced(plan, plan.log[0].id if plan.log else "")

    def settle(self) -> None:
        """The commit is done. Raises VaultError when the journal doesn't know of it."""
        if self._pending is None:
            self._record()
            return
        with suppress(VaultError):  # whoever reads the journal next sees what the vault holds
            self._steps.settle(self._pending.step_id, is_written=True)

    def withdraw(self) -> None:
        """The write ended with an error, most likely before its commit."""
        if self._pending is not None:
            with suppress(VaultError):  # whoever writes next finds it out
                self._journal.settle_failed(self._pending)

    @abstractmethod
    def _announced(self, plan: Plan, proof: str) -> PendingStep:
        """Announce it to the companion."""

    @abstractmethod
    def _record(self) -> None:
        """Write it to the companion as done, although it wasn't announced."""


class _NewStep(JournalEntry):
    """The entry of a plan."""

    def __init__(self, journal: Journal, steps: Steps, brain_id: str, now: int) -> None:
        super().__init__(journal, steps)
        self._step = JournalStep(0, brain_id, "", "", now)

    def _announced(self, plan: Plan, proof: str) -> PendingStep:
        kept = plan.without_snapshots() if plan.makes_snapshots else plan
        self._step = replace(self._step, label=plan.label, plan=kept.to_json())
        step_id = self._steps.announce(self._step, proof)
        return PendingStep(step_id, is_new=True, undone=False, proof=proof, plan=self._step.plan)

    def _record(self) -> None:
        self._steps.add(self._step)


class _Mark(JournalEntry):
    """The entry of a step that is taken back or done again."""

    def __init__(self, journal: Journal, steps: Steps, step: Step, undone: bool) -> None:
        super().__init__(journal, steps)
        self._step = step
        self._undone = undone
        self._text: str | None = None

    def begin(self, conn: Connection) -> None:
        super().begin(conn)
        newest: int | None = None
        with suppress(VaultError):
            newest = self._journal.find_id(undone=not self._undone)
        if newest not in (None, self._step.id):
            raise UndoImpossible(
                tr(
                    "“{label}” is not the last step any more: another program did something in "
                    "this moment.",
                    label=self._step.label,
                ),
                tr("Nothing was written."),
                tr("Look at what is last now, then try again."),
            )

    def _announced(self, plan: Plan, proof: str) -> PendingStep:
        self._text = self._kept(plan)
        self._steps.announce_mark(self._step.id, self._undone, proof, self._text)
        text = "" if proof else self._step.plan.to_json()
        return PendingStep(self._step.id, is_new=False, undone=self._undone, proof=proof, plan=text)

    def _kept(self, written: Plan) -> str | None:
        """The step's plan anew, where it makes a snapshot: whole while only it holds that."""
        if not self._step.plan.makes_snapshots:
            return None
        changes = (written.inverse() if self._undone else written.without_snapshots()).changes
        return replace(self._step.plan, changes=changes).to_json()

    def _record(self) -> None:
        self._steps.mark(self._step.id, undone=self._undone, plan=self._text)

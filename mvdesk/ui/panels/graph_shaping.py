"""Hides, folds and opens memories of the graph; each as a step that can be taken back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from mvdesk.errors import VaultError
from mvdesk.ui.panels.graph_shape import NO_SHAPE, GraphShape, read_shape, write_shape
from mvdesk.ui.panels.graph_steps import GraphSteps, ViewStep
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault

_JOB: Final = "graphShape"
_LONGEST_TITLE: Final = 40


class GraphShaping(QObject):
    """The shape of the graph of the open vault, and the steps of its view."""

    changed = Signal()
    steps_changed = Signal()  # what can be taken back or done again

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.shape = NO_SHAPE
        self.steps = GraphSteps()

    def load(self) -> None:
        """Begin with what is kept beside the vault that was opened."""
        self.shape, self.steps = NO_SHAPE, GraphSteps()
        self.steps_changed.emit()
        vault = self._session.vault

        def work(_token: CancelToken) -> GraphShape:
            return _read(vault)

        self._session.jobs.run(_JOB, work, self._on_read)

    def title_of(self, memory_id: str) -> str:
        """A memory's title as steps name it, shortened; "" when it is gone."""
        snapshot = self._session.snapshot
        row = snapshot.row_of(memory_id)
        title = "" if row is None else snapshot.memories.labels.text(row)
        return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"

    def hide(self, memory_id: str) -> None:
        """Leave a memory out of every graph."""
        hidden = self.shape.hidden | {memory_id}
        self._go(
            tr("Hide “{title_of}” in the graph", title_of=self.title_of(memory_id)),
            replace(self.shape, hidden=hidden),
        )

    def show_hidden(self) -> None:
        """Have all hidden ones back."""
        if self.shape.hidden:
            label = tr("Show the {hidden:,} hidden in the graph", hidden=len(self.shape.hidden))
            self._go(label, replace(self.shape, hidden=frozenset()))

    def stop(self, memory_id: str) -> None:
        """Never go beyond a memory by itself, or do so again."""
        stopped = self.shape.stopped ^ {memory_id}
        verb = tr("Stop at") if memory_id in stopped else tr("Go on beyond")
        opened = self.shape.opened - {memory_id}
        self._go(
            f"{verb} “{self.title_of(memory_id)}”",
            replace(self.shape, stopped=stopped, opened=opened),
        )

    def open(self, memory_id: str) -> None:
        """Show what a memory is linked with."""
        shape = self.shape
        self._go(
            tr("Expand “{title_of}”", title_of=self.title_of(memory_id)),
            replace(shape, opened=shape.opened | {memory_id}, folded=shape.folded - {memory_id}),
        )

    def fold(self, memory_id: str) -> None:
        """Leave out what hangs on a memory alone."""
        shape = self.shape
        self._go(
            tr("Collapse “{title_of}”", title_of=self.title_of(memory_id)),
            replace(shape, folded=shape.folded | {memory_id}, opened=shape.opened - {memory_id}),
        )

    def note(self, label: str, undo: Callable[[], object], redo: Callable[[], object]) -> None:
        """Keep another step of the view, which was done already."""
        self.steps.push(ViewStep(label, self._session.undo_id, undo, redo))
        self.steps_changed.emit()

    @property
    def undo_label(self) -> str:
        """What would be taken back, "" for nothing."""
        session = self._session
        return self.steps.undo_label(session.undo_id) or session.undo_label

    @property
    def redo_label(self) -> str:
        """What would be done again, "" for nothing."""
        session = self._session
        return self.steps.redo_label(session.undo_id) or session.redo_label

    def undo(self) -> None:
        """Take back what was done last, to the view or to the vault."""
        if label := self.steps.undo_label(self._session.undo_id):
            self.steps.undo()
            self.steps_changed.emit()
            self._session.messages.notice(tr("Taken back: {label}.", label=label))
        elif self._session.undo_label:
            self._session.undo()
        else:
            self._session.messages.notice(tr("There is nothing to take back."))

    def redo(self) -> None:
        """Do again what was taken back last."""
        if label := self.steps.redo_label(self._session.undo_id):
            self.steps.redo()
            self.steps_changed.emit()
            self._session.messages.notice(tr("Done again: {label}.", label=label))
        elif self._session.redo_label:
            self._session.redo()
        else:
            self._session.messages.notice(tr("There is nothing to do again."))

    def _go(self, label: str, shape: GraphShape) -> None:
        self.note(label, partial(self._set, self.shape), partial(self._set, shape))
        self._set(shape)

    def _set(self, shape: GraphShape) -> None:
        before, self.shape = self.shape, shape
        if (before.hidden, before.stopped) != (shape.hidden, shape.stopped):
            save = partial(write_shape, self._session.vault, shape)
            self._session.jobs.write(save, _ignore, failed=self._session.messages.report)
        self.changed.emit()

    def _on_read(self, shape: GraphShape) -> None:
        # Steps taken meanwhile keep what they did.
        if self.shape == NO_SHAPE and shape != NO_SHAPE:
            self.shape = shape
            self.changed.emit()


def _read(vault: Vault) -> GraphShape:
    try:
        return read_shape(vault)
    except VaultError:
        return NO_SHAPE  # as if nothing had been hidden; the list has everything


def _ignore(_: object) -> None:
    pass

"""VaultSession: the one object that panels share."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np
from PySide6.QtCore import QObject, QTimer

from mvdesk.errors import MemoryNotFound, UndoImpossible, VaultChanged, VaultLocked
from mvdesk.scoring.builtin import find_model
from mvdesk.store.cells import REPLACED
from mvdesk.ui import loading, plans
from mvdesk.ui.arrange import RELEVANCE
from mvdesk.ui.loading import Loaded, OpenVault, Want, Written
from mvdesk.ui.looking import Looking
from mvdesk.ui.messages import Messages
from mvdesk.ui.preview import NO_PREVIEW
from mvdesk.ui.process_lane import ProcessLane
from mvdesk.ui.progress import SlowNotice
from mvdesk.ui.selection import Selection
from mvdesk.ui.session_preview import PreviewSession
from mvdesk.ui.shown import Shown
from mvdesk.ui.sorting import SORT_COLUMNS
from mvdesk.ui.unsaved import Unsaved
from mvdesk.ui.write_progress import WriteProgress
from mvdesk.vault.apply import WriteCancelled
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from mvdesk.records import Memory
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.arrange import Arrangement
    from mvdesk.ui.chosen import ListFilter
    from mvdesk.ui.jobs import Jobs
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.plan import Plan, Value
    from mvdesk.vault.vault import Vault

PROGRESS_AFTER_MS = 300
WAITING_AFTER_MS = 1_500
POLL_EVERY_MS = 1_000


_WAITING = tr(
    "Still saving: another program may be writing to this vault. Your changes are kept here."
)
_VAULT_JOBS = ("arrange", "rescore", "preview", "memory", "poll", "index")


def clock_seconds() -> int:
    return int(time.time())


class VaultSession(PreviewSession):
    """The open vault as the window shows it: snapshot, scores, order, selection, preview.

    Setters emit only on a real change. Nothing here blocks: what reads, writes or takes long
    is a job, and its outcome arrives as a signal. When a signal arrives, every property is
    already new.
    """

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        jobs: Jobs | None = None,
        messages: Messages | None = None,
        data_folder: Path | None = None,
        clock: Callable[[], int] = clock_seconds,
    ) -> None:
        """`data_folder` is where companions go whose vault's folder can't be written."""
        super().__init__(parent, jobs)
        self.messages = messages or Messages(self)
        self.looking = Looking(self)
        self.unsaved = Unsaved(self)
        self.selection = Selection(self)
        self.lane = ProcessLane(self)
        self._data_folder = data_folder
        self._clock = clock
        self._outside_problem = ""
        self._slow = SlowNotice(self)
        self._slow.changed.connect(self.loading_changed)
        self.progress = WriteProgress(self)
        self.writing_changed.connect(self.progress.follow)
        self._indexing = SlowNotice(self)
        self._indexing.changed.connect(self.loading_changed)
        self._arranging = SlowNotice(self)
        self._arranging.changed.connect(self.loading_changed)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_EVERY_MS)
        self._poll.timeout.connect(self._on_poll)
        self.jobs.failed.connect(self._on_job_failed)

    # Opening and closing.

    def open_vault(self, path: Path, brain_id: str | None = None) -> None:
        """Open another vault; the one that is open stays until the new one was read."""
        self._open(path, brain_id)

    def create_vault(self, path: Path) -> None:
        """Make an empty vault named after the file, and open it."""
        self._open(path, None, loading.make_vault)

    def open_demo(self, path: Path) -> None:
        """Open the demo vault at `path`, made first unless it is there from before."""
        self._open(path, None, loading.make_demo)

    def replace_vault(self, path: Path, replace_file: Callable[[Path, int], None]) -> None:
        """Open `path` once `replace_file` (path, epoch seconds) put another file there.

        The vault that is open stays when that fails.
        """
        self._open(path, None, replace_file)

    def current_time(self) -> int:
        """The present moment in epoch seconds, as writes note it."""
        return self._clock()

    def set_brain(self, brain_id: str) -> None:
        """Show another brain of the open file."""
        if self.is_open and brain_id != self.vault.brain.id:
            self._open(self.vault.path, brain_id)

    def close_vault(self) -> None:
        """Close the vault after the writes that are under way. A preview is dropped."""
        if self._opened is not None:
            self._forget()
            self.vault_closed.emit()

    def shut_down(self) -> None:
        """Close everything and join the threads; the session is of no use after it."""
        self._forget()
        self.jobs.shut_down()
        self.lane.shut_down()
        self._slow.stop()
        self.progress.follow(False)

    def _open(
        self,
        path: Path,
        brain_id: str | None,
        prepare: Callable[[Path, int], None] | None = None,
    ) -> None:
        self._slow.start((PROGRESS_AFTER_MS, tr("Opening {name}…", name=path.name)))
        work = partial(
            loading.open_vault,
            path,
            brain_id,
            self._data_folder,
            self._clock(),
            prepare=prepare,
            progress=self._slow.say,
        )
        self.jobs.run(
            "open",
            work,
            self._on_opened,
            failed=self._on_open_failed,
            dropped=loading.close_opened,
        )

    def _on_opened(self, result: tuple[OpenVault, Loaded]) -> None:
        self._slow.stop()
        self._forget()
        self._opened, loaded = result
        self._shown = Shown(loaded)
        self._shown.threshold = self._threshold
        self._model = loaded.model
        self._arrangement = loaded.arrangement
        self._poll.start()
        self.vault_opened.emit()
        self.model_changed.emit(self._model)
        self.undo_changed.emit(self.undo_label, self.redo_label)
        for text in self.vault.notices:
            self.notice.emit(text)
        self._index_texts()

    def _index_texts(self) -> None:
        """Make the index that searches need, or bring it up to date, behind the scenes."""
        self._indexing.start((PROGRESS_AFTER_MS, tr("Indexing texts…")))
        work = partial(loading.index_texts, self.vault, self.snapshot, self._indexing.say)
        self.jobs.run("index", work, self._on_indexed)

    def _on_indexed(self, _: None) -> None:
        self._indexing.stop()
        self._state.loaded.arranger.forget_searches()  # they looked at titles and the like only
        self._settle_order()

    def _on_open_failed(self, error: BaseException) -> None:
        self._slow.stop()
        self.messages.report(error)

    def _forget(self) -> None:
        """Let go of the open vault; its file is closed after the writes under way."""
        if self._opened is not None:
            self.vault_closing.emit()
        self._poll.stop()
        self._indexing.stop()
        self._arranging.stop()
        for key in _VAULT_JOBS:
            self.jobs.cancel(key)
        if self._opened is not None:
            self.jobs.write(self._opened.close, _ignore)
        selected, previewed = self._selected_id, not self.preview.is_empty
        self._opened = self._shown = self._selected_id = self._selected_memory = None
        self._found = None
        self._outside_problem = ""
        self._forget_preview()
        self.looking.clear()
        if selected is not None:
            self.selection_changed.emit(None)
        if previewed:
            self.preview_changed.emit(NO_PREVIEW)

    # What the list shows.

    def select(self, memory_id: str | None) -> None:
        """Select a memory; one that is not in the vault counts as None."""
        if memory_id is not None and (not self.is_open or self._row_of(memory_id) is None):
            memory_id = None
        if memory_id != self._selected_id:
            self._selected_id, self._selected_memory = memory_id, None
            self.looking.set_highlight(None)
            self.jobs.cancel("memory")
            self._read_selected()
            self.selection_changed.emit(memory_id)

    def set_sort(self, column: str, descending: bool) -> None:
        """Sort by one of `SORT_COLUMNS`, or the hits of a search by relevance."""
        if column not in (*SORT_COLUMNS, RELEVANCE):
            raise ValueError(f"no sort column {column!r}")
        self._arrange(self._arrangement.sorted_by(column, descending))

    def set_filter(self, text: str) -> None:
        """Show the memories that a search finds: words and operators; "" for all."""
        self._arrange(self._arrangement.with_filter(text))

    def set_group(self, group: str) -> None:
        """Group the list by "source" or "type"; "" for no groups."""
        self._arrange(replace(self._arrangement, group=group))

    def set_show_archived(self, archived: bool) -> None:
        self._arrange(replace(self._arrangement, archived=archived))

    def set_only(self, only: ListFilter | None) -> None:
        """Show only what a filter besides the words lets through; None shows all."""
        self._arrange(replace(self._arrangement, only=only))

    def step_low(self, by: int) -> None:
        """Select the next (1) or previous (-1) listed memory that is low for its type."""
        order, row = self.order, self.selected_row if self.is_open else None
        if not len(order):
            return
        places = np.flatnonzero(self._state.low()[order])
        here = np.flatnonzero(order == row)
        at = int(here[0]) if len(here) else (-1 if by > 0 else len(order))
        beyond = places[places > at] if by > 0 else places[places < at][::-1]
        if len(beyond):
            self.select(self.snapshot.memories.ids.text(int(order[int(beyond[0])])))
        else:
            side = tr("below") if by > 0 else tr("above")
            self.messages.notice(
                tr("No memory {side} this one in the list is low for its type.", side=side)
            )

    def set_model(self, model_id: str) -> None:
        """Score with another model, and remember it for this vault."""
        model = find_model(model_id)
        if self._opened is not None and (
            model.id != self._model.id or self.jobs.is_running("rescore")
        ):
            self.jobs.write(partial(self.vault.set_model, model_id), _ignore)
            self._rescore(model)

    def refresh_clock(self) -> None:
        """Score for this moment: memories age while the window stays open."""
        if self.is_open and not self.jobs.is_running("rescore"):
            self._rescore(self._model)

    def _arrange(self, arrangement: Arrangement) -> None:
        if arrangement != self._arrangement:
            self._arrangement = arrangement
            if self._shown is not None:
                self._settle_order()
            self.search_changed.emit()

    def _settle_order(self) -> None:
        """Bring the shown order to what was asked, in a job when that takes long."""
        state, wanted = self._state, self._arrangement
        self.jobs.cancel("arrange")
        self._arranging.stop()
        if not state.is_ready(wanted):
            what = tr("Searching…") if wanted.filter_text else tr("Sorting the list…")
            self._arranging.start((PROGRESS_AFTER_MS, what))
            self.jobs.run("arrange", partial(state.prepare, wanted), self._on_prepared)
            return
        if not state.is_refined(wanted):
            self.jobs.run("arrange", partial(state.refine, wanted), self._on_prepared)
        if state.arrange(wanted):
            self.order_changed.emit()

    def _on_prepared(self, _: None) -> None:
        self._settle_order()
        self.search_changed.emit()

    def _rescore(self, model: ScoreModel) -> None:
        work = partial(loading.rescore, self._state.loaded, model, self._clock())
        self.jobs.run("rescore", work, self._on_rescored)

    def _on_rescored(self, loaded: Loaded) -> None:
        if loaded.snapshot is not self.snapshot:
            self._rescore(loaded.model)  # a write came in between
            return
        before, is_other = self.scores, loaded.model.id != self._model.id
        self._model = loaded.model
        moved = self._show(loaded)
        if is_other:
            self.model_changed.emit(self._model)
        if is_other or not _same_scores(before, self.scores):
            self.scores_changed.emit()
        if moved:
            self.order_changed.emit()

    def _show(self, loaded: Loaded) -> bool:
        """Show another state, the preview laid over it again. True when the order moved."""
        before, order = self.preview, self.order
        self._shown = state = Shown(loaded)
        self._lay_over(state)
        if not state.is_ready(self._arrangement):
            self._settle_order()
        elif state.arrangement != self._arrangement:
            state.arrange(self._arrangement)
        if self.preview != before:
            self.preview_changed.emit(self.preview)
        if self.preview.is_empty:
            self._show_after()
        return not np.array_equal(order, state.order)

    def _read_selected(self) -> None:
        if self._opened is not None and self._selected_id is not None:
            work = partial(
                loading.read_memory, self._opened.vault, self._state.loaded, self._selected_id
            )
            self.jobs.run("memory", work, self._on_memory_read)

    def _on_memory_read(self, memory: Memory) -> None:
        if memory.id == self._selected_id and memory != self._selected_memory:
            self._selected_memory = memory
            self.memory_loaded.emit(memory)

    # Writing.

    def apply_preview(self) -> None:
        """Write the tried values as one undo step. The preview stays until it is written."""
        if self._trying:
            tried = dict(self._trying)
            make_plan = plans.trust_plan(self._state.loaded.trust, tried, self._clock())
            self.write("trust", make_plan)

    def save_memory(self, memory: Memory, changes: Mapping[str, Value]) -> None:
        """Save edited fields of a memory, which is given as it was seen before the edit."""
        self.write("save", plans.edit_plan(memory, changes, self._clock()), about=memory.id)

    def add_memory(self, fields: Mapping[str, Value], memory_id: str = "") -> str:
        """Add a memory and select it once it is written. Gives back its id.

        `memory_id` is that of a memory that was deleted and is made anew, "" for a fresh one.
        """
        memory_id = memory_id or str(uuid4())
        make_plan = plans.add_plan(fields, memory_id, self._clock())
        self.write("add", make_plan, about=memory_id, select=memory_id)
        return memory_id

    def add_link(self, from_id: str, to_id: str, relation: str, label: str | None = None) -> None:
        """Link two memories; a pair that is linked gets the new relation and label."""
        self.write("link", plans.link_plan(from_id, to_id, relation, label, self._clock()))

    def remove_link(self, link_id: str) -> None:
        end_id = self._state.find_end_of_link(link_id, self.selected_row)
        if end_id is not None:
            self.write("unlink", plans.unlink_plan(link_id, end_id))

    def undo(self, step_id: int | None = None) -> None:
        """Take the last step back; nothing when `step_id` is given and isn't the last one."""
        if self._opened is not None and self.undo_label and step_id in (None, self.undo_id):
            self._submit(
                "undo", partial(self._opened.undo, progress=self.progress, step_id=step_id)
            )

    def redo(self, step_id: int | None = None) -> None:
        """Do the step again that was undone last; `step_id` as for `undo`."""
        if self._opened is not None and self.redo_label and step_id in (None, self.redo_id):
            self._submit(
                "redo", partial(self._opened.redo, progress=self.progress, step_id=step_id)
            )

    def skip_step(self, step_id: int) -> None:
        """Forget a step that can't be undone or done again, to reach those beyond it."""
        if self._opened is not None:
            self._submit("skip", partial(self._opened.skip_step, step_id=step_id))

    def _want(self) -> Want:
        return Want(self._model, self._arrangement, self._clock(), self._state.loaded)

    def write(
        self,
        action: str,
        make_plan: Callable[[Vault], Plan],
        *,
        about: str = "",
        select: str | None = None,
    ) -> None:
        """Write a plan, made in the write lane from what the vault holds then, as one undo step.

        `action` names it in `write_finished`. `about` is the memory that is saved, `select`
        one to select once it is written.
        """
        assert self._opened is not None, tr("no vault is open")
        work = partial(self._opened.apply, make_plan, self.progress)
        self._submit(action, work, about=about, select=select)

    def _submit(
        self,
        action: str,
        work: Callable[[Want], Written],
        *,
        about: str = "",
        select: str | None = None,
    ) -> None:
        """Write. `about` is the memory that is saved, `select` one to select afterwards."""
        opened = self._opened
        assert opened is not None, tr("no vault is open")
        self._writes += 1
        if self._writes == 1:
            self._slow.start((PROGRESS_AFTER_MS, tr("Saving…")), (WAITING_AFTER_MS, _WAITING))
            self.writing_changed.emit(True)
        again = partial(self._retry, opened, action, work, about, select)
        self.jobs.write(
            partial(work, self._want()),
            partial(self._on_written, opened, action, select),
            failed=partial(self._on_write_failed, opened, action, again),
        )

    def _retry(
        self,
        opened: OpenVault,
        action: str,
        work: Callable[[Want], Written],
        about: str,
        select: str | None,
    ) -> None:
        """Write what was refused because another program was writing."""
        if opened is self._opened:
            self.write_retried.emit(action, about)
            self._submit(action, work, about=about, select=select)

    def _end_write(self) -> None:
        self._writes -= 1
        if not self._writes:
            self._slow.stop()
            self.writing_changed.emit(False)

    def _on_written(
        self, opened: OpenVault, action: str, select: str | None, written: Written
    ) -> None:
        self._end_write()
        if opened is self._opened:
            self._take(written.loaded, written.changes)
            if select is not None:
                self.select(select)
        self.write_finished.emit(action, True)

    def _on_write_failed(
        self, opened: OpenVault, action: str, again: Callable[[], None], error: BaseException
    ) -> None:
        self._end_write()
        self.write_finished.emit(action, False)
        if isinstance(error, WriteCancelled):
            self.messages.notice(tr("Cancelled: nothing was written."))
        elif action == "save" and isinstance(error, VaultChanged):
            # No dialog: the editor asks which of the two stays, once it has read the other.
            self.messages.notice(
                tr("{what} Nothing was written; choose in the editor.", what=error.what)
            )
        elif isinstance(error, UndoImpossible) and error.step_id:
            skip = partial(self.skip_step, error.step_id)
            self.messages.error(error, retry=skip, retry_text=tr("Skip this step"))
        else:
            self.messages.report(error, retry=again if isinstance(error, VaultLocked) else None)
        if isinstance(error, VaultChanged) and opened is self._opened:
            self._reload()

    def _take(self, loaded: Loaded, changes: ChangeSet) -> None:
        """Show what is in the vault after a write, ours or another program's."""
        steps = self._steps
        if loaded.model.id != self._model.id:
            loaded = loading.rescore(loaded, self._model, loaded.now)
        self._show(loaded)
        pinned = self.looking.pinned_id
        if pinned is not None and self.snapshot.row_of(pinned) is None:
            self.looking.pin(None)
        if not changes.is_empty:
            self.vault_changed.emit(changes)
        if steps != self._steps:
            self.undo_changed.emit(self.undo_label, self.redo_label)
        selected = self._selected_id
        if selected is not None and self.selected_row is None:
            self.select(None)
        elif changes.everything or selected in changes.memory_ids:
            self._read_selected()

    @property
    def _steps(self) -> tuple[int, str, int, str]:
        return (self.undo_id, self.undo_label, self.redo_id, self.redo_label)

    # Other programs' writes.

    def _on_poll(self) -> None:
        busy = self.jobs.is_running("poll") or self.is_writing or self.jobs.is_running("open")
        if self._opened is not None and not busy:
            work = partial(loading.look, self._opened.vault)
            self.jobs.run("poll", work, self._on_polled, failed=self._on_outside_problem)

    def _on_polled(self, changed: bool) -> None:
        if changed:
            self._reload()
        else:
            self._outside_problem = ""

    def _on_outside_problem(self, error: BaseException) -> None:
        """The file is gone or can't be read: said once, looked for again every second."""
        if str(error) != self._outside_problem:
            self._outside_problem = str(error)
            self.messages.report(error)

    def _reload(self) -> None:
        if self._opened is not None:
            opened = self._opened
            self.jobs.write(
                partial(opened.reload, self._want()),
                partial(self._on_reloaded, opened),
                failed=self._on_outside_problem,
            )

    def _on_reloaded(self, opened: OpenVault, written: Written) -> None:
        if opened is not self._opened:
            return
        self.outside_changed.emit()
        if written.changes.is_empty:
            return
        self._outside_problem = ""
        was_previewing = bool(self._trying)
        self._take(written.loaded, written.changes)
        text = tr("Another program changed this vault; what you see is up to date.")
        if was_previewing:
            text += tr(" Your preview was kept and now compares with the new values.")
        self.notice.emit(text)

    def _on_job_failed(self, key: str, error: BaseException) -> None:
        if key == "arrange":
            self._arranging.stop()
        if isinstance(error, MemoryNotFound) and key == "memory":
            if REPLACED in (self._selected_id or ""):
                self._selected_memory = None
                self.memory_unreadable.emit()
            return  # else deleted by another program; the poll brings the news
        self.messages.report(error)


def _ignore(_: object) -> None:
    """For work whose outcome nobody waits for."""


def _same_scores(one: Scores, other: Scores) -> bool:
    return np.array_equal(one.confidence, other.confidence) and np.array_equal(
        one.importance, other.importance
    )

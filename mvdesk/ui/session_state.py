"""What panels read of a session, and the signals that say it moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from mvdesk.scoring.builtin import DEFAULT_MODEL_ID, find_model
from mvdesk.ui.arrange import RELEVANCE, Arrangement
from mvdesk.ui.preview import NO_PREVIEW, THRESHOLD, Preview, PreviewView
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import IntArray
    from mvdesk.records import Brain, Memory
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.explain import Explanation
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.verdict import Rank
    from mvdesk.ui.chosen import ListFilter
    from mvdesk.ui.grouping import Groups
    from mvdesk.ui.loading import Loaded, OpenVault
    from mvdesk.ui.shown import Shown
    from mvdesk.vault.questions.conditions import Moment
    from mvdesk.vault.questions.matching import Matches
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault


class SessionState(QObject):
    """The open vault as the window shows it, to be read. VaultSession changes it.

    Everything here is cheap. When a signal arrives, every property is already new.
    """

    vault_opened = Signal()
    vault_closing = Signal()  # still open; what is sent to the write lane now is still done
    vault_closed = Signal()
    loading_changed = Signal(str)  # a sentence while something takes long, "" when done
    vault_changed = Signal(object)  # ChangeSet; snapshot, scores and order are already new
    outside_changed = Signal()  # another program wrote; maybe only what the snapshot leaves out
    scores_changed = Signal()  # shown scores moved: preview, model, clock
    order_changed = Signal()  # other order, or other rows shown
    search_changed = Signal()  # another search or order was asked for, or one was looked up
    selection_changed = Signal(object)  # memory id | None
    memory_loaded = Signal(object)  # Memory of the selected id; again after it changed
    memory_unreadable = Signal()  # the selected one: its id holds bytes that are no text
    preview_changed = Signal(object)  # Preview
    preview_view_changed = Signal(str)  # "after", "before" or "split"
    threshold_changed = Signal(float)  # the score that counts of crossings are about
    model_changed = Signal(object)  # ScoreModel
    undo_changed = Signal(str, str)  # other steps to undo or redo; their labels, "" for none
    notice = Signal(str)
    write_finished = Signal(str, bool)  # action, True when written; False: nothing was written
    write_retried = Signal(str, str)  # action, the memory saved; it failed before
    writing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._opened: OpenVault | None = None
        self._shown: Shown | None = None
        self._arrangement = Arrangement()
        self._selected_id: str | None = None
        self._selected_memory: Memory | None = None
        self._model = find_model(DEFAULT_MODEL_ID)
        self._view: PreviewView = "after"
        self._is_peeking = False
        self._threshold = THRESHOLD
        self._writes = 0
        self._found: tuple[Snapshot, str, int | None] | None = None  # looked up last

    @property
    def is_open(self) -> bool:
        return self._shown is not None

    @property
    def vault(self) -> Vault:
        assert self._opened is not None, tr("no vault is open")
        return self._opened.vault

    @property
    def _state(self) -> Shown:
        assert self._shown is not None, tr("no vault is open")
        return self._shown

    @property
    def snapshot(self) -> Snapshot:
        return self._state.loaded.snapshot

    @property
    def scores(self) -> Scores:
        """The shown scores: of a running preview, unless those before it are shown."""
        return self._state.scores

    @property
    def tried_scores(self) -> Scores:
        """The scores of the preview, also while those before it are shown; else as stored."""
        return self._state.tried_scores

    @property
    def committed_scores(self) -> Scores:
        """The scores of what is stored."""
        return self._state.loaded.scores

    @property
    def order(self) -> IntArray:
        """Rows of the memory table as the list shows them; empty without a vault."""
        return np.empty(0, dtype=np.intp) if self._shown is None else self._shown.order

    @property
    def now(self) -> int:
        """The moment, in epoch seconds, that all shown scores are computed for."""
        return self._state.loaded.now

    @property
    def model(self) -> ScoreModel:
        return self._model

    @property
    def brains(self) -> tuple[Brain, ...]:
        """The brains of the open file."""
        return self._state.loaded.brains

    @property
    def suggested_model_id(self) -> str:
        """The model that gives a server's file its server's numbers; the default for others."""
        return self._state.loaded.suggested_model_id

    @property
    def preview(self) -> Preview:
        return NO_PREVIEW if self._shown is None else self._shown.preview

    @property
    def overlay(self) -> Mapping[str, float | None]:
        """The tried trust values that the shown scores are made with, by source key.

        Those of the preview; none while the values before it are shown.
        """
        return {} if self.is_before else self.preview.trust

    @property
    def preview_view(self) -> PreviewView:
        """Whether values are shown "after" the preview, "before" it, or both ("split")."""
        return self._view

    @property
    def is_before(self) -> bool:
        """Whether the values before the preview are shown, by view or by peeking."""
        return self._shown is not None and self._shown.is_before

    @property
    def threshold(self) -> float:
        """The score in [0, 1] that counts of crossings are about; kept for each vault."""
        return self._threshold

    @property
    def selected_id(self) -> str | None:
        return self._selected_id

    @property
    def selected_row(self) -> int | None:
        """The selected memory's row of the memory table."""
        return None if self._selected_id is None else self._row_of(self._selected_id)

    @property
    def selected_memory(self) -> Memory | None:
        """The selected memory with its text; None until it was read."""
        return self._selected_memory

    @property
    def sort_column(self) -> str:
        """The column that the list is sorted by, "relevance" for the hits of a search."""
        return self._arrangement.shown_column

    @property
    def sort_descending(self) -> bool:
        return self._arrangement.descending or self.sort_column == RELEVANCE

    @property
    def filter_text(self) -> str:
        """What is searched for, as it was typed; "" for everything."""
        return self._arrangement.filter_text

    def searched(self) -> tuple[Loaded, Moment]:
        """What a search is looked up in, and compared with."""
        return self._state.loaded, self._state.moment()

    @property
    def arrangement(self) -> Arrangement:
        """Everything that was asked of the list."""
        return self._arrangement

    @property
    def matches(self) -> Matches | None:
        """The search, looked up for what is shown; None without one, or while that takes."""
        return None if self._shown is None else self._shown.matches()

    @property
    def only(self) -> ListFilter | None:
        """The filter of the list besides the words."""
        return self._arrangement.only

    @property
    def groups(self) -> Groups | None:
        """The groups of the list, None when it isn't grouped."""
        return None if self._shown is None else self._shown.groups

    @property
    def group(self) -> str:
        """What the list is grouped by, "" for nothing."""
        return self._arrangement.group

    @property
    def show_archived(self) -> bool:
        return self._arrangement.archived

    @property
    def read_only_reason(self) -> str | None:
        return None if self._opened is None else self._opened.vault.read_only_reason

    @property
    def undo_label(self) -> str:
        return self._shown.loaded.undo_label if self._shown else ""

    @property
    def redo_label(self) -> str:
        return self._shown.loaded.redo_label if self._shown else ""

    @property
    def undo_id(self) -> int:
        """The journal's step that undo would take back, 0 for none."""
        return self._shown.loaded.undo_id if self._shown else 0

    @property
    def redo_id(self) -> int:
        """The journal's step that redo would do again, 0 for none."""
        return self._shown.loaded.redo_id if self._shown else 0

    @property
    def is_writing(self) -> bool:
        return self._writes > 0

    def trust_of(self, source_key: str, *, committed: bool = False) -> float | None:
        """Trust of a source in [0, 1] as shown, or as stored; None is "not set"."""
        return self._state.trust_of(source_key, committed=committed)

    def explain(self, memory_id: str, *, committed: bool = False) -> Explanation:
        """Why a memory scores as shown, or as stored. Raises KeyError for an unknown id."""
        row = self._row_of(memory_id)
        if row is None:
            raise KeyError(memory_id)
        memory = self._selected_memory
        fields = None
        if memory is not None and memory.id == memory_id:
            names = ("title", "key", "content", "tags")
            fields = {name: getattr(memory, name) for name in names}
        return self._state.explain(row, fields, committed=committed)

    def rank_of(self, memory_id: str, kind: str) -> Rank:
        """Where a memory stands among its type; `kind` is "confidence" or "importance"."""
        row = self._row_of(memory_id)
        if row is None:
            raise KeyError(memory_id)
        return self._state.rank_of(row, kind)

    def _row_of(self, memory_id: str) -> int | None:
        """The row of a memory; panels ask for the same one many times a frame."""
        snapshot, kept = self.snapshot, self._found
        if kept is None or kept[0] is not snapshot or kept[1] != memory_id:
            kept = self._found = (snapshot, memory_id, snapshot.row_of(memory_id))
        return kept[2]

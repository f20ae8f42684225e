"""The part of a session that tries trust values out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from mvdesk.ui.jobs import Jobs
from mvdesk.ui.session_state import SessionState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtCore import QObject

    from mvdesk.ui.preview import PreviewView
    from mvdesk.ui.shown import Scored, Shown

FRAME_ROWS: Final = 25_000
"""Up to this many touched memories a preview is scored within the frame, above it in a job."""
_UNTRIED: Final = object()


class PreviewSession(SessionState):
    """Lays trust values over the stored ones. They are never written here.

    The values of before can be looked at while the preview goes on: for as long as somebody
    peeks, or until the view is another one or a trust is moved.
    """

    def __init__(self, parent: QObject | None, jobs: Jobs | None) -> None:
        super().__init__(parent)
        self.jobs = jobs or Jobs(self)
        self._trying: dict[str, float | None] = {}
        self._preview_waits = False

    def preview_trust(self, source_key: str, trust: float | None) -> None:
        """Try a trust in [0, 1], or None for "not set". Writes nothing."""
        _check(trust)
        if self._state.trust_of(source_key, committed=True) == trust:
            self.revert_trust(source_key)
        elif self._trying.get(source_key, _UNTRIED) != trust:
            self._trying[source_key] = trust
            self._update_preview()
        self._show_after()

    def set_preview(self, trust: Mapping[str, float | None]) -> None:
        """Try exactly these values, in place of all that are tried now.

        Sources that the vault doesn't know, and values that are stored, are left out.
        """
        for value in trust.values():
            _check(value)
        tried = self._state.still_open(trust)
        if tried != self._trying:
            self._trying = tried
            self._update_preview()
        self._show_after()

    def revert_trust(self, source_key: str) -> None:
        """Stop trying a trust for this source."""
        if source_key in self._trying:
            del self._trying[source_key]
            self._update_preview()

    def discard_preview(self) -> None:
        if self._trying:
            self._trying = {}
            self._update_preview()

    # Before and after.

    def set_preview_view(self, view: PreviewView) -> None:
        """Show the values "after", those "before", or both side by side ("split")."""
        if view != self._view and (view != "before" or self._trying):
            self._view = view
            self._follow_view()
            self.preview_view_changed.emit(view)

    def peek(self, *, on: bool) -> None:
        """Show the values before the preview until it ends, whatever the view is."""
        if on != self._is_peeking and (self._trying or not on):
            self._is_peeking = on
            self._follow_view()

    def _show_after(self) -> None:
        """What is moved must be seen."""
        self.peek(on=False)
        if self._view == "before":
            self.set_preview_view("after")

    def _follow_view(self) -> None:
        state, before = self._state, self._is_peeking or self._view == "before"
        if state.is_before != before:
            moved = state.set_before(on=before)
            self.scores_changed.emit()
            if moved:
                self.order_changed.emit()

    # The threshold.

    def set_threshold(self, threshold: float) -> None:
        """Count who crosses another score in [0, 1]."""
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"a threshold must be in [0, 1], not {threshold}")
        if threshold == self._threshold:
            return
        self._threshold = threshold
        self.threshold_changed.emit(threshold)
        if self._shown is not None:
            self._shown.threshold = threshold
            if self.jobs.is_running("preview"):
                self._preview_waits = True
            elif self._trying:
                self.preview_changed.emit(self._shown.count_again())

    # Scoring.

    def _update_preview(self) -> None:
        state, tried = self._state, dict(self._trying)
        if self.jobs.is_running("preview"):
            self._preview_waits = True  # its outcome is shown first, then the newest value
        elif state.rows_touched(tried) <= FRAME_ROWS:
            self._on_preview_scored(state.compute(tried))
        else:
            work = partial(state.compute_job, tried)
            self.jobs.run("preview", work, self._on_preview_scored, urgent=True)

    def _on_preview_scored(self, scored: Scored) -> None:
        moved = self._state.show(scored)
        self.scores_changed.emit()
        if moved:
            self.order_changed.emit()
        self.preview_changed.emit(scored.preview)
        if scored.preview.is_empty:
            self._show_after()
        if self._preview_waits:
            self._preview_waits = False
            self._update_preview()

    def _lay_over(self, state: Shown) -> None:
        """Try the same values over another state, in which some may be stored by now."""
        self.jobs.cancel("preview")
        self._preview_waits = False
        state.threshold = self._threshold
        self._trying = state.still_open(self._trying)
        if self._trying:
            state.show(state.compute(self._trying))
            state.set_before(on=self._is_peeking or self._view == "before")

    def _forget_preview(self) -> None:
        """Try nothing any more, without a word to anybody."""
        self._trying, self._preview_waits = {}, False
        self._is_peeking = False
        if self._view == "before":
            self._view = "after"
            self.preview_view_changed.emit("after")


def _check(trust: float | None) -> None:
    if trust is not None and not 0.0 <= trust <= 1.0:
        raise ValueError(f"trust must be in [0, 1], not {trust}")

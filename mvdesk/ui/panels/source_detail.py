"""One source: the control for its trust, what that does, and the note kept with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from mvdesk.scoring.rounding import round3
from mvdesk.scoring.verdict import format_delta
from mvdesk.ui import plans
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.note_line import NoteLine
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.ui.widgets.trust_control import TrustControl
from mvdesk.ui.widgets.trust_slider import NEUTRAL
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.preview import Preview
    from mvdesk.ui.session import VaultSession

_SETTLED: Final = object()
_NO_TRUST: Final = tr("A note is kept with a stored trust: set one and apply it first.")


class SourceDetail(QWidget):
    """Session and trust control, joined: what is moved here is a preview, nothing is written."""

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._key: str | None = None  # the source that the control edits
        self._asked: object = _SETTLED  # the trust asked for, until the session shows it
        self._shown: Preview | None = None
        self._is_titled = False
        self._name = ElidedLabel(steady=True)
        self._name.setObjectName("sourceName")
        set_role(self._name, "strong")
        self._name.hide()
        self.control = TrustControl()
        self.note = NoteLine()
        self._facts = QLabel()
        self._facts.setObjectName("sourceFacts")
        self._facts.setTextFormat(Qt.TextFormat.PlainText)
        self._facts.setWordWrap(True)
        set_role(self._facts, "mutedCaption")
        self._facts_box = SteadyBox(self._facts)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self._name)
        column.addWidget(self.control)
        column.addWidget(self._facts_box)
        column.addWidget(self.note)
        column.addStretch(1)
        self.setFocusProxy(self.control)
        self.control.trust_edited.connect(self._on_trust_edited)
        self.control.unset_requested.connect(self._on_unset_requested)
        self.control.revert_requested.connect(self._on_revert_requested)
        self.note.note_edited.connect(self._on_note_edited)
        session.preview_changed.connect(self._on_preview_changed)

    @property
    def key(self) -> str | None:
        """The source that is shown."""
        return self._key

    def set_source(self, key: str | None, refusal: str = "") -> None:
        """Show another source; None for none, for which `refusal` says why."""
        if key != self._key:
            self._asked = _SETTLED
        self._key = key
        self._name.setText(key or "")
        self.control.set_refusal(refusal)
        self.refresh()

    def set_titled(self, *, on: bool) -> None:
        """Name the source above the control, where the table may be scrolled away from it."""
        self._name.setVisible(on)
        self._is_titled = on
        self.update()

    def set_facts(self, text: str) -> None:
        """Say more about the source; "" for nothing."""
        if text != self._facts.text():
            self._facts.setText(text)
            self._facts_box.setVisible(bool(text))
            self._facts_box.follow()

    def refresh(self) -> None:
        """Show the trust of now and what it does."""
        session, key = self._session, self._key
        self._shown = session.preview
        if key is None or not session.is_open:
            self.control.set_trust(None, effect="")
            self.note.set_note("", "", refusal=_NO_TRUST, writable=False)
            return
        sources = session.snapshot.sources
        index = session.snapshot.key_index(key)
        count = 0 if index is None else int(session.snapshot.active_per_source[index])
        is_named = index is not None and bool(sources.counts[index])
        trust, stored = session.trust_of(key), session.trust_of(key, committed=True)
        if self._asked == trust:
            self._asked = _SETTLED
        effect = self._describe_effect(key, count, trust, stored)
        if is_named and not count:
            effect = tr("only archived memories name it")
        if self._asked is _SETTLED:
            self.control.set_trust(trust, stored, effect=effect)
        else:  # the handle must not jump back to a value that was scored meanwhile
            self.control.set_effect(effect)
        note = (None if index is None else sources.notes[index]) or ""
        refusal = session.read_only_reason or ("" if stored is not None else _NO_TRUST)
        self.note.set_note(key, note, refusal=refusal, writable=not session.read_only_reason)

    def _describe_effect(
        self, key: str, count: int, trust: float | None, stored: float | None
    ) -> str:
        """What the trust does to each memory of the source, in score points.

        In a preview that is first the change against what is stored, then all of it.
        """
        session, model = self._session, self._session.model
        if not count:
            return tr("no memory names it")
        shown = _effects(trust, model)
        whom = tr_n("its only memory", "each of {count:,} memories", count, count=count)
        whole = _format_deltas(shown)
        if key not in session.overlay:
            return (
                tr("{whole} for {whom}", whole=whole, whom=whom)
                if whole
                else tr("no effect on {whom}", whom=whom)
            )
        before = _effects(stored, model)
        change = _format_deltas([new - old for new, old in zip(shown, before, strict=True)])
        if not change:
            nobody = tr_n("its only memory", "any of {count:,} memories", count, count=count)
            return tr("changes nothing for {nobody}", nobody=nobody)
        stuck = session.preview.clamped_by_source.get(key, 0)
        said = tr("{change} for {whom}", change=change, whom=whom)
        if stuck:
            said += tr_n(
                ", which cannot move", ", {stuck:,} of which cannot move", count, stuck=stuck
            )
        if whole == change:  # nothing was set before, so the change is all of it
            return f"{said}."
        return (
            tr("{said}. In total {whole}.", said=said, whole=whole)
            if whole
            else tr("{said}. In total no effect.", said=said)
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_titled:
            painter = QPainter(self)
            painter.fillRect(0, 0, self.width(), 1, applied().color("hairline"))
            painter.end()

    @Slot(object)
    def _on_preview_changed(self, preview: Preview) -> None:
        if self._key not in preview.trust and self._asked is not _SETTLED:
            self._asked = _SETTLED  # reverted or discarded
            self.refresh()
        elif preview is not self._shown:
            self.refresh()  # else the scores have said so before

    @Slot(float)
    def _on_trust_edited(self, trust: float) -> None:
        if self._key is not None:
            self._asked = trust
            self._session.preview_trust(self._key, trust)

    @Slot()
    def _on_unset_requested(self) -> None:
        if self._key is not None:
            self._asked = None
            self._session.preview_trust(self._key, None)
            self.refresh()

    @Slot()
    def _on_revert_requested(self) -> None:
        if self._key is not None:
            self._asked = _SETTLED
            self._session.revert_trust(self._key)
            self.refresh()

    @Slot(str, str)
    def _on_note_edited(self, key: str, note: str) -> None:
        session = self._session
        if session.is_open:
            session.write("note", plans.note_plan(key, note, session.current_time()))


def _effects(trust: float | None, model: ScoreModel) -> tuple[float, float]:
    """What a trust adds to confidence and to importance, not rounded."""
    way = (NEUTRAL if trust is None else trust) - NEUTRAL
    return way * model.trust_confidence, way * model.trust_importance


def _format_deltas(deltas: Sequence[float]) -> str:
    """Changes of both scores as text, "" when neither is seen in three decimals."""
    confidence, importance = (round3(delta) for delta in deltas)
    if not confidence and not importance:
        return ""
    return tr(
        "{delta} confidence, {delta_2} importance",
        delta=format_delta(confidence),
        delta_2=format_delta(importance),
    )

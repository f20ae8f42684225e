"""The source of the selected memory: how far it is trusted, and what that does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from mvdesk.scoring.rounding import round3
from mvdesk.scoring.verdict import format_delta
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.ui.widgets.trust_control import TrustControl
from mvdesk.ui.widgets.trust_slider import format_trust

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from mvdesk.scoring.explain import Explanation
    from mvdesk.ui.looking import Highlight
    from mvdesk.ui.preview import Preview
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

_COLUMNS: Final = ("Source", "Memories", "Trust", "State", "Note")
_WIDTHS: Final = {1: 84, 2: 68, 3: 76, 4: 180}
_NUMBERS: Final = (1, 2)
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_STATE_COLUMN, _NOTE_COLUMN = 3, 4
_HEADER_PX: Final = 33
_STATE_FROM_PX: Final = 340
_NOTE_FROM_PX: Final = 620
_NOTHING: Final = "Select a memory to see how far its source is trusted."
_NO_SOURCE: Final = "This memory names no source. Name its source first, in the editor."
_TRUST_PART: Final = "source_trust_delta"
_SETTLED: Final = object()


class SourcesPanel(QWidget):
    """Session and trust control, joined: what is moved here is a preview, nothing is written."""

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sourcesPanel")
        self.setAccessibleName("Sources")
        self._session = session
        self._key: str | None = None  # the source that the control edits
        self._asked: object = _SETTLED  # the trust asked for, until the session shows it
        self._preview: Preview | None = None  # the one shown
        self._build()
        self._connect()
        self._refresh()

    # Building.

    def _build(self) -> None:
        self.header = PanelHeader("Source")
        self._model = QStandardItemModel(1, len(_COLUMNS), self)
        self._model.setHorizontalHeaderLabels(list(_COLUMNS))
        for column in range(len(_COLUMNS)):
            self._model.setItem(0, column, QStandardItem())
        for column in _NUMBERS:
            self._model.item(0, column).setTextAlignment(_RIGHT)
            align = Qt.ItemDataRole.TextAlignmentRole
            self._model.setHeaderData(column, Qt.Orientation.Horizontal, _RIGHT, align)
        self._table = TableView("Sources")
        self._table.setObjectName("sourceTable")
        self._table.setModel(self._model)
        self._table.horizontalHeader().setSectionsClickable(False)
        self._table.setProperty("role", "plain")
        self._table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._table.set_column_widths(_WIDTHS, 0)
        self._control = TrustControl()
        self._note = QLabel()
        self._note.setObjectName("sourceNote")
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setWordWrap(True)
        set_role(self._note, "mutedCaption")
        page, below = QWidget(), QWidget()
        rest = QVBoxLayout(below)
        rest.setContentsMargins(12, 8, 12, 8)
        rest.addWidget(self._control)
        rest.addWidget(SteadyBox(self._note))
        rest.addStretch(1)
        stack = QVBoxLayout(page)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(0)
        stack.addWidget(self._table)
        stack.addWidget(_scrolling(below), 1)
        self._pages = QStackedWidget()
        self._pages.addWidget(EmptyState(_NOTHING, icon_name="sources"))
        self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.header)
        whole.addWidget(self._pages, 1)
        self.setFocusProxy(self._control)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._fit()

    def _connect(self) -> None:
        session = self._session
        session.vault_opened.connect(self._on_changed)
        session.vault_closed.connect(self._on_changed)
        session.vault_changed.connect(self._on_changed)
        session.scores_changed.connect(self._on_changed)
        session.selection_changed.connect(self._on_selection_changed)
        session.preview_changed.connect(self._on_preview_changed)
        session.looking.highlight_changed.connect(self._on_highlight_changed)
        self._control.trust_edited.connect(self._on_trust_edited)
        self._control.unset_requested.connect(self._on_unset_requested)
        self._control.revert_requested.connect(self._on_revert_requested)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._fit()

    def _fit(self) -> None:
        """The table is as high as its one row; columns go where there is no room."""
        width = self.width() / applied().scale
        self._table.setColumnHidden(_STATE_COLUMN, width < _STATE_FROM_PX)
        self._table.setColumnHidden(_NOTE_COLUMN, width < _NOTE_FROM_PX)
        self._note.setVisible(bool(self._note.text()) and width < _NOTE_FROM_PX)
        row = self._table.verticalHeader().defaultSectionSize()
        self._table.setFixedHeight(applied().px(_HEADER_PX) + row)

    # Showing.

    def _refresh(self) -> None:
        session = self._session
        self._preview = session.preview
        row = session.selected_row if session.is_open else None
        key = None if row is None else session.snapshot.source_key_of_row(row)
        if key != self._key:
            self._asked = _SETTLED
        self._key = key
        self._pages.setCurrentIndex(0 if row is None else 1)
        self._control.set_refusal("" if row is None or key is not None else _NO_SOURCE)
        if key is not None:
            self._show_source(key)
        elif row is not None:
            self._show_row("No source", "", "", "", "")
            self._control.set_trust(None, effect="")

    def _show_source(self, key: str) -> None:
        session = self._session
        sources = session.snapshot.sources
        index = session.snapshot.key_index(key)
        count = 0 if index is None else int(sources.counts[index])
        note = (None if index is None else sources.notes[index]) or ""
        trust, stored = session.trust_of(key), session.trust_of(key, committed=True)
        if self._asked == trust:
            self._asked = _SETTLED
        effect = self._describe_effect(key, count)
        if self._asked is _SETTLED:
            self._control.set_trust(trust, stored, effect=effect)
        else:  # the handle must not jump back to a value that was scored meanwhile
            self._control.set_effect(effect)
        state = "preview" if key in session.preview.trust else "not set" if trust is None else "set"
        self._show_row(key, f"{count:,}", format_trust(trust), state, note)

    def _show_row(self, *texts: str) -> None:
        for column, text in enumerate(texts):
            item = self._model.item(0, column)
            if text != item.text():
                item.setText(text)
                item.setToolTip(text)
        note = texts[_NOTE_COLUMN]
        self._note.setText(f"Note: {note}" if note else "")
        self._note.setVisible(bool(note) and self._table.isColumnHidden(_NOTE_COLUMN))

    def _describe_effect(self, key: str, count: int) -> str:
        """What the trust does to each memory of the source, in score points.

        In a preview that is first the change against what is stored, then all of it.
        """
        session = self._session
        memory_id = session.selected_id
        if memory_id is None:
            return ""
        shown = _trust_deltas(session.explain(memory_id))
        whom = "its only memory" if count == 1 else f"each of {count:,} memories"
        whole = _format_deltas(shown)
        if key not in session.preview.trust:
            return f"{whole} for {whom}" if whole else f"no effect on {whom}"
        stored = _trust_deltas(session.explain(memory_id, committed=True))
        change = _format_deltas(
            [after - before for after, before in zip(shown, stored, strict=True)]
        )
        if not change:
            nobody = "its only memory" if count == 1 else f"any of {count:,} memories"
            return f"changes nothing for {nobody}"
        stuck = session.preview.clamped_by_source.get(key, 0)
        said = f"{change} for {whom}"
        if stuck:
            said += ", which cannot move" if count == 1 else f", {stuck:,} of which cannot move"
        return f"{said}. In total {whole}." if whole else f"{said}. In total no effect."

    # What happens.

    @Slot()
    def _on_changed(self, _what: object = None) -> None:
        self._refresh()

    @Slot(object)
    def _on_selection_changed(self, _memory_id: str | None) -> None:
        self._asked = _SETTLED
        self._refresh()

    @Slot(object)
    def _on_preview_changed(self, preview: Preview) -> None:
        if self._key not in preview.trust and self._asked is not _SETTLED:
            self._asked = _SETTLED  # reverted or discarded
            self._refresh()
        elif preview is not self._preview:
            self._refresh()  # else the scores have said so before

    @Slot(object)
    def _on_highlight_changed(self, highlight: Highlight | None) -> None:
        """Mark the row while the source is the evidence that is looked at."""
        if highlight is not None and highlight.source and self._key is not None:
            self._table.selectRow(0)
        else:
            self._table.clearSelection()

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
            self._refresh()

    @Slot()
    def _on_revert_requested(self) -> None:
        if self._key is not None:
            self._asked = _SETTLED
            self._session.revert_trust(self._key)
            self._refresh()


def _scrolling(content: QWidget) -> QScrollArea:
    """What doesn't fit into a low panel with large text can be scrolled to."""
    area = QScrollArea()
    area.setObjectName("sourceScroll")
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(content)
    area.viewport().setAutoFillBackground(False)
    content.setAutoFillBackground(False)
    return area


def _trust_deltas(explanation: Explanation) -> tuple[float, float]:
    """What trust adds to confidence and to importance, not rounded."""
    confidence, importance = (
        next((part.delta for part in score.components if part.name == _TRUST_PART), 0.0)
        for score in (explanation.confidence, explanation.importance)
    )
    return confidence, importance


def _format_deltas(deltas: Sequence[float]) -> str:
    """Changes of both scores as text, "" when neither is seen in three decimals."""
    confidence, importance = (round3(delta) for delta in deltas)
    if not confidence and not importance:
        return ""
    return f"{format_delta(confidence)} confidence, {format_delta(importance)} importance"

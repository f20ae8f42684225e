"""Why the selected memory scores as it does: a verdict and a waterfall for each score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mvdesk.scoring.verdict import format_verdict
from mvdesk.ui.panels.score_section import ScoreSection
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.layouts import settle_layouts
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from mvdesk.scoring.explain import Explanation, ScoreExplanation
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

KINDS: Final = ("confidence", "importance")
_SIDE_BY_SIDE_FROM_PX: Final = 752
_WAIT_FOR_TEXT_MS: Final = 60
"""A memory that is read sooner is explained once, with the evidence of its text."""
_NOTHING: Final = "Select a memory to see why it scores as it does."


class ExplainPanel(QWidget):
    """Session and waterfalls, joined; shows preview values with the stored ones as ghosts."""

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("explainPanel")
        self.setAccessibleName("Explain")
        self._session = session
        self._explanation: Explanation | None = None
        self._is_stale = True
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(_WAIT_FOR_TEXT_MS)
        self._late.timeout.connect(self._on_changed)
        self._drawer: QWidget | None = None  # the one opened last
        self._build()
        self._connect()
        self._refresh()

    def copied_text(self) -> str:
        """Everything the panel says, as plain text."""
        if self._explanation is None:
            return ""
        shown = [self._sections[kind] for kind in self._shown_kinds()]
        parts = [f"{self._title()}\n{self._explanation.model_id}"]
        return "\n\n".join(parts + [section.as_text() for section in shown])

    # Building.

    def _build(self) -> None:
        self.header = PanelHeader("Explain")
        copy = IconButton("copy", "Copy this explanation as text")
        copy.setObjectName("explainCopy")
        copy.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        copy.clicked.connect(self._on_copy_clicked)
        self._which = SegmentedControl(
            "Scores shown",
            [("both", "Both"), ("confidence", "Confidence"), ("importance", "Importance")],
        )
        self._which.setObjectName("explainWhich")
        self._order = Choice("Order of the rows")
        self._order.setObjectName("explainOrder")
        self._order.set_choices([("grouped", "Grouped"), ("model", "Model order")])
        set_role(self._order, "compact")
        for part in (self._order, copy):
            self.header.add_action(part)
        self._sections = {kind: ScoreSection(kind) for kind in KINDS}
        self._empty = EmptyState(_NOTHING, icon_name="explain")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._make_page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._pages, 1)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _make_page(self) -> QWidget:
        content = QWidget()
        self._both = QBoxLayout(QBoxLayout.Direction.TopToBottom, content)
        self._both.setContentsMargins(12, 4, 12, 12)
        self._both.setSpacing(16)
        for section in self._sections.values():
            self._both.addWidget(section, 0, Qt.AlignmentFlag.AlignTop)
        self._both.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(content)
        area.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        self._area = area
        tools = QHBoxLayout()
        tools.setContentsMargins(12, 8, 12, 4)
        tools.addWidget(self._which)
        tools.addStretch(1)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        column.addWidget(area, 1)
        return page

    def _connect(self) -> None:
        session = self._session
        session.selection_changed.connect(self._on_selection_changed)
        session.scores_changed.connect(self._on_changed)
        session.vault_changed.connect(self._on_changed)
        session.memory_loaded.connect(self._on_changed)
        session.model_changed.connect(self._on_changed)
        session.vault_closed.connect(self._on_changed)
        self._which.value_chosen.connect(self._on_which_chosen)
        self._order.value_chosen.connect(self._on_order_chosen)
        for section in self._sections.values():
            section.row_opened.connect(self._on_row_opened)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._refresh()

    # Showing.

    def _shown_kinds(self) -> tuple[str, ...]:
        return KINDS if self._which.value == "both" else (self._which.value,)

    def _arrange(self) -> None:
        """Both scores side by side where there is room, else below each other."""
        wide = self.width() >= applied().px(_SIDE_BY_SIDE_FROM_PX)
        beside = wide and self._which.value == "both"
        directions = QBoxLayout.Direction
        self._both.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        for place, kind in enumerate(KINDS):
            self._sections[kind].setVisible(kind in self._shown_kinds())
            self._both.setStretch(place, 1 if beside else 0)
        self._both.setStretch(len(KINDS), 0 if beside else 1)

    def _refresh(self) -> None:
        """Explain the selected memory again. Only while it can be seen: a hidden one waits."""
        session = self._session
        memory_id = session.selected_id if session.is_open else None
        self._is_stale = False
        if memory_id is None or session.selected_row is None:
            self._explanation = None
            self._pages.setCurrentIndex(0)
            self.header.set_detail("")
            return
        shown = self._explanation = session.explain(memory_id)
        is_tried = shown.source_key in session.preview.trust
        stored = session.explain(memory_id, committed=True) if is_tried else None
        for kind, section in self._sections.items():
            score: ScoreExplanation = getattr(shown, kind)
            verdict = format_verdict(score, session.rank_of(memory_id, kind))
            section.set_score(score, getattr(stored, kind) if stored else None, verdict)
        self.header.set_detail(shown.model_id)
        self._pages.setCurrentIndex(1)
        settle_layouts(self._area, *self._sections.values())

    def _title(self) -> str:
        row = self._session.selected_row
        return "" if row is None else self._session.snapshot.memories.labels.text(row)

    # What happens.

    @Slot(object)
    def _on_selection_changed(self, memory_id: str | None) -> None:
        if memory_id is None or not self.isVisible():
            self._on_changed()
        else:
            self._late.start()

    @Slot()
    def _on_changed(self, _what: object = None) -> None:
        self._late.stop()
        if self.isVisible():
            self._refresh()
        else:
            self._is_stale = True

    @Slot(str)
    def _on_which_chosen(self, _which: str) -> None:
        self._arrange()

    @Slot(str)
    def _on_order_chosen(self, order: str) -> None:
        for section in self._sections.values():
            section.set_order("model" if order == "model" else "grouped")

    @Slot()
    def _on_row_opened(self) -> None:
        section = self.sender()
        if isinstance(section, ScoreSection):
            self._drawer = section.drawer
            QTimer.singleShot(0, self, self._show_drawer)  # laid out by then

    @Slot()
    def _show_drawer(self) -> None:
        if self._drawer is not None:
            self._area.ensureWidgetVisible(self._drawer, 0, 12)

    @Slot()
    def _on_copy_clicked(self) -> None:
        text = self.copied_text()
        if text:
            QGuiApplication.clipboard().setText(text)
            self._session.messages.notice("The explanation is on the clipboard.")

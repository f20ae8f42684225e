"""The graph: the selected memory among those it is linked with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mvdesk.records import RELATIONS
from mvdesk.ui.panels.neighbours import (
    UNKNOWN_RELATION,
    Neighbours,
    Wanted,
    compute_neighbours,
)
from mvdesk.ui.plots.graph_scene import GraphView
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QKeyEvent, QShowEvent

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

_JOB: Final = "graph"
_DEPTHS: Final = {Qt.Key.Key_1: "1", Qt.Key.Key_2: "2", Qt.Key.Key_3: "3"}
_BACK_KEYS: Final = (Qt.Key.Key_Backspace, Qt.Key.Key_BracketLeft)
_MOST_REMEMBERED: Final = 100


class GraphPanel(QWidget):
    """Session and graph, joined: neighbours up to three links away, colours of the preview."""

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("graphPanel")
        self.setAccessibleName("Graph")
        self._session = session
        self._shown: Neighbours | None = None
        self._is_stale = True
        self._visited: list[str] = []
        self._place = -1  # in `_visited`
        self._build()
        self._connect()
        self._refresh()

    # Building.

    def _build(self) -> None:
        self.header = PanelHeader("Graph")
        self._back = IconButton("arrow-left", "Back to the memory before (Backspace)")
        self._back.setObjectName("graphBack")
        self._forward = IconButton("arrow-right", "Forward again (])")
        self._forward.setObjectName("graphForward")
        self._depth = SegmentedControl("Links away", [("1", "1"), ("2", "2"), ("3", "3")])
        self._depth.setObjectName("graphDepth")
        self._depth.setToolTip("How many links away memories are shown (keys 1 to 3)")
        for button in (self._back, self._forward):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.header.add_action(button)
        self.header.add_action(self._depth)
        self._view = GraphView()
        self._view.setObjectName("graphView")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._view, 1)
        self.setFocusProxy(self._view)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _connect(self) -> None:
        session = self._session
        session.selection_changed.connect(self._on_selection_changed)
        session.vault_changed.connect(self._on_changed)
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_changed)
        session.scores_changed.connect(self._on_scores_changed)
        session.model_changed.connect(self._on_changed)
        session.looking.highlight_changed.connect(self._on_highlight_changed)
        self._view.node_clicked.connect(session.select)
        self._view.node_activated.connect(session.select)
        self._depth.value_chosen.connect(self._on_depth_chosen)
        self._back.clicked.connect(self._on_back_clicked)
        self._forward.clicked.connect(self._on_forward_clicked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in _DEPTHS:
            self._depth.set_value(_DEPTHS[key])
            self._refresh()
        elif key in _BACK_KEYS:
            self._step(-1)
        elif key == Qt.Key.Key_BracketRight:
            self._step(1)
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._refresh()

    # Showing.

    def _refresh(self) -> None:
        """Compute the picture of the selected memory; a hidden panel waits until it is seen."""
        session = self._session
        row = session.selected_row if session.is_open else None
        self._is_stale = row is not None and not self.isVisible()
        self._show_steps()
        if row is None:
            session.jobs.cancel(_JOB)
            self._shown = None
            self._view.set_graph(None)
            self.header.set_detail("")
        elif not self._is_stale:
            wanted = Wanted(
                snapshot=session.snapshot,
                scores=session.scores,
                model=session.model,
                now=session.now,
                row=row,
                depth=int(self._depth.value),
                places=self._places(),
                centre_before=self._shown.picture.ids[0] if self._shown else "",
                aspect=self._view.width() / max(self._view.height(), 1),
            )

            def work(_token: CancelToken) -> Neighbours:
                return compute_neighbours(wanted)

            session.jobs.run(_JOB, work, self._on_computed)

    def _places(self) -> Mapping[str, tuple[float, float]]:
        if self._shown is None:
            return {}
        picture = self._shown.picture
        places = ((float(x), float(y)) for x, y in picture.positions)
        return dict(zip(picture.ids, places, strict=True))

    def _on_computed(self, found: Neighbours) -> None:
        picture, old = found.picture, self._shown
        self._shown = found
        if old is None or not _is_same_picture(old.picture, picture):
            self._view.set_graph(picture)
        self._recolour()
        self._show_marks()
        around = len(picture) - 1 + picture.hidden
        self.header.set_detail("" if not around else f"{around:,} around this one")

    def _recolour(self) -> None:
        """The colours of the shown scores, whatever the picture was computed with."""
        if self._shown is not None and self._session.is_open:
            scores, rows = self._session.scores, self._shown.rows
            self._view.set_scores(scores.confidence[rows], scores.importance[rows])

    def _show_marks(self) -> None:
        """Bring out the links that are the evidence looked at."""
        highlight, shown = self._session.looking.highlight, self._shown
        if highlight is None or shown is None or not self._session.is_open:
            self._view.set_marked_links(frozenset())
            return
        links, centre = self._session.snapshot.links, self._session.selected_row
        marked = set()
        for number in () if centre is None else self._session.snapshot.links_of_row(centre):
            if links.ids.text(int(number)) in highlight.links:
                ends = int(links.from_rows[number]), int(links.to_rows[number])
                relation = int(links.relations[number])
                name = RELATIONS[relation] if relation >= 0 else UNKNOWN_RELATION
                marked.add((self._memory_id(ends[0]), self._memory_id(ends[1]), name))
        self._view.set_marked_links(frozenset(marked))

    def _memory_id(self, row: int) -> str:
        return self._session.snapshot.memories.ids.text(row) if row >= 0 else ""

    def _show_steps(self) -> None:
        self._back.setEnabled(self._place > 0)
        self._forward.setEnabled(self._place < len(self._visited) - 1)

    def _step(self, by: int) -> None:
        """Select the memory visited before or after, past those that are gone."""
        snapshot = self._session.snapshot
        place = self._place + by
        while 0 <= place < len(self._visited):
            if snapshot.row_of(self._visited[place]) is not None:
                self._place = place
                self._session.select(self._visited[place])
                return
            place += by

    # What happens.

    @Slot(object)
    def _on_selection_changed(self, memory_id: str | None) -> None:
        at = self._visited[self._place] if 0 <= self._place < len(self._visited) else None
        if memory_id is not None and memory_id != at:
            self._visited = [*self._visited[: self._place + 1], memory_id][-_MOST_REMEMBERED:]
            self._place = len(self._visited) - 1
        self._refresh()

    @Slot()
    def _on_vault_opened(self) -> None:
        self._visited, self._place = [], -1
        self._refresh()

    @Slot()
    def _on_changed(self, _what: object = None) -> None:
        self._refresh()

    @Slot()
    def _on_scores_changed(self) -> None:
        self._recolour()

    @Slot(object)
    def _on_highlight_changed(self, _highlight: object) -> None:
        self._show_marks()

    @Slot(str)
    def _on_depth_chosen(self, _depth: str) -> None:
        self._refresh()

    @Slot()
    def _on_back_clicked(self) -> None:
        self._step(-1)

    @Slot()
    def _on_forward_clicked(self) -> None:
        self._step(1)


def _is_same_picture(one: GraphPicture, other: GraphPicture) -> bool:
    """Whether only the scores may differ, so that the view needn't move."""
    return (
        one.ids == other.ids
        and one.labels == other.labels
        and one.types == other.types
        and one.relations == other.relations
        and one.worths == other.worths
        and one.hidden == other.hidden
        and np.array_equal(one.edges, other.edges)
        and np.array_equal(one.archived, other.archived)
        and np.array_equal(one.importance, other.importance)
        and np.array_equal(one.positions, other.positions)
    )

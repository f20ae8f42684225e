"""A graph on which more lies than its picture: counters, hits, a chosen link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF

from mvdesk.ui.plots.graph_canvas import GraphCanvas
from mvdesk.ui.plots.graph_lit import find_lit_hits
from mvdesk.ui.plots.graph_overlay import (
    Badge,
    GraphOverlay,
    Link,
    OverlayScene,
    Segment,
    find_badges,
    find_edge_at,
    find_edge_line,
)
from mvdesk.ui.plots.graph_picture import compute_edge_lines

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.arrays import BoolArray
    from mvdesk.ui.plots.graph_labels import LabelBox

_NEAR_ENOUGH: Final = 1.5


class MarkedGraph(GraphCanvas):
    """Shows counters of folded memories, brings out hits and one link. Doesn't answer either."""

    _overlay: GraphOverlay | None = None
    _found: frozenset[str] | None = None
    _chosen: Link | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overlay = GraphOverlay()
        self._overlay.setParentItem(self._canvas)
        self._overlay.setZValue(1.0)

    def set_found(self, ids: frozenset[str] | None) -> None:
        """Dim all but these memories; None dims nothing."""
        if ids != self._found:
            self._found = ids
            self._repaint()

    def set_chosen_link(self, link: Link | None) -> None:
        """Bring out one link, given as ids of both ends and relation; None for none."""
        if link != self._chosen:
            self._chosen = link
            self._repaint_overlay()

    @property
    def chosen_link(self) -> Link | None:
        """The link that is brought out, as ids of both ends and relation."""
        return self._chosen

    def link_of_edge(self, edge: int) -> Link:
        """The link that an edge of the picture stands for."""
        start, end = self._picture.edges[edge].tolist()
        ids = self._picture.ids
        return (ids[start], ids[end], self._picture.relations[edge])

    def link_at(self, where: QPointF) -> Link | None:
        """The link that runs under a point of the viewport, or close beside it."""
        if not len(self._picture.edges) or where.y() >= self._view_box.height():
            return None
        places, radii = self._project()
        lanes = self._lanes_beside(radii)
        lines = compute_edge_lines(places, radii, self._picture.edges, lanes)
        edge = find_edge_at(lines, where.x(), where.y())
        return None if edge is None else self.link_of_edge(edge)

    def link_point(self, link: Link) -> QPoint | None:
        """Where the middle of a link is on this widget; None when it isn't shown."""
        places, radii = self._project()
        line = find_edge_line(self._picture, link, places, radii, self._lanes_beside(radii))
        if line is None:
            return None
        return QPoint(round((line[0] + line[2]) / 2), round((line[1] + line[3]) / 2))

    def fit_to(self, memory_id: str) -> None:
        """Show a memory and those it is linked with, as large as they fit."""
        if memory_id not in self._picture.ids or not len(self._picture):
            return
        node = self._picture.ids.index(memory_id)
        part = np.append(self._picture.neighbours_of(node), node)
        width, height = self._view_box.width(), self._view_box.height()
        positions = self._picture.positions[part] * self._stretch
        low, high = positions.min(axis=0), positions.max(axis=0)
        margin = 2.0 * float(self._radii[part].max()) + 48.0
        across, down = (high - low + 2.0 * margin).tolist()
        zoom = min(width / across, height / down, _NEAR_ENOUGH)
        middle_x, middle_y = ((low + high) / 2.0).tolist()
        self._fitted = False
        wide, tall = width / zoom, height / zoom
        self._view_box.setRange(
            QRectF(middle_x - wide / 2.0, middle_y - tall / 2.0, wide, tall), padding=0
        )

    @property
    def badges(self) -> list[Badge]:
        """The counters of nodes that stand for others, with their places."""
        return find_badges(self._picture, *self._project(), self._look, self._size())

    def _badge_at(self, where: QPointF) -> str | None:
        """The memory whose counter is at a point."""
        if not self._picture.beyond.any():
            return None
        for badge in self.badges:
            box = badge.box
            if QRectF(box.left, box.top, box.width, box.height).contains(where):
                return self._picture.ids[badge.node]
        return None

    def badge_point(self, memory_id: str) -> QPoint | None:
        """Where a memory's counter is on this widget; None when it has none."""
        node = self._picture.ids.index(memory_id)
        for badge in self.badges:
            if badge.node == node:
                box = badge.box
                return QPoint(round(box.left + box.width / 2), round(box.top + box.height / 2))
        return None

    def _lit(self) -> tuple[BoolArray | None, BoolArray | None]:
        if self._hovered is None and self._found is not None:
            return find_lit_hits(self._picture, self._found)
        return super()._lit()

    def _blocked(self) -> list[LabelBox]:
        if not self._picture.beyond.any():
            return super()._blocked()
        return [*super()._blocked(), *(badge.box for badge in self.badges)]

    def _repaint(self) -> None:
        super()._repaint()
        self._repaint_overlay()

    def _repaint_overlay(self) -> None:
        """The counters of folded memories, the link that is chosen and one being drawn."""
        if self._overlay is None:
            return  # still being made
        size = self._size()
        if not len(self._picture):
            self._overlay.set_scene(None, size)
            return
        drawn = self._find_drawn()
        if not self._picture.beyond.any() and self._chosen is None and drawn is None:
            self._overlay.set_scene(None, size)
            return
        places, radii = self._project()
        chosen = None
        if self._chosen is not None:
            lanes = self._lanes_beside(radii)
            chosen = find_edge_line(self._picture, self._chosen, places, radii, lanes)
        badges = find_badges(self._picture, places, radii, self._look, size)
        self._overlay.set_scene(OverlayScene(self._look, badges, chosen, drawn), size)

    def _find_drawn(self) -> Segment | None:
        """The link that the person is drawing; this view draws none."""
        return None

"""What a graph shows: its picture divided from its legend, fitted and painted in place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from mvdesk.ui.plots.graph_bulk import BulkItem
from mvdesk.ui.plots.graph_bulk_captions import place_bulk_captions
from mvdesk.ui.plots.graph_bulk_scene import BulkScene, find_head_size
from mvdesk.ui.plots.graph_captions import PlacedLabel, move_captions, place_captions
from mvdesk.ui.plots.graph_fill import NodeFill
from mvdesk.ui.plots.graph_filter import NO_FILTER, GraphFilter, find_kept, take_part
from mvdesk.ui.plots.graph_fold import find_folds
from mvdesk.ui.plots.graph_item import GraphItem, GraphScene
from mvdesk.ui.plots.graph_labels import LabelBox
from mvdesk.ui.plots.graph_legend import LegendEntry, LegendItem, list_entries, list_sources
from mvdesk.ui.plots.graph_lit import find_lit, find_lit_names, find_pinned
from mvdesk.ui.plots.graph_notice import NoticeItem
from mvdesk.ui.plots.graph_overview import OverviewItem
from mvdesk.ui.plots.graph_picture import (
    GraphPicture,
    compute_edge_lines,
    find_lanes,
    find_radii,
    find_ramp_steps,
    is_much_alike,
    put_worths,
)
from mvdesk.ui.plots.graph_viewport import GraphViewport
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from PySide6.QtWidgets import QWidget

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.ui.plots.graph_colouring import Colouring

EMPTY_TEXT: Final = tr("Select a memory to see what it is linked with.")

_LEGEND_SHARE: Final = 0.27


class GraphCanvas(GraphViewport):
    """Shows a GraphPicture and doesn't answer the person. Made once, updated in place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = GraphPicture.empty()
        self._filter = NO_FILTER
        self._kept = np.empty(0, dtype=np.intp)  # nodes of `_whole` that are in `_picture`
        self._kept_edges = np.empty(0, dtype=np.intp)
        self._colouring: Colouring | None = None  # of `_whole`; None: the confidence
        self._steps = self._find_steps()
        self._fills = self._find_fills()
        self._lanes = find_lanes(self._picture.edges)
        self._selected: int | None = None
        self._selected_id: str | None = None
        self._current: int | None = None
        self._hovered: int | None = None
        self._marked: frozenset[tuple[str, str, str]] = frozenset()
        self._pinned: frozenset[str] = frozenset()
        self._worths: Mapping[tuple[str, str, str], str] = {}
        self._empty_text = EMPTY_TEXT
        self._labels: list[PlacedLabel] = []
        self._scene: GraphScene | None = None

        self._item = GraphItem()
        self._item.setParentItem(self._canvas)
        self._bulk = BulkItem()
        self._bulk.setParentItem(self._canvas)
        self._legend = LegendItem()
        self._legend.setParentItem(self._canvas)
        self._notice = NoticeItem()
        self._notice.setParentItem(self._canvas)
        self._overview = OverviewItem()
        self._overview.setParentItem(self._canvas)
        self._has_overview = True
        self._covered = QRectF()

        self.setAccessibleName(tr("Graph"))
        self._finish()

    # In

    def set_graph(self, picture: GraphPicture | None, *, keep_view: bool = False) -> None:
        """Show a picture; its centre is the selected node. `None` empties the view.

        Fits it to the view, unless the same memories stand where they stood. With `keep_view`
        nothing moves on the screen either when some memories come or go. Of the same memories
        colours and inferred links stay as they are.
        """
        before = self._whole
        self._whole = picture or GraphPicture.empty()
        moved = self._whole.ids != before.ids
        if moved:
            self._colouring = None
        elif not len(self._whole.inferred):
            self._whole = self._whole.with_inferred(before.inferred, before.inferred_labels)
        if moved or not np.array_equal(self._whole.positions, before.positions):
            if not keep_view or not is_much_alike(before, self._whole):
                self._fitted = True
            elif moved:
                self._fitted = False
        self._show_filtered()

    def set_filter(self, wanted: GraphFilter) -> None:
        """Leave something out; what stays, stays where it is."""
        if wanted != self._filter:
            self._filter = wanted
            self._fitted = False
            self._show_filtered()

    def _show_filtered(self) -> None:
        current, selected = self.current_id, self._selected_id
        place = None if self._current is None else self._picture.positions[self._current]
        folded, counts = find_folds(self._whole, self._filter)
        self._kept, edges = find_kept(self._whole, self._filter, folded)
        self._kept_edges = edges
        picture = take_part(self._whole, self._kept, edges, inferred=self._filter.inferred)
        folds = counts[self._kept]
        if folds.any():
            picture = replace(picture, beyond=folds)
        self._picture = picture
        self._steps = self._find_steps()
        self._radii = find_radii(picture.importance)
        self._lanes = find_lanes(picture.edges)
        self._selected = picture.centre
        if picture.centre is None and selected in picture.ids:
            self._selected = picture.ids.index(selected)
        self._current = picture.centre
        if current is not None and current in picture.ids:
            self._current = picture.ids.index(current)
        elif place is not None and picture.centre is None and len(picture):
            self._current = int(((picture.positions - place) ** 2).sum(axis=1).argmin())
        self._hovered = None
        self._rest.stop()  # what moves now is another picture
        self._put_worths()
        self._arrange()

    def set_worths(self, worths: Mapping[tuple[str, str, str], str]) -> None:
        """What links are worth to the selected node, in a picture that has no centre."""
        if worths != self._worths:
            self._worths = worths
            self._put_worths()
            self._repaint()

    def _put_worths(self) -> None:
        if self._picture.centre is None:
            self._picture = put_worths(self._picture, self._worths, self._selected)

    def set_scores(self, confidence: FloatArray, importance: FloatArray) -> None:
        """Recolour the nodes, as a preview does, and say other scores. Nothing moves."""
        if not confidence.shape == importance.shape == self._whole.confidence.shape:
            raise ValueError("both scores of every node are needed")
        self._whole = replace(self._whole, confidence=confidence, importance=importance)
        confidence, importance = confidence[self._kept], importance[self._kept]
        self._picture = replace(self._picture, confidence=confidence, importance=importance)
        self._describe()
        self._show_steps(self._find_steps())

    def _find_steps(self) -> IntArray:
        """The number of each node's fill."""
        if self._colouring is None:
            return find_ramp_steps(self._picture.confidence)
        return self._colouring.codes[self._kept]

    def _show_steps(self, steps: IntArray) -> None:
        if np.array_equal(steps, self._steps):
            return
        self._steps = steps
        if self._is_bulk:
            self._repaint()
        elif self._scene is not None:
            self._scene = replace(self._scene, steps=steps)
            self._item.set_scene(self._scene, self._size())

    def set_colouring(self, colouring: Colouring | None) -> None:
        """Have the colours of all nodes say something else; None: the confidence.

        One for another number of nodes is passed over: it came too late.
        """
        if colouring is not None and len(colouring.codes) != len(self._whole):
            return
        if colouring is None and self._colouring is None:
            return
        self._colouring = colouring
        self._steps = self._find_steps()
        self._arrange()

    def set_inferred(self, pairs: IntArray, labels: tuple[str, ...]) -> None:
        """Other links that shared tags suggest, as pairs of the picture's nodes."""
        if len(pairs) or len(self._whole.inferred):
            self._whole = self._whole.with_inferred(pairs, labels)
            self._show_filtered()

    def set_overview(self, on: bool) -> None:
        """Whether there is a map in the corner while a part is seen."""
        self._has_overview = on
        self._repaint()

    def set_covered(self, area: QRectF) -> None:
        """Keep labels from under something that lies on the view."""
        if area != self._covered:
            self._covered = area
            self._repaint()

    @property
    def overview_box(self) -> QRectF:
        """Where the map is, empty while there is none."""
        frame = self._overview.frame
        return QRectF() if frame is None else frame.box

    def set_selected(self, memory_id: str | None) -> None:
        """Outline a node; another one than before takes the keyboard's place along.

        Never emits `node_clicked`.
        """
        ids = self._picture.ids
        is_other = memory_id != self._selected_id or self._current is None
        before = self._selected, self._current, self._worths
        self._selected_id = memory_id
        self._selected = ids.index(memory_id) if memory_id in ids else None
        if is_other and self._worths:
            self._worths = {}  # they were the other one's
            self._put_worths()
        if self._selected is not None and is_other:
            self._current = self._selected
            self._describe()
        if (self._selected, self._current, self._worths) != before:
            self._repaint()

    def set_marked_links(self, links: frozenset[tuple[str, str, str]]) -> None:
        """Bring out links, given as ids of both ends and relation; none brings out all alike.

        Links that aren't in the picture are left out.
        """
        if links != self._marked:
            self._marked = links
            self._repaint()

    @property
    def lit_nodes(self) -> BoolArray | None:
        """Marks the memories that are brought out; None when all are alike."""
        return self._lit()[0]

    @property
    def lit_edges(self) -> BoolArray | None:
        """Marks the links that are brought out; None when all are alike."""
        return self._lit()[1]

    def _lit(self) -> tuple[BoolArray | None, BoolArray | None]:
        return find_lit(self._picture, self._hovered, self._marked)

    def set_empty_text(self, text: str) -> None:
        """What is said instead of a picture without nodes."""
        self._empty_text = text
        self._show_notice()

    def put_node(self, memory_id: str, place: tuple[float, float]) -> None:
        """Show a node elsewhere, in px of the layout. Emits nothing."""
        if memory_id in self._whole.ids:
            positions = self._whole.positions.copy()
            positions[self._whole.ids.index(memory_id)] = place
            self._whole = self._whole.with_positions(positions)
            self._picture = self._picture.with_positions(positions[self._kept])
            self._repaint()

    def set_pinned(self, ids: Collection[str]) -> None:
        """Mark the nodes that were put where they are."""
        if self._pinned != (pinned := frozenset(ids)):
            self._pinned = pinned
            self._repaint()

    # Out

    @property
    def notice(self) -> str:
        """What is said in the middle of the view, "" for nothing."""
        return self._notice.text

    @property
    def picture(self) -> GraphPicture:
        """What is shown: what passes the filter."""
        return self._picture

    @property
    def legend_entries(self) -> list[LegendEntry]:
        """What a legend with room for all explains, with counts."""
        kept = self._kept, self._kept_edges
        return list_entries(self._whole, self._filter, self._colouring, kept)

    @property
    def source_entries(self) -> list[LegendEntry]:
        """The sources of the picture with counts, as switches."""
        return list_sources(self._whole, self._filter)

    @property
    def colouring(self) -> Colouring | None:
        """What the colours of the nodes shown say; None: the confidence."""
        return None if self._colouring is None else self._colouring.taken(self._kept)

    @property
    def current_id(self) -> str | None:
        """The memory the keyboard is at."""
        return None if self._current is None else self._picture.ids[self._current]

    @property
    def placed_labels(self) -> list[PlacedLabel]:
        """The labels that found room, with their places."""
        return list(self._labels)

    @property
    def picture_text(self) -> str:
        """What a picture says above the graph."""
        return self._picture.describe()

    def table(self) -> list[tuple[str, str, str, str, int]]:
        """Title, type, confidence, importance and number of links shown, for every node."""
        return self._picture.table()

    # Inside

    def _dress(self) -> None:
        self.setBackground(self._look.color("surface"))
        self._arrange()

    def _arrange(self) -> None:
        """Divide the view between picture and legend, then fit or keep what is shown."""
        self._arranging = True  # one repaint at the end, not one for every range on the way
        width, height = float(self.width()), float(self.height())
        entries = self.legend_entries
        self._fills = self._find_fills()
        most = height * _LEGEND_SHARE
        strip = self._legend.fit(entries, width, most, self._look, self._fills)
        self._legend.setPos(0.0, height - strip)
        self._view_box.setGeometry(0.0, 0.0, max(width, 1.0), max(height - strip, 1.0))
        self._show_notice()
        self._describe()
        if self._fitted:
            self._fit_range()
        elif self._part is not None:
            self._view_box.setRange(self._part, padding=0)
        self._arranging = False
        self._repaint()

    def _find_fills(self) -> tuple[NodeFill, ...]:
        if self._colouring is None:
            return tuple(NodeFill(color) for color in self._look.tokens.confidence_ramp)
        return self._colouring.fills(self._look.tokens)

    def _show_overview(self) -> None:
        """A map in the corner while only a part of the picture is seen."""
        seen = self._view_box.viewRect() if self._has_overview else None
        positions, size = self._picture.positions, self._size()
        self._overview.follow(positions, self._stretch, seen, size, self._look)

    def _blocked(self) -> list[LabelBox]:
        """Where no label may stand: the line in the corner, the map, what covers a part."""
        taken = (box for box in (self.overview_box, self._covered) if not box.isEmpty())
        areas = (LabelBox(box.left(), box.top(), box.width(), box.height()) for box in taken)
        return [*self._notice.corner_boxes(), *areas]

    def _repaint(self) -> None:
        size = self._size()
        if not len(self._picture):
            self._places, self._labels = np.empty((0, 2)), []
            self._scene = None
            self._item.set_scene(None, size)
            self._bulk.set_scene(None, size)
            self._overview.hide()
            return
        before, zoom = self._places, self._zoom_before
        self._places, radii = self._project()
        self._zoom_before = self.zoom
        share = self._zoom_before / zoom
        self._show_overview()
        if self._is_bulk:
            self._repaint_bulk(size, radii, before, share)
            return
        self._bulk.set_scene(None, size)
        pinned = find_pinned(self._picture, self._pinned)
        lines = compute_edge_lines(self._places, radii, self._picture.edges, self._lanes)
        lit_nodes, lit_edges = self._lit()
        if self._rest.isActive():
            self._labels = move_captions(self._labels, before, self._places, share)
        else:
            self._labels = place_captions(
                picture=self._picture,
                places=self._places,
                radii=radii,
                lines=lines,
                look=self._look,
                area=_inside(size),
                blocked=self._blocked(),
                selected=self._selected,
                hovered=self._hovered,
                lit=find_lit_names(lit_nodes),
            )
        self._scene = GraphScene(
            picture=self._picture,
            steps=self._steps,
            fills=self._fills,
            places=self._places,
            radii=radii,
            lines=lines,
            labels=self._labels,
            zoom=self.zoom,
            look=self._look,
            selected=self._selected,
            pinned=pinned,
            current=self._current if self.shows_ring() else None,
            lit_nodes=lit_nodes,
            lit_edges=lit_edges,
        )
        self._item.set_scene(self._scene, size)

    def _repaint_bulk(
        self, size: tuple[float, float], radii: FloatArray, before: FloatArray, share: float
    ) -> None:
        """Plainly while it moves: labels go along, lines are thin; the rest once it rests."""
        lit_nodes, lit_edges = self._lit()
        is_resting = not self._rest.isActive()
        if is_resting:
            first = [node for node in (self._hovered, self._selected) if node is not None]
            area = _inside(size)
            corner, names = self._blocked(), find_lit_names(lit_nodes)
            self._labels = place_bulk_captions(
                self._picture, self._places, radii, self._look, area, corner, first, names
            )
        else:
            self._labels = move_captions(self._labels, before, self._places, share)
        scene = BulkScene(
            picture=self._picture,
            steps=self._steps,
            fills=self._fills,
            places=self._places,
            radii=radii,
            lanes=self._lanes_beside(radii),
            look=self._look,
            is_resting=is_resting,
            labels=self._labels,
            selected=self._selected,
            pinned=find_pinned(self._picture, self._pinned),
            current=self._current if self.shows_ring() else None,
            lit_nodes=lit_nodes,
            lit_edges=lit_edges,
        )
        self._scene = None
        self._item.set_scene(None, size)
        self._bulk.set_scene(scene, size)

    def _lanes_beside(self, radii: FloatArray) -> FloatArray:
        """How far aside each link runs, in px, among nodes of such radii."""
        return self._lanes * find_head_size(radii) if self._is_bulk else self._lanes

    def _show_notice(self) -> None:
        width, height = self._view_box.width(), self._view_box.height()
        whole = len(self._whole)
        self._notice.arrange(self._picture, whole, self._empty_text, width, height, self._look)

    def _describe(self) -> None:
        picture = self._picture
        if not len(picture):
            self.setAccessibleDescription(self._notice.text)
            return
        said = picture.describe()
        if self._current is not None:
            said = f"{self.describe_node(self._current)}. {said}"
        self.setAccessibleDescription(said)

    def describe_node(self, node: int) -> str:
        """A node in words, with what its colour says of it."""
        said = self._picture.describe_node(node)
        colouring = self._colouring
        if colouring is None or not colouring.values:
            return said
        return f"{said}, {colouring.values[int(self._kept[node])]}"

    def _set_current(self, node: int) -> None:
        self._current = node
        self._describe()
        self._show_node(node)
        self._repaint()

    def _legend_entry_at(self, where: QPointF) -> LegendEntry | None:
        return self._legend.entry_at(where.x(), where.y() - self._view_box.height())


def _inside(size: tuple[float, float]) -> LabelBox:
    """Where labels may stand in a view of that size."""
    width, height = size
    return LabelBox(2.0, 2.0, width - 4.0, height - 4.0)

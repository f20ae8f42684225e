"""Who gains and who loses by a reinforcement, as the links around its seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize

from mvdesk.ui.plots.heat_item import HeatItem, HeatScene, label_of
from mvdesk.ui.plots.heat_layout import (
    HeatNode,
    HeatPlace,
    compute_heat_layout,
    describe_node,
    node_at,
)
from mvdesk.ui.plots.mark_chart import MarkChart
from mvdesk.ui.plots.waterfall_kit import kit_of
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent
    from PySide6.QtWidgets import QWidget

_REACH: Final = 6.0
_SIZE: Final = QSize(520, 320)
_LEAST: Final = QSize(240, 160)
_NAME: Final = tr("Who gains and who loses, around the memory that is reinforced")
_LABEL_PX: Final = 300


class HeatChart(MarkChart):
    """The seed in the middle and what it reaches around it. Made once, updated in place.

    The colour is the stronger the more a memory gains; a loss is dashed and has a minus.
    Arrows go from the largest change to the smallest.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_NAME, _SIZE, _LEAST, parent)
        self._nodes: tuple[HeatNode, ...] = ()
        self._places: tuple[HeatPlace, ...] = ()
        self._left_out = 0
        self._item = HeatItem()
        self._item.setParentItem(self._canvas)
        self._finish()
        self._describe()

    # In

    def set_nodes(self, nodes: Sequence[HeatNode], *, left_out: int = 0) -> None:
        """Show others: the seed first, each after the one it came from."""
        kept = self.current_id
        self._nodes, self._left_out = tuple(nodes), left_out
        self._follow_marks(kept)

    # Out

    @property
    def nodes(self) -> tuple[HeatNode, ...]:
        return self._nodes

    @property
    def places(self) -> tuple[HeatPlace, ...]:
        """Where the nodes stand on this widget."""
        return self._places

    @property
    def picture_text(self) -> str:
        """What a picture says above it."""
        left_out = (
            tr(" {left_out:,} that change less are left out.", left_out=self._left_out)
            if self._left_out
            else ""
        )
        return tr(
            "Base confidence · base importance gained. Dashed: a loss.{left_out}", left_out=left_out
        )

    def twin(self) -> HeatChart:
        """Another one that shows the same, nothing pointed at."""
        made = HeatChart()
        made.set_nodes(self._nodes, left_out=self._left_out)
        return made

    # Inside

    def _ids(self) -> Sequence[str]:
        return [node.memory_id for node in self._nodes]

    def _stops(self) -> Sequence[int]:
        """The seed, then the largest change to the smallest."""
        rest = range(1, len(self._nodes))
        return [0, *sorted(rest, key=lambda n: -abs(self._nodes[n].heat))]

    def _tell(self, number: int) -> str:
        return describe_node(self._nodes[number])

    def _tell_all(self) -> str:
        if not self._nodes:
            return tr("Nothing is reinforced.")
        return tr(
            "{nodes:,} memories. {picture_text}",
            nodes=len(self._nodes),
            picture_text=self.picture_text,
        )

    def _under(self, x: float, y: float) -> int | None:
        return node_at(self._places, x, y, _REACH * max(self._look.scale, 1.0))

    def _relayout(self) -> None:
        face = kit_of(self._look).face("caption")
        strong = kit_of(self._look).face("caption", strong=True)
        most = min(self._look.px(_LABEL_PX), 0.33 * self.width())
        widths = []
        for number, node in enumerate(self._nodes):
            title, gain = label_of(node)
            title_width = (face if number else strong).width(title)
            gap = 10 * self._look.scale
            widths.append(
                max(min(title_width + gap + strong.width(gain), most), strong.width(gain))
            )
        size = (float(self.width()), float(self.height()))
        self._places = compute_heat_layout(self._nodes, size, face.height, widths)
        self._repaint()

    def _repaint(self) -> None:
        scene = HeatScene(
            self._nodes, self._places, self._look, self._current, self._hovered, self.shows_ring()
        )
        self._item.set_scene(scene, (float(self.width()), float(self.height())))
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self._current is None and self._nodes:
            self._current = 0
        super().focusInEvent(event)

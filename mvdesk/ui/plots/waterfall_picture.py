"""A waterfall as part of a picture: the same painter, nothing selected, nothing cut short."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mvdesk.ui.plots.waterfall_item import paint_scene
from mvdesk.ui.plots.waterfall_kit import kit_of
from mvdesk.ui.plots.waterfall_layout import MIN_PLOT, Metrics, compute_waterfall_layout
from mvdesk.ui.plots.waterfall_texts import WaterfallScene

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from mvdesk.ui.plots.waterfall_content import WaterfallContent
    from mvdesk.ui.plots.waterfall_layout import WaterfallLayout
    from mvdesk.ui.plots.waterfall_rows import Row
    from mvdesk.ui.theme import Look

_INSET: Final = 8.0
_MOST_HINT: Final = 380.0


@dataclass(frozen=True, slots=True)
class WaterfallDrawing:
    """What a waterfall shows, for a picture of any size."""

    content: WaterfallContent
    unfolded: bool = False
    zoomed: bool = False

    def wanted_width(self, look: Look) -> float:
        """Room for the longest label and the longest evidence beside plot and values."""
        metrics = self._metrics(look)
        rest = 2 * (metrics.pad + metrics.gap) + metrics.value + metrics.hint
        return self._widest(look) + rest + MIN_PLOT * 2

    def height_at(self, look: Look, width: float) -> float:
        return self._layout(look, width, self._rows()).height

    def paint(self, painter: QPainter, look: Look, width: float) -> None:
        rows, content = self._rows(), self.content
        scene = WaterfallScene(
            rows,
            self._layout(look, width, rows),
            content.axis_of(rows, zoomed=self.zoomed),
            content.axis_title,
            look,
            from_zero=content.shows_causes,
            still=True,
        )
        paint_scene(painter, scene, width)

    def _rows(self) -> tuple[Row, ...]:
        return self.content.plan(unfolded=self.unfolded)

    def _widest(self, look: Look) -> float:
        face = kit_of(look).face("strong")
        return max((face.width(row.label) for row in self._rows()), default=0.0) + _INSET

    def _metrics(self, look: Look) -> Metrics:
        metrics, face = Metrics.at_scale(look.scale), kit_of(look).face("caption")
        widest = max((face.width(row.hint) for row in self._rows()), default=0.0) + _INSET
        return replace(metrics, hint=min(max(widest, metrics.hint), _MOST_HINT * look.scale))

    def _layout(self, look: Look, width: float, rows: tuple[Row, ...]) -> WaterfallLayout:
        return compute_waterfall_layout(rows, width, self._metrics(look), self._widest(look))

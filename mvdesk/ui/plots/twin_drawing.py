"""A chart as part of a picture: another one that shows the same, in another look and size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPainter

    from mvdesk.ui.plots.plot_view import PlotView
    from mvdesk.ui.theme import Look


@dataclass(frozen=True, slots=True)
class TwinDrawing:
    """Painted by a view that is never on the screen. `width` and `height` are in px."""

    make_twin: Callable[[], PlotView]
    width: float
    height: float

    def wanted_width(self, look: Look) -> float:
        del look
        return self.width

    def height_at(self, look: Look, width: float) -> float:
        del look, width
        return self.height

    def paint(self, painter: QPainter, look: Look, width: float) -> None:
        twin = self.make_twin()
        twin.resize(round(width), round(self.height))
        twin.set_tokens(look.tokens, look.scale)
        twin.draw_on(painter)
        twin.deleteLater()

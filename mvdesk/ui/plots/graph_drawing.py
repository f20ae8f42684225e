"""A graph on a sheet: painted by the view that shows it on the screen, unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt

from mvdesk.ui.plots.graph_scene import GraphView

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from mvdesk.ui.plots.graph_filter import GraphFilter
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.theme import Look

_WIDTH: Final = 1040.0
_HEIGHT_SHARE: Final = 0.7


class GraphDrawing:
    """A picture with its legend, all of it in view."""

    def __init__(self, picture: GraphPicture, wanted: GraphFilter) -> None:
        self._picture, self._wanted = picture, wanted

    def wanted_width(self, look: Look) -> float:
        """The width in px at which a large graph can be read."""
        return _WIDTH * look.scale

    def height_at(self, look: Look, width: float) -> float:
        """How high it is at a width, in px."""
        return round(width * _HEIGHT_SHARE)

    def paint(self, painter: QPainter, look: Look, width: float) -> None:
        """Paint it from the painter's origin on."""
        height = self.height_at(look, width)
        view = GraphView()
        view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        view.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        view.set_tokens(look.tokens, look.scale)
        view.resize(round(width), round(height))
        view.show()  # only what is shown is laid out
        view.set_filter(self._wanted)
        view.set_graph(self._picture)
        view.fit()
        view.render(painter, QRectF(0.0, 0.0, width, height), view.rect())
        view.close()
        view.deleteLater()

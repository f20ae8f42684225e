"""The map in a graph's corner: all of it, small, and the part that is seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray
    from mvdesk.ui.theme import Look

_WIDTH: Final = 148.0
_HEIGHT: Final = 104.0
_INSET: Final = 10.0
_PAD: Final = 7.0
_MOST_OF_VIEW: Final = 0.4
_LEAST_SEEN_PX: Final = 6.0
_UNSEEN_PX: Final = 24.0  # so far outside the view a node counts as not seen


@dataclass(frozen=True, slots=True)
class MapFrame:
    """The map on the view: its rectangle, and how the layout's plane lies in it.

    A point of the plane is at (point − origin) × `scale` + (`left`, `top`), in px.
    """

    box: QRectF
    left: float
    top: float
    scale: float
    origin: tuple[float, float]

    def to_map(self, x: float, y: float) -> QPointF:
        """Where a point of the plane is on the view."""
        ox, oy = self.origin
        return QPointF(self.left + (x - ox) * self.scale, self.top + (y - oy) * self.scale)

    def to_plane(self, point: QPointF) -> tuple[float, float]:
        """Which point of the plane lies at a point of the view."""
        ox, oy = self.origin
        return (
            ox + (point.x() - self.left) / self.scale,
            oy + (point.y() - self.top) / self.scale,
        )


def frame_map(
    positions: FloatArray, stretch: FloatArray, width: float, height: float, scale: float
) -> MapFrame | None:
    """The map of stretched positions in the lower right corner of a view.

    None where it has no room. `scale` is that of the texts.
    """
    box_width, box_height = _WIDTH * scale, _HEIGHT * scale
    if box_width > _MOST_OF_VIEW * width or box_height > _MOST_OF_VIEW * height:
        return None
    box = QRectF(width - box_width - _INSET, height - box_height - _INSET, box_width, box_height)
    low, high = positions.min(axis=0) * stretch, positions.max(axis=0) * stretch
    spread = np.maximum(high - low, 1.0)
    room = np.array([box_width, box_height]) - 2 * _PAD
    share = float((room / spread).min())
    used = spread * share
    left = box.left() + _PAD + (room[0] - used[0]) / 2
    top = box.top() + _PAD + (room[1] - used[1]) / 2
    return MapFrame(box, float(left), float(top), share, (float(low[0]), float(low[1])))


class OverviewItem(pg.GraphicsObject):
    """Paints the map. The dots are kept as a picture until they or the look change."""

    def __init__(self) -> None:
        super().__init__()
        self._frame: MapFrame | None = None
        self._seen = QRectF()
        self._dots = QPixmap()
        self._density = 0.0  # of the dots; 0 when they are to be drawn anew
        self._positions, self._stretch = np.empty((0, 2)), np.ones(2)
        self._look: Look | None = None
        self.setZValue(20)
        self.hide()

    @property
    def frame(self) -> MapFrame | None:
        """Where the map is, None while it isn't shown."""
        return self._frame if self.isVisible() else None

    @property
    def seen(self) -> QRectF:
        """The part that is seen, in px of the view."""
        return self._seen

    def follow(
        self,
        positions: FloatArray,
        stretch: FloatArray,
        seen: QRectF | None,
        size: tuple[float, float],
        look: Look,
    ) -> None:
        """Show the map when `seen`, a part of the stretched plane, leaves nodes out.

        `size` is that of the view in px; None for `seen` shows no map in any case.
        """
        frame = None
        if seen is not None and len(positions) > 1:
            margin = _UNSEEN_PX * seen.width() / max(size[0], 1.0)
            wide = seen.adjusted(-margin, -margin, margin, margin)
            low, high = positions.min(axis=0) * stretch, positions.max(axis=0) * stretch
            if not (wide.contains(QPointF(*low)) and wide.contains(QPointF(*high))):
                frame = frame_map(positions, stretch, *size, look.scale)
        self.show_map(positions, stretch, frame, look)
        if frame is not None and seen is not None:
            self.show_seen(seen.left(), seen.top(), seen.right(), seen.bottom())

    def show_map(
        self, positions: FloatArray, stretch: FloatArray, frame: MapFrame | None, look: Look
    ) -> None:
        """Show all stretched positions, or no map when there is no `frame` for it."""
        self.setVisible(frame is not None)
        if frame is None:
            return
        if frame != self._frame or positions is not self._positions or look is not self._look:
            self.prepareGeometryChange()
            self._frame, self._positions, self._look = frame, positions, look
            self._stretch = stretch
            self._density = 0.0

    def show_seen(self, left: float, top: float, right: float, bottom: float) -> None:
        """Mark the part of the plane that is seen."""
        if self._frame is None:
            return
        inside = self._frame.box.adjusted(1.5, 1.5, -1.5, -1.5)
        seen = QRectF(self._frame.to_map(left, top), self._frame.to_map(right, bottom))
        grow_x = max(_LEAST_SEEN_PX - seen.width(), 0.0) / 2
        grow_y = max(_LEAST_SEEN_PX - seen.height(), 0.0) / 2
        self._seen = seen.adjusted(-grow_x, -grow_y, grow_x, grow_y).intersected(inside)
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF() if self._frame is None else self._frame.box.adjusted(-1, -1, 1, 1)

    def paint(self, painter: QPainter, *_: Any) -> None:
        frame, look = self._frame, self._look
        if frame is None or look is None:
            return
        density = painter.device().devicePixelRatioF()
        if self._density != density:
            self._density = density
            points = self._positions * self._stretch
            self._dots = _draw_dots(points, frame, look, density)
        painter.drawPixmap(frame.box.topLeft(), self._dots)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tint = QColor(look.color("accent"))
        tint.setAlphaF(0.16)
        painter.setPen(QPen(look.color("accent"), 1.5))
        painter.setBrush(tint)
        painter.drawRect(self._seen)


def _draw_dots(points: FloatArray, frame: MapFrame, look: Look, density: float) -> QPixmap:
    box = frame.box
    pixmap = QPixmap((box.size() * density).toSize())
    pixmap.setDevicePixelRatio(density)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = QColor(look.color("raised"))
    ground.setAlphaF(0.94)
    painter.setPen(QPen(look.color("control_border"), 1.0))
    painter.setBrush(ground)
    whole = QRectF(0.0, 0.0, box.width(), box.height()).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(whole, 4, 4)
    many = len(points) > 1_000
    dot = QPen(look.color("text_muted"), 1.2 if many else 2.6)
    dot.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(dot)
    painter.setOpacity(0.6 if many else 1.0)
    at = (points - np.array(frame.origin)) * frame.scale
    at += np.array([frame.left - box.left(), frame.top - box.top()])
    # One dot per place that can be told from others: thousands lie on one another.
    for x, y in np.unique(np.round(at), axis=0).tolist():
        painter.drawPoint(QPointF(x, y))
    painter.end()
    return pixmap

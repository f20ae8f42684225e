"""What a node is filled with: a colour, and what tells it from others without colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

if TYPE_CHECKING:
    from mvdesk.ui.theme import Look

_LEAST_MARKED_PX: Final = 6.0
"""The radius from which a letter in a node can be read."""
_HATCH_PX: Final = 4.0
_ARCHIVED: Final = 0.45


@dataclass(frozen=True, slots=True)
class NodeFill:
    """A colour ("#RRGGBB"), a letter or sign on it, "" for none, and whether it is hatched."""

    color: str
    mark: str = ""
    is_hatched: bool = False


def paint_fill(
    painter: QPainter,
    shape: QPainterPath,
    fill: NodeFill,
    circle: tuple[float, float, float],
    look: Look,
    outline: QPen,
    *,
    archived: bool = False,
) -> None:
    """Fill a node's `shape` and draw its outline. `circle` is its middle and radius, in px."""
    color = QColor(fill.color)
    is_marked = bool(fill.mark) and circle[2] >= _LEAST_MARKED_PX
    ink = color
    if is_marked or fill.is_hatched:
        ink = look.color("text") if archived else ink_on(color, look)
    if archived:
        color.setAlphaF(_ARCHIVED)
    if fill.is_hatched:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPath(shape)
        _paint_hatch(painter, shape, circle, ink)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        painter.setBrush(color)
    painter.setPen(outline)
    painter.drawPath(shape)
    if is_marked:
        _paint_mark(painter, fill.mark, circle, ink, look)


def ink_on(color: QColor, look: Look) -> QColor:
    """Text colour or ground, whichever can be read on a colour."""
    options = look.color("text"), look.color("surface")
    return max(options, key=lambda option: abs(_lightness(option) - _lightness(color)))


def _lightness(color: QColor) -> float:
    parts = (color.redF(), color.greenF(), color.blueF())
    weights = (0.2126, 0.7152, 0.0722)
    linear = sum(weight * part**2.2 for weight, part in zip(weights, parts, strict=True))
    return float(linear ** (1 / 3))


def _paint_hatch(
    painter: QPainter, shape: QPainterPath, circle: tuple[float, float, float], ink: QColor
) -> None:
    x, y, radius = circle
    reach = radius * 1.3
    pale = QColor(ink)
    pale.setAlphaF(0.55)
    painter.save()
    painter.setClipPath(shape, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(pale, 1.0))
    offset = -2 * reach
    lines = []
    while offset < 2 * reach:
        lines.append(QLineF(x + offset, y + reach, x + offset + 2 * reach, y - reach))
        offset += _HATCH_PX
    painter.drawLines(lines)
    painter.restore()


def _paint_mark(
    painter: QPainter, mark: str, circle: tuple[float, float, float], ink: QColor, look: Look
) -> None:
    x, y, radius = circle
    font = look.font("caption")
    font.setPixelSize(max(7, round(min(radius * 1.1, 15.0))))
    painter.setFont(font)
    painter.setPen(ink)
    area = QRectF(x - radius * 1.3, y - radius, radius * 2.6, radius * 2)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, mark)

"""Line icons in the colours of the theme, sharp at every scale."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from mvdesk.assets import read_resource

if TYPE_CHECKING:
    from mvdesk.ui.theme import Tokens


@cache
def _source(name: str) -> str:
    return read_resource("icons", f"{name}.svg")


@cache
def _renderer(name: str, color: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", color).encode()))


def paint_icon(painter: QPainter, name: str, color: str, rect: QRectF) -> None:
    """Draw an icon, recoloured ("#RRGGBB"), into `rect` at the painter's own resolution."""
    _renderer(name, color).render(painter, rect)


class _LineIconEngine(QIconEngine):
    """Renders the SVG anew for every size that is asked for, so nothing is ever stretched."""

    def __init__(self, name: str, normal: str, disabled: str, strong: str) -> None:
        super().__init__()
        self._parts = (name, normal, disabled, strong)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        name, normal, disabled, strong = self._parts
        color = strong if state == QIcon.State.On or mode == QIcon.Mode.Selected else normal
        if mode == QIcon.Mode.Disabled:
            color = disabled
        side = min(rect.width(), rect.height())
        square = QRectF(0, 0, side, side)
        square.moveCenter(QRectF(rect).center())
        paint_icon(painter, name, color, square)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        return _LineIconEngine(*self._parts)


def icon(name: str, tokens: Tokens, color: str | None = None) -> QIcon:
    """An icon of resources/icons in `color` (secondary text unless given).

    Checked and highlighted it turns to the text colour, disabled to the disabled one.
    Raises FileNotFoundError for an unknown name.
    """
    _source(name)
    normal = color or tokens.text_secondary
    return QIcon(_LineIconEngine(name, normal, tokens.disabled, color or tokens.text))

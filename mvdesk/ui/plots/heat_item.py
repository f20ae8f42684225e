"""Paints who gains and who loses around a seed, already laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from mvdesk.ui.plots.heat_layout import HeatNode, HeatPlace, format_change
from mvdesk.ui.plots.scene_item import SceneItem
from mvdesk.ui.plots.waterfall_kit import kit_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionGraphicsItem

    from mvdesk.ui.theme import Look

_DASHES: Final = (3.0, 2.5)
_FAINT: Final = 0.18
_TITLE_SHARE: Final = 0.62
"""How much of a label the title may take where it has to be cut."""


@dataclass(frozen=True, slots=True)
class HeatScene:
    """All that the item needs to know for painting."""

    nodes: tuple[HeatNode, ...]
    places: tuple[HeatPlace, ...]
    look: Look
    current: int | None = None
    hovered: int | None = None
    focused: bool = False


def label_of(node: HeatNode) -> tuple[str, str]:
    """A node's title, and what it gains."""
    return node.title, f"{format_change(node.confidence)} · {format_change(node.importance)}"


class HeatItem(SceneItem[HeatScene]):
    """Discs whose colour is the stronger the more they gain, and the ways to them."""

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, *_: Any) -> None:
        if self._scene is not None and self._scene.nodes:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _Brushwork(painter, self._scene).paint()


class _Brushwork:
    """One painting of a scene."""

    def __init__(self, painter: QPainter, scene: HeatScene) -> None:
        self._painter, self._scene = painter, scene
        self._kit = kit_of(scene.look)
        self._face = self._kit.face("caption")
        self._strong = self._kit.face("caption", strong=True)
        self._most = max((abs(node.heat) for node in scene.nodes[1:]), default=0.0) or 1.0

    def paint(self) -> None:
        scene = self._scene
        lit = self._way(scene.current if scene.hovered is None else scene.hovered)
        for number in range(1, len(scene.nodes)):
            self._paint_way(number, is_lit=number in lit)
        for number in range(len(scene.nodes)):
            self._paint_disc(number)
        for number in range(len(scene.nodes)):
            self._paint_label(number)

    def _way(self, number: int | None) -> set[int]:
        """The nodes between one and the seed."""
        found: set[int] = set()
        while number is not None and number > 0:
            found.add(number)
            number = self._scene.nodes[number].before
        return found

    def _paint_way(self, number: int, *, is_lit: bool) -> None:
        node, place = self._scene.nodes[number], self._scene.places[number]
        start = self._scene.places[max(node.before, 0)]
        token = "negative" if node.heat < 0 else "positive" if is_lit else "control_border"
        width = 2.5 if is_lit else 1.25
        dashes = tuple(dash * 1.6 for dash in _DASHES) if node.heat < 0 else ()
        self._painter.setPen(self._kit.pen(token, width, 1.0 if is_lit else 0.75, dashes))
        self._painter.drawLine(QLineF(start.x, start.y, place.x, place.y))

    def _paint_disc(self, number: int) -> None:
        scene, painter = self._scene, self._painter
        node, place = scene.nodes[number], scene.places[number]
        falls = node.heat < 0
        token = "negative" if falls else "positive"
        middle = QPointF(place.x, place.y)
        if number == scene.current:
            painter.setPen(self._kit.pen("accent", 2.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            gap = place.radius + (4.5 if scene.focused else 3.5)
            painter.drawEllipse(middle, gap, gap)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._kit.color("surface"))  # a way behind it doesn't shine through
        painter.drawEllipse(middle, place.radius, place.radius)
        share = 1.0 if not number else min(abs(node.heat) / self._most, 1.0)
        painter.setBrush(self._kit.color(token, _FAINT + (1 - _FAINT) * share))
        painter.setPen(self._kit.pen(token, 1.5, 1.0, _DASHES if falls else ()))
        painter.drawEllipse(middle, place.radius, place.radius)

    def _paint_label(self, number: int) -> None:
        place = self._scene.places[number]
        if place.label is None:
            return
        painter, scale = self._painter, self._scene.look.scale
        node, area = self._scene.nodes[number], QRectF(*place.label)
        title, gain = label_of(node)
        face = self._strong if number in (0, self._scene.current) else self._face
        gap = 6.0 * scale
        room = max(area.width() - self._strong.width(gain) - gap, area.width() * 0.2)
        shown = face.elided(title, room)
        painter.setPen(self._kit.color("text"))
        self._kit.draw(painter, shown, area, face)
        rest = area.adjusted(face.width(shown) + gap, 0, 0, 0)
        painter.setPen(self._kit.color("negative" if node.heat < 0 else "positive"))
        self._kit.draw(painter, gain, rest, self._face)

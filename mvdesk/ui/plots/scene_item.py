"""A chart that is painted from one finished scene, which is replaced as a whole."""

from __future__ import annotations

from typing import Generic, TypeVar

import pyqtgraph as pg
from PySide6.QtCore import QRectF

SceneT = TypeVar("SceneT")


class SceneItem(pg.GraphicsObject, Generic[SceneT]):
    """Keeps the scene and its size in px of the view; a subclass paints it."""

    def __init__(self) -> None:
        super().__init__()
        self._scene: SceneT | None = None
        self._bounds = QRectF()

    def set_scene(self, scene: SceneT | None, size: tuple[float, float]) -> None:
        """Paint something else, None for nothing. Only repaints when the size stays."""
        bounds = QRectF(0.0, 0.0, *size)
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        self._scene = scene
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

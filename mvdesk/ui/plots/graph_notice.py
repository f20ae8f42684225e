"""What a graph says in words: why there is nothing to see, or that there would be more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from mvdesk.ui.plots.graph_labels import LabelBox
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.theme import Look

LEFT_OUT_TEXT: Final = tr("Everything else is hidden or left out here.")
ALL_LEFT_OUT_TEXT: Final = tr("Everything is hidden or left out here.")
ALONE_TEXT: Final = tr("No links yet. This memory stands alone.")
_INSET: Final = 24.0


class NoticeItem(pg.GraphicsObject):
    """A sentence in the middle, or a quiet line in the corner."""

    def __init__(self) -> None:
        super().__init__()
        self._sentence = self._corner = ""
        self._alone = False
        self._look: Look | None = None
        self._bounds = QRectF()

    def arrange(
        self,
        picture: GraphPicture,
        whole: int,
        empty_text: str,
        width: float,
        height: float,
        look: Look,
    ) -> None:
        """Say what fits the picture, which had `whole` nodes before some were left out."""
        self.prepareGeometryChange()
        self._bounds = QRectF(0.0, 0.0, width, height)
        self._look = look
        self._alone = len(picture) == 1
        self._sentence = "" if len(picture) else ALL_LEFT_OUT_TEXT if whole else empty_text
        if self._alone:
            self._sentence = LEFT_OUT_TEXT if whole > 1 else ALONE_TEXT
        shown, reachable = len(picture), len(picture) + picture.hidden
        self._corner = ""
        if picture.hidden:
            self._corner = tr(
                "{shown:,} of {reachable:,} shown: strongest links first",
                shown=shown,
                reachable=reachable,
            )
        self.update()

    @property
    def text(self) -> str:
        """The sentence in the middle, "" for none."""
        return self._sentence

    @property
    def corner_text(self) -> str:
        """The line in the corner, "" for none."""
        return self._corner

    def corner_boxes(self) -> list[LabelBox]:
        """Where the line in the corner stands, for labels to stay out of."""
        if not self._corner or self._look is None:
            return []
        metrics = QFontMetricsF(self._look.font("caption"))
        return [LabelBox(12.0, 8.0, metrics.horizontalAdvance(self._corner) + 2, metrics.height())]

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, *_: Any) -> None:
        if self._look is None:
            return
        painter.setPen(self._look.color("text_muted"))
        for box in self.corner_boxes():
            painter.setFont(self._look.font("caption"))
            area = QRectF(box.left, box.top, box.width, box.height)
            painter.drawText(area, Qt.AlignmentFlag.AlignLeft, self._corner)
        if self._sentence:
            painter.setFont(self._look.font("body"))
            area = self._bounds.adjusted(_INSET, 0.0, -_INSET, 0.0)
            align = Qt.AlignmentFlag.AlignCenter
            if self._alone:
                area.setTop(self._bounds.center().y() + 56.0 * self._look.scale)
                align = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            painter.drawText(area, align | Qt.TextFlag.TextWordWrap, self._sentence)

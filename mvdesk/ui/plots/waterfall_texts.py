"""What a waterfall's painting is given, and the texts of its rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainterPath

from mvdesk.ui.plots.waterfall_kit import Face, kit_of
from mvdesk.ui.plots.waterfall_layout import Metrics, compute_waterfall_layout
from mvdesk.ui.plots.waterfall_rows import MINUS, Row
from mvdesk.ui.theme import LIGHT, Look
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter

    from mvdesk.ui.fonts import FontRole
    from mvdesk.ui.plots.waterfall_layout import RowPlace, Span, WaterfallLayout

_INSET_PX: Final = 6.0


@dataclass(frozen=True, slots=True)
class WaterfallScene:
    """All that the item needs to know for painting; replaced as a whole when anything moves.

    `current` is the selected row, `hovered` the one under the mouse, `focused` whether the
    keyboard is here. `from_zero` is for bars that all start at zero: no walls, no connectors.
    `still` is for pictures, in which nothing can be opened.
    """

    rows: tuple[Row, ...]
    layout: WaterfallLayout
    axis: tuple[float, float]
    title: str
    look: Look = field(default_factory=lambda: Look(LIGHT))
    current: int | None = None
    hovered: int | None = None
    focused: bool = False
    from_zero: bool = False
    still: bool = False


def lay_out_rows(
    rows: Sequence[Row], width: float, look: Look, *, may_stack: bool
) -> WaterfallLayout:
    """Places for rows at a width, with as much room for labels as the plot can spare."""
    kit = kit_of(look)
    body, strong = kit.face("body"), kit.face("strong")
    widest = max(((strong if row.is_total else body).width(row.label) for row in rows), default=0.0)
    metrics = Metrics.at_scale(look.scale)
    inset = _INSET_PX * look.scale
    return compute_waterfall_layout(rows, width, metrics, widest + inset, may_stack=may_stack)


class RowTexts:
    """Paints label, value and evidence of rows, once for a painting of a scene."""

    def __init__(self, painter: QPainter, scene: WaterfallScene) -> None:
        self._painter, self._scene = painter, scene
        self._layout, self._look = scene.layout, scene.look
        self._kit = kit_of(scene.look)
        self._ground = "surface"  # what the row being painted stands on

    def paint(self, number: int, row: Row, place: RowPlace) -> None:
        """The texts of one row, by its number."""
        selected = number == self._scene.current
        hovered = number == self._scene.hovered and row.kind != "group"
        self._ground = "hover_tint" if hovered else "surface"
        if selected:
            self._ground = "selection_tint"
        if row.kind == "group":
            self._paint_header(row, place)
            return
        strong = row.kind in ("final", "base")
        role: FontRole = "strong" if strong else "body"
        muted = row.kind in ("fold", "rounding")
        label = self._text_rect(self._layout.label, place)
        if row.kind == "fold":
            self._paint_fold(row, label, selected=selected)
        else:
            token = "text_secondary" if muted else "text"
            self._paint_label(row.label, label, self._kit.face(role), token)
        self._paint_value(row, place, role, selected=selected)
        if self._layout.hint is not None:
            hint = (
                tr("was {was} · {hint}", was=row.was, hint=row.hint).rstrip(" ·")
                if row.was
                else row.hint
            )
            token = "text_secondary" if selected else "text_muted"
            area = self._text_rect(self._layout.hint, place)
            self._draw(hint, area, self._kit.face("caption"), token)

    def _paint_label(self, text: str, area: QRectF, face: Face, token: str) -> None:
        """The label; what follows a dash is said more quietly, and shorter without room."""
        head, _, tail = text.partition(" — ")
        self._draw(head, area, face, token)
        if not tail:
            return
        caption = self._kit.face("caption")
        rest = area.adjusted(face.width(head) + 6 * self._look.scale, 0, 0, 0)
        if caption.width(tail) > rest.width():
            tail = tail.rpartition(" ")[2]
        self._draw(tail, rest, caption, "text_secondary")

    def _paint_value(self, row: Row, place: RowPlace, role: FontRole, *, selected: bool) -> None:
        signed = row.kind == "component" and row.value[0] in f"+{MINUS}"
        token = "text"
        if signed and not selected:
            token = "negative" if row.is_loss else "positive"
        elif row.kind == "rounding":
            token = "text_secondary"
        elif row.kind == "component":
            token = "text_secondary" if selected else "text_muted"
            token = "text" if signed else token
        area = self._text_rect(self._layout.value, place)
        face = self._kit.face(role, italic=bool(row.was))
        self._draw(row.value, area, face, token, right=True)
        if row.was:
            self._underline(row.value, area, face, token)

    def _underline(self, text: str, area: QRectF, face: Face, token: str) -> None:
        """Dotted: this number is a preview, nothing was written."""
        y = round(area.center().y() + face.ascent / 2 + 1) + 0.5
        self._painter.setPen(self._kit.pen(token, 1.25, dashes=(1.0, 2.0)))
        width = face.width(text)
        self._painter.drawLine(QLineF(area.right() - width, y, area.right(), y))

    def _paint_header(self, row: Row, place: RowPlace) -> None:
        label = self._text_rect(self._layout.label, place)
        self._draw(row.label, label, self._kit.face("caption", strong=True), "text_secondary")
        value = self._text_rect(self._layout.value, place)
        self._draw(row.value, value, self._kit.face("caption"), "text_secondary", right=True)
        y = round(place.whole.start) + 0.5
        self._painter.setPen(self._kit.pen("hairline"))
        self._painter.drawLine(QLineF(label.left(), y, value.right(), y))

    def _paint_fold(self, row: Row, label: QRectF, *, selected: bool) -> None:
        token = "text_secondary" if not selected else "text"
        face = self._kit.face("body")
        self._draw(row.label, label, face, token)
        if self._scene.still:
            return
        x = label.left() + face.width(row.label) + 8 * self._look.scale
        y, size = label.center().y(), 3.5 * self._look.scale
        path = QPainterPath()
        if row.open:
            path.moveTo(x - size * 0.4, y - size / 2)
            path.lineTo(x + size * 0.6, y + size / 2)
            path.lineTo(x + size * 1.6, y - size / 2)
        else:
            path.moveTo(x, y - size)
            path.lineTo(x + size, y)
            path.lineTo(x, y + size)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(self._kit.pen(token, 1.5))
        self._painter.drawPath(path)

    def _text_rect(self, column: Span, place: RowPlace) -> QRectF:
        inset = 4.0 * self._look.scale
        if column is self._layout.label:
            return QRectF(
                column.start + inset, place.text.start, column.length - inset, place.text.length
            )
        return QRectF(column.start, place.text.start, column.length - inset, place.text.length)

    def _draw(
        self, text: str, area: QRectF, face: Face, token: str, *, right: bool = False
    ) -> None:
        if not text or area.width() <= 0:
            return
        shown = face.elided(text, area.width())
        if self._layout.stacked:
            self._clear_behind(shown, area, face, right=right)
        self._painter.setPen(self._kit.color(token))
        self._kit.draw(self._painter, shown, area, face, right=right)

    def _clear_behind(self, text: str, area: QRectF, face: Face, *, right: bool) -> None:
        """Keep grid and connectors out of a text that stands on the plot."""
        width = face.width(text) + 6 * self._look.scale
        left = area.left() - 3 * self._look.scale
        if right:
            left = area.right() - width + 3 * self._look.scale
        self._painter.fillRect(
            QRectF(left, area.top() + 3, width, area.height() - 3), self._kit.color(self._ground)
        )

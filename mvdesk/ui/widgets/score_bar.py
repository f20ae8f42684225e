"""A score as number and micro-bar, in lists and on its own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from mvdesk.ui.theme import applied, is_look_change
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from mvdesk.ui.theme import Look, Tokens

BAR_PX: Final = 56
BAR_HEIGHT_PX: Final = 6


def format_score(score: float) -> str:
    """A score for lists: three decimals, "–" when there is none."""
    return "–" if math.isnan(score) else format_number(score, ".3f")


def paint_micro_bar(
    painter: QPainter, rect: QRectF, score: float, ghost: float, look: Look, *, on_tint: bool
) -> None:
    """Draw `score` in [0, 1] as a bar filling `rect` from the left.

    `ghost`, the value before the preview (NaN for none), is a hollow mark, and the stretch
    between the two has the colour of rising or falling. `on_tint`: the row is selected.
    """
    colors = _colors_of(look.tokens)
    painter.fillRect(rect, colors.on_tint if on_tint else colors.ground)
    if math.isnan(score):
        return
    score = min(max(score, 0.0), 1.0)
    end = rect.left() + score * rect.width()
    start = end if math.isnan(ghost) else rect.left() + min(max(ghost, 0.0), 1.0) * rect.width()
    solid = QRectF(rect)
    solid.setRight(min(start, end))
    painter.fillRect(solid, colors.bar)
    if math.isnan(ghost):
        return
    moved = QRectF(rect)
    moved.setLeft(min(start, end))
    moved.setRight(max(start, end))
    if end >= start:
        painter.fillRect(moved, colors.rise)
    else:  # what was lost: outline only, so that the direction reads without colour
        painter.fillRect(moved.adjusted(0, 2, 0, -2), colors.fall)
    painter.setPen(colors.mark)
    x = round(start) + 0.5
    painter.drawLine(QPointF(x, rect.top() - 3), QPointF(x, rect.bottom() + 3))


class _Colors(NamedTuple):
    ground: QColor
    on_tint: QColor
    bar: QColor
    rise: QColor
    fall: QColor
    mark: QPen


_colors: dict[int, tuple[Tokens, _Colors]] = {}


def _colors_of(tokens: Tokens) -> _Colors:
    """The colours of a bar, made once for each theme: a list paints dozens of bars a frame."""
    kept = _colors.get(id(tokens))
    if kept is None or kept[0] is not tokens:
        made = _Colors(
            ground=QColor(tokens.hairline),
            on_tint=QColor(tokens.surface),
            bar=QColor(tokens.neutral),
            rise=QColor(tokens.positive),
            fall=QColor(tokens.negative),
            mark=QPen(QColor(tokens.text_secondary), 1),
        )
        kept = (tokens, made)
        _colors.clear()
        _colors[id(tokens)] = kept
    return kept[1]


class ScoreBar(QWidget):
    """One score: the number at the left, its bar at the right."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is what screen readers call it."""
        super().__init__(parent)
        self._score = self._ghost = math.nan
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_score(self, score: float, committed: float | None = None) -> None:
        """Show a score in [0, 1], NaN for none; `committed` is the stored one if previewing."""
        self._score = score
        self._ghost = math.nan if committed is None else committed
        said = format_score(score)
        if committed is not None:
            said += tr(", before the preview {committed}", committed=format_score(committed))
        self.setAccessibleDescription(said)
        self.update()

    def sizeHint(self) -> QSize:
        look = applied()
        return QSize(look.px(BAR_PX + 52), look.px(24))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.updateGeometry()
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = applied()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = look.font("body")
        font.setItalic(not math.isnan(self._ghost))
        painter.setFont(font)
        painter.setPen(look.color("text"))
        box = QRectF(0, 0, look.px(44), self.height())
        painter.drawText(
            box,
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            format_score(self._score),
        )
        height = look.px(BAR_HEIGHT_PX)
        bar = QRectF(look.px(52), (self.height() - height) / 2, look.px(BAR_PX), height)
        paint_micro_bar(painter, bar, self._score, self._ghost, look, on_tint=False)
        painter.end()

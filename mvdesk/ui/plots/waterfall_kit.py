"""Fonts, colours and laid-out words of a chart, made once for a look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QRawFont,
    QStaticText,
    QTextLayout,
    QTextOption,
)

if TYPE_CHECKING:
    from mvdesk.ui.fonts import FontRole
    from mvdesk.ui.theme import Look

_MOST_WORDS: Final = 2048


class Face:
    """A font with its measures. Not to be changed."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = QFontMetricsF(font)
        self.height = self.metrics.height()
        self.ascent = self.metrics.ascent()
        self.raw = QRawFont.fromFont(font)  # without the fonts that help out
        self._widths: dict[str, float] = {}
        self.plain = QFont(font)
        self.plain.clearFeatures()
        self.plain.setFeature(QFont.Tag("calt"), 0)  # signs between figures are others, too

    def width(self, text: str) -> float:
        """How wide a text is."""
        width = self._widths.get(text)
        if width is None:
            if len(self._widths) >= _MOST_WORDS:
                self._widths.clear()
            width = self._widths[text] = self.metrics.horizontalAdvance(text)
        return width

    def elided(self, text: str, width: float) -> str:
        """As much of a text as fits."""
        if self.width(text) <= width:
            return text
        return self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)


class Kit:
    """What painting a waterfall needs of a look; a slider paints dozens of words a frame."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._faces: dict[tuple[FontRole, bool, bool], Face] = {}
        self._colors: dict[tuple[str, float], QColor] = {}
        self._pens: dict[tuple[str, float, float, tuple[float, ...]], QPen] = {}
        self._words: dict[tuple[str, int], QStaticText | None] = {}

    def face(self, role: FontRole, *, italic: bool = False, strong: bool = False) -> Face:
        """A font of the look, italic or in semibold on top."""
        key = (role, italic, strong)
        face = self._faces.get(key)
        if face is None:
            font = self.look.font(role)
            if italic:
                font.setItalic(True)
            if strong:
                font.setWeight(QFont.Weight.DemiBold)
            face = self._faces[key] = Face(font)
        return face

    def color(self, token: str, alpha: float = 1.0) -> QColor:
        """A colour; not to be changed."""
        color = self._colors.get((token, alpha))
        if color is None:
            color = self._colors[token, alpha] = self.look.color(token)
            color.setAlphaF(alpha)
        return color

    def pen(
        self, token: str, width: float = 1.0, alpha: float = 1.0, dashes: tuple[float, ...] = ()
    ) -> QPen:
        """A pen; not to be changed."""
        key = (token, width, alpha, dashes)
        pen = self._pens.get(key)
        if pen is None:
            pen = self._pens[key] = QPen(self.color(token, alpha), width)
            if dashes:
                pen.setDashPattern(list(dashes))
        return pen

    @staticmethod
    def hatch(painter: QPainter, area: QRectF, pen: QPen, step: float) -> None:
        """Diagonal lines across an area; brush patterns would change with the zoom of a print.

        Ended at its edges by reckoning: not every format can clip.
        """
        reach = area.height()
        lines: list[QLineF] = []
        # From a fixed grid, so that hatches of neighbouring bars line up.
        x = (area.left() - reach) // step * step
        while x < area.right():
            left, right = max(x, area.left()), min(x + reach, area.right())
            if left < right:
                foot = area.bottom() + x
                lines.append(QLineF(left, foot - left, right, foot - right))
            x += step
        painter.setPen(pen)
        painter.drawLines(lines)

    def draw(
        self, painter: QPainter, text: str, area: QRectF, face: Face, *, right: bool = False
    ) -> None:
        """Draw a line of text that fits into `area`, in the middle of its height."""
        left = area.right() - face.width(text) if right else area.left()
        top = area.top() + (area.height() - face.height) / 2
        engine = painter.paintEngine().type()
        if engine == QPaintEngine.Type.Pdf:
            self._write(painter, text, area, face, right=right)
            return
        words = self._lay_out(text, face)
        if words is not None and engine == QPaintEngine.Type.SVG:
            self._outline(painter, text, QPointF(left, top + face.ascent), face)
            return
        painter.setFont(face.font)
        if words is None:
            painter.drawText(QPointF(left, top + face.ascent), text)
        else:
            painter.drawStaticText(QPointF(left, top), words)

    @staticmethod
    def break_lines(text: str, width: float, face: Face) -> list[str]:
        """A text in lines that fit into `width`."""
        lines: list[str] = []
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        for paragraph in text.splitlines():
            layout = QTextLayout(paragraph, face.font)
            layout.setTextOption(option)
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                line.setLineWidth(width)
                # Qt counts UTF-16 units.
                units = paragraph.encode("utf-16-le", "surrogatepass")
                start, end = line.textStart() * 2, (line.textStart() + line.textLength()) * 2
                lines.append(units[start:end].decode("utf-16-le", "replace").rstrip())
            layout.endLayout()
        return lines

    @staticmethod
    def _write(painter: QPainter, text: str, area: QRectF, face: Face, *, right: bool) -> None:
        """With the font's plain figures: only those are found and copied in a document."""
        width = QFontMetricsF(face.plain).horizontalAdvance(text)
        left = area.right() - width if right else area.left()
        painter.setFont(face.plain)
        top = area.top() + (area.height() - face.height) / 2
        painter.drawText(QPointF(left, top + face.ascent), text)

    @staticmethod
    def _outline(painter: QPainter, text: str, place: QPointF, face: Face) -> None:
        """The letters as shapes: whoever looks at the file may lack the font."""
        path = QPainterPath()
        path.addText(place, face.font, text)
        painter.fillPath(path, painter.pen().color())

    def _lay_out(self, text: str, face: Face) -> QStaticText | None:
        """The text, laid out; None where another font has to help out with a character."""
        key = (text, id(face))
        if key in self._words:
            return self._words[key]
        if len(self._words) >= _MOST_WORDS:
            self._words.clear()
        words = None
        if all(face.raw.supportsCharacter(ord(character)) for character in text):
            words = QStaticText(text)
            words.setTextFormat(Qt.TextFormat.PlainText)
            words.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            words.prepare(font=face.font)
        self._words[key] = words
        return words


_kits: list[Kit] = []


def kit_of(look: Look) -> Kit:
    """The kit of a look. Only the one used last is kept."""
    if not _kits or (_kits[0].look is not look and _kits[0].look != look):
        _kits[:] = [Kit(look)]
    return _kits[0]

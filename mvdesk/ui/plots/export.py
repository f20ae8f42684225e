"""Charts as pictures: a sheet with words above the chart, in PNG, SVG or PDF, on screen or paper.

The chart is painted by what paints it on the screen, at text scale 1 whatever the screen's is,
so that a sheet looks the same at every size and in every format.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol

from PySide6.QtCore import QByteArray, QMarginsF, QRect, QRectF, QSaveFile, QSize, QSizeF
from PySide6.QtGui import QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from mvdesk.ui.plots.waterfall_kit import kit_of
from mvdesk.ui.theme import Look, applied, find_tokens
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QIODevice

    from mvdesk.ui.fonts import FontRole

PictureFormat = Literal["png", "svg", "pdf"]
PictureTheme = Literal["light", "dark", "print"]

FORMATS: Final[tuple[PictureFormat, ...]] = ("png", "svg", "pdf")
THEMES: Final[tuple[PictureTheme, ...]] = ("light", "dark", "print")
SCALES: Final = (1, 2, 3)
MARGIN: Final = 16.0
"""Around everything, in px at scale 1. Nothing is ever written into it."""

_LEAST_WIDTH: Final = 760.0
_MOST_WIDTH: Final = 1080.0
_GAP: Final = 6.0
_BETWEEN: Final = 18.0
_PT_PER_PX: Final = 0.75
_PDF_DPI: Final = 1200


class Drawing(Protocol):
    """A chart that can be painted at a width."""

    def wanted_width(self, look: Look) -> float:
        """The width in px at which nothing is cut short."""
        ...

    def height_at(self, look: Look, width: float) -> float:
        """How high it is at a width, in px."""
        ...

    def paint(self, painter: QPainter, look: Look, width: float) -> None:
        """Paint it from the painter's origin on."""
        ...


@dataclass(frozen=True, slots=True)
class Section:
    """A chart, with what it shows in words above it."""

    text: str
    drawing: Drawing


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a picture holds, from top to bottom. `caption` says where and when it was made."""

    title: str
    sections: tuple[Section, ...]
    caption: str

    def size(self, theme: PictureTheme = "light") -> QSizeF:
        """The size in px at scale 1."""
        return _Layout(self, look_of(theme)).size


def look_of(theme: PictureTheme) -> Look:
    """The colours of a picture, at text scale 1; its charts have the palette in use."""
    used = applied().tokens
    tokens = find_tokens(theme, used.palette, high_contrast=used.is_high_contrast)
    return Look(tokens, 1.0, reduced_motion=True)


def render_image(sheet: Sheet, theme: PictureTheme, scale: float = 2.0) -> QImage:
    """The sheet as an image, `scale` pixels to a px."""
    layout = _Layout(sheet, look_of(theme))
    image = QImage((layout.size * scale).toSize(), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(layout.look.color("surface"))
    painter = QPainter(image)
    layout.paint(painter)
    painter.end()
    image.setText("Title", sheet.title)
    image.setText("Description", sheet.caption)
    return image


def write_picture(
    sheet: Sheet, path: str, kind: PictureFormat, theme: PictureTheme, scale: float = 2.0
) -> str:
    """Write the sheet to a file, whole or not at all; gives back why not, "" when it is there.

    `scale` is for PNG alone: the others are sharp at every size.
    """
    file = QSaveFile(path)
    if not file.open(QSaveFile.OpenModeFlag.WriteOnly):
        return file.errorString()
    if kind == "png":
        writer = QImageWriter(file, QByteArray(b"png"))
        written = writer.write(render_image(sheet, theme, scale))
        problem = "" if written else writer.errorString()
    elif kind == "svg":
        problem = _write_svg(sheet, file, theme)
    else:
        problem = _write_pdf(sheet, file, theme)
    if problem:
        file.cancelWriting()
        return problem
    return "" if file.commit() else file.errorString()


def _write_svg(sheet: Sheet, device: QIODevice, theme: PictureTheme) -> str:
    layout = _Layout(sheet, look_of(theme))
    size = layout.size
    generator = QSvgGenerator()
    generator.setOutputDevice(device)
    generator.setSize(QSize(round(size.width()), round(size.height())))
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setResolution(96)
    generator.setTitle(sheet.title)
    generator.setDescription(sheet.caption)
    painter = QPainter(generator)
    if not painter.isActive():
        return device.errorString()
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), layout.look.color("surface"))
    layout.paint(painter)
    painter.end()
    return ""


def _write_pdf(sheet: Sheet, device: QIODevice, theme: PictureTheme) -> str:
    layout = _Layout(sheet, look_of(theme))
    size = layout.size
    writer = QPdfWriter(device)
    writer.setTitle(sheet.title)
    writer.setCreator("mvdesk")
    writer.setResolution(_PDF_DPI)
    page = QPageSize(
        size * _PT_PER_PX, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch
    )
    writer.setPageSize(page)
    writer.setPageMargins(QMarginsF())
    painter = QPainter()
    if not painter.begin(writer):
        return device.errorString()
    # The page in whole points is a hair larger or smaller than the sheet.
    painter.setWindow(QRect(0, 0, round(size.width()), round(size.height())))
    painter.fillRect(
        QRectF(0, 0, size.width() + 1, size.height() + 1), layout.look.color("surface")
    )
    layout.paint(painter)
    painter.end()
    return ""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of text at its place."""

    text: str
    role: FontRole
    token: str
    area: QRectF


class _Layout:
    """A sheet laid out in a look; everything is in px at scale 1."""

    def __init__(self, sheet: Sheet, look: Look) -> None:
        self.look = look
        self._kit = kit_of(look)
        wanted = max((one.drawing.wanted_width(look) for one in sheet.sections), default=0.0)
        self._width = min(max(wanted, _LEAST_WIDTH), _MOST_WIDTH)
        self._lines: list[_Line] = []
        self._drawings: list[tuple[Drawing, float]] = []
        top = self._add(sheet.title, "section", "text", MARGIN)
        for section in sheet.sections:
            top = self._add(section.text, "body", "text", top + _GAP) + _GAP
            self._drawings.append((section.drawing, top))
            top += section.drawing.height_at(look, self._width) + _BETWEEN - _GAP
        top = self._add(sheet.caption, "caption", "text_secondary", top)
        self.size = QSizeF(round(self._width + 2 * MARGIN), round(top + MARGIN))

    def _add(self, text: str, role: FontRole, token: str, top: float) -> float:
        """Place a text; gives back where it ends."""
        face = self._kit.face(role)
        for line in self._kit.break_lines(text, self._width, face):
            area = QRectF(MARGIN, top, self._width, face.height)
            self._lines.append(_Line(line, role, token, area))
            top += face.height
        return top

    def paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line in self._lines:
            painter.setPen(self.look.color(line.token))
            self._kit.draw(painter, line.text, line.area, self._kit.face(line.role))
        for drawing, top in self._drawings:
            painter.save()
            painter.translate(MARGIN, top)
            drawing.paint(painter, self.look, self._width)
            painter.restore()


def file_name(title: str, what: Sequence[str], kind: PictureFormat) -> str:
    """A name for a file that every system takes, "Rent rises, confidence.png"."""
    kept = "".join(char if char.isalnum() or char in " .-_" else " " for char in title)
    words = " ".join(kept.split())[:60].strip(" .") or tr("Picture")
    return f"{', '.join([words, *what])}.{kind}"

"""Pictures of charts: whole, the same at every size and in every format, in three themes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from mvdesk.ui.plots.export import (
    FORMATS,
    MARGIN,
    SCALES,
    THEMES,
    PictureTheme,
    Section,
    Sheet,
    file_name,
    look_of,
    render_image,
    write_picture,
)
from mvdesk.ui.plots.waterfall_content import WaterfallContent
from mvdesk.ui.plots.waterfall_picture import WaterfallDrawing
from mvdesk.ui.plots.waterfall_plans import make_cause_row

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.scoring.explain import Explanation
    from mvdesk.ui.theme import ThemeController

LONG = "contradicts “A title of exactly as many letters as it takes”"
SENTENCE = "Confidence 0.41, lower than 82 % of your facts. Pulled down most by: its links. " * 3


@pytest.fixture
def sheet(theme: ThemeController, explained: Callable[..., Explanation]) -> Sheet:
    """Both scores, one by cause with labels of 60 characters, under a title of four scripts."""
    assert len(LONG) == 60
    shown = explained(links={"supports_count": 9, "link_count": 30}, confidence=1.0)
    causes = tuple(
        make_cause_row(f"cause{n}", LONG, (-1) ** n * (0.2 - n / 50), "a link") for n in range(6)
    )
    content = WaterfallContent(shown.importance, causes=causes)
    return Sheet(
        "A title, 部署窗口 🚀 مرحبا " * 6,
        (
            Section(SENTENCE, WaterfallDrawing(WaterfallContent(shown.confidence))),
            Section("By cause", WaterfallDrawing(content, unfolded=True)),
        ),
        "Vault Demo · memoryvault-dynamic-v1 · scored as of 15 Jan 2027, 08:00",
    )


def _from_svg(path: Path, size: tuple[int, int]) -> QImage:
    renderer = QSvgRenderer(str(path))
    assert renderer.isValid()
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


def _ink(image: QImage, ground: QColor) -> QRect:
    """The smallest rectangle with all that isn't ground."""
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    inked = pixels[:, : image.width()] != ground.rgb()
    xs, ys = np.flatnonzero(inked.any(axis=0)), np.flatnonzero(inked.any(axis=1))
    return QRect(QPoint(int(xs[0]), int(ys[0])), QPoint(int(xs[-1]), int(ys[-1])))


def _stripes(image: QImage, count: int) -> list[float]:
    """How light each of so many equal stripes is, from top to bottom."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), -1)
    parts = np.array_split(pixels[:, : grey.width()], count)
    return [float(part.mean()) / 255 for part in parts]


@pytest.mark.parametrize("theme_name", THEMES)
@pytest.mark.parametrize("scale", SCALES)
def test_nothing_is_written_into_the_margin(
    sheet: Sheet, theme_name: PictureTheme, scale: int
) -> None:
    image = render_image(sheet, theme_name, scale)
    ground = look_of(theme_name).color("surface")
    inked = _ink(image, ground)
    whole = image.rect().adjusted(*(round(side * MARGIN * scale) for side in (1, 1, -1, -1)))
    assert whole.adjusted(-1, -1, 1, 1).contains(inked), (whole, inked)
    assert inked.width() > whole.width() * 0.9


def test_a_label_of_60_characters_is_not_cut_short(
    sheet: Sheet, explained: Callable[..., Explanation]
) -> None:
    """Nothing is elided: the picture of longer words is wider, and that of short ones isn't."""
    row = make_cause_row("cause", LONG, 0.1, "")
    drawing = WaterfallDrawing(WaterfallContent(explained().importance, causes=(row,)))
    look = look_of("light")
    wanted = drawing.wanted_width(look)
    assert sheet.size().width() >= wanted
    layout = drawing._layout(look, wanted, (row,))
    assert layout.label.length >= drawing._widest(look) - 8


def test_every_size_and_svg_have_the_same_layout(sheet: Sheet, tmp_path: Path) -> None:
    ground = look_of("light").color("surface")
    once, twice = render_image(sheet, "light", 1), render_image(sheet, "light", 2)
    assert twice.size() == once.size() * 2
    path = tmp_path / "sheet.svg"
    assert write_picture(sheet, str(path), "svg", "light") == ""
    drawn = _from_svg(path, (once.width(), once.height()))
    boxes = [_ink(once, ground), _ink(drawn, ground), _ink(twice, ground)]
    one, other, double = (
        [box.left() / f, box.top() / f, box.right() / f, box.bottom() / f]
        for box, f in zip(boxes, (1, 1, 2), strict=True)
    )
    size = max(once.width(), once.height())
    for near in (other, double):
        assert near == pytest.approx(one, abs=size / 100)
    stripes = [_stripes(image, 40) for image in (once, drawn, twice)]
    for near in stripes[1:]:
        assert near == pytest.approx(stripes[0], abs=0.03)


def test_svg_needs_no_font_for_latin_and_keeps_other_scripts_as_text(
    sheet: Sheet, tmp_path: Path
) -> None:
    path = tmp_path / "sheet.svg"
    assert write_picture(sheet, str(path), "svg", "dark") == ""
    text = path.read_text(encoding="utf-8")
    written = "".join(re.findall(r"<text[^>]*>(.*?)</text>", text, re.DOTALL))
    assert "🚀" in written
    assert "Contradiction" not in written
    assert f"<desc>{sheet.caption}</desc>" in text


def test_a_pdf_is_as_large_as_the_sheet(sheet: Sheet, tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    assert write_picture(sheet, str(path), "pdf", "print") == ""
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", path.read_bytes())
    assert box is not None
    size = sheet.size("print") * 0.75
    assert [float(side) for side in box.groups()] == pytest.approx(
        [size.width(), size.height()], abs=1
    )


def test_pictures_say_what_they_are(sheet: Sheet) -> None:
    image = render_image(sheet, "light", 1)
    assert image.text("Title") == sheet.title
    assert image.text("Description") == sheet.caption


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_is_written_whole_or_not_at_all(sheet: Sheet, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "there" / f"sheet.{kind}"
    assert write_picture(sheet, str(path), kind, "light")  # type: ignore[arg-type]
    assert not path.parent.exists()


def test_three_times_as_large_is_three_times_the_pixels(sheet: Sheet) -> None:
    size = sheet.size().toSize()
    assert render_image(sheet, "light", 3).size() == size * 3


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Rent: rises / 2027?", "Rent  rises   2027, confidence.png"),
        ("…", "Picture, confidence.png"),
        ("部署窗口", "部署窗口, confidence.png"),
        ("a" * 200, f"{'a' * 60}, confidence.png"),
        ("..", "Picture, confidence.png"),
    ],
)
def test_file_names_work_everywhere(title: str, name: str) -> None:
    assert file_name(title, ["confidence"], "png") == " ".join(name.split())

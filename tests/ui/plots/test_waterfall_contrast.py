"""Every text of a waterfall can be read on what it stands on, in every theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from mvdesk.ui.plots.waterfall_content import WaterfallContent
from mvdesk.ui.plots.waterfall_item import paint_scene
from mvdesk.ui.plots.waterfall_kit import Kit
from mvdesk.ui.plots.waterfall_layout import Metrics, compute_waterfall_layout
from mvdesk.ui.plots.waterfall_texts import WaterfallScene
from mvdesk.ui.theme import DARK, LIGHT, PRINT, Look, Tokens, find_tokens
from mvdesk.ui.tokens import HIGH_DARK

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.scoring.explain import Explanation
    from mvdesk.ui.plots.waterfall_rows import Row

READABLE = 4.5


def luminance(color: QColor) -> float:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (color.redF(), color.greenF(), color.blueF())
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    "tokens",
    [LIGHT, DARK, PRINT, HIGH_DARK, find_tokens("light", "greyscale")],
    ids=["light", "dark", "print", "high contrast", "greyscale"],
)
@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("width", [376.0, 800.0])
def test_every_text_has_enough_contrast(
    theme: object,
    explained: Callable[..., Explanation],
    monkeypatch: pytest.MonkeyPatch,
    tokens: Tokens,
    scale: float,
    width: float,
) -> None:
    look = Look(tokens, scale)
    shown = explained(trust=0.9, confidence=1.0, links={"supports_count": 9})
    stored = explained(confidence=1.0, links={"supports_count": 9})
    contents = [
        WaterfallContent(shown.confidence, previous=stored.confidence, base_note="an edit"),
        WaterfallContent(shown.importance, pinned=stored.importance),
    ]
    for content in contents:
        rows = content.plan(unfolded=True)
        layout = compute_waterfall_layout(rows, width, Metrics.at_scale(scale))
        for number in range(-1, len(rows)):
            for hovers in (False, True):
                marked = None if number < 0 or rows[number].kind == "group" else number
                current, hovered = (None, marked) if hovers else (marked, None)
                scene = WaterfallScene(
                    rows, layout, content.axis_of(rows), "title", look, current, hovered
                )
                _check(scene, width, monkeypatch)


def _check(scene: WaterfallScene, width: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paint with and without words: what is painted under each, and in what colour it is."""
    said: list[tuple[str, QColor, tuple[float, float]]] = []

    def draw(kit: Kit, painter: QPainter, text: str, area, face, *, right: bool = False) -> None:  # noqa: ANN001
        left = area.right() - face.width(text) if right else area.left()
        said.append((text, painter.pen().color(), (left - 1.0, area.center().y())))

    monkeypatch.setattr(Kit, "draw", draw)
    image = QImage(round(width), round(scene.layout.height), QImage.Format.Format_RGB32)
    image.fill(scene.look.color("surface"))
    painter = QPainter(image)
    paint_scene(painter, scene, width)
    painter.end()
    assert len(said) > len(scene.rows)
    checked = 0
    for text, color, (x, y) in said:
        ground = image.pixelColor(min(max(round(x), 3), round(width) - 4), round(y))
        if not _is_plain(scene, ground):
            continue  # a bar or a line beside the first letter
        assert contrast(color, ground) >= READABLE, (text, color.name(), ground.name())
        checked += 1
    assert checked > len(said) * 0.6


def _is_plain(scene: WaterfallScene, ground: QColor) -> bool:
    names = ("surface", "selection_tint", "hover_tint")
    return ground in [scene.look.color(name) for name in names]


def test_a_base_that_is_the_final_score_still_has_both_labels(
    explained: Callable[..., Explanation],
) -> None:
    """Columns of one height have a row each, whatever else is zero."""
    shown = explained(
        trust=None,
        links={"link_count": 0, "supports_count": 0, "contradicts_count": 0},
        type="idea",
        title="",
        content="",
        source="",
        updated_at=1_800_000_000,
        created_at=1_800_000_000,
    )
    score = shown.confidence
    assert score.base == score.final
    rows = WaterfallContent(score).plan(unfolded=False)
    totals: list[Row] = [row for row in rows if row.is_total]
    assert [(row.label, row.value) for row in totals] == [
        ("Base — what you stored", "0.700"),
        ("Raw sum", "0.700"),
        ("Final", "0.700"),
    ]
    places = compute_waterfall_layout(rows, 376.0, Metrics.at_scale(1.0)).rows
    tops = [place.text.start for place in places]
    assert len(set(tops)) == len(tops)

"""The slope chart: which memories change places most, from the rank before to the rank after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize

from mvdesk.ui.plots.mark_chart import MarkChart
from mvdesk.ui.plots.slope_item import SlopeItem, SlopeScene
from mvdesk.ui.plots.slope_layout import (
    SlopeLayout,
    SlopeLine,
    compute_slope_layout,
    describe_line,
    format_gain,
)
from mvdesk.ui.plots.waterfall_kit import kit_of
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

_REACH: Final = 9.0
_SIZE: Final = QSize(320, 260)
_LEAST: Final = QSize(240, 120)


class SlopeChart(MarkChart):
    """Lines of memories whose rank moves. Made once; every setter updates it in place.

    Up is solid with a head upwards and a plus, down is dashed with a head downwards and a
    minus. Arrows go from line to line.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Slope chart of the ranks"), _SIZE, _LEAST, parent)
        self._lines: tuple[SlopeLine, ...] = ()
        self._layout = compute_slope_layout((), (40.0, 120.0), (20.0, 200.0), 16.0)
        self._view_box.setXRange(0.0, 1.0, padding=0)
        self._item = SlopeItem()
        self._item.setParentItem(self._canvas)
        self._finish()
        self._describe()

    # In

    def set_lines(self, lines: Sequence[SlopeLine]) -> None:
        """Show other movers. The current one stays current when it is still there."""
        shown = tuple(lines)
        if shown != self._lines:
            kept = self.current_id
            self._lines = shown
            self._follow_marks(kept)

    # Out

    @property
    def lines(self) -> tuple[SlopeLine, ...]:
        return self._lines

    @property
    def layout_now(self) -> SlopeLayout:
        """Where things are on this widget."""
        return self._layout

    @property
    def picture_text(self) -> str:
        """What a picture says above the lines."""
        return tr("Ranks before and in the preview.")

    def twin(self) -> SlopeChart:
        """Another one that shows the same, nothing pointed at."""
        made = SlopeChart()
        made.set_lines(self._lines)
        return made

    # Inside

    def _ids(self) -> Sequence[str]:
        return [line.memory_id for line in self._lines]

    def _stops(self) -> Sequence[int]:
        """As the right ends are from top to bottom."""
        return sorted(range(len(self._lines)), key=lambda n: self._layout.places[n].end)

    def _tell(self, number: int) -> str:
        return describe_line(self._lines[number])

    def _tell_all(self) -> str:
        if not self._lines:
            return tr("No memory changes its rank.")
        said = [
            f"{line.title} {format_gain(line.gain)}"
            for line in sorted(self._lines, key=lambda line: -abs(line.gain))[:3]
        ]
        return tr(
            "{lines} lines, the longest: {names}.", lines=len(self._lines), names=", ".join(said)
        )

    def _under(self, x: float, y: float) -> int | None:
        return self._layout.line_at(x, y, _REACH * max(self._look.scale, 1.0))

    def _relayout(self) -> None:
        scale = self._look.scale
        face = kit_of(self._look).face("caption")
        strong = kit_of(self._look).face("caption", strong=True)
        texts = [format_number(line.rank_before, ",") for line in self._lines]
        widest = max([strong.width(text) for text in texts], default=0.0)
        left = max(widest + 20 * scale, face.width("before") + 4 * scale)
        room = self.width() - left
        right = left + min(max(0.32 * room, 56.0 * scale), 160.0 * scale)
        rows = (face.height * 1.5 + 8 * scale, self.height() - face.height / 2 - 6 * scale)
        rows = (rows[0], max(rows[1], rows[0] + face.height))
        self._layout = compute_slope_layout(self._lines, (left, right), rows, face.height)
        self._view_box.setGeometry(left, rows[0], right - left, rows[1] - rows[0])
        self._repaint()

    def _repaint(self) -> None:
        scene = SlopeScene(
            self._lines, self._layout, self._look, self._current, self._hovered, self.shows_ring()
        )
        self._item.set_scene(scene, (float(self.width()), float(self.height())))
        self.viewport().update()

"""Who changes places in the ranking: a table of both directions, and the slope chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QVBoxLayout, QWidget

from mvdesk.ui.models.movers_table import (
    MOVER_LEAST,
    MOVER_NUMBERS,
    MOVER_TITLE_COLUMN,
    MOVER_TITLES,
    MOVER_WIDTHS,
    MoverLine,
    mover_rows,
)
from mvdesk.ui.plots.slope_chart import SlopeChart
from mvdesk.ui.plots.slope_layout import SlopeLine
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

_CHARTED: Final = 10
"""So many each way are lines of the chart."""
_HINT: Final = tr("Choose one: the explanation follows.")
_BESIDE_PX: Final = 760
_BELOW_PX: Final = 390
_CHART_PX: Final = 220
_CHART_WIDTH_PX: Final = 340


class MoversPage(QWidget):
    """Shows movers. Table and chart where there is room for both, else one of them."""

    memory_selected = Signal(str)  # id
    alone_changed = Signal(bool)  # whether there is room for only one of table and chart

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._up: tuple[MoverLine, ...] = ()
        self._down: tuple[MoverLine, ...] = ()
        self._way = "both"
        self._is_alone = self._is_chart = False
        self._build()
        self._connect()
        self._fit()

    def _build(self) -> None:
        self._none = QLabel()
        self._none.setObjectName("moversNone")
        self._none.setWordWrap(True)
        self._none.setContentsMargins(12, 4, 12, 8)
        set_role(self._none, "muted")
        self._none.hide()
        self.table = KeyedTable(
            tr("Memories that change places"),
            MOVER_TITLES,
            widths=MOVER_WIDTHS,
            stretch=MOVER_TITLE_COLUMN,
            numbers=MOVER_NUMBERS,
            least=MOVER_LEAST,
        )
        self.table.setObjectName("moversTable")
        self.chart = SlopeChart()
        self.chart.setObjectName("slopeChart")
        self._both = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._both.setSpacing(0)
        self._detail = ElidedLabel(_HINT, steady=True)
        self._detail.setObjectName("moversDetail")
        self._detail.setContentsMargins(12, 5, 12, 5)
        set_role(self._detail, "mutedCaption")
        listed = QVBoxLayout()
        listed.setSpacing(0)
        listed.addWidget(self.table, 1)
        listed.addWidget(self._detail)
        self._both.addLayout(listed, 1)
        self._line = QFrame()
        set_role(self._line, "hairline")
        self._both.addWidget(self._line)
        self._both.addWidget(cast("QWidget", self.chart), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._none)
        column.addLayout(self._both, 1)
        self.setFocusProxy(self.table)

    def _connect(self) -> None:
        self.table.key_selected.connect(self._on_table_selected)
        self.chart.memory_chosen.connect(self._on_chart_chosen)

    # In

    def set_movers(self, up: Sequence[MoverLine], down: Sequence[MoverLine]) -> None:
        """Show who goes up and who goes down, those that go farthest first. Never emits."""
        if (tuple(up), tuple(down)) != (self._up, self._down):
            self._up, self._down = tuple(up), tuple(down)
            self._fill()

    def set_current(self, memory_id: str | None) -> None:
        """Mark a memory. Never emits."""
        self.table.set_current(memory_id)
        self.chart.set_current(memory_id)
        self._show_detail()

    def set_way(self, way: str) -> None:
        """List "up", "down" or "both"."""
        if way != self._way:
            self._way = way
            self._fill()

    def set_as_chart(self, is_chart: bool) -> None:
        """Show the chart instead of the table, where only one of them is shown."""
        self._is_chart = is_chart
        charts: tuple[QWidget, QWidget] = (self.table, cast("QWidget", self.chart))
        had_focus = charts[not is_chart].hasFocus()
        self._fit()
        self.setFocusProxy(charts[is_chart])
        if had_focus:
            charts[is_chart].setFocus(Qt.FocusReason.TabFocusReason)

    # Out

    @property
    def is_alone(self) -> bool:
        """Whether there is room for only one of table and chart."""
        return self._is_alone

    def _fill(self) -> None:
        way = self._way
        up = self._up if way != "down" else ()
        down = self._down if way != "up" else ()
        self.table.set_rows(mover_rows((*up, *down)))
        self.chart.set_lines([_slope(line) for line in (*up[:_CHARTED], *down[:_CHARTED])])
        moves = {"both": tr("changes its place"), "up": tr("goes up"), "down": tr("goes down")}[way]
        self._none.setText(
            tr("No memory {moves}: the scores that move pass no other one.", moves=moves)
        )
        self._none.setVisible(not up and not down)
        self._show_detail()

    def _show_detail(self) -> None:
        """Source and reason of the current one: narrow tables have no columns for them."""
        key = self.table.current_key
        line = next((one for one in (*self._up, *self._down) if one.memory_id == key), None)
        if line is None:
            self._detail.setText(_HINT)
        elif line.why.startswith(line.source):
            self._detail.setText(line.why)  # it names the source; "" for none starts all
        else:
            self._detail.setText(f"{line.source} · {line.why}")

    def _fit(self) -> None:
        """Table and chart beside one another, above one another, or one at a time."""
        look = applied()
        width, height = self.width() / look.scale, self.height() / look.scale
        beside = width >= _BESIDE_PX
        below = not beside and height >= _BELOW_PX
        alone, is_chart = not beside and not below, self._is_chart
        directions = QBoxLayout.Direction
        self._both.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        chart = cast("QWidget", self.chart)
        largest = 16_777_215
        chart.setMaximumWidth(look.px(_CHART_WIDTH_PX) if beside else largest)
        chart.setMinimumWidth(look.px(_CHART_WIDTH_PX) if beside else 0)
        chart.setMinimumHeight(look.px(_CHART_PX) if below else 0)
        self.table.setVisible(not alone or not is_chart)
        self._detail.setVisible(not alone or not is_chart)
        self._line.setVisible(below)
        chart.setVisible(not alone or is_chart)
        if alone != self._is_alone:
            self._is_alone = alone
            self.alone_changed.emit(alone)

    # What happens.

    @Slot(str)
    def _on_table_selected(self, memory_id: str) -> None:
        self.chart.set_current(memory_id)
        self._show_detail()
        self.memory_selected.emit(memory_id)

    @Slot(str)
    def _on_chart_chosen(self, memory_id: str) -> None:
        self.table.set_current(memory_id)
        self._show_detail()
        self.memory_selected.emit(memory_id)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._fit()


def _slope(line: MoverLine) -> SlopeLine:
    return SlopeLine(
        line.memory_id,
        line.title,
        line.rank_before,
        line.rank_after,
        line.score_before,
        line.score_after,
    )

"""Charts other than the waterfalls as pictures: the one that the keyboard is at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.ui.picture_caption import caption_of
from mvdesk.ui.plots.distribution import Distribution
from mvdesk.ui.plots.export import Section, Sheet
from mvdesk.ui.plots.graph_scene import GraphView
from mvdesk.ui.plots.heat_chart import HeatChart
from mvdesk.ui.plots.slope_chart import SlopeChart
from mvdesk.ui.plots.twin_drawing import TwinDrawing
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.plots.plot_view import PlotView
    from mvdesk.ui.session import VaultSession

Chart = Distribution | GraphView | HeatChart | SlopeChart

_PANELS: Final = ("Panel", "upkeepView")
_SIZES: Final[dict[type[QWidget], tuple[float, float]]] = {
    Distribution: (760.0, 280.0),
    GraphView: (900.0, 620.0),
    HeatChart: (900.0, 620.0),
    SlopeChart: (760.0, 460.0),
}


def find_chart(window: QWidget) -> Chart | None:
    """The chart of the panel that has the keyboard; None in a panel without one."""
    widget: QWidget | None = window.focusWidget()
    while widget is not None and not widget.objectName().endswith(_PANELS):
        widget = widget.parentWidget()
    if widget is None:
        return None
    for kind in (Distribution, GraphView, HeatChart, SlopeChart):
        for chart in widget.findChildren(kind):
            if chart.isVisible():
                return chart
    return None


def contents_of(chart: Chart) -> tuple[tuple[str, str], ...]:
    """What can be on a picture of the chart, as (value, label)."""
    if isinstance(chart, GraphView):
        return (("chart", tr("The whole graph")), ("seen", tr("What is seen")))
    return (("chart", tr("The chart")),)


def make_chart_sheet(session: VaultSession, chart: Chart, content: str = "chart") -> Sheet | None:
    """The chart with what it shows above it; None without a vault.

    `content` is one of those of `contents_of`.
    """
    if not session.is_open:
        return None
    width, height = _SIZES[type(chart)]
    make_twin: Callable[[], PlotView] = chart.twin
    if isinstance(chart, GraphView) and content == "seen":
        make_twin = chart.twin_of_seen
    drawing = TwinDrawing(make_twin, width, height)
    section = Section(chart.picture_text, drawing)
    return Sheet(_title_of(session, chart), (section,), caption_of(session))


def _title_of(session: VaultSession, chart: Chart) -> str:
    if not isinstance(chart, GraphView):
        return str(chart.accessibleName())
    row = session.selected_row
    if chart.picture.centre is None or row is None:
        return tr("Memories and their links")
    return tr("Around {labels}", labels=session.snapshot.memories.labels.text(row))

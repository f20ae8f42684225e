"""What the graph panel is made of: header, banner, path, picture and its table."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from mvdesk.ui.panels.graph_facts import GraphFacts
from mvdesk.ui.panels.graph_search import GraphSearch
from mvdesk.ui.panels.graph_table import GraphTable
from mvdesk.ui.plots.graph_scene import GraphView
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.ending_line import EndingLine
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.link_line import LinkLine
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.score_range import ScoreRange
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.wording import tr

WHOLE: Final = "all"
"""The depth that stands for the whole vault."""


class GraphFrame(QWidget):
    """The widgets of the panel and where they stand. It knows no session."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("graphPanel")
        self.setAccessibleName(tr("Graph"))
        self._build()

    def _build(self) -> None:
        self.header = PanelHeader(tr("Graph"))
        self._back = IconButton("arrow-left", tr("Back to the memory before (Backspace)"))
        self._back.setObjectName("graphBack")
        self._forward = IconButton("arrow-right", tr("Forward again (])"))
        self._forward.setObjectName("graphForward")
        self._depth = SegmentedControl(
            tr("Links away"), [("1", "1"), ("2", "2"), ("3", "3"), (WHOLE, tr("All"))]
        )
        self._depth.setObjectName("graphDepth")
        self._depth.setToolTip(
            tr("How many links away memories are shown (keys 1 to 3), or the whole vault (key 0)")
        )
        self._more = IconButton("more", tr("What the graph shows (Menu key)"))
        # A menu of the panel's own would part it from its children in the focus chain.
        self._menu = QMenu(self._more)
        self._menu.setObjectName("graphMenu")
        self._more.setObjectName("graphMore")
        self._more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setMenu(self._menu)
        for button in (self._back, self._forward):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.header.add_action(button)
        self.header.add_action(self._depth)
        self._view = GraphView()
        self._view.setObjectName("graphView")
        # In the picture's corner: a narrow header has no room for it.
        self._more.setParent(self._view)
        set_role(self._more, "floating")
        self._view.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._build_banner())
        self._facts_row = GraphFacts()
        column.addWidget(self._facts_row)
        self._range_row = ScoreRange("graphRange")
        self._range_row.hide()
        column.addWidget(self._range_row)
        self._path_row = EndingLine("graphPath", tr("Show no path (Esc)"))
        column.addWidget(self._path_row)
        self._link_line = LinkLine("graphLink")
        # Over the picture, which would move under the mouse if it made room.
        self._link_line.setParent(self._view)
        self._link_line.hide()
        self._link_line.installEventFilter(self)
        self._search = GraphSearch(self._view)
        column.addWidget(self._search)
        column.addWidget(self._view, 1)
        self._table = GraphTable()
        self._table.setObjectName("graphTable")
        self._table.hide()
        column.addWidget(self._table, 1)
        self.setFocusProxy(self._view)
        for stop in (self._view, self._table):
            stop.setProperty("startsHere", True)  # F6 comes here, not to the row of facts
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _build_banner(self) -> QWidget:
        """What part of the vault is shown, and the way to change that."""
        self._banner = QWidget()
        self._banner.setObjectName("graphBanner")
        self._banner_text = QLabel()
        self._banner_text.setObjectName("graphBannerText")
        self._banner_text.setWordWrap(True)
        set_role(self._banner_text, "secondary")
        self._change = QToolButton()
        self._caps = QMenu(self._change)
        self._change.setObjectName("graphChange")
        self._change.setText(tr("Change"))
        self._change.setToolTip(tr("Show more or fewer memories"))
        self._change.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._change.setMenu(self._caps)
        self._change.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        row = QHBoxLayout(self._banner)
        row.setContentsMargins(12, 2, 8, 2)
        row.addWidget(self._banner_text, 1)
        row.addWidget(self._change)
        self._banner.hide()
        return self._banner

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.Show, QEvent.Type.LayoutRequest)
        if watched is self._link_line and event.type() in kinds:
            self._place_link_line()
        elif watched is self._view and event.type() == QEvent.Type.Resize:
            self._place_link_line()
            self._more.adjustSize()
            self._more.move(self._view.width() - self._more.width() - 6, 6)
            self._view.set_covered(QRectF(self._more.geometry()))
        return super().eventFilter(watched, event)

    def _place_link_line(self) -> None:
        height = self._link_line.sizeHint().height()
        self._link_line.setGeometry(0, self._view.height() - height, self._view.width(), height)

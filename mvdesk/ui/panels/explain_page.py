"""What the explain panel scrolls: both scores, the pinned memory, what would change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from mvdesk.ui.panels.score_section import ScoreSection
from mvdesk.ui.panels.what_if import WhatIfSection
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.compare_strip import CompareStrip
from mvdesk.ui.widgets.compare_texts import CompareTexts
from mvdesk.ui.widgets.layouts import settle_layouts
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mvdesk.scoring.subject import ScoreKind

KINDS: Final[tuple[ScoreKind, ...]] = ("confidence", "importance")
BOTH: Final = "both"
_SIDE_BY_SIDE_FROM_PX: Final = 752
_AIR_PX: Final = 12


class ExplainPage(QWidget):
    """Places the parts, the scores side by side where there is room. Knows no session."""

    which_chosen = Signal(str)  # the scores to show: BOTH or one of KINDS, by the person

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._goal: QWidget | None = None  # what is to be scrolled to
        self.which = SegmentedControl(
            tr("Scores shown"),
            [
                (BOTH, tr("Both")),
                ("confidence", tr("Confidence")),
                ("importance", tr("Importance")),
            ],
        )
        self.which.setObjectName("explainWhich")
        self.which.value_chosen.connect(self._on_which_chosen)
        self.strip = CompareStrip()  # before what it stands over, for the order of Tab
        self.sections = {kind: ScoreSection(kind) for kind in KINDS}
        self.texts = CompareTexts()
        self.what_if = WhatIfSection()
        self._build()

    def _build(self) -> None:
        content = QWidget()
        self._both = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._both.setSpacing(16)
        for section in self.sections.values():
            self._both.addWidget(section, 0, Qt.AlignmentFlag.AlignTop)
        line = QFrame()
        set_role(line, "hairline")
        all_ = QVBoxLayout(content)
        all_.setContentsMargins(12, 4, 12, 12)
        all_.setSpacing(16)
        all_.addLayout(self._both)
        all_.addWidget(self.texts)
        all_.addWidget(line)
        all_.addWidget(self.what_if)
        all_.addStretch(1)
        self.area = area = QScrollArea()
        area.setObjectName("explainArea")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(content)
        area.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        tools = QHBoxLayout()
        tools.setContentsMargins(12, 8, 12, 4)
        tools.addWidget(self.which)
        tools.addStretch(1)
        strip = QVBoxLayout()
        strip.setContentsMargins(12, 4, 12, 4)
        strip.addWidget(self.strip)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        column.addLayout(strip)
        column.addWidget(area, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @property
    def shown_kinds(self) -> tuple[ScoreKind, ...]:
        """The scores that are shown."""
        return KINDS if self.which.value == BOTH else (cast("ScoreKind", self.which.value),)

    def set_which(self, which: str) -> None:
        """Show BOTH or one of KINDS. Never emits."""
        self.which.set_value(which)
        self._arrange()

    def settle(self) -> None:
        """Lay everything out now rather than a moment later."""
        settle_layouts(self.area, *self.sections.values())

    def scroll_to(self, goal: QWidget) -> None:
        """Bring a part into view, once it is laid out."""
        self._goal = goal
        QTimer.singleShot(0, self, self._show_goal)

    def look_at(self, kind: ScoreKind) -> None:
        """Bring a score into view, with the keyboard at its rows."""
        section = self.sections[kind]
        self.scroll_to(section)
        section.focus_rows()

    def _arrange(self) -> None:
        """Both scores side by side where there is room, else below each other."""
        wide = self.width() >= applied().px(_SIDE_BY_SIDE_FROM_PX)
        beside = wide and self.which.value == BOTH
        directions = QBoxLayout.Direction
        self._both.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        for place, kind in enumerate(KINDS):
            self.sections[kind].setVisible(kind in self.shown_kinds)
            self._both.setStretch(place, 1 if beside else 0)

    @Slot(str)
    def _on_which_chosen(self, which: str) -> None:
        self._arrange()
        self.which_chosen.emit(which)

    @Slot()
    def _show_goal(self) -> None:
        """Scroll as little as it takes to see the goal, its top before its bottom."""
        goal, area = self._goal, self.area
        content = area.widget()
        if goal is None or content is None:
            return
        sections = self.sections.values()
        settle_layouts(area, *(section.drawer for section in sections), *sections)
        top = goal.mapTo(content, QPoint(0, 0)).y()
        bar = area.verticalScrollBar()
        lowest = top + goal.height() + _AIR_PX - area.viewport().height()
        bar.setValue(min(max(bar.value(), lowest), top - _AIR_PX))

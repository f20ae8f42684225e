"""The rail at the left of the window: a button for each workspace, and saved searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel, QToolBar, QToolButton

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.rail_searches import RailSearches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

_WIDTH_PX: Final = 48
_WIDEST_PX: Final = 56
"""It grows little with the text: in a small window the panels need the room."""


class Rail(QToolBar):
    """Shows checkable actions as icons, the checked one marked, below them saved searches."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self._badges: dict[QAction, QLabel] = {}
        self.searches = RailSearches()
        self.setAccessibleName(title)
        self.setMovable(False)
        self.setFloatable(False)
        self.setOrientation(Qt.Orientation.Vertical)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        set_role(self, "rail")
        self._restyle()

    def set_actions(self, actions: Iterable[QAction]) -> None:
        """Show these, each as a button named like the action with "Button" at the end."""
        self.clear()
        for action in actions:
            self.addAction(action)
            button = self.widgetForAction(action)
            button.setObjectName(action.objectName().removesuffix("Action") + "Button")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(action.text().replace("&", ""))
        self.addSeparator()
        self.addWidget(self.searches)
        self._restyle()

    def set_count(self, action: QAction, count: int) -> None:
        """Show a number at the corner of an action's button, 0 for none."""
        badge = self._badges.get(action)
        if badge is None:
            badge = self._badges[action] = QLabel(self)
            badge.setObjectName("railCount")
            badge.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            set_role(badge, "count")
        badge.setText(f"{count}" if count < 100 else "99+")
        badge.setVisible(bool(count))
        self._place_badges()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize, QEvent.Type.Show):
            self._place_badges()
        return done

    def _place_badges(self) -> None:
        """At the corner and a little over the edge: the picture of the button stays whole."""
        for action, badge in self._badges.items():
            badge.adjustSize()
            button = self.widgetForAction(action).geometry()
            right = min(button.right() + 3, self.width() - 3)
            badge.move(right - badge.width(), button.top() - 5)
            badge.raise_()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        width = min(look.px(_WIDTH_PX), _WIDEST_PX)
        side = width - 2 * look.px(5) - 1  # the style sheet's room at the sides, and the line
        self.setFixedWidth(width)
        self.setIconSize(QSize(min(look.px(20), side - 12), min(look.px(20), side - 12)))
        for button in self.findChildren(QToolButton):
            if button.defaultAction() is not None:
                button.setFixedSize(side, side)
        self.searches.set_side(side)
        self._place_badges()

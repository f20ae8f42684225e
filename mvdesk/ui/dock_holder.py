"""One dock of the window, and how small it may get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QDockWidget, QWidget

from mvdesk.ui.theme import applied, is_look_change
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QMainWindow

    from mvdesk.ui.workspaces import DockSpec

_NARROW_PX: Final = 376
"""Panels that ask for less elide before they push others out, however large the text."""
_ENOUGH_PX: Final = 360


class _Holder(QWidget):
    """Holds a dock's panel, and says how small the dock may get whatever is in the panel.

    A smallest size set on the dock itself doesn't last: Qt replaces it when it lays a dock
    out that moved. The panel is placed without a layout: one would lay all docks out whenever a
    label or a button somewhere in a panel asks for other room, which changes no dock.
    """

    def __init__(self, spec: DockSpec) -> None:
        super().__init__()
        self._spec = spec
        self.panel: QWidget | None = None

    def hold(self, panel: QWidget) -> None:
        """Show a panel, as large as the dock."""
        self.panel = panel
        panel.setParent(self)
        self.setFocusProxy(panel)  # for a panel whose own stops aren't found: it names one
        panel.setGeometry(self.rect())
        panel.show()

    def sizeHint(self) -> QSize:
        return self.panel.sizeHint() if self.panel is not None else self.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.panel is not None:
            self.panel.setGeometry(self.rect())

    def minimumSizeHint(self) -> QSize:
        look, spec = applied(), self._spec
        width = look.px(spec.width)
        if spec.width < _NARROW_PX:
            width = min(width, _ENOUGH_PX)
        return QSize(width, look.px(spec.height))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.updateGeometry()


def make_dock(spec: DockSpec, window: QMainWindow) -> QDockWidget:
    """An empty dock that is in no place yet, with the key that shows and hides it."""
    dock = QDockWidget(spec.title, window)
    dock.setObjectName(f"{spec.name}Dock")
    dock.setFeatures(
        QDockWidget.DockWidgetFeature.DockWidgetMovable
        | QDockWidget.DockWidgetFeature.DockWidgetClosable
    )
    dock.setWidget(_Holder(spec))
    dock.hide()
    action = dock.toggleViewAction()
    action.setObjectName(f"{spec.name}DockAction")
    action.setShortcut(spec.key)
    text = tr("Show or hide the panel {title}.", title=spec.title)
    action.setToolTip(f"{spec.title} ({spec.key})")
    action.setStatusTip(text)
    action.setWhatsThis(text)
    return dock


def fill_dock(dock: QDockWidget, panel: QWidget, header: QWidget) -> None:
    """Put a panel into its dock, its header where the dock is held to move it."""
    holder = dock.widget()
    if isinstance(holder, _Holder):
        holder.hold(panel)
    dock.setTitleBarWidget(header)


def panel_of(dock: QDockWidget) -> QWidget | None:
    """The panel in a dock; None before it was made."""
    holder = dock.widget()
    return holder.panel if isinstance(holder, _Holder) else None

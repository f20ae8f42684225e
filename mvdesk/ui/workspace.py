"""The window's docks: where panels sit at first, how small they get, how they come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.dock_sizes import DockSizes
from mvdesk.ui.settings import LAYOUT_VERSION, WindowLayout
from mvdesk.ui.theme import applied, is_look_change

if TYPE_CHECKING:
    from collections.abc import Iterator

USUAL_SIZE: Final = QSize(1440, 900)
SMALLEST_SIZE: Final = QSize(1024, 680)
NARROW_PX: Final = 1180
"""Below this width, at text scale 1, the graph is a tab behind the editor."""
TIGHT_PX: Final = 960
"""Below this one the explanation is too: large text in a small window."""
_GUESSED_FRAME: Final = QSize(8, 40)
"""What a window manager puts around a window, until it is known."""
LOW_PX: Final = 540
"""Below this height the source is a tab behind the list."""


@dataclass(frozen=True, slots=True)
class DockSpec:
    """One dock: `width` and `height` are the smallest, in px at scale 1."""

    name: str
    title: str
    key: str
    width: int
    height: int


DOCKS: Final = (
    DockSpec("memories", "Memories", "Alt+1", 280, 160),
    DockSpec("sources", "Sources", "Alt+2", 280, 96),
    DockSpec("editor", "Editor", "Alt+3", 288, 160),
    DockSpec("graph", "Graph", "Alt+4", 288, 120),
    DockSpec("explain", "Explain", "Alt+5", 376, 200),
)


class _Holder(QWidget):
    """Holds a dock's panel, and says how small the dock may get whatever is in the panel.

    A smallest size set on the dock itself doesn't last: Qt replaces it when it lays a dock
    out that moved.
    """

    def __init__(self, spec: DockSpec) -> None:
        super().__init__()
        self._spec = spec
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)

    def set_panel(self, panel: QWidget) -> None:
        if layout := self.layout():
            layout.addWidget(panel)

    def minimumSizeHint(self) -> QSize:
        return _smallest(self._spec)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.updateGeometry()


class Workspace(QObject):
    """Makes the docks of a window and arranges them; knows nothing of what is in them."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._wide_state = QByteArray()
        self._given_size = QSize()  # by us, not by the person
        self._tabs: tuple[tuple[str, str], ...] = ()
        self._is_open = True
        self._closed_by_person: set[str] = set()
        window.setDockNestingEnabled(True)
        window.setAnimated(False)  # sizes are those that were set, at once
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._holders = {spec.name: _Holder(spec) for spec in DOCKS}
        self._docks = {spec.name: self._make(spec) for spec in DOCKS}
        self._sizes = DockSizes(window, self._docks)
        self.arrange()

    def __getitem__(self, name: str) -> QDockWidget:
        return self._docks[name]

    def __iter__(self) -> Iterator[QDockWidget]:
        return iter(self._docks.values())

    def set_panel(self, name: str, panel: QWidget, header: QWidget) -> None:
        """Put a panel into its dock, its header where the dock is held to move it."""
        self._holders[name].set_panel(panel)
        self._docks[name].setTitleBarWidget(header)
        self._sizes.bring_back_soon()

    def set_open(self, is_open: bool) -> None:
        """Show the docks, or hide them all while no vault is open."""
        if is_open == self._is_open:
            return
        if not is_open:
            self._closed_by_person = {n for n, dock in self._docks.items() if dock.isHidden()}
        self._is_open = is_open
        for name, dock in self._docks.items():
            dock.setVisible(is_open and name not in self._closed_by_person)
        self.follow_size()
        self._sizes.bring_back_soon()

    def arrange(self) -> None:
        """The default: list and sources, editor over graph, explanation."""
        self._closed_by_person = set()
        self._tabs = ()
        self._place()
        self.follow_size()

    def _place(self) -> None:
        window, docks = self._window, self._docks
        for dock in self:
            dock.setFloating(False)
            window.removeDockWidget(dock)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["memories"])
        window.splitDockWidget(docks["memories"], docks["editor"], Qt.Orientation.Horizontal)
        window.splitDockWidget(docks["editor"], docks["explain"], Qt.Orientation.Horizontal)
        window.splitDockWidget(docks["memories"], docks["sources"], Qt.Orientation.Vertical)
        window.splitDockWidget(docks["editor"], docks["graph"], Qt.Orientation.Vertical)
        for dock in self:
            dock.setVisible(self._is_open)
        self._sizes.set_sizes({})
        self._sizes.bring_back_soon()

    def follow_size(self) -> None:
        """Put panels behind others as tabs where the window has no room, and back again."""
        wanted = self._tabs_for(self._window.size())
        if wanted == self._tabs or not self._is_open:
            return
        hidden = {name for name, dock in self._docks.items() if dock.isHidden()}
        before, self._tabs = self._tabs, wanted
        if not before:
            self._wide_state = self._window.saveState(LAYOUT_VERSION)
        elif not set(before) <= set(wanted):
            self._untab()
            before = ()
        for name in hidden:
            self._docks[name].hide()
        self._sizes.bring_back_soon()
        for front, behind in wanted:
            if (front, behind) not in before and not {front, behind} & hidden:
                self._window.tabifyDockWidget(self._docks[front], self._docks[behind])
                self._docks[front].raise_()

    def _untab(self) -> None:
        if not self._window.restoreState(self._wide_state, LAYOUT_VERSION):
            self._place()
        # Takes the tab bars away now: made anew before that, the old ones would stay.
        if layout := self._window.layout():
            layout.activate()

    def follow_scale(self) -> None:
        """What has room at the text scale in use."""
        # Once the new sizes are in place: docks moved before that leave old tab bars behind.
        QTimer.singleShot(0, self, self.follow_size)
        self._sizes.bring_back_soon()

    def panels(self) -> list[QWidget]:
        """The panels that can be seen, in reading order."""
        shown = [self._docks[spec.name] for spec in DOCKS]
        widgets = [dock.widget() for dock in shown if dock.isVisible()]
        return [widget for widget in widgets if widget is not None]

    def bring_up(self, name: str) -> None:
        """Make sure that a panel can be seen."""
        self._docks[name].show()
        self._docks[name].raise_()

    def focus_next(self, step: int) -> None:
        """Go to the next (1) or previous (-1) panel that can be seen."""
        panels = self.panels()
        if not panels:
            return
        focus = QApplication.focusWidget()
        here = [
            number
            for number, panel in enumerate(panels)
            if focus is panel or (focus is not None and panel.isAncestorOf(focus))
        ]
        start = here[0] + step if here else (0 if step > 0 else -1)
        panel = panels[start % len(panels)]
        target = _first_stop(panel)
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def saved(self) -> WindowLayout:
        """The arrangement, to be restored at the next start."""
        # A narrow window's tabs are made anew from the wide arrangement.
        state = self._wide_state if self._tabs else self._window.saveState(LAYOUT_VERSION)
        return WindowLayout(
            geometry=bytes(self._window.saveGeometry().data()),
            state=bytes(state.data()),
            sizes=self._sizes.sizes,
        )

    def restore(self, layout: WindowLayout) -> bool:
        """Bring back an arrangement. What doesn't fit leaves the default; False then."""
        window = self._window
        self._tabs = ()
        fits = (
            layout.is_usable
            and window.restoreGeometry(layout.geometry)
            and window.restoreState(layout.state, LAYOUT_VERSION)
            and self._is_sound()
        )
        if not fits:
            self.reset()
        else:
            self._sizes.set_sizes(layout.sizes)
        if fits and not self._is_open:
            self._closed_by_person = {n for n, dock in self._docks.items() if dock.isHidden()}
            for dock in self:
                dock.hide()
        self.follow_size()
        return fits

    def reset(self) -> None:
        """The default size and arrangement, within the screen."""
        if self._window.isVisible():
            self._window.showNormal()
        self._fit_screen()
        self.arrange()

    def follow_frame(self) -> None:
        """The window is shown: whether its default size fits is known by now, with its frame."""
        if self._window.size() == self._given_size:
            self._fit_screen()

    def _fit_screen(self) -> None:
        """The default size, or what the screen has room for."""
        window = self._window
        screen = window.screen() or QGuiApplication.primaryScreen()
        room, frame = screen.availableGeometry(), window.frameGeometry()
        edges = frame.size() - window.size()
        if edges.isEmpty():
            edges = QSize(0, 0) if window.isVisible() else _GUESSED_FRAME
        size = USUAL_SIZE.boundedTo(room.size() - edges).expandedTo(SMALLEST_SIZE)
        self._given_size = size
        window.resize(size)
        whole = QRect(frame.topLeft(), size + edges)
        if not room.contains(whole):
            window.move(room.topLeft())

    def _make(self, spec: DockSpec) -> QDockWidget:
        dock = QDockWidget(spec.title, self._window)
        dock.setObjectName(f"{spec.name}Dock")
        dock.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetMovable
            | QDockWidget.DockWidgetFeature.DockWidgetClosable
        )
        dock.setWidget(self._holders[spec.name])
        return dock

    @staticmethod
    def _tabs_for(size: QSize) -> tuple[tuple[str, str], ...]:
        """Which panel goes in front of which at a size of the window."""
        look = applied()
        tabs = []
        if size.width() < look.px(NARROW_PX):
            tabs.append(("editor", "graph"))
        if size.width() < look.px(TIGHT_PX):
            tabs.append(("editor", "explain"))
        if size.height() < look.px(LOW_PX):
            tabs.append(("memories", "sources"))
        return tuple(tabs)

    def _is_sound(self) -> bool:
        """Whether the window and its docks can be seen and used where they are now."""
        frame = self._window.frameGeometry()
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        seen = max((room.intersected(frame).width() for room in screens), default=0)
        tall = max((room.intersected(frame).height() for room in screens), default=0)
        if seen < SMALLEST_SIZE.width() // 2 or tall < SMALLEST_SIZE.height() // 2:
            return False
        return not any(dock.isFloating() for dock in self) and any(
            not dock.isHidden() for dock in self
        )


def _smallest(spec: DockSpec) -> QSize:
    """The smallest size of a dock; the list elides before it pushes others out."""
    look = applied()
    width = look.px(spec.width)
    return QSize(min(width, 400) if spec.width < 376 else width, look.px(spec.height))


def _first_stop(panel: QWidget) -> QWidget:
    """Where the keyboard goes in a panel: its first widget that takes it, else itself."""
    widget = panel.nextInFocusChain()
    while widget is not None and widget is not panel:
        takes_keys = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if panel.isAncestorOf(widget) and takes_keys and widget.isEnabled() and widget.isVisible():
            return widget
        widget = widget.nextInFocusChain()
    return panel

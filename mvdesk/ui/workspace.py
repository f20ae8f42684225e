"""The window's docks: where panels sit at first, how small they get, how they come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFrame,
    QMainWindow,
    QScrollArea,
    QTabWidget,
    QWidget,
)

from mvdesk.ui.settings import LAYOUT_VERSION, WindowLayout
from mvdesk.ui.theme import applied

if TYPE_CHECKING:
    from collections.abc import Iterator

USUAL_SIZE: Final = QSize(1440, 900)
SMALLEST_SIZE: Final = QSize(1024, 680)
NARROW_PX: Final = 1180
"""Below this width, at text scale 1, the graph is a tab behind the editor."""
TIGHT_PX: Final = 960
"""Below this one the explanation is too: large text in a small window."""
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


_SCROLLED: Final = ("editor",)
"""Panels that would push others out of a low window with large text."""


class _Scroller(QScrollArea):
    """Holds a panel at its own height, or more where there is room."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self._panel = panel
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(panel)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._panel.minimumSizeHint().width(), 0)


class Workspace(QObject):
    """Makes the docks of a window and arranges them; knows nothing of what is in them."""

    rearranged = Signal()  # docks moved by themselves; bars may have come or gone with them

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._wide_state = QByteArray()
        self._tabs: tuple[tuple[str, str], ...] = ()
        self._is_open = True
        self._is_fresh = True  # the default, and not shown yet
        self._closed_by_person: set[str] = set()
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._docks = {spec.name: self._make(spec) for spec in DOCKS}
        self.arrange()

    def __getitem__(self, name: str) -> QDockWidget:
        return self._docks[name]

    def __iter__(self) -> Iterator[QDockWidget]:
        return iter(self._docks.values())

    def set_panel(self, name: str, panel: QWidget, header: QWidget) -> None:
        """Put a panel into its dock, its header where the dock is held to move it."""
        dock = self._docks[name]
        if name in _SCROLLED:
            dock.setWidget(_Scroller(panel))
        else:
            dock.setWidget(panel)
        dock.setTitleBarWidget(header)

    def set_open(self, is_open: bool) -> None:
        """Show the docks, or hide them all while no vault is open."""
        if is_open == self._is_open:
            return
        if not is_open:
            self._closed_by_person = {n for n, dock in self._docks.items() if dock.isHidden()}
        self._is_open = is_open
        is_first = is_open and self._is_fresh
        for name, dock in self._docks.items():
            dock.setVisible(is_open and name not in self._closed_by_person)
        if is_first:
            self._is_fresh = False
            self._share_out()
        self.follow_size()

    def arrange(self) -> None:
        """The default: list and sources, editor over graph, explanation."""
        self._closed_by_person = set()
        self._is_fresh = not self._is_open
        self._tabs = ()
        self._place()
        self.follow_size()
        self.rearranged.emit()

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
        self._share_out()

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
        for front, behind in wanted:
            if (front, behind) not in before and not {front, behind} & hidden:
                self._window.tabifyDockWidget(self._docks[front], self._docks[behind])
                self._docks[front].raise_()
        self.rearranged.emit()

    def _untab(self) -> None:
        if not self._window.restoreState(self._wide_state, LAYOUT_VERSION):
            self._place()
        # Takes the tab bars away now: made anew before that, the old ones would stay.
        if layout := self._window.layout():
            layout.activate()

    def follow_scale(self) -> None:
        """Smallest sizes, and what has room, at the text scale in use."""
        for spec in DOCKS:
            self._docks[spec.name].setMinimumSize(_smallest(spec))
        # Once the new sizes are in place: docks moved before that leave old tab bars behind.
        QTimer.singleShot(0, self, self.follow_size)

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
            geometry=bytes(self._window.saveGeometry().data()), state=bytes(state.data())
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
            self._is_fresh = False
        if fits and not self._is_open:
            self._closed_by_person = {n for n, dock in self._docks.items() if dock.isHidden()}
            for dock in self:
                dock.hide()
        self.follow_size()
        self.rearranged.emit()
        return fits

    def reset(self) -> None:
        """The default size and arrangement, within the screen."""
        screen = self._window.screen() or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        if self._window.isVisible():
            self._window.showNormal()
        self._window.resize(USUAL_SIZE.boundedTo(room.size()).expandedTo(SMALLEST_SIZE))
        if not room.contains(self._window.geometry()):
            self._window.move(room.topLeft())
        self.arrange()

    def _make(self, spec: DockSpec) -> QDockWidget:
        dock = QDockWidget(spec.title, self._window)
        dock.setObjectName(f"{spec.name}Dock")
        dock.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetMovable
            | QDockWidget.DockWidgetFeature.DockWidgetClosable
        )
        dock.setMinimumSize(_smallest(spec))
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

    def _share_out(self) -> None:
        docks, resize = self._docks, self._window.resizeDocks
        lying, standing = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        # Heights first: sharing them out moves the widths of the columns around them.
        resize([docks["memories"], docks["sources"]], [560, 200], standing)
        resize([docks["editor"], docks["graph"]], [460, 300], standing)
        # 480: the list has room for title, type, source and both scores.
        resize([docks["memories"], docks["editor"], docks["explain"]], [480, 498, 460], lying)

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

"""The window's docks: which are shown in which workspace, and how they come back."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow, QTabWidget, QToolBar, QWidget

from mvdesk.ui.dock_holder import fill_dock, make_dock, panel_of
from mvdesk.ui.dock_sizes import DockSizes
from mvdesk.ui.dock_tabs import DockTabs
from mvdesk.ui.settings import LAYOUT_VERSION, DockLayout, WindowLayout
from mvdesk.ui.theme import applied
from mvdesk.ui.workspaces import DOCKS, WORKSPACES, WorkspaceSpec, find_workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QDockWidget

USUAL_SIZE: Final = QSize(1440, 900)
SMALLEST_SIZE: Final = QSize(1024, 680)
STARTS_HERE: Final = "startsHere"
"""Property of the widget in a panel that F6 goes to, whatever stands above it."""
_GUESSED_FRAME: Final = QSize(8, 40)
"""What a window manager puts around a window, until it is known."""


class Workspace(QObject):
    """Makes the docks of a window and arranges them; knows nothing of what is in them.

    One workspace is shown at a time. The others are kept as what Qt wrote of them; the docks
    that are not in the shown one are in no place.
    """

    changed = Signal(str)  # the name of the workspace that is shown from now on
    focus_mode_changed = Signal(bool)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._spec: WorkspaceSpec = WORKSPACES[0]
        self._kept: dict[str, DockLayout] = {}  # of the workspaces that aren't shown now
        self._wide_state = b""  # without the tabs of a small window
        self._given_size = QSize()  # by us, not by the person
        self._tabs: tuple[tuple[str, str], ...] = ()
        self._is_open = False
        self._before_focus: bytes | None = None  # the arrangement, in focus mode
        self._focused: dict[str, str] = {}  # by workspace, the panel that had the keyboard last
        self._awaited = ""  # the dock that gets the keyboard once its panel is made
        self._focus_meanwhile: QWidget | None = None  # unless it moved from here to another panel
        window.setDockNestingEnabled(True)
        window.setAnimated(False)  # sizes are those that were set, at once
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._docks = {spec.name: make_dock(spec, window) for spec in DOCKS}
        self._sizes = DockSizes(window, self._docks)
        DockTabs(window)
        self._show_switches()

    def __getitem__(self, name: str) -> QDockWidget:
        return self._docks[name]

    def __iter__(self) -> Iterator[QDockWidget]:
        return iter(self._docks.values())

    @property
    def spec(self) -> WorkspaceSpec:
        """The workspace that is shown, or will be once a vault is open."""
        return self._spec

    @property
    def is_focus_mode(self) -> bool:
        """Whether one panel has the window to itself."""
        return self._before_focus is not None

    def set_panel(self, name: str, panel: QWidget, header: QWidget) -> None:
        """Put a panel into its dock, its header where the dock is held to move it."""
        fill_dock(self._docks[name], panel, header)
        self._sizes.bring_back_soon()
        if name == self._awaited:
            self._awaited = ""
            focus = QApplication.focusWidget()
            if focus is self._focus_meanwhile or not any(map(_has_focus, self.panels())):
                self._focus_panel(panel)

    # Which workspace.

    def show(self, name: str) -> None:
        """Show another workspace as it was left. Raises ValueError for an unknown name."""
        spec = find_workspace(name)
        if spec is None:
            raise ValueError(f"no workspace is called {name!r}")
        if spec is self._spec:
            return
        self.set_focus_mode(on=False)
        if self._is_open:
            self._kept[self._spec.name] = self._layout()
            self._focused[self._spec.name] = self._panel_in_focus()
        self._spec, self._awaited = spec, ""
        if self._is_open:
            self._place()
        self._show_switches()
        self.changed.emit(name)

    def set_open(self, is_open: bool) -> None:
        """Show the docks, or hide them all while no vault is open."""
        if is_open == self._is_open:
            return
        if not is_open:
            self.set_focus_mode(on=False)
            self._kept[self._spec.name] = self._layout()
            self._take_all_out()
        self._is_open = is_open
        if is_open:
            self._place()

    def bring_up(self, name: str) -> None:
        """Make sure that a panel can be seen, in another workspace if this one lacks it."""
        self.set_focus_mode(on=False)
        if name not in self._spec.docks:
            self.show(next(spec.name for spec in WORKSPACES if name in spec.docks))
        self._docks[name].show()
        self._docks[name].raise_()

    def set_focus_mode(self, *, on: bool) -> None:
        """Give the window to the panel that has the keyboard, or back to all of them."""
        if on == self.is_focus_mode or (on and not self._is_open):
            return
        focus = QApplication.focusWidget()
        if on:
            self._before_focus = self._state()
            chosen = self._panel_in_focus()
            for name in self._spec.docks:
                self._docks[name].setVisible(name == chosen)
        else:
            state, self._before_focus = self._before_focus, None
            self._restore_docks(state or b"")
            self._sizes.bring_back_soon()
            self.follow_size()
        if focus is not None and focus.isVisible():
            focus.setFocus()  # docks that come and go take the keyboard along
        self.focus_mode_changed.emit(on)

    def _panel_in_focus(self) -> str:
        """The panel with the keyboard, else the first of the middle column."""
        for name in self._spec.docks:
            if self._docks[name].isVisible() and _has_focus(self._docks[name]):
                return name
        middle = next(c for c in self._spec.columns if c.width is None)
        return middle.docks[0]

    # Placing.

    def reset(self) -> None:
        """The default size of the window and arrangement of this workspace, within the screen."""
        self.set_focus_mode(on=False)
        if self._window.isVisible():
            self._window.showNormal()
        self._fit_screen()
        self._kept.pop(self._spec.name, None)
        if self._is_open:
            self._place()

    def _place(self) -> None:
        """The docks of this workspace as they were kept, or as by default."""
        kept = self._kept.get(self._spec.name)
        self._tabs = ()
        self._take_all_out()
        fits = kept is not None and self._fits(kept)
        if kept is not None and fits:
            self._sizes.set_sizes(self._spec, kept.sizes)
        else:
            self._take_all_out()
            self._place_by_default()
            self._sizes.set_sizes(self._spec, {})
        self.follow_size()
        self._sizes.bring_back_soon()

    def _fits(self, kept: DockLayout) -> bool:
        """Bring back an arrangement. False when it is none of this workspace, or unusable."""
        if kept.signature != self._spec.signature or not kept.state:
            return False
        restored = self._restore_docks(kept.state)
        shown = [self._docks[name] for name in self._spec.docks]
        return (
            restored
            and not any(dock.isFloating() for dock in shown)
            and any(not dock.isHidden() for dock in shown)
        )

    def _take_all_out(self) -> None:
        for dock in self:
            self._take_out(dock)
        self._activate_layout()

    def _take_out(self, dock: QDockWidget) -> None:
        dock.setFloating(False)
        dock.hide()  # Qt keeps its place, and would write it down as one that is shown
        self._window.removeDockWidget(dock)

    def _restore_docks(self, state: bytes) -> bool:
        """Bring back what `_state` gave. False, with who knows which docks shown, otherwise."""
        # Qt restores the bars as well; which of them show is not for a layout of docks to say.
        bars = self._window.findChildren(
            QToolBar, options=Qt.FindChildOption.FindDirectChildrenOnly
        )
        shown = [bar.isVisibleTo(self._window) for bar in bars]
        restored = self._window.restoreState(state, LAYOUT_VERSION)
        for bar, is_shown in zip(bars, shown, strict=True):
            bar.setVisible(is_shown)
        for name, dock in self._docks.items():
            if name not in self._spec.docks:
                self._take_out(dock)
        return restored

    def _activate_layout(self) -> None:
        # Takes tab bars away now: made anew before that, the old ones would stay.
        if layout := self._window.layout():
            layout.activate()

    def _place_by_default(self) -> None:
        window, docks = self._window, self._docks
        heads = [column.docks[0] for column in self._spec.columns]
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks[heads[0]])
        for left, right in pairwise(heads):
            window.splitDockWidget(docks[left], docks[right], Qt.Orientation.Horizontal)
        for column in self._spec.columns:
            for above, below in pairwise(column.docks):
                window.splitDockWidget(docks[above], docks[below], Qt.Orientation.Vertical)
        for front, *behind in self._spec.stacks:
            for name in behind:
                window.tabifyDockWidget(docks[front], docks[name])
        for name in self._spec.docks:
            docks[name].show()
        for front, *_ in self._spec.stacks:
            docks[front].raise_()

    def _show_switches(self) -> None:
        """Only the panels of this workspace have a key and a place in the menu."""
        for name, dock in self._docks.items():
            is_here = name in self._spec.docks
            dock.toggleViewAction().setVisible(is_here)
            dock.toggleViewAction().setEnabled(is_here)

    # The size of the window.

    def follow_size(self) -> None:
        """Put panels behind others as tabs where the window has no room, and back again."""
        wanted = self._wanted_tabs()
        if wanted == self._tabs or not self._is_open or self.is_focus_mode:
            return
        hidden = {name for name in self._spec.docks if self._docks[name].isHidden()}
        focus = QApplication.focusWidget()
        before, self._tabs = self._tabs, wanted
        if not before:
            self._wide_state = self._state()
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
        if focus is not None and focus.isVisible():
            focus.setFocus()  # docks that come and go take the keyboard along

    def _untab(self) -> None:
        if not self._restore_docks(self._wide_state):
            self._take_all_out()
            self._place_by_default()
        self._activate_layout()

    def _wanted_tabs(self) -> tuple[tuple[str, str], ...]:
        """Which panel goes in front of which at the size of the window."""
        look, size = applied(), self._window.size()
        return tuple(
            (tab.front, tab.behind)
            for tab in self._spec.tabs
            if (tab.width and size.width() < look.px(tab.width))
            or (tab.height and size.height() < look.px(tab.height))
        )

    def follow_scale(self) -> None:
        """What has room at the text scale in use."""
        # Once the new sizes are in place: docks moved before that leave old tab bars behind.
        QTimer.singleShot(0, self, self.follow_size)
        self._sizes.bring_back_soon()

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

    # The keyboard.

    def panels(self) -> list[QWidget]:
        """The panels that are shown, also in tabs behind others, in reading order."""
        shown = [self._docks[name] for name in self._spec.docks]
        widgets = [dock.widget() for dock in shown if dock.isVisible()]
        return [widget for widget in widgets if widget is not None]

    def focus_last(self) -> None:
        """Go to the panel that had the keyboard when this workspace was left, or the usual one."""
        usual = self._spec.start or self._spec.docks[0]
        name = self._focused.get(self._spec.name, usual)
        if not self._docks[name].isVisible():
            name = self._spec.docks[0]
        name = self._in_front(name)
        panel = panel_of(self._docks[name])
        self._awaited = ""
        if panel is None:
            self._awaited = name
            self._focus_meanwhile = QApplication.focusWidget()
        else:
            self._focus_panel(panel)

    def _in_front(self, name: str) -> str:
        """A panel, or the one that is in a tab before it."""
        dock = self._docks[name]
        if not dock.visibleRegion().isEmpty():
            return name
        tabs = self._window.tabifiedDockWidgets(dock)
        for other in self._spec.docks:
            if self._docks[other] in tabs and not self._docks[other].visibleRegion().isEmpty():
                return other
        return name

    @staticmethod
    def _focus_panel(panel: QWidget) -> None:
        if not _has_focus(panel):
            stop = panel if panel.focusProxy() else _first_stop(panel)
            stop.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_next(self, step: int) -> None:
        """Go to the next (1) or previous (-1) panel that is shown, and bring it to the front."""
        panels = self.panels()
        if not panels:
            return
        here = [number for number, panel in enumerate(panels) if _has_focus(panel)]
        start = here[0] + step if here else (0 if step > 0 else -1)
        panel = panels[start % len(panels)]
        for dock in self._docks.values():
            if dock.widget() is panel:
                dock.raise_()  # it may be in a tab behind another one
        _first_stop(panel).setFocus(Qt.FocusReason.TabFocusReason)

    # From one start to the next.

    def saved(self) -> WindowLayout:
        """All arrangements, to be restored at the next start."""
        docks = dict(self._kept)
        if self._is_open:
            docks[self._spec.name] = self._layout()
        geometry = bytes(self._window.saveGeometry().data())
        return WindowLayout(geometry=geometry, workspace=self._spec.name, docks=docks)

    def restore(self, layout: WindowLayout) -> None:
        """Bring back what was saved; what doesn't fit the screen or the docks is the default."""
        fits = layout.is_usable and self._window.restoreGeometry(layout.geometry)
        if not (fits and self._is_on_screen()):
            self._fit_screen()
        if layout.is_usable:
            self._kept = dict(layout.docks)
            self._spec = find_workspace(layout.workspace) or self._spec
            self._show_switches()
            self.changed.emit(self._spec.name)
        if self._is_open:
            self._place()

    def _layout(self) -> DockLayout:
        # A small window's tabs are made anew from the wide arrangement.
        state = self._wide_state if self._tabs else self._before_focus or self._state()
        return DockLayout(self._spec.signature, state, self._sizes.sizes)

    def _state(self) -> bytes:
        return bytes(self._window.saveState(LAYOUT_VERSION).data())

    def _is_on_screen(self) -> bool:
        """Whether the window can be seen and used where it is now."""
        frame = self._window.frameGeometry()
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        seen = max((room.intersected(frame).width() for room in screens), default=0)
        tall = max((room.intersected(frame).height() for room in screens), default=0)
        return seen >= SMALLEST_SIZE.width() // 2 and tall >= SMALLEST_SIZE.height() // 2


def _has_focus(panel: QWidget) -> bool:
    focus = QApplication.focusWidget()
    return focus is not None and (focus is panel or panel.isAncestorOf(focus))


def _first_stop(panel: QWidget) -> QWidget:
    """Where the keyboard goes in a panel: its first widget that takes it, else itself.

    One with the property STARTS_HERE comes before all others.
    """
    for named in panel.findChildren(QWidget):
        if named.property(STARTS_HERE) and named.isVisible() and named.isEnabled():
            return named
    widget = panel.nextInFocusChain()
    while widget is not None and widget is not panel:
        takes_keys = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if panel.isAncestorOf(widget) and takes_keys and widget.isEnabled() and widget.isVisible():
            return widget
        widget = widget.nextInFocusChain()
    return panel

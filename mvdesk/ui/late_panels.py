"""The panels that are made after the first list is on the screen, or when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController
    from mvdesk.ui.workspace import Workspace

UNPAINTED_AFTER_MS: Final = 400
"""When nothing paints a list, the panels come this much later all the same."""


class Panel(Protocol):
    """What a dock holds, a QWidget; `header` goes where the dock is held to move it."""

    @property
    def header(self) -> QWidget: ...


def _make_explain(session: VaultSession, theme: ThemeController) -> Panel:
    # Late, for start-up time: pyqtgraph takes 0.4 s to import.
    from mvdesk.ui.panels.explain import ExplainPanel

    return ExplainPanel(session, theme)


def _make_graph(session: VaultSession, theme: ThemeController) -> Panel:
    # Late, for start-up time: it imports pyqtgraph.
    from mvdesk.ui.panels.graph import GraphPanel

    return GraphPanel(session, theme)


def _make_distribution(session: VaultSession, theme: ThemeController) -> Panel:
    # Late, for start-up time: it imports pyqtgraph.
    from mvdesk.ui.panels.distribution import DistributionPanel

    return DistributionPanel(session, theme)


def _make_movers(session: VaultSession, theme: ThemeController) -> Panel:
    # Late, for start-up time: it imports pyqtgraph.
    from mvdesk.ui.panels.movers import MoversPanel

    return MoversPanel(session, theme)


def _make_try_out(session: VaultSession, theme: ThemeController) -> Panel:
    # Late, for start-up time: nobody tries anything before the list is there.
    from mvdesk.ui.panels.try_out import TryOutPanel

    return TryOutPanel(session, theme)


def _make_conflicts(session: VaultSession, theme: ThemeController) -> Panel:
    # Late, for start-up time: nobody decides anything before the list is there.
    from mvdesk.ui.panels.conflicts import ConflictsPanel

    return ConflictsPanel(session, theme)


def _make_upkeep(session: VaultSession, theme: ThemeController) -> Panel:
    # Late, for start-up time: it imports pyqtgraph.
    from mvdesk.ui.panels.upkeep import UpkeepPanel

    return UpkeepPanel(session, theme)


def _make_review(session: VaultSession, theme: ThemeController) -> Panel:
    # Late, for start-up time, as the conflicts.
    from mvdesk.ui.panels.review import ReviewPanel

    return ReviewPanel(session, theme)


MAKERS: Final[Mapping[str, Callable[[VaultSession, ThemeController], Panel]]] = {
    "explain": _make_explain,
    "graph": _make_graph,
    "distribution": _make_distribution,
    "movers": _make_movers,
    "tryOut": _make_try_out,
    "conflicts": _make_conflicts,
    "upkeep": _make_upkeep,
    "review": _make_review,
}
"""By the name of the dock."""


class LatePanels(QObject):
    """Makes the panels of the workspace that is shown, one a turn of the event loop."""

    made = Signal(str, object)  # dock, panel
    ready = Signal()  # every panel of the workspace exists

    def __init__(self, workspace: Workspace, session: VaultSession, theme: ThemeController) -> None:
        super().__init__(workspace)
        self._workspace, self._session, self._theme = workspace, session, theme
        self._waiting = dict(MAKERS)
        self._awaited: list[QWidget] = []  # the first of these to be painted starts it
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._on_time)
        session.vault_opened.connect(self._on_vault_opened)
        workspace.changed.connect(self._on_workspace_changed)

    @property
    def is_complete(self) -> bool:
        """Whether every panel of the workspace that is shown exists."""
        return self._next() is None

    def start_after(self, *panels: QWidget) -> None:
        """Start once one of these shows a vault for the first time."""
        self._awaited = list(panels)
        for panel in panels:
            panel.installEventFilter(self)

    def stop(self) -> None:
        self._soon.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._awaited and event.type() == QEvent.Type.Paint and self._session.is_open:
            self._end_wait()
            self._soon.start(0)
        return super().eventFilter(watched, event)

    def _end_wait(self) -> None:
        for panel in self._awaited:
            panel.removeEventFilter(self)
        self._awaited = []

    @Slot()
    def _on_vault_opened(self) -> None:
        if not self._soon.isActive():
            self._soon.start(UNPAINTED_AFTER_MS if self._awaited else 0)

    @Slot(str)
    def _on_workspace_changed(self, _name: str) -> None:
        if self._session.is_open and not self._awaited:
            self._soon.start(0)

    def _next(self) -> str | None:
        return next((name for name in self._workspace.spec.docks if name in self._waiting), None)

    @Slot()
    def _on_time(self) -> None:
        self._end_wait()  # a workspace without a list never paints one
        name = self._next()
        if name is None:
            return
        panel = self._waiting.pop(name)(self._session, self._theme)
        assert isinstance(panel, QWidget)
        self._workspace.set_panel(name, panel, panel.header)
        self.made.emit(name, panel)
        if self.is_complete:
            self.ready.emit()
        else:
            self._soon.start(0)

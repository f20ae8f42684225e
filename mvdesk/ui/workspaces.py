"""The workspaces and the docks they are made of, as data.

A dock more is a line in `DOCKS`, a place in a workspace's columns, and a maker in
`late_panels.py`. A workspace more is an entry in `WORKSPACES`: rail, key, menu and what is
remembered of it follow. Its saved arrangement counts as long as its columns stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class DockSpec:
    """One dock: `width` and `height` are the smallest, in px at scale 1."""

    name: str
    title: str
    key: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Column:
    """Docks above one another and their usual sizes in px.

    The one column without a `width` takes what the others leave, and so does the dock of a
    column that has no height. Heights grow with the text, widths don't.
    """

    docks: tuple[str, ...]
    width: int | None = None
    heights: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tab:
    """In a window smaller than that (px at scale 1) `behind` is a tab behind `front`."""

    front: str
    behind: str
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class WorkspaceSpec:
    """One arrangement of docks. `find` is the dock whose search box Ctrl+F goes to.

    `start` is the one that has the keyboard at first, "" for the first in reading order.
    `stacks` are docks in one place at any size: the first stands in a column, the others are
    tabs behind it.
    """

    name: str
    title: str
    key: str
    icon: str
    help: str
    columns: tuple[Column, ...]
    tabs: tuple[Tab, ...] = ()
    find: str = "memories"
    start: str = ""
    stacks: tuple[tuple[str, ...], ...] = ()

    @property
    def docks(self) -> tuple[str, ...]:
        """Its docks in reading order."""
        behind = {stack[0]: stack[1:] for stack in self.stacks}
        standing = (name for column in self.columns for name in column.docks)
        return tuple(one for name in standing for one in (name, *behind.get(name, ())))

    @property
    def signature(self) -> str:
        """Says which docks stand where: what was saved under another one doesn't fit."""
        columns = "|".join(",".join(column.docks) for column in self.columns)
        return "/".join((columns, *("+".join(stack) for stack in self.stacks)))


DOCKS: Final = (
    DockSpec("memories", tr("Memories"), "Alt+1", 280, 160),
    DockSpec("sources", tr("Sources"), "Alt+2", 280, 96),
    DockSpec("editor", tr("Editor"), "Alt+3", 312, 160),
    DockSpec("graph", tr("Graph"), "Alt+4", 288, 120),
    DockSpec("explain", tr("Explain"), "Alt+5", 376, 200),
    DockSpec("distribution", tr("Distribution"), "Alt+6", 288, 150),
    DockSpec("movers", tr("What moves"), "Alt+7", 288, 160),
    DockSpec("tryOut", tr("Try out"), "Alt+8", 288, 160),
    DockSpec("conflicts", tr("Conflicts"), "Alt+9", 480, 240),
    DockSpec("upkeep", tr("Upkeep"), "Alt+0", 420, 240),
    DockSpec("review", tr("Review queue"), "Alt+Q", 480, 240),
)

WORKSPACES: Final = (
    WorkspaceSpec(
        name="memories",
        title=tr("Memories"),
        key="Ctrl+1",
        icon="memories",
        help=tr("The list, the editor over the graph, and why a memory scores as it does."),
        columns=(
            # The list has room for title, type, source and both scores.
            Column(("memories", "sources"), width=480, heights={"sources": 232}),
            Column(("editor", "graph"), heights={"graph": 300}),
            Column(("explain",), width=460),
        ),
        tabs=(
            Tab("editor", "graph", width=1180),
            Tab("editor", "explain", width=960),
            Tab("memories", "sources", height=540),
        ),
    ),
    WorkspaceSpec(
        name="sources",
        title=tr("Sources"),
        key="Ctrl+2",
        icon="sources",
        help=tr("All sources: how far each is trusted, and what another trust would do."),
        columns=(
            # The table has room for what it is sorted by beside the range of scores.
            Column(("sources",), width=508),
            Column(("distribution", "movers"), heights={"distribution": 236}),
            Column(("explain",), width=400),
        ),
        tabs=(
            Tab("movers", "explain", width=1000),
            Tab("movers", "distribution", height=540),
        ),
        find="sources",
        stacks=(("movers", "tryOut", "memories"),),
    ),
    WorkspaceSpec(
        name="graph",
        title=tr("Graph"),
        key="Ctrl+3",
        icon="graph",
        help=tr(
            "The links between memories, with the list beside them and what the chosen one says."
        ),
        columns=(
            Column(("memories",), width=320),
            Column(("graph",)),
            Column(("editor",), width=380),
        ),
        tabs=(
            Tab("editor", "memories", width=1180),
            # Large text in a small window: one thing at a time.
            Tab("graph", "editor", width=740),
            Tab("graph", "explain", width=740),
            Tab("graph", "memories", width=740),
        ),
        start="graph",
        stacks=(("editor", "explain"),),
    ),
    WorkspaceSpec(
        name="conflicts",
        title=tr("Conflicts"),
        key="Ctrl+4",
        icon="conflicts",
        help=tr("Facts that contradict each other, side by side, and what each decision would do."),
        columns=(
            Column(("conflicts",)),
            Column(("explain",), width=430),
        ),
        tabs=(
            Tab("conflicts", "explain", width=1300),
            Tab("conflicts", "editor", width=1300),
        ),
        stacks=(("conflicts", "review", "memories"), ("explain", "editor")),
    ),
    WorkspaceSpec(
        name="upkeep",
        title=tr("Upkeep"),
        key="Ctrl+5",
        icon="upkeep",
        help=tr("What fades, what is worth more, the rules, the archive and what was done."),
        columns=(
            Column(("upkeep",)),
            Column(("explain",), width=420),
        ),
        tabs=(Tab("upkeep", "explain", width=1300),),
        stacks=(("upkeep", "memories"),),
    ),
)


def find_workspace(name: str) -> WorkspaceSpec | None:
    """The workspace of that name, None when there is none."""
    return next((spec for spec in WORKSPACES if spec.name == name), None)

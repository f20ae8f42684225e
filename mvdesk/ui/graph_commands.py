"""The graph as a GraphML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSaveFile, Slot

from mvdesk.errors import VaultError
from mvdesk.exchange.graphml import GraphEdge, GraphNode, format_graphml
from mvdesk.wording import tr

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.panels.graph import GraphPanel
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.session import VaultSession


class GraphCommands(QObject):
    """Asks for a file and writes what the graph shows into it."""

    def __init__(self, session: VaultSession, window: QWidget, files: FileDialogs) -> None:
        super().__init__(window)
        self._session, self._window, self._files = session, window, files

    def attach(self, panel: GraphPanel) -> None:
        """Join the panel, which is made after the first list."""
        panel.graphml_requested.connect(self.export)

    @Slot(object)
    def export(self, picture: GraphPicture) -> None:
        """Write a picture's memories and links as GraphML."""
        path = self._files.ask_graph(self._window, f"{self._session.vault.name} graph.graphml")
        if path is None:
            return
        self._say(path, write_graphml(picture, path))

    def _say(self, path: Path, problem: str) -> None:
        if not problem:
            self._session.messages.notice(tr("The graph is in {name}.", name=path.name))
            return
        self._session.messages.error(
            VaultError(
                what=tr("The graph {name} could not be written.", name=path.name),
                safe=tr("The vault is not touched by exports."),
                remedy=tr("Choose a folder that you may write to."),
                details=f"{path}\n{problem}",
            )
        )


def write_graphml(picture: GraphPicture, path: Path) -> str:
    """Write what a picture shows; "" or why that failed, with an older file left as it was."""
    nodes = [
        GraphNode(
            picture.ids[node],
            picture.labels[node],
            picture.types[node],
            float(picture.confidence[node]),
            float(picture.importance[node]),
            bool(picture.archived[node]),
            *picture.positions[node].tolist(),
        )
        for node in range(len(picture))
    ]
    ends = picture.edges.tolist()
    edges = [
        GraphEdge(picture.ids[start], picture.ids[end], relation)
        for (start, end), relation in zip(ends, picture.relations, strict=True)
    ]
    file = QSaveFile(str(path))
    if not file.open(QSaveFile.OpenModeFlag.WriteOnly):
        return file.errorString()
    file.write(format_graphml(nodes, edges).encode())
    return "" if file.commit() else file.errorString()

"""Explanations and graphs to draw, and a window to draw them in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PySide6.QtWidgets import QScrollArea

from mvdesk.graphs.layout import compute_layout
from mvdesk.records import RELATIONS
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.door import read_case
from mvdesk.scoring.explain import explain
from mvdesk.ui.plots.graph_scene import GraphPicture, GraphView
from mvdesk.ui.plots.waterfall import Waterfall

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.scoring.explain import Explanation

DAY = 86_400


@pytest.fixture
def explained(now: int) -> Callable[..., Explanation]:
    """A low fact from Slack, contradicted twice; `trust`, links and fields can differ."""

    def build(
        trust: float | None = 0.2, links: dict[str, int] | None = None, **fields: Any
    ) -> Explanation:
        memory = {
            "type": "fact",
            "title": "Deploy window",
            "content": "Verified and confirmed by ops. Maybe the plan changes.",
            "source": "slack",
            "confidence": 0.7,
            "importance": 0.5,
            "created_at": now - 300 * DAY,
            "updated_at": now - 212 * DAY,
            **fields,
        }
        stats = {"link_count": 3, "supports_count": 1, "contradicts_count": 2, **(links or {})}
        case = {"memory": memory, "link_stats": stats, "now": now, "source_trust": trust}
        return explain(read_case(case), SERVER_V2)

    return build


@pytest.fixture
def panel(qtbot: QtBot) -> QScrollArea:
    """A scroll area as wide as the explain panel's narrowest."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.resize(376, 400)
    qtbot.addWidget(area)
    return area


@pytest.fixture
def waterfall(panel: QScrollArea, qtbot: QtBot) -> Waterfall:
    """A waterfall in the panel."""
    made = Waterfall()
    panel.setWidget(made)
    with qtbot.waitExposed(panel):
        panel.show()
    return made


@pytest.fixture
def drawn_graph() -> Callable[..., GraphPicture]:
    """A picture of `nodes` memories; without `edges` all are linked with the first."""

    def build(
        nodes: int, edges: list[tuple[int, int]] | None = None, **changes: Any
    ) -> GraphPicture:
        pairs = [(0, node) for node in range(1, nodes)] if edges is None else edges
        links = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        shares = np.linspace(0.0, 1.0, nodes) if nodes > 1 else np.array([0.5])
        fields: dict[str, Any] = {
            "ids": tuple(f"m{node}" for node in range(nodes)),
            "labels": tuple(f"Memory number {node}" for node in range(nodes)),
            "types": tuple(("note", "fact", "journal")[node % 3] for node in range(nodes)),
            "confidence": shares,
            "importance": shares[::-1].copy(),
            "archived": np.arange(nodes) == 1,
            "positions": compute_layout(nodes, links, seed=7, centre=0 if nodes else None),
            "edges": links,
            "relations": tuple(RELATIONS[row % 6] for row in range(len(links))),
            "centre": 0 if nodes else None,
            **changes,
        }
        return GraphPicture(**fields)

    return build


@pytest.fixture
def graph(qtbot: QtBot) -> GraphView:
    """A graph view in a window of its own."""
    made = GraphView()
    made.resize(700, 420)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made

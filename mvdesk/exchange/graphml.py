"""A link graph as GraphML, with what a graph program needs to show it as it was."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_KEYS: Final = (
    ("node", "label", "string"),
    ("node", "type", "string"),
    ("node", "confidence", "double"),
    ("node", "importance", "double"),
    ("node", "archived", "boolean"),
    ("node", "x", "double"),
    ("node", "y", "double"),
    ("edge", "relation", "string"),
)
# What XML 1.0 can't hold in any way, halves of character pairs among it.
_UNSPEAKABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A memory: scores in [0, 1], its place in px, y downwards."""

    id: str
    label: str
    type: str
    confidence: float
    importance: float
    archived: bool
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A link from one node's id to another's."""

    source: str
    target: str
    relation: str


def format_graphml(nodes: Iterable[GraphNode], edges: Iterable[GraphEdge]) -> str:
    """The document. Scores have three decimals; characters that XML can't hold become “�”."""
    return "".join(_lines(nodes, edges))


def _lines(nodes: Iterable[GraphNode], edges: Iterable[GraphEdge]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for part, name, kind in _KEYS:
        yield f'  <key id="{name}" for="{part}" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '  <graph edgedefault="directed">\n'
    for node in nodes:
        yield f"    <node id={_quoted(node.id)}>"
        yield _data("label", node.label) + _data("type", node.type)
        yield _data("confidence", f"{node.confidence:.3f}")
        yield _data("importance", f"{node.importance:.3f}")
        yield _data("archived", "true" if node.archived else "false")
        yield _data("x", f"{node.x:.2f}") + _data("y", f"{node.y:.2f}") + "</node>\n"
    for edge in edges:
        yield f"    <edge source={_quoted(edge.source)} target={_quoted(edge.target)}>"
        yield _data("relation", edge.relation) + "</edge>\n"
    yield "  </graph>\n</graphml>\n"


def _data(key: str, text: str) -> str:
    return f'<data key="{key}">{escape(_UNSPEAKABLE.sub("�", text))}</data>'


def _quoted(text: str) -> str:
    return quoteattr(_UNSPEAKABLE.sub("�", text))

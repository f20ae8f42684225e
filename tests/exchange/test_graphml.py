"""GraphML that other programs can read, whatever the memories say."""

from __future__ import annotations

from xml.etree import ElementTree

from mvdesk.exchange.graphml import GraphEdge, GraphNode, format_graphml

NS = "{http://graphml.graphdrawing.org/xmlns}"


def _read(nodes: list[GraphNode], edges: list[GraphEdge]) -> ElementTree.Element:
    return ElementTree.fromstring(format_graphml(nodes, edges))


def _data(element: ElementTree.Element) -> dict[str | None, str | None]:
    return {data.get("key"): data.text for data in element.iter(f"{NS}data")}


def test_nodes_carry_scores_and_positions_and_edges_their_relation() -> None:
    node = GraphNode("a", "Loam", "fact", 0.12345, 1.0, True, 1.5, -20.0)
    other = GraphNode("b", "Clay", "note", 0.5, 0.5, False, 0.0, 0.0)
    root = _read([node, other], [GraphEdge("b", "a", "supports")])
    first, second = root.iter(f"{NS}node")
    assert _data(first) == {
        "label": "Loam",
        "type": "fact",
        "confidence": "0.123",
        "importance": "1.000",
        "archived": "true",
        "x": "1.50",
        "y": "-20.00",
    }
    assert _data(second)["archived"] == "false"
    (edge,) = root.iter(f"{NS}edge")
    assert (edge.get("source"), edge.get("target")) == ("b", "a")
    assert _data(edge) == {"relation": "supports"}
    declared = {key.get("id") for key in root.iter(f"{NS}key")}
    assert declared == {*_data(first), "relation"}


def test_hostile_text_stays_text() -> None:
    title = "<b>&\"'\x00 \ud800 🌱 שלום"
    root = _read([GraphNode('i"<', title, "note", 0, 0, False, 0, 0)], [])
    (node,) = root.iter(f"{NS}node")
    assert node.get("id") == 'i"<'
    assert _data(node)["label"] == "<b>&\"'� � 🌱 שלום"


def test_nothing_is_a_graph_too() -> None:
    assert list(_read([], []).iter(f"{NS}node")) == []

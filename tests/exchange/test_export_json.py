"""MemoryVault's export document."""

from __future__ import annotations

import json

from mvdesk.exchange.export_json import format_export


def test_the_document_has_the_servers_shape() -> None:
    text = format_export({"memories": [{"id": "m", "content": "x"}]}, None, exported_at=5)
    data = json.loads(text)
    assert list(data) == ["schema", "exported_at", "data", "stats"]
    assert list(data["data"]) == [
        "memories",
        "memory_links",
        "memory_changelog",
        "brain_source_trust",
        "brain_policy",
        "memory_conflict_resolutions",
        "memory_entity_aliases",
        "memory_watches",
    ]
    assert data["data"]["memories"] == [{"id": "m", "content": "x"}]
    assert data["stats"]["memories"] == 1
    assert "brain_policy" not in data["stats"]


def test_what_json_cannot_hold_becomes_what_it_can() -> None:
    row = {"id": b"\xffm", "content": "half \ud800", "confidence": float("inf"), "secret": "x"}
    text = format_export({"memories": [row]}, {"decay_days": 5}, exported_at=5)
    text.encode()
    (memory,) = json.loads(text)["data"]["memories"]
    assert memory == {"id": "\ufffdm", "content": "half \ud800", "confidence": None}

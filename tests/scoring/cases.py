"""Recorded and made-up cases that the scoring tests share."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from mvdesk.scoring.case import Case, LinkStats

DATA = Path(__file__).parents[1] / "data"
DAY = 86_400
NOW = 1_800_000_000


@cache
def read_vectors(version: int) -> list[dict[str, Any]]:
    """The recorded cases of server model v1 or v2."""
    text = (DATA / f"scoring_v{version}_vectors.json").read_text(encoding="utf-8")
    return list(json.loads(text))


def read_helper_calls(name: str) -> list[dict[str, Any]]:
    """The recorded calls of one helper of the server."""
    calls = json.loads((DATA / "helpers_vectors.json").read_text(encoding="utf-8"))
    return [call for call in calls if call["fn"] == name]


_words = st.sampled_from(
    [
        "verified",
        "VIDEO",
        "unsure",
        "plan",
        "İd",
        "I",
        "think",
        "goal.",
        "not\ud83d",
        "didn't",
        "🚀",
        "\u2028",
        "\ufeff",
        "e\u0301",
    ]
)
_texts = st.none() | st.lists(_words | st.text(max_size=5), max_size=12).map(" ".join)
_sources = st.none() | st.sampled_from(["", " ", "api", "blog idea", "Rumor", "slack \ud83d"])
_bases = st.floats(-0.5, 1.5)
_counts = st.integers(0, 40)
_times = st.none() | st.floats(NOW - 900 * DAY, NOW + 5 * DAY) | st.just(0.0)

link_stats = st.builds(
    LinkStats,
    link_count=_counts,
    supports_count=_counts,
    contradicts_count=_counts,
    supersedes_count=_counts,
    causes_count=_counts,
    example_of_count=_counts,
)
cases = st.builds(
    Case,
    now=st.just(NOW),
    type=st.none() | st.sampled_from(["note", "FACT", "Journal", "idea", ""]),
    title=_texts,
    key=_texts,
    content=_texts,
    tags=_texts,
    source=_sources,
    base_confidence=_bases,
    base_importance=_bases,
    created_at=_times,
    updated_at=_times,
    access_count=st.integers(-1, 50).map(float) | st.sampled_from([2.7, 5000.0, 1e9]),
    last_accessed_at=_times,
    links=link_stats,
    trust=st.none() | st.floats(-0.5, 1.5),
)

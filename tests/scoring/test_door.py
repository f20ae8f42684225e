from __future__ import annotations

import json
from typing import Any

import pytest

from mvdesk.scoring.case import LinkStats
from mvdesk.scoring.door import InputError, read_case
from tests.scoring.cases import NOW


def test_missing_fields_take_their_defaults() -> None:
    case = read_case({"memory": {}, "now": NOW})
    assert (case.base_confidence, case.base_importance, case.access_count) == (0.7, 0.5, 0.0)
    assert case.created_at is None
    assert case.updated_at is None
    assert case.last_accessed_at is None
    assert case.links == LinkStats()
    assert case.trust is None


def test_null_numbers_count_as_zero() -> None:
    names = ("confidence", "importance", "created_at", "updated_at", "access_count")
    case = read_case(
        {
            "memory": {**dict.fromkeys(names), "last_accessed_at": None, "type": None},
            "link_stats": {"link_count": None, "causes_count": 3.0},
            "source_trust": None,
            "now": NOW,
        }
    )
    assert (case.base_confidence, case.base_importance, case.created_at) == (0.0, 0.0, 0.0)
    assert (case.updated_at, case.access_count, case.last_accessed_at) == (0.0, 0.0, 0.0)
    assert case.links == LinkStats(causes_count=3)
    assert case.type is None


@pytest.mark.parametrize(("now", "seconds"), [(NOW, NOW), (NOW + 0.9, NOW), (-1.5, -2)])
def test_now_is_floored_to_whole_seconds(now: float, seconds: int) -> None:
    assert read_case({"memory": {}, "now": now}).now == seconds


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"memory": None}, "memory"),
        ({"memory": []}, "memory"),
        ({"memory": {"content": 5}}, "memory.content"),
        ({"memory": {"confidence": "0.7"}}, "memory.confidence"),
        ({"memory": {"confidence": float("nan")}}, "memory.confidence"),
        ({"memory": {"importance": 10**400}}, "memory.importance"),
        ({"memory": {"updated_at": True}}, "memory.updated_at"),
        ({"now": None}, "now"),
        ({"now": "2026-01-01"}, "now"),
        ({"now": 1e15}, "now"),
        ({"link_stats": 4}, "link_stats"),
        ({"link_stats": {"causes_count": True}}, "link_stats.causes_count"),
        ({"link_stats": {"causes_count": 2.5}}, "link_stats.causes_count"),
        ({"link_stats": {"causes_count": -1}}, "link_stats.causes_count"),
        ({"link_stats": {"link_count": 2**31}}, "link_stats.link_count"),
        ({"link_stats": {"link_count": "4"}}, "link_stats.link_count"),
        ({"source_trust": [0.5]}, "source_trust"),
        ({"source_trust": float("inf")}, "source_trust"),
    ],
)
def test_a_wrong_value_is_refused_by_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        read_case({"memory": {}, "now": NOW, **change})
    assert caught.value.field == field
    assert str(caught.value) == f"{field}: expected {caught.value.expected}"


@pytest.mark.parametrize("data", [None, [], "x", 5])
def test_a_case_is_an_object(data: object) -> None:
    with pytest.raises(InputError, match="case: expected an object"):
        read_case(data)


def test_non_finite_json_is_refused() -> None:
    with pytest.raises(InputError, match=r"memory\.confidence"):
        read_case(json.loads('{"memory": {"confidence": Infinity}, "now": 0}'))

"""The server's own numbers, recorded: exact under the server models."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mvdesk.scoring.builtin import SERVER_V1, SERVER_V2
from mvdesk.scoring.case import inputs_of
from mvdesk.scoring.door import InputError, read_case
from mvdesk.scoring.engine import evaluate, evaluate_components
from mvdesk.scoring.explain import explain
from mvdesk.scoring.rounding import round3_array
from tests.scoring.cases import DATA, read_vectors

if TYPE_CHECKING:
    from mvdesk.scoring.model import ScoreModel

MODELS = {1: SERVER_V1, 2: SERVER_V2}
EXACT_GROUPS = ("core", "text", "rounding")
NUMBERS = {"confidence", "importance", "created_at", "updated_at", "access_count"} | {
    "last_accessed_at"
}
TEXTS = {"type", "title", "key", "content", "tags", "source"}

exact = pytest.mark.parametrize(
    ("version", "group"), [(version, group) for version in MODELS for group in EXACT_GROUPS]
)


def cases_of(version: int, group: str) -> list[dict[str, Any]]:
    return [case for case in read_vectors(version) if case["group"] == group]


def expected_of(case: dict[str, Any], model: ScoreModel) -> dict[str, Any]:
    return {**case["expected"], "score_model": model.id}


@exact
def test_one_memory_explains_to_the_servers_json(version: int, group: str) -> None:
    model = MODELS[version]
    for case in cases_of(version, group):
        expected = expected_of(case, model)
        explained = explain(read_case(case), model).to_json()
        # As text, so that 0 and 0.0 count as different too.
        found = {name: explained[name] for name in expected}
        assert json.dumps(found) == json.dumps(expected), case["memory"].get("id")


@exact
def test_one_batch_has_the_servers_numbers(version: int, group: str) -> None:
    model = MODELS[version]
    recorded = [case["expected"] for case in cases_of(version, group)]
    cases = [read_case(case) for case in cases_of(version, group)]
    now = np.array([case.now for case in cases], dtype=np.float64)
    breakdown = evaluate_components(inputs_of(cases, model), model, now)
    for kind in ("confidence", "importance"):
        names = (f"base_{kind}", *getattr(breakdown, f"{kind}_names"))
        deltas = np.column_stack(
            [getattr(breakdown, f"base_{kind}"), getattr(breakdown, f"{kind}_deltas")]
        )
        listed = [
            [{"name": name, "delta": delta} for name, delta in zip(names, row, strict=True)]
            for row in round3_array(deltas).tolist()
        ]
        assert listed == [expected[f"{kind}_components"] for expected in recorded]
        raw = round3_array(getattr(breakdown.scores, f"raw_{kind}")).tolist()
        assert raw == [expected[f"raw_{kind}"] for expected in recorded]
        final = getattr(breakdown.scores, kind).tolist()
        assert final == [expected[f"dynamic_{kind}"] for expected in recorded]


@exact
def test_batch_and_single_memory_agree_to_the_last_bit(version: int, group: str) -> None:
    model = MODELS[version]
    cases = [read_case(case) for case in cases_of(version, group)]
    now = np.array([case.now for case in cases], dtype=np.float64)
    scores = evaluate(inputs_of(cases, model), model, now)
    single = [explain(case, model) for case in cases]
    assert scores.raw_confidence.tolist() == [one.confidence.raw for one in single]
    assert scores.raw_importance.tolist() == [one.importance.raw for one in single]
    assert scores.confidence.tolist() == [one.confidence.final for one in single]
    assert scores.importance.tolist() == [one.importance.final for one in single]


def wrong_fields(case: dict[str, Any]) -> set[str]:
    """The fields whose JSON type is not the one that belongs there."""
    memory, stats = case["memory"], case["link_stats"] or {}
    wrong = {f"memory.{name}" for name in NUMBERS & memory.keys() if not is_number(memory[name])}
    wrong |= {
        f"memory.{name}"
        for name in TEXTS & memory.keys()
        if not isinstance(memory[name], str | None)
    }
    wrong |= {
        f"link_stats.{name}"
        for name, value in stats.items()
        if not is_number(value) or (value is not None and value != int(value))
    }
    return wrong if is_number(case["source_trust"]) else wrong | {"source_trust"}


def is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


@pytest.mark.parametrize("version", MODELS)
def test_wrong_types_are_refused_by_field_and_right_ones_score_exactly(version: int) -> None:
    model = MODELS[version]
    refused = 0
    for case in cases_of(version, "coercion"):
        wrong = wrong_fields(case)
        if wrong:
            with pytest.raises(InputError) as caught:
                read_case(case)
            assert caught.value.field in wrong
            assert str(caught.value).startswith(f"{caught.value.field}: expected ")
            refused += 1
        else:
            expected = expected_of(case, model)
            explained = explain(read_case(case), model).to_json()
            assert {name: explained[name] for name in expected} == expected
    assert refused >= 100


def test_the_recorded_explanations_of_a_running_server_are_reproduced() -> None:
    answers = json.loads((DATA / "responses.json").read_text(encoding="utf-8"))
    seen = 0
    for answer in answers:
        body = answer["response_json"]
        if answer["tool"] != "memory_explain_score" or "explanation" not in body:
            continue
        memory, expected = body["memory"], body["explanation"]
        fields = {name: memory[name] for name in TEXTS | {"created_at", "updated_at"}}
        fields["confidence"] = memory["base_confidence"]
        fields["importance"] = memory["base_importance"]
        case = read_case(
            {
                "memory": fields,
                "link_stats": expected["link_stats"],
                "now": expected["evaluated_at"],
                "source_trust": expected["signals"]["source_trust"],
            }
        )
        explained = explain(case, SERVER_V2).to_json()
        assert {name: explained[name] for name in expected} == expected
        seen += 1
    assert seen == 364

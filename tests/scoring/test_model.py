from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mvdesk.scoring.builtin import (
    BUILTIN_MODELS,
    DEFAULT_MODEL_ID,
    PUBLISHED_V1,
    SERVER_V1,
    SERVER_V2,
    find_model,
)
from mvdesk.scoring.model import CountRate, ModelError, Recency, ScoreModel, Step

models = pytest.mark.parametrize("model", BUILTIN_MODELS.values(), ids=lambda model: model.id)


def test_the_built_in_models_come_in_the_documented_order() -> None:
    assert list(BUILTIN_MODELS) == [
        "memoryvault-dynamic-v1",
        "memoryvault-dynamic-v1-server",
        "memoryvault-dynamic-v2",
    ]
    assert find_model(DEFAULT_MODEL_ID) is PUBLISHED_V1


def test_an_unknown_model_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ModelError, match="memoryvault-dynamic-v1-server") as caught:
        find_model("dynamic-v9")
    assert caught.value.field == "model"


@models
def test_json_brings_a_model_back_unchanged(model: ScoreModel) -> None:
    assert ScoreModel.from_json(json.loads(json.dumps(model.to_json()))) == model


def test_a_copy_has_its_own_name_and_numbers() -> None:
    copy = SERVER_V2.copy_as("mine", "My model", support=CountRate(each=0.1, cap=0.5))
    assert (copy.id, copy.title, copy.support.each) == ("mine", "My model", 0.1)
    assert replace(copy, id=SERVER_V2.id, title=SERVER_V2.title, support=SERVER_V2.support) == (
        SERVER_V2
    )


def test_a_copy_refuses_what_is_no_parameter() -> None:
    with pytest.raises(ModelError) as caught:
        PUBLISHED_V1.copy_as("mine", "Mine", suport=1)
    assert caught.value.field == "suport"


def test_models_with_other_numbers_are_hashable_and_differ() -> None:
    assert len({PUBLISHED_V1, SERVER_V1, SERVER_V2, replace(SERVER_V1, source_low_penalty=0)}) == 4


def test_text_keywords_are_shared_by_the_built_in_models() -> None:
    assert len({model.keywords.of_text for model in BUILTIN_MODELS.values()}) == 1


def changed(path: str, value: object) -> dict[str, Any]:
    """The published model's JSON with one value replaced."""
    data = PUBLISHED_V1.to_json()
    *parents, last = path.split(".")
    inner = data
    for name in parents:
        inner = inner[name]
    inner[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("id", " ", "id"),
        ("id", 7, "id"),
        ("title", "", "title"),
        ("description", "x" * 2001, "description"),
        ("source_high_bonus", "0.09", "source_high_bonus"),
        ("source_high_bonus", True, "source_high_bonus"),
        ("source_high_bonus", 1.5, "source_high_bonus"),
        ("source_high_bonus", float("nan"), "source_high_bonus"),
        ("source_high_bonus", 10**400, "source_high_bonus"),
        ("trust_confidence", -0.1, "trust_confidence"),
        ("support", 0.05, "support"),
        ("support", {"each": 0.05}, "support.cap"),
        ("support.each", None, "support.each"),
        ("support.extra", 1, "support.extra"),
        ("extra", 1, "extra"),
        ("keywords.hedge", "maybe", "keywords.hedge"),
        ("keywords.hedge", ["Maybe"], "keywords.hedge[0]"),
        ("keywords.hedge", ["maybe", " "], "keywords.hedge[1]"),
        ("keywords.hedge", ["maybe", 5], "keywords.hedge[1]"),
        ("keywords.hedge", ["maybe", "maybe"], "keywords.hedge"),
        ("keywords.hedge", [f"w{n}" for n in range(501)], "keywords.hedge"),
        ("type_confidence.by_type", ["fact"], "type_confidence.by_type"),
        ("type_confidence.by_type", {"fact": "x"}, "type_confidence.by_type[fact]"),
        ("type_confidence.by_type", {"fact": 2}, "type_confidence.by_type[fact]"),
        ("depth.span", 0, "depth.span"),
        ("stale.after_days", -1, "stale.after_days"),
        ("recency.steps", [{"below_days": 3, "delta": 2}], "recency.steps[0].delta"),
        (
            "recency.steps",
            [{"below_days": 3, "delta": 0.1}, {"below_days": 3, "delta": 0}],
            "recency.steps",
        ),
        ("recency.steps", [7], "recency.steps[0]"),
        ("use", 5, "use"),
    ],
)
def test_a_bad_value_is_refused_by_field(path: str, value: object, field: str) -> None:
    with pytest.raises(ModelError) as caught:
        ScoreModel.from_json(changed(path, value))
    assert caught.value.field == field
    assert str(caught.value) == f"{field}: {caught.value.problem}"


def test_json_that_is_no_object_is_refused() -> None:
    with pytest.raises(ModelError) as caught:
        ScoreModel.from_json([])
    assert str(caught.value) == "expected an object"


def test_a_model_made_in_code_is_checked_too() -> None:
    with pytest.raises(ModelError, match=r"hedge\.cap"):
        replace(PUBLISHED_V1, hedge=CountRate(each=0.05, cap=float("inf")))


def test_a_truth_value_made_in_code_is_no_number() -> None:
    with pytest.raises(ModelError, match=r"hedge\.cap"):
        replace(PUBLISHED_V1, hedge=CountRate(each=0.05, cap=True))


def test_empty_lists_are_allowed() -> None:
    data = changed("keywords.hedge", [])
    data["recency"]["steps"] = []
    model = ScoreModel.from_json(data)
    assert model.keywords.hedge == ()
    assert model.recency == Recency(steps=(), per_year=0.18, floor=0.12)
    assert model.recency.start_days == 0.0


def test_importance_falls_from_the_last_step_on() -> None:
    recency = Recency(steps=(Step(1.0, 0.1), Step(9.0, 0.0)), per_year=0.1, floor=0.1)
    assert recency.start_days == 9.0

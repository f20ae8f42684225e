"""The lowest trust that keeps several memories at a score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V2
from mvdesk.scoring.case import Case, inputs_of
from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.shared_trust import solve_shared_trust

NOW = 1_800_000_000


def inputs(*bases: float) -> object:
    cases = [
        Case(now=NOW, base_confidence=base, base_importance=base, source="blog", content="x")
        for base in bases
    ]
    return inputs_of(cases, PUBLISHED_V1)


def lowest(rows: object, model: object, kind: str, target: float) -> float | None:
    """By trying every value."""
    for place in range(101):
        tried = rows.with_trust(np.full(len(rows), place / 100))
        if np.all(evaluate(tried, model, NOW).of(kind) >= target):
            return place / 100
    return None


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=6),
    st.integers(0, 1000).map(lambda n: n / 1000) | st.floats(0, 1),
    st.sampled_from(("confidence", "importance")),
    st.sampled_from((PUBLISHED_V1, SERVER_V2)),
)
def test_it_is_the_smallest_on_the_grid(
    bases: list[float], target: float, kind: str, model: object
) -> None:
    rows = inputs(*bases)
    answer = solve_shared_trust(rows, model, NOW, kind, target)
    assert answer.value == lowest(rows, model, kind, target)
    assert (len(answer.failing) == 0) == (answer.value is not None)
    at = 1.0 if answer.value is None else answer.value
    scores = evaluate(rows.with_trust(np.full(len(rows), at)), model, NOW).of(kind)
    np.testing.assert_array_equal(answer.scores, scores)
    assert answer.failing.tolist() == np.flatnonzero(scores < target).tolist()


def test_it_is_said_in_a_sentence() -> None:
    one = solve_shared_trust(inputs(0.7), PUBLISHED_V1, NOW, "confidence", 0.7)
    assert one.text() == f"trust of at least {one.value:.2f} keeps it at 0.70 or more"
    many = solve_shared_trust(inputs(0.7, 0.9), PUBLISHED_V1, NOW, "confidence", 0.7)
    assert many.text() == f"trust of at least {many.value:.2f} keeps all 2 at 0.70 or more"
    none = solve_shared_trust(inputs(0.1, 0.9), PUBLISHED_V1, NOW, "confidence", 0.9)
    said = none.text()
    assert said.startswith("no trust value keeps all 2 at 0.90 or more; at 1.00 1 of 2 reach it")
    assert said.endswith(f"the lowest is {none.scores.min():.2f}")


@pytest.mark.parametrize("target", [0.0, 0.5, 1.0])
def test_a_model_without_trust_is_answered_too(target: float) -> None:

    deaf = replace(PUBLISHED_V1, trust_confidence=0.0)
    rows = inputs(0.7)
    answer = solve_shared_trust(rows, deaf, NOW, "confidence", target)
    assert answer.value == lowest(rows, deaf, "confidence", target)

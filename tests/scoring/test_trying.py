"""Scores under one trust after another are those that are computed anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvdesk.scoring import trying
from mvdesk.scoring.builtin import BUILTIN_MODELS
from mvdesk.scoring.case import Case, inputs_of
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.scoring.trying import TrustTrial
from tests.scoring.cases import NOW, cases

if TYPE_CHECKING:
    from mvdesk.scoring.model import ScoreModel

models = pytest.mark.parametrize("model", BUILTIN_MODELS.values(), ids=lambda model: model.id)


def bits(scores: Scores) -> tuple[bytes, ...]:
    columns = (scores.confidence, scores.importance, scores.raw_confidence, scores.raw_importance)
    return tuple(column.tobytes() for column in columns)


@models
@settings(max_examples=60)
@given(
    some=st.lists(cases, max_size=12),
    trusts=st.lists(st.none() | st.floats(-0.5, 1.5), min_size=1, max_size=4),
)
def test_every_trust_scores_to_the_last_bit_as_if_it_were_stored(
    model: ScoreModel, some: list[Case], trusts: list[float | None]
) -> None:
    inputs = inputs_of(some, model)
    trial = TrustTrial(inputs, model, NOW)
    for trust in trusts:
        column = np.full(len(some), np.nan if trust is None else trust)
        assert bits(trial.scores(trust)) == bits(evaluate(inputs.with_trust(column), model, NOW))


@models
def test_blocks_make_no_difference(model: ScoreModel, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = inputs_of([Case(now=NOW, base_confidence=n / 40) for n in range(40)], model)
    whole = TrustTrial(inputs, model, NOW).scores(0.8)
    monkeypatch.setattr(trying, "BLOCK", 7)
    assert bits(TrustTrial(inputs, model, NOW).scores(0.8)) == bits(whole)

"""Scoring as arrays against scoring one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.scoring.builtin import BUILTIN_MODELS
from mvdesk.scoring.engine import ScoreInputs, evaluate
from tests.bench.large_vault import NOW
from tests.bench.measuring import median_ms

if TYPE_CHECKING:
    from tests.bench.measuring import Ledger


def make_inputs(count: int, seed: int = 7) -> ScoreInputs:
    rng = np.random.default_rng(seed)
    updated = NOW - rng.integers(0, 900 * 86_400, count).astype(np.float64)
    return ScoreInputs(
        base_confidence=rng.random(count),
        base_importance=rng.random(count),
        type_codes=rng.integers(0, 3, count).astype(np.int8),
        type_names=("note", "fact", "journal"),
        certainty_hits=rng.integers(0, 4, count).astype(np.int32),
        hedge_hits=rng.integers(0, 3, count).astype(np.int32),
        importance_hits=rng.integers(0, 4, count).astype(np.int32),
        content_length=rng.integers(0, 900, count).astype(np.int32),
        source_named=rng.random(count) < 0.8,
        source_high=rng.random(count) < 0.2,
        source_low=rng.random(count) < 0.1,
        trust=np.where(rng.random(count) < 0.3, np.nan, rng.random(count)),
        link_counts=rng.integers(0, 9, (count, 6)).astype(np.int32),
        created_at=updated - 86_400.0,
        updated_at=updated,
        access_count=rng.integers(0, 30, count).astype(np.float64),
        last_accessed_at=np.where(rng.random(count) < 0.6, np.nan, updated + 3_600.0),
    )


@pytest.mark.parametrize("model_id", list(BUILTIN_MODELS))
def test_a_hundred_thousand_memories_are_scored_within_a_frame(
    model_id: str, ledger: Ledger
) -> None:
    model = BUILTIN_MODELS[model_id]
    inputs = make_inputs(100_000)
    singles = [inputs.taken([row]) for row in range(200)]
    one_by_one = median_ms(lambda: [evaluate(one, model, NOW) for one in singles], 5) * 500
    ledger.record(
        f"score 100,000 memories, {model_id}",
        median_ms(lambda: evaluate(inputs, model, NOW)),
        budget=16,
        baseline="one by one",
        baseline_value=one_by_one,
    )

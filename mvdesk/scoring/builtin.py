"""The three built-in score models, as data."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from mvdesk.scoring.model import (
    CountRate,
    Depth,
    KeywordLists,
    LogRate,
    Recency,
    ScoreModel,
    Stale,
    Step,
    TypeBias,
    Use,
)
from mvdesk.scoring.model_json import ModelError
from mvdesk.scoring.saying import tr

_PUBLISHED_KEYWORDS: Final = KeywordLists(
    certainty=(
        "verified",
        "confirmed",
        "exact",
        "measured",
        "token",
        "id",
        "official",
        "passed",
    ),
    hedge=("maybe", "might", "perhaps", "guess", "probably", "vague", "unsure", "i think"),
    importance=(
        "goal",
        "strategy",
        "deadline",
        "todo",
        "must",
        "critical",
        "priority",
        "plan",
        "task",
        "decision",
        "launch",
        "ship",
    ),
    high_source=("api", "system", "log", "metric", "official", "doc", "test", "monitor"),
    low_source=("rumor", "guess", "hearsay", "vibe"),
)

_RECENCY: Final = Recency(
    steps=(Step(3.0, 0.12), Step(14.0, 0.07), Step(60.0, 0.03)), per_year=0.18, floor=0.12
)

PUBLISHED_V1: Final = ScoreModel(
    id="memoryvault-dynamic-v1",
    title=tr("Dynamic v1, as published"),
    description=tr("The model exactly as its published description states it."),
    keywords=_PUBLISHED_KEYWORDS,
    source_high_bonus=0.09,
    source_named_bonus=0.0,
    source_low_penalty=0.07,
    trust_confidence=0.40,
    trust_importance=0.14,
    certainty=CountRate(each=0.04, cap=0.20),
    hedge=CountRate(each=0.055, cap=0.20),
    importance_words=CountRate(each=0.045, cap=0.24),
    support=CountRate(each=0.05, cap=0.22),
    contradiction=CountRate(each=0.09, cap=0.28),
    contradiction_importance_share=0.25,
    cause=CountRate(each=0.04, cap=0.14),
    supersede=CountRate(each=0.02, cap=0.08),
    example=CountRate(each=0.02, cap=0.08),
    example_confidence_share=0.25,
    link=LogRate(each=0.18 / math.log(5), cap=0.18),  # four links earn the full 0.18
    link_confidence_share=0.35,
    type_confidence=TypeBias(by_type=(("fact", 0.08), ("journal", -0.06)), other=0.0),
    type_importance=TypeBias(by_type=(("note", 0.04), ("fact", 0.02)), other=0.01),
    depth=Depth(free_length=80.0, span=420.0, per_span=0.08, cap=0.08),
    stale=Stale(after_days=365.0, per_year=0.16, cap=0.20),
    recency=_RECENCY,
    use=None,
)

SERVER_V1: Final = replace(
    PUBLISHED_V1,
    id="memoryvault-dynamic-v1-server",
    title=tr("Dynamic v1, as servers 1.6 to 1.11 compute it"),
    description=tr(
        "What MemoryVault servers 1.6 to 1.11 really compute under the name memoryvault-dynamic-v1."
    ),
    keywords=replace(_PUBLISHED_KEYWORDS, low_source=("rumor", "guess", "hearsay", "vibe", "idea")),
    source_named_bonus=0.04,
    link=LogRate(each=0.06, cap=0.18),
    stale=replace(PUBLISHED_V1.stale, after_days=0.0),
    recency=replace(_RECENCY, floor=0.18),
)

SERVER_V2: Final = replace(
    SERVER_V1,
    id="memoryvault-dynamic-v2",
    title=tr("Dynamic v2, as servers from 1.12 compute it"),
    description=tr(
        "What MemoryVault servers 1.12 and later compute: recalls count, and age runs from the "
        "last edit or recall."
    ),
    use=Use(
        usage=LogRate(each=0.05, cap=0.16),
        usage_confidence_share=0.25,
        recall_steps=(Step(2.0, 0.08), Step(14.0, 0.04), Step(60.0, 0.015)),
    ),
)

BUILTIN_MODELS: Final[dict[str, ScoreModel]] = {
    model.id: model for model in (PUBLISHED_V1, SERVER_V1, SERVER_V2)
}
DEFAULT_MODEL_ID: Final = PUBLISHED_V1.id


def find_model(model_id: str) -> ScoreModel:
    """The built-in model of this id. Raises ModelError naming the ids there are."""
    model = BUILTIN_MODELS.get(model_id)
    if model is None:
        known = ", ".join(BUILTIN_MODELS)
        raise ModelError("model", f"no score model is called {model_id!r}; there are {known}")
    return model

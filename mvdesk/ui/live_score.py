"""What a memory would score as typed: by the same engine as every other number."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mvdesk.scoring.case import Case, inputs_of
from mvdesk.scoring.subject import score_rows
from mvdesk.ui.panels.drafts import parse_share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.scoring.inputs import ScoreInputs
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScorePair


def score_typed(
    texts: Mapping[str, str],
    stored: ScoreInputs | None,
    model: ScoreModel,
    trust: float | None,
    now: int,
) -> ScorePair:
    """Both scores of a memory with these fields, saved at `now` (epoch seconds).

    `stored` are the inputs of the memory as it is, one row, None for a new one; links, recalls
    and the day of writing are taken from there. `trust` is that of the typed source. A base
    that isn't a number yet counts as the stored one.
    """
    confidence, importance = (parse_share(texts[name]) for name in ("confidence", "importance"))
    if stored is not None:
        confidence = float(stored.base_confidence[0]) if confidence is None else confidence
        importance = float(stored.base_importance[0]) if importance is None else importance
    case = Case(
        now=now,
        type=texts["type"],
        title=texts["title"],
        key=texts["key"],
        content=texts["content"],
        tags=texts["tags"],
        source=texts["source"],
        base_confidence=0.7 if confidence is None else confidence,
        base_importance=0.5 if importance is None else importance,
        created_at=now,
        updated_at=now,
        trust=trust,
    )
    inputs = inputs_of([case], model)
    if stored is not None:
        inputs = replace(
            inputs,
            link_counts=stored.link_counts,
            created_at=stored.created_at,
            access_count=stored.access_count,
            last_accessed_at=stored.last_accessed_at,
        )
    return score_rows(inputs, model, now)[0]

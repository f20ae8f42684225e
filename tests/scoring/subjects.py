"""Memories with links, for the tests of evidence, levers and causes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from mvdesk.scoring.builtin import BUILTIN_MODELS
from mvdesk.scoring.case import Case, LinkStats
from mvdesk.scoring.subject import RELATION_COLUMNS, LinkFact, Subject, subject_of_case
from tests.scoring.cases import cases

if TYPE_CHECKING:
    from mvdesk.scoring.model import ScoreModel

RELATIONS = (*RELATION_COLUMNS, "related", "unheard of")


def linked(case: Case, relations: list[str]) -> tuple[Case, tuple[LinkFact, ...]]:
    """The case with links of these relations, and the links."""
    links = tuple(
        LinkFact(
            id=f"link-{place}",
            relation=relation,
            outgoing=place % 2 == 0,
            other_id=f"memory-{place}",
            title=f"Memory {place}",
            confidence=0.5,
            importance=0.625,
        )
        for place, relation in enumerate(relations)
    )
    counts = Counter(relations)
    known = {f"{name}_count": counts[name] for name in RELATION_COLUMNS}
    return replace(case, links=LinkStats(link_count=len(relations), **known)), links


def subject_of(case: Case, model: ScoreModel, *relations: str, **known: object) -> Subject:
    case, links = linked(case, list(relations))
    return subject_of_case(case, model, links=links, **known)  # type: ignore[arg-type]


linked_cases = st.builds(linked, cases, st.lists(st.sampled_from(RELATIONS), max_size=8))
models = st.sampled_from(list(BUILTIN_MODELS.values()))

"""The smallest score that a search lets through: read from its text, and written into it."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from mvdesk.vault.questions.query import Condition, parse_query
from mvdesk.vault.questions.query_operators import Range

if TYPE_CHECKING:
    from mvdesk.vault.questions.query import Node, Place, Query

OPERATOR: Final = "min_score"
_JOINING: Final = re.compile(r"^\s*((OR|AND)(?=[\s(]|$)\s*)+")


def read_least_score(query: Query) -> float:
    """The confidence that every hit must at least have, in [0, 1]; 0 where none is asked for.

    Only what holds for all hits counts: nothing inside of NOT, OR or brackets.
    """
    found = [part.value.least for part in query.parts if _is_least(part)]  # type: ignore[union-attr]
    return min(max([0.0, *found]), 1.0)


def with_least_score(text: str, least: float) -> str:
    """The text of a search with another smallest confidence, in [0, 1]; 0 takes it out."""
    places: list[Place] = [part.place for part in parse_query(text).parts if _is_least(part)]
    for place in reversed(places[1:]):
        text = parse_query(text).without(place)
    said = f"{OPERATOR}:{least:.2f}" if least > 0 else ""
    if not places:
        # In front: behind the text it might end up in a quote, or be what an OR waits for.
        # An OR at the beginning, which joins nothing, would join it.
        return f"{said} {_JOINING.sub('', text)}".strip() if said else text
    start, end = places[0]
    return text[:start] + said + text[end:] if said else parse_query(text).without(places[0])


def _is_least(part: Node) -> bool:
    if not isinstance(part, Condition) or part.name != "conf":
        return False
    value = part.value
    assert isinstance(value, Range)
    return part.sign == ">=" and math.isinf(value.most) and not value.beyond

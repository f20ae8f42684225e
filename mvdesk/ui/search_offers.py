"""What can be offered while somebody types a search: operators, and values of this vault."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.ui.widgets.offer_list import Offer
from mvdesk.vault.questions.query_operators import BY_NAME, OPERATORS
from mvdesk.vault.tags import parse_tags
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.vault.questions.query_operators import Operator
    from mvdesk.vault.snapshot import Snapshot

MOST_OFFERS: Final = 9
_LEAST_LETTERS: Final = 2
_TYPED: Final = re.compile(
    r"(?:^|(?<=[\s(]))(?P<not>-?)(?P<name>[^\W\d][\w-]*)"
    r'(?:(?P<sign><=|>=|<|>|=|:)(?P<value>"[^"]*|[^\s"]*))?$'
)
_SIGNS: Final = {"share": "<", "days": ">", "number": ":"}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Types, sources and tags of a vault with how many memories have each, most first."""

    types: Mapping[str, int]
    sources: Mapping[str, int]
    tags: Mapping[str, int]


NO_WORDS: Final = Vocabulary({}, {}, {})


def read_vocabulary(snapshot: Snapshot, _token: CancelToken | None = None) -> Vocabulary:
    """The words that operators of this vault can take; for a job."""
    memories, sources = snapshot.memories, snapshot.sources
    names = Counter(memories.type_names[code] for code in memories.type_codes.tolist())
    keys = {key: int(count) for key, count in zip(sources.keys, sources.counts, strict=True)}
    tags: Counter[str] = Counter()
    for text, count in Counter(memories.tags).items():
        for tag in parse_tags(text):
            tags[tag] += count
    return Vocabulary(*(dict(Counter(found).most_common()) for found in (names, keys, tags)))


def find_offers(text: str, cursor: int, words: Vocabulary) -> list[Offer]:
    """What fits at the caret: names of operators, or values of the one that is there."""
    typed = _TYPED.search(text[:cursor])
    if typed is None:
        return []
    name, sign = typed["name"].lower(), typed["sign"]
    if sign is None:
        start = typed.start("name")
        return _operators(name, start, cursor) if len(name) >= _LEAST_LETTERS else []
    operator = BY_NAME.get(name)
    if operator is None or sign not in (":", "="):
        return []
    value = typed["value"].removeprefix('"').lower()
    return _values(operator, value, typed.start("value"), cursor, words)


def _operators(name: str, start: int, end: int) -> list[Offer]:
    found = [
        operator
        for operator in OPERATORS
        if any(known.startswith(name) for known in (operator.name, *operator.aliases))
    ]
    return [
        Offer(operator.example, operator.help, _head(operator), start, end)
        for operator in found[:MOST_OFFERS]
    ]


def _head(operator: Operator) -> str:
    """What is typed of an operator before its value."""
    if operator.kind == "flag":
        return f"{operator.name}: "
    return operator.name + _SIGNS.get(operator.kind, ":")


def _values(operator: Operator, value: str, start: int, end: int, words: Vocabulary) -> list[Offer]:
    of_vault = {"type": words.types, "source": words.sources, "tag": words.tags}
    counted = of_vault.get(operator.name, {})
    names = list(counted) or list(operator.values)
    fitting = [name for name in names if _fits(name, value)]
    # Those that begin so before those that have it somewhere.
    fitting.sort(key=lambda name: not name.lower().startswith(value))
    if fitting == [value]:
        return []
    return [
        Offer(name, _count(counted[name]) if name in counted else "", _quoted(name), start, end)
        for name in fitting[:MOST_OFFERS]
    ]


def _fits(name: str, value: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(value)}", name.lower()) is not None


def _quoted(name: str) -> str:
    plain = re.fullmatch(r'[^\s"(),]+', name) is not None
    return f"{name} " if plain else f'"{name.replace(chr(34), " ")}" '


def _count(number: int) -> str:
    return tr_n("1 memory", "{number:,} memories", number, number=number)


def recall_offers(history: Sequence[str], saved: Sequence[tuple[str, str]]) -> list[Offer]:
    """Searches to choose again: the saved ones by name, then those of before, newest first."""
    kept = [Offer(name, text if text != name else tr("saved"), text, 0, 0) for name, text in saved]
    known = {text for _, text in saved}
    before = [
        Offer(text, tr("searched before"), text, 0, 0) for text in history if text not in known
    ]
    return [*kept, *before][: 2 * MOST_OFFERS]

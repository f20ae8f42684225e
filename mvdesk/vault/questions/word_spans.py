"""Where the words of a query stand in a text, to be marked there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mvdesk.store.folding import fold_text
from mvdesk.vault.questions.query import Word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.vault.questions.matching import Leaf, Way
    from mvdesk.vault.questions.query import Query

MAX_SPANS: Final = 2_000
MAX_FOLDED: Final = 400_000
"""Characters of a text beyond plain English that are looked through."""

_TOKEN: Final = re.compile(r"[^\W_]+")
_FIRST_UNSPACED: Final = "\u2e80"


class WordSpans:
    """Finds some words in any text. Without words it finds nothing."""

    def __init__(self, words: Sequence[Word], ways: Mapping[Leaf, Way] | None = None) -> None:
        patterns = [_pattern_of(word, (ways or {}).get(word, "words")) for word in words]
        joined = "|".join(pattern for pattern in patterns if pattern)
        self._pattern = re.compile(joined) if joined else None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be found."""
        return self._pattern is None

    def find(self, text: str) -> list[tuple[int, int]]:
        """Starts and ends in code points, ascending."""
        if self._pattern is None or not text:
            return []
        if text.isascii():
            found = self._pattern.finditer(text.lower())
            return [match.span() for _, match in zip(range(MAX_SPANS), found, strict=False)]
        folded, places = _fold_with_places(text[:MAX_FOLDED])
        return [
            (places[match.start()], places[match.end() - 1] + 1)
            for _, match in zip(range(MAX_SPANS), self._pattern.finditer(folded), strict=False)
        ]


def find_field_spans(query: Query, ways: Mapping[Leaf, Way], field: str) -> WordSpans:
    """Where the words of a query stand in one field, and what its operator looks for there.

    `field` is "title", "key", "tag" or "source"; "" for the words alone.
    """
    words, how = list(query.words), dict(ways)
    for leaf, wanted in query.leaves():
        if isinstance(leaf, Word) or not wanted or not field or leaf.name != field:
            continue
        values = [str(leaf.value)] if leaf.is_exact else str(leaf.value).split(",")
        for value in values:
            is_whole = leaf.is_exact or leaf.sign == "="
            text = value.removeprefix("#") if field == "tag" else value
            word = Word(text, is_exact=is_whole, is_beginning=not is_whole)
            words.append(word)
            how[word] = ways.get(leaf, "words")
    return WordSpans([word for word in words if word.text.strip()], how)


def _pattern_of(word: Word, way: Way) -> str:
    folded = " ".join(fold_text(word.text).split())
    is_beginning = word.is_beginning or (not word.is_exact and folded.endswith("*"))
    tokens = _TOKEN.findall(folded)
    if way != "words" or not tokens:
        return re.escape(folded)
    middle = r"[\W_]+".join(map(re.escape, tokens))
    before = r"(?<![^\W_])" if tokens[0][0] < _FIRST_UNSPACED else ""
    is_open = is_beginning or tokens[-1][-1] >= _FIRST_UNSPACED
    return before + middle + ("" if is_open else r"(?![^\W_])")


def _fold_with_places(text: str) -> tuple[str, list[int]]:
    """A folded text, and which character each of its own came from."""
    known: dict[str, str] = {}
    parts: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        folded = known.get(char)
        if folded is None:
            folded = known[char] = fold_text(char)
        parts.append(folded)
        places += [place] * len(folded)
    return "".join(parts), places

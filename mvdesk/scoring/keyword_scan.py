"""Counting keywords in many texts: Aho-Corasick where it is installed, else word by word.

Both count the same: a keyword is a substring and counts once a text. A regular expression of
alternatives would not do, as one match hides another inside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

try:
    import ahocorasick_rs
except ImportError:  # pragma: no cover  # tested by taking the automaton away
    ahocorasick_rs = None  # type: ignore[assignment]  # a module, or nothing


class _Automaton(Protocol):
    def find_matches_as_indexes(
        self, haystack: str, overlapping: bool
    ) -> list[tuple[int, int, int]]: ...


class KeywordScanner:
    """Counts, for a few keyword lists at once, how many words of each a text holds."""

    def __init__(self, lists: Sequence[Sequence[str]], *, automaton: bool = True) -> None:
        """`automaton=False` looks word by word even where Aho-Corasick is installed."""
        self._lists = lists
        words = list(dict.fromkeys(word for words in lists for word in words))
        places = {word: place for place, word in enumerate(words)}
        # One bit a word: a list's count is the number of its bits among those found.
        self._bits = [1 << place for place in range(len(words))]
        self._masks = [sum(1 << places[word] for word in words) for words in lists]
        self._automaton: _Automaton | None = None
        if automaton and ahocorasick_rs is not None and all(map(_is_encodable, words)):
            self._automaton = ahocorasick_rs.AhoCorasick(words)

    def count(self, text: str) -> tuple[int, ...]:
        """Per list, how many of its words occur in a lower-cased text."""
        if self._automaton is None or not _is_encodable(text):
            return tuple(sum(word in text for word in words) for words in self._lists)
        found = 0
        for place, _, _ in self._automaton.find_matches_as_indexes(text, overlapping=True):
            found |= self._bits[place]
        return tuple([(found & mask).bit_count() for mask in self._masks])


def _is_encodable(text: str) -> bool:
    """Whether the text has no lone surrogates, which UTF-8 has no form for."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

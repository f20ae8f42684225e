"""Counting keywords in many texts: Aho-Corasick where it is installed, else word by word.

Both count the same: a keyword is a substring and counts once a text. A regular expression of
alternatives would not do, as one match hides another inside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

try:
    import ahocorasick_rs
except ImportError:  # pragma: no cover  # tested by taking the automaton away
    ahocorasick_rs = None  # type: ignore[assignment]  # a module, or nothing


MAX_COUNTED: Final = 20_000


class _Automaton(Protocol):
    def find_matches_as_strings(self, haystack: str, overlapping: bool) -> list[str]: ...


class KeywordScanner:
    """Counts, for a few keyword lists at once, how many words of each a text holds."""

    def __init__(self, lists: Sequence[Sequence[str]], *, automaton: bool = True) -> None:
        """`automaton=False` looks word by word even where Aho-Corasick is installed."""
        self._lists = lists
        self._counted: dict[frozenset[str], tuple[int, ...]] = {}
        self._automaton: _Automaton | None = None
        words = {word for words in lists for word in words}
        if automaton and ahocorasick_rs is not None and all(map(_is_encodable, words)):
            # Strings rather than places come back three times faster when the patterns are kept.
            self._automaton = ahocorasick_rs.AhoCorasick(
                sorted(words),
                store_patterns=True,
                implementation=ahocorasick_rs.Implementation.DFA,
            )

    def count(self, text: str) -> tuple[int, ...]:
        """Per list, how many of its words occur in a lower-cased text."""
        if self._automaton is None or not _is_encodable(text):
            return tuple(sum(word in text for word in words) for words in self._lists)
        found = frozenset(self._automaton.find_matches_as_strings(text, overlapping=True))
        counts = self._counted.get(found)  # texts share few sets of words
        if counts is None:
            counts = tuple(sum(word in found for word in words) for words in self._lists)
            if len(self._counted) < MAX_COUNTED:
                self._counted[found] = counts
        return counts


def _is_encodable(text: str) -> bool:
    """Whether the text has no lone surrogates, which UTF-8 has no form for."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

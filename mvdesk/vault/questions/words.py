"""The words by which texts are found alike."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

STOP_WORDS: Final = frozenset(
    (
        "the", "a", "an", "and", "or", "to", "of", "for", "in", "on", "at", "is", "are", "was",
        "were", "be", "with", "as", "by", "it", "this", "that", "from", "but", "not", "if", "then",
        "so", "we", "you", "i",
    )
)  # fmt: skip
_LATIN: Final = re.compile("[a-z0-9]{2,}")
# Unicode's word rules, nearly: each Han or Hiragana letter is a word, other letters make runs.
_IDEOGRAPHS: Final = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_ANY: Final = re.compile(f"[{_IDEOGRAPHS}]|(?:(?![{_IDEOGRAPHS}])[^\\W_])+")


def is_latin(text: str) -> bool:
    """Whether the server sees a word in the text: a run of a–z or 0–9 that counts."""
    return any(match[0] not in STOP_WORDS for match in _LATIN.finditer(text.lower()))


def find_words(text: str, limit: int, *, latin: bool = True) -> list[str]:
    """The first `limit` words of two letters or more, lower-cased, without the commonest ones.

    Words are runs of a–z and 0–9 as on the server. With `latin` off, for what is written in
    another script, they are what Unicode calls words, down to one letter where it stands for
    one.
    """
    text = text.lower()
    if latin:
        return _latin_words(text, limit)
    words = (word for word in _ANY.findall(text) if word not in STOP_WORDS)
    return list(islice((word for word in words if len(word) >= 2 or _is_ideograph(word)), limit))


def _latin_words(text: str, limit: int) -> list[str]:
    return [word for word in _LATIN.findall(text) if word not in STOP_WORDS][:limit]


def _is_ideograph(letter: str) -> bool:
    return re.match(f"[{_IDEOGRAPHS}]", letter) is not None


def similarity(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """The share of the words of either text that both have (Jaccard), in [0, 1]."""
    if not one or not other:
        return 0.0
    both = len(one & other)
    return both / (len(one) + len(other) - both)

"""Where keywords are in a memory's text: spans in the original fields, with doubts flagged.

Scoring counts substrings, so "id" scores in "video" and "verified" in "not verified". That
stays; evidence shows the word a hit sits in and flags the two.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from dataclasses import field as attribute  # `field` is where a hit is
from typing import TYPE_CHECKING, Final, Literal

from mvdesk.scoring.whitespace import SPACES, trim

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TextField = Literal["title", "key", "content", "tags"]

TEXT_FIELDS: Final[tuple[TextField, ...]] = ("title", "key", "content", "tags")
WORD_REACH: Final = 40
"""Characters of a word that are shown on each side of a hit, at most."""

_NEGATION_REACH: Final = 60
_NEGATION_WORDS: Final = 3
_NEGATORS: Final = frozenset(
    (
        "not",
        "no",
        "never",
        "nor",
        "neither",
        "without",
        "cannot",
        "cant",
        "non",
        "un",
        "nothing",
        "nobody",
        "none",
        "hardly",
    )
)
_NEGATING_PREFIXES: Final = frozenset(("un", "in", "im", "non", "dis", "mis"))
_CLAUSE_END: Final = re.compile(r"[.!?;:\n\r]")
_SPOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class KeywordHit:
    """One place of a keyword. `start` and `end` count code points in the original field.

    `word` is the whole word around it (up to 40 more characters on each side), `inside_word`
    says that the hit is only part of it. `negated` is a guess: a negating prefix
    ("unverified") or a negation in the three words before ("not verified").
    """

    keyword: str
    field: TextField
    start: int
    end: int
    word: str
    inside_word: bool
    negated: bool
    word_start: int = attribute(default=0, compare=False)

    @property
    def marked(self) -> str:
        """The word with the matched letters in brackets: "v[id]eo"."""
        return mark_letters(self.word, self.start - self.word_start, self.end - self.word_start)


@dataclass(frozen=True, slots=True)
class SourceHit:
    """One place of a keyword in a source; `start` and `end` count code points as written."""

    keyword: str
    start: int
    end: int
    word: str
    inside_word: bool
    word_start: int = attribute(default=0, compare=False)

    @property
    def marked(self) -> str:
        """The word with the matched letters in brackets: "b[log]"."""
        return mark_letters(self.word, self.start - self.word_start, self.end - self.word_start)


def mark_letters(word: str, start: int, end: int) -> str:
    """A word with some of its letters in brackets; as it is when those are all of it."""
    if (start, end) == (0, len(word)):
        return word
    return f"{word[:start]}[{word[start:end]}]{word[end:]}"


def find_keyword_hits(
    fields: Mapping[str, str | None], keywords: Sequence[str]
) -> list[KeywordHit]:
    """Every place of every keyword, ordered by field and place.

    `fields` holds the four text fields by name; missing ones count as empty. Exactly the
    keywords that score have a hit, also one that runs on from one field into the next: it is
    listed in the field where it begins, up to that field's end.
    """
    text = _JoinedText(fields)
    hits = [
        hit
        for keyword in keywords
        for start in _find_all(text.lowered, keyword)
        if (hit := text.hit(keyword, start)) is not None
    ]
    order = {name: place for place, name in enumerate(TEXT_FIELDS)}
    return sorted(hits, key=lambda hit: (order[hit.field], hit.start, hit.end))


def find_source_hits(source: str | None, keywords: Sequence[str]) -> list[SourceHit]:
    """Every place of every keyword in a source, ordered by place."""
    written = source or ""
    lead = len(written) - len(written.lstrip(SPACES))
    lowered = _Lowered(trim(written))
    hits = []
    for keyword in keywords:
        for place in _find_all(lowered.text, keyword):
            start = lead + lowered.place(place)
            end = lead + lowered.place(place + len(keyword) - 1) + 1
            first, last = _word_around(written, start, end)
            inside = (first, last) != (start, end)
            hits.append(SourceHit(keyword, start, end, written[first:last], inside, first))
    return sorted(hits, key=lambda hit: (hit.start, hit.end))


def _find_all(text: str, keyword: str) -> list[int]:
    """Where the keyword begins; a place inside the keyword before is not a new one."""
    return [match.start() for match in re.finditer(re.escape(keyword), text)]


class _JoinedText:
    """The four fields as scoring sees them, with the way back to the originals."""

    def __init__(self, fields: Mapping[str, str | None]) -> None:
        self._originals = [fields.get(name) or "" for name in TEXT_FIELDS]
        lowered = [_Lowered(original) for original in self._originals]
        self._lowered = lowered
        self._starts: list[int] = []
        place = 0
        for part in lowered:
            self._starts.append(place)
            place += len(part.text) + 1
        self.lowered = " ".join(part.text for part in lowered)

    def hit(self, keyword: str, start: int) -> KeywordHit | None:
        """The hit that begins at a place of the joined text; None on a joining space."""
        number = bisect_right(self._starts, start) - 1
        original, lowered = self._originals[number], self._lowered[number]
        inner = start - self._starts[number]
        if inner >= len(lowered.text):
            return None
        inner_end = min(inner + len(keyword), len(lowered.text))
        first, last = lowered.place(inner), lowered.place(inner_end - 1) + 1
        word_start, word_end = _word_around(original, first, last)
        return KeywordHit(
            keyword=keyword,
            field=TEXT_FIELDS[number],
            start=first,
            end=last,
            word=original[word_start:word_end],
            inside_word=(word_start, word_end) != (first, last),
            negated=_is_negated(original, word_start, first),
            word_start=word_start,
        )


class _Lowered:
    """A lower-cased text that knows which original character each of its own came from."""

    def __init__(self, original: str) -> None:
        self.text = original.lower()
        self._places: list[int] | None = None
        if len(self.text) != len(original):  # "İ" becomes two characters
            self._places = [
                place for place, char in enumerate(original) for _ in range(len(char.lower()))
            ]

    def place(self, index: int) -> int:
        return index if self._places is None else self._places[index]


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the word that holds text[start:end] begins and ends."""
    first, last = start, end
    while first > max(start - WORD_REACH, 0) and _joins(text, first):
        first -= 1
    while last < min(end + WORD_REACH, len(text)) and _joins(text, last):
        last += 1
    return first, last


def _joins(text: str, place: int) -> bool:
    """Whether the characters before and at a place belong to one word."""
    before, after = text[place - 1], text[place]
    if _is_letter(before) and _is_letter(after):
        return True
    if after in "'’":  # an apostrophe belongs to the word when letters are on both sides
        return _is_letter(before) and place + 1 < len(text) and _is_letter(text[place + 1])
    return before in "'’" and _is_letter(after) and place >= 2 and _is_letter(text[place - 2])


def _is_letter(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def _is_negated(text: str, word_start: int, start: int) -> bool:
    if text[word_start:start].lower() in _NEGATING_PREFIXES:
        return True
    before = text[max(word_start - _NEGATION_REACH, 0) : word_start]
    clause = _CLAUSE_END.split(before)[-1].lower()
    words = _SPOKEN.findall(clause)[-_NEGATION_WORDS:]
    return any(word in _NEGATORS or word.endswith(("n't", "n’t")) for word in words)

"""Taking words out of a memory's text."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from mvdesk.scoring.keywords import TEXT_FIELDS, find_keyword_hits
from mvdesk.scoring.signals import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.scoring.keywords import KeywordHit


def has_keyword(fields: Mapping[str, str | None], keyword: str) -> bool:
    """Whether a keyword scores in these fields."""
    return keyword in text_of(*(fields.get(name) for name in TEXT_FIELDS))


def without_keyword(fields: Mapping[str, str | None], keyword: str) -> dict[str, str | None]:
    """The four text fields without the words that a keyword is found in.

    The whole word goes, with one space beside it; of scripts that are written without spaces
    only the matched letters go. Afterwards the keyword doesn't score.
    """
    left: dict[str, str | None] = {name: fields.get(name) for name in TEXT_FIELDS}
    while has_keyword(left, keyword):  # what was apart may meet and make the word anew
        hits = find_keyword_hits(left, [keyword])
        if not hits:
            return left  # it begins on a space between two fields, which can't be taken out
        for name in TEXT_FIELDS:
            text = left[name] or ""
            spans = [_span(text, hit) for hit in hits if hit.field == name]
            if spans:
                left[name] = _without(text, _joined(spans))
    return left


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without some places, which are in order and apart."""
    kept, done = [], 0
    for start, end in spans:
        kept.append(text[done:start])
        done = end
    return "".join([*kept, text[done:]])


def _span(text: str, hit: KeywordHit) -> tuple[int, int]:
    """What goes with a hit: its word and a space."""
    start, end = hit.start, hit.end
    first, last = hit.word_start, hit.word_start + len(hit.word)
    while start > first and _is_spelled(text[start - 1]):
        start -= 1
    while end < last and _is_spelled(text[end]):
        end += 1
    after = text[end : end + 1]
    if start > 0 and text[start - 1] == " " and not after.isalnum():
        return start - 1, end
    return (start, end + 1) if start == 0 and after == " " else (start, end)


def _is_spelled(char: str) -> bool:
    """Whether the character belongs to a script that puts spaces between words."""
    return unicodedata.category(char) != "Lo"


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order, with those that touch made one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined

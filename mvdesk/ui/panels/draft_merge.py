"""Two people's changes of one memory brought together: pure texts in, texts out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.textdiff import match_lines, match_words, split_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

YOURS: Final = "--- Yours ---"
THEIRS: Final = "--- Theirs ---"
END: Final = "--- End ---"
"""Lines around two versions of the same place, for the person to choose from."""

_MARKERS: Final = (YOURS, THEIRS, END)


@dataclass(frozen=True, slots=True)
class Merged:
    """The fields of a memory with both sides' changes.

    `places` counts where the text holds both versions between marker lines. `kept` are the
    other fields that both changed, each its own way: they are as `mine`. `joined` counts the
    lines that both changed, at different words.
    """

    texts: Mapping[str, str]
    places: int
    kept: tuple[str, ...]
    joined: int = 0


def merge_fields(
    base: Mapping[str, str], mine: Mapping[str, str], theirs: Mapping[str, str]
) -> Merged:
    """Field by field what `mine` and `theirs` made of `base`.

    A field that one side changed is that side's. Of tags both sides' additions and removals
    count; texts are merged by lines, a line that both changed by words.
    """
    texts: dict[str, str] = {}
    kept: list[str] = []
    places = joined = 0
    for name, before in base.items():
        one, other = mine[name], theirs[name]
        if one in (before, other):
            texts[name] = other
        elif other == before:
            texts[name] = one
        elif name == "content":
            texts[name], places, joined = merge_lines(before, one, other)
        elif name == "tags":
            texts[name] = merge_tags(before, one, other)
        else:
            texts[name] = one
            kept.append(name)
    return Merged(texts, places, tuple(kept), joined)


def merge_tags(base: str, mine: str, theirs: str) -> str:
    """Their tags, without those that I removed, and with those that I added at the end."""
    before, one, other = _tags(base), _tags(mine), _tags(theirs)
    merged = {key: tag for key, tag in other.items() if key in one or key not in before}
    merged |= {key: tag for key, tag in one.items() if key not in before and key not in merged}
    return ", ".join(merged.values())


def merge_lines(base: str, mine: str, theirs: str) -> tuple[str, int, int]:
    """A text with both sides' changes, its places with both versions, its joined lines.

    It holds both versions where both changed the same words or such beside each other, or
    made more or fewer lines at one place. A line that both changed at different words is
    joined. Line ends are those of `theirs`.
    """
    line_end = "\r\n" if "\r\n" in theirs else "\n"
    old, one, other = (_lines(text) for text in (base, mine, theirs))
    in_one, in_other = _places(old, one), _places(old, other)
    merged: list[str] = []
    conflicts = joined = at_old = at_one = at_other = 0
    for place in [*(place for place in in_one if place in in_other), len(old)]:
        to_one, to_other = in_one.get(place, len(one)), in_other.get(place, len(other))
        outcome = _merge_stretch(
            old[at_old:place], one[at_one:to_one], other[at_other:to_other], merged
        )
        conflicts, joined = conflicts + outcome[0], joined + outcome[1]
        merged += old[place : place + 1]
        at_old, at_one, at_other = place + 1, to_one + 1, to_other + 1
    return line_end.join(merged), conflicts, joined


def find_marker(text: str, stored: str) -> tuple[int, int] | None:
    """Start and end of the first marker line, None when there is none but such as `stored` has."""
    if sum(map(text.count, _MARKERS)) <= sum(map(stored.count, _MARKERS)):
        return None
    start = 0
    for line in text.split("\n"):
        if line.rstrip("\r") in _MARKERS:
            return start, start + len(line.rstrip("\r"))
        start += len(line) + 1
    return None


def _merge_stretch(
    base: Sequence[str], mine: Sequence[str], theirs: Sequence[str], merged: list[str]
) -> tuple[int, int]:
    """Add a stretch that differs: 1 where it had to be both versions, how many lines joined."""
    if mine in (base, theirs):
        merged += theirs
    elif theirs == base:
        merged += mine
    elif (lines := _join_lines(base, mine, theirs)) is not None:
        merged += lines
        changed = zip(base, mine, theirs, strict=True)
        return 0, sum(before not in (one, other) and one != other for before, one, other in changed)
    else:
        merged += [YOURS, *mine, THEIRS, *theirs, END]
        return 1, 0
    return 0, 0


def _join_lines(
    base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]
) -> list[str] | None:
    """As many lines on all three sides, each with both sides' words; None where that can't be."""
    if not len(base) == len(mine) == len(theirs):
        return None
    joined = [_join_words(*lines) for lines in zip(base, mine, theirs, strict=True)]
    lines = [line for line in joined if line is not None]
    return lines if len(lines) == len(joined) else None


def _join_words(base: str, mine: str, theirs: str) -> str | None:
    """A line with both sides' changed words, None where both changed the same place."""
    old, one, other = split_words(base), split_words(mine), split_words(theirs)
    in_one, in_other = _word_places(old, one), _word_places(old, other)
    merged: list[str] = []
    at_old = at_one = at_other = 0
    for place in [*(place for place in in_one if place in in_other), len(old)]:
        to_one, to_other = in_one.get(place, len(one)), in_other.get(place, len(other))
        before, here, there = old[at_old:place], one[at_one:to_one], other[at_other:to_other]
        if here in (before, there):
            merged += there
        elif there == before:
            merged += here
        else:
            return None
        merged += old[place : place + 1]
        at_old, at_one, at_other = place + 1, to_one + 1, to_other + 1
    return "".join(merged)


def _word_places(base: Sequence[str], text: Sequence[str]) -> dict[int, int]:
    """Where words of `base` are in `text`, in order. Spaces alone hold nothing apart."""
    return {
        start + step: other + step
        for start, other, count in match_words(base, text)
        for step in range(count)
        if not base[start + step].isspace()
    }


def _places(base: Sequence[str], text: Sequence[str]) -> dict[int, int]:
    """Where lines of `base` are in `text`, in order."""
    return {
        start + step: other + step
        for start, other, count in match_lines(base, text)
        for step in range(count)
    }


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _tags(text: str) -> dict[str, str]:
    tags = [tag for part in text.split(",") if (tag := part.strip())]
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(tag.lower(), tag)
    return first

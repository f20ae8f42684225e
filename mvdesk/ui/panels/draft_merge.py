"""Two people's changes of one memory brought together: pure texts in, texts out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.textdiff import match_lines

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
    other fields that both changed, each its own way: they are as `mine`.
    """

    texts: Mapping[str, str]
    places: int
    kept: tuple[str, ...]


def merge_fields(
    base: Mapping[str, str], mine: Mapping[str, str], theirs: Mapping[str, str]
) -> Merged:
    """Field by field what `mine` and `theirs` made of `base`.

    A field that one side changed is that side's. Of tags both sides' additions and removals
    count; texts are merged by lines.
    """
    texts: dict[str, str] = {}
    kept: list[str] = []
    places = 0
    for name, before in base.items():
        one, other = mine[name], theirs[name]
        if one in (before, other):
            texts[name] = other
        elif other == before:
            texts[name] = one
        elif name == "content":
            texts[name], places = merge_lines(before, one, other)
        elif name == "tags":
            texts[name] = merge_tags(before, one, other)
        else:
            texts[name] = one
            kept.append(name)
    return Merged(texts, places, tuple(kept))


def merge_tags(base: str, mine: str, theirs: str) -> str:
    """Their tags, without those that I removed, and with those that I added at the end."""
    before, one, other = _tags(base), _tags(mine), _tags(theirs)
    merged = {key: tag for key, tag in other.items() if key in one or key not in before}
    merged |= {key: tag for key, tag in one.items() if key not in before and key not in merged}
    return ", ".join(merged.values())


def merge_lines(base: str, mine: str, theirs: str) -> tuple[str, int]:
    """A text with both sides' changed lines, and at how many places it holds both versions.

    It does where both changed the same lines or such beside each other. Line ends are those
    of `theirs`.
    """
    line_end = "\r\n" if "\r\n" in theirs else "\n"
    old, one, other = (_lines(text) for text in (base, mine, theirs))
    in_one, in_other = _places(old, one), _places(old, other)
    merged: list[str] = []
    conflicts = at_old = at_one = at_other = 0
    for place in [*(place for place in in_one if place in in_other), len(old)]:
        to_one, to_other = in_one.get(place, len(one)), in_other.get(place, len(other))
        conflicts += _merge_stretch(
            old[at_old:place], one[at_one:to_one], other[at_other:to_other], merged
        )
        merged += old[place : place + 1]
        at_old, at_one, at_other = place + 1, to_one + 1, to_other + 1
    return line_end.join(merged), conflicts


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
) -> bool:
    """Add a stretch that differs; True when it had to be both versions."""
    if mine in (base, theirs):
        merged += theirs
    elif theirs == base:
        merged += mine
    else:
        merged += [YOURS, *mine, THEIRS, *theirs, END]
        return True
    return False


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

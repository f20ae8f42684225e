"""Names of sources that are most likely one name, written in more than one way."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

LONG_WORD: Final = 6
"""Letters that a word needs before one of them may be a slip of the keyboard."""
MOST_COMPARED: Final = 5_000
"""So many names, the first ones, are looked through for slips; equal skeletons have no limit."""
LONGEST_COMPARED: Final = 60
"""Nor are longer ones: each of their letters would have to be left out in turn."""
_BEYOND_ALPHABETS: Final = "\u0530"


def skeleton_of(name: str) -> str:
    """A name without what people vary: case, accents, white space, punctuation.

    Numbers stay apart, symbols stay, and so does a "#" that ends a word: version 1.2 is not
    version 12, and C# is neither C nor C++. "" for a name of nothing but punctuation.
    """
    kept: list[str] = []
    plain = _without_accents(name)
    for before, char in pairwise(f" {plain}"):
        if char.isalnum() or unicodedata.category(char).startswith("S"):
            if char.isdigit() and kept and kept[-1].isdigit() and not before.isdigit():
                kept.append(" ")
            kept.append(char)
        elif char == "#" and before.isalnum():
            kept.append(char)
    return "".join(kept)


def group_names(names: Sequence[str]) -> list[list[str]]:
    """The names that belong together, groups of two and more, each in the order given.

    Names come first that are to stand for others: one that differs from them by a letter goes
    to the first it fits. Two names that fit a third needn't fit each other, so only those that
    fit the first one of a group are in it.
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        if skeleton := skeleton_of(name):
            groups.setdefault(skeleton, []).append(name)
    heads = {group[0]: skeleton for skeleton, group in groups.items()}
    compared = [head for head in heads if len(head) <= LONGEST_COMPARED][:MOST_COMPARED]
    taken: set[str] = set()
    by_gap: dict[str, list[str]] = {}
    for head in compared:
        words = words_of(head)
        gaps = _gaps(words)
        fits = (one for gap in gaps for one in by_gap.get(gap, ()) if one not in taken)
        first = next((one for one in fits if is_slip(words_of(one), words)), None)
        if first is None:
            for gap in gaps:
                by_gap.setdefault(gap, []).append(head)
        else:
            taken.add(head)
            groups[heads[first]] += groups.pop(heads[head])
    place = {name: n for n, name in enumerate(names)}
    found = [sorted(group, key=place.__getitem__) for group in groups.values() if len(group) > 1]
    return sorted(found, key=lambda group: place[group[0]])


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, without accents and punctuation."""
    plain = _without_accents(name)
    return tuple("".join(char if char.isalnum() else " " for char in plain).split())


def is_slip(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether names differ in one long word, by one letter or two neighbours swapped.

    Words with digits, short words, words that begin differently and those of scripts that
    aren't alphabets are different words when they differ at all.
    """
    if len(one) != len(other):
        return False
    differing = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if len(differing) != 1:
        return False
    a, b = differing[0]
    if min(len(a), len(b)) < LONG_WORD or a[0] != b[0]:
        return False
    if any(char.isdigit() or char >= _BEYOND_ALPHABETS for char in a + b):
        return False
    return _is_one_edit(*sorted((a, b), key=len))


def _is_one_edit(short: str, long: str) -> bool:
    start = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), None)
    if start is None:
        return len(long) == len(short) + 1
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    if short[start + 1 :] == long[start + 1 :]:
        return True
    swapped = short[start + 1 : start + 2] + short[start]
    return long[start : start + 2] == swapped and short[start + 2 :] == long[start + 2 :]


def _gaps(words: Sequence[str]) -> set[str]:
    """The name with each letter of a long word left out: names one letter apart share one.

    The whole name is among them, for those that have a letter more. Swapped neighbours share
    the name without either of them.
    """
    found = {" ".join(words)}
    for place, word in enumerate(words):
        if len(word) >= LONG_WORD:
            before, after = words[:place], words[place + 1 :]
            found |= {
                " ".join((*before, word[:n] + word[n + 1 :], *after)) for n in range(len(word))
            }
    return found


def _without_accents(name: str) -> str:
    """In lower case, compatible forms as the plain ones, accents left out."""
    split = unicodedata.normalize("NFKD", name.casefold())
    return "".join(char for char in split if not unicodedata.combining(char))

"""What differs between two texts: by words for people to read, by lines to merge."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_TOKEN: Final = re.compile(
    r"\r?\n"
    r"|[^\S\n]+"
    # Scripts without spaces between words go character by character.
    r"|[\u2e80-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff]"
    r"|[^\W\u2e80-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff]+"
    # Signs one by one, but an emoji with what belongs to it stays whole.
    r"|[^\w\s](?:[\ufe0f\u20e3\U0001f3fb-\U0001f3ff]|\u200d[^\w\s])*"
)
_MOST_COMPARISONS: Final = 1_000_000
"""Above this many pairs of like parts a stretch counts as replaced whole: half a second."""


class Piece(NamedTuple):
    """A stretch of text that is in both, or only in one of the two."""

    kind: Literal["same", "removed", "added"]
    text: str


def split_words(text: str) -> list[str]:
    """The text in words, single CJK characters, stretches of spaces, line ends and signs."""
    return _TOKEN.findall(text)


def diff_words(before: str, after: str) -> list[Piece]:
    """How `after` came from `before`, word by word; what was removed stands before what came.

    "same" and "removed" joined give `before`, "same" and "added" give `after`. Lines are
    compared first, then the words of those that differ. Texts without anything in common,
    or too long and too alike to compare in half a second, are told as replaced whole.
    """
    pieces: list[Piece] = []
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    at_old = at_new = 0
    for start_old, start_new, count in match_lines(old, new):
        _diff_stretch("".join(old[at_old:start_old]), "".join(new[at_new:start_new]), pieces)
        _add(pieces, "same", "".join(old[start_old : start_old + count]))
        at_old, at_new = start_old + count, start_new + count
    return pieces


def match_lines(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, int]]:
    """Where runs of lines are the same: start in `before`, start in `after`, how many.

    In order, and closed by an empty run at both ends.
    """
    return _match(before, after, None)


def match_words(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, int]]:
    """The same for words of `split_words`: spaces alone make no run."""
    return _match(before, after, str.isspace)


def _diff_stretch(before: str, after: str, pieces: list[Piece]) -> None:
    if not before or not after:
        _add(pieces, "removed", before)
        _add(pieces, "added", after)
        return
    old, new = split_words(before), split_words(after)
    at_old = at_new = 0
    for start_old, start_new, count in match_words(old, new):
        _add(pieces, "removed", "".join(old[at_old:start_old]))
        _add(pieces, "added", "".join(new[at_new:start_new]))
        _add(pieces, "same", "".join(old[start_old : start_old + count]))
        at_old, at_new = start_old + count, start_new + count


def _match(
    before: Sequence[str], after: Sequence[str], is_filler: Callable[[str], bool] | None
) -> list[tuple[int, int, int]]:
    head = _count_same(before, after)
    tail = _count_same(
        before[: head - 1 if head else None : -1], after[: head - 1 if head else None : -1]
    )
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    runs = [(0, 0, head)] if head else []
    if old and new and _count_comparisons(old, new, is_filler) <= _MOST_COMPARISONS:
        matcher = SequenceMatcher(is_filler, old, new, autojunk=False)
        runs += [(a + head, b + head, size) for a, b, size in matcher.get_matching_blocks() if size]
    if tail:
        runs.append((len(before) - tail, len(after) - tail, tail))
    return [*runs, (len(before), len(after), 0)]


def _count_same(before: Sequence[str], after: Sequence[str]) -> int:
    """How many parts are the same from the start on."""
    count = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        count += 1
    return count


def _count_comparisons(
    before: Sequence[str], after: Sequence[str], is_filler: Callable[[str], bool] | None
) -> int:
    counts = Counter(after)
    return sum(counts[part] for part in before if is_filler is None or not is_filler(part))


def _add(pieces: list[Piece], kind: Literal["same", "removed", "added"], text: str) -> None:
    if not text:
        return
    if pieces and pieces[-1].kind == kind:
        pieces[-1] = Piece(kind, pieces[-1].text + text)
    elif kind == "removed" and pieces and pieces[-1].kind == "added":
        # Between two of the same, what was removed stands first, all of it.
        if len(pieces) > 1 and pieces[-2].kind == "removed":
            pieces[-2] = Piece(kind, pieces[-2].text + text)
        else:
            pieces.insert(-1, Piece(kind, text))
    else:
        pieces.append(Piece(kind, text))

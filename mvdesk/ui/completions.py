"""Tags and sources that a vault knows, the most used first, and those that fit what is typed."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mvdesk.vault.tags import parse_tags

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from mvdesk.vault.snapshot import Snapshot

MOST_OFFERED: Final = 8
_MOST_KEPT: Final = 20_000


class Known(NamedTuple):
    """What can be offered, each list the most used first."""

    tags: tuple[str, ...]
    sources: tuple[str, ...]


def find_known(snapshot: Snapshot) -> Known:
    """The tags and sources of a vault; of spellings of one source the most used."""
    memories = snapshot.memories
    used: Counter[str] = Counter()
    for text, count in Counter(memories.tags).items():
        for tag in parse_tags(text):
            used[tag] += count
    texts = [text or "" for text in snapshot.sources.texts]
    rows = memories.source_rows
    counts = np.bincount(rows[rows >= 0], minlength=len(texts)).tolist()
    by_use = sorted(zip(texts, counts, strict=True), key=lambda one: (-one[1], one[0]))
    keys = dict(zip(texts, snapshot.sources.text_keys.tolist(), strict=True))
    sources: dict[int, str] = {}
    for text, _ in by_use:
        sources.setdefault(keys[text], text)
    tags = sorted(used, key=lambda tag: (-used[tag], tag))
    return Known(tuple(tags[:_MOST_KEPT]), tuple(sources.values())[:_MOST_KEPT])


def rank_fitting(known: Iterable[str], typed: str, without: Collection[str] = ()) -> list[str]:
    """A few of `known` that begin with `typed`, then such with a word that does, then others.

    Upper and lower case are the same, and so are letters with accents and without. Nothing
    fits an empty text, and what is typed whole already is not offered again.
    """
    whole = typed.strip().casefold()
    wanted = _fold(whole)
    if not wanted:
        return []
    ranks: tuple[list[str], ...] = ([], [], [])
    for text in known:
        folded = _fold(text)
        place = folded.find(wanted)
        if place < 0 or (cased := text.casefold()) == whole or cased in without:
            continue
        rank = 0 if place == 0 else 1 if not folded[place - 1].isalnum() else 2
        ranks[rank].append(text)
        if len(ranks[0]) == MOST_OFFERED:
            break
    return [text for rank in ranks for text in rank][:MOST_OFFERED]


@lru_cache(maxsize=2 * _MOST_KEPT)
def _fold(text: str) -> str:
    """A text without upper case and accents."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    split = unicodedata.normalize("NFKD", folded)
    return "".join(char for char in split if not unicodedata.combining(char)) or folded


def part_at(text: str, place: int) -> tuple[int, int]:
    """Start and end of the tag that a place of a comma-separated text lies in."""
    start = text.rfind(",", 0, place) + 1
    end = text.find(",", place)
    return start, len(text) if end < 0 else end


def other_parts(text: str, start: int) -> set[str]:
    """The tags of a text besides the one that begins at `start`, case-folded."""
    parts, at = set(), 0
    for part in text.split(","):
        if at != start:
            parts.add(part.strip().casefold())
        at += len(part) + 1
    return parts

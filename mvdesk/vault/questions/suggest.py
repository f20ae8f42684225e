"""Which memories might belong together but aren't linked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.rounding import round3
from mvdesk.vault.questions.words import find_words, is_latin, similarity
from mvdesk.vault.tags import parse_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.records import Memory
    from mvdesk.vault.snapshot import Snapshot

WORD_LIMIT: Final = 120
SHOWN_TAGS: Final = 5
_CHUNK: Final = 256
_DAY: Final = 86_400
_SLACK: Final = 0.001  # more than rounding adds


@dataclass(frozen=True, slots=True)
class SuggestSettings:
    """`min_score` as in the brain's policy; `include_linked` also tells of linked pairs."""

    min_score: float = 0.25
    limit: int | None = 20
    include_linked: bool = False

    def clamped(self) -> SuggestSettings:
        """The settings moved into the ranges that the server allows. All are finite."""
        return replace(
            self,
            min_score=min(max(self.min_score, 0), 1),
            limit=None if self.limit is None else min(max(self.limit, 1), 120),
        )


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two memories, as rows, and why they are alike.

    `score` is rounded to three decimals. `shared_tags` names the first five; `time` is the
    closeness of their last edits and `type` that of their types, both in [0, 1].
    """

    from_row: int
    to_row: int
    score: float
    shared_tags: tuple[str, ...]
    words: float
    same_source: bool
    time: float
    type: float


def find_suggestions(
    snapshot: Snapshot,
    seeds: Sequence[int],
    read_memories: Callable[[Sequence[str]], Sequence[Memory]],
    settings: SuggestSettings,
) -> list[Suggestion]:
    """The memories most like one of the seeds that aren't linked to it, the best first.

    Archived ones are left out. A pair of two seeds is told once, as seen from the first.
    `read_memories` gives the memories of some ids: only those are read that may still be
    among the best. Follows vault.md, "Link suggestions".
    """
    search = _Search(snapshot, read_memories, settings)
    for seed in dict.fromkeys(seeds):
        search.look_around(seed)
    return search.best()


class _Search:
    def __init__(
        self,
        snapshot: Snapshot,
        read_memories: Callable[[Sequence[str]], Sequence[Memory]],
        settings: SuggestSettings,
    ) -> None:
        self._snapshot, self._read, self._settings = snapshot, read_memories, settings
        sets = {text: frozenset(parse_tags(text)) for text in set(snapshot.memories.tags)}
        self._tags = [sets[text] for text in snapshot.memories.tags]
        self._words: dict[int, frozenset[str]] = {}
        self._found: dict[tuple[int, int], Suggestion] = {}

    def look_around(self, seed: int) -> None:
        """Compare a seed with every other memory, the likeliest first."""
        candidates = np.flatnonzero(self._candidates(seed))
        shared = self._count_shared(seed, candidates)
        times, same_source, same_type = self._facts(seed, candidates)
        # In the server's order of addition: the words' part goes between the first two.
        tag_part = np.minimum(1.0, shared / 3) * 0.45
        rest = same_source * 0.1, times * 0.05, np.where(same_type, 1.0, 0.45) * 0.05
        most = tag_part + 0.35 + rest[0] + rest[1] + rest[2]
        # Newest first among equals, as the server goes through them.
        order = np.lexsort((-candidates, -self._snapshot.memories.created_at[candidates], -most))
        seed_words = self._words_of([seed])[0]
        for start in range(0, len(order), _CHUNK):
            places = order[start : start + _CHUNK]
            if most[places[0]] + _SLACK < self._least():
                break
            words = self._words_of(candidates[places].tolist())
            for place, their_words in zip(places.tolist(), words, strict=True):
                alike = similarity(seed_words, their_words)
                score = round3(
                    float(tag_part[place])
                    + alike * 0.35
                    + float(rest[0][place])
                    + float(rest[1][place])
                    + float(rest[2][place])
                )
                self._keep(
                    Suggestion(
                        seed,
                        int(candidates[place]),
                        score,
                        self._shared_tags(seed, int(candidates[place])),
                        alike,
                        bool(same_source[place]),
                        float(times[place]),
                        1.0 if same_type[place] else 0.45,
                    )
                )

    def best(self) -> list[Suggestion]:
        """What was found, the highest score first."""
        found = sorted(self._found.values(), key=lambda one: -one.score)
        return found[: self._settings.limit]

    def _keep(self, suggestion: Suggestion) -> None:
        if suggestion.score < self._settings.min_score:
            return
        one, other = suggestion.from_row, suggestion.to_row
        pair = (min(one, other), max(one, other))
        kept = self._found.get(pair)
        if kept is None or kept.score < suggestion.score:
            self._found[pair] = suggestion

    def _least(self) -> float:
        """A score below which nothing will be listed."""
        limit = self._settings.limit
        if limit is None or len(self._found) < limit:
            return self._settings.min_score
        scores = sorted((one.score for one in self._found.values()), reverse=True)
        return max(self._settings.min_score, scores[limit - 1])

    def _candidates(self, seed: int) -> BoolArray:
        wanted: BoolArray = self._snapshot.memories.archived_at == NO_TIME
        wanted[seed] = False
        if not self._settings.include_linked:
            links = self._snapshot.links
            for ends, others in (
                (links.from_rows, links.to_rows),
                (links.to_rows, links.from_rows),
            ):
                linked = others[ends == seed]
                wanted[linked[linked >= 0]] = False
        return wanted

    def _count_shared(self, seed: int, candidates: IntArray) -> FloatArray:
        tags = self._tags[seed]
        counts = [len(tags & self._tags[row]) for row in candidates.tolist()]
        return np.array(counts, dtype=np.float64)

    def _shared_tags(self, seed: int, row: int) -> tuple[str, ...]:
        tags = parse_tags(self._snapshot.memories.tags[seed])
        return tuple(tag for tag in tags if tag in self._tags[row])[:SHOWN_TAGS]

    def _facts(self, seed: int, candidates: IntArray) -> tuple[FloatArray, BoolArray, BoolArray]:
        """Closeness in time, and whether source and type are the same."""
        table = self._snapshot.memories
        apart = np.abs(table.updated_at[candidates] - table.updated_at[seed]) / _DAY
        times = np.select([apart < 7, apart < 30, apart < 120], [1.0, 0.65, 0.3], 0.08)
        keys = np.append(self._snapshot.sources.text_keys, -1)[table.source_rows]
        same_source = (keys[candidates] == keys[seed]) & (keys[seed] >= 0)
        return times, same_source, table.type_codes[candidates] == table.type_codes[seed]

    def _words_of(self, rows: list[int]) -> list[frozenset[str]]:
        ids = {self._snapshot.memories.ids.text(row): row for row in rows if row not in self._words}
        for memory in self._read(list(ids)) if ids else ():
            parts = (memory.title, memory.key, memory.content, memory.source)
            text = " ".join(part or "" for part in parts)
            words = find_words(text, WORD_LIMIT, latin=is_latin(memory.content))
            self._words[ids[memory.id]] = frozenset(words)
        return [self._words.get(row, frozenset()) for row in rows]

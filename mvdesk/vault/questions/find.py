"""What a search finds, in the order of relevance and worth. Follows vault.md, "Search"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.records import RELATIONS
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.store.search import has_letters, split_words
from mvdesk.vault.tags import parse_tags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.records import ConflictResolution
    from mvdesk.scoring.engine import Scores
    from mvdesk.store.search import TextHit
    from mvdesk.vault.snapshot import Snapshot

RELEVANCE_SHARE: Final = 0.75
IMPORTANCE_SHARE: Final = 0.6
SUPERSEDED_COST: Final = 0.20
LOSER_COST: Final = 0.25

MAX_WORDS: Final = 32
"""Words of a search that count: the rest of a longer one is left out."""
MAX_PIECES: Final = 8
MAX_LIMIT: Final = 50
_FIRST: Final = 400
_LEAST_ID: Final = 4
_DECIDED: Final = ("resolved", "superseded")
_SUPERSEDES: Final = RELATIONS.index("supersedes")

# Scripts that put no spaces between words, so that FTS5 sees a whole sentence as one, and
# Hangul, which glues endings to its words.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]"
)
_ID: Final = re.compile("[0-9a-f-]+", re.IGNORECASE)


class TextSource(Protocol):
    """Where words and pieces of texts are looked up: `TextIndex`."""

    def find_words(
        self,
        brain_id: str,
        words: Sequence[str],
        *,
        any_word: bool = False,
        ranked: bool = True,
        limit: int | None = None,
    ) -> list[TextHit]: ...

    def find_inside(
        self, brain_id: str, pieces: Sequence[str], *, limit: int | None = None
    ) -> list[TextHit]: ...

    def find_ids(self, brain_id: str, beginning: str, limit: int) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class FindSettings:
    """Which hits count. `min_score` is compared with the confidence score.

    `tags` must all be there, spelled in whatever case. `limit` keeps the best ones, None: all.
    With `quick` hits are neither weighed nor complete: the first to be shown while typing.
    """

    type: str | None = None
    tags: tuple[str, ...] = ()
    source: str | None = None
    min_score: float = 0.0
    archived: bool = False
    limit: int | None = 20
    quick: bool = False

    def clamped(self) -> FindSettings:
        """The settings moved into the ranges that the server allows. All are finite."""
        return replace(
            self,
            min_score=min(max(self.min_score, 0.0), 1.0),
            limit=None if self.limit is None else min(max(self.limit, 1), MAX_LIMIT),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """What was found, the best first, as rows of the memory table.

    `relevance` is the text's alone, 1 for the best hit; `blended` is what the order goes by.
    `is_superseded` and `is_loser` tell why a hit is further down. `total` counts those that
    the limit left out, too.
    """

    rows: IntArray
    relevance: FloatArray
    blended: FloatArray
    is_superseded: BoolArray
    is_loser: BoolArray
    total: int


def find_memories(
    snapshot: Snapshot,
    scores: Scores,
    resolutions: Sequence[ConflictResolution],
    texts: TextSource,
    text: str,
    settings: FindSettings,
) -> Hits:
    """The memories whose texts fit what was typed. Takes any text, and never raises.

    Every word must be there, the last one as the beginning of a word; what looks like no word
    may be anywhere inside a text or begin an id. Where nothing holds all words, any will do.
    """
    strengths = _find_rows(snapshot, texts, text, quick=settings.quick)
    rows = np.array(list(strengths), dtype=np.intp)
    relevance = np.array(list(strengths.values()), dtype=np.float64)
    kept = _fitting(snapshot, scores, rows, settings)
    rows, relevance = rows[kept], relevance[kept]
    if len(rows) and (best := float(relevance.max())) > 0:
        relevance = relevance / best
    superseded = _superseded(snapshot)[rows]
    lost = _lost(snapshot, resolutions)[rows]
    worth = IMPORTANCE_SHARE * scores.importance[rows]
    worth += (1 - IMPORTANCE_SHARE) * scores.confidence[rows]
    blended = RELEVANCE_SHARE * relevance + (1 - RELEVANCE_SHARE) * worth
    blended -= SUPERSEDED_COST * superseded + LOSER_COST * lost
    # Newer ones first where nothing else decides.
    order = np.lexsort((rows, -snapshot.memories.updated_at[rows], -blended))[: settings.limit]
    return Hits(
        rows[order], relevance[order], blended[order], superseded[order], lost[order], len(rows)
    )


def find_holding(snapshot: Snapshot, texts: TextSource, text: str) -> IntArray:
    """The rows of the memories that hold every word of a text, ascending; all for no word.

    Words count as in `find_memories`, but where nothing holds them all nothing is found.
    """
    if not text.strip():
        return np.arange(len(snapshot.memories), dtype=np.intp)
    found = _find_rows(snapshot, texts, text, quick=False, all_words=True)
    return np.array(sorted(found), dtype=np.intp)


def find_superseding(snapshot: Snapshot, row: int) -> list[str]:
    """The ids of the memories that supersede this one, each once, oldest link first."""
    links = snapshot.links
    found = np.flatnonzero(_superseding_links(snapshot) & (links.to_rows == row))
    ids = snapshot.memories.ids
    return list(dict.fromkeys(ids.text(int(links.from_rows[link])) for link in found))


def _find_rows(
    snapshot: Snapshot, texts: TextSource, text: str, *, quick: bool, all_words: bool = False
) -> dict[int, float]:
    """How strong each hit is, by row; ids that the snapshot doesn't know are left out."""
    brain_id = snapshot.brain_id
    pieces = split_words(text, MAX_WORDS)
    words = [piece for piece in pieces if has_letters(piece)]
    limit = _FIRST if quick else None
    hits: list[TextHit] = []
    if not any(map(_UNSPACED.search, words)):
        hits = texts.find_words(brain_id, words, ranked=not quick, limit=limit)
    if not hits:
        hits = texts.find_inside(brain_id, pieces[:MAX_PIECES], limit=limit)
    if not hits and len(words) > 1 and not all_words:
        hits = texts.find_words(brain_id, words, any_word=True, ranked=not quick, limit=limit)
    rows = snapshot.rows_of([hit.memory_id for hit in hits]).tolist()
    found = {row: hit.strength for row, hit in zip(rows, hits, strict=True) if row >= 0}
    if len(pieces) == 1 and len(pieces[0]) >= _LEAST_ID and _ID.fullmatch(pieces[0]):
        # Whoever types the beginning of an id wants that memory before those that mention it.
        top = max(found.values(), default=1.0)
        rows = snapshot.rows_of(texts.find_ids(brain_id, pieces[0], _FIRST)).tolist()
        found |= {row: top for row in rows if row >= 0}
    return found


def _fitting(
    snapshot: Snapshot, scores: Scores, rows: IntArray, settings: FindSettings
) -> BoolArray:
    table = snapshot.memories
    keep: BoolArray = scores.confidence[rows] >= settings.min_score
    if not settings.archived:
        keep &= table.archived_at[rows] == NO_TIME
    if settings.type is not None:
        names = [name == settings.type.lower() for name in table.type_names]
        keep &= np.array([*names, False], dtype=np.bool_)[table.type_codes[rows]]
    if settings.source is not None:
        wanted = snapshot.rows_of_source(normalise_source_key(settings.source))
        keep &= np.isin(rows, wanted)
    if settings.tags:
        wanted_tags = set(parse_tags(",".join(settings.tags)))
        has = [wanted_tags.issubset(parse_tags(table.tags[row])) for row in rows.tolist()]
        keep &= np.array(has, dtype=np.bool_)
    return keep


def _superseding_links(snapshot: Snapshot) -> BoolArray:
    links = snapshot.links
    found: BoolArray = links.relations == _SUPERSEDES
    found &= (links.from_rows >= 0) & (links.from_rows != links.to_rows)
    return found


def _superseded(snapshot: Snapshot) -> BoolArray:
    """Which memories another one supersedes."""
    marks = np.zeros(len(snapshot.memories) + 1, dtype=np.bool_)  # the last for the row −1
    marks[snapshot.links.to_rows[_superseding_links(snapshot)]] = True
    superseded: BoolArray = marks[:-1]
    return superseded


def _lost(snapshot: Snapshot, resolutions: Sequence[ConflictResolution]) -> BoolArray:
    """Which memories lost a conflict that was decided for the other one."""
    marks = np.zeros(len(snapshot.memories), dtype=np.bool_)
    for one in resolutions:
        if one.status in _DECIDED and one.canonical_id in (one.a_id, one.b_id):
            loser = one.b_id if one.canonical_id == one.a_id else one.a_id
            if (row := snapshot.row_of(loser)) is not None:
                marks[row] = True
    return marks

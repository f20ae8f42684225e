"""Which memories an operator of a query lets through: marks for every memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.records import RELATIONS
from mvdesk.scoring.engine import DAY_SECONDS
from mvdesk.store.folding import fold_text
from mvdesk.vault.questions.low import find_low
from mvdesk.vault.questions.query_operators import Days, Flag, Range, day_start
from mvdesk.vault.tags import parse_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mvdesk.arrays import BoolArray, FloatArray, Int64Array, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.questions.query import Condition
    from mvdesk.vault.snapshot import Snapshot

MOVING: Final = frozenset(("conf", "imp", "trust", "low", "clamped", "idle", "age"))
"""Operators about what moves without a write: scores, tried trust, the clock."""

_SUPERSEDES: Final = RELATIONS.index("supersedes")
_LINK_COLUMNS: Final = ("links", "supports", "contradicts", "supersedes", "causes", "example_of")


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """What may move while a query stays: shown and stored scores, shown trust, the clock.

    `trust` is per memory, NaN for "not set". `is_local` says that days are those of the
    system's time zone, not of UTC.
    """

    scores: Scores
    stored: Scores
    trust: FloatArray
    now: int
    is_local: bool = True


def mark_condition(condition: Condition, snapshot: Snapshot, moment: Moment) -> BoolArray:
    """Marks the memories that an operator lets through.

    Everything but the texts `title:` and `insideword:`, which the snapshot doesn't hold.
    """
    value = condition.value
    if isinstance(value, Range):
        return _in_range(measure(condition.name, snapshot, moment), value)
    if isinstance(value, Days):
        return _in_days(_times(condition.name, snapshot), value, moment)
    if isinstance(value, Flag):
        return _flagged(condition.name, value, snapshot, moment)
    if condition.name in ("has", "no"):
        marks = _has(value, snapshot, moment)
        return marks if condition.name == "has" else ~marks
    return mark_text(condition, snapshot)


def measure(name: str, snapshot: Snapshot, moment: Moment) -> FloatArray:
    """The number of every memory that an operator compares, NaN where there is none."""
    memories = snapshot.memories
    if name == "conf":
        return moment.scores.confidence
    if name == "imp":
        return moment.scores.importance
    if name == "trust":
        return moment.trust
    if name == "links":
        return snapshot.link_counts[:, 0].astype(np.float64)
    if name == "recalls":
        return np.maximum(memories.access_count, 0).astype(np.float64)
    since = memories.created_at if name == "age" else _last_used(snapshot)
    days = (moment.now - since.astype(np.float64)) / DAY_SECONDS
    days[since == NO_TIME] = np.nan
    return days


def _last_used(snapshot: Snapshot) -> Int64Array:
    """When a memory was last edited or recalled, whichever is later."""
    memories = snapshot.memories
    written = np.where(memories.updated_at == NO_TIME, memories.created_at, memories.updated_at)
    recalled = np.where(memories.last_accessed_at > 0, memories.last_accessed_at, NO_TIME)
    return np.maximum(written, recalled)


def _in_range(values: FloatArray, wanted: Range) -> BoolArray:
    known = ~np.isnan(values)
    if wanted.is_set is not None:
        return known if wanted.is_set else ~known
    with np.errstate(invalid="ignore"):
        above = values > wanted.least if wanted.beyond else values >= wanted.least
        under = values < wanted.most if wanted.below else values <= wanted.most
    return known & above & under


def _times(name: str, snapshot: Snapshot) -> Int64Array:
    memories = snapshot.memories
    if name == "created":
        return memories.created_at
    if name == "edited":
        return memories.updated_at
    return np.where(memories.last_accessed_at > 0, memories.last_accessed_at, NO_TIME)


def _in_days(times: Int64Array, wanted: Days, moment: Moment) -> BoolArray:
    if wanted.first is None and wanted.after is None:
        never: BoolArray = times == NO_TIME
        return never
    marks: BoolArray = times != NO_TIME
    if wanted.first is not None:
        marks &= times >= day_start(wanted.first, local=moment.is_local)
    if wanted.after is not None:
        marks &= times < day_start(wanted.after, local=moment.is_local)
    return marks


def _flagged(name: str, flag: Flag, snapshot: Snapshot, moment: Moment) -> BoolArray:
    if name == "archived":
        marks: BoolArray = snapshot.memories.archived_at != NO_TIME
    elif name == "superseded":
        marks = mark_superseded(snapshot)
    elif name == "low":
        # By what is stored, so that nothing leaves the list while a preview moves.
        stored = moment.stored
        marks = find_low(snapshot, stored.importance if flag.which == "imp" else stored.confidence)
    else:
        scores = moment.scores
        marks = np.zeros(len(snapshot.memories), dtype=np.bool_)
        for raw in (scores.raw_confidence, scores.raw_importance):
            marks |= (raw < 0.0) | (raw > 1.0)
    return marks if flag.on else ~marks


def superseding_links(snapshot: Snapshot) -> BoolArray:
    """Marks the links by which one memory supersedes another one."""
    links = snapshot.links
    found: BoolArray = links.relations == _SUPERSEDES
    found &= (links.from_rows >= 0) & (links.from_rows != links.to_rows)
    return found


def mark_superseded(snapshot: Snapshot) -> BoolArray:
    """Which memories another one supersedes."""
    marks = np.zeros(len(snapshot.memories) + 1, dtype=np.bool_)  # the last for the row −1
    marks[snapshot.links.to_rows[superseding_links(snapshot)]] = True
    superseded: BoolArray = marks[:-1]
    return superseded


def _has(part: str, snapshot: Snapshot, moment: Moment) -> BoolArray:
    memories = snapshot.memories
    if part in _LINK_COLUMNS:
        linked: BoolArray = snapshot.link_counts[:, _LINK_COLUMNS.index(part)] > 0
        return linked
    if part == "related":
        others = snapshot.link_counts[:, 1:].sum(axis=1)
        related: BoolArray = snapshot.link_counts[:, 0] > others
        return related
    if part == "source":
        keyed = np.append(snapshot.sources.text_keys >= 0, False)
        return keyed[memories.source_rows]
    if part == "trust":
        return ~np.isnan(moment.trust)
    if part == "tag":
        return _fitting(memories.tags, lambda text: bool(parse_tags(text)))
    return _fitting(memories.keys, lambda text: bool((text or "").strip()))


def _fitting(texts: Iterable[str | None], fits: Callable[[str | None], bool]) -> BoolArray:
    """Marks the texts that fit; each distinct one is looked at once."""
    known: dict[str | None, bool] = {}
    marks = []
    for text in texts:
        found = known.get(text)
        if found is None:
            found = known[text] = fits(text)
        marks.append(found)
    return np.array(marks, dtype=np.bool_)


def make_fit(condition: Condition, *, inside: bool = False) -> Callable[[str], bool]:
    """Tells whether a text has the value of a condition, without case and accents.

    At the beginning of a word, or anywhere `inside`; quoted as words in a row; after "=" it
    must be the whole text. Several values with commas between them: any will do.
    """
    value, quoted = str(condition.value), condition.is_exact
    if condition.name == "tag":
        value = value.removeprefix("#")
    wanted = [" ".join(fold_text(one).split()) for one in ([value] if quoted else value.split(","))]
    wanted = [one for one in wanted if one] or [""]
    if condition.sign == "=":
        return lambda text: " ".join(fold_text(text).split()) in wanted
    choices = "|".join(re.escape(one) if inside else _bounded(one, quoted) for one in wanted)
    pattern = re.compile(choices)
    return lambda text: pattern.search(" ".join(fold_text(text).split())) is not None


def _bounded(value: str, is_phrase: bool) -> str:
    # Letters beyond the alphabets have no spaces between words: they begin one anywhere.
    before = r"(?<![^\W_])" if _is_lettered(value[:1]) else ""
    after = r"(?![^\W_])" if is_phrase and _is_lettered(value[-1:]) else ""
    return before + re.escape(value) + after


def _is_lettered(sign: str) -> bool:
    return sign.isalnum() and sign < "\u2e80"


def mark_text(condition: Condition, snapshot: Snapshot, *, inside: bool = False) -> BoolArray:
    """Marks the memories whose type, source, tag, key or title fits, or whose id begins so.

    For titles it looks at every one.
    """
    name, memories = condition.name, snapshot.memories
    if name == "id":
        return _mark_id(str(condition.value), condition.is_exact, snapshot)
    fits = make_fit(condition, inside=inside)
    if name == "type":
        names = np.array([*map(fits, memories.type_names), False], dtype=np.bool_)
        return names[memories.type_codes]
    if name == "source":
        texts = np.array([*(fits(text or "") for text in snapshot.sources.texts), False])
        return texts.astype(np.bool_)[memories.source_rows]
    if name == "tag":
        return _fitting(memories.tags, lambda text: any(map(fits, parse_tags(text))))
    column = memories.keys if name == "key" else memories.labels
    return _fitting(column, lambda text: text is not None and fits(text))


def _mark_id(value: str, is_exact: bool, snapshot: Snapshot) -> BoolArray:
    wanted = value.strip().lower()
    marks = np.zeros(len(snapshot.memories), dtype=np.bool_)
    if is_exact:
        row = snapshot.row_of(value.strip())
        if row is not None:
            marks[row] = True
        return marks
    return rows_marked(
        [row for row, one in enumerate(snapshot.memories.ids) if _begins(one, wanted)], snapshot
    )


def _begins(text: str | None, beginning: str) -> bool:
    return text is not None and text.lower().startswith(beginning)


def rows_marked(rows: Sequence[int] | IntArray, snapshot: Snapshot) -> BoolArray:
    """Marks for every memory, set in some rows."""
    marks = np.zeros(len(snapshot.memories), dtype=np.bool_)
    marks[np.asarray(rows, dtype=np.intp)] = True
    return marks

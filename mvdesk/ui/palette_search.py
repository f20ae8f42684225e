"""What the command palette finds: actions, memories, sources and tags by a few letters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.signals import normalise_source_key
from mvdesk.ui.completions import Known, find_known
from mvdesk.ui.letters import AT_WORD, INSIDE, LetterIndex
from mvdesk.ui.memory_search import describe_memory
from mvdesk.ui.title_finder import TitleFinder
from mvdesk.ui.widgets.palette_picker import PaletteEntry
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mvdesk.ui.widgets.palette_picker import Kind
    from mvdesk.vault.snapshot import Snapshot

PREFIXES: Final[dict[str, tuple[Kind, ...]]] = {
    ">": ("action", "setting", "help"),
    "@": ("source",),
    "#": ("tag",),
    "?": ("help",),
}
"""What a text that begins so is looked for among."""

MOST_FOUND: Final = 60
_MOST_MEMORIES: Final = 30
_MOST_MIXED: Final = 12  # sources, or tags, among others
_ORDER: Final[tuple[Kind, ...]] = ("action", "setting", "help", "memory", "source", "tag")
_TOLD: Final = 2 * INSIDE + 1  # found in what is said of an action: after its name, before chance


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was typed, taken apart: `words` folded, and the kinds that are asked for."""

    words: tuple[str, ...]
    kinds: tuple[Kind, ...]

    @classmethod
    def of(cls, text: str) -> Wanted:
        """Read a text; digits alone are the beginning of an id."""
        text = text.strip()
        kinds = PREFIXES.get(text[:1])
        if kinds is not None:
            text = text[1:]
        elif text.isdecimal():
            kinds = ("memory",)
        return cls(tuple(text.casefold().split()), kinds or _ORDER)


@dataclass(slots=True)
class VaultIndex:
    """The memories, sources and tags of a snapshot. Made in a job."""

    snapshot: Snapshot
    titles: TitleFinder = field(init=False)
    known: Known = field(init=False)
    sources: LetterIndex = field(init=False)
    tags: LetterIndex = field(init=False)

    def __post_init__(self) -> None:
        self.titles = TitleFinder(self.snapshot)
        known = find_known(self.snapshot)
        named = tuple(text for text in known.sources if normalise_source_key(text))
        self.known = known._replace(sources=named)
        self.sources = LetterIndex(self.known.sources)
        self.tags = LetterIndex(self.known.tags)


@dataclass(frozen=True, slots=True)
class Recent:
    """What was chosen of late, newest first: `names` in the palette, `ids` of memories."""

    names: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


Found = tuple[tuple[int, bool, int, int, int, int], PaletteEntry]


def search_palette(
    text: str,
    fixed: Sequence[tuple[PaletteEntry, str]],
    index: VaultIndex | None,
    recent: Recent,
) -> list[PaletteEntry]:
    """The best first. `fixed` are actions and such, each with a sentence about it."""
    wanted = Wanted.of(text)
    if not wanted.words:
        return _without_words(wanted, fixed, index, recent)
    found: list[Found] = []
    places = {name: place for place, name in enumerate(recent.names)}
    for entry, rank, spread, length in (
        *_find_fixed(wanted, fixed),
        *(_find_in_vault(wanted, index, recent) if index is not None else ()),
    ):
        place = places.get(entry.name, len(places))
        kind = _ORDER.index(entry.kind)
        found.append(((rank, bool(entry.reason), place, kind, spread, length), entry))
    found.sort(key=lambda one: one[0])
    return [entry for _, entry in found[:MOST_FOUND]]


def _without_words(
    wanted: Wanted,
    fixed: Sequence[tuple[PaletteEntry, str]],
    index: VaultIndex | None,
    recent: Recent,
) -> list[PaletteEntry]:
    """What was chosen of late, then all actions, or the most used sources or tags."""
    entries = {entry.name: entry for entry, _ in fixed if entry.kind in wanted.kinds}
    of_vault: list[PaletteEntry] = []
    if index is not None:
        if "memory" in wanted.kinds:
            rows = [index.snapshot.row_of(one) for one in recent.ids[:5]]
            of_vault += [_memory(index.snapshot, row) for row in rows if row is not None]
        if "source" in wanted.kinds and len(wanted.kinds) == 1:
            of_vault += [_source(index.snapshot, text) for text in index.known.sources[:MOST_FOUND]]
        if "tag" in wanted.kinds and len(wanted.kinds) == 1:
            of_vault += [_tag(text) for text in index.known.tags[:MOST_FOUND]]
    first = [entries.pop(name) for name in recent.names if name in entries]
    rest = sorted(entries.values(), key=lambda entry: bool(entry.reason))
    if not first:
        return [*of_vault, *rest]
    return [*first[:6], *of_vault, *first[6:], *rest]


def _find_fixed(
    wanted: Wanted, fixed: Sequence[tuple[PaletteEntry, str]]
) -> Iterator[tuple[PaletteEntry, int, int, int]]:
    among = [(entry, told) for entry, told in fixed if entry.kind in wanted.kinds]
    found = LetterIndex(entry.title for entry, _ in among).find(wanted.words)
    for row, rank, spread, length in zip(*[one.tolist() for one in found], strict=True):
        yield among[row][0], 2 * rank, spread, length
    known = set(found.rows.tolist())
    told = LetterIndex(f"{entry.title} {sentence}" for entry, sentence in among)
    rows, ranks, spread_, lengths = told.find(wanted.words)
    for row, rank, spread, length in zip(
        rows.tolist(), ranks.tolist(), spread_.tolist(), lengths.tolist(), strict=True
    ):
        if rank <= AT_WORD and row not in known:
            yield among[row][0], _TOLD, spread, length


def _find_in_vault(
    wanted: Wanted, index: VaultIndex, recent: Recent
) -> Iterator[tuple[PaletteEntry, int, int, int]]:
    snapshot = index.snapshot
    if "memory" in wanted.kinds:
        known = [row for row in map(snapshot.row_of, recent.ids) if row is not None]
        text = " ".join(wanted.words)
        limit = MOST_FOUND if len(wanted.kinds) == 1 else _MOST_MEMORIES
        for place, one in enumerate(index.titles.find(text, recent=known, limit=limit)):
            yield _memory(snapshot, one.row), 2 * one.rank, place, 0
    if "source" in wanted.kinds:
        for row, rank, spread, length in _best(index.sources, wanted):
            yield _source(snapshot, index.known.sources[row]), rank, spread, length
    if "tag" in wanted.kinds:
        for row, rank, spread, length in _best(index.tags, wanted):
            yield _tag(index.known.tags[row]), rank, spread, length


def _best(letters: LetterIndex, wanted: Wanted) -> list[tuple[int, int, int, int]]:
    """Rows with how well they were found; those used most come first in the index."""
    found = letters.find(wanted.words)
    rows = zip(*[one.tolist() for one in found], strict=True)
    best = sorted(rows, key=lambda one: (one[1], one[2], one[3]))
    limit = MOST_FOUND if len(wanted.kinds) == 1 else _MOST_MIXED
    return [(row, 2 * rank, spread, length) for row, rank, spread, length in best[:limit]]


def _memory(snapshot: Snapshot, row: int) -> PaletteEntry:
    memories = snapshot.memories
    title = " ".join((memories.labels.text(row) or "").split())
    detail = describe_memory(snapshot, row)
    return PaletteEntry(f"memory:{memories.ids.text(row)}", "memory", title, detail)


def _source(snapshot: Snapshot, text: str) -> PaletteEntry:
    key = normalise_source_key(text)
    said = tr("source")
    if (place := snapshot.key_index(key)) is not None:
        trust = float(snapshot.sources.trust[place])
        said += (
            tr(", trust not set") if math.isnan(trust) else tr(", trust {trust:.2f}", trust=trust)
        )
    return PaletteEntry(f"source:{key}", "source", " ".join(text.split()), said)


def _tag(tag: str) -> PaletteEntry:
    return PaletteEntry(f"tag:{tag}", "tag", " ".join(tag.split()), tr("tag"))

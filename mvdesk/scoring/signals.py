"""What the score models look at in a memory's text and source: one function per signal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from mvdesk.scoring.keyword_scan import KeywordScanner
from mvdesk.scoring.whitespace import cut_utf16, fold_spaces, solid_length, trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mvdesk.scoring.model import KeywordLists, ScoreModel

SOURCE_KEY_UNITS = 160


class TextSignals(NamedTuple):
    """Per text: distinct keywords found of each list, and UTF-16 units without white space."""

    certainty_hits: npt.NDArray[np.int32]
    hedge_hits: npt.NDArray[np.int32]
    importance_hits: npt.NDArray[np.int32]
    content_length: npt.NDArray[np.int32]


class SourceSignals(NamedTuple):
    """Per source: is there one, does it hold a high-signal word, a low-signal word."""

    named: npt.NDArray[np.bool_]
    high: npt.NDArray[np.bool_]
    low: npt.NDArray[np.bool_]


def normalise_source_key(source: str | None) -> str:
    """The key under which trust of a source is stored, "" for no source.

    Trimmed, lower-cased, runs of white space as one space, cut to 160 UTF-16 units: the cut
    may leave a space or half of a surrogate pair at the end, as on the server.
    """
    return cut_utf16(fold_spaces(trim(source or "").lower()), SOURCE_KEY_UNITS)


def normalise_source_text(source: str | None) -> str:
    """The source as keywords are looked for in it: trimmed and lower-cased, "" for none."""
    return trim(source or "").lower()


def text_of(title: str | None, key: str | None, content: str | None, tags: str | None) -> str:
    """The text that keywords are looked for in: four fields, one space between, lower-cased."""
    # An empty field still adds its space; lower(), not casefold(), as the server does.
    return f"{title or ''} {key or ''} {content or ''} {tags or ''}".lower()


def measure_texts(texts: Iterable[str], keywords: KeywordLists) -> TextSignals:
    """The text signals of texts that `text_of` made; each keyword counts once a text."""
    scanner = KeywordScanner(keywords.of_text)
    hits: list[tuple[int, ...]] = []
    lengths: list[int] = []
    for text in texts:
        hits.append(scanner.count(text))
        lengths.append(solid_length(text))
    certainty, hedge, importance = np.array(hits, dtype=np.int32).reshape(-1, 3).T.copy()
    return TextSignals(certainty, hedge, importance, np.array(lengths, dtype=np.int32))


def measure_sources(sources: Sequence[str | None], model: ScoreModel) -> SourceSignals:
    """The source signals; the same text is looked at once however often it occurs."""
    high, low = model.keywords.high_source, model.keywords.low_source
    seen: dict[str | None, tuple[bool, bool, bool]] = {}
    for source in sources:
        if source not in seen:
            text = normalise_source_text(source)
            seen[source] = (
                text != "",
                any(word in text for word in high),
                any(word in text for word in low),
            )
    marks = np.array([seen[source] for source in sources], dtype=np.bool_)
    return SourceSignals(*marks.reshape(-1, 3).T.copy())

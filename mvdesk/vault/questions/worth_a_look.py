"""Sources that a person should look at: contradicted ones, untrusted big ones, split ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.vault.questions.source_facts import find_spellings
from mvdesk.vault.questions.source_names import group_names

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.vault.questions.source_facts import SourceFacts
    from mvdesk.vault.snapshot import Snapshot

LEAST_CONTRADICTED: Final = 3
LEAST_MEMORIES: Final = 5
LEAST_SHARE: Final = 0.03
FAR_MORE: Final = 1.5
MOST_SHOWN: Final = 10
_Z: Final = 1.96


@dataclass(frozen=True, slots=True)
class OftenContradicted:
    """A source whose memories are contradicted far more often than those of the others.

    `contradicted` of its `active` memories are; of the others it is `rest_share`, in [0, 1].
    """

    key: str
    contradicted: int
    active: int
    rest_share: float

    @property
    def share(self) -> float:
        return self.contradicted / self.active


@dataclass(frozen=True, slots=True)
class WithoutTrust:
    """A source that no trust is set for although it holds many memories.

    `share` is its part of all active memories that name a source; `leverage` is that of
    `SourceFacts`, in confidence points.
    """

    key: str
    active: int
    share: float
    leverage: float


@dataclass(frozen=True, slots=True)
class SplitSource:
    """Sources that are most likely one, the one with most memories first.

    `memories` counts archived ones too; `trusts` are None where not set. `text` is the
    spelling to offer for all: the commonest of the first one.
    """

    keys: tuple[str, ...]
    memories: tuple[int, ...]
    trusts: tuple[float | None, ...]
    text: str


@dataclass(frozen=True, slots=True)
class WorthALook:
    """What was found, the most telling of each kind first."""

    contradicted: tuple[OftenContradicted, ...]
    without_trust: tuple[WithoutTrust, ...]
    split: tuple[SplitSource, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.contradicted or self.without_trust or self.split)


def find_worth_a_look(snapshot: Snapshot, facts: SourceFacts) -> WorthALook:
    """The sources of each kind that stand out."""
    return WorthALook(
        find_often_contradicted(facts), find_without_trust(facts), find_split(snapshot, facts)
    )


def find_often_contradicted(facts: SourceFacts) -> tuple[OftenContradicted, ...]:
    """Sources whose contradicted share is far above that of all others, and beyond chance.

    Far is half as much again. Fair to small sources: the 95 % interval of the difference to all
    other memories together, those without a source left out, has to lie above 0 (Newcombe's, of
    two Wilson intervals). At least 5 memories, at least 3 of them contradicted.
    """
    contradicted, active = facts.contradicted, facts.active
    rest = active.sum() - active
    rest_contradicted = contradicted.sum() - contradicted
    share = contradicted / np.maximum(active, 1)
    rest_share = rest_contradicted / np.maximum(rest, 1)
    low, _ = wilson_bounds(contradicted, active)
    _, high = wilson_bounds(rest_contradicted, rest)
    beyond = share - rest_share - np.hypot(share - low, high - rest_share)
    found = (beyond > 0) & (share >= FAR_MORE * rest_share)  # never without others: high is 1
    found &= (contradicted >= LEAST_CONTRADICTED) & (active >= LEAST_MEMORIES)
    places = sorted(np.flatnonzero(found).tolist(), key=lambda n: (-beyond[n], n))
    return tuple(
        OftenContradicted(
            facts.keys[n],
            int(contradicted[n]),
            int(active[n]),
            float(rest_share[n]),
        )
        for n in places[:MOST_SHOWN]
    )


def find_without_trust(facts: SourceFacts) -> tuple[WithoutTrust, ...]:
    """Sources that are "not set", with at least 5 memories and 3 % of all that name a source.

    The one that a trust could move farthest comes first.
    """
    total = max(int(facts.active.sum()), 1)
    found = np.isnan(facts.trust) & (facts.active >= LEAST_MEMORIES)
    found &= facts.active / total >= LEAST_SHARE
    places = sorted(np.flatnonzero(found).tolist(), key=lambda n: (-facts.leverage[n], n))
    return tuple(
        WithoutTrust(
            facts.keys[n],
            int(facts.active[n]),
            int(facts.active[n]) / total,
            float(facts.leverage[n]),
        )
        for n in places[:MOST_SHOWN]
    )


def find_split(snapshot: Snapshot, facts: SourceFacts) -> tuple[SplitSource, ...]:
    """Sources whose names differ by accents, punctuation, white space or one letter alone.

    Case and runs of white space make no other source; `find_spellings` tells those.
    """
    counts = dict(zip(facts.keys, (facts.active + facts.archived).tolist(), strict=True))
    trusts = dict(zip(facts.keys, facts.trust.tolist(), strict=True))
    named = sorted((key for key in facts.keys if counts[key]), key=lambda key: (-counts[key], key))
    spellings = find_spellings(snapshot)
    found = [
        SplitSource(
            tuple(keys),
            tuple(counts[key] for key in keys),
            tuple(None if math.isnan(trusts[key]) else trusts[key] for key in keys),
            spellings[keys[0]][0].text,
        )
        for keys in group_names(named)
    ]
    found.sort(key=lambda one: (-sum(one.memories[1:]), one.keys))
    return tuple(found)


def wilson_bounds(successes: IntArray, total: IntArray) -> tuple[FloatArray, FloatArray]:
    """The ends of the 95 % Wilson score interval of each share; 0 and 1 without any trial."""
    count = np.maximum(total, 1)
    share = successes / count
    spread = _Z * np.sqrt(share * (1 - share) / count + _Z * _Z / (4 * count * count))
    middle, scale = share + _Z * _Z / (2 * count), 1 + _Z * _Z / count
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return np.where(total > 0, low, 0.0), np.where(total > 0, high, 1.0)

"""What a preview does besides moving scores: places in the ranking, conflicts, searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.vault.questions.movers import find_movers
from mvdesk.vault.questions.retrieval_effect import (
    Reach,
    SearchChange,
    make_finder,
    measure_reach,
    measure_search,
    trust_reach,
)
from mvdesk.vault.saved_searches import read_searches
from mvdesk.vault.searching import Searcher

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.questions.conflict_changes import ConflictChanges, ConflictIndex
    from mvdesk.vault.questions.movers import Movers
    from mvdesk.vault.questions.retrieval_effect import Find
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

MOST_MOVERS: Final = 50
"""So many each way are listed."""


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A preview as a job gets it: scores before and after, and the trusts that make them."""

    vault: Vault
    snapshot: Snapshot
    model: ScoreModel
    before: Scores
    after: Scores
    trust: Mapping[str, float | None]
    kind: ScoreKind
    now: int

    @classmethod
    def of(cls, session: VaultSession, kind: ScoreKind) -> Tried:
        """What the session shows now."""
        return cls(
            session.vault,
            session.snapshot,
            session.model,
            session.committed_scores,
            session.tried_scores,
            session.preview.trust,
            kind,
            session.now,
        )

    def is_of(self, session: VaultSession, kind: ScoreKind) -> bool:
        """Whether the session still shows the same."""
        return (
            self.snapshot is session.snapshot
            and self.before is session.committed_scores
            and self.after is session.tried_scores
            and self.kind == kind
        )


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """What a preview does to places and conflicts."""

    tried: Tried
    movers: Movers
    conflicts: ConflictChanges


@dataclass(frozen=True, slots=True, eq=False)
class Retrieval:
    """What a preview does to the saved searches. `most` is the most that trust can do at all."""

    tried: Tried
    searches: tuple[SearchChange, ...]
    reach: Reach
    most: float
    find: Find


def find_effects(tried: Tried, index: ConflictIndex, _token: CancelToken) -> Effects:
    """Ranks and conflicts; `index` is that of the same snapshot."""
    movers = find_movers(
        tried.snapshot,
        tried.before,
        tried.after,
        tuple(tried.trust),
        kind=tried.kind,
        limit=MOST_MOVERS,
    )
    return Effects(tried, movers, index.find_changes(tried.before, tried.after))


def find_retrieval(tried: Tried, find: Find | None, token: CancelToken) -> Retrieval:
    """The best hits of every saved search before and after."""
    vault, snapshot = tried.vault, tried.snapshot
    if find is None:
        find = make_finder(Searcher(vault), snapshot, tried.now)
    changes = []
    for text in read_searches(vault.companion, vault.brain.id):
        if token.is_cancelled():
            break
        changes.append(measure_search(text, tried.before, tried.after, find, trust=tried.trust))
    reach = measure_reach(snapshot, tried.before, tried.after)
    return Retrieval(tried, tuple(changes), reach, trust_reach(tried.model), find)

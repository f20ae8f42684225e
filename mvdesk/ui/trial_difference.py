"""What lies between two overlays of trust values: who moves from the one to the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mvdesk.ui.effects import MOST_MOVERS, Tried
from mvdesk.vault.questions.movers import find_movers
from mvdesk.vault.questions.overlay import Overlay
from mvdesk.vault.trials import differing_sources

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.questions.movers import Movers


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Two overlays, the one compared with first, and what they are called."""

    tried: Tried
    now: int
    overlays: tuple[Mapping[str, float | None], Mapping[str, float | None]]
    names: tuple[str, str]

    @classmethod
    def of(
        cls,
        session: VaultSession,
        overlays: tuple[Mapping[str, float | None], Mapping[str, float | None]],
        names: tuple[str, str],
    ) -> Compared:
        """Over what the session has stored now."""
        return cls(Tried.of(session, "confidence"), session.now, overlays, names)


@dataclass(frozen=True, slots=True, eq=False)
class TrialDifference:
    """Who moves between them, and the sources whose trusts differ."""

    compared: Compared
    tried: Tried
    movers: Movers
    sources: tuple[str, ...]


def find_difference(compared: Compared, _token: CancelToken) -> TrialDifference:
    """Scores both overlays and ranks the memories under each."""
    tried, (one, other) = compared.tried, compared.overlays
    snapshot = tried.snapshot
    sources = differing_sources(snapshot, one, other)
    overlay = Overlay(snapshot, tried.model, compared.now, tried.before)
    known = [
        {key: value for key, value in trust.items() if snapshot.key_index(key) is not None}
        for trust in (one, other)
    ]
    before, after = (overlay.scores(trust) for trust in known)
    movers = find_movers(snapshot, before, after, sources, limit=MOST_MOVERS)
    between = {key: known[1][key] for key in sources if key in known[1]}
    return TrialDifference(
        compared, replace(tried, before=before, after=after, trust=between), movers, sources
    )

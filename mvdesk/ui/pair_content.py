"""What is shown of two memories side by side, read and compared off the GUI thread."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.records import RELATION_WORDS, RELATIONS
from mvdesk.textdiff import diff_words
from mvdesk.ui.moments import format_day
from mvdesk.ui.plans import new_id
from mvdesk.ui.widgets.pair_view import PairSide
from mvdesk.ui.widgets.trust_slider import format_trust
from mvdesk.vault.questions.conflict_choices import find_outcomes, read_pair, score_pair
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from mvdesk.records import Memory
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.textdiff import Piece
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.questions.conflict_choices import Outcome, PairScores, PairState
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault


@dataclass(frozen=True, slots=True, eq=False)
class PairQuestion:
    """Two memories as a job gets them, with the trusts (NaN for not set) that are shown."""

    vault: Vault
    snapshot: Snapshot
    model: ScoreModel
    now: int
    a_id: str
    b_id: str
    trust: tuple[float, float]

    @classmethod
    def of(cls, session: VaultSession, a_id: str, b_id: str) -> PairQuestion | None:
        """The pair as the session shows it; None when one of the two is gone."""
        snapshot, trusts = session.snapshot, []
        for one in (a_id, b_id):
            row = snapshot.row_of(one)
            if row is None:
                return None
            key = snapshot.source_key_of_row(row)
            trust = None if key is None else session.trust_of(key)
            trusts.append(np.nan if trust is None else trust)
        trust_of_both = trusts[0], trusts[1]
        return cls(session.vault, snapshot, session.model, session.now, a_id, b_id, trust_of_both)


@dataclass(frozen=True, slots=True, eq=False)
class PairContent:
    """Both sides, and what every choice about them comes to with and without retiring."""

    question: PairQuestion
    state: PairState
    sides: tuple[PairSide, PairSide]
    outcomes: tuple[Outcome, ...]
    retiring: tuple[Outcome, ...]


def find_pair(question: PairQuestion, _token: CancelToken) -> PairContent:
    """Raises MemoryNotFound."""
    vault, snapshot = question.vault, question.snapshot
    state = read_pair(vault, question.a_id, question.b_id)
    found = [
        find_outcomes(
            vault,
            snapshot,
            state,
            question.model,
            question.now,
            np.array(question.trust),
            retire=retire,
            new_id=new_id,
        )
        for retire in (False, True)
    ]
    sides = _sides(question, state.a, state.b, found[0][0].before)
    return PairContent(question, state, sides, found[0], found[1])


def find_two(question: PairQuestion, _token: CancelToken) -> tuple[PairSide, PairSide]:
    """Both sides alone. Raises MemoryNotFound."""
    vault, snapshot = question.vault, question.snapshot
    a, b = vault.read_memory(question.a_id), vault.read_memory(question.b_id)
    rows = snapshot.rows_of([a.id, b.id]).tolist()
    scores = score_pair(snapshot, rows, question.model, question.now, np.array(question.trust))
    return _sides(question, a, b, scores)


def _sides(
    question: PairQuestion, a: Memory, b: Memory, scores: PairScores
) -> tuple[PairSide, PairSide]:
    pieces = split_sides(a.content, b.content)
    sides = [
        PairSide(
            memory.id,
            " ".join(memory.label.split())[:300],
            tell_facts(question.snapshot, memory, scores, at, question.trust[at]),
            pieces[at],
        )
        for at, memory in enumerate((a, b))
    ]
    return sides[0], sides[1]


def split_sides(a: str, b: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both texts in pieces: what both have, and what only this one has."""
    pieces = diff_words(a, b)
    return (
        tuple(piece for piece in pieces if piece.kind != "added"),
        tuple(piece for piece in pieces if piece.kind != "removed"),
    )


def tell_facts(
    snapshot: Snapshot, memory: Memory, scores: PairScores, at: int, trust: float
) -> tuple[str, str, str]:
    """Scores, source and its trust in one line; dates; links."""
    source = " ".join((memory.source or "").split())[:120]
    said = format_trust(None if np.isnan(trust) else trust)
    told = (
        tr("Source {source}, trust {said}", source=source, said=said) if source else tr("No source")
    )
    dates = tr(
        "Made {created_at}  ·  edited {updated_at}",
        created_at=format_day(memory.created_at),
        updated_at=format_day(memory.updated_at),
    )
    recalled = memory.last_accessed_at
    if recalled is not None and recalled not in (0, NO_TIME):
        dates += tr("  ·  recalled {recalled}", recalled=format_day(recalled))
    confidence, importance = scores.confidence[at], scores.importance[at]
    scored = tr(
        "Conf. {confidence:.3f}  ·  imp. {importance:.3f}",
        confidence=confidence,
        importance=importance,
    )
    return f"{scored}  ·  {told}", dates, _tell_links(snapshot, memory)


def _tell_links(snapshot: Snapshot, memory: Memory) -> str:
    row = snapshot.row_of(memory.id)
    links = [] if row is None else snapshot.links_of_row(row).tolist()
    codes = Counter(int(snapshot.links.relations[link]) for link in links)
    if not codes:
        return tr("No links")
    kinds = [
        f"{count} {RELATION_WORDS[RELATIONS[code]] if code >= 0 else tr('other')}"
        for code, count in codes.most_common()
    ]
    total = sum(codes.values())
    return f"{tr_n('1 link', '{total:,} links', total, total=total)}: {', '.join(kinds)}"

"""Random small vaults in which trust has something to do, and the same answers by brute force."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from mvdesk.arrays import NO_TIME
from mvdesk.records import RELATIONS
from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from pathlib import Path

    from mvdesk.arrays import FloatArray
    from mvdesk.vault.questions.movers import Movers, Moves
    from mvdesk.vault.snapshot import Snapshot

NOW = 1_796_000_000
DAY = 86_400
SOURCES = ("Slack #design", "slack  #DESIGN", "api: billing", "Blog", "hearsay", "日報", " ", None)
TRUSTED = {"slack #design": 0.35, "blog": 0.5, "nobody": 0.9}


def make_tuned_vault(path: Path, seed: int, *, memories: int = 80) -> None:
    """A vault with contradicting facts, shared keys, archived rows and rulings."""
    Vault.create(path, "Tuned", now=NOW, new_id=lambda: "brain").close()
    rng = random.Random(seed)
    with closing(sqlite3.connect(path)) as db:
        db.executemany(
            "INSERT INTO memories (id, brain_id, type, title, key, content, source, confidence,"
            " importance, archived_at, access_count, last_accessed_at, created_at, updated_at)"
            " VALUES (?, 'brain', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    f"m{n:03d}",
                    rng.choice(("fact", "fact", "note")),
                    f"Memory {n}",
                    rng.choice((None, "rent", "Rent ", "port", "host")),
                    rng.choice(("one", "One ", "two", "three", "verified four", " ")),
                    rng.choice(SOURCES),
                    rng.choice((0.45, 0.6, 0.7, 0.95, rng.random())),
                    rng.random(),
                    NOW if rng.random() < 0.1 else None,
                    rng.choice((0, 0, 3)),
                    rng.choice((None, NOW - 3 * DAY)),
                    NOW - rng.randrange(900) * DAY,
                    NOW - rng.randrange(500) * DAY,
                )
                for n in range(memories)
            ],
        )
        pairs = {tuple(rng.sample(range(memories), 2)) for _ in range(2 * memories)}
        db.executemany(
            "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, created_at)"
            " VALUES (?, 'brain', ?, ?, ?, ?)",
            [
                (f"l{n}", f"m{a:03d}", f"m{b:03d}", rng.choice(("contradicts", *RELATIONS)), NOW)
                for n, (a, b) in enumerate(sorted(pairs))
            ],
        )
        db.executemany(
            "INSERT INTO brain_source_trust VALUES (?, 'brain', ?, ?, ?, ?, ?)",
            [
                (f"t{n}", key, trust, f"note of {key}", 5, 7)
                for n, (key, trust) in enumerate(TRUSTED.items())
            ],
        )
        db.executemany(
            "INSERT INTO memory_conflict_resolutions (id, brain_id, pair_key, a_id, b_id, status,"
            " created_at, updated_at) VALUES (?, 'brain', ?, ?, ?, ?, 1, 1)",
            [
                (f"r{n}", f"m{a:03d}|m{b:03d}", f"m{a:03d}", f"m{b:03d}", status)
                for n, (a, b) in enumerate(sorted(pairs)[: memories // 4])
                for status in [rng.choice(("dismissed", "resolved", "needs_review"))]
            ],
        )
        db.commit()


def random_overlay(rng: random.Random, snapshot: Snapshot) -> dict[str, float | None]:
    """One to three sources with another trust than they have, some "not set"."""
    keys = list(snapshot.sources.keys)
    stored = dict(zip(keys, snapshot.sources.trust.tolist(), strict=True))
    tried: dict[str, float | None] = {}
    for key in rng.sample(keys, min(len(keys), rng.randint(1, 3))):
        value = rng.choice((None, 0.0, 1.0, rng.randrange(101) / 100))
        if value != stored[key] and not (value is None and stored[key] != stored[key]):
            tried[key] = value
    return tried


def slow_ranks(snapshot: Snapshot, scores: FloatArray) -> dict[int, int]:
    """The place of every active memory, from 1."""
    archived_at = snapshot.memories.archived_at
    rows = [row for row in range(len(scores)) if archived_at[row] == NO_TIME]
    rows.sort(key=lambda row: (-scores[row], row))
    return {row: place for place, row in enumerate(rows, start=1)}


def slow_movers(
    snapshot: Snapshot, before: FloatArray, after: FloatArray, limit: int
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """Row, old and new place of those that rise most, and of those that fall most."""
    old, new = slow_ranks(snapshot, before), slow_ranks(snapshot, after)
    moved = [(row, old[row], new[row]) for row in old if old[row] != new[row]]
    up = sorted((m for m in moved if m[1] > m[2]), key=lambda m: (m[2] - m[1], m[2]))
    down = sorted((m for m in moved if m[1] < m[2]), key=lambda m: (m[1] - m[2], m[2]))
    return up[:limit], down[:limit]


def shown_movers(
    movers: Movers,
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """The same of what was found."""
    up, down = (
        [(one.row, one.rank_before, one.rank_after) for one in side]
        for side in (movers.up, movers.down)
    )
    return up, down


def slow_moves(
    pairs: list[tuple[float, float, float, float]], threshold: float
) -> tuple[int, int, int, int, int, int]:
    """The counts of memories given as score before and after, raw sum before and after."""
    return (
        len(pairs),
        sum(new > old for old, new, _, _ in pairs),
        sum(new < old for old, new, _, _ in pairs),
        sum(old < threshold <= new for old, new, _, _ in pairs),
        sum(new < threshold <= old for old, new, _, _ in pairs),
        sum(old == new and old in (0.0, 1.0) and a != b for old, new, a, b in pairs),
    )


def shown_moves(moves: Moves) -> tuple[int, int, int, int, int, int]:
    """The same of what was found."""
    return (
        moves.affected,
        moves.up,
        moves.down,
        moves.crossing_up,
        moves.crossing_down,
        moves.stuck,
    )

"""A large vault for measuring: seeded, so that two runs measure the same work.

Rows go straight into SQLite: the maker must not be as slow as what is measured.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.records import MEMORY_TYPES, RELATIONS
from mvdesk.store.engine import VaultFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW: Final = 1_796_000_000
DAY: Final = 86_400

TEXT: Final = (
    "the quarterly review moved to Thursday because the vendor asked for one more week and nobody "
    "minded we measured the backlog again and the exact number is lower than last month maybe the "
    "import job failed on the second run I think the window blinds arrive in May a plan for the "
    "launch needs an owner the garden fence was painted verified by two people the invoice id is "
    "on the last page perhaps the doctor will call back critical path is the data migration guess "
    "who wrote the summary the official manual says otherwise our decision stands until spring "
    "réunion d’équipe 打ち合わせ заметка о встрече παράδειγμα 🌱 cafe music bridge river stone"
)
WORDS: Final = TEXT.split()
SOURCES: Final = (
    "slack #design", "api: billing", "blog post", "user interview", "metrics dashboard", "hearsay",
    "official docs", "meeting notes", "phone call", "newsletter", "system monitor", "podcast",
)  # fmt: skip


def make_large_vault(path: Path, *, memories: int, links: int, seed: int = 7) -> None:
    """Write a vault with that many memories and links; the same seed gives the same vault."""
    VaultFile.create(path, "Measured", now=NOW, new_id=lambda: "brain-measured").close()
    rng = np.random.default_rng(seed)
    db = sqlite3.connect(path)
    try:
        brain_id = db.execute("SELECT id FROM brains").fetchone()[0]
        db.execute("PRAGMA synchronous=OFF")
        db.execute("PRAGMA cache_size=-400000")
        # Made again at the end: a million random ids one by one take half an hour.
        indexes = db.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        ).fetchall()
        for name, _ in indexes:
            db.execute(f'DROP INDEX "{name}"')
        db.executemany(
            "INSERT INTO memories (id, brain_id, type, title, key, content, tags, source,"
            " confidence, importance, archived_at, access_count, last_accessed_at,"
            " last_decayed_at, created_at, updated_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            _memory_rows(rng, brain_id, memories),
        )
        db.executemany(
            "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, label,"
            " created_at) VALUES (?,?,?,?,?,NULL,?)",
            _link_rows(rng, brain_id, memories, links),
        )
        db.executemany(
            "INSERT INTO brain_source_trust (id, brain_id, source_key, trust, notes, created_at,"
            " updated_at) VALUES (?,?,?,?,NULL,?,?)",
            [
                (f"trust-{n}", brain_id, source, round(0.1 + 0.07 * n, 2), NOW, NOW)
                for n, source in enumerate(SOURCES)
            ],
        )
        for _, sql in indexes:
            db.execute(sql)
        db.commit()
    finally:
        db.close()


def memory_id(row: int) -> str:
    """The id of the memory made as number `row`, shaped like a UUID."""
    spread = (row * 2_654_435_761) % 2**32
    return f"{spread:08x}-0000-4000-8000-{row:012x}"


def _memory_rows(
    rng: np.random.Generator, brain_id: str, count: int
) -> Iterator[tuple[object, ...]]:
    words = np.array(WORDS, dtype=object)
    # One long stretch of words, cut at other places for every memory.
    stretch = words[rng.integers(0, len(words), 60_000)]
    starts = rng.integers(0, len(stretch) - 120, count).tolist()
    lengths = np.clip(rng.lognormal(3.4, 0.6, count), 5, 118).astype(int).tolist()
    types = rng.choice(3, count, p=[0.5, 0.35, 0.15]).tolist()
    # A few sources hold most memories, as in real vaults; one in six memories has none.
    picks = np.minimum(rng.geometric(0.18, count) - 1, 400).tolist()
    ages = (rng.random(count) ** 2 * 900 * DAY).astype(int).tolist()
    edits = rng.random(count).tolist()
    bases = rng.random((count, 2)).round(3).tolist()
    recalls = np.where(rng.random(count) < 0.3, rng.integers(1, 40, count), 0).tolist()
    archived = (rng.random(count) < 0.04).tolist()
    for n in range(count):
        created = NOW - ages[n]
        updated = created + int(ages[n] * edits[n] * 0.5)
        text = " ".join(stretch[starts[n] : starts[n] + lengths[n]])
        title = " ".join(stretch[starts[n] : starts[n] + 5]) if n % 3 else None
        pick = picks[n]
        source = SOURCES[pick] if pick < len(SOURCES) else f"source {pick}"
        yield (
            memory_id(n), brain_id, MEMORY_TYPES[types[n]], title,
            f"key.{n % 5000}" if n % 4 == 0 else None, text, f"tag{n % 97},tag{n % 31}",
            None if n % 6 == 5 else source, bases[n][0], bases[n][1],
            updated if archived[n] else None, recalls[n],
            NOW - ages[n] // 3 if recalls[n] else None, None, created, updated,
        )  # fmt: skip


def _link_rows(
    rng: np.random.Generator, brain_id: str, memories: int, count: int
) -> Iterator[tuple[object, ...]]:
    froms = rng.integers(0, memories, count)
    # The square makes hubs: low rows get more links than high ones.
    tos = (rng.random(count) ** 2 * memories).astype(int)
    tos = np.where(tos == froms, (tos + 1) % memories, tos)
    relations = rng.choice(len(RELATIONS), count, p=[0.4, 0.25, 0.08, 0.09, 0.1, 0.08]).tolist()
    for n, (a, b) in enumerate(zip(froms.tolist(), tos.tolist(), strict=True)):
        yield (
            f"link-{n:08d}", brain_id, memory_id(a), memory_id(b), RELATIONS[relations[n]], NOW,
        )  # fmt: skip

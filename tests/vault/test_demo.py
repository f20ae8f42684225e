"""The demo vault holds what it promises: counts, conflicts and six stories, by the scores."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from mvdesk.arrays import NO_TIME
from mvdesk.errors import VaultError
from mvdesk.records import MEMORY_TYPES, RELATIONS
from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.case import Case, LinkStats
from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.explain import Explanation, explain
from mvdesk.scoring.keywords import find_keyword_hits
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.demo import demo_id, read_demo, write_demo
from mvdesk.vault.snapshot import Snapshot, read_snapshot
from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mvdesk.records import Memory

NOW = 1_800_000_000
STORIES = {
    "contradicted fact": "battery-two-seasons",
    "trusted but stale": "probe-datasheet",
    '"unverified" counted as certain': "subsidy-unverified",
    "clamped at 1": "valve-before-pump",
    "blog taken for a log": "watering-dusk",
    "superseded yet rising": "pricing-old",
}


@pytest.fixture(scope="module")
def demo_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    write_demo(path, now=NOW)
    return path


@pytest.fixture(scope="module")
def demo(demo_path: Path) -> Iterator[Demo]:
    with Vault.open(demo_path) as vault:
        yield Demo(vault)


class Demo:
    """The demo vault, read and scored by the published model."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.snapshot: Snapshot = read_snapshot(vault)
        self.scores = evaluate(self.snapshot.inputs(PUBLISHED_V1), PUBLISHED_V1, NOW)

    def row(self, name: str) -> int:
        row = self.snapshot.row_of(demo_id(name))
        assert row is not None
        return row

    def memory(self, name: str) -> Memory:
        return self.vault.read_memory(demo_id(name))

    def explain(self, name: str, **changes: object) -> Explanation:
        """The explanation, with other links or trust than the vault's when given."""
        memory, row = self.memory(name), self.row(name)
        trust = float(self.snapshot.trust_per_row()[row])
        values: dict[str, object] = {
            "links": LinkStats(*self.snapshot.link_counts[row].tolist()),
            "trust": None if trust != trust else trust,
            **changes,
        }
        case = Case(
            now=NOW,
            type=memory.type,
            title=memory.title,
            key=memory.key,
            content=memory.content,
            tags=memory.tags,
            source=memory.source,
            base_confidence=memory.confidence,
            base_importance=memory.importance,
            created_at=memory.created_at,
            updated_at=memory.updated_at,
            access_count=memory.access_count,
            last_accessed_at=memory.last_accessed_at,
            **values,  # type: ignore[arg-type]
        )
        explanation = explain(case, PUBLISHED_V1)
        if not changes:
            assert explanation.confidence.final == self.scores.confidence[row]
            assert explanation.importance.final == self.scores.importance[row]
        return explanation


def deltas(explanation: Explanation, kind: str) -> dict[str, float]:
    score = getattr(explanation, kind)
    return {part.name: part.rounded for part in score.components}


def test_it_holds_what_the_readme_says(demo: Demo) -> None:
    snapshot = demo.snapshot
    assert len(snapshot.memories) == 120
    assert len(snapshot.links) == 160
    assert len(snapshot.sources.keys) == 14
    assert set(snapshot.memories.type_names) == set(MEMORY_TYPES)
    assert set(snapshot.links.relations.tolist()) == set(range(len(RELATIONS)))
    assert {entry["story"] for entry in read_demo("memories") if "story" in entry} == set(STORIES)
    assert demo.vault.brain.name == "Demo"


def test_nothing_in_it_lies_in_the_future_or_further_back_than_its_brain(demo: Demo) -> None:
    table = demo.snapshot.memories
    for times in (table.created_at, table.updated_at, table.archived_at, table.last_accessed_at):
        assert (times <= NOW).all()
    assert (table.updated_at >= table.created_at).all()
    known = (table.archived_at != NO_TIME).sum()
    assert known == 2
    assert (demo.snapshot.links.created_at <= NOW).all()


def test_some_sources_have_no_trust_and_one_is_spelled_in_several_ways(demo: Demo) -> None:
    sources = demo.snapshot.sources
    assert (sources.trust != sources.trust).sum() == 5
    spellings = Counter(normalise_source_key(text) for text in sources.texts)
    assert spellings["slack"] == 2


def test_texts_in_other_scripts_and_emoji_arrive_whole(demo: Demo) -> None:
    assert "Νίκος Βασιλάκης" in demo.memory("vasilakis-profile").content
    assert demo.memory("translation-russian").title == "Зоя: «полив», не «орошение»"
    assert "佐藤由紀" in (demo.memory("team-yuki").title or "")
    assert "🐐" in demo.memory("greek-lesson").content


def test_there_are_six_conflicts(demo: Demo) -> None:
    snapshot = demo.snapshot
    table = snapshot.memories
    fact = table.type_names.index("fact")
    strong = {
        row
        for row in range(len(table))
        if table.type_codes[row] == fact
        and table.archived_at[row] == NO_TIME
        and demo.scores.confidence[row] >= 0.7
    }
    links = snapshot.links
    contradicts = RELATIONS.index("contradicts")
    linked = {
        frozenset((int(a), int(b)))
        for a, b, relation in zip(links.from_rows, links.to_rows, links.relations, strict=True)
        if relation == contradicts and {int(a), int(b)} <= strong
    }
    contents = {row: demo.vault.read_memory(table.ids.text(row)).content for row in strong}
    same_key = {
        frozenset((one, other))
        for one, other in combinations(sorted(strong), 2)
        if table.keys.text(one).strip().lower() == table.keys.text(other).strip().lower() != ""
        and contents[one].lower().split() != contents[other].lower().split()
    }
    assert len(linked | same_key) == 6
    assert len(linked) == 4
    assert len(same_key) == 2


def test_contradicted_fact(demo: Demo) -> None:
    explained = demo.explain("battery-two-seasons")
    parts = deltas(explained, "confidence")
    assert parts["contradiction_penalty"] == -0.27
    assert parts["contradiction_penalty"] == min(parts.values())
    assert explained.confidence.final < 0.5
    alone = demo.explain("battery-two-seasons", links=LinkStats(), trust=None)
    assert alone.confidence.final > 0.7


def test_trusted_but_stale(demo: Demo) -> None:
    explained = demo.explain("probe-datasheet")
    parts = deltas(explained, "confidence")
    assert explained.age_days > 2 * 365
    assert parts["source_trust_delta"] == 0.18
    assert parts["stale_penalty"] == -0.2
    assert deltas(explained, "importance")["recency_signal"] == -0.12
    # Its source alone outweighs two years of silence.
    assert explained.confidence.final > 0.8


def test_unverified_counted_as_certain(demo: Demo) -> None:
    explained, memory = demo.explain("subsidy-unverified"), demo.memory("subsidy-unverified")
    assert deltas(explained, "confidence")["certainty_signal"] == 0.16
    fields = {name: getattr(memory, name) for name in ("title", "key", "content", "tags")}
    hits = find_keyword_hits(fields, PUBLISHED_V1.keywords.certainty)
    assert {hit.keyword for hit in hits} == {"verified", "confirmed", "official", "id"}
    assert {hit.word.lower() for hit in hits if hit.inside_word} == {
        "unverified",
        "unconfirmed",
        "subsidy",
    }
    assert all(hit.negated for hit in hits if hit.keyword in ("verified", "confirmed"))
    # Without those words it would be the weak fact that it is.
    assert explained.confidence.final >= 0.7
    assert explained.confidence.final - 0.16 < 0.65


def test_clamped_at_one(demo: Demo) -> None:
    explained = demo.explain("valve-before-pump")
    assert explained.confidence.raw > 1.3
    assert explained.confidence.final == 1.0
    # Not even without any trust in its source does it move.
    assert demo.explain("valve-before-pump", trust=0.5).confidence.final == 1.0


def test_blog_taken_for_a_log(demo: Demo) -> None:
    explained = demo.explain("watering-dusk")
    assert explained.source == "garden blog"
    assert explained.signals.high_signal_source
    assert deltas(explained, "confidence")["source_bonus"] == 0.09


def test_superseded_yet_rising(demo: Demo) -> None:
    old, new = demo.explain("pricing-old"), demo.explain("pricing-new")
    counts = old.link_stats
    assert counts.supersedes_count == 1
    before = LinkStats(
        link_count=counts.link_count - 1,
        supports_count=counts.supports_count,
        causes_count=counts.causes_count,
    )
    # Being superseded raised it, and it now stands above what superseded it.
    unreplaced = demo.explain("pricing-old", links=before)
    assert unreplaced.importance.raw < old.importance.raw
    assert unreplaced.confidence.raw <= old.confidence.raw
    assert old.importance.final > new.importance.final
    assert old.confidence.final > new.confidence.final
    assert old.importance.final - old.importance.base > 0.2


def test_the_same_moment_gives_the_same_rows(demo_path: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.sqlite"
    write_demo(again, now=NOW)
    assert _dump(again) == _dump(demo_path)


def test_another_moment_moves_every_time_and_no_id(demo_path: Path, tmp_path: Path) -> None:
    later = tmp_path / "later.sqlite"
    write_demo(later, now=NOW + 86_400)
    sql = "SELECT id, title, created_at FROM memories ORDER BY id"
    with sqlite3.connect(demo_path) as one, sqlite3.connect(later) as other:
        pairs = list(zip(one.execute(sql), other.execute(sql), strict=True))
    one.close()
    other.close()
    assert all(b == (*a[:2], a[2] + 86_400) for a, b in pairs)


def test_it_is_a_sound_database_with_a_history(demo_path: Path) -> None:
    db = sqlite3.connect(demo_path)
    try:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        events = dict(
            db.execute("SELECT event_type, count(*) FROM memory_changelog GROUP BY 1").fetchall()
        )
    finally:
        db.close()
    assert events["memory_created"] == 120
    assert events["memory_link_created"] == 160
    assert events["memory_source_trust_set"] == 9


def test_it_leaves_nothing_but_the_file(tmp_path: Path) -> None:
    write_demo(tmp_path / "demo.sqlite", now=NOW)
    assert [path.name for path in tmp_path.iterdir()] == ["demo.sqlite"]


def test_a_file_that_is_there_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_bytes(b"mine")
    with pytest.raises(VaultError, match="already"):
        write_demo(path, now=NOW)
    assert path.read_bytes() == b"mine"
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.sqlite"]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(VaultError):
        write_demo(tmp_path / "nowhere" / "demo.sqlite", now=NOW)


def _dump(path: Path) -> str:
    db = sqlite3.connect(path)
    try:
        return hashlib.sha256("\n".join(db.iterdump()).encode()).hexdigest()
    finally:
        db.close()

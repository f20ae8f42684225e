"""Searching: the order, the filters, the penalties, and that nothing typed can fail."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvdesk.records import ConflictResolution
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.vault.operations.edit import plan_add
from mvdesk.vault.operations.links import plan_link
from mvdesk.vault.questions.find import FindSettings, Hits, find_memories, find_superseding
from mvdesk.vault.questions.query import parse_query
from mvdesk.vault.searching import Searcher, mark_losers
from mvdesk.vault.snapshot import Snapshot, read_snapshot
from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DATA = Path(__file__).parents[1] / "data"
NOW = 1_800_000_000
ALL = FindSettings(limit=None)


class Desk:
    """A vault with what a search needs."""

    def __init__(self, vault: Vault, now: int = NOW) -> None:
        self.vault = vault
        self.snapshot: Snapshot = read_snapshot(vault)
        self.scores: Scores = evaluate(self.snapshot.inputs(SERVER_V2), SERVER_V2, now)
        self.searcher = Searcher(vault)
        self.moment = self.searcher.moment(self.snapshot, self.scores, now)
        vault.text_index.fill(vault, self.snapshot)

    def find(self, text: str, settings: FindSettings = ALL) -> Hits:
        return find_memories(self.searcher, self.snapshot, self.moment, parse_query(text), settings)

    def ids(self, text: str, settings: FindSettings = ALL) -> list[str]:
        return [self.snapshot.memories.ids.text(row) for row in self.find(text, settings).rows]


def recorded() -> list[dict[str, Any]]:
    calls = json.loads((DATA / "responses.json").read_text())
    return [
        call
        for call in calls
        if call["tool"] == "memory_search" and isinstance(call["response_json"], list)
    ]


@pytest.fixture
def desk(server: Vault) -> Desk:
    return Desk(server, recorded()[0]["clock"])


@pytest.fixture
def make_desk(empty: Vault) -> Callable[..., Desk]:
    """A vault of few memories, given as fields by id."""

    def make(**memories: dict[str, object]) -> Desk:
        for number, (memory_id, fields) in enumerate(memories.items()):
            plan = plan_add(
                empty.brain.id,
                {"content": "text", **fields},
                now=NOW + number,
                memory_id=memory_id,
            )
            empty.apply(plan, now=NOW)
        return Desk(empty)

    return make


# Against the recorded server


def test_scores_and_marks_of_hits_are_the_servers(desk: Desk) -> None:
    compared = 0
    for call in recorded():
        hits = desk.find(call["arguments"]["query"])
        place = {row: n for n, row in enumerate(hits.rows.tolist())}
        many = len(call["response_json"]) == 20  # it marks no losers among 50 candidates
        for memory in call["response_json"]:
            row = desk.snapshot.row_of(memory["id"])
            assert row is not None
            assert desk.scores.confidence[row] == memory["dynamic_confidence"]
            assert desk.scores.importance[row] == memory["dynamic_importance"]
            told = memory["retrieval"]
            assert set(find_superseding(desk.snapshot, row)) == set(told.get("superseded_by", []))
            if row in place:
                compared += 1
                assert hits.is_superseded[place[row]] == ("superseded_by" in told)
                if not many:
                    assert hits.is_loser[place[row]] == told.get("conflict_loser", False)
    assert compared > 150


@pytest.mark.parametrize(
    "query", ["export", "churn", "Marek", "boiler pressure", "hearsay", "キッチン", "damp", "q2"]
)
def test_what_holds_all_words_is_found_as_the_server_finds_it(desk: Desk, query: str) -> None:
    (call,) = (
        call
        for call in recorded()
        if call["arguments"]["query"] == query and call["arguments"].get("mode") == "lexical"
    )
    theirs = {memory["id"] for memory in call["response_json"]}
    kind = call["arguments"].get("type")
    ours = set(desk.ids(query, FindSettings(type=kind, limit=None)))
    words = query.casefold().split()
    for memory_id in theirs - ours:
        memory = desk.vault.read_memory(memory_id)
        text = " ".join(
            filter(None, (memory.title, memory.key, memory.content, memory.tags, memory.source))
        ).casefold()
        assert not all(word in text for word in words), memory
    assert ours


# The order


def test_the_best_hit_has_relevance_one_and_the_blend_is_the_written_one(desk: Desk) -> None:
    hits = desk.find("export")
    assert hits.relevance.max() == 1.0
    worth = 0.6 * desk.scores.importance[hits.rows] + 0.4 * desk.scores.confidence[hits.rows]
    blend = 0.75 * hits.relevance + 0.25 * worth
    blend = blend - 0.20 * hits.is_superseded - 0.25 * hits.is_loser
    np.testing.assert_allclose(hits.blended, blend, atol=1e-12)
    assert (np.diff(hits.blended) <= 0).all()
    assert hits.total == len(hits.rows)


def test_among_equal_texts_the_more_trusted_one_comes_first(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk(
        low={"content": "zeppelin", "confidence": 0.1},
        high={"content": "zeppelin", "confidence": 0.9},
    )
    assert desk.ids("zeppelin") == ["high", "low"]


def test_where_nothing_else_decides_the_newer_one_comes_first(
    make_desk: Callable[..., Desk],
) -> None:
    same: dict[str, object] = {"content": "zeppelin", "confidence": 1.0, "importance": 1.0}
    desk = make_desk(older=same, newer=same)
    assert desk.ids("zeppelin") == ["newer", "older"]


def test_what_is_superseded_sinks_by_a_fifth(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk(old={"content": "zeppelin"}, new={"content": "zeppelin"})
    before = desk.find("zeppelin")
    vault = desk.vault
    old, new = vault.read_memory("old"), vault.read_memory("new")
    vault.apply(plan_link([], new, old, "supersedes", now=NOW, link_id="l"), now=NOW)
    after = Desk(vault).find("zeppelin")
    assert after.is_superseded.tolist() == [False, True]
    row = int(after.rows[1])
    assert find_superseding(Desk(vault).snapshot, row) == ["new"]
    assert before.blended.max() - after.blended[1] > 0.15


@pytest.mark.parametrize(
    ("status", "canonical", "loser"),
    [
        ("resolved", "a", "b"),
        ("superseded", "b", "a"),
        ("resolved", None, None),
        ("resolved", "elsewhere", None),
        ("dismissed", "a", None),
        ("needs_review", "a", None),
    ],
)
def test_only_who_lost_a_decided_conflict_sinks(
    make_desk: Callable[..., Desk], status: str, canonical: str | None, loser: str | None
) -> None:
    desk = make_desk(a={"content": "zeppelin"}, b={"content": "zeppelin"})
    resolutions = [
        ConflictResolution("r", "x", "a|b", "a", "b", status, canonical, None, 1, 1),
        ConflictResolution("s", "x", "a|gone", "a", "gone", "resolved", "a", None, 1, 1),
    ]
    marks = mark_losers(desk.snapshot, resolutions)
    lost = {desk.snapshot.memories.ids.text(row) for row in marks.nonzero()[0].tolist()}
    assert lost == ({loser} - {None})


# What is found


def test_where_no_memory_holds_all_words_any_will_do(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk(a={"content": "red zeppelin"}, b={"content": "blue balloon"})
    assert desk.ids("red zeppelin") == ["a"]
    assert set(desk.ids("zeppelin balloon")) == {"a", "b"}
    assert desk.ids("submarine") == []


def test_texts_without_spaces_are_looked_into(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk(
        a={"content": "明日の打ち合わせは十時"},
        b={"title": "打ち合わせ"},
        c={"content": "ประชุมวันนี้"},
    )
    assert desk.ids("打ち合") == ["b", "a"]
    assert desk.ids("打ち 明日") == ["a"]
    assert desk.ids("วันนี้") == ["c"]


def test_an_id_leads_to_its_memory_before_those_that_mention_it(
    make_desk: Callable[..., Desk],
) -> None:
    desk = make_desk(
        **{
            "abcd-1234": {"content": "the memory", "confidence": 1.0},
            "x": {"content": "see abcd-1234", "confidence": 0.1},
        }
    )
    assert desk.ids("abcd-12") == ["abcd-1234", "x"]
    assert desk.ids("ABCD") == ["abcd-1234", "x"]
    assert set(desk.ids("bcd-1")) == {"x", "abcd-1234"}
    assert desk.ids("abc") == ["x"]  # too short for an id


def test_memories_that_the_snapshot_doesn_t_know_yet_are_left_out(
    make_desk: Callable[..., Desk],
) -> None:
    desk = make_desk(a={"content": "zeppelin"})
    vault = desk.vault
    vault.apply(
        plan_add(vault.brain.id, {"content": "zeppelin"}, now=NOW, memory_id="abcd-new"), now=NOW
    )
    assert desk.ids("zeppelin") == ["a"]
    assert desk.ids("abcd-n") == []


def test_the_first_hits_come_without_being_weighed(desk: Desk) -> None:
    quick = desk.find("export", FindSettings(quick=True, limit=None))
    assert set(quick.rows) == set(desk.find("export").rows)
    assert set(quick.relevance) == {1.0}


# Filters


def test_filters_leave_out_what_doesn_t_fit(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk(
        a={"content": "zeppelin", "type": "fact", "tags": "Air, big", "source": "Book"},
        b={"content": "zeppelin", "type": "note", "tags": "air", "source": " book"},
        c={"content": "zeppelin", "confidence": 0.0},
    )

    def ids(**wanted: object) -> set[str]:
        return set(desk.ids("zeppelin", FindSettings(**wanted)))  # type: ignore[arg-type]

    assert ids() == {"a", "b", "c"}
    assert ids(type="FACT") == {"a"}
    assert ids(type="journal") == set()
    assert ids(tags=("AIR ",)) == {"a", "b"}
    assert ids(tags=("air", "big")) == {"a"}
    assert ids(source="BOOK") == {"a", "b"}
    assert ids(source="elsewhere") == set()
    low = float(desk.scores.confidence[2])
    assert ids(min_score=low) == {"a", "b", "c"}
    assert ids(min_score=low + 0.001) == {"a", "b"}
    limited = desk.find("zeppelin", FindSettings(limit=1))
    assert (len(limited.rows), limited.total) == (1, 3)


def test_archived_memories_are_found_only_when_asked_for(desk: Desk) -> None:
    assert len(desk.ids("export")) == 16
    assert len(desk.ids("export", FindSettings(limit=None, archived=True))) == 17


def test_settings_are_moved_into_the_servers_ranges() -> None:
    assert FindSettings(min_score=7, limit=999).clamped() == FindSettings(min_score=1, limit=50)
    assert FindSettings(min_score=-1, limit=0).clamped() == FindSettings(min_score=0, limit=1)
    assert FindSettings(limit=None).clamped().limit is None


def test_a_vault_without_memories_finds_nothing(empty: Vault) -> None:
    desk = Desk(empty)
    for text in ("", "x", "打", "abcd-ef"):
        assert len(desk.find(text).rows) == 0


# Whatever is typed


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    path = tmp_path_factory.mktemp("fuzz") / "brain.sqlite"
    shutil.copyfile(DATA / "brain.sqlite", path)
    with Vault.open(path) as vault:
        yield Desk(vault)


HOSTILE = [
    "",
    " ",
    "\0",
    '"',
    '""',
    "'",
    "* OR *",
    "a AND",
    "NEAR(",
    "title:export",
    "^export",
    "{title key}: x",
    "-export",
    "export*",
    "; DROP TABLE memories",
    "%",
    "_",
    "\\",
    "\ud800",
    "\u202eexport",
    "🌱",
    "ﬀ",
    "x" * 100_000,
    "a " * 10_000,
    "打" * 5_000,
    "0" * 5_000,
    "é\u0301" * 100,
]


@given(st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(codec=None), max_size=60)))
@settings(max_examples=300, deadline=None)
def test_whatever_is_typed_is_searched_for(fuzzed: Desk, text: str) -> None:
    hits = fuzzed.find(text)
    assert hits.total == len(hits.rows) == len(set(hits.rows.tolist()))
    assert np.isfinite(hits.blended).all()
    assert ((hits.relevance >= 0) & (hits.relevance <= 1)).all()


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_searched_for(fuzzed: Desk, text: str) -> None:
    assert fuzzed.find(text).total >= 0
    assert len(fuzzed.find("export").rows) == 16, "the index was lost"

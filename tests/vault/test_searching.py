"""Queries looked up in a vault: the same as an obvious, slow reading of them."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.scoring.keywords import find_keyword_hits
from mvdesk.vault.operations.conflicts import plan_resolve
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_archive
from mvdesk.vault.operations.links import plan_link
from mvdesk.vault.operations.trust import plan_set_trust
from mvdesk.vault.questions.query import Query, parse_query
from mvdesk.vault.questions.query_wording import describe_query
from mvdesk.vault.questions.why_found import Limits, WhyFound, explain_match
from mvdesk.vault.searching import Searcher
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.text_rows import LookupCancelled
from mvdesk.vault.vault import Vault
from tests.vault.questions.test_query import HOSTILE, PIECES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mvdesk.records import Memory
    from mvdesk.vault.questions.matching import Matches

NOW = 1_800_000_000
DAY = 86_400
WORDS = (
    "kitchen",
    "tiles",
    "window",
    "log",
    "gen-itgc",
    "重跑",
    "réunion",
    "🌱",
    "unverified",
    "art",
)
TYPES = ("note", "fact", "journal")
SOURCES = (None, "Slack", "slack old", "meeting notes", "大客户", "blog")
TAGS = (None, "work", "work,home", "side-project", "Home Work")

_FIELDS = ("content", "type", "title", "key", "tags", "source")
MADE: dict[str, dict[str, Any]] = {
    memory_id: {name: value for name, value in zip(_FIELDS, values, strict=True) if value}
    for memory_id, values in {
        "abcd-1": ("kitchen tiles and a window", "fact", "", "", "work", "Slack"),
        "abcd-2": ("重跑gen-itgc today", "note", "", "gen.run", "", ""),
        "b-3": ("the logo is unverified", "", "Réunion d’équipe", "", "work,home", ""),
        "b-4": ("打ち合わせは十時 🌱 maybe", "journal", "", "", "", "大客户"),
        "b-5": ("art of tiles", "", "Kitchen, again", "", "side-project", "slack old"),
        "b-6": ("nothing much", "fact", "", "", "homework", "meeting notes"),
    }.items()
}


class Desk:
    """A vault with what queries need."""

    def __init__(self, vault: Vault, *, fill: bool = True) -> None:
        self.vault = vault
        self.searcher = Searcher(vault, is_local=False)
        self.refresh(fill=fill)

    def refresh(self, *, fill: bool = True) -> None:
        self.snapshot = read_snapshot(self.vault)
        self.scores: Scores = evaluate(self.snapshot.inputs(PUBLISHED_V1), PUBLISHED_V1, NOW)
        self.moment = self.searcher.moment(self.snapshot, self.scores, NOW)
        if fill:
            self.vault.text_index.fill(self.vault, self.snapshot)

    def look(self, text: str, *, ranked: bool = True) -> Matches:
        return self.searcher.find(self.snapshot, parse_query(text), ranked=ranked)

    def ids(self, text: str) -> set[str]:
        rows = np.flatnonzero(self.look(text).marks(self.moment))
        return {self.snapshot.memories.ids.text(row) for row in rows.tolist()}

    def why(self, text: str, memory_id: str, **limits: Any) -> WhyFound:
        row = self.snapshot.row_of(memory_id)
        assert row is not None
        memory = self.vault.read_memory(memory_id)
        matches = self.searcher.find(self.snapshot, parse_query(text), apart=True)
        return explain_match(matches, self.moment, row, memory, Limits(**limits))


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with Vault.create(tmp_path / "v.sqlite", "Searched", now=NOW) as vault:
        yield vault


def fill_in(vault: Vault) -> None:
    for number, (memory_id, fields) in enumerate(MADE.items()):
        made = NOW - (300 - 50 * number) * DAY
        vault.apply(plan_add(vault.brain.id, fields, now=made, memory_id=memory_id), now=made)
    memories = {memory_id: vault.read_memory(memory_id) for memory_id in MADE}
    for one, other, relation in (
        ("abcd-1", "abcd-2", "contradicts"),
        ("abcd-1", "b-3", "related"),
        ("b-4", "b-3", "supersedes"),
    ):
        plan = plan_link([], memories[one], memories[other], relation, now=NOW, link_id=one + other)
        vault.apply(plan, now=NOW)
    trust = plan_set_trust([], {"Slack": 0.3}, brain_id=vault.brain.id, now=NOW, new_id=lambda: "t")
    vault.apply(trust, now=NOW)
    vault.apply(plan_archive([memories["b-6"]], brain_id=vault.brain.id, now=NOW), now=NOW)


@pytest.fixture
def desk(vault: Vault) -> Desk:
    fill_in(vault)
    return Desk(vault)


# A slow and obvious reading of the same queries


def plain(text: str | None) -> str:
    folded = unicodedata.normalize("NFKC", text or "").casefold()
    bare = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", folded))
    return " ".join(unicodedata.normalize("NFC", bare).split())


def tokens(text: str) -> list[str]:
    return re.findall("[\u2e80-\u9fff]|(?:(?![\u2e80-\u9fff])[^\\W_])+", plain(text))


class Oracle:
    """Looks at one memory at a time."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.memories = [desk.vault.read_memory(memory_id) for memory_id in MADE]

    def found(self, query: Query) -> set[str]:
        return {m.id for m in self.memories if all(self.holds(p, m, True) for p in query.parts)}

    def holds(self, node: Any, memory: Memory, wanted: bool) -> bool:  # noqa: ANN401
        kind = type(node).__name__
        if kind == "Not":
            return not self.holds(node.part, memory, not wanted)
        if kind in ("Either", "Every"):
            answers = [self.holds(part, memory, wanted) for part in node.parts]
            return any(answers) if kind == "Either" else all(answers)
        if kind == "Word":
            return self.has_word(node, memory, wanted)
        return self.condition(node, memory)

    def has_word(self, word: Any, memory: Memory, wanted: bool) -> bool:  # noqa: ANN401
        if not tokens(word.text):
            return self.has_piece(word.text, memory)
        if any(self.as_words(word, one) for one in self.memories) or not wanted or word.is_exact:
            return self.as_words(word, memory)
        return self.has_piece(word.text, memory) or memory.id.startswith(plain(word.text))

    def as_words(self, word: Any, memory: Memory) -> bool:  # noqa: ANN401
        text = plain(word.text)
        if re.fullmatch("[0-9a-f-]{4,}", text) and memory.id.startswith(text):
            return True
        wanted = tokens(word.text)
        for field in self.fields(memory):
            there = tokens(field)
            for start in range(len(there) - len(wanted) + 1):
                run = there[start : start + len(wanted)]
                if run == wanted or (
                    word.is_beginning and run[:-1] == wanted[:-1] and run[-1].startswith(wanted[-1])
                ):
                    return True
        return False

    def has_piece(self, text: str, memory: Memory) -> bool:
        return any(plain(text) in field for field in (*map(plain, self.fields(memory)), memory.id))

    def fields(self, memory: Memory) -> list[str]:
        return [
            memory.title or "",
            memory.key or "",
            memory.tags or "",
            memory.source or "",
            memory.content,
        ]

    def condition(self, node: Any, memory: Memory) -> bool:  # noqa: ANN401
        row = self.desk.snapshot.row_of(memory.id)
        assert row is not None
        name, value = node.name, node.value
        scores = self.desk.scores
        idle = (NOW - max(memory.updated_at, memory.last_accessed_at or 0)) / DAY
        trust = 0.3 if (memory.source or "").lower() == "slack" else None
        numbers = {
            "conf": scores.confidence[row], "imp": scores.importance[row], "trust": trust,
            "links": {"abcd-1": 2, "abcd-2": 1, "b-3": 2, "b-4": 1}.get(memory.id, 0), "idle": idle,
        }  # fmt: skip
        if name in numbers:
            number = numbers[name]
            if value.is_set is not None:
                return (number is not None) == value.is_set
            if number is None:
                return False
            least = number > value.least if value.beyond else number >= value.least
            return least and (number < value.most if value.below else number <= value.most)
        text = {"type": memory.type, "source": memory.source or "", "key": memory.key or ""}
        if name in text:
            return (
                re.search(rf"(?<![^\W_]){re.escape(plain(value))}", plain(text[name])) is not None
            )
        if name == "tag":
            there = [plain(tag) for tag in (memory.tags or "").split(",")]
            return any(re.search(rf"(?<![^\W_]){re.escape(plain(value))}", tag) for tag in there)
        has = {
            "contradicts": memory.id in ("abcd-1", "abcd-2"), "source": bool(memory.source),
            "tag": bool(memory.tags), "links": numbers["links"] > 0,
        }[value]  # fmt: skip
        return has == (name == "has")


LEAVES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(WORDS).map(lambda word: f'"{word}"'),
    st.sampled_from(
        ("type:fact", "type:n", "source:slack", "source:old", "tag:work", "tag:home", "key:run",
         "conf<0.5", "conf>=0.7", "imp:0.3..0.6", "trust:unset", "trust<0.4", "trust:set",
         "links:0",
         "links>1", "has:contradicts", "no:source", "no:tag", "has:links", "idle>100d", "idle<60",
         "opening", "tile", "abcd", "abcd-2", "kitchen tiles", '"tiles and"', "ogo", "verified")
    ),
)  # fmt: skip
QUERIES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda one: f"-({one})"),
        inner.map(lambda one: f"-{one}" if one[0] not in "-(" else one),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}) OR ({two[1]})"),
        st.tuples(inner, inner).map(" ".join),
    ),
    max_leaves=5,
)


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_queries_find_what_a_slow_reading_finds(desk: Desk, data: st.DataObject) -> None:
    oracle = Oracle(desk)
    for _ in range(5):
        text = data.draw(QUERIES)
        assert desk.ids(text) == oracle.found(parse_query(text)), text


@settings(
    max_examples=1_000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_no_text_makes_a_search_fail(desk: Desk, data: st.DataObject) -> None:
    for _ in range(10):
        text = data.draw(st.one_of(HOSTILE, st.lists(PIECES, max_size=8).map(" ".join)))
        matches = desk.look(text)
        rows = np.flatnonzero(matches.marks(desk.moment))
        assert len(matches.order(rows, desk.scores)) == len(rows)


@pytest.mark.parametrize(
    "text", ['"' * 100_000, "x" * 100_000, "-\0 " * 30_000, "重" * 50_000, "a OR " * 20_000]
)
def test_texts_of_a_hundred_thousand_characters_are_searched_for(desk: Desk, text: str) -> None:
    assert desk.look(text).marks(desk.moment).dtype == np.bool_


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("重跑", {"abcd-2"}),
        ("重", {"abcd-2"}),
        ("跑g", {"abcd-2"}),
        ("gen-itgc", {"abcd-2"}),
        ("itgc", {"abcd-2"}),
        ("gen", {"abcd-2"}),
        ("打ち合", {"b-4"}),
        ("十時", {"b-4"}),
        ("客户", {"b-4"}),
        ("🌱", {"b-4"}),
        ("reunion", {"b-3"}),
        ("RÉUNION d'équipe", {"b-3"}),
        ("ogo", {"b-3"}),
        ("-ogo kitchen", {"abcd-1", "b-5"}),
        ('"kitchen tiles"', {"abcd-1"}),
        ('"kitchen, again"', {"b-5"}),
        ('"kitchen; again"', set()),
        ("kit*", {"abcd-1", "b-5"}),
        ("kit* art", {"b-5"}),
        ("id:ABCD", {"abcd-1", "abcd-2"}),
        ('id:"abcd-1"', {"abcd-1"}),
        ('id:"abcd"', set()),
        ('tag:"work"', {"abcd-1", "b-3"}),
        ("tag:#side", {"b-5"}),
        ("tag:home", {"b-3", "b-6"}),
        ('tag:"home"', {"b-3"}),
        ("type:note,journal -source:大", {"abcd-2", "b-3", "b-5"}),
        ("source:客", {"b-4"}),
        ("title:again", {"b-5"}),
        ("title:again,réunion", {"b-3", "b-5"}),
        ('title:"Kitchen, again"', {"b-5"}),
        ('title:"kitchen"', {"abcd-1", "b-5"}),
        ('title:"kitch"', set()),
        ("title:itche", {"abcd-1", "b-5"}),
        ("-title:itche id:b-5", {"b-5"}),
        ('title="kitchen, AGAIN"', {"b-5"}),
        ("title=kitchen", set()),
        ('source:"slack"', {"abcd-1", "b-5"}),
        ("source=slack", {"abcd-1"}),
        ('source:"客"', {"b-4"}),
        ("tag:omewor", {"b-6"}),
        ("key:n.ru", {"abcd-2"}),
        ("has:related", {"abcd-1", "b-3"}),
        ("has:key", {"abcd-2"}),
        ("no:key no:source no:tag", set()),
        ("has:trust", {"abcd-1"}),
        ("archived:", {"b-6"}),
        ("archived:no tag:home", {"b-3"}),
        ("superseded:", {"b-3"}),
        ("recalls>0", set()),
        ("recalled:never type:fact", {"abcd-1", "b-6"}),
        ("recalled:2026", set()),
        ("age<100d", {"b-6"}),
        ("insideword:", {"b-3", "b-5"}),
        ("insideword:no type:fact", {"abcd-1", "b-6"}),
        ("clamped:no id:b-3", {"b-3"}),
    ],
)
def test_operators_find(desk: Desk, text: str, found: set[str]) -> None:
    assert desk.ids(text) == found


def test_an_operator_that_looks_inside_of_words_says_so(desk: Desk) -> None:
    matches = desk.look("title:itche tag:home")
    said = [piece.text for piece in describe_query(matches.query, matches.ways)]
    assert said == ["title itche (anywhere inside)", "tag home"]


def test_days_are_those_of_the_clock_that_was_asked_for(desk: Desk) -> None:
    # 2027-01-15 is 50 days after b-6 was made.
    assert desk.ids("created:2026-11-26") == {"b-6"}
    assert desk.ids("created<2026-04") == {"abcd-1"}
    assert desk.ids("edited>=2027") == {"b-6"}


def test_a_type_without_active_memories_has_no_low_ones(desk: Desk) -> None:
    journal = desk.vault.read_memory("b-4")
    desk.vault.apply(plan_archive([journal], brain_id=journal.brain_id, now=NOW), now=NOW)
    desk.refresh()
    assert "b-4" not in desk.ids("low:")


def test_low_is_by_what_is_stored_and_scores_by_what_is_shown(desk: Desk) -> None:
    shown = np.zeros(len(desk.snapshot.memories))
    tried = Scores(shown, shown, shown, shown)
    moment = desk.searcher.moment(desk.snapshot, tried, NOW, stored=desk.scores)
    assert not desk.look("conf>0 OR imp>0 OR clamped:").marks(moment).any()
    np.testing.assert_array_equal(
        desk.look("low:").marks(moment), desk.look("low:").marks(desk.moment)
    )
    trust = np.full(len(shown), 0.9)
    moment = desk.searcher.moment(desk.snapshot, tried, NOW, trust=trust)
    assert desk.look("trust>0.5").marks(moment).all()
    assert not desk.look("low:imp").marks(moment).any()


def test_what_nothing_can_move_is_the_same_array_again(desk: Desk) -> None:
    matches = desk.look("kitchen type:fact")
    assert matches.marks(desk.moment) is matches.marks(desk.moment)
    assert desk.look("conf<0.5").marks(desk.moment) is not None


def test_a_memory_written_later_is_found_without_looking_at_all_again(desk: Desk) -> None:
    assert desk.ids("zeppelin") == set()
    memory = desk.vault.read_memory("b-5")
    desk.vault.apply(plan_edit(memory, {"content": "a zeppelin"}, now=NOW), now=NOW)
    desk.refresh(fill=False)
    assert desk.ids("zeppelin") == {"b-5"}
    plan = plan_add(desk.vault.brain.id, {"content": "zeppelin"}, now=NOW, memory_id="c-1")
    desk.vault.apply(plan, now=NOW)
    assert desk.ids("zeppelin") == {"b-5"}  # this snapshot doesn't know it
    desk.refresh(fill=False)
    assert desk.ids("zeppelin") == {"b-5", "c-1"}


def test_before_the_texts_are_indexed_titles_keys_tags_and_sources_are_searched(
    vault: Vault,
) -> None:
    fill_in(vault)
    desk = Desk(vault, fill=False)
    assert not desk.searcher.is_complete
    assert desk.ids("kitchen") == {"abcd-1", "b-5"}  # a label made of the text counts
    assert desk.ids("again") == {"b-5"}
    assert desk.ids("客户") == {"b-4"}
    assert desk.ids("nonsense") == set()
    assert set(desk.look("again").ways.values()) == {"fields"}
    vault.text_index.fill(vault, desk.snapshot)
    assert desk.searcher.is_complete


def test_a_search_that_nobody_waits_for_ends(desk: Desk) -> None:
    for text in ("kitchen", "🌱", "insideword:"):
        with pytest.raises(LookupCancelled):
            desk.searcher.find(desk.snapshot, parse_query(text), cancelled=lambda: True)


def test_an_index_that_can_t_be_read_finds_nothing(desk: Desk) -> None:
    desk.vault.text_index.close()
    assert desk.ids("kitchen") == set()
    assert desk.ids("abcd") == set()
    assert desk.ids("type:fact") == {"abcd-1", "b-6"}


def test_relevance_is_of_the_best_hit_and_none_without_words(desk: Desk) -> None:
    matches = desk.look("kitchen")
    rows = np.flatnonzero(matches.marks(desk.moment))
    assert matches.relevance(rows).max() == 1.0
    assert matches.is_weighed
    assert not desk.look("kitchen", ranked=False).is_weighed
    assert set(desk.look("kitchen", ranked=False).relevance(rows)) == {1.0}
    assert not desk.look("type:fact").has_words
    assert set(desk.look("type:fact").relevance(rows)) == {1.0}
    assert matches.relevance(np.flatnonzero(~matches.marks(desk.moment)))[0] == 0.0


# Why, and why not


def test_a_hit_is_explained_by_its_formula(desk: Desk) -> None:
    why = desk.why("kitchen -tag:home", "abcd-1")
    assert why.is_hit
    assert why.remedies == ()
    ranking = why.ranking
    assert ranking is not None
    worth = 0.6 * ranking.importance + 0.4 * ranking.confidence
    assert ranking.blended == pytest.approx(0.75 * ranking.relevance + 0.25 * worth)
    assert f"= {ranking.blended:.3f}" in ranking.formula
    assert why.verdict == f"It is hit {ranking.place} of 2 by relevance."
    assert [part.why for part in why.parts] == ["found in content", "its tags are work"]


def test_a_lost_conflict_counts_in_the_formula(desk: Desk) -> None:
    one, other = (desk.vault.read_memory(one) for one in ("abcd-1", "abcd-2"))
    plan = plan_resolve(
        one,
        other,
        "resolved",
        canonical_id="abcd-2",
        stored=None,
        links=[],
        now=NOW,
        new_id=lambda: "r",
    )
    desk.vault.apply(plan, now=NOW)
    ranking = desk.why("window", "abcd-1").ranking
    assert ranking is not None
    assert ranking.has_lost
    assert "− 0.25 lost a conflict" in ranking.formula


def test_penalties_of_a_hit_are_named(desk: Desk) -> None:
    ranking = desk.why("unverified", "b-3").ranking
    assert ranking is not None
    assert ranking.superseded_by == ("b-4",)
    assert "− 0.20 superseded" in ranking.formula


@pytest.mark.parametrize(
    ("text", "memory_id", "why"),
    [
        ("window", "b-5", "in none of its texts"),
        ("art", "b-3", "in none of its texts"),
        ("log", "b-3", "found in content"),
        ("-kitchen", "b-5", "found in title"),
        ('"log"', "b-3", "only inside of “logo” in content"),
        ('"ogo"', "b-3", "only inside of “logo” in content"),
        ("abcd-1", "abcd-1", "found by its id"),
        ("type:note", "abcd-1", "it is a fact"),
        ("source:blog", "abcd-1", "its source is “Slack”"),
        ("source:blog", "b-3", "it has no source"),
        ("tag:x", "b-4", "it has no tags"),
        ("key:x", "abcd-2", "its key is “gen.run”"),
        ("key:x", "b-3", "it has no key"),
        ("title:x", "b-3", "its title is “Réunion d’équipe”"),
        ("id:x", "b-3", "its id is b-3"),
        ("trust>0.5", "abcd-1", "its source's trust is 0.300"),
        ("trust>0.5", "b-3", "its source has no trust set"),
        ("links>5", "abcd-1", "it has 2"),
        ("has:source", "b-3", "has none"),
        ("no:source", "abcd-1", "has one"),
        ("idle>900d", "abcd-1", "idle for 300 days"),
        ("age>900d", "abcd-1", "made 300 days ago"),
        ("created:2020", "abcd-1", "created 2026-03-21"),
        ("recalled:2020", "abcd-1", "never recalled"),
        ("superseded:", "b-4", ""),
        ("window OR type:journal", "b-5", "in none of its texts; it is a note"),
    ],
)
def test_what_a_memory_has_instead_is_said(desk: Desk, text: str, memory_id: str, why: str) -> None:
    assert desk.why(text, memory_id).parts[0].why == why


def test_scores_that_keep_a_memory_out_are_said(desk: Desk) -> None:
    row = desk.snapshot.row_of("b-3")
    score = f"{desk.scores.confidence[row]:.3f}"
    assert desk.why("conf>0.99", "b-3").parts[0].why == f"its confidence is {score}"
    assert desk.why("low:", "b-4").parts[0].why.startswith("its confidence is")


def test_the_parts_that_fail_are_named_with_what_would_let_it_in(desk: Desk) -> None:
    why = desk.why("kitchen type:note", "abcd-1")
    assert not why.is_hit
    assert why.ranking is None
    assert why.verdict == "It isn't among the hits: type note does not hold for it."
    assert why.remedies == ("Take out type note.",)
    why = desk.why("window type:note tag:home", "abcd-1")
    assert "type note and tag home do not hold" in why.verdict
    assert why.remedies == ("Take out type note and tag home: each keeps it out.",)


def test_what_else_keeps_a_memory_out_is_said(desk: Desk) -> None:
    why = desk.why("nothing", "b-6")
    assert not why.is_hit
    assert "archived" in why.verdict
    assert desk.why("nothing", "b-6", archived=True).is_hit
    assert desk.why("archived:", "b-6").is_hit
    why = desk.why("kitchen", "abcd-1", min_score=0.999, archived=True)
    assert "below the least score" in why.verdict
    places = {one: desk.why("kitchen", one) for one in ("abcd-1", "b-5")}
    (last,) = (one for one, why in places.items() if why.ranking and why.ranking.place == 2)
    why = desk.why("kitchen", last, limit=1)
    assert why.kept_out == ("it is hit 2, and only the first 1 are shown.",)
    assert why.remedies == ("Show at least 2 hits.",)


def test_without_a_search_everything_is_listed(desk: Desk) -> None:
    assert desk.why("", "abcd-1").verdict.startswith("It is listed")


def test_words_inside_words_are_told_as_the_evidence_tells_them(server: Vault) -> None:
    desk = Desk(server)
    keywords = sorted({word for words in PUBLISHED_V1.keywords.of_text for word in words})
    marks = desk.look("insideword:").marks(desk.moment)
    for row, memory_id in enumerate(desk.snapshot.memories.ids):
        memory = server.read_memory(memory_id or "")
        fields = {name: getattr(memory, name) for name in ("title", "key", "content", "tags")}
        hits = find_keyword_hits(fields, keywords)
        assert marks[row] == (bool(hits) and all(hit.inside_word for hit in hits)), memory

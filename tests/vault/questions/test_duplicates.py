"""Pairs of memories that may be the same one twice."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.vault.not_duplicates import change_apart, read_apart
from mvdesk.vault.operations.edit import plan_add
from mvdesk.vault.operations.forget import plan_archive
from mvdesk.vault.operations.trust import plan_set_trust
from mvdesk.vault.questions.duplicates import (
    LEAST_SIMILARITY,
    SearchCancelled,
    find_duplicates,
)
from mvdesk.vault.questions.near_texts import MOST_WORDS, WordTable, measure_similarity
from mvdesk.vault.snapshot import read_snapshot

if TYPE_CHECKING:
    from mvdesk.vault.questions.duplicates import Duplicates
    from mvdesk.vault.vault import Vault

LONG = "The rent of the flat in the north rises in May by four per cent, says the landlord"
NEARLY = "The rent of the flat in the north rises in June by four per cent, says the landlord"
Told = list[tuple[str, str, tuple[str, ...]]]


def add(vault: Vault, memory_id: str, content: str, **fields: object) -> None:
    plan = plan_add(vault.brain.id, {"content": content, **fields}, now=2000, memory_id=memory_id)
    vault.apply(plan, now=2000)


def find(vault: Vault, **options: object) -> Duplicates:
    return find_duplicates(vault, read_snapshot(vault), **options)


def told(vault: Vault, **options: object) -> Told:
    ids = read_snapshot(vault).memories.ids
    return [
        (ids.text(one.a_row), ids.text(one.b_row), one.reasons)
        for one in find(vault, **options).pairs
    ]


def test_the_same_text_is_found_whatever_its_spaces_and_letters(empty: Vault) -> None:
    add(empty, "one", "Buy  Milk\n", importance=0.9)
    add(empty, "two", "buy milk", importance=0.2)
    add(empty, "three", "BUY MILK", importance=0.5)
    add(empty, "four", "Buy bread")
    assert told(empty) == [("one", "three", ("text",)), ("one", "two", ("text",))]
    assert {pair.copies for pair in find(empty).pairs} == {3}
    assert {pair.similarity for pair in find(empty).pairs} == {1.0}


def test_texts_are_near_when_most_words_and_word_pairs_are_in_both(empty: Vault) -> None:
    add(empty, "may", LONG, importance=0.4)
    add(empty, "june", NEARLY, importance=0.6)
    add(empty, "else", "The landlord says that the north of the flat is cold")
    assert told(empty) == [("june", "may", ("near",))]
    (pair,) = find(empty).pairs
    assert pair.similarity == round(measure_similarity(LONG, NEARLY), 3) > LEAST_SIMILARITY
    assert pair.copies == 1


def test_keys_and_titles_with_sources_count_without_a_word_in_common(empty: Vault) -> None:
    add(empty, "a", "First thing.", key="Rent ", importance=0.9)
    add(empty, "b", "Something else.", key="rent")
    add(empty, "c", "Third thing.", title="The rent", source="Slack #home", importance=0.9)
    add(empty, "d", "Nothing like it.", title="the  Rent", source="slack  #HOME")
    add(empty, "e", "No source here, so no pair.", title="The rent")
    assert sorted(told(empty)) == [("a", "b", ("key",)), ("c", "d", ("title",))]
    assert find(empty).by_reason == {"text": 0, "near": 0, "key": 1, "title": 1}


def test_a_pair_has_all_its_reasons_and_the_likeliest_come_first(empty: Vault) -> None:
    add(empty, "a", LONG, key="rent", title="Rent", source="mail", importance=0.9)
    add(empty, "b", NEARLY, key="rent", title="Rent", source="mail")
    add(empty, "c", "Same.", importance=0.9)
    add(empty, "d", "Same.")
    assert told(empty) == [("c", "d", ("text",)), ("a", "b", ("near", "key", "title"))]


def test_archived_and_set_apart_ones_are_left_out(empty: Vault) -> None:
    for name, importance in (("one", 0.9), ("two", 0.5), ("three", 0.1)):
        add(empty, name, "Buy milk", importance=importance)
    companion, brain = empty.companion, empty.brain.id
    apart = change_apart(companion, brain, [("two", "one"), ("gone", "one")], apart=True)
    assert apart == read_apart(companion, brain)
    assert told(empty, apart=apart) == [("one", "three", ("text",))]
    both = change_apart(companion, brain, [("one", "three")], apart=True)
    assert told(empty, apart=both) == [("two", "three", ("text",))]
    change_apart(companion, brain, [("one", "two"), ("one", "three")], apart=False)
    assert told(empty, apart=read_apart(companion, brain))[0][:2] == ("one", "three")
    empty.apply(plan_archive(empty.read_memories(["one"]), brain_id=brain, now=3000), now=3000)
    assert told(empty) == [("two", "three", ("text",))]


def test_a_damaged_list_of_pairs_set_apart_reads_as_what_is_sound(empty: Vault) -> None:
    companion, brain = empty.companion, empty.brain.id
    companion.write_setting(f"notDuplicates/{brain}", [["a", "b"], ["a"], 3, ["a", "a"], ["a", 1]])
    assert read_apart(companion, brain) == {frozenset(("a", "b"))}
    companion.write_setting(f"notDuplicates/{brain}", "nonsense")
    assert read_apart(companion, brain) == frozenset()


def test_trust_and_blank_texts_make_no_duplicates(empty: Vault) -> None:
    add(empty, "a", "—")
    add(empty, "b", "***")
    plan = plan_set_trust([], {"x": 0.4}, brain_id=empty.brain.id, now=1, new_id=lambda: "t")
    empty.apply(plan, now=1)
    with closing(sqlite3.connect(empty.path)) as other, other:
        for name in ("c", "d"):
            other.execute(
                "INSERT INTO memories (id, brain_id, content, type, created_at, updated_at)"
                " VALUES (?, ?, '  ', 'note', 1, 1)",
                (name, empty.brain.id),
            )
    assert told(empty) == []


def test_other_scripts_go_letter_by_letter(empty: Vault) -> None:
    add(empty, "one", "家賃は五月に四パーセント上がると大家が言っている", importance=0.9)
    add(empty, "two", "家賃は六月に四パーセント上がると大家が言っている")
    assert told(empty) == [("one", "two", ("near",))]


def test_it_stops_when_nobody_waits_and_says_how_far_it_is(empty: Vault) -> None:
    add(empty, "one", LONG)
    add(empty, "two", NEARLY)
    said: list[str] = []
    find(empty, progress=said.append)
    assert said == ["Reading texts: 2 of 2", "Comparing texts"]
    for patience in range(3):
        left = iter(range(patience))
        with pytest.raises(SearchCancelled):
            find(empty, cancelled=lambda left=left: next(left, None) is None)


def test_the_limit_cuts_the_list_but_not_the_count(empty: Vault) -> None:
    for number in range(6):
        add(empty, f"m{number}", "Buy milk")
    found = find(empty, limit=2)
    assert (len(found.pairs), found.total) == (2, 5)
    assert len(find(empty, limit=None).pairs) == 5


def test_of_random_changes_the_near_texts_are_found() -> None:
    rng = random.Random(5)
    words = [f"word{n}" for n in range(400)]
    texts, changed = [], 0
    for _ in range(300):
        text = rng.choices(words, k=20)
        other = text.copy()
        other[rng.randrange(20)] = "changed"
        texts += [" ".join(text), " ".join(other)]
        changed += 1
    table = WordTable()
    for text in texts:
        table.add(text)
    found = table.find_near(range(len(table)), 0.6, 10_000, lambda: False)
    assert [(pair.one, pair.other) for pair in sorted(found)] == [
        (2 * n, 2 * n + 1) for n in range(changed)
    ]
    assert all(
        pair.similarity == measure_similarity(texts[pair.one], texts[pair.other]) for pair in found
    )


def slow_similarity(one: str, other: str) -> float:
    def parts(text: str) -> set[object]:
        words = text.split()
        return {*words, *pairwise(words)}

    mine, theirs = parts(one), parts(other)
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0


def test_similarity_is_the_share_that_both_have() -> None:
    rng = random.Random(9)
    for _ in range(200):
        one, other = (" ".join(rng.choices("abcdef", k=rng.randrange(9))) for _ in range(2))
        assert measure_similarity(one, other) == pytest.approx(slow_similarity(one, other))
    assert measure_similarity("Rent, rises.", "RENT rises!") == 1.0


def test_similarities_of_many_pairs_are_those_of_each() -> None:
    rng = random.Random(3)
    table = WordTable()
    texts = [" ".join(rng.choices("abcdefgh", k=rng.randrange(12))) for _ in range(100)]
    for text in texts:
        table.add(text)
    ones, others = (np.array(rng.choices(range(100), k=9_000)) for _ in range(2))
    found = table.similarities(ones, others).tolist()
    for one, other, share in list(zip(ones, others, found, strict=True))[::37]:
        assert share == pytest.approx(slow_similarity(texts[one], texts[other]))


def test_an_endless_text_is_compared_by_its_beginning() -> None:
    beginning = " ".join(f"w{n}" for n in range(MOST_WORDS))
    assert measure_similarity(beginning, f"{beginning} {'more ' * 50}") == 1.0


def test_nothing_or_one_text_has_no_pair() -> None:
    table = WordTable()
    assert table.find_near([], 0.6, 10, lambda: False) == []
    table.add("one")
    table.add("")
    assert table.find_near([0, 1], 0.6, 10, lambda: False) == []
    table.add("one")
    assert [p[:2] for p in table.find_near([0, 1, 2], 0.6, 10, lambda: False)] == [(0, 2)]
    assert table.find_near([0, 1, 2], 0.6, 10, lambda: True) == []

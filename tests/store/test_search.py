"""The index of texts: what is found in it, what survives, what is made anew."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvdesk.arrays import StringColumn
from mvdesk.store.companion import Companion
from mvdesk.store.folding import fold_text, has_letters, split_words
from mvdesk.store.search import (
    IndexedText,
    IndexLost,
    IndexUnusable,
    NumberedHits,
    Phrase,
    SearchIndex,
)
from mvdesk.store.steps import JournalStep
from mvdesk.store.text_hashes import hash_texts, sum_of_rows
from tests.store.vault_files import HOLD_WRITE_LOCK, program_holding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOME = "home"
TEXTS = {
    "a": IndexedText(
        "a", 1, "Kitchen tiles", "home.tile", "home,kitchen", "receipt", "Matte white"
    ),
    "b": IndexedText("b", 2, None, None, None, "Kitchen", "The window is open"),
    "c": IndexedText("c", 3, "Réunion ÉQUIPE", None, "work", None, "明日の打ち合わせは十時"),
    "D-4f": IndexedText("D-4f", 4, "window kitchen", None, None, None, "part XK-2214/b ﾃﾞｽｸ"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "v.sqlite.mvdesk"


@pytest.fixture
def index(path: Path) -> Iterator[SearchIndex]:
    index = SearchIndex(path)
    index.write(HOME, (), TEXTS.values())
    yield index
    index.close()


def told(index: SearchIndex, hits: NumberedHits, brain: str = HOME) -> dict[str, float]:
    """Hits by the ids of a brain, with their strengths."""
    numbering = index.read_numbering(brain)
    ids = dict(zip(numbering.numbers.tolist(), numbering.memory_ids, strict=True))
    found = zip(hits.numbers.tolist(), hits.strengths.tolist(), strict=True)
    return {ids[number]: strength for number, strength in found if number in ids}


def words(index: SearchIndex, text: str, brain: str = HOME, *, ranked: bool = True) -> set[str]:
    split = split_words(text, 9)
    phrases = [Phrase(word, word == split[-1]) for word in split]
    return set(told(index, index.find_phrases(phrases, ranked=ranked), brain))


def inside(index: SearchIndex, piece: str) -> dict[str, float]:
    return told(index, index.find_piece(HOME, fold_text(piece)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("kitchen", {"a", "b", "D-4f"}),
        ("KITCHEN tile", {"a"}),
        ("window kit", {"b", "D-4f"}),
        ("kit window", set()),  # only the last word may be a beginning
        ("reunion", {"c"}),
        ("RÉUNION", {"c"}),
        ("home.tile", {"a"}),
        ("tile home", {"a"}),
        ("XK-2214", {"D-4f"}),
        ("nothing", set()),
    ],
)
def test_every_word_must_be_there_and_the_last_may_be_a_beginning(
    index: SearchIndex, text: str, found: set[str]
) -> None:
    assert words(index, text) == found


def test_a_title_counts_more_than_a_source_and_that_more_than_a_text(index: SearchIndex) -> None:
    strengths = told(index, index.find_phrases([Phrase("kitchen")]))
    assert strengths["a"] > strengths["b"] > 0
    assert strengths["D-4f"] > strengths["b"]


def test_unranked_hits_come_as_they_are(index: SearchIndex) -> None:
    hits = index.find_phrases([Phrase("kitchen")], ranked=False)
    assert set(told(index, hits)) == words(index, "kitchen")
    assert set(hits.strengths.tolist()) == {1.0}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("打ち合", {"c"}),
        ("ち合わ", {"c"}),
        ("2214", {"D-4f"}),
        ("デスク", {"D-4f"}),  # half width in the text
        ("d-4f", {"D-4f"}),  # the id itself
        ("itche", {"a", "b", "D-4f"}),
        ("%", set()),
        ("_", set()),
    ],
)
def test_pieces_are_found_wherever_they_are(index: SearchIndex, text: str, found: set[str]) -> None:
    assert set(inside(index, text)) == found


def test_pieces_weigh_as_the_field_they_are_in(index: SearchIndex) -> None:
    assert inside(index, "itche") == {"a": 3.0, "b": 1.2, "D-4f": 3.0}


@pytest.mark.parametrize("text", ["打", "ち合", "打ち合わせ", "十時", "デスク"])
def test_letters_without_spaces_are_found_as_words_wherever_they_stand(
    index: SearchIndex, text: str
) -> None:
    assert words(index, text) == set(inside(index, text)) != set()


def test_numbers_stay_while_texts_change_and_the_mark_moves_with_them(index: SearchIndex) -> None:
    mark = index.read_numbering_mark()
    index.write(HOME, (), [TEXTS["a"]._replace(title="Other")])
    assert index.read_numbering_mark() == mark
    index.write(HOME, ["b"], ())
    assert index.read_numbering_mark() != mark
    mark = index.read_numbering_mark()
    index.write(HOME, (), [TEXTS["b"]])
    assert index.read_numbering_mark() != mark
    mark = index.read_numbering_mark()
    index.clear()
    assert index.read_numbering_mark() != mark


@pytest.mark.parametrize("rows", [1, 2, 4, 9])
def test_numbers_are_read_in_parts(
    index: SearchIndex, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.store.search._ROWS_AT_ONCE", rows)
    numbering = index.read_numbering(HOME)
    assert numbering.mark == index.read_numbering_mark()
    assert numbering.numbers.tolist() == [1, 2, 3, 4]
    assert numbering.memory_ids == list(TEXTS)
    assert index.read_numbering("elsewhere").memory_ids == []


def test_looking_ends_soon_when_nobody_waits(index: SearchIndex) -> None:
    many = [TEXTS["a"]._replace(memory_id=f"m{number}") for number in range(5_000)]
    index.write(HOME, (), many)
    with pytest.raises(IndexUnusable):
        index.find_piece(HOME, "zz", cancelled=lambda: True)
    assert len(inside(index, "matte")) == len(many) + 1


def test_ids_by_their_beginning(index: SearchIndex) -> None:
    assert index.find_ids(HOME, "D-", 9) == ["D-4f"]
    assert index.find_ids(HOME, "", 2) == ["D-4f", "a"]
    assert index.find_ids("elsewhere", "D-", 9) == []


def test_brains_don_t_see_each_other(index: SearchIndex) -> None:
    index.write("work", (), [IndexedText("w", 9, "Kitchen at work", None, None, None, "")])
    assert words(index, "kitchen", "work") == {"w"}
    assert words(index, "kitchen") == {"a", "b", "D-4f"}
    assert index.read_known("work") == [("w", 9)]


def test_a_text_is_replaced_and_forgotten(index: SearchIndex) -> None:
    index.write(HOME, ["b", "not there"], [TEXTS["a"]._replace(checksum=7, title="Bathroom")])
    assert index.read_known(HOME) == [("a", 7), ("c", 3), ("D-4f", 4)]
    assert index.read_known(HOME, ["a", "b"]) == [("a", 7)]
    assert words(index, "kitchen") == {"a", "D-4f"}  # its tag still says so
    assert words(index, "tiles") == set()
    assert words(index, "bath") == {"a"}
    assert words(index, "open") == set()
    assert index.find_damage() == ""


def state_by_hand(index: SearchIndex, brain: str) -> tuple[int, int]:
    known = index.read_known(brain)
    hashes = hash_texts(*StringColumn.of(memory_id for memory_id, _ in known).block)
    checksums = np.array([checksum for _, checksum in known], dtype=np.int64)
    return len(known), sum_of_rows(hashes, checksums)


def test_the_state_is_that_of_all_that_is_indexed(index: SearchIndex) -> None:
    assert index.read_state("work") == (0, 0)
    seen = set()
    for brain, gone, texts in (
        (HOME, (), ()),
        (HOME, ["b", "not there"], [TEXTS["a"]._replace(checksum=7)]),
        ("work", (), [TEXTS["c"], IndexedText("w", 2**40, "", None, None, None, None)]),
        (HOME, ["a"], [TEXTS["b"], TEXTS["c"]._replace(checksum=-3)]),
        ("work", ["w"], ()),
    ):
        index.write(brain, gone, texts)
        for one in (HOME, "work"):
            assert index.read_state(one) == state_by_hand(index, one)
        seen.add(index.read_state(HOME))
    assert len(seen) == 4  # a write elsewhere leaves it as it is
    assert index.read_state("work") == (0, 0)


def test_a_memory_that_changes_brains_is_only_in_the_new_one(index: SearchIndex) -> None:
    index.write("work", (), [TEXTS["a"]])
    assert index.read_known("work") == [("a", 1)]
    assert words(index, "tiles") == set()


def test_nothing_is_made_by_reading(path: Path) -> None:
    index = SearchIndex(path)
    assert not index.is_made()
    assert index.read_known(HOME) == []
    assert words(index, "x") == set()
    assert index.read_numbering_mark() == 0
    assert not path.exists()
    index.close()
    companion = Companion.open(path.with_name("v.sqlite"), path.parent)
    companion.write_setting("x", 1)
    index = SearchIndex(path)
    assert index.read_known(HOME) == []
    assert not index.is_made()
    index.close()
    companion.close()


def test_a_closed_index_stays_closed(index: SearchIndex) -> None:
    index.close()
    with pytest.raises(IndexUnusable, match="closed"):
        index.read_known(HOME)
    with pytest.raises(IndexUnusable, match="closed"):
        index.clear()


def test_an_index_in_memory_works_as_long_as_it_is_open() -> None:
    index = SearchIndex(None)
    index.write(HOME, (), TEXTS.values())
    assert words(index, "tiles") == {"a"}
    index.close()


def test_another_process_sees_what_was_indexed(index: SearchIndex, path: Path) -> None:
    other = SearchIndex(path)
    assert other.is_made()
    other.write(HOME, ["a"], ())
    other.close()
    assert words(index, "tiles") == set()


def break_up(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as conn:
        for statement in statements:
            conn.execute(statement)
        conn.commit()


def use_all_of(index: SearchIndex) -> None:
    index.find_phrases([Phrase("kitchen")])
    index.read_known(HOME)
    index.write(HOME, (), [TEXTS["a"]._replace(title="Other")])


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE search_index",
        "DROP TABLE search_texts",
        "DROP TABLE search_brains",
        "DELETE FROM search_index_data",
        "UPDATE search_index_data SET block = x'00FFFF00'",
        "DROP TABLE search_index_config",
        "DROP TABLE search_index_docsize",
    ],
)
def test_a_damaged_index_is_made_anew_and_the_persons_part_stays(path: Path, damage: str) -> None:
    companion = Companion.open(path.with_name("v.sqlite"), path.parent)
    companion.steps.add(JournalStep(0, HOME, "Edit", "{}", 1))
    index = SearchIndex(path)
    index.write(HOME, (), TEXTS.values())
    index.close()
    break_up(path, damage)
    index = SearchIndex(path)
    with pytest.raises(IndexLost):
        use_all_of(index)
    assert index.read_known(HOME) == []
    index.write(HOME, (), TEXTS.values())
    assert words(index, "tiles") == {"a"}
    assert companion.steps.find_label(HOME, undone=False) == "Edit"
    assert companion.notices == ()
    index.close()
    companion.close()


def test_an_index_of_another_version_is_made_anew(index: SearchIndex, path: Path) -> None:
    index.close()
    break_up(path, "UPDATE parts SET version = 0 WHERE name = 'search'")
    index = SearchIndex(path)
    assert index.read_known(HOME) == []
    index.write(HOME, (), [TEXTS["a"]])
    assert index.read_known(HOME) == [("a", 1)]
    index.close()


def test_texts_that_differ_from_what_was_indexed_are_damage(index: SearchIndex, path: Path) -> None:
    assert index.find_damage() == ""
    break_up(path, "UPDATE search_texts SET content = 'otherwise'")
    assert index.find_damage() != ""
    assert index.read_known(HOME) == []


def test_a_companion_deleted_while_it_is_open_is_no_damage(index: SearchIndex, path: Path) -> None:
    assert index.is_made()
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    assert words(index, "kitchen") == set()
    index.write(HOME, (), TEXTS.values())
    assert words(index, "tiles") == {"a"}


def test_a_lock_is_not_damage(
    index: SearchIndex, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.close()
    monkeypatch.setattr("mvdesk.store.companion_file.BUSY_MS", 50)
    index = SearchIndex(path)
    with program_holding(HOLD_WRITE_LOCK, path):
        with pytest.raises(IndexUnusable) as caught:
            index.write(HOME, ["a"], ())
        assert not isinstance(caught.value, IndexLost)
        assert words(index, "tiles") == {"a"}
    index.close()


def test_damage_that_can_t_be_mended_just_now(
    index: SearchIndex, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.close()
    break_up(path, "DROP TABLE search_texts")
    monkeypatch.setattr("mvdesk.store.companion_file.BUSY_MS", 50)
    index = SearchIndex(path)
    with program_holding(HOLD_WRITE_LOCK, path), pytest.raises(IndexUnusable) as caught:
        index.read_known(HOME)
    assert not isinstance(caught.value, IndexLost)
    index.close()


def test_folding_unifies_forms_and_case() -> None:
    assert fold_text(None) == fold_text("") == ""
    assert fold_text("ABC") == "abc"
    assert fold_text("STRASSE") == fold_text("Straße")
    assert fold_text("ｱｲ") == "アイ"


def test_words_are_split_folded_and_told_apart() -> None:
    assert split_words("  One\u3000two\tONE\0three ", 9) == ["one", "two", "three"]
    assert split_words("a b c", 2) == ["a", "b"]
    assert split_words("\ud83d x", 9) == ["?", "x"]
    assert has_letters("a")
    assert has_letters("-9")
    assert has_letters("\ue000")
    assert not has_letters("-%🌱")


@given(
    st.text(st.characters(codec=None), max_size=40)
    | st.sampled_from(
        [
            '"',
            "'",
            "*",
            "NEAR(a b)",
            "a AND",
            "OR",
            "title:x",
            "^a",
            "a + b",
            "-",
            "{a b}: c",
            "a*",
            "(",
            ")",
            '""',
            '"" ""',
            "; DROP TABLE search_texts",
            "x" * 5_000,
            "\u202eabc",
            "\ud800",
        ]
    )
)
@settings(max_examples=300, deadline=None)
def test_whatever_is_typed_is_looked_up(text: str) -> None:
    pieces = split_words(text, 32)
    for ranked in (True, False):
        for some in ([p for p in pieces if has_letters(p)], pieces[:1]):
            if some:
                assert FUZZED.find_phrases([Phrase(p, True) for p in some], ranked=ranked)
    for piece in pieces[:2]:
        assert FUZZED.find_piece(HOME, piece)
    assert FUZZED.find_ids(HOME, text.encode("utf-8", "replace").decode(), 5) is not None
    assert FUZZED.read_known(HOME), "the index was lost"


FUZZED = SearchIndex(None)
FUZZED.write(HOME, (), TEXTS.values())

"""Bringing two people's changes together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.ui.panels.draft_merge import (
    END,
    THEIRS,
    YOURS,
    Merged,
    merge_fields,
    merge_lines,
    merge_tags,
)
from mvdesk.ui.panels.drafts import texts_of

TEXTS = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8).map("\n".join)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        ("a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"),
        ("a\nb\nc", "a\nb\nc\nd", "0\na\nb\nc", "0\na\nb\nc\nd"),
        ("a\nb\nc", "a\nc", "a\nb\nc\nd", "a\nc\nd"),
        ("a\nb", "a\nsame", "a\nsame", "a\nsame"),
        ("a\nb\nc", "A\nb\nc", "a\nb\nc", "A\nb\nc"),
        ("a\r\nb\r\nc", "A\r\nb\r\nc", "a\r\nb\r\nC", "A\r\nb\r\nC"),
        ("a\nb\nc", "A\nb\nc", "a\r\nb\r\nc", "A\r\nb\r\nc"),
    ],
)
def test_changes_of_different_lines_are_joined(
    base: str, mine: str, theirs: str, merged: str
) -> None:
    assert merge_lines(base, mine, theirs) == (merged, 0, 0)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        ("Keep it dry.", "Keep it dry. Mine", "Theirs keep it dry.", "Theirs keep it dry. Mine"),
        ("Keep it dry.", "Keep it dry. Mine", "Theirs: Keep it dry.", "Theirs: Keep it dry. Mine"),
        ("a b c\nd e", "A b c\nd E", "a b C\nd e", "A b C\nd E"),
        ("open at 3 bar", "closed at 3 bar", "open at 4 bar", "closed at 4 bar"),
        ("三个阀门坏了", "四个阀门坏了", "三个阀门好了", "四个阀门好了"),
        ("one two", "one 2", "one  two", None),
        ("one two", "1 two", "one II", None),  # only a space is between them
    ],
)
def test_a_line_that_both_changed_at_different_words_is_joined(
    base: str, mine: str, theirs: str, merged: str | None
) -> None:
    text, places, joined = merge_lines(base, mine, theirs)
    if merged is None:
        assert (places, joined) == (1, 0)
    else:
        assert (text, places) == (merged, 0)
        assert joined >= 1


def test_of_a_line_that_both_changed_both_versions_stay() -> None:
    merged, places, _ = merge_lines("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc")
    assert merged.split("\n") == ["a", YOURS, "mine", THEIRS, "theirs", END, "c"]
    assert places == 1


def test_a_line_that_one_removed_and_the_other_changed_stays_to_choose() -> None:
    merged, places, _ = merge_lines("a\nb\nc", "a\nc", "a\nB\nc")
    assert merged.split("\n") == ["a", YOURS, THEIRS, "B", END, "c"]
    assert places == 1


@given(TEXTS, TEXTS, TEXTS)
def test_no_line_of_either_side_is_lost_where_both_changed(
    base: str, mine: str, theirs: str
) -> None:
    merged, places, _ = merge_lines(base, mine, theirs)
    if mine == base:
        assert (merged, places) == (theirs, 0)
    if theirs == base:
        assert (merged, places) == (mine, 0)
    lines = merged.split("\n")
    assert lines.count(YOURS) == lines.count(THEIRS) == lines.count(END) == places
    added = (set(mine.split("\n")) | set(theirs.split("\n"))) - set(base.split("\n"))
    assert added <= set(lines)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        ("a, b", "a, b, c", "a, b, d", "a, b, d, c"),
        ("a, b", "a", "a, b, d", "a, d"),
        ("a, b", "a, b, C", "b, c", "b, c"),
        ("", "x", "y", "y, x"),
        ("a", "", "", ""),
    ],
)
def test_of_tags_both_sides_changes_count(base: str, mine: str, theirs: str, merged: str) -> None:
    assert merge_tags(base, mine, theirs) == merged


def test_other_fields_are_the_side_that_changed_them_and_mine_when_both_did() -> None:
    base = texts_of(None) | {"title": "t", "key": "k", "source": "s"}
    mine = base | {"title": "mine", "source": "mine"}
    theirs = base | {"title": "theirs", "key": "theirs"}
    assert merge_fields(base, mine, theirs) == Merged(
        base | {"title": "mine", "source": "mine", "key": "theirs"}, 0, ("title",)
    )

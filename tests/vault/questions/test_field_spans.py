"""What is marked in a title, key, tags or source: every way in which a search finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mvdesk.vault.questions.query import parse_query
from mvdesk.vault.questions.word_spans import find_field_spans

if TYPE_CHECKING:
    from mvdesk.vault.questions.matching import Leaf, Way


def _marked(search: str, text: str, field: str, way: Way = "words") -> list[str]:
    query = parse_query(search)
    ways: dict[Leaf, Way] = {leaf: way for leaf, _ in query.leaves()}
    found = find_field_spans(query, ways, field).find(text)
    return [text[start:end] for start, end in found]


@pytest.mark.parametrize(
    ("search", "text", "marked"),
    [
        ("kit", "Kitchen kit", ["Kit", "kit"]),
        ("reun", "Réunion d’équipe", ["Réun"]),
        ("重", "打合せ重跑", ["重"]),
        ('"most roots"', "Most roots, most  roots", ["Most roots", "most  roots"]),
        ('"roots"', "rootsy roots", ["roots"]),
        ("title:roots", "Most rootsy", ["roots"]),
        ('title:"most roots"', "Most roots of it", ["Most roots"]),
        ('title="Most roots"', "Most roots", ["Most roots"]),
        ("title:a,b", "Apple bear", ["A", "b"]),
        ("-title:apple", "Apple", []),
        ("NOT apple", "Apple", []),
        ("key:apple", "Apple", []),
        ("(title:apple OR bear) conf>0", "Apple bear", ["Apple", "bear"]),
        ("ﬁsh", "fish", ["fish"]),
    ],
)
def test_titles_are_marked(search: str, text: str, marked: list[str]) -> None:
    assert _marked(search, text, "title") == marked


def test_each_operator_marks_its_own_field() -> None:
    assert _marked("tag:#work key:home", "work, home", "tag") == ["work"]
    assert _marked("tag:#work key:home", "work.home", "key") == ["home"]
    assert _marked("tag:#work key:home", "work home", "") == []
    assert _marked("source:slack word", "slack word", "source") == ["slack", "word"]


def test_what_was_found_inside_of_words_is_marked_there() -> None:
    assert _marked("title:oots", "Most roots", "title", "inside") == ["oots"]
    assert _marked("title:oots", "Most roots", "title") == []
    assert _marked("🌱", "a 🌱 b", "title", "inside") == ["🌱"]

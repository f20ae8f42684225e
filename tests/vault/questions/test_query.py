"""What was typed, understood: words, operators, negation, OR, brackets, hints, any text."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mvdesk.vault.questions.query import (
    MAX_CHARACTERS,
    MAX_TERMS,
    Condition,
    Either,
    Every,
    Not,
    Query,
    Word,
    parse_query,
)
from mvdesk.vault.questions.query_operators import (
    OPERATORS,
    Days,
    Flag,
    Range,
    day_start,
    suggest_name,
)
from mvdesk.vault.questions.query_wording import describe_part, describe_query

HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from("\"'*-:()^@#<>=. \t\n\0ORANDNOT重跑e\u0301\ud800\u202e🌱"),
        st.characters(),
    ),
    max_size=60,
)
PIECES = st.sampled_from(
    (
        "type:fact", "conf<0.5", "-tag:work", '"in a row"', "OR", "(", ")", "NOT", "word", "-",
        'source:"a b"', "idle>60d", "created:2026-03", "low:", "trust:unset", "AND", "foo:bar",
        "-(", "conf<x", "type:", '"', "重跑gen-itgc", "http://x.y", "has:contra", "no:tags", "''",
    )
)  # fmt: skip


def parts(text: str) -> tuple[object, ...]:
    return parse_query(text).parts


def word(text: str, **how: bool) -> Word:
    return Word(text, **how)


def first(text: str) -> Condition:
    (part,) = parts(text)
    assert isinstance(part, Condition)
    return part


def test_words_must_all_be_there_and_the_last_may_go_on() -> None:
    assert parts("kitchen til") == (word("kitchen"), word("til", is_beginning=True))
    assert parts("kitchen til type:fact") == (
        word("kitchen"),
        word("til", is_beginning=True),
        Condition("type", ":", "fact"),
    )


def test_the_word_that_may_go_on_is_a_wanted_one_without_quotes() -> None:
    assert parts('kitchen "til"') == (
        word("kitchen", is_beginning=True),
        word("til", is_exact=True),
    )
    assert parts("kitchen -til") == (word("kitchen", is_beginning=True), Not(word("til")))
    assert parts("a OR (b c)") == (
        Either((word("a"), Every((word("b"), word("c", is_beginning=True))))),
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("conf<0.5", Range(most=0.5, below=True)),
        ("confidence<=.5", Range(most=0.5)),
        ("conf < 0.5", Range(most=0.5, below=True)),
        ("conf< .5", Range(most=0.5, below=True)),
        ("conf<0,5", Range(most=0.5, below=True)),
        ("conf:0.4..0.2", Range(0.2, 0.4)),
        ("idle > 60d", Range(least=60, beyond=True)),
        ("edited >= 2026-03", Days(first=date(2026, 3, 1))),
        ("imp>=0.7", Range(least=0.7)),
        ("imp≥0.7", Range(least=0.7)),
        ("conf:>0.2", Range(least=0.2, beyond=True)),
        ("conf=0.5", Range(0.5, 0.5)),
        ("conf:0.2..0.4", Range(0.2, 0.4)),
        ("conf:0.2..", Range(least=0.2)),
        ("conf:..0.2", Range(most=0.2)),
        ("min_score:0.7", Range(least=0.7)),
        ("trust:unset", Range(is_set=False)),
        ("TRUST:Set", Range(is_set=True)),
        ("trust<0.4", Range(most=0.4, below=True)),
        ("trust:0.4", Range(0.4, 0.4)),
        ("links:0", Range(0, 0)),
        ("idle>60d", Range(least=60, beyond=True)),
        ("idle>=2w", Range(least=14)),
        ("age<1year", Range(most=365, below=True)),
        ("age:3", Range(3, 4, below=True)),
        ("created:2026", Days(date(2026, 1, 1), date(2027, 1, 1))),
        ("created:2026-12", Days(date(2026, 12, 1), date(2027, 1, 1))),
        ("created:2026-3-4", Days(date(2026, 3, 4), date(2026, 3, 5))),
        ("edited>=2026-03", Days(first=date(2026, 3, 1))),
        ("edited>2026-03", Days(first=date(2026, 4, 1))),
        ("updated<2026-03", Days(after=date(2026, 3, 1))),
        ("updated<=2026-03", Days(after=date(2026, 4, 1))),
        ("created:2026-01..2026-02", Days(date(2026, 1, 1), date(2026, 3, 1))),
        ("created:..2026", Days(after=date(2027, 1, 1))),
        ("created:2026..", Days(first=date(2026, 1, 1))),
        ("recalled:never", Days()),
        ("low:", Flag()),
        ("low:importance", Flag(which="imp")),
        ("archived:no", Flag(on=False)),
        ("has:contra", "contradicts"),
        ("no:tags", "tag"),
        ("has:example", "example_of"),
    ],
)
def test_values_of_operators(text: str, value: object) -> None:
    assert first(text).value == value
    assert not parse_query(text).hints


def test_a_quoted_value_may_hold_spaces_and_is_meant_exactly() -> None:
    assert first('source:"meeting notes"') == Condition(
        "source", ":", "meeting notes", is_exact=True
    )
    assert first("source:slack") == Condition("source", ":", "slack")


@pytest.mark.parametrize(
    "text",
    [
        "conf<abc", "conf:", "conf:..", "conf<1,2,3", "links<1,5", "imp>=",
        "idle>soon", "idle>3x", "created:20", "created:2026-13",
        "created:9999", "created:..", "type:", 'tag:""', "type<3", "has:", "no:s", "low:never",
        "clamped:x", "links:many", '""', "()", "-", "NOT", "OR", "a OR", ")",
    ],
)  # fmt: skip
def test_what_can_t_be_applied_is_left_out_and_said(text: str) -> None:
    query = parse_query(text)
    assert any(hint.is_left_out for hint in query.hints)
    assert all(isinstance(part, Word) for part in query.parts)


def test_an_unknown_operator_counts_as_words_and_the_likely_one_is_offered() -> None:
    query = parse_query("sorce:slack")
    assert query.parts == (word("sorce:slack", is_beginning=True),)
    (hint,) = query.hints
    assert hint.suggestion == "source:slack"
    assert "source:" in hint.text
    assert not hint.is_left_out
    (hint,) = parse_query("zzzz:1").hints
    assert hint.suggestion == ""
    assert suggest_name("confidance") == "conf"


def test_what_is_offered_for_an_unknown_operator_can_be_compared() -> None:
    (hint,) = parse_query("score>0.5").hints
    assert hint.suggestion == "conf>0.5"
    assert suggest_name("sorce", "<") == ""
    assert suggest_name("trsut", "<") == "trust"


def test_words_around_a_sign_are_words_where_no_operator_is_compared() -> None:
    assert parts("version > 2 type = 3") == tuple(
        word(text, is_beginning=text == "3") for text in ("version", ">", "2", "type", "=", "3")
    )


@pytest.mark.parametrize(
    "text",
    ["http://x.y/z", r"C:\temp", "std::vector", "12:30", "a=b", "x<y", "print(x)", "--force"],
)
def test_paths_addresses_and_code_are_plain_words(text: str) -> None:
    assert parse_query(text) == Query(text, (word(text, is_beginning=True),))


def test_or_joins_its_neighbours_and_brackets_group() -> None:
    tag_a, tag_b = Condition("tag", ":", "a"), Condition("tag", ":", "b")
    fact = Condition("type", ":", "fact")
    assert parts("type:fact tag:a OR tag:b") == (fact, Either((tag_a, tag_b)))
    assert parts("tag:a OR tag:b OR type:fact") == (Either((tag_a, tag_b, fact)),)
    assert parts("(type:fact AND tag:a) OR tag:b") == (Either((Every((fact, tag_a)), tag_b)),)
    assert parts("-(tag:a tag:b)") == (Not(Every((tag_a, tag_b))),)
    assert parts("NOT tag:a") == parts("-tag:a") == (Not(tag_a),)
    assert parts("- -tag:a") == (tag_a,)
    assert parts("(((tag:a") == (tag_a,)
    assert parts("tag:a) tag:b") == (tag_a, tag_b)


def test_leaves_know_whether_they_are_wanted() -> None:
    query = parse_query("a -(b OR -c) tag:x archived:")
    assert [(leaf.text, wanted) for leaf, wanted in query.leaves() if isinstance(leaf, Word)] == [
        ("a", True), ("b", False), ("c", True),
    ]  # fmt: skip
    assert [one.text for one in query.words] == ["a", "c"]
    assert query.asks_for_archived
    assert not parse_query("a").asks_for_archived
    assert parse_query("  ").is_empty


def test_taking_a_part_out_leaves_the_others() -> None:
    query = parse_query("kitchen type:fact OR tag:x til")
    assert query.without(query.parts[1].place) == "kitchen til"
    one = parse_query("tag:x OR tag:y")
    assert one.without((0, 5)) == "tag:y"
    assert one.without((9, 14)) == "tag:x"


def test_only_so_much_counts_and_that_is_said() -> None:
    query = parse_query("x " * 50_000)
    assert len(query.parts) == MAX_TERMS
    assert [hint.is_left_out for hint in query.hints] == [True, True]
    assert parse_query("y" * 100_000).hints[0].place == (MAX_CHARACTERS, 100_000)
    assert len(parse_query("(" * 3_000).hints) < 10


@settings(max_examples=600, deadline=None)
@given(st.one_of(HOSTILE, st.lists(PIECES, max_size=12).map(" ".join)))
@example("\0" * 100_000)
@example('"' * 100_000)
@example("(" * 100_000)
@example("-" * 100_000)
@example("NOT " * 25_000)
@example("OR " * 30_000)
def test_any_text_is_a_query_and_its_parts_stand_for_it(text: str) -> None:
    query = parse_query(text)
    described = describe_query(query)
    assert all(piece.text for piece in described)
    assert all(0 <= hint.place[0] <= hint.place[1] <= len(text) for hint in query.hints)
    verbatim = " ".join(text[slice(*part.place)] for part in query.parts)
    assert parse_query(verbatim).parts == query.parts
    for part in query.parts:
        assert part.place[0] < part.place[1] <= len(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kitchen til", "“kitchen til…”"),
        ('"in a row"', "exactly “in a row”"),
        ("type:fact,note", "type fact or note"),
        ('source:"Slack, old"', "source “Slack, old”"),
        ("-tag:work", "not tag work"),
        ("-(tag:a tag:b)", "not (tag a and tag b)"),
        ("-(tag:a OR tag:b)", "not (tag a or tag b)"),
        ("tag:a OR x", "tag a or “x…”"),
        ("conf<0.5", "confidence < 0.5"),
        ("conf<=0.5", "confidence ≤ 0.5"),
        ("imp>0.25", "importance > 0.25"),
        ("imp>=0.7", "importance ≥ 0.7"),
        ("conf:0.2..0.4", "confidence 0.2 to 0.4"),
        ("conf=0.5", "confidence 0.5"),
        ("trust:unset", "trust not set"),
        ("trust:set", "trust set"),
        ("links:0", "no links"),
        ("idle>60d", "idle more than 60 days"),
        ("idle>=60d", "idle at least 60 days"),
        ("age<1d", "made less than 1 day ago"),
        ("age<=2w", "made at most 14 days ago"),
        ("age:3", "made 3 days ago"),
        ("age:3..5", "made 3 to 5 days ago"),
        ("has:contradicts", "has a contradiction"),
        ("no:example_of", "no example link"),
        ("no:links", "no links"),
        ("created:2026", "created 2026"),
        ("created:2026-03", "created 2026-03"),
        ("created:2026-12", "created 2026-12"),
        ("created:2026-03-04", "created 2026-03-04"),
        ("created:2026-03-04..2026-03-06", "created 2026-03-04 to 2026-03-06"),
        ("created:2026-01..2026-03", "created 2026-01-01 to 2026-03-31"),
        ("edited<2026", "edited before 2026-01-01"),
        ("edited>=2026", "edited from 2026-01-01 on"),
        ("recalled:never", "never recalled"),
        ("low:imp", "low for its type by importance"),
        ("archived:no", "not archived"),
    ],
)  # fmt: skip
def test_what_was_understood_is_said_in_words(text: str, said: str) -> None:
    (piece,) = describe_query(parse_query(text))
    assert piece.text == said


def test_how_a_word_was_found_is_said() -> None:
    query = parse_query("ogo")
    (part,) = query.parts
    assert isinstance(part, Word)
    assert describe_part(part, {part: "inside"}) == "“ogo…” (anywhere inside)"
    two = parse_query("log ogo")
    one, other = two.words
    said = [piece.text for piece in describe_query(two, {one: "words", other: "inside"})]
    assert said == ["“log”", "“ogo…” (anywhere inside)"]
    (piece,) = describe_query(query, {part: "fields"})
    assert piece.text == "“ogo…” (not in texts yet)"
    assert piece.is_words


def test_plain_words_that_stand_together_are_one_piece() -> None:
    query = parse_query("a b type:fact c")
    assert [piece.text for piece in describe_query(query)] == ["“a b”", "type fact", "“c…”"]
    assert query.without(describe_query(query)[0].place) == "type:fact c"


def test_every_operator_has_an_example_that_works() -> None:
    for operator in OPERATORS:
        assert first(operator.example).name == operator.name
        assert operator.help


def test_days_begin_where_the_clock_is() -> None:
    day = date(2026, 3, 4)
    assert day_start(day, local=False) == int(datetime(2026, 3, 4, tzinfo=UTC).timestamp())
    assert day_start(day, local=True) == int(datetime(2026, 3, 4).astimezone().timestamp())
    assert day_start(date.max, local=True) > 0
    assert day_start(date.min, local=True) == day_start(date.min, local=False) < 0


@pytest.mark.parametrize(
    ("text", "sign"), [("\0abc", "U+0000"), ("abc \ud83d", "U+D83D"), ("tag:a\udc00", "U+DC00")]
)
def test_signs_that_no_text_can_hold_are_left_out_with_a_sentence(text: str, sign: str) -> None:
    query = parse_query(text)
    assert [hint.text for hint in query.hints] == [
        f"No memory can hold the sign {sign}, so it doesn't count."
    ]
    start, end = query.hints[0].place
    assert query.hints[0].is_left_out
    assert f"U+{ord(text[start:end]):04X}" == sign
    for leaf, _ in query.leaves():
        said = leaf.text if isinstance(leaf, Word) else str(leaf.value)
        assert said in ("abc", "a")


def test_a_search_of_nothing_but_such_signs_finds_everything_and_says_so() -> None:
    query = parse_query("\0")
    assert query.is_empty
    assert len(query.hints) == 1

"""JSON in pieces reads as JSON in one piece."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.vault.json_stream import JsonStream

plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    plain, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12
)


def read(pieces: list[str]) -> Any:  # noqa: ANN401
    stream = JsonStream(pieces)
    data: dict[str, Any] = {}
    for name in stream.members():
        data[name] = list(stream.items()) if stream.starts_with("[") else stream.value()
    stream.end()
    return data


def cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@given(
    data=st.dictionaries(st.text(), values, max_size=5),
    size=st.integers(1, 40),
    indent=st.sampled_from([None, 1]),
    ascii_only=st.booleans(),
)
def test_whatever_the_pieces_are(
    data: dict[str, Any], size: int, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    assert read(cut(text, size)) == data
    assert read(["", *cut(f" \n{text}\t", size), ""]) == data


@pytest.mark.parametrize(
    "text",
    ["", "[]", "5", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{"a":[1,]}', '{"a":[1'],
)
@pytest.mark.parametrize("size", [1, 100])
def test_what_is_no_json_object_is_said(text: str, size: int) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(cut(text, size))


@pytest.mark.parametrize(
    "text", ["{} x", '{"a":1}}', '{"a" 1}', '{"a":1 "b":2}', '{"a":[1 2]}', "{5: 1}", '{"a":x}']
)
def test_a_fault_anywhere_is_a_fault(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read([text])


def test_a_long_value_in_short_pieces_takes_no_longer_than_it_is_long() -> None:
    text = json.dumps({"a": ["x" * 3_000_000]})
    assert len(read(cut(text, 1000))["a"][0]) == 3_000_000


def test_nesting_that_is_too_deep_is_said_as_always() -> None:
    with pytest.raises(RecursionError):
        read(['{"a":' + "[" * 100_000])

"""Links to memories: made, read back, and refused when they are something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.vault.addresses import Address, format_address, parse_address


def test_a_link_names_memory_and_brain() -> None:
    link = format_address(Address("4f1c", "legacy-default-brain"))
    assert link == "mvdesk://memory/4f1c?brain=legacy-default-brain"
    assert parse_address(f"  {link}\n") == Address("4f1c", "legacy-default-brain")
    assert parse_address("MVDESK://MEMORY/4F1C") == Address("4F1C")
    assert format_address(Address("4f1c")) == "mvdesk://memory/4f1c"


@given(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=40),
    st.text(st.characters(codec="utf-8"), max_size=40),
)
def test_every_id_survives(memory_id: str, brain_id: str) -> None:
    wanted = Address(memory_id, brain_id)
    if memory_id.strip() == memory_id and "/" not in memory_id:
        assert parse_address(format_address(wanted)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mvdesk://",
        "mvdesk://memory/",
        "mvdesk://source/x",
        "mvdesk://memory/a/b",
        "https://memory/x",
        "mvdesk://[memory/x",
        "mvdesk://memory/" + "x" * 3000,
        "some text",
    ],
)
def test_other_texts_are_no_links(text: str) -> None:
    assert parse_address(text) is None


@given(st.text(max_size=60))
def test_nothing_is_too_strange_to_be_read(text: str) -> None:
    parse_address(text)
    parse_address("mvdesk://memory/" + text)

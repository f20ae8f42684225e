"""Damaged, foreign and old files: every command says what is the matter, and writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.outcome import CONTRADICTED, STALE, digest
from tests.store.damaging import drop_entries, misspell

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.outcome import Outcome

    Command = Callable[..., Outcome]

BY_ID = "sqlite_autoindex_memories_1"


@pytest.mark.parametrize("backed_up", [False, True])
@pytest.mark.parametrize(
    "arguments",
    [
        ("edit", STALE, "--title", "x"),
        ("archive", STALE),
        ("delete", STALE),
        ("show", STALE),
        ("show", STALE, "--json"),
        ("explain", STALE, "--json"),
        ("link", STALE, CONTRADICTED, "supports"),
        ("list", "--json"),
    ],
    ids=" ".join,
)
def test_what_a_damaged_index_hides_is_damage_not_another_program(
    mvdesk: Command, demo: Path, arguments: tuple[str, ...], backed_up: bool
) -> None:
    if backed_up:  # then nothing is looked at before a write
        assert mvdesk("edit", demo, CONTRADICTED, "--title", "y").code == 0
    misspell(demo, BY_ID, STALE)
    before = digest(demo)
    name, *rest = arguments
    said = mvdesk(name, demo, *rest)
    assert said.code == 1, said
    assert "damaged" in said.err
    assert "another program" not in said.err
    assert ("open a backup of your own" in said.err) is not backed_up
    assert digest(demo) == before


def test_no_command_calls_a_damaged_file_a_mistake_of_its_own(mvdesk: Command, demo: Path) -> None:
    drop_entries(demo, BY_ID)
    before = digest(demo)
    for arguments in (
        ("list", demo, "--json"),
        ("stats", demo, "--json"),
        ("review", demo, "--json"),
        ("conflicts", demo, "--json", "--min-confidence", "0"),
        ("search", demo, "story", "--json"),
        ("decay", demo),
        ("trust", demo, "slack", "0.1"),
        ("snapshot", demo, "create"),
        ("undo", demo),
    ):
        result = mvdesk(*arguments)
        assert "made a mistake" not in result.err, arguments
        assert "another program" not in result.err, arguments
    assert digest(demo) == before

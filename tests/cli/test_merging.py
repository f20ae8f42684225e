"""The command merge: several memories become one, and undo makes them several again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.outcome import CONTRADICTED, NOW, STALE, UNVERIFIED, digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_the_others_are_archived_and_their_links_carried_over(demo: Path, mvdesk: Callable) -> None:
    ids = (STALE, UNVERIFIED)
    before = {one: mvdesk("show", demo, one, "--json").json for one in ids}
    links = {one: mvdesk("links", demo, one, "--json").json for one in ids}
    done = mvdesk("merge", demo, UNVERIFIED, "--into", STALE, "--json", "--now", NOW).json
    assert done["primary_id"] == STALE
    assert done["archived_ids"] == [UNVERIFIED]
    assert done["source_count"] == 2
    assert not done["dry_run"]
    after = mvdesk("show", demo, STALE, "--json").json
    assert before[STALE]["content"] in after["content"]
    assert before[UNVERIFIED]["content"] in after["content"]
    others = {link["memory"]["id"] for one in links.values() for link in one["links"]}
    carried = mvdesk("links", demo, STALE, "--json").json["links"]
    linked = {link["memory"]["id"] for link in carried}
    assert linked == (others | {UNVERIFIED}) - {STALE}
    assert mvdesk("show", demo, UNVERIFIED, "--json").json["archived_at"] == NOW
    (line,) = [
        entry
        for entry in mvdesk("history", demo, STALE, "--json").json["entries"]
        if entry["event_type"] == "memory_merged"
    ]
    for side, memory in (("before", before[STALE]), ("after", after)):
        assert line["payload"][side][STALE]["content"] == memory["content"]
    assert mvdesk("undo", demo).code == 0
    for one in ids:
        assert mvdesk("show", demo, one, "--json").json == before[one]
        assert mvdesk("links", demo, one, "--json").json == links[one]


def test_without_into_the_most_important_stays(demo: Path, mvdesk: Callable) -> None:
    ids = (STALE, CONTRADICTED, UNVERIFIED)
    bases = {one: mvdesk("show", demo, one, "--json").json["base_importance"] for one in ids}
    done = mvdesk("merge", demo, *ids, "--dry-run", "--json").json
    assert bases[done["primary_id"]] == max(bases.values())
    assert done["dry_run"]


def test_a_dry_run_says_it_all_and_writes_nothing(demo: Path, mvdesk: Callable) -> None:
    held = digest(demo)
    said = mvdesk("merge", demo, UNVERIFIED, "--into", STALE, "--dry-run").out
    assert said.startswith("Dry run, nothing written. Merge 2 memories into ")
    assert "gets new values: text" in said
    assert "goes to the archive, superseded" in said
    assert "1 link made" in said
    assert digest(demo) == held


def test_title_and_text_can_be_given(demo: Path, process: Callable) -> None:
    options = ("--title", "Both", "--content", "-", "--into", STALE)
    assert process("merge", demo, UNVERIFIED, *options, stdin=b"One text.\n").code == 0
    memory = json.loads(process("show", demo, STALE, "--json").out)
    assert (memory["title"], memory["content"]) == ("Both", "One text.")


def test_what_has_the_same_link_already_loses_the_other(demo: Path, mvdesk: Callable) -> None:
    for one in (STALE, UNVERIFIED):
        assert mvdesk("link", demo, one, CONTRADICTED, "causes").code == 0
    said = mvdesk("merge", demo, UNVERIFIED, "--into", STALE).out
    assert "2 links removed, as it has the same" in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([STALE], "Name two or more memories."),
        ([STALE, STALE[:8]], "Name two or more memories."),
        ([STALE, "--into", STALE], "Name two or more memories."),
        ([STALE, "nobody"], "No memory has the id"),
        ([STALE, UNVERIFIED, "--content", ""], "content"),
    ],
)
def test_what_makes_no_sense_is_refused(
    demo: Path, mvdesk: Callable, arguments: list[str], sentence: str
) -> None:
    held = digest(demo)
    assert sentence in mvdesk("merge", demo, *arguments).refused()
    assert digest(demo) == held


def test_an_archived_one_is_refused(demo: Path, mvdesk: Callable) -> None:
    assert mvdesk("archive", demo, STALE).code == 0
    said = mvdesk("merge", demo, STALE, UNVERIFIED).refused()
    assert "is in the archive" in said
    assert "Restore it first" in said

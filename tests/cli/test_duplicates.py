"""The command duplicates: pairs that may be the same memory twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.vault.not_duplicates import change_apart
from mvdesk.vault.vault import Vault
from tests.cli.outcome import STALE, UNVERIFIED, digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_copies_are_listed_until_they_are_set_apart(demo: Path, mvdesk: Callable) -> None:
    before = mvdesk("duplicates", demo, "--json").json
    text = mvdesk("show", demo, STALE, "--json").json["content"]
    assert mvdesk("edit", demo, UNVERIFIED, "--content", text).code == 0
    held = digest(demo)
    found = mvdesk("duplicates", demo, "--json").json
    assert found["total"] == before["total"] + 1
    first = found["duplicates"][0]
    assert {first["a"]["id"], first["b"]["id"]} == {STALE, UNVERIFIED}
    assert (first["reasons"], first["similarity"], first["copies"]) == (["text"], 1.0, 2)
    said = mvdesk("duplicates", demo).out.splitlines()
    assert said[0].split() == ["alike", "id", "memory", "id", "memory", "because"]
    assert said[1].split()[0] == "100%"
    assert said[1].endswith("same text")
    assert digest(demo) == held
    with Vault.open(demo) as vault:
        change_apart(vault.companion, vault.brain.id, [(STALE, UNVERIFIED)], apart=True)
    left = mvdesk("duplicates", demo, "--json").json
    assert (left["total"], left["set_apart"]) == (before["total"], 1)
    assert mvdesk("duplicates", demo, "--set-apart", "--json").json["total"] == found["total"]


def test_the_limit_says_what_is_left_out(demo: Path, mvdesk: Callable) -> None:
    for _ in range(3):
        assert mvdesk("add", demo, "--content", "The very same words again").code == 0
    total = mvdesk("duplicates", demo, "--json").json["total"]
    said = mvdesk("duplicates", demo, "--limit", "1").out.splitlines()
    assert said[-1] == f"1 of {total}; --all shows the rest."
    assert len(mvdesk("duplicates", demo, "--all", "--json").json["duplicates"]) == total


def test_without_any_it_says_so(tmp_path: Path, mvdesk: Callable) -> None:
    path = tmp_path / "empty.sqlite"
    Vault.create(path, "Empty", now=1000).close()
    assert mvdesk("duplicates", path).out == "No duplicates found.\n"

"""The command that searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.outcome import NOW, digest

if TYPE_CHECKING:
    from pathlib import Path


Run = "Callable[..., Outcome]"
CLOCK = 1_795_986_027


def test_hits_have_the_servers_fields_and_the_best_comes_first(brain: Path, mvdesk: Run) -> None:
    found = mvdesk("search", brain, "paint hallway", "--json", "--now", CLOCK).json
    assert list(found) == ["query", "results"]
    assert found["query"] == "paint hallway"
    first = found["results"][0]
    assert first["key"] == "home.paint.hallway"
    assert {"base_confidence", "dynamic_confidence", "link_count", "retrieval"} <= set(first)
    ranks = [hit["retrieval"]["relevance_score"] for hit in found["results"]]
    assert ranks == sorted(ranks, reverse=True)
    texts = [hit["retrieval"]["fused_score"] for hit in found["results"]]
    assert max(texts) == 1


def test_hits_that_others_supersede_or_beat_say_so(brain: Path, mvdesk: Run) -> None:
    found = mvdesk("search", brain, "churn", "--type", "fact", "--json", "--now", CLOCK).json
    (loser,) = (hit for hit in found["results"] if "conflict_loser" in hit["retrieval"])
    assert loser["retrieval"]["conflict_loser"] is True
    assert loser["retrieval"]["superseded_by"] == ["2ed123dd-ce94-4fdb-95e5-533b2068bfb1"]
    shown = mvdesk("search", brain, "churn", "--type", "fact", "--now", CLOCK).out
    assert "superseded, lost a conflict" in shown
    assert shown.endswith("hits\n")


def test_min_score_type_and_limit_narrow_the_hits(brain: Path, mvdesk: Run) -> None:
    def search(*options: str) -> list[dict[str, object]]:
        return mvdesk("search", brain, "export", "--json", "--now", CLOCK, *options).json["results"]

    everything = search()
    assert len(everything) == 16
    high = search("--min-score", "0.9")
    assert 0 < len(high) < 16
    assert all(hit["dynamic_confidence"] >= 0.9 for hit in high)  # type: ignore[operator]
    assert {hit["type"] for hit in search("--type", "note")} == {"note"}
    assert search("--limit", "3") == everything[:3]


def test_the_table_tells_how_many_there_are(brain: Path, mvdesk: Run) -> None:
    assert mvdesk("search", brain, "export", "--limit", 3).out.endswith("3 of 16 hits\n")
    assert mvdesk("search", brain, "キッチン").out.endswith("1 hit\n")
    assert mvdesk("search", brain, "submarine").out == "0 hits\n"


def test_what_is_out_of_range_is_moved_into_it_and_told(brain: Path, mvdesk: Run) -> None:
    outcome = mvdesk("search", brain, "export", "--limit", 0, "--min-score", "-2")
    assert outcome.code == 0
    assert "--limit 0 is out of range; 1 is used." in outcome.err
    assert "--min-score −2 is out of range; 0 is used." in outcome.err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--type", "memo"), "--type"),
        (("--min-score", "nan"), "--min-score"),
        (("--min-score", "much"), "--min-score"),
    ],
)
def test_wrong_options_are_refused(
    brain: Path, mvdesk: Run, options: tuple[str, ...], says: str
) -> None:
    assert says in mvdesk("search", brain, "export", *options).misused()


@pytest.mark.parametrize(
    "text", ["", '"', "* OR", "NEAR(", "title:x", "\u202e", "; DROP TABLE memories", "x" * 50_000]
)
def test_any_text_may_be_searched_for(brain: Path, mvdesk: Run, text: str) -> None:
    outcome = mvdesk("search", brain, text, "--json")
    assert outcome.code == 0
    assert outcome.err == ""


def test_searching_leaves_the_vault_as_it_is(brain: Path, mvdesk: Run) -> None:
    before = digest(brain)
    mvdesk("search", brain, "export")
    assert digest(brain) == before


def test_what_was_saved_is_found_by_the_next_command(demo: Path, mvdesk: Run) -> None:
    assert mvdesk("search", demo, "zeppelin").out == "0 hits\n"
    added = mvdesk("add", demo, "--content", "A zeppelin", "--json", "--now", NOW)
    assert added.code == 0, added
    assert mvdesk("search", demo, "zeppelin").out.endswith("1 hit\n")


def test_a_hit_that_is_deleted_before_it_is_read_is_left_out(
    demo: Path, mvdesk: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = len(mvdesk("search", demo, "battery", "--json").json["results"])
    assert count > 1
    from mvdesk.vault.vault import Vault

    read = Vault.read_memories
    monkeypatch.setattr(Vault, "read_memories", lambda self, ids: read(self, ids)[1:])
    assert len(mvdesk("search", demo, "battery", "--json").json["results"]) == count - 1

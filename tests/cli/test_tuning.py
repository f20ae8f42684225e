"""trust and unify: what a change moves, which sources are worth a look."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.vault.saved_searches import write_searches
from mvdesk.vault.trials import Trials
from mvdesk.vault.vault import Vault
from tests.cli.outcome import NOW, Outcome, digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., Outcome]

CLOCK = ("--now", str(NOW))


def run_sql(path: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(sql, values).fetchall()
        db.commit()
        return rows


def test_a_dry_run_tells_what_the_list_says_after_it_was_done(mvdesk: Command, demo: Path) -> None:
    before = digest(demo)
    change = ("--set", "slack=0.9", "--set", "supplier mail=0.1")
    dry = mvdesk("trust", demo, *change, "--dry-run", "--json", "--threshold", "0.6", *CLOCK).json
    assert digest(demo) == before
    old = mvdesk("list", demo, "--json", "--sort", "confidence", "--desc", *CLOCK).json["memories"]
    mvdesk("trust", demo, *change, *CLOCK)
    new = mvdesk("list", demo, "--json", "--sort", "confidence", "--desc", *CLOCK).json["memories"]
    places = [{m["id"]: place for place, m in enumerate(rows, start=1)} for rows in (old, new)]
    values = [{m["id"]: m["confidence"] for m in rows} for rows in (old, new)]
    movers = dry["movers"]
    assert movers["ranked"] == len(old)
    assert movers["rising"] == sum(places[0][one] > places[1][one] for one in places[0])
    assert movers["falling"] == sum(places[0][one] < places[1][one] for one in places[0])
    for one in (*movers["up"], *movers["down"]):
        told = [one["rank_before"], one["rank_after"], one["score_before"], one["score_after"]]
        assert told == [
            places[0][one["id"]],
            places[1][one["id"]],
            values[0][one["id"]],
            values[1][one["id"]],
        ]
    most = max(places[0][one] - places[1][one] for one in places[0])
    assert movers["up"][0]["places"] == most
    counts = dry["counts"]
    assert counts["up"] == sum(values[1][one] > values[0][one] for one in values[0])
    assert counts["crossing_up"] == sum(values[0][one] < 0.6 <= values[1][one] for one in values[0])
    assert counts["affected"] == sum(one["affected"] for one in dry["counts_by_source"].values())
    assert sum(dry["distribution"]["after"]["bins"]) == len(new)


def test_several_sources_are_one_step_and_undo_brings_back_every_cell(
    mvdesk: Command, demo: Path
) -> None:
    trust = "SELECT * FROM brain_source_trust ORDER BY id"
    before = run_sql(demo, trust)
    log = "SELECT count(*), count(DISTINCT created_at) FROM memory_changelog"
    (lines, _), *_ = run_sql(demo, log)
    said = mvdesk("trust", demo, "--set", "slack=0.9", "--set", "newsletter=0.2", *CLOCK).out
    assert said.startswith("Set trust of 2 sources:\n")
    assert "slack: 6 active memories" in said
    assert run_sql(demo, log)[0][0] == lines + 2
    undone = mvdesk("undo", demo, "--json").json
    assert sorted(undone["source_keys"]) == ["newsletter", "slack"]
    assert run_sql(demo, trust) == before


def test_a_source_is_cleared_by_unset_and_what_stays_is_not_counted(
    mvdesk: Command, demo: Path
) -> None:
    change = ("--set", "slack=unset", "--set", "incident log=0.85")
    dry = mvdesk("trust", demo, *change, "--dry-run", "--json", *CLOCK).json
    assert dry["sources"] == {"slack": None, "incident log": 0.85}
    assert list(dry["counts_by_source"]) == ["slack"]
    assert "source_key" not in dry
    nothing = mvdesk("trust", demo, "--set", "incident log=0.85", *CLOCK)
    assert nothing.out == "Nothing to change.\n"


def test_importance_can_be_ranked_and_the_tables_kept_short(mvdesk: Command, demo: Path) -> None:
    run = ("trust", demo, "slack", "0.9", "--dry-run", "--score", "importance", *CLOCK)
    assert mvdesk(*run, "--json").json["score"] == "importance"
    text = mvdesk(*run, "--top", "0").out
    assert "rise by importance, the first 0" in text
    assert "places" not in text
    assert "No memory changes its place" in mvdesk("trust", demo, "nobody", "0.9", *CLOCK).out


def test_conflicts_that_come_and_go_are_named(mvdesk: Command, demo: Path) -> None:
    run_sql(demo, "UPDATE memories SET type = 'fact', key = 'same', source = 'slack'")
    run = ("trust", demo, "slack", "0.95", "--dry-run", *CLOCK)
    found = mvdesk(*run, "--json").json["conflicts"]
    assert found["appearing"]
    assert not found["vanishing"]
    listed = [
        mvdesk("conflicts", demo, "--all", "--json", *CLOCK).json["total_conflicts"],
        mvdesk(*run[:-3], *CLOCK).code,
        mvdesk("conflicts", demo, "--all", "--json", *CLOCK).json["total_conflicts"],
    ]
    assert listed[2] - listed[0] == len(found["appearing"])
    mvdesk("undo", demo)
    text = mvdesk(*run).out
    assert f"{len(found['appearing']):,} conflicts appear\n" in text
    assert "  …\n" in text
    assert "vanish" not in text
    back = mvdesk("trust", demo, "slack", "0", "--dry-run", "--json", *CLOCK).json["conflicts"]
    assert back["vanishing"]


def test_saved_searches_tell_what_an_assistant_would_get(mvdesk: Command, demo: Path) -> None:
    with Vault.open(demo) as vault:
        write_searches(vault.companion, vault.brain.id, ["the", "source:slack conf>0.6"])
    run = ("trust", demo, "slack", "1", "--dry-run", *CLOCK)
    first, second = mvdesk(*run, "--json").json["retrieval"]["searches"]
    assert first["text"] == "the"
    assert first["kept"] + len(first["left"]) == len(first["before"])
    assert second["before"] == []
    assert second["entered"]
    text = mvdesk(*run).out
    assert "Search “source:slack conf>0.6”: 0 of the first 0 stay; enters: " in text
    assert "Largest effect on the order of a search: 0.0" in text


def test_a_trial_is_tried_and_applied_by_name(mvdesk: Command, demo: Path) -> None:
    with Vault.open(demo) as vault:
        trials = Trials(vault.companion, vault.brain.id, lambda: "t1")
        trials.save("Strict", {"slack": 0.1, "gone": 0.4}, now=NOW)
    dry = mvdesk("trust", demo, "--trial", "strict", "--dry-run", "--json", *CLOCK)
    assert dry.json["sources"] == {"slack": 0.1}
    assert "“gone” is no longer in this vault" in dry.err
    mvdesk("trust", demo, "--trial", "strict", "--set", "slack=0.2", *CLOCK)
    assert mvdesk("trust", demo, "slack", "--json").json["sources"][0]["trust"] == 0.2
    assert "“Strict”" in mvdesk("trust", demo, "--trial", "lax").refused()


def test_trials_are_listed_with_what_they_set(mvdesk: Command, demo: Path) -> None:
    assert mvdesk("trust", demo, "--trials").out == "No trial is saved for this brain.\n"
    with Vault.open(demo) as vault:
        Trials(vault.companion, vault.brain.id, lambda: "t1").save(
            "Strict", {"slack": 0.1, "gone": None}, now=NOW
        )
    (one,) = mvdesk("trust", demo, "--trials", "--json").json["trials"]
    assert (one["name"], one["trust"], one["missing"]) == (
        "Strict",
        {"slack": 0.1, "gone": None},
        ["gone"],
    )
    assert "Strict  slack 0.10, gone not set" in mvdesk("trust", demo, "--trials").out


@pytest.mark.parametrize("form", [(), ("--json",), ("--dry-run",)])
def test_a_source_that_no_memory_names_is_pointed_out(
    form: tuple[str, ...], mvdesk: Command, demo: Path
) -> None:
    wrong = mvdesk("trust", demo, "--set", "slak=0.9", "--set", "slack=0.9", *form, *CLOCK)
    assert "No memory names “slak”. Did you mean “slack”?" in wrong.err
    assert "“slack”." not in wrong.err
    other = mvdesk("trust", demo, "zzz", "0.9", *form, *CLOCK).err
    assert "No memory names “zzz”." in other
    assert "Did you mean" not in other
    assert mvdesk("trust", demo, "Slack ", "0.4", *form, *CLOCK).err == ""
    mvdesk("trust", demo, "zzz", "0.9", *CLOCK)
    assert "No memory" not in mvdesk("trust", demo, "zzz", "--clear", *form, *CLOCK).err


def test_the_lowest_trust_that_keeps_memories_is_true(mvdesk: Command, demo: Path) -> None:
    memories = mvdesk("list", demo, "--json", *CLOCK).json["memories"]
    slack = [m["id"] for m in memories if (m["source"] or "").strip().lower() == "slack"]
    bare = next(m["id"] for m in memories if not m["source"])
    run = ("trust", demo, "--threshold", "0.6", *CLOCK)
    keep = [part for one in (*slack, bare, slack[0]) for part in ("--keep", one)]
    found = mvdesk(*run, *keep, "--json").json
    (one,) = found["sources"]
    assert (one["source_key"], one["trust"], found["without_source"]) == ("slack", 0.25, [bare])
    assert [m["id"] for m in one["memories"]] == slack
    mvdesk("trust", demo, "slack", str(one["value"]), *CLOCK)
    after = {
        m["id"]: m["confidence"] for m in mvdesk("list", demo, "--json", *CLOCK).json["memories"]
    }
    assert [m["score"] for m in one["memories"]] == [after[m] for m in slack]
    assert min(after[m] for m in slack) >= 0.6
    text = mvdesk(*run, *keep).out
    assert f"slack (now {one['value']:.2f}): trust of at least {one['value']:.2f} keeps all" in text
    assert "names no source, so no trust moves it." in text
    assert "no trust value keeps it" in mvdesk(*run[:3], "1", "--keep", slack[0]).out


def test_the_list_tells_what_hangs_on_a_source(mvdesk: Command, demo: Path) -> None:
    sources = mvdesk("trust", demo, "--json", *CLOCK).json["sources"]
    slack = next(one for one in sources if one["source_key"] == "slack")
    memories = mvdesk("list", demo, "--json", *CLOCK).json["memories"]
    confidence = sorted(
        m["confidence"] for m in memories if (m["source"] or "").strip().lower() == "slack"
    )
    assert slack["active_count"] == len(confidence)
    assert (slack["confidence_p5"], slack["confidence_p95"]) == (confidence[0], confidence[-1])
    assert slack["contradicted_count"] == round(slack["contradicted_share"] * len(confidence))
    assert slack["spellings"] == [
        {"source": "Slack", "memory_count": 5},
        {"source": "slack ", "memory_count": 1},
    ]
    assert slack["movable_count"] == 6
    assert slack["leverage"] == pytest.approx(6 * 0.75 * 0.4, abs=0.2)


@pytest.mark.parametrize(
    ("word", "field"),
    [
        ("trust", "trust"),
        ("leverage", "leverage"),
        ("memories", "active_count"),
        ("contradicted", "contradicted_share"),
        ("confidence", "mean_confidence"),
        ("last-used", "last_used_at"),
    ],
)
def test_sources_are_sorted_largest_first(
    mvdesk: Command, demo: Path, word: str, field: str
) -> None:
    found = mvdesk("trust", demo, "--sort", word, "--json", *CLOCK).json["sources"]
    values = [one[field] for one in found if one[field] is not None]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) > 1
    names = [
        one["source_key"]
        for one in mvdesk("trust", demo, "--sort", "source", "--json").json["sources"]
    ]
    assert names == sorted(names)


def test_sources_worth_a_look_are_told_with_what_to_do(mvdesk: Command, demo: Path) -> None:
    assert (
        "meeting notes: no trust is set for its 19" in mvdesk("trust", demo, "--worth-a-look").out
    )
    run_sql(demo, "UPDATE memories SET source = 'Meeting-Notes' WHERE source = 'own idea'")
    run_sql(
        demo,
        "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, created_at)"
        " SELECT 'x' || m.id, m.brain_id, m.id, (SELECT id FROM memories WHERE source IS NULL),"
        " 'contradicts', 1 FROM memories m WHERE source = 'meeting notes'",
    )
    found = mvdesk("trust", demo, "--worth-a-look", "--json").json
    assert [one["source_key"] for one in found["often_contradicted"]] == ["meeting notes"]
    assert [one["offer"] for one in found["split"]] == ["meeting notes"]
    text = mvdesk("trust", demo, "--worth-a-look").out
    assert "meeting notes: 19 of 19 memories are contradicted (100%)" in text
    assert "“meeting notes” (19, not set) and “meeting-notes” (2, not set)" in text
    run_sql(demo, "DELETE FROM memories")
    assert mvdesk("trust", demo, "--worth-a-look").out == "No source stands out.\n"


def test_unify_makes_sources_one_and_undo_takes_it_back(mvdesk: Command, demo: Path) -> None:
    rows = "SELECT * FROM memories ORDER BY id"
    before, trust = (
        run_sql(demo, rows),
        run_sql(demo, "SELECT * FROM brain_source_trust ORDER BY id"),
    )
    run = ("unify", demo, "slack", "newsletter", "--as", "Chat", *CLOCK)
    dry = mvdesk(*run, "--dry-run", "--json").json
    assert run_sql(demo, rows) == before
    assert dry["edited_count"] == 10
    said = mvdesk(*run).out
    assert said.startswith("Unify 3 sources as Chat.\n")
    assert "10 of 10 memories are rewritten." in said
    chat = mvdesk("trust", demo, "chat", "--json").json["sources"][0]
    assert (chat["memory_count"], chat["trust"]) == (10, 0.25)
    assert chat["notes"] == "Written fast, rarely corrected."
    scores = {
        m["id"]: m["confidence"] for m in mvdesk("list", demo, "--json", *CLOCK).json["memories"]
    }
    for one in dry["scores"]:
        assert scores[one["id"]] == one["after"]["confidence"]
    assert mvdesk("undo", demo).code == 0
    assert run_sql(demo, rows) == before
    assert run_sql(demo, "SELECT * FROM brain_source_trust ORDER BY id") == trust


def test_unify_asks_which_trust_stays(mvdesk: Command, demo: Path) -> None:
    run = ("unify", demo, "slack", "incident log", "--as", "Chat", *CLOCK)
    assert "slack has 0.25, incident log has 0.85" in mvdesk(*run).refused()
    assert "The trust of chat: 0.25" in mvdesk(*run, "--keep", "Slack", "--dry-run").out
    assert "none of the sources" in mvdesk(*run, "--keep", "blog").refused()
    gone = mvdesk(*run, "--no-trust", "--dry-run").out
    assert "The trust of slack: removed (was 0.25)" in gone
    assert mvdesk("unify", demo, "slack", "--as", "slack").out.startswith("Spell slack alike.\n")
    assert mvdesk("unify", demo, "slack", "--as", "slack").out == "Nothing to change.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("trust", "{vault}", "--set", "slack"),
        ("trust", "{vault}", "--set", "=0.5"),
        ("trust", "{vault}", "slack", "--set", "blog=0.5"),
        ("trust", "{vault}", "--worth-a-look", "slack"),
        ("trust", "{vault}", "slack", "0.5", "--worth-a-look"),
        ("trust", "{vault}", "--worth-a-look", "--trials"),
        ("trust", "{vault}", "--keep", "abcd", "--set", "slack=0.1"),
        ("trust", "{vault}", "--threshold", "2"),
        ("trust", "{vault}", "--sort", "mood"),
        ("unify", "{vault}", "a", "--as", "b", "--keep", "a", "--no-trust"),
    ],
    ids=" ".join,
)
def test_options_at_odds_are_wrong_usage(
    mvdesk: Command, demo: Path, arguments: tuple[str, ...]
) -> None:
    result = mvdesk(*[str(demo) if one == "{vault}" else one for one in arguments])
    assert (result.code, result.out) == (2, "")
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("trust", "{vault}", "--set", "slack=high"),
        ("trust", "{vault}", "--set", "slack=2"),
        ("trust", "{vault}", "--set", "slack=0.2", "--set", "slack=0.3"),
        ("trust", "{vault}", "--trial", "none"),
        ("unify", "{vault}", "slack", "--as", " "),
    ],
    ids=" ".join,
)
def test_values_that_are_no_trust_are_refused(
    mvdesk: Command, demo: Path, arguments: tuple[str, ...]
) -> None:
    before = digest(demo)
    result = mvdesk(*[str(demo) if one == "{vault}" else one for one in arguments])
    assert len(result.refused()) > 20
    assert digest(demo) == before


def test_one_endless_name_doesnt_fill_the_other_lines(mvdesk: Command, demo: Path) -> None:
    name = "x" * 5_000
    with closing(sqlite3.connect(demo)) as db, db:
        db.execute(
            "UPDATE brain_source_trust SET source_key = ? WHERE source_key = 'slack'", (name,)
        )
    outcome = mvdesk("trust", demo)
    assert name in outcome.out
    assert max(len(line) for line in outcome.out.splitlines() if name not in line) < 400

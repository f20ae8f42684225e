"""explain and score: the same numbers as everywhere, with what made them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.cells import cell_len

from mvdesk.cli.bars import draw_waterfall
from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.case import Case, LinkStats
from mvdesk.scoring.explain import explain
from tests.cli.outcome import CONTRADICTED, NOW, STALE, UNVERIFIED, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., Outcome]

DATA = Path(__file__).resolve().parents[1] / "data"


def test_the_explanation_ends_in_the_listed_scores(mvdesk: Command, demo: Path) -> None:
    clock = ("--now", str(NOW))
    for memory in mvdesk("list", demo, "--json", "--limit", "12", *clock).json["memories"]:
        data = mvdesk("explain", demo, memory["id"], "--json", *clock).json
        assert data["memory_id"] == memory["id"]
        assert data["memory"] == memory
        assert data["explanation"]["dynamic_confidence"] == memory["confidence"]
        assert data["explanation"]["dynamic_importance"] == memory["importance"]
        assert data["explanation"]["evaluated_at"] == NOW


def test_a_servers_explanations_come_out_where_it_used_the_same_inputs(
    mvdesk: Command, brain: Path
) -> None:
    responses = json.loads((DATA / "responses.json").read_text(encoding="utf-8"))
    recorded = [r for r in responses if r["tool"] == "memory_explain_score"]
    # The server explains without recall data: only memories that were never recalled agree.
    listed = mvdesk("list", brain, "--json", "--archived").json["memories"]
    never = {memory["id"] for memory in listed if not memory["access_count"]}
    compared = [answer for answer in recorded if answer["arguments"]["id"] in never][::20]
    assert len(compared) >= 5
    for answer in compared:
        expected = answer["response_json"]["explanation"]
        arguments = ("--model", "memoryvault-dynamic-v2", "--now", str(answer["arguments"]["at"]))
        data = mvdesk("explain", brain, answer["arguments"]["id"], "--json", *arguments).json
        ours = data["explanation"]
        assert {name: ours[name] for name in expected} == expected


def test_the_text_names_every_number(mvdesk: Command, demo: Path) -> None:
    text = mvdesk("explain", demo, CONTRADICTED, "--now", str(NOW)).out
    for part in ("Base", "Contradiction", "−0.270", "Raw sum", "Final", "0.473", "at zero"):
        assert part in text
    assert "contradicted by 3 memories" in text
    assert "memoryvault-dynamic-v1" in text


def test_evidence_names_words_links_and_trust(mvdesk: Command, demo: Path) -> None:
    text = mvdesk("explain", demo, UNVERIFIED, "--evidence", "--now", str(NOW)).out
    assert "verified in content: Un[verified] (inside a word, negated?)" in text
    assert "id in title: subs[id]y (inside a word)" in text
    assert "4 of 5 words until the cap of 0.200" in text
    assert "trust of “newsletter”: not set" in text
    assert "(2026-12-11)" in text
    assert "(you are here)" in text
    assert "need not add up" in text
    assert "Six things to look at in this demo" in text  # a link
    arguments = ("--evidence", "--json", "--now", str(NOW))
    data = mvdesk("explain", demo, UNVERIFIED, *arguments).json["explanation"]
    hit = next(h for h in data["keyword_hits"]["certainty"] if h["keyword"] == "verified")
    assert (hit["field"], hit["start"], hit["inside_word"], hit["negated"]) == (
        "content",
        2,
        True,
        True,
    )
    assert len(data["links"]) == 3
    parts = {part["name"]: part for part in data["evidence"]["confidence"]["components"]}
    assert parts["certainty_signal"]["cap"]["full_at"] == 5
    assert parts["certainty_signal"]["words"][0]["marked"] == "subs[id]y"
    assert len(parts["link_signal"]["links"]) == 3
    assert parts["stale_penalty"]["age"]["next_step_at"] is not None
    kinds = {cause["kind"] for cause in data["causes"]["items"]}
    assert kinds == {"link", "source", "type", "wait", "word"}


def test_an_explanation_at_another_time_says_so(mvdesk: Command, demo: Path) -> None:
    said = "As of 2020-01-01, by the clock only: texts, links and trust are today's."
    assert said in mvdesk("explain", demo, CONTRADICTED, "--now", "2020-01-01").out
    assert "As of" not in mvdesk("explain", demo, CONTRADICTED).out


def test_links_come_with_the_scores_of_the_other_end(mvdesk: Command, demo: Path) -> None:
    arguments = (demo, CONTRADICTED, "--now", str(NOW))
    listed = mvdesk("list", demo, "--json", "--now", str(NOW)).json["memories"]
    other = next(one for one in listed if one["title"].startswith("Field test: cells empty"))
    scores = f"{other['dynamic_confidence']:.3f}  {other['dynamic_importance']:.3f}"
    assert mvdesk("archive", demo, other["id"]).code == 0
    for command in (("links",), ("explain", "--evidence")):
        table = mvdesk(command[0], *arguments, *command[1:]).out.splitlines()
        line = next(line for line in table if "←  contradicts  " in line and "Field test" in line)
        assert f"{scores}  (archived) Field test: cells empty" in line


def test_causes_without_effect_are_counted_and_not_listed(mvdesk: Command, demo: Path) -> None:
    text = mvdesk("explain", demo, CONTRADICTED, "--evidence", "--now", str(NOW)).out
    causes = text.partition("By cause:")[2].partition("\n\n")[0]
    assert "source slack" in causes
    assert "related" not in causes
    assert causes.endswith("2 without effect")
    listed = mvdesk("list", demo, "--json", "--query", "title:close", "--now", str(NOW)).json
    clamped = listed["memories"][0]["id"]  # both scores are far beyond 1
    text = mvdesk("explain", demo, clamped, "--evidence", "--now", str(NOW)).out
    assert "No single cause moves a score." in text


def test_evidence_says_what_the_clamp_cut(mvdesk: Command, demo: Path) -> None:
    clock = ("--now", str(NOW))
    listed = mvdesk("list", demo, "--json", "--sort", "confidence", "--desc", *clock).json
    highest = listed["memories"][0]["id"]
    text = mvdesk("explain", demo, highest, "--evidence", *clock).out
    assert "; capped at 1, 0." in text


def test_what_would_raise_a_score_is_said_with_the_scores_it_leads_to(
    mvdesk: Command, demo: Path
) -> None:
    arguments = ("explain", demo, CONTRADICTED, "--now", str(NOW))
    text = mvdesk(*arguments, "--what-if", "--target", "0.7").out
    assert "wanted is 0.70 or more. One change is enough." in text
    assert "review the contradiction with “Field test: cells empty after 71 days”" in text
    assert "confidence +0.090 → 0.563" in text
    assert "set the trust of slack to 0.82 or more (now 0.25)" in text
    assert "5 other memories of this source move too" in text
    assert "2027-02-03, in 19 days: importance −0.030, leaves the 60-day window" in text
    data = mvdesk(*arguments, "--what-if", "--json").json["explanation"]
    assert data["what_if"]["target"] == 0.7
    assert data["next_drops"][0]["importance_change"] == -0.03
    assert "what_if" not in mvdesk(*arguments, "--json").json["explanation"]


def test_a_lever_of_the_command_line_does_what_it_says(mvdesk: Command, demo: Path) -> None:
    clock = ("--now", str(NOW))
    asked = ("explain", demo, CONTRADICTED, "--json", *clock)
    found = mvdesk(*asked, "--what-if").json["explanation"]["what_if"]
    trust = found["trust"]["value"]
    mvdesk("trust", demo, "slack", str(trust), *clock)
    after = mvdesk(*asked).json["explanation"]
    assert after["dynamic_confidence"] == found["trust"]["scores"]["confidence"]
    assert after["dynamic_importance"] == found["trust"]["scores"]["importance"]
    support = next(x for x in found["levers"] if x["families"] == ["support"])
    mvdesk("trust", demo, "slack", "0.25", *clock)
    mvdesk("link", demo, STALE, CONTRADICTED, "supports", *clock)
    after = mvdesk(*asked).json["explanation"]
    assert after["dynamic_confidence"] == support["after"]["confidence"]
    assert after["dynamic_importance"] == support["after"]["importance"]


def test_questions_may_be_turned_round_and_narrowed(mvdesk: Command, demo: Path) -> None:
    arguments = ("explain", demo, CONTRADICTED, "--now", str(NOW), "--json")
    options = ("--lower", "--score", "importance", "--target", "0.5", "--without", "trust")
    found = mvdesk(*arguments, *options).json["explanation"]["what_if"]
    assert (found["direction"], found["score"], found["target"]) == ("lower", "importance", 0.5)
    assert found["trust"] is None
    text = mvdesk(*arguments[:-1], "--target", "1", "--without", "evidence", "--without", "trust")
    assert "wanted is 1.00 or more. Not reachable." in text.out
    assert "No change would move it by 0.005 or more." in text.out


def test_questions_that_make_no_sense_are_refused(mvdesk: Command, demo: Path) -> None:
    asked = ("explain", demo, CONTRADICTED)
    assert "--target" in mvdesk(*asked, "--target", "2").misused()
    assert "--target" in mvdesk(*asked, "--target", "high").misused()
    assert "--target" in mvdesk(*asked, "--target", "nan").misused()
    assert "There are: evidence" in mvdesk(*asked, "--without", "luck").misused()
    assert "--score" in mvdesk(*asked, "--score", "beauty").misused()


def test_words_and_levers_fit_a_narrow_terminal(
    mvdesk: Command, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for memory_id in (CONTRADICTED, UNVERIFIED, STALE):
        text = mvdesk("explain", demo, memory_id, "--what-if").out
        assert max(map(cell_len, text.splitlines()[2:])) <= 40


def test_an_orphan_link_and_a_link_to_itself_are_evidence(mvdesk: Command, demo: Path) -> None:
    with sqlite3.connect(demo) as db:
        brain = db.execute("SELECT brain_id FROM memories WHERE id = ?", (STALE,)).fetchone()[0]
        columns = (
            "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, created_at)"
        )
        rows = [("orphan", STALE, "nobody", "causes"), ("self", STALE, STALE, "contradicts")]
        db.execute("PRAGMA foreign_keys = OFF")
        for name, start, end, relation in rows:
            values = (name, brain, start, end, relation, NOW)
            db.execute(f"{columns} VALUES (?, ?, ?, ?, ?, ?)", values)
    db.close()
    data = mvdesk("explain", demo, STALE, "--evidence", "--json").json["explanation"]
    for kind in ("confidence", "importance"):
        for part in data["evidence"][kind]["components"]:
            assert part.get("links_not_listed", 0) == 0
            if "links" in part:
                counted = sum(link["counted"] for link in part["links"])
                assert counted == part["cap"]["count"]
    text = mvdesk("explain", demo, STALE, "--evidence").out
    assert "to itself, counts at both ends" in text
    assert "(not in this vault)" in text


def test_the_text_fits_a_narrow_terminal(
    mvdesk: Command, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in (100, 60, 40, 24):
        monkeypatch.setenv("COLUMNS", str(columns))
        bars = mvdesk("explain", demo, CONTRADICTED).out.splitlines()
        assert max(map(cell_len, bars[2:])) <= max(columns, 28)


@pytest.mark.parametrize("width", [20, 40, 80, 1000])
def test_bars_start_where_the_last_ended_and_stay_on_the_axis(width: int) -> None:
    low = Case(now=NOW, base_confidence=0.1, source="rumor", content="maybe perhaps guess", trust=0)
    high = Case(
        now=NOW,
        type="fact",
        base_confidence=1,
        content="verified confirmed exact measured",
        source="official log",
        trust=1,
        links=LinkStats(link_count=9, supports_count=9),
    )
    for case in (low, high):
        score = explain(case, PUBLISHED_V1).confidence
        for evidence in (False, True):
            lines = list(draw_waterfall(score, width, evidence=evidence))
            assert all(cell_len(line) <= max(width, 29) for line in lines)
            assert any(line.startswith("Clamp") for line in lines)


def test_score_answers_every_vector(process: Command) -> None:
    for version, model in (
        ("v1", "memoryvault-dynamic-v1-server"),
        ("v2", "memoryvault-dynamic-v2"),
    ):
        cases = [
            case
            for case in json.loads((DATA / f"scoring_{version}_vectors.json").read_text())
            if case["group"] != "coercion"
        ]
        lines = "\n".join(json.dumps(case) for case in cases).encode()
        result = process("score", "--model", model, stdin=lines)
        assert (result.code, result.err) == (0, "")
        answers = [json.loads(line) for line in result.out.split("\n") if line]
        assert len(answers) == len(cases)
        for case, ours in zip(cases, answers, strict=True):
            expected = case["expected"]
            named = {name: ours[name] for name in expected if name != "score_model"}
            assert named == {k: v for k, v in expected.items() if k != "score_model"}


def test_score_refuses_a_line_and_goes_on(process: Command) -> None:
    good = {"memory": {"content": "x"}, "now": NOW}
    lines: list[Any] = [
        json.dumps(good),
        json.dumps({**good, "memory": {"confidence": "0.7"}}),
        "not json",
        "",
        '{"memory": {"confidence": NaN}, "now": 1}',
        "[" * 100_000,
        json.dumps({"memory": {"content": "\ud83d"}, "now": NOW}),
    ]
    result = process("score", stdin="\n".join(lines).encode())
    assert result.code == 1
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert "confidence_components" in answers[0]
    assert answers[1] == {"line": 2, "error": "memory.confidence: expected a finite number"}
    assert answers[2] == {"line": 3, "error": "line: expected one JSON object"}
    assert answers[3]["line"] == 5
    assert answers[4] == {"line": 6, "error": "line: expected one JSON object"}
    assert "confidence_components" in answers[5]
    assert len(result.err.splitlines()) == 4
    assert "Traceback" not in result.err


def test_score_takes_now_for_lines_without_one(process: Command) -> None:
    line = json.dumps({"memory": {"content": "x"}}).encode()
    assert json.loads(process("score", "--now", "2026-11-30", stdin=line).out)["evaluated_at"] == (
        1_796_000_400 // 86_400 * 86_400
    )
    assert process("score", stdin=line).code == 1


def test_a_hub_and_long_titles_fit_a_terminal(
    mvdesk: Command, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(demo)) as conn, conn:
        conn.execute("UPDATE memories SET title = title || ' ' || printf('%.300c', 'x')")
        ids = [row[0] for row in conn.execute("SELECT id FROM memories ORDER BY id")]
        (brain,) = conn.execute("SELECT id FROM brains").fetchone()
        hub, others = ids[0], ids[1:61]
        conn.executemany(
            "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, created_at) "
            "VALUES (?, ?, ?, ?, 'supports', 1)",
            [(f"hub-{other}", brain, hub, other) for other in others],
        )
    monkeypatch.setenv("COLUMNS", "80")
    clock = ("--now", str(NOW))
    count = len(mvdesk("links", demo, hub, "--json", *clock).json["links"])
    text = mvdesk("explain", demo, hub, "--evidence", *clock).out
    assert "more; --json has all of them." in text
    assert f"… and {count - 25:,} more; `mvdesk links` lists all of them." in text
    assert text.count("\n") < 250
    for command in (
        ("explain", demo, hub, "--evidence"),
        ("path", demo, hub, others[3]),
        ("decay", demo, "--dry-run", "--older-than-days", "1", "--max-link-count", "99"),
        ("reinforce", demo, hub, "--dry-run"),
        ("suggest", demo, others[3], "--min-score", "0"),
    ):
        lines = mvdesk(*command, *clock).out.splitlines()
        assert len(lines) > 1
        assert max(map(len, lines)) <= 80, command
        assert any("…" in line for line in lines), command

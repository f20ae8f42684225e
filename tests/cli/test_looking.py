"""list, show, links: what they say, and that they write nothing."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.cells import cell_len

from tests.cli.outcome import CONTRADICTED, NOW, Outcome, digest

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., Outcome]

DATA = Path(__file__).resolve().parents[1] / "data"
V2 = "memoryvault-dynamic-v2"


def recorded_list() -> tuple[int, list[dict[str, Any]]]:
    """The clock and memories of the server's own list of the reference vault."""
    responses = json.loads((DATA / "responses.json").read_text(encoding="utf-8"))
    answer = next(r for r in responses if r["tool"].startswith("GET /api/memories"))
    return answer["clock"], answer["response_json"]["memories"]


def test_the_list_of_a_servers_vault_is_the_servers(mvdesk: Command, brain: Path) -> None:
    clock, expected = recorded_list()
    result = mvdesk("list", brain, "--json", "--archived", "--model", V2, "--now", str(clock))
    assert (result.code, result.err) == (0, "")
    ours = {memory["id"]: memory for memory in result.json["memories"]}
    assert result.json["count"] == len(ours) == 182
    assert len(expected) == 171  # the recording leaves archived ones out
    for memory in expected:
        assert ours[memory["id"]] == memory
    assert sum(memory["archived_at"] is not None for memory in ours.values()) == 11


def test_without_archived_the_list_holds_what_the_server_lists(
    mvdesk: Command, brain: Path
) -> None:
    clock, expected = recorded_list()
    data = mvdesk("list", brain, "--json", "--model", V2, "--now", str(clock)).json
    assert {memory["id"] for memory in data["memories"]} == {memory["id"] for memory in expected}
    assert data["model"] == V2
    assert data["now"] == clock


def test_an_unchosen_model_is_the_published_one(mvdesk: Command, brain: Path) -> None:
    assert mvdesk("list", brain, "--json").json["model"] == "memoryvault-dynamic-v1"


def test_the_chosen_model_is_used(mvdesk: Command, demo: Path) -> None:
    from mvdesk.vault.vault import Vault

    with Vault.open(demo) as vault:
        vault.set_model(V2)
    assert mvdesk("list", demo, "--json").json["model"] == V2
    given = mvdesk("list", demo, "--json", "--model", "memoryvault-dynamic-v1-server")
    assert given.json["model"] == "memoryvault-dynamic-v1-server"


@pytest.mark.parametrize("sort", ["confidence", "importance", "updated", "created"])
def test_sorting(mvdesk: Command, demo: Path, sort: str) -> None:
    field = {"updated": "updated_at", "created": "created_at"}.get(sort, sort)
    rising = mvdesk("list", demo, "--json", "--sort", sort).json["memories"]
    falling = mvdesk("list", demo, "--json", "--sort", sort, "--desc").json["memories"]
    values = [memory[field] for memory in rising]
    assert values == sorted(values)
    assert [memory[field] for memory in falling] == sorted(values, reverse=True)


def test_sorting_by_title_and_the_usual_order(mvdesk: Command, demo: Path) -> None:
    titles = [
        m["title"] for m in mvdesk("list", demo, "--json", "--sort", "title").json["memories"]
    ]
    assert titles == sorted(titles, key=str.casefold)
    usual = [m["confidence"] for m in mvdesk("list", demo, "--json").json["memories"]]
    assert usual == sorted(usual, reverse=True)


def test_a_query_needs_all_its_words_anywhere(mvdesk: Command, demo: Path) -> None:
    def found(query: str) -> set[str]:
        return {
            m["title"] for m in mvdesk("list", demo, "--json", "--query", query).json["memories"]
        }

    assert len(found("story")) == 7  # six tagged so, and the one whose text speaks of them
    assert found("STORY slack") == {"A Rill runs two seasons on one set of cells"}
    assert found("полив") == {"Зоя: «полив», не «орошение»"}
    assert found("nowhere to be found") == set()
    assert found("  ") == found("")


def test_a_query_finds_words_of_the_text_and_beginnings_of_the_last_one(
    mvdesk: Command, demo: Path
) -> None:
    added = ("--content", "Glimmering kestrels over the weir.", "--title", "A walk")
    memory_id = mvdesk("add", demo, *added, "--json").json["id"]

    def found(query: str, *options: str) -> list[str]:
        listed = mvdesk("list", demo, "--json", "--query", query, *options).json["memories"]
        return [memory["id"] for memory in listed]

    assert found("weir kestr") == found("KESTRELS walk") == [memory_id]
    assert found("kestrels unheard") == []  # every word must be there
    assert mvdesk("archive", demo, memory_id).code == 0
    assert found("kestrels") == []
    assert found("kestrels", "--archived") == [memory_id]


def test_a_limit_cuts_after_sorting(mvdesk: Command, demo: Path) -> None:
    full = mvdesk("list", demo, "--json").json["memories"]
    assert mvdesk("list", demo, "--json", "--limit", "3").json["memories"] == full[:3]
    assert mvdesk("list", demo, "--json", "--limit", "0").json["memories"] == []


def test_the_table_fits_a_narrow_terminal(
    mvdesk: Command, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in (120, 80, 60, 40):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = mvdesk("list", demo).out.splitlines()
        assert len(lines) == 1 + 118 + 1
        assert max(cell_len(line) for line in lines[:-1]) <= columns
        assert all(line == line.rstrip() for line in lines)
    assert "title" in lines[0]


def test_piped_output_is_not_cut(mvdesk: Command, demo: Path) -> None:
    assert "Show moisture in words, not in percent" in mvdesk("list", demo).out
    assert "…" not in mvdesk("list", demo).out.replace("“", "")


def test_show_gives_the_memory_as_text_and_as_json(mvdesk: Command, demo: Path) -> None:
    text = mvdesk("show", demo, CONTRADICTED, "--now", str(NOW)).out
    assert "A Rill runs two seasons on one set of cells" in text
    assert "0.473 (base 0.700)" in text
    assert "contradicts" in text
    data = mvdesk("show", demo, CONTRADICTED[:8], "--json", "--now", str(NOW)).json
    assert data["id"] == CONTRADICTED
    assert data["base_confidence"] == 0.7
    assert data["dynamic_confidence"] == data["confidence"] == 0.473
    assert data["contradicts_count"] == 3


def test_links_are_seen_from_the_memory(mvdesk: Command, demo: Path) -> None:
    data = mvdesk("links", demo, CONTRADICTED, "--json").json
    assert data["count"] == len(data["links"]) == 5
    assert {link["direction"] for link in data["links"]} == {"to"}
    assert sum(link["relation_type"] == "contradicts" for link in data["links"]) == 3
    assert all(link["memory"]["id"] != CONTRADICTED for link in data["links"])
    assert "71 days, not 420" in mvdesk("links", demo, CONTRADICTED).out


@pytest.mark.parametrize("vault", ["demo", "brain"])
def test_reading_changes_no_byte(
    mvdesk: Command, request: pytest.FixtureRequest, vault: str
) -> None:
    path: Path = request.getfixturevalue(vault)
    before = digest(path)
    one = mvdesk("list", path, "--json").json["memories"][0]["id"]
    for arguments in (
        ("list", path),
        ("show", path, one),
        ("links", path, one),
        ("explain", path, one, "--evidence"),
        ("trust", path),
        ("trust", path, "slack"),
        ("trust", path, "metrics dashboard", "0.1", "--dry-run"),
        ("trust", path, "metrics dashboard", "--clear", "--dry-run"),
    ):
        assert mvdesk(*arguments).code == 0, arguments
        assert digest(path) == before, arguments
    assert not path.with_name(path.name + "-wal").exists()


def test_control_characters_do_not_reach_the_terminal(mvdesk: Command, demo: Path) -> None:
    db = sqlite3.connect(demo)
    with db:
        db.execute("UPDATE memories SET title = ?, content = ?", ("a\x1b[31mb\nc\td", "x\x07\ny"))
    db.close()
    shown = mvdesk("show", demo, CONTRADICTED).out + mvdesk("list", demo).out
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "a\ufffd[31mb c d" in shown
    assert mvdesk("show", demo, CONTRADICTED, "--json").json["title"] == "a\x1b[31mb\nc\td"


def test_commands_import_no_qt_and_write_utf8(process: Command, demo: Path) -> None:
    text = process("list", demo, env={"PYTHONPROFILEIMPORTTIME": "1", "LC_ALL": "C"})
    assert text.code == 0
    assert "PySide6" not in text.err
    assert "pyqtgraph" not in text.err
    assert "Зоя" in text.out


def test_a_terminal_of_few_letters_gets_what_it_can_show(process: Command, demo: Path) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    text = process("explain", demo, CONTRADICTED, env=ascii_only)
    assert text.code == 0
    assert "Contradiction" in text.out
    data = process("list", demo, "--json", env=ascii_only)
    assert any("Зоя" in (m["title"] or "") for m in data.json["memories"])


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path, demo: Path) -> None:
    import subprocess
    import sys

    with subprocess.Popen(
        [sys.executable, "-m", "mvdesk", "list", str(demo), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={"PATH": "", "PYTHONPATH": str(DATA.parents[1]), "XDG_DATA_HOME": str(tmp_path / "d")},
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        errors = child.stderr.read().decode()
    assert errors == ""
    assert child.returncode == 0


def test_pictures_of_the_window_are_rendered_without_a_display(
    process: Command, demo: Path, tmp_path: Path
) -> None:
    before = digest(demo)
    folder = tmp_path / "new" / "pictures"
    result = process(
        "screenshot", demo, folder, "--json", "--select", CONTRADICTED[:8], "--now", str(NOW)
    )
    assert result.code == 0, result.err
    files = [Path(name) for name in result.json["files"]]
    assert sorted(path.name for path in files) == ["demo-dark.png", "demo-light.png"]
    for path in files:
        assert path.read_bytes().startswith(b"\x89PNG")
        assert path.stat().st_size > 50_000
    assert digest(demo) == before
    said = process("screenshot", demo, demo).refused()
    assert "folder" in said

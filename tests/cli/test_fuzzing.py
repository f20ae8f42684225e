"""Every command, found by asking the program for them, is given everything that hurts.

A new command is covered without a word here, as long as its metavars are like those of others.
"""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import sys
from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
import typer.main

from mvdesk.cli import main
from mvdesk.cli.main import app
from mvdesk.vault.vault import Vault
from tests.cli.outcome import CONTRADICTED, NOW, STALE, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Command = Callable[..., Outcome]

BUILT: Any = typer.main.get_command(app)
COMMANDS: dict[str, Any] = BUILT.commands
SLOW = {"screenshot"}
"""Commands that draw: they are given less."""

LINK = "0" * 8  # nobody's; `sane` finds a real one
TEXTS = (
    "",
    " ",
    "'",
    '"',
    "\x00",
    "a\x00b",
    "\udcff\udc80",  # bytes that are no UTF-8, as the system hands them over
    "\ud83d",
    "\u202egnp.exe\u202c",
    "👩‍👩‍👧‍👦 é̂̂̂",
    "\x1b[31mred\x1b[0m\r\n",
    "'; DROP TABLE memories; --",
    '"a" OR NEAR(b c) AND * NOT (',
    'title:* OR "',
    "confidence<nan conf:>> -",
    "%s%n{}{0}$(id)`id`",
    "--json",
    "-1",
    "../../etc/passwd",
    "x" * 100_000,
    "nan",
    "NaN=NaN",
    "[[[[" * 500,
    "=",
    ",,,,",
    "*",
)
NUMBERS = (
    "nan", "inf", "-inf", "1e400", "-1", "0", "1e-400", "9" * 30, "-" + "9" * 400, "0x10", "１２",
    "1_000", "", " ", "1e5", "0.0000001", "2147483648", "9223372036854775808", "true", "−1",
)  # fmt: skip
STDINS = (
    b"",
    b"\xff\xfe\x00",
    b"\x00",
    b"null\n[]\n5\n",
    b'{"memory": {"content": "\\ud83d", "confidence": 1e999}, "now": 1e999}\n',
    b'{"memory": ' + b"[" * 50_000 + b"\n",
    b'{"memory": {"content": "' + "é😀 unverified ".encode() * 300_000 + b'"}, "now": 1}\n',
    b"x" * 5_000_000,
)

STRIDE = 4
"""Each parameter gets a quarter of it all, another quarter than its neighbours."""

SHARED = ("now", "brain", "model")
"""Nearly every command has these: together they are tried often enough."""

IS_NUMBER = ("N", "0..1", "DAYS", "0..0.5", "-0.5..0.5", "TRUST", "TIME", "0.85..1.6", "0.5..4")
SANE = {
    "VAULT": "{vault}",
    "ID": STALE,
    "FROM": STALE,
    "TO": CONTRADICTED,
    "A": STALE,
    "B": CONTRADICTED,
    "LINK|FROM": STALE,
    "RELATION": "supports",
    "STATUS": "dismissed",
    "ACTION": "create",
    "PATH": "{folder}/made.sqlite",
    "DIR": "{folder}/pictures",
    "FILE": "{folder}/file.json",
    "TEXT": "water",
    "SOURCE": "Slack",
    "SOURCE...": "Slack",
    "TRUST": "0.5",
}
"""What arguments that must be there are given while another one is tried."""

ALSO: dict[tuple[str, str], list[str]] = {
    ("backup", "target"): [],
    ("trust", "value"): ["Slack"],
    ("snapshot", "snapshot_id"): ["restore"],
}
"""Arguments before an optional one, where they aren't the sane ones."""


class BuiltApp:
    """The program with its commands built once: for each call they would be built anew."""

    registered_commands = app.registered_commands

    def __call__(self, **options: Any) -> object:
        return BUILT.main(**options)


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small vault with everything in it, written once."""
    path = tmp_path_factory.mktemp("fuzz") / "small.sqlite"
    with Vault.create(path, "Small", now=NOW):
        pass
    rows = [
        (STALE, "fact", "One", "k", "Unverified water. " * 5, "a,b", "Slack"),
        (CONTRADICTED, "fact", "Two", "k", "Measured water.", "b", "mail"),
        *((f"{n:08x}-more", "note", f"More {n}", None, f"Text {n}", "a", None) for n in range(6)),
    ]
    with closing(sqlite3.connect(path)) as db, db:
        (brain,) = db.execute("SELECT id FROM brains").fetchone()
        db.executemany(
            "INSERT INTO memories (id, type, title, key, content, tags, source, brain_id, "
            f"created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, '{brain}', {NOW - 9}, {NOW})",
            rows,
        )
        db.execute(
            "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, created_at) "
            f"VALUES ('{LINK}', '{brain}', '{STALE}', '{CONTRADICTED}', 'contradicts', 5)"
        )
    return path


@pytest.fixture
def fuzz(
    master: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mvdesk: Command
) -> Callable[..., Outcome]:
    """Runs a command on the small vault and checks what must hold whatever it was given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(main, "app", BuiltApp())
    vault = tmp_path / "small.sqlite"
    shutil.copy(master, vault)

    def call(*arguments: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        before = rows_of(vault)
        places = {"{vault}": str(vault), "{folder}": str(tmp_path)}
        given = [places.get(one, one.replace("{folder}", str(tmp_path))) for one in arguments]
        outcome = mvdesk(*given)
        said = f"{[one[:80] for one in arguments]}: {outcome.code} {outcome.err[:500]}"
        assert outcome.code in (0, 1, 2), said
        assert "Traceback" not in outcome.out + outcome.err, said
        assert "made a mistake" not in outcome.err, said
        if outcome.code:
            assert_refusal(outcome, said)
        elif "--json" in arguments[: arguments.index("--")] and arguments[0] != "score":
            assert_json(outcome, said)
        after = rows_of(vault)
        if outcome.code or "--dry-run" in arguments:
            assert after == before, said
        if after != before:
            for other in tmp_path.glob("small.sqlite?*"):
                shutil.rmtree(other) if other.is_dir() else other.unlink()
            shutil.copy(master, vault)
        return outcome

    return call


def rows_of(path: Path) -> list[object]:
    """All that the vault holds; AssertionError when SQLite finds it damaged."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE sql <> ''")]
        known = [name for name in tables if name.startswith(("memor", "brain"))]
        return [db.execute(f"SELECT * FROM {name}").fetchall() for name in sorted(known)]


def assert_refusal(outcome: Outcome, said: str) -> None:
    """One sentence on standard error; `score` has one for each refused line."""
    lines = outcome.err.splitlines()
    assert lines, said
    assert all(line.startswith("mvdesk: ") and len(line) < 1_100 for line in lines), said
    assert len(lines) == 1 or all("line " in line or "out of range" in line for line in lines), said
    assert not set("\x00\x07\x1b\u202e\u202c\udcff") & set(outcome.err), said


def assert_json(outcome: Outcome, said: str) -> None:
    try:
        json.loads(outcome.out, parse_constant=pytest.fail)
    except ValueError:
        pytest.fail(f"no JSON: {said}")


def sane_arguments(name: str) -> dict[str, str]:
    """What the arguments and options that must be given are given, by the parameter's name."""
    return {
        param.name: SANE.get(param.metavar, "x")
        for param in COMMANDS[name].params
        if param.required
    }


def line_of(name: str, chosen: dict[str, str]) -> list[str]:
    """The command line that gives the parameters these values."""
    options: list[str] = []
    arguments: list[str] = []
    for param in COMMANDS[name].params:
        if param.name not in chosen:
            continue
        if param.param_type_name == "argument":
            arguments.append(chosen[param.name])
        else:
            options.append(f"{max(param.opts, key=len)}={chosen[param.name]}")
    return [name, *options, "--", *arguments]


def hostile(name: str) -> Iterator[list[str]]:
    """Command lines that give every parameter in turn something that hurts."""
    place = sum(map(ord, name))
    for param in COMMANDS[name].params:
        if getattr(param, "is_flag", False) or param.is_eager:
            continue
        number = param.metavar in IS_NUMBER
        values = chain(NUMBERS, TEXTS[:8]) if number else chain(TEXTS, NUMBERS[:4])
        sane = sane_arguments(name)
        if (name, param.name) in ALSO:
            others = [p for p in COMMANDS[name].params if p.param_type_name == "argument"]
            sane |= dict(zip([p.name for p in others[1:]], ALSO[name, param.name], strict=False))
        many = list(values)
        place += 1
        stride = 4 * STRIDE if param.name in SHARED else STRIDE
        for value in many[place % stride :: stride]:
            yield line_of(name, sane | {param.name: value})


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in SLOW])
def test_whatever_a_command_is_given_it_answers_in_a_sentence(
    name: str, fuzz: Callable[..., Outcome]
) -> None:
    takes_json = any(param.name == "as_json" for param in COMMANDS[name].params)
    for number, line in enumerate(hostile(name)):
        command, *rest = line
        fuzz(command, *(["--json"] if takes_json and number % 2 else []), *rest)


@pytest.mark.parametrize("name", sorted(SLOW))
def test_a_command_that_draws_is_refused_before_it_draws(
    name: str, fuzz: Callable[..., Outcome]
) -> None:
    for line in hostile(name):
        param = next((one for one in line if one.startswith("--") and "=" in one), "")
        if param.startswith(("--theme", "--size", "--scale", "--pixel-ratio", "--workspace")):
            assert fuzz(*line).code in (1, 2)


@pytest.mark.parametrize("stdin", STDINS, ids=range(len(STDINS)))
def test_standard_input_may_hold_anything(stdin: bytes, fuzz: Callable[..., Outcome]) -> None:
    fuzz("score", "--", stdin=stdin)
    fuzz("add", "--content=-", "--", "{vault}", stdin=stdin)
    fuzz("edit", "--content=-", "--json", "--", "{vault}", STALE, stdin=stdin)
    fuzz("merge", "--content=-", "--", "{vault}", STALE, CONTRADICTED, stdin=stdin)


def test_ids_that_nobody_has_are_refused_by_every_command_that_takes_one(
    fuzz: Callable[..., Outcome],
) -> None:
    asked = 0
    for name, command in COMMANDS.items():
        for param in command.params:
            if param.metavar in ("ID", "FROM", "TO", "A", "B") and name not in (*SLOW, "backup"):
                sane = sane_arguments(name)
                if name == "snapshot":
                    sane["action"] = "restore"
                if name == "explain" and param.name == "without":
                    continue
                outcome = fuzz(*line_of(name, sane | {param.name: "ffffffff-nobody"}))
                assert outcome.code in (1, 2), (name, param.name, outcome)
                asked += 1
    assert asked > 20

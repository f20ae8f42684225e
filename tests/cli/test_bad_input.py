"""Whatever is given, a command answers with one clear line and leaves the vault alone."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk.cli import main
from mvdesk.cli.main import app
from tests.cli.outcome import CONTRADICTED, STALE, Outcome, digest

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., Outcome]

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [info.name or "" for info in app.registered_commands]


def test_a_missing_file_is_named_and_not_made(mvdesk: Command, tmp_path: Path) -> None:
    path = tmp_path / "nothing.sqlite"
    assert "nothing.sqlite" in mvdesk("list", path).refused()
    assert not path.exists()


@pytest.mark.parametrize("content", [b"", b"hello, I am a text", os.urandom(9000)])
def test_what_is_no_database_is_refused(mvdesk: Command, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.sqlite"
    path.write_bytes(content)
    mvdesk("list", path).refused()
    assert path.read_bytes() == content


def test_a_database_of_something_else_is_refused(mvdesk: Command, tmp_path: Path) -> None:
    path = tmp_path / "else.sqlite"
    db = sqlite3.connect(path)
    with db:
        db.execute("CREATE TABLE songs (id, name)")
    db.close()
    before = digest(path)
    assert "memories" in mvdesk("list", path).refused()
    assert digest(path) == before


def test_a_folder_is_no_vault(mvdesk: Command, tmp_path: Path) -> None:
    mvdesk("list", tmp_path).refused()


@pytest.mark.parametrize("kept", [100, 5_000, 60_000])
def test_a_cut_file_is_refused_or_read(mvdesk: Command, demo: Path, kept: int) -> None:
    demo.write_bytes(demo.read_bytes()[:kept])
    before = digest(demo)
    result = mvdesk("list", demo)
    assert result.code == 1
    result.refused()
    assert digest(demo) == before


def test_flipped_bytes_never_end_in_a_traceback(mvdesk: Command, demo: Path) -> None:
    whole = demo.read_bytes()
    for start in range(4096, len(whole), 40_961):
        damaged = bytearray(whole)
        damaged[start : start + 512] = bytes(512)
        demo.write_bytes(damaged)
        before = digest(demo)
        for arguments in (("list", demo), ("show", demo, CONTRADICTED), ("trust", demo)):
            result = mvdesk(*arguments)
            assert result.code in (0, 1)
            assert "Traceback" not in result.err
            assert "made a mistake" not in result.err, (start, arguments, result.err)
        assert digest(demo) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("edit", "{vault}", STALE, "--confidence", "1.01"),
        ("edit", "{vault}", STALE, "--confidence=-0.1"),
        ("edit", "{vault}", STALE, "--importance", "nan"),
        ("edit", "{vault}", STALE, "--importance", "inf"),
        ("edit", "{vault}", STALE, "--importance", "much"),
        ("edit", "{vault}", STALE, "--type", "rumour"),
        ("edit", "{vault}", STALE, "--content", "  "),
        ("edit", "{vault}", "no-such-memory", "--title", "x"),
        ("add", "{vault}"),
        ("add", "{vault}", "--content", ""),
        ("add", "{vault}", "--content", "x", "--type", "Note "),
        ("add", "{vault}", "--content", "half \udcff"),
        ("link", "{vault}", STALE, CONTRADICTED, "loves"),
        ("link", "{vault}", STALE, STALE, "supports"),
        ("link", "{vault}", STALE, "'; DROP TABLE memories; --", "supports"),
        ("unlink", "{vault}", "no-such-link"),
        ("trust", "{vault}", "slack", "2"),
        ("trust", "{vault}", "slack", "NaN"),
        ("trust", "{vault}", "slack", "high"),
        ("trust", "{vault}", "   ", "0.5"),
        ("list", "{vault}", "--model", "best"),
        ("list", "{vault}", "--brain", "other"),
        ("show", "{vault}", 'it\'s "quoted"'),
        ("explain", "{vault}", ""),
        ("links", "{vault}", "%"),
        ("screenshot", "{vault}", "pictures", "--select", "nobody"),
    ],
    ids=lambda value: " ".join(value).replace("{vault}", "V")[:60],
)
def test_bad_values_are_refused_in_one_line(
    mvdesk: Command, demo: Path, arguments: tuple[str, ...]
) -> None:
    before = digest(demo)
    result = mvdesk(*[str(demo) if one == "{vault}" else one for one in arguments])
    assert len(result.refused()) > 20
    assert result.out == ""
    assert digest(demo) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("list",),
        ("list", "a", "b"),
        ("list", "a", "--limit", "few"),
        ("list", "a", "--limit", "-1"),
        ("list", "a", "--colour"),
        ("link", "a", "b"),
        ("--nothing",),
        ("list", "a", "--now", "soon"),
        ("list", "a", "--now", "NaN"),
        ("list", "a", "--now", "1e300"),
        ("list", "a", "--sort", "mood"),
        ("search", "a", "b", "--type", "rumour"),
        ("search", "a", "b", "--min-score", "nan"),
        ("explain", "a", "b", "--target", "2"),
        ("explain", "a", "b", "--score", "mood"),
        ("explain", "a", "b", "--without", "luck"),
        ("trust", "a", "slack", "0.5", "--clear"),
        ("trust", "a", "slack", "--dry-run"),
        ("trust", "a", "--clear"),
        ("policy", "a", "--dry-run"),
        ("snapshot", "a", "frob"),
        ("snapshot", "a", "restore"),
        ("snapshot", "a", "list", "x"),
        ("snapshot", "a", "restore", "x", "--mode", "half"),
        ("unlink", "a", "b", "c", "--relation", "loves"),
        ("backup", "a", "b", "--list"),
        ("screenshot", "a", "pictures", "--size", "big"),
        ("screenshot", "a", "pictures", "--theme", "mauve"),
        ("score", "--now", "soon"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_told_apart(mvdesk: Command, arguments: tuple[str, ...]) -> None:
    result = mvdesk(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert len(result.err.splitlines()) == 1
    assert "--help` tells how" in result.err
    for foreign in ("Invalid value", "Input should", "Value error", "unable to parse"):
        assert foreign not in result.err


@pytest.mark.parametrize("text", ["few", "1.5", "", "nan", "1e3", "0x10", "9" * 30])
@pytest.mark.parametrize("command", ["list", "decay", "search", "history", "conflicts", "path"])
def test_a_limit_that_is_no_number_is_said_in_our_words(
    mvdesk: Command, command: str, text: str
) -> None:
    others = {"search": ["words"], "path": ["b", "c"]}.get(command, [])
    result = mvdesk(command, "a", *others, "--limit", text)
    assert result.code == 2
    assert result.err.startswith("mvdesk: --limit: expected a whole number ")
    assert f"not {text!r}. `mvdesk {command} --help` tells how." in result.err


def test_every_option_that_takes_a_number_says_so_alike(mvdesk: Command) -> None:
    seen = 0
    for command in COMMANDS:
        for line in mvdesk(command, "--help").out.splitlines():
            match = re.match(r"  (--[a-z-]+) (N|DAYS|\S+\.\.\S+)  ?", line)
            # What a memory is to hold is refused when it is written, as bad input.
            if match is None or command in ("add", "edit"):
                continue
            seen += 1
            needed = ["vault", "a", "b"][: 1 + mvdesk(command, "--help").out.count("  [required]")]
            result = mvdesk(command, *needed[:-1], match[1], "x")
            assert result.code == 2, (command, match[1])
            assert f"{match[1]}: expected a " in result.err
    assert seen > 20


def test_a_number_may_be_spelled_with_a_real_minus(mvdesk: Command, demo: Path) -> None:
    arguments = ("reinforce", demo, STALE, "--delta-confidence", "\u22120.1", "--dry-run")
    assert mvdesk(*arguments).code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_values_by_our_words(mvdesk: Command, command: str) -> None:
    said = mvdesk(command, "--help").out
    assert not re.search(r"<\w+>|x>=|\[\[|\{[A-Z]", said), said
    assert "policy says unless" not in said


def test_the_help_tells_how_the_window_is_opened(mvdesk: Command) -> None:
    said = " ".join(mvdesk("--help").out.split())
    assert "`mvdesk VAULT`" in said
    assert "opens the window" in said


def test_ids_with_quotes_and_wildcards_are_only_ids(mvdesk: Command, demo: Path) -> None:
    odd = 'it\'s "50 %" _; DROP TABLE memories'
    db = sqlite3.connect(demo)
    db.execute("PRAGMA foreign_keys = OFF")
    with db:
        db.execute("UPDATE memories SET id = ? WHERE id = ?", (odd, STALE))
        db.execute("UPDATE memory_links SET from_id = ? WHERE from_id = ?", (odd, STALE))
        db.execute("UPDATE memory_links SET to_id = ? WHERE to_id = ?", (odd, STALE))
    db.close()
    assert mvdesk("show", demo, odd, "--json").json["id"] == odd
    assert mvdesk("edit", demo, odd, "--title", "it's").code == 0
    assert mvdesk("explain", demo, odd).code == 0
    assert mvdesk("list", demo, "--json", "--archived").json["count"] == 120


def test_an_ambiguous_beginning_of_an_id_is_refused(mvdesk: Command, demo: Path) -> None:
    db = sqlite3.connect(demo)
    with db:
        db.execute(
            "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at)"
            " SELECT id || '-2', brain_id, type, content, created_at, updated_at FROM memories"
            " WHERE id = ?",
            (STALE,),
        )
    db.close()
    assert "2 ids" in mvdesk("show", demo, STALE[:8]).refused()
    assert mvdesk("show", demo, STALE).code == 0
    mvdesk("show", demo, STALE[:3]).refused()


def test_values_of_a_foreign_file_out_of_range_are_listed_all_the_same(
    mvdesk: Command, demo: Path
) -> None:
    db = sqlite3.connect(demo)
    db.execute("PRAGMA ignore_check_constraints = ON")
    with db:
        db.execute("UPDATE memories SET confidence = 7.5, importance = -3 WHERE id = ?", (STALE,))
        db.execute(
            "UPDATE memories SET confidence = 9e999, type = 'Idée' WHERE id = ?", (CONTRADICTED,)
        )
    db.close()
    for arguments in (("list", demo, "--json"), ("list", demo), ("trust", demo, "--json")):
        assert mvdesk(*arguments).code == 0
    shown = mvdesk("show", demo, STALE, "--json").json
    assert (shown["base_confidence"], shown["base_importance"]) == (7.5, -3)
    assert 0 <= shown["dynamic_importance"] <= 1
    assert mvdesk("explain", demo, CONTRADICTED, "--json").code == 0


def test_a_read_only_vault_is_read_and_not_written(demo: Path) -> None:
    # File modes don't bind root, so the commands run as somebody whom they bind.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        vault = Path(shutil.copy(demo, folder / "vault.sqlite"))
        vault.chmod(0o444)
        folder.chmod(0o555)
        before = digest(vault)
        listed = as_nobody(demo, "list", vault)
        assert listed.code == 0, listed
        assert "118 memories" in listed.out
        refused = as_nobody(demo, "edit", vault, STALE, "--title", "x")
        assert refused.code == 1, refused
        assert "Traceback" not in refused.err
        assert digest(vault) == before
        assert [path.name for path in folder.iterdir()] == ["vault.sqlite"]
        folder.chmod(0o755)


def as_nobody(warm: Path, *arguments: str | Path) -> Outcome:
    """Run a command without root's rights, once it has imported what it needs."""
    script = (
        "import contextlib, io, os, sys\n"
        "from mvdesk.cli.main import run\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        "    run(['edit', sys.argv[1], sys.argv[2], '--title', 'warm'])\n"
        "    run(['list', sys.argv[1]])\n"
        "if os.geteuid() == 0:\n"
        "    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "sys.exit(run(sys.argv[3:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, warm, STALE, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd="/",
        env={"PYTHONPATH": str(ROOT), "HOME": "/nonexistent"},
        timeout=60,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def test_a_second_writer_is_waited_for_and_then_told(process: Command, demo: Path) -> None:
    db = sqlite3.connect(demo, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    try:
        listed = process("list", demo)
        assert listed.code == 0
        refused = process("edit", demo, STALE, "--title", "x")
    finally:
        db.execute("ROLLBACK")
        db.close()
    assert "program" in refused.refused()


def test_a_bug_is_one_line_with_a_log(
    mvdesk: Command, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by design of the test")

    monkeypatch.setattr("mvdesk.cli.listing.write_json_rows", broken)
    said = mvdesk("list", demo, "--json").refused()
    assert "mvdesk made a mistake" in said
    log = tmp_path / "data" / "mvdesk" / "mvdesk.log"
    assert str(log) in said
    assert "by design of the test" in log.read_text(encoding="utf-8")


def test_an_interrupt_ends_quietly(
    mvdesk: Command, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mvdesk.cli.listing.write_json_rows", interrupted)
    assert "stopped" in mvdesk("list", demo, "--json").refused()


def _heed_interrupts() -> None:
    """What a shell starts in the background ignores them, and so would what that starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_real_interrupt_ends_quietly(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "mvdesk", "score"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=_heed_interrupts,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write(b'{"memory": {}, "now": 1}\n')
        child.stdin.flush()
        assert child.stdout.readline()  # it works now, and waits for the next line
        child.send_signal(signal.SIGINT)
        errors = child.stderr.read().decode()
    assert child.returncode == 1
    assert errors.startswith("mvdesk: stopped")
    assert "Traceback" not in errors


def test_a_full_disk_is_said(demo: Path, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.fail("this system has no /dev/full to test with")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "mvdesk", "list", str(demo), "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.decode().count("\n") == 1
    assert "space" in done.stderr.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(mvdesk: Command, command: str) -> None:
    result = mvdesk(command, "--help")
    assert result.code == 0
    assert f"Example: mvdesk {command}" in " ".join(result.out.split())
    assert "--json" in result.out


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [name for name in COMMANDS if f"`{name} VAULT" not in readme]
    assert [
        name for name in missing if f"mvdesk {name}" not in readme and f"`{name}`" not in readme
    ] == []


def test_version_and_help_stand_alone(mvdesk: Command) -> None:
    assert mvdesk("--version").out.startswith("mvdesk ")
    assert "Commands:" in mvdesk("--help").out
    assert main.DONE == 0


def test_the_clock_takes_seconds_and_iso_dates(mvdesk: Command, demo: Path) -> None:
    def clock(text: str) -> int:
        now = mvdesk("list", demo, "--json", "--limit", "0", f"--now={text}").json["now"]
        assert isinstance(now, int)
        return now

    assert clock("1800000000") == clock("1800000000.9") == 1_800_000_000
    assert clock("2027-01-15T08:00:00") == clock("2027-01-15T09:00+01:00") == 1_800_000_000
    assert clock("-1.5") == -2
    assert abs(mvdesk("list", demo, "--json", "--limit", "0").json["now"] - time.time()) < 60


@pytest.mark.parametrize("command", ["list", "backup", "check", "undo"])
@pytest.mark.parametrize("name", ["", ".", "/"])
def test_what_names_no_file_is_said(mvdesk: Command, command: str, name: str) -> None:
    assert "is not the name of a file" in mvdesk(command, name).refused()


def test_half_a_character_is_in_no_history(mvdesk: Command, demo: Path) -> None:
    assert "No memory has the id" in mvdesk("history", demo, "\udcff").refused()

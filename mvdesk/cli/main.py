"""The command line: every command, and the one place where its errors become sentences."""

from __future__ import annotations

import os
import sys
import traceback
from typing import TYPE_CHECKING, Annotated

import typer

from mvdesk import __version__
from mvdesk.cli import (
    backing_up,
    checking,
    conflicting,
    connecting,
    demo,
    editing,
    explaining,
    forgetting,
    history,
    linking,
    listing,
    ruling,
    screenshot,
    searching,
    snapshotting,
    stats,
    trusting,
    upkeep,
)
from mvdesk.cli.output import complain
from mvdesk.errors import VaultError
from mvdesk.scoring.model import ModelError
from mvdesk.vault.places import data_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DONE, REFUSED, WRONG_USAGE = 0, 1, 2
_INTERRUPTED = 130

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="A desk for MemoryVault files. Without a command, mvdesk opens the window.",
    epilog="`mvdesk COMMAND --help` tells more. Exit codes: 0 done, 1 refused, 2 wrong usage.",
)
app.command("demo")(demo.demo)
app.command("list")(listing.list_memories)
app.command("search")(searching.search)
app.command("show")(listing.show)
app.command("explain")(explaining.explain)
app.command("score")(explaining.score)
app.command("add")(editing.add)
app.command("edit")(editing.edit)
app.command("trust")(trusting.trust)
app.command("link")(linking.link)
app.command("unlink")(linking.unlink)
app.command("links")(listing.links)
app.command("archive")(forgetting.archive)
app.command("restore")(forgetting.restore)
app.command("delete")(forgetting.delete)
app.command("suggest")(connecting.suggest)
app.command("path")(connecting.path)
app.command("decay")(upkeep.decay)
app.command("reinforce")(upkeep.reinforce)
app.command("review")(upkeep.review)
app.command("conflicts")(conflicting.conflicts)
app.command("resolve")(conflicting.resolve)
app.command("stats")(stats.stats)
app.command("policy")(ruling.policy)
app.command("aliases")(ruling.aliases)
app.command("snapshot")(snapshotting.snapshot)
app.command("check")(checking.check)
app.command("backup")(backing_up.backup)
app.command("history")(history.history)
app.command("undo")(editing.undo)
app.command("screenshot")(screenshot.screenshot)


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mvdesk {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def run(argv: Sequence[str]) -> int:
    """Run one command; gives back the exit code. Never raises, never shows a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that knows few letters
    try:
        result = app(args=list(argv), prog_name="mvdesk", standalone_mode=False)
        sys.stdout.flush()
        if result == _INTERRUPTED:  # typer's answer to Ctrl+C
            raise KeyboardInterrupt
    except VaultError as error:
        complain(error.one_line())
        return REFUSED
    except ModelError as error:
        complain(str(error))
        return REFUSED
    except typer.TyperException as error:
        return _explain_usage(error)
    except (KeyboardInterrupt, typer.Abort):
        complain("stopped. A write happens as a whole or not at all.")
        return REFUSED
    except (BrokenPipeError, SystemExit):
        # Whoever read the output had enough of it, as `head` has (typer makes that an exit).
        # Nothing is left to say, not even when the interpreter flushes on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        complain(f"{error.strerror or error}: {error.filename or 'the output'}.")
        return REFUSED
    except Exception as error:  # the last of the places where a bug of ours may surface
        complain(_bug_sentence(error))
        return REFUSED
    return result if isinstance(result, int) else DONE


def _explain_usage(error: typer.TyperException) -> int:
    text = " ".join(str(getattr(error, "format_message", lambda: error)()).split())
    command = getattr(getattr(error, "ctx", None), "command_path", "mvdesk")
    complain(f"{text.rstrip('.')}. `{command} --help` tells how.")
    return WRONG_USAGE


def _bug_sentence(error: Exception) -> str:
    where = _log(error)
    kept = f" The details are in {where}." if where else ""
    return (
        f"mvdesk made a mistake ({type(error).__name__}). "
        f"What was saved is safe: a write happens as a whole or not at all.{kept} Please report it."
    )


def _log(error: Exception) -> Path | None:
    """Append the traceback to the log; None where that can't be done."""
    file = data_folder() / "mvdesk.log"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8", errors="backslashreplace") as log:
            log.writelines(traceback.format_exception(error))
    except OSError:
        return None
    return file

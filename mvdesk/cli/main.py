"""The command line: every command, and the one place where its errors become sentences."""

from __future__ import annotations

import os
import re
import sys
import traceback
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core

from mvdesk import __version__
from mvdesk.cli import (
    backing_up,
    checking,
    conflicting,
    connecting,
    demo,
    doubling,
    editing,
    explaining,
    forgetting,
    history,
    linking,
    listing,
    merging,
    ruling,
    screenshot,
    searching,
    snapshotting,
    stats,
    trusting,
    unifying,
    upkeep,
)
from mvdesk.cli.output import complain
from mvdesk.cli.values import WrongUsage
from mvdesk.errors import VaultError
from mvdesk.scoring.model import ModelError
from mvdesk.vault.places import data_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DONE, REFUSED, WRONG_USAGE = 0, 1, 2
_INTERRUPTED = 130
_OUR_WORDS = "Value error, "
"""What typer puts before the message of a parser."""


class _Command(typer.core.TyperCommand):
    """A command whose help names arguments and options by our words, without Python's types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 (a class of typer's own)
        return [re.sub(r"\{(.*)\}", r"\1", piece) for piece in super().collect_usage_pieces(ctx)]

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401
        params: list[Any] = super().get_params(ctx)
        for param in params:
            if param.param_type_name == "argument":
                param.display_type_rich = lambda ctx: None
        return params


class _App(typer.Typer):
    def command(self, name: str | None = None, **settings: Any) -> Any:  # noqa: ANN401
        return super().command(name, cls=_Command, **settings)


app = _App(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="A desk for MemoryVault files. `mvdesk` or `mvdesk VAULT`, without a command, opens the "
    "window.",
    subcommand_metavar="[VAULT | COMMAND ...]",
    epilog="`mvdesk COMMAND --help` tells more. "
    "Exit codes: 0 done, 1 refused or bad input, 2 wrong usage.",
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
app.command("unify")(unifying.unify)
app.command("link")(linking.link)
app.command("unlink")(linking.unlink)
app.command("links")(listing.links)
app.command("archive")(forgetting.archive)
app.command("restore")(forgetting.restore)
app.command("delete")(forgetting.delete)
app.command("merge")(merging.merge)
app.command("duplicates")(doubling.duplicates)
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
    except WrongUsage as error:
        return _explain_usage(error.one_line(), _named_command(argv))
    except VaultError as error:
        complain(error.one_line())
        return REFUSED
    except ModelError as error:
        complain(str(error))
        return REFUSED
    except typer.TyperException as error:
        return _explain_usage(_usage_sentence(error), _named_command(argv))
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


def _explain_usage(sentence: str, command: str) -> int:
    complain(f"{sentence.rstrip('.')}. `{command} --help` tells how.")
    return WRONG_USAGE


def _named_command(argv: Sequence[str]) -> str:
    """The command whose help tells more."""
    known = {command.name for command in app.registered_commands}
    return f"mvdesk {argv[0]}" if argv and argv[0] in known else "mvdesk"


def _usage_sentence(error: typer.TyperException) -> str:
    """What typer has to say, in our words where it is about a value that we read."""
    param, message = getattr(error, "param", None), str(getattr(error, "message", ""))
    if param is not None and message.startswith(_OUR_WORDS):
        return f"{param.get_error_hint().strip(chr(39))}: {message.removeprefix(_OUR_WORDS)}"
    return " ".join(str(getattr(error, "format_message", lambda: error)()).split())


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

"""Chooses between the window and a command. Imports Qt only where a window is drawn."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from mvdesk.assets import translation_files

_LINK = "mvdesk://"


def main(argv: list[str] | None = None) -> int:
    """Run mvdesk with the arguments after the program's name; gives back the exit code.

    Nothing, the path of a vault, or an mvdesk:// link to a memory (also after a path) opens
    the window; everything else is a command.
    """
    arguments = sys.argv[1:] if argv is None else argv
    links = [argument for argument in arguments if argument.lower().startswith(_LINK)]
    if links and len(arguments) <= 2:
        vaults = [Path(argument) for argument in arguments if argument not in links]
        return _open_window(vaults[0] if vaults else None, links[0])
    if _is_command(arguments):
        # Only where a command runs: the window doesn't wait for the command line's imports.
        from mvdesk.cli.main import run

        return run(arguments)
    return _open_window(Path(arguments[0]) if arguments else None)


def _is_command(arguments: list[str]) -> bool:
    if not arguments:
        return False
    first = arguments[0]
    if len(arguments) > 1 or first.startswith("-") or first == "score":
        return True
    # A word alone is a command, unless a file has that name; the rest is a path.
    return re.fullmatch(r"[a-z][a-z-]*", first) is not None and not Path(first).exists()


def _open_window(path: Path | None, link: str = "") -> int:
    if path is not None and not path.exists():
        return _refuse(f"There is no file {path}. Nothing was made or changed.")
    # Only where a window is drawn: commands run without the user interface.
    from mvdesk.ui.display import find_display_problem

    if problem := find_display_problem(os.environ):
        vault = path or "VAULT"
        return _refuse(
            f"{problem} To get a picture of the window instead, run: "
            f"mvdesk screenshot {vault} FOLDER"
        )
    if not translation_files():
        # What lies below comes before Qt, whose import hook reads the source of all that follows
        # it; but after the language, where there are others: texts are translated as the modules
        # are imported that hold them.
        import mvdesk.vault.demo
        import mvdesk.vault.questions.movers  # noqa: F401

    # Qt, loaded only now that there is a window to draw.
    from mvdesk.ui.language import choose_language
    from mvdesk.ui.settings import Settings

    choose_language(Settings().read_language())
    # After the language, with all its texts.
    from mvdesk.ui.app import run_window

    return run_window(path, link)


def _refuse(sentence: str) -> int:
    print(f"mvdesk: {sentence}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    # A bundle is its own interpreter: the process for layouts comes through this door too.
    if getattr(sys, "frozen", False):
        import multiprocessing  # late: commands and windows don't wait for it

        multiprocessing.freeze_support()
    sys.exit(main())

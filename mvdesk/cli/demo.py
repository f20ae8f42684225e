"""The command that writes the demo vault."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mvdesk.cli.options import AsJson, Now, parse_now
from mvdesk.cli.output import clean, write_json, write_line
from mvdesk.vault.demo import read_demo, write_demo


def demo(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file to make.")],
    as_json: AsJson = False,
    now: Now = None,
) -> None:
    """Write the demo vault.

    Its memories are invented, and dated back from now.

    Example: mvdesk demo demo.sqlite
    """
    write_demo(path, now=parse_now(now))
    counts = {part: len(read_demo(part)) for part in ("memories", "links")}
    if as_json:
        write_json({"path": str(path), **counts})
        return
    write_line(clean(f"Wrote {path}: {counts['memories']} memories, {counts['links']} links."))
    write_line(clean(f"Open it with: mvdesk {path}"))

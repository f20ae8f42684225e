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
    memories, links = read_demo("memories"), read_demo("links")
    archived = sum("archived" in entry for entry in memories)
    if as_json:
        counts = {"memories": len(memories), "archived": archived, "links": len(links)}
        write_json({"path": str(path), **counts})
        return
    write_line(
        clean(
            f"Wrote {path}: {len(memories)} memories, {archived} of them archived, "
            f"{len(links)} links."
        )
    )
    write_line(clean(f"Open it with: mvdesk {path}"))

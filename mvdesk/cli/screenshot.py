"""The command that renders the real window to PNG files; it needs no display."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mvdesk.cli.opened import opened
from mvdesk.cli.options import AsJson, Brain, Now, VaultPath, parse_now
from mvdesk.cli.output import clean, write_json, write_line
from mvdesk.errors import BadValue


def screenshot(
    vault: VaultPath,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the PNG files go; made if missing.")
    ],
    theme: Annotated[
        str, typer.Option("--theme", metavar="THEME", help="light, dark or both.")
    ] = "both",
    size: Annotated[
        str, typer.Option("--size", metavar="WxH", help="The window's size, such as 1440x900.")
    ] = "1440x900",
    scale: Annotated[
        float, typer.Option("--scale", metavar="N", help="Scale of all texts, 0.85 to 1.6.")
    ] = 1.0,
    pixel_ratio: Annotated[
        float, typer.Option("--pixel-ratio", metavar="N", help="Pixels of the picture per pixel.")
    ] = 1.0,
    select: Annotated[
        str | None, typer.Option("--select", metavar="ID", help="The memory to show.")
    ] = None,
    workspace: Annotated[
        str, typer.Option("--workspace", metavar="NAME", help="The arrangement of panels.")
    ] = "memories",
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Render the window to PNG files.

    Example: mvdesk screenshot notes.sqlite pictures --theme dark --size 1600x1000
    """
    clock = None if now is None else parse_now(now)
    size_px = _parse_size(size)
    with opened(vault, brain=brain, now=0) as vault_open:
        brain_id = None if brain is None else vault_open.brain_id
        memory_id = None if select is None else vault_open.find_id(select)
    # The one command that draws: Qt takes half a second to import.
    from mvdesk.ui.screenshot import render

    try:
        files = render(
            vault,
            folder,
            theme=theme,
            size=size_px,
            select=memory_id,
            scale=scale,
            pixel_ratio=pixel_ratio,
            workspace=workspace,
            brain_id=brain_id,
            now=clock,
        )
    except (FileExistsError, NotADirectoryError) as error:
        raise BadValue("DIR", f"{folder} is not a folder.") from error
    if as_json:
        write_json({"files": [str(file) for file in files]})
        return
    for file in files:
        write_line(clean(str(file)))


def _parse_size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and len(text) <= 20):
        raise BadValue("--size", f"expected WIDTHxHEIGHT such as 1440x900, not {text!r}.")
    return int(width), int(height)

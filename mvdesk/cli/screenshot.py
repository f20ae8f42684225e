"""The command that renders the real window to PNG files; it needs no display."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from mvdesk.cli.opened import opened
from mvdesk.cli.options import AsJson, Brain, Now, VaultPath
from mvdesk.cli.output import clean, write_json, write_line
from mvdesk.cli.values import choice_option, number_option, read_size
from mvdesk.errors import BadValue


def screenshot(
    vault: VaultPath,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the PNG files go; made if missing.")
    ],
    theme: Annotated[
        str, choice_option("THEME", ("light", "dark", "both"), "light, dark or both.")
    ] = "both",
    size: Annotated[  # noqa: ANN401 (a pair of numbers, once it is parsed)
        Any,
        typer.Option(metavar="WxH", parser=read_size, help="The window's size, such as 1440x900."),
    ] = "1440x900",
    scale: Annotated[float, number_option("Scale of all texts.", 0.85, 1.6)] = 1.0,
    pixel_ratio: Annotated[float, number_option("Pixels of the picture per pixel.", 0.5, 4)] = 1.0,
    select: Annotated[
        str | None, typer.Option("--select", metavar="ID", help="The memory to show.")
    ] = None,
    workspace: Annotated[
        str, typer.Option("--workspace", metavar="NAME", help="The workspace, such as sources.")
    ] = "memories",
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Render the window to PNG files.

    Example: mvdesk screenshot notes.sqlite pictures --theme dark --size 1600x1000
    """
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
            size=size,
            select=memory_id,
            scale=scale,
            pixel_ratio=pixel_ratio,
            workspace=workspace,
            brain_id=brain_id,
            now=now,
        )
    except (FileExistsError, NotADirectoryError) as error:
        raise BadValue("DIR", f"{folder} is not a folder.") from error
    if as_json:
        write_json({"files": [str(file) for file in files]})
        return
    for file in files:
        write_line(clean(str(file)))

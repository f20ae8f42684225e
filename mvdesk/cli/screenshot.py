"""The command that renders the real window to PNG files, with or without a display."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mvdesk.cli.options import VaultPath


def screenshot(
    vault: VaultPath,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the PNG files go.")],
) -> None:
    """Render the window to PNG files."""

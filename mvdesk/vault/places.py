"""Where the front ends keep what belongs to no vault."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """The person's folder for the demo vault, the log, and companions that fit nowhere else."""
    folder = os.environ.get("XDG_DATA_HOME", "")
    base = Path(folder) if folder.startswith("/") else Path.home() / ".local" / "share"
    return base / "mvdesk"

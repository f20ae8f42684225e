"""Where things go that belong to no vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.vault.places import data_folder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_data_folder_follows_the_desktop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "mvdesk"
    monkeypatch.setenv("XDG_DATA_HOME", "not absolute")
    assert data_folder().parts[-2:] == ("share", "mvdesk")

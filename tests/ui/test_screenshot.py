"""Pictures of the real window."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QImage

from mvdesk.errors import BadValue, MemoryNotFound, NotAVault
from mvdesk.ui.screenshot import render
from mvdesk.ui.theme import DARK, LIGHT

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("theme")  # puts the application's look back


@pytest.fixture(autouse=True)
def own_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


def _colours(path: Path) -> set[str]:
    image = QImage(str(path))
    return {
        image.pixelColor(x, y).name().upper()
        for x in range(0, image.width(), 7)
        for y in range(0, image.height(), 7)
    }


def test_both_themes_are_drawn_and_the_vault_keeps_its_bytes(
    brain_file: Path, tmp_path: Path, now: int
) -> None:
    before = hashlib.sha256(brain_file.read_bytes()).digest()
    light, dark = render(brain_file, tmp_path / "out", now=now)
    assert (light.name, dark.name) == ("brain-light.png", "brain-dark.png")
    assert {LIGHT.surface, LIGHT.text} <= _colours(light)
    assert {DARK.surface, DARK.text} <= _colours(dark)
    assert hashlib.sha256(brain_file.read_bytes()).digest() == before


def test_size_and_pixel_ratio_are_those_asked_for(
    brain_file: Path, tmp_path: Path, now: int
) -> None:
    (path,) = render(brain_file, tmp_path, theme="dark", size=(1200, 700), pixel_ratio=1.5, now=now)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1800, 1050)


@pytest.mark.parametrize(
    "wrong",
    [
        {"theme": "plaid"},
        {"size": (200, 100)},
        {"size": (1200, 20_000)},
        {"scale": 0.5},
        {"pixel_ratio": 0.0},
        {"workspace": "attic"},
    ],
)
def test_unknown_arguments_are_refused(
    brain_file: Path, tmp_path: Path, wrong: dict[str, object]
) -> None:
    with pytest.raises(BadValue):
        render(brain_file, tmp_path, **wrong)  # type: ignore[arg-type]


def test_an_unknown_memory_is_refused(brain_file: Path, tmp_path: Path) -> None:
    with pytest.raises(MemoryNotFound):
        render(brain_file, tmp_path, select="no such id")


def test_a_file_that_is_no_vault_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear Ada, " * 200)
    with pytest.raises(NotAVault):
        render(path, tmp_path)

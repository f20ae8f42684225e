"""The pictures of the README and the help: all there, of their size, something on each, small."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "help"
WINDOW: Final = (1440, 900)
TUNING: Final = (1280, 760)
PANEL: Final = (460, 963)
SIZES: Final = {
    **dict.fromkeys(("main-light", "main-dark", "tune", "graph", "conflicts", "decay"), WINDOW),
    **dict.fromkeys(("palette", "greyscale", "same"), WINDOW),
    **dict.fromkeys(("evidence", "clamp", "difference"), PANEL),
    "links": (690, 782),
    "tuning-1-before": TUNING,
    "tuning-2-dragging": TUNING,
    "tuning-3-movers": TUNING,
    "tuning-4-applied": TUNING,
    "tuning-5-undone": TUNING,
}
"""All of them, made by `packaging/pictures.sh`."""
LARGEST_BYTES: Final = 6_000_000
ROOM_FOR_LAYOUT: Final = 40
"""So many px a part of the window may be larger or smaller when panels are arranged anew."""


def _read(name: str) -> QImage:
    image = QImage(str(FOLDER / f"{name}.png"))
    assert not image.isNull(), name
    return image


@pytest.mark.parametrize("name", SIZES)
def test_a_picture_has_its_size_and_is_not_blank(name: str) -> None:
    image = _read(name)
    width, height = SIZES[name]
    room = 0 if SIZES[name] in (WINDOW, TUNING) else ROOM_FOR_LAYOUT
    assert abs(image.width() - width) <= room
    assert abs(image.height() - height) <= room
    colors = {
        image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)
    }
    assert len(colors) > 40
    ground = image.pixel(image.width() // 2, image.height() - 2)
    for share in range(4):  # each quarter from top to bottom has something on it
        rows = range(share * image.height() // 4, (share + 1) * image.height() // 4)
        drawn = sum(image.pixel(x, y) != ground for y in rows[::4] for x in range(0, width, 4))
        assert drawn > 100, share


def test_all_of_them_are_made_by_the_script_and_are_small() -> None:
    files = sorted(FOLDER.glob("*.png"))
    assert {file.stem for file in files} == set(SIZES)
    assert sum(file.stat().st_size for file in files) < LARGEST_BYTES
    script = (ROOT / "packaging" / "pictures.py").read_text(encoding="utf-8")
    assert all(f'"{name}.png"' in script for name in SIZES)


def test_every_picture_is_shown_where_it_is_explained() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\(resources/help/([a-z0-9-]+)\.png\)", readme))
    for page in FOLDER.glob("*.md"):
        named = re.findall(r"!\[[^\]]+\]\(([a-z0-9-]+)\)", page.read_text(encoding="utf-8"))
        shown.update(named)
        for name in named:
            assert {name, f"{name}-light"} & set(SIZES), f"{page.name}: {name}"
    assert set(SIZES) - shown - {"main-light", "main-dark"} == set()

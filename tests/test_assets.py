"""The shipped files are found from a checkout and from an installed package."""

from __future__ import annotations

import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk import assets

if TYPE_CHECKING:
    from types import ModuleType


def load_copy(path: Path) -> ModuleType:
    """The module as it behaves at another place."""
    path.parent.mkdir(parents=True)
    shutil.copy(Path(assets.__file__), path)
    spec = spec_from_file_location("assets_copy", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules.pop("assets_copy", None)
    spec.loader.exec_module(module)
    return module


def test_fonts_come_with_their_licences() -> None:
    names = {path.name for path in assets.font_files()}
    assert {"Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf"} <= names
    for licence in ("Inter-LICENSE.txt", "JetBrainsMono-LICENSE.txt"):
        assert "SIL OPEN FONT LICENSE" in assets.read_resource("fonts", licence).upper()


def test_a_file_that_is_not_shipped_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"resources/icons/no-such-icon\.svg"):
        assets.resource_path("icons", "no-such-icon.svg")


def test_an_installed_package_uses_its_own_resources_first(tmp_path: Path) -> None:
    copy = load_copy(tmp_path / "site-packages" / "mvdesk" / "assets.py")
    for folder in ("site-packages/resources", "site-packages/mvdesk/resources"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "where.txt").write_text(folder, encoding="utf-8")
    assert copy.read_resource("where.txt") == "site-packages/mvdesk/resources"


def test_a_checkout_has_the_resources_beside_the_package(tmp_path: Path) -> None:
    copy = load_copy(tmp_path / "repository" / "mvdesk" / "assets.py")
    (tmp_path / "repository" / "resources").mkdir()
    assert copy.resource_path() == (tmp_path / "repository" / "resources").resolve()


def test_every_icon_is_one_of_the_family() -> None:
    names = assets.icon_names()
    assert len(names) > 30
    for name in names:
        svg = assets.read_resource("icons", f"{name}.svg")
        assert 'viewBox="0 0 20 20"' in svg, name
        assert 'stroke-width="1.5"' in svg, name
        assert 'stroke="currentColor"' in svg, name
        assert "#" not in svg, name

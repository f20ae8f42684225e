"""The only code that knows where resources/ is: fonts, icons, style sheet, demo data, help."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource_path(*parts: str) -> Path:
    """The path of a shipped file or folder, for example `resource_path("fonts")`.

    An installed mvdesk carries the resources inside the package, a checkout has them beside
    it. The package goes first: a "resources" folder in site-packages is somebody else's.
    Raises FileNotFoundError when the file is not shipped.
    """
    for root in (_PACKAGE / "resources", _PACKAGE.parent / "resources"):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"mvdesk was installed without resources/{'/'.join(parts)}")


def read_resource(*parts: str) -> str:
    """The text of a shipped file. Raises FileNotFoundError when it is not shipped."""
    return resource_path(*parts).read_text(encoding="utf-8")


def font_files() -> list[Path]:
    """The shipped font files, in a fixed order."""
    folder = resource_path("fonts")
    return sorted(path for path in folder.iterdir() if path.suffix in {".otf", ".ttf"})


def icon_names() -> list[str]:
    """The names of the shipped icons, sorted."""
    return sorted(path.stem for path in resource_path("icons").glob("*.svg"))


def translation_files() -> list[Path]:
    """The shipped languages besides English, sorted; the names say which they are."""
    return sorted(resource_path("translations").glob("*.qm"))

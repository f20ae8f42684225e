"""The shipped fonts and the few text sizes that mvdesk uses."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtGui import QFont, QFontDatabase

from mvdesk.assets import font_files
from mvdesk.errors import VaultError
from mvdesk.wording import tr

FontRole = Literal["caption", "body", "strong", "editor", "section", "title", "numeral", "mono"]

FAMILY: Final = "Inter"
MONO_FAMILY: Final = "JetBrains Mono"

_ROLES: Final[dict[FontRole, tuple[int, QFont.Weight]]] = {
    "caption": (12, QFont.Weight.Normal),
    "body": (13, QFont.Weight.Normal),
    "strong": (13, QFont.Weight.DemiBold),
    "editor": (14, QFont.Weight.Normal),
    "section": (16, QFont.Weight.DemiBold),
    "title": (20, QFont.Weight.DemiBold),
    "numeral": (32, QFont.Weight.DemiBold),
    "mono": (13, QFont.Weight.Normal),
}


class NoFonts(VaultError):
    """There is nothing to draw text with: Qt would show empty boxes and report nothing."""

    def __init__(self) -> None:
        super().__init__(
            what=tr("mvdesk found no font to draw text with."),
            safe=tr("No vault was opened."),
            remedy=tr(
                "Install mvdesk again, or install a font such as fonts-inter or fonts-dejavu."
            ),
        )


def load_fonts() -> str:
    """Make the shipped fonts known to Qt and give back the family for all text.

    Safe to call again. Falls back to the system's family when the files are missing or
    unreadable; raises NoFonts when that leaves no font at all. Needs a QGuiApplication.
    """
    families = QFontDatabase.families()
    if FAMILY not in families or MONO_FAMILY not in families:
        try:
            files = font_files()
        except FileNotFoundError:
            files = []
        for path in files:
            QFontDatabase.addApplicationFont(str(path))
        families = QFontDatabase.families()
    if FAMILY in families:
        return FAMILY
    if not families:
        raise NoFonts
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()


def font(role: FontRole, scale: float = 1.0) -> QFont:
    """The font of a role (ux.md C.14), figures tabular so that columns of numbers align."""
    size, weight = _ROLES[role]
    if role == "mono":
        made = QFont([MONO_FAMILY, "DejaVu Sans Mono"])
        made.setStyleHint(QFont.StyleHint.Monospace)
    else:
        made = QFont(
            [FAMILY, QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()]
        )
    made.setPixelSize(max(1, round(size * scale)))
    made.setWeight(weight)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made

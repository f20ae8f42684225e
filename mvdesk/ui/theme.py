"""How mvdesk looks: its colours (named in `tokens.py`), sizes and fonts, and who applies them.

Widgets follow the look without being told: `applied()` is the current one, and Qt sends
every widget a style change when it moves (see `is_look_change`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, cast

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import (
    QAccessibilityHints,
    QColor,
    QFont,
    QGuiApplication,
    QPalette,
    QStyleHints,
)
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from mvdesk.assets import read_resource
from mvdesk.ui.focus_ring import FocusRing
from mvdesk.ui.fonts import FontRole, font, load_fonts
from mvdesk.ui.icons import icon, paint_icon
from mvdesk.ui.tokens import (
    DARK,
    LIGHT,
    PALETTES,
    PRINT,
    PaletteName,
    RelationStyle,
    Tokens,
    find_tokens,
)

__all__ = [
    "DARK",
    "LIGHT",
    "PALETTES",
    "PRINT",
    "ContrastChoice",
    "FontRole",
    "Look",
    "PaletteName",
    "RelationStyle",
    "ThemeController",
    "Tokens",
    "applied",
    "find_tokens",
    "font",
    "icon",
    "is_look_change",
    "load_fonts",
    "make_palette",
    "paint_icon",
    "render_style_sheet",
    "set_role",
]

ThemeChoice = Literal["light", "dark", "system"]
ContrastChoice = Literal["usual", "high", "system"]

SMALLEST_SCALE: Final = 0.85
LARGEST_SCALE: Final = 1.6


@dataclass(frozen=True, slots=True)
class Look:
    """What a widget needs to draw itself: colours, text scale, whether things may move."""

    tokens: Tokens = LIGHT
    scale: float = 1.0
    reduced_motion: bool = False

    def px(self, length: float) -> int:
        """A length of the specification in pixels at this scale, at least 1."""
        return max(1, round(length * self.scale))

    def motion_ms(self, duration_ms: int) -> int:
        """How long an animation takes: 0 when motion is reduced."""
        return 0 if self.reduced_motion else duration_ms

    def color(self, token: str) -> QColor:
        """A colour by the name of its token."""
        return QColor(cast("str", getattr(self.tokens, token)))

    def font(self, role: FontRole) -> QFont:
        """The font of a role at this scale."""
        return font(role, self.scale)


_look = Look()


def applied() -> Look:
    """The look that the ThemeController applied last; light at scale 1 before."""
    return _look


def is_look_change(event: QEvent) -> bool:
    """Whether a widget's `changeEvent` means that colours or sizes moved."""
    return event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange)


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget one of the style sheet's roles, such as "section", "muted" or "primary"."""
    if widget.property("role") == role:
        return
    widget.setProperty("role", role)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def make_palette(tokens: Tokens) -> QPalette:
    """A palette that leaves no role of no group to the system."""
    roles = QPalette.ColorRole
    usual = {
        roles.Window: tokens.bg,
        roles.WindowText: tokens.text,
        roles.Base: tokens.surface,
        roles.AlternateBase: tokens.bg,
        roles.Text: tokens.text,
        roles.PlaceholderText: tokens.text_muted,
        roles.Button: tokens.raised,
        roles.ButtonText: tokens.text,
        roles.BrightText: tokens.error,
        roles.ToolTipBase: tokens.raised,
        roles.ToolTipText: tokens.text,
        roles.Highlight: tokens.accent,
        roles.HighlightedText: tokens.on_accent,
        roles.Accent: tokens.accent,
        roles.Link: tokens.accent,
        roles.LinkVisited: tokens.accent,
        roles.Light: tokens.raised,
        roles.Midlight: tokens.hairline,
        roles.Mid: tokens.control_border,
        roles.Dark: tokens.control_border,
        roles.Shadow: tokens.hairline,
    }
    greyed = dict.fromkeys(
        (
            roles.WindowText,
            roles.Text,
            roles.ButtonText,
            roles.PlaceholderText,
            roles.ToolTipText,
            roles.BrightText,
            roles.Link,
            roles.LinkVisited,
            roles.Accent,
        ),
        tokens.disabled,
    )
    greyed |= {roles.Highlight: tokens.hairline, roles.HighlightedText: tokens.text_secondary}
    palette = QPalette()
    for role, color in usual.items():
        palette.setColor(QPalette.ColorGroup.Active, role, QColor(color))
        palette.setColor(QPalette.ColorGroup.Inactive, role, QColor(color))
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(greyed.get(role, color)))
    return palette


def render_style_sheet(look: Look) -> str:
    """resources/themes/desk.qss with `@token` and `12dp` (12 px at scale 1) filled in."""
    sheet = read_resource("themes", "desk.qss")
    sheet = re.sub(r"@([a-z_]+)", lambda name: look.color(name[1]).name(), sheet)
    return re.sub(r"(\d+(?:\.\d+)?)dp", lambda size: f"{look.px(float(size[1]))}px", sheet)


class ThemeController(QObject):
    """Holds the wanted theme and text scale, and applies them to the application."""

    changed = Signal(object)  # Tokens; also when only the scale moved

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice: ThemeChoice = "system"
        self._scale = 1.0
        self._contrast: ContrastChoice = "system"
        self._palette: PaletteName = "blueOrange"
        self._reduced_motion: bool | None = None
        self._app: QApplication | None = None

    @property
    def tokens(self) -> Tokens:
        """The colours in use, whatever was chosen."""
        return self.look.tokens

    @property
    def name(self) -> ThemeChoice:
        """What was chosen: "light", "dark" or "system"."""
        return self._choice

    @property
    def scale(self) -> float:
        """The text scale, 0.85 to 1.6."""
        return self._scale

    @property
    def contrast(self) -> ContrastChoice:
        """What was chosen: "usual", "high" or "system"."""
        return self._contrast

    @property
    def palette(self) -> PaletteName:
        """The colours of charts."""
        return self._palette

    @property
    def reduced_motion(self) -> bool | None:
        """Whether animations were switched off or on; `None` follows the system."""
        return self._reduced_motion

    @property
    def look(self) -> Look:
        """The look that the choices come to now."""
        dark = self._choice == "dark" or (self._choice == "system" and _system_is_dark())
        high = self._contrast == "high" or (self._contrast == "system" and _system_wants_contrast())
        tokens = find_tokens("dark" if dark else "light", self._palette, high_contrast=high)
        return Look(tokens, self._scale, self._motion_is_reduced())

    def apply(self, app: QApplication) -> None:
        """Dress the application, and keep following the system from now on."""
        if self._app is None:
            self._app = app
            if app.findChild(FocusRing) is None:
                FocusRing(app, applied)  # one for the application, whoever dresses it
            app.setStyle("Fusion")
            hints, access = _accessibility()
            hints.colorSchemeChanged.connect(self._on_system_changed)
            access.contrastPreferenceChanged.connect(self._on_contrast_changed)
        load_fonts()
        self._dress()

    def set_theme(self, name: ThemeChoice) -> None:
        """Choose "light", "dark" or "system" (follows the desktop, light where it says nothing)."""
        if name not in ("light", "dark", "system"):
            raise ValueError(f"no theme is called {name!r}")
        if name != self._choice:
            self._choice = name
            self._dress()

    def set_scale(self, scale: float) -> None:
        """Set the text scale; values outside 0.85 to 1.6 become the nearest allowed one."""
        scale = min(max(scale, SMALLEST_SCALE), LARGEST_SCALE)
        if scale != self._scale:
            self._scale = scale
            self._dress()

    def set_contrast(self, contrast: ContrastChoice) -> None:
        """Choose "usual", "high" or "system" (high where the desktop asks for it)."""
        if contrast not in ("usual", "high", "system"):
            raise ValueError(f"no contrast is called {contrast!r}")
        if contrast != self._contrast:
            self._contrast = contrast
            self._dress()

    def set_palette(self, palette: PaletteName) -> None:
        """Choose the colours of all charts, one of PALETTES."""
        if palette not in PALETTES:
            raise ValueError(f"no palette is called {palette!r}")
        if palette != self._palette:
            self._palette = palette
            self._dress()

    def set_reduced_motion(self, reduced: bool | None) -> None:
        """Switch animations off or on; `None` follows the system."""
        if reduced is not self._reduced_motion:
            self._reduced_motion = reduced
            self._dress()

    def _motion_is_reduced(self) -> bool:
        if self._reduced_motion is not None:
            return self._reduced_motion
        if self._app is None:
            return False
        hint = QStyle.StyleHint.SH_Widget_Animation_Duration
        return self._app.style().styleHint(hint) == 0

    def _dress(self) -> None:
        global _look
        if self._app is None:
            return
        self._tell_window_system()
        look = self.look
        _look = look  # before the style sheet, whose change events make widgets ask for it
        self._app.setFont(font("body", look.scale))
        self._app.setPalette(make_palette(look.tokens))
        self._app.setStyleSheet(render_style_sheet(look))
        self.changed.emit(look.tokens)

    def _tell_window_system(self) -> None:
        """Ask for matching title bars; "system" gives the decision back."""
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.disconnect(self._on_system_changed)
        if self._choice == "system":
            hints.unsetColorScheme()
        else:
            dark = self._choice == "dark"
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
        hints.colorSchemeChanged.connect(self._on_system_changed)

    def _on_system_changed(self, _scheme: Qt.ColorScheme) -> None:
        if self._choice == "system" and self.look != _look:
            self._dress()

    def _on_contrast_changed(self, _preference: Qt.ContrastPreference) -> None:
        if self._contrast == "system" and self.look != _look:
            self._dress()


@cache
def _accessibility() -> tuple[QStyleHints, QAccessibilityHints]:
    """What the desktop says, with its owner: without that one PySide calls it deleted."""
    hints = QGuiApplication.styleHints()
    return hints, hints.accessibility()


def _system_wants_contrast() -> bool:
    asked = _accessibility()[1].contrastPreference()
    return asked == Qt.ContrastPreference.HighContrast


def _system_is_dark() -> bool:
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark

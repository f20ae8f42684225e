"""How mvdesk looks: every colour, size and font. No other module names a colour.

Widgets follow the look without being told: `applied()` is the current one, and Qt sends
every widget a style change when it moves (see `is_look_change`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, cast

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from mvdesk.assets import read_resource
from mvdesk.ui.focus_ring import FocusRing
from mvdesk.ui.fonts import FontRole, font, load_fonts
from mvdesk.ui.icons import icon, paint_icon

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "DARK",
    "LIGHT",
    "PRINT",
    "FontRole",
    "Look",
    "RelationStyle",
    "ThemeController",
    "Tokens",
    "applied",
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
EdgeHead = Literal["none", "triangle", "bar", "open_triangle", "diamond", "circle"]

SMALLEST_SCALE: Final = 0.85
LARGEST_SCALE: Final = 1.6


@dataclass(frozen=True, slots=True)
class RelationStyle:
    """How links of one relation are drawn: readable without colour by dash and head.

    `dash` holds lengths in pixels, on and off in turn, empty for a solid line.
    """

    color: str
    dash: tuple[float, ...]
    head: EdgeHead
    width: float = 1.5


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme, "#RRGGBB", as ux.md C.14 measured them.

    `on_accent` is text on the accent, `disabled` text and lines of what can't be used,
    `confidence_ramp` five steps of one hue from low to high.
    """

    name: Literal["light", "dark"]
    bg: str
    surface: str
    raised: str
    hairline: str
    control_border: str
    text: str
    text_secondary: str
    text_muted: str
    accent: str
    on_accent: str
    accent_pressed: str
    disabled: str
    positive: str
    negative: str
    neutral: str
    warning: str
    error: str
    ok: str
    selection_tint: str
    hover_tint: str
    mark_tint: str
    relations: Mapping[str, RelationStyle]
    confidence_ramp: tuple[str, ...]


def _relations(colors: tuple[str, ...]) -> Mapping[str, RelationStyle]:
    related, supports, contradicts, supersedes, causes, example_of = colors
    return {
        "related": RelationStyle(related, (), "none", 1.0),
        "supports": RelationStyle(supports, (), "triangle"),
        "contradicts": RelationStyle(contradicts, (6.0, 3.0), "bar"),
        "supersedes": RelationStyle(supersedes, (10.0, 4.0), "open_triangle"),
        "causes": RelationStyle(causes, (7.0, 3.0, 2.0, 3.0), "diamond"),
        "example_of": RelationStyle(example_of, (2.0, 3.0), "circle"),
    }


LIGHT: Final = Tokens(
    name="light",
    bg="#F6F7F9",
    surface="#FFFFFF",
    raised="#FFFFFF",
    hairline="#D9DEE5",
    control_border="#808A99",
    text="#1B2129",
    text_secondary="#4A5563",
    text_muted="#646F7E",
    accent="#3457D5",
    on_accent="#FFFFFF",
    accent_pressed="#2A47B3",
    disabled="#808A99",
    positive="#0B6FA4",
    negative="#B4500B",
    neutral="#6B7686",
    warning="#8A5A00",
    error="#B3261E",
    ok="#1F7A4D",
    selection_tint="#E3E7F9",
    hover_tint="#EFF2FC",
    mark_tint="#FBE7A8",
    relations=_relations(("#858EA6", "#24446F", "#7E2B15", "#8034C5", "#B38723", "#13A76D")),
    confidence_ramp=("#D3DDFB", "#A9BBF3", "#7C95E8", "#5473DD", "#2B48B8"),
)

DARK: Final = Tokens(
    name="dark",
    bg="#14171C",
    surface="#1B1F26",
    raised="#232833",
    hairline="#333B48",
    control_border="#707C8E",
    text="#E8ECF1",
    text_secondary="#B4BECB",
    text_muted="#929EAE",
    accent="#8AA4FF",
    on_accent="#14171C",
    accent_pressed="#6F8DF5",
    disabled="#707C8E",
    positive="#5BB8EA",
    negative="#F0A15B",
    neutral="#8E9AAB",
    warning="#E3B341",
    error="#FF8A80",
    ok="#6FCF97",
    selection_tint="#2B3244",
    hover_tint="#242A37",
    mark_tint="#5A4A14",
    relations=_relations(("#5F6B75", "#9BBBDD", "#C34737", "#A048C6", "#E2B847", "#28E49B")),
    confidence_ramp=("#2E3A5E", "#42558F", "#5C75BF", "#7F9AEA", "#B7C7FF"),
)


PRINT: Final = replace(
    LIGHT,
    bg="#FFFFFF",
    hairline="#C4C4C4",
    text="#000000",
    text_secondary="#2E2E2E",
    text_muted="#454545",
    positive="#07496C",
    negative="#7D3607",
    neutral="#595959",
)
"""For pictures on paper: white, and dark enough for a printer without colours."""


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
    def look(self) -> Look:
        """The look that the choices come to now."""
        dark = self._choice == "dark" or (self._choice == "system" and _system_is_dark())
        return Look(DARK if dark else LIGHT, self._scale, self._motion_is_reduced())

    def apply(self, app: QApplication) -> None:
        """Dress the application, and keep following the system from now on."""
        if self._app is None:
            self._app = app
            if app.findChild(FocusRing) is None:
                FocusRing(app, applied)  # one for the application, whoever dresses it
            app.setStyle("Fusion")
            QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_changed)
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


def _system_is_dark() -> bool:
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark

"""Theme and text size: their actions, and how they are remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from mvdesk.ui.actions import SCALE_STEP, describe
from mvdesk.ui.settings import Appearance
from mvdesk.ui.theme import icon
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.actions import Actions
    from mvdesk.ui.settings import Settings
    from mvdesk.ui.theme import PaletteName, ThemeChoice, ThemeController, Tokens


_PALETTES: Final[dict[str, PaletteName]] = {
    "paletteBlue": "blueOrange",
    "palettePurple": "purpleGreen",
    "paletteGrey": "greyscale",
}


class LookCommands(QObject):
    """Joins the actions for theme and text size to the theme and the settings."""

    def __init__(self, theme: ThemeController, settings: Settings, actions: Actions) -> None:
        super().__init__(actions)
        self._theme, self._settings, self._actions = theme, settings, actions
        for name, slot in (
            ("themeLight", self._on_light),
            ("themeDark", self._on_dark),
            ("themeSystem", self._on_system),
            ("switchTheme", self._on_switch),
            ("largerText", self._on_larger),
            ("smallerText", self._on_smaller),
            ("usualText", self._on_usual),
            ("highContrast", self._on_high_contrast),
            ("reduceMotion", self._on_reduce_motion),
            *((name, self._on_palette) for name in _PALETTES),
        ):
            actions[name].triggered.connect(slot)
        theme.changed.connect(self._on_changed)
        self._show(theme.tokens)

    def let_go(self) -> None:
        """Stop following the theme, which outlives the window."""
        self._theme.changed.disconnect(self._on_changed)

    def _choose(self, name: ThemeChoice) -> None:
        self._theme.set_theme(name)
        self._show(self._theme.tokens)  # also when the choice looks the same as before

    def _show(self, tokens: Tokens) -> None:
        self._actions.set_tokens(tokens)
        # What the button does, not what there is.
        other, name = ("light", "sun") if tokens.name == "dark" else ("dark", "moon")
        is_light = other == "light"
        switch = self._actions["switchTheme"]
        said = tr("Switch to the light theme") if is_light else tr("Switch to the dark theme")
        told = tr("Go to the light theme.") if is_light else tr("Go to the dark theme.")
        switch.setIcon(icon(name, tokens))
        switch.setText(said)
        describe(switch, said, told)
        self._actions[f"theme{self._theme.name.capitalize()}"].setChecked(True)
        self._actions["highContrast"].setChecked(tokens.is_high_contrast)
        self._actions["reduceMotion"].setChecked(self._theme.look.reduced_motion)
        for action, palette in _PALETTES.items():
            self._actions[action].setChecked(palette == self._theme.palette)

    @Slot(object)
    def _on_changed(self, tokens: Tokens) -> None:
        self._show(tokens)
        self._settings.write_appearance(Appearance.of(self._theme))

    @Slot(bool)
    def _on_light(self, _checked: bool) -> None:
        self._choose("light")

    @Slot(bool)
    def _on_dark(self, _checked: bool) -> None:
        self._choose("dark")

    @Slot(bool)
    def _on_system(self, _checked: bool) -> None:
        self._choose("system")

    @Slot(bool)
    def _on_switch(self, _checked: bool) -> None:
        self._choose("light" if self._theme.tokens.name == "dark" else "dark")

    @Slot(bool)
    def _on_larger(self, _checked: bool) -> None:
        self._theme.set_scale(round(self._theme.scale + SCALE_STEP, 2))

    @Slot(bool)
    def _on_smaller(self, _checked: bool) -> None:
        self._theme.set_scale(round(self._theme.scale - SCALE_STEP, 2))

    @Slot(bool)
    def _on_usual(self, _checked: bool) -> None:
        self._theme.set_scale(1.0)

    @Slot(bool)
    def _on_high_contrast(self, checked: bool) -> None:
        # Off where the desktop asks for it means off; else there is nothing to keep.
        self._theme.set_contrast("high" if checked else "system")
        if not checked and self._theme.tokens.is_high_contrast:
            self._theme.set_contrast("usual")

    @Slot(bool)
    def _on_reduce_motion(self, checked: bool) -> None:
        self._theme.set_reduced_motion(checked)
        self._show(self._theme.tokens)

    @Slot(bool)
    def _on_palette(self, _checked: bool) -> None:
        action = self.sender()
        for name, palette in _PALETTES.items():
            if action is self._actions[name]:
                self._theme.set_palette(palette)
        self._show(self._theme.tokens)

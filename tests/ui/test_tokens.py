"""Colours of every theme, contrast and palette: readable, and told apart by every eye."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette

from mvdesk.records import RELATIONS
from mvdesk.ui import theme as theme_module
from mvdesk.ui.plots.export import look_of
from mvdesk.ui.theme import LIGHT, applied, find_tokens, make_palette
from mvdesk.ui.tokens import PALETTES, PaletteName, Tokens
from tests.ui.test_theme import BACKGROUNDS, TINTS, USED_PAIRS, contrast, luminance, too_faint

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

ALL: Final = {
    f"{name} {palette}{' high' if high else ''}": find_tokens(name, palette, high_contrast=high)  # type: ignore[arg-type]
    for name, palette, high in product(("light", "dark", "print"), PALETTES, (False, True))
    if not (name == "print" and high)
}
EVERY = pytest.mark.parametrize("tokens", ALL.values(), ids=ALL.keys())
HIGH = [tokens for tokens in ALL.values() if tokens.is_high_contrast]

# Machado, Oliveira and Fernandes 2009, severity 1; applied to linear RGB.
EYES: Final = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ: Final = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
WHITE: Final = TO_XYZ @ np.ones(3)
LEAST_DISTANCE: Final[dict[PaletteName, float]] = {
    "blueOrange": 59.0,
    "purpleGreen": 50.0,
    "greyscale": 25.0,  # lightness alone; the hatch does the rest
}


def seen_as(color: str, eye: str) -> np.ndarray:
    """L*a*b* of a colour to an eye."""
    parts = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    ratio = TO_XYZ @ np.clip(EYES[eye] @ linear, 0, 1) / WHITE
    edge = 6 / 29
    f = np.where(ratio > edge**3, np.cbrt(ratio), ratio / (3 * edge**2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@EVERY
def test_every_pair_in_use_has_enough_contrast(tokens: Tokens) -> None:
    assert too_faint(tokens) == []


@pytest.mark.parametrize("tokens", HIGH)
def test_high_contrast_is_higher(tokens: Tokens) -> None:
    """Text at 7, lines and what can't be used at 4.5, hairlines seen; whatever the state."""
    faint = []
    for name, grounds, least in USED_PAIRS:
        is_text = least == 4.5
        for ground in grounds:
            ratio = contrast(getattr(tokens, name), getattr(tokens, ground))
            if ratio < (7.0 if is_text else 4.5):
                faint.append(f"{name} on {ground}: {ratio:.2f}")
    for ground in BACKGROUNDS:
        assert contrast(tokens.hairline, getattr(tokens, ground)) >= 3.0
    for tint in TINTS:
        assert contrast(tokens.text, getattr(tokens, tint)) >= 7.0
    assert faint == []


@EVERY
@pytest.mark.parametrize("eye", EYES)
def test_what_raises_and_what_lowers_are_told_apart_by_every_eye(tokens: Tokens, eye: str) -> None:
    apart = seen_as(tokens.positive, eye) - seen_as(tokens.negative, eye)
    assert np.linalg.norm(apart) >= LEAST_DISTANCE[tokens.palette]


def test_the_usual_palette_keeps_the_distance_that_it_promises() -> None:
    for tokens in (ALL["light blueOrange"], ALL["dark blueOrange"]):
        for eye in EYES:
            apart = seen_as(tokens.positive, eye) - seen_as(tokens.negative, eye)
            assert round(float(np.linalg.norm(apart))) >= 75


@EVERY
def test_links_differ_without_colour_and_stand_out(tokens: Tokens) -> None:
    assert set(tokens.relations) == set(RELATIONS)
    assert len({(style.dash, style.head) for style in tokens.relations.values()}) == len(RELATIONS)
    least = 4.5 if tokens.is_high_contrast and tokens.palette != "greyscale" else 3.0
    for name, style in tokens.relations.items():
        assert contrast(style.color, tokens.surface) >= least, name


@EVERY
def test_the_ramp_of_confidence_moves_in_one_direction(tokens: Tokens) -> None:
    steps = [luminance(color) for color in tokens.confidence_ramp]
    assert len(steps) == 5
    assert steps == sorted(steps, reverse=tokens.name == "light")


def test_greyscale_charts_have_no_hue() -> None:
    for name in ("light greyscale", "dark greyscale", "print greyscale"):
        tokens = ALL[name]
        assert tokens.is_hatched
        colors = [tokens.positive, tokens.negative, tokens.chart_accent, *tokens.confidence_ramp]
        colors += [style.color for style in tokens.relations.values()]
        for color in colors:
            parts = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
            assert max(parts) - min(parts) <= 16, color


@pytest.mark.parametrize("tokens", HIGH)
def test_high_contrast_text_is_readable_in_every_group(tokens: Tokens) -> None:
    palette, roles, groups = make_palette(tokens), QPalette.ColorRole, QPalette.ColorGroup
    pairs = [
        (roles.WindowText, roles.Window),
        (roles.Text, roles.Base),
        (roles.ButtonText, roles.Button),
        (roles.HighlightedText, roles.Highlight),
        (roles.PlaceholderText, roles.Base),
        (roles.Link, roles.Base),
    ]
    for group, least in ((groups.Active, 7.0), (groups.Inactive, 7.0), (groups.Disabled, 4.5)):
        for text, ground in pairs:
            ratio = contrast(palette.color(group, text).name(), palette.color(group, ground).name())
            assert ratio >= least, (group, text, ratio)


def test_a_palette_dresses_everything_at_once_and_pictures_too(
    qtbot: QtBot, theme: ThemeController
) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.set_palette("greyscale")
    assert applied().tokens.is_hatched
    assert look_of("dark").tokens is ALL["dark greyscale"]
    assert look_of("print").tokens is ALL["print greyscale"]
    theme.set_palette("blueOrange")
    assert applied().tokens is LIGHT


def test_unknown_choices_are_refused(theme: ThemeController) -> None:
    with pytest.raises(ValueError, match="pastel"):
        theme.set_palette("pastel")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="glaring"):
        theme.set_contrast("glaring")  # type: ignore[arg-type]


def test_contrast_follows_the_desktop_unless_chosen(
    theme: ThemeController, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The offscreen platform has no such preference, so the desktop is played here.
    changed = theme_module._accessibility()[1].contrastPreferenceChanged
    theme.set_contrast("system")
    monkeypatch.setattr(theme_module, "_system_wants_contrast", lambda: True)
    changed.emit(Qt.ContrastPreference.HighContrast)
    assert applied().tokens.is_high_contrast
    theme.set_contrast("usual")
    assert not applied().tokens.is_high_contrast
    theme.set_contrast("high")
    theme.set_theme("dark")
    assert applied().tokens is ALL["dark blueOrange high"]

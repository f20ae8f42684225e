"""Colours, palette, style sheet, fonts and icons."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetricsF,
    QGuiApplication,
    QIcon,
    QImage,
    QPainter,
    QPalette,
    QRawFont,
)
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

import mvdesk.ui
from mvdesk.assets import icon_names, read_resource
from mvdesk.records import RELATIONS
from mvdesk.ui import fonts
from mvdesk.ui import theme as theme_module
from mvdesk.ui.theme import (
    DARK,
    LIGHT,
    Look,
    ThemeController,
    Tokens,
    applied,
    font,
    icon,
    load_fonts,
    make_palette,
    paint_icon,
    render_style_sheet,
    set_role,
)

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

THEMES = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])

BACKGROUNDS = ("bg", "surface", "raised")
TINTS = ("selection_tint", "hover_tint")
# (foreground, backgrounds it is used on, smallest ratio): text 4.5, lines and glyphs 3.
USED_PAIRS = [
    ("text", (*BACKGROUNDS, *TINTS), 4.5),
    ("text_secondary", (*BACKGROUNDS, *TINTS), 4.5),
    ("text_muted", (*BACKGROUNDS, "hover_tint"), 4.5),
    ("accent", (*BACKGROUNDS, *TINTS), 4.5),
    ("positive", BACKGROUNDS, 4.5),
    ("negative", BACKGROUNDS, 4.5),
    ("warning", BACKGROUNDS, 4.5),
    ("error", BACKGROUNDS, 4.5),
    ("ok", BACKGROUNDS, 4.5),
    ("on_accent", ("accent", "accent_pressed"), 4.5),
    ("disabled", BACKGROUNDS, 3.0),
    ("control_border", BACKGROUNDS, 3.0),
    ("neutral", (*BACKGROUNDS, *TINTS), 3.0),
    ("positive", TINTS, 3.0),
    ("negative", TINTS, 3.0),
]


def luminance(color: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def too_faint(tokens: Tokens) -> list[str]:
    return [
        f"{name} on {ground}: {ratio:.2f} < {least}"
        for name, grounds, least in USED_PAIRS
        for ground in grounds
        if (ratio := contrast(getattr(tokens, name), getattr(tokens, ground))) < least
    ]


@THEMES
def test_every_pair_of_colours_in_use_has_enough_contrast(tokens: Tokens) -> None:
    assert too_faint(tokens) == []


@THEMES
def test_links_stand_out_from_the_canvas_and_differ_without_colour(tokens: Tokens) -> None:
    assert set(tokens.relations) == set(RELATIONS)
    for name, style in tokens.relations.items():
        assert contrast(style.color, tokens.surface) >= 3.0, name
    looks = {(style.dash, style.head) for style in tokens.relations.values()}
    assert len(looks) == len(RELATIONS)


@THEMES
def test_the_confidence_ramp_moves_in_one_direction(tokens: Tokens) -> None:
    steps = [luminance(color) for color in tokens.confidence_ramp]
    assert len(steps) == 5
    assert steps == sorted(steps, reverse=tokens.name == "light")


@THEMES
def test_the_palette_leaves_no_role_of_no_group_to_the_system(tokens: Tokens) -> None:
    palette = make_palette(tokens)
    groups = QPalette.ColorGroup
    known = {tokens.bg, tokens.surface, tokens.raised, tokens.hairline, tokens.control_border}
    known |= {tokens.text, tokens.text_secondary, tokens.text_muted, tokens.accent}
    known |= {tokens.on_accent, tokens.disabled, tokens.error}
    for group in (groups.Active, groups.Inactive, groups.Disabled):
        for role in QPalette.ColorRole:
            if role in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles):
                continue
            assert palette.isBrushSet(group, role), (group, role)
            assert palette.color(group, role).name().upper() in known, (group, role)


@THEMES
def test_text_is_readable_in_every_group_of_the_palette(tokens: Tokens) -> None:
    palette, roles, groups = make_palette(tokens), QPalette.ColorRole, QPalette.ColorGroup
    pairs = [
        (roles.WindowText, roles.Window),
        (roles.Text, roles.Base),
        (roles.Text, roles.AlternateBase),
        (roles.ButtonText, roles.Button),
        (roles.HighlightedText, roles.Highlight),
        (roles.ToolTipText, roles.ToolTipBase),
        (roles.PlaceholderText, roles.Base),
        (roles.Link, roles.Base),
    ]
    for group, least in ((groups.Active, 4.5), (groups.Inactive, 4.5), (groups.Disabled, 3.0)):
        for text, ground in pairs:
            ratio = contrast(palette.color(group, text).name(), palette.color(group, ground).name())
            assert ratio >= least, (group, text, ratio)


@pytest.mark.parametrize("scale", [0.85, 1.0, 1.25, 1.6])
def test_the_style_sheet_is_filled_in_completely(scale: float) -> None:
    sheet = re.sub(r"/\*.*?\*/", "", render_style_sheet(Look(DARK, scale)), flags=re.DOTALL)
    assert "@" not in sheet
    assert not re.search(r"\d+dp", sheet)
    assert f"{round(13 * scale)}px" in sheet or scale != 1.0


def test_colours_are_named_in_the_theme_only() -> None:
    folder = Path(mvdesk.ui.__file__).parent
    named = re.compile(r"#[0-9A-Fa-f]{6}\b|GlobalColor\.(?!transparent)\w+|QColor\(\s*\d")
    for path in folder.rglob("*.py"):
        if path.name != "tokens.py":
            found = named.search(path.read_text(encoding="utf-8"))
            assert found is None or "RRGGBB" in found.string, f"{path.name}: {found}"
    assert not named.search(read_resource("themes", "desk.qss"))


def test_inter_resolves_in_every_weight_in_use(theme: ThemeController) -> None:
    assert load_fonts() == "Inter"
    for role in ("caption", "body", "strong", "editor", "section", "title", "numeral"):
        assert QFontInfo(font(role)).family() == "Inter"
    italic = font("body")
    italic.setItalic(True)
    assert QFontInfo(italic).italic()
    assert QFontInfo(font("mono")).family() == "JetBrains Mono"
    assert QFontInfo(font("mono")).fixedPitch()


def test_weights_and_sizes_really_differ(theme: ThemeController) -> None:
    def width(used: QFont) -> float:
        return QFontMetricsF(used).horizontalAdvance("Confidence")

    assert width(font("strong")) > width(font("body"))
    assert QRawFont.fromFont(font("strong")).styleName() in ("Semi Bold", "SemiBold")
    assert font("body", 1.5).pixelSize() == round(13 * 1.5)


def test_figures_are_tabular(theme: ThemeController) -> None:
    metrics = QFontMetricsF(font("body"))
    widths = {metrics.horizontalAdvance(digit * 8) for digit in "0123456789"}
    assert len(widths) == 1
    proportional = QFont("Inter")
    proportional.setPixelSize(13)
    plain = QFontMetricsF(proportional)
    assert plain.horizontalAdvance("1111") < plain.horizontalAdvance("0000")


def test_figures_of_labels_are_tabular_too(qtbot: QtBot, theme: ThemeController) -> None:
    label = QLabel("0")
    set_role(label, "caption")
    qtbot.addWidget(label)
    label.ensurePolished()
    metrics = QFontMetricsF(label.font())
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("0000")
    assert label.font().pixelSize() == 12


def test_missing_font_files_fall_back_to_the_system(
    theme: ThemeController, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_files() -> list[Path]:
        raise FileNotFoundError

    monkeypatch.setattr(fonts, "font_files", no_files)
    monkeypatch.setattr(QFontDatabase, "families", lambda: ["DejaVu Sans"])
    assert load_fonts() != "Inter"
    monkeypatch.setattr(QFontDatabase, "families", lambda: [])
    with pytest.raises(fonts.NoFonts) as caught:
        load_fonts()
    assert "no font" in caught.value.one_line()
    assert "Install" in caught.value.remedy


def test_choosing_a_theme_repaints_the_application(qtbot: QtBot, theme: ThemeController) -> None:
    label = QLabel("text")
    qtbot.addWidget(label)
    with qtbot.waitSignal(theme.changed) as seen:
        theme.set_theme("dark")
    assert seen.args == [DARK]
    assert applied().tokens is DARK
    assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(DARK.text)
    assert DARK.surface.lower() in QApplication.instance().styleSheet()  # type: ignore[union-attr]


def test_nothing_is_said_when_nothing_changes(qtbot: QtBot, theme: ThemeController) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_theme("light")
        theme.set_scale(1.0)
        theme.set_reduced_motion(True)


def test_an_unknown_theme_is_refused(theme: ThemeController) -> None:
    with pytest.raises(ValueError, match="sepia"):
        theme.set_theme("sepia")  # type: ignore[arg-type]
    assert theme.name == "light"


def test_system_follows_the_desktop_and_an_own_choice_does_not(
    theme: ThemeController, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The offscreen platform has no colour scheme of its own, so the desktop is played here.
    desktop_changed = QGuiApplication.styleHints().colorSchemeChanged
    theme.set_theme("system")
    monkeypatch.setattr(theme_module, "_system_is_dark", lambda: True)
    desktop_changed.emit(Qt.ColorScheme.Dark)
    assert theme.tokens is DARK
    assert applied().tokens is DARK
    theme.set_theme("light")
    desktop_changed.emit(Qt.ColorScheme.Dark)
    assert applied().tokens is LIGHT


@pytest.mark.parametrize(("asked", "got"), [(0.1, 0.85), (1.25, 1.25), (9.0, 1.6)])
def test_the_scale_stays_within_its_bounds(
    asked: float, got: float, theme: ThemeController
) -> None:
    theme.set_scale(asked)
    assert theme.scale == got
    assert QApplication.font().pixelSize() == round(13 * got)


def test_reduced_motion_takes_no_time(theme: ThemeController) -> None:
    theme.set_reduced_motion(False)
    assert applied().motion_ms(160) == 160
    theme.set_reduced_motion(True)
    assert applied().motion_ms(160) == 0
    theme.set_reduced_motion(None)
    assert applied().motion_ms(160) in (0, 160)


@THEMES
@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
def test_icons_are_drawn_at_the_resolution_of_the_screen(
    tokens: Tokens, ratio: float, theme: ThemeController
) -> None:
    for name in icon_names():
        drawn = icon(name, tokens).pixmap(QSize(20, 20), ratio)
        assert drawn.width() == round(20 * ratio), name
        image = drawn.toImage()
        solid = [
            image.pixelColor(x, y)
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() > 150
        ]
        assert solid, name
        assert all(_near(color, QColor(tokens.text_secondary)) for color in solid), name


def _near(one: QColor, other: QColor) -> bool:
    return max(abs(one.red() - other.red()), abs(one.blue() - other.blue())) <= 10


def test_icons_say_checked_and_disabled_by_colour(theme: ThemeController) -> None:
    made = icon("pin", LIGHT)
    states = {
        made.pixmap(QSize(20, 20), mode, state).toImage().pixelColor(10, 14).name()
        for mode, state in (
            (QIcon.Mode.Normal, QIcon.State.Off),
            (QIcon.Mode.Normal, QIcon.State.On),
            (QIcon.Mode.Disabled, QIcon.State.Off),
        )
    }
    assert len(states) == 3


def test_icons_survive_copies_and_detaching(theme: ThemeController) -> None:
    copy = QIcon(icon("save", LIGHT))
    copy.setIsMask(True)  # detaches: Qt clones the engine
    assert not copy.pixmap(QSize(16, 16)).isNull()


def test_an_unknown_icon_is_refused(theme: ThemeController) -> None:
    with pytest.raises(FileNotFoundError, match="nothing-like-it"):
        icon("nothing-like-it", LIGHT)


def test_icons_can_be_painted_into_anything(theme: ThemeController) -> None:
    image = QImage(32, 32, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_icon(painter, "check", LIGHT.ok, QRectF(0, 0, 32, 32))
    painter.end()
    assert any(image.pixelColor(x, y).alpha() for x in range(32) for y in range(32))


def test_roles_reach_widgets_that_are_already_shown(qtbot: QtBot, theme: ThemeController) -> None:
    button = QPushButton("Apply")
    qtbot.addWidget(button)
    button.show()
    before = button.grab().toImage().pixelColor(4, 16)
    set_role(button, "primary")
    set_role(button, "primary")
    assert button.grab().toImage().pixelColor(4, 16) != before


def test_lengths_follow_the_scale_and_never_vanish() -> None:
    look = Look(LIGHT, 0.85)
    assert look.px(32) == 27
    assert look.px(0.2) == 1
    assert replace(look, scale=1.5).px(32) == 48


def test_twenty_thousand_signals_leave_the_interpreter_alive(qtbot: QtBot) -> None:
    """Guards the pin of PySide6: 6.12 loses references to None and True in every emit."""

    class Source(QObject):
        moved = Signal(object)
        switched = Signal(bool)

    source, seen = Source(), [0]

    def count(_value: object) -> None:
        seen[0] += 1

    source.moved.connect(count)
    source.switched.connect(count)
    for _ in range(20_000):
        source.moved.emit(None)
        source.switched.emit(True)
    assert seen == [40_000]

"""The colours: every one that is drawn is named here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

EdgeHead = Literal["none", "triangle", "bar", "open_triangle", "diamond", "circle"]
PaletteName = Literal["blueOrange", "purpleGreen", "greyscale"]
PALETTES: Final[tuple[PaletteName, ...]] = ("blueOrange", "purpleGreen", "greyscale")
"""The colours of charts. The first is the usual one."""


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
    `chart_accent` what a preview adds to a chart, `confidence_ramp` five steps of one hue from
    low to high, `categories` eight that can be told from one another.
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
    chart_accent: str
    relations: Mapping[str, RelationStyle]
    confidence_ramp: tuple[str, ...]
    categories: tuple[str, ...]
    palette: PaletteName = "blueOrange"
    is_high_contrast: bool = False

    @property
    def is_hatched(self) -> bool:
        """Whether charts tell by hatches what they otherwise tell by hue."""
        return self.palette == "greyscale"

    @property
    def diverging(self) -> tuple[str, ...]:
        """Seven steps from what lowers over nothing to what raises."""
        lowers = [_mix(self.negative, self.surface, share) for share in _SHARES]
        raises = [_mix(self.positive, self.surface, share) for share in _SHARES]
        return (*lowers, _mix(self.neutral, self.surface, 0.12), *reversed(raises))


_SHARES: Final = (1.0, 0.6, 0.28)


def _mix(color: str, ground: str, share: float) -> str:
    """A colour paled towards another."""
    near, far = (bytes.fromhex(one[1:]) for one in (color, ground))
    parts = (round(a * share + b * (1.0 - share)) for a, b in zip(near, far, strict=True))
    return "#" + "".join(f"{part:02X}" for part in parts)


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
    chart_accent="#3457D5",
    relations=_relations(("#858EA6", "#24446F", "#7E2B15", "#8034C5", "#B38723", "#13A76D")),
    confidence_ramp=("#D3DDFB", "#A9BBF3", "#7C95E8", "#5473DD", "#2B48B8"),
    categories=(
        "#2F6DB5",
        "#E39A45",
        "#2E9E73",
        "#B0479B",
        "#8CC3EC",
        "#D2B13A",
        "#8C5A3C",
        "#6C63C7",
    ),
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
    chart_accent="#8AA4FF",
    relations=_relations(("#5F6B75", "#9BBBDD", "#C34737", "#A048C6", "#E2B847", "#28E49B")),
    confidence_ramp=("#2E3A5E", "#42558F", "#5C75BF", "#7F9AEA", "#B7C7FF"),
    categories=(
        "#5E9BE8",
        "#F0A15B",
        "#4FBF93",
        "#D873C0",
        "#A8D4F5",
        "#E3C24D",
        "#A97B5C",
        "#8F86EE",
    ),
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


HIGH_LIGHT: Final = replace(
    LIGHT,
    bg="#FFFFFF",
    hairline="#8C8C8C",
    control_border="#2E2E2E",
    text="#000000",
    text_secondary="#1A1A1A",
    text_muted="#333333",
    accent="#0B2FA8",
    accent_pressed="#071F73",
    disabled="#5E5E5E",
    positive="#0A4A73",
    negative="#7A3300",
    neutral="#2B2F36",
    warning="#5C3A00",
    error="#8C0F0A",
    ok="#0F5132",
    selection_tint="#CBD7FF",
    hover_tint="#E4EAFF",
    mark_tint="#FFE066",
    chart_accent="#0B2FA8",
    relations=_relations(("#5A6275", "#24446F", "#7E2B15", "#6B21A8", "#7A5600", "#0B6B44")),
    confidence_ramp=("#C4D2FA", "#93A9EE", "#6280DE", "#3A57BF", "#122A86"),
    is_high_contrast=True,
)

HIGH_DARK: Final = replace(
    DARK,
    bg="#000000",
    surface="#000000",
    raised="#0B0D10",
    hairline="#5C636D",
    control_border="#C4CBD4",
    text="#FFFFFF",
    text_secondary="#E6EAF0",
    text_muted="#CDD3DB",
    accent="#B3C5FF",
    on_accent="#000000",
    accent_pressed="#8FA9FF",
    disabled="#A3ABB6",
    positive="#7CCBFF",
    negative="#FFB870",
    neutral="#DDE3EA",
    warning="#FFD24D",
    error="#FFA79F",
    ok="#7FE3A8",
    selection_tint="#1B316A",
    hover_tint="#14234C",
    mark_tint="#5C4A00",
    chart_accent="#B3C5FF",
    relations=_relations(("#9AA7B3", "#BFD8F5", "#FF7A66", "#D58CFF", "#FFD24D", "#28E49B")),
    confidence_ramp=("#3B4C80", "#5570B5", "#7C98E6", "#A8BEFF", "#E2EAFF"),
    is_high_contrast=True,
)


@dataclass(frozen=True, slots=True)
class _Charts:
    """What a palette changes: (raises, lowers) of usual, high contrast and print, and the rest."""

    usual: tuple[str, str]
    high: tuple[str, str]
    print: tuple[str, str]
    ramp: tuple[str, ...]
    accent: str = ""
    relations: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


_GREYS: Final = (
    "#5A5F66",
    "#D0D4D9",
    "#8B9097",
    "#33373D",
    "#B4B9BF",
    "#70757C",
    "#E6E9EC",
    "#9EA3A9",
)
_PURPLE_LIGHT: Final = _Charts(
    usual=("#2F7D1E", "#A224C4"),
    high=("#1E5C10", "#7A0F8F"),
    print=("#1E5C10", "#7A0F8F"),
    ramp=("#E9D8F7", "#D0B2EC", "#B184DC", "#8F54C6", "#6A2BA3"),
)
_PURPLE_DARK: Final = _Charts(
    usual=("#7ED321", "#E57DFF"),
    high=("#8FE04A", "#F29BFF"),
    print=("#1E5C10", "#7A0F8F"),
    ramp=("#43315C", "#62478A", "#8562B8", "#AC86E0", "#D9C2FF"),
)
_GREY_LIGHT: Final = _Charts(
    usual=("#2B2F36", "#6A6F78"),
    high=("#000000", "#4F4F4F"),
    print=("#1F1F1F", "#666666"),
    ramp=("#DDDDDD", "#BBBBBB", "#969696", "#6E6E6E", "#3C3C3C"),
    accent="#2B2F36",
    relations=("#8A8A8A", "#333333", "#000000", "#555555", "#707070", "#444444"),
    categories=_GREYS,
)
_GREY_DARK: Final = _Charts(
    usual=("#F2F4F7", "#9AA0AA"),
    high=("#FFFFFF", "#A8A8A8"),
    print=("#1F1F1F", "#666666"),
    ramp=("#3A3D42", "#565A61", "#777C84", "#A0A6AE", "#D5DAE0"),
    accent="#E8ECF1",
    relations=("#737A83", "#C9CED6", "#FFFFFF", "#A8ADB4", "#8C9199", "#DDE2E8"),
    categories=_GREYS,
)
_CHARTS: Final = {
    ("purpleGreen", "light"): _PURPLE_LIGHT,
    ("purpleGreen", "dark"): _PURPLE_DARK,
    ("greyscale", "light"): _GREY_LIGHT,
    ("greyscale", "dark"): _GREY_DARK,
}


@cache
def find_tokens(
    theme: Literal["light", "dark", "print"],
    palette: PaletteName = "blueOrange",
    *,
    high_contrast: bool = False,
) -> Tokens:
    """The colours of a theme with the charts of a palette; the same object every time.

    Pictures for print know no high contrast: they have it already.
    """
    if theme == "print":
        tokens = PRINT
    elif high_contrast:
        tokens = HIGH_LIGHT if theme == "light" else HIGH_DARK
    else:
        tokens = LIGHT if theme == "light" else DARK
    charts = _CHARTS.get((palette, tokens.name))
    if charts is None:
        return tokens
    signs = charts.high if tokens.is_high_contrast else charts.usual
    if theme == "print":
        signs = charts.print
    return replace(
        tokens,
        positive=signs[0],
        negative=signs[1],
        chart_accent=charts.accent or tokens.chart_accent,
        confidence_ramp=charts.ramp,
        categories=charts.categories or tokens.categories,
        relations=_relations(charts.relations) if charts.relations else tokens.relations,
        palette=palette,
    )

"""What the settings dialog offers, as data: names, sentences, choices; and what they apply to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from mvdesk.ui.language import ENGLISH, SYSTEM, find_languages, name_language
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Callable

Group = Literal["Look", "List", "Start", "This vault"]
Value = str | float | bool

GROUP_WORDS: Final[dict[Group, str]] = {
    "Look": tr("Look"),
    "List": tr("List"),
    "Start": tr("Start"),
    "This vault": tr("This vault"),
}
SCALES: Final = (0.85, 1.0, 1.1, 1.25, 1.4, 1.5, 1.6)


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One setting. `choices` are values and what they are called; none: it is on or off.

    `key` is its place in an exported file; those of a vault are kept with it and never exported.
    `low` and `high` bound a number of which the choices are only the usual values.
    """

    key: str
    group: Group
    title: str
    help: str
    choices: tuple[tuple[Value, str], ...] = ()
    low: float = 0.0
    high: float = 0.0

    @property
    def is_number(self) -> bool:
        return self.high > self.low

    @property
    def is_of_vault(self) -> bool:
        return self.group == "This vault"

    def complain(self, value: object) -> str:
        """What is wrong with a value of a file, "" for nothing."""
        if self.is_number:
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if is_number and self.low <= value <= self.high:  # type: ignore[operator]
                return ""
            return tr("expected a number from {low:g} to {high:g}", low=self.low, high=self.high)
        if not self.choices:
            return "" if isinstance(value, bool) else tr("expected true or false")
        allowed = [choice for choice, _ in self.choices]
        if isinstance(value, str) and value in allowed:
            return ""
        return tr("expected ") + tr(" or ").join(f'"{choice}"' for choice in allowed)


OPTIONS: Final = (
    OptionSpec(
        "appearance.theme",
        "Look",
        tr("Theme"),
        tr("Light or dark, or whatever the desktop is, also when that changes."),
        (("system", tr("As the system")), ("light", tr("Light")), ("dark", tr("Dark"))),
    ),
    OptionSpec(
        "appearance.scale",
        "Look",
        tr("Text size"),
        tr("How large all text is; everything else grows with it."),
        tuple((scale, format_number(scale, ".0%").replace("%", " %")) for scale in SCALES),
        0.85,
        1.6,
    ),
    OptionSpec(
        "appearance.contrast",
        "Look",
        tr("Contrast"),
        tr("Stronger colours and lines, in both themes."),
        (("system", tr("As the system")), ("usual", tr("Usual")), ("high", tr("High"))),
    ),
    OptionSpec(
        "appearance.palette",
        "Look",
        tr("Colours of charts"),
        tr("What raises and what lowers a score, in all charts at once; hatches and signs stay."),
        (
            ("blueOrange", tr("Blue and orange")),
            ("purpleGreen", tr("Purple and green")),
            ("greyscale", tr("Greyscale with hatches")),
        ),
    ),
    OptionSpec(
        "appearance.motion",
        "Look",
        tr("Motion"),
        tr("Whether bars slide and messages fade."),
        (("system", tr("As the system")), ("reduced", tr("Reduced")), ("full", tr("Full"))),
    ),
    OptionSpec(
        "list.compact",
        "List",
        tr("Compact rows"),
        tr("Lower rows, so that more memories are seen at once."),
    ),
    OptionSpec(
        "list.group",
        "List",
        tr("Group the list by"),
        tr("Put memories of one source or type together, under a line that folds."),
        (("", tr("Nothing")), ("source", tr("Source")), ("type", tr("Type"))),
    ),
    OptionSpec(
        "start.language",
        "Start",
        tr("Language"),
        tr("Another one is seen when mvdesk is started next. Numbers and dates go with it."),
        (
            (SYSTEM, tr("As the system")),
            (ENGLISH, tr("English")),
            *((code, name_language(code)) for code in find_languages()),
        ),
    ),
    OptionSpec(
        "start.reopen",
        "Start",
        tr("Open the last vault at start"),
        tr("Go on where you were, instead of seeing the start page."),
    ),
    OptionSpec(
        "vault.model",
        "This vault",
        tr("Score model"),
        tr("What all scores of this vault are computed with."),
        (("", tr("None")),),
    ),
    OptionSpec(
        "vault.threshold",
        "This vault",
        tr("Threshold"),
        tr("The score that counts of memories above and below are about, while trust is tuned."),
        tuple((value / 100, format_number(value / 100, ".2f")) for value in range(30, 100, 5)),
        0.0,
        1.0,
    ),
)


@dataclass(frozen=True, slots=True)
class Option:
    """A setting joined to what it sets."""

    spec: OptionSpec
    read: Callable[[], Value]
    write: Callable[[Value], None]

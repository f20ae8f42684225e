"""What the program says, so that it can be said in another language. It is at the very bottom.

A front end that has translations installs them with `speak()` before the modules with texts are
imported: constants may then be `tr("…")`, too. Without that all is English, as for the command
line. Numbers in texts have the signs of the language; what is stored or exported goes round this.
"""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


class LookUp(Protocol):
    """Finds the translation of a template; "" when there is none."""

    def __call__(self, template: str, count: int = -1, /) -> str:
        """`count` chooses among plural forms; -1 for a text that has none."""


class _Language:
    """The one that is spoken; nothing is looked up and no sign replaced while English is."""

    look_up: LookUp | None = None
    signs: Mapping[int, str] | None = None


def speak(look_up: LookUp | None, signs: Mapping[str, str] | None = None) -> None:
    """Say everything from now on as `look_up` has it, with `signs` instead of "." and ",".

    None for both is English again.
    """
    _Language.look_up = look_up
    _Language.signs = str.maketrans(dict(signs)) if signs else None


def tr(template: str, /, **values: object) -> str:
    """The text in the language that is spoken, with `values` in its {places}.

    The template is a literal, or else it isn't found by the script that lists them.
    """
    look_up = _Language.look_up
    said = (look_up(template) if look_up else "") or template
    return _fill(said, template, values) if values else said


def tr_n(one: str, many: str, count: float, /, **values: object) -> str:
    """As `tr`, for a text that depends on a count: `one` and `many` are the English forms."""
    template = one if count == 1 else many
    look_up = _Language.look_up
    said = (look_up(many, int(count)) if look_up else "") or template
    return _fill(said, template, values) if values else said


def format_number(value: float, spec: str) -> str:
    """A number with a format such as ".3f", with the signs of the language."""
    text = format(value, spec)
    return text.translate(_Language.signs) if _Language.signs else text


def format_short(value: float) -> str:
    """A number with one decimal, or none where it is whole."""
    is_whole = f"{value:.1f}".endswith(".0")
    return format_number(value, ",.0f" if is_whole else ",.1f")


def _fill(said: str, template: str, values: dict[str, object]) -> str:
    if _Language.signs:
        values = {
            name: _Spoken(value) if isinstance(value, Number) else value
            for name, value in values.items()
        }
    try:
        return said.format_map(values)
    except (LookupError, ValueError, AttributeError):
        return template.format_map(values)  # a translation with other places than the text


class _Spoken:
    """A number within a text."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, spec: str) -> str:
        text = format(self._value, spec)
        return text.translate(_Language.signs) if _Language.signs else text

    def __str__(self) -> str:
        return format(self, "")

    def __repr__(self) -> str:
        return str(self)

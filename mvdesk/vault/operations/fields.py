"""The door for values that people and programs give: clean ones come out, or BadValue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.errors import BadValue
from mvdesk.records import MEMORY_TYPES, RELATIONS
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.vault.plan import Value

TEXT_FIELDS: Final = ("title", "key", "tags", "source")
SHARE_FIELDS: Final = ("confidence", "importance")
MEMORY_FIELDS: Final = ("type", "title", "key", "content", "tags", "source", *SHARE_FIELDS)
"""The columns of a memory that a person edits."""

MAX_NOTE_LENGTH: Final = 400


def clean_memory_fields(fields: Mapping[str, object]) -> dict[str, Value]:
    """The fields as the vault stores them: blank texts as None, bases as floats in [0, 1]."""
    clean: dict[str, Value] = {}
    for name, value in fields.items():
        if name == "type":
            clean[name] = clean_choice(name, value, MEMORY_TYPES)
        elif name == "content":
            clean[name] = clean_content(value)
        elif name in TEXT_FIELDS:
            clean[name] = clean_text(name, value)
        elif name in SHARE_FIELDS:
            clean[name] = clean_share(name, value)
        else:
            known = ", ".join(MEMORY_FIELDS)
            raise BadValue(
                name, tr("a memory has no such field."), tr("The fields are {known}.", known=known)
            )
    return clean


def clean_content(value: object) -> str:
    """The text of a memory, which may not be blank."""
    text = clean_text("content", value)
    if text is None:
        raise BadValue("content", tr("it is empty."), tr("A memory needs some text."))
    return text


def clean_text(name: str, value: object) -> str | None:
    """A text as given, None for a blank one."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadValue(name, tr("expected text, not {named}.", named=_named(value)))
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadValue(
            name,
            tr("it holds half of a character (a lone surrogate), which a vault can't store."),
            tr("Remove that character."),
            tr("position {start}", start=error.start),
        ) from error
    return value if value.strip() else None


def clean_share(name: str, value: object) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadValue(name, tr("expected a number from 0 to 1, not {named}.", named=_named(value)))
    if not 0 <= value <= 1:
        shown = f"{value:g}" if isinstance(value, float) else str(value)[:20]
        raise BadValue(name, tr("expected a number from 0 to 1, not {shown}.", shown=shown))
    return float(value) + 0.0  # no −0


def clean_choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    """One of the words in `choices`."""
    if isinstance(value, str) and value in choices:
        return value
    shown = repr(value) if isinstance(value, str) else _named(value)
    raise BadValue(
        name, tr("expected one of {names}, not {shown}.", names=", ".join(choices), shown=shown)
    )


def clean_relation(value: object) -> str:
    """The name of a relation between memories."""
    return clean_choice("relation", value, RELATIONS)


def clean_note(value: object) -> str | None:
    """A note of at most 400 characters."""
    note = clean_text("notes", value)
    if note is not None and len(note) > MAX_NOTE_LENGTH:
        raise BadValue(
            "notes",
            tr("it has {note} characters.", note=len(note)),
            tr("At most {max_note_length} are kept.", max_note_length=MAX_NOTE_LENGTH),
        )
    return note


def _named(value: object) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"

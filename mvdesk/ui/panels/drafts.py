"""Typing that isn't saved yet: kept per memory, and never lost to a change of selection.

A draft holds only the fields that were touched, as typed, and the memory they were typed
upon. Fields left alone follow what the vault holds.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from mvdesk.records import DEFAULT_BASE_CONFIDENCE, DEFAULT_BASE_IMPORTANCE, Memory
from mvdesk.ui.panels.draft_merge import merge_fields
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.ui.panels.draft_merge import Merged

NEW_MEMORY: Final = ""
"""The id under which a memory that isn't in the vault yet is drafted."""

TEXT_FIELDS: Final = ("title", "key", "tags", "source", "content")
SHARE_FIELDS: Final = ("confidence", "importance")
FIELDS: Final = ("type", *TEXT_FIELDS, *SHARE_FIELDS)

_SHRINKABLE: Final = 40
_SHRUNK: Final = 0.2

FIELD_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "type": tr("type"),
        "title": tr("title"),
        "key": tr("key"),
        "tags": tr("tags"),
        "source": tr("source"),
        "content": tr("text"),
        "confidence": tr("base confidence"),
        "importance": tr("base importance"),
    }
)
"""What people call the fields."""


def texts_of(memory: Memory | None) -> dict[str, str]:
    """The fields of a memory as an editor shows them; those of a new one for `None`."""
    if memory is None:
        texts = dict.fromkeys(FIELDS, "")
        texts["type"] = "note"
        texts["confidence"] = format_share(DEFAULT_BASE_CONFIDENCE)
        texts["importance"] = format_share(DEFAULT_BASE_IMPORTANCE)
        return texts
    texts = {name: getattr(memory, name) or "" for name in ("type", *TEXT_FIELDS)}
    return texts | {name: format_share(getattr(memory, name)) for name in SHARE_FIELDS}


def format_share(value: float) -> str:
    """A base value to edit: all its digits, so that saving can't round it."""
    return format_number(value, ".0f" if value.is_integer() else "")


def parse_share(text: str) -> float | None:
    """The number from 0 to 1 that `text` spells, else `None`. A comma counts as a point."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if 0.0 <= value <= 1.0 else None  # NaN compares false


def find_problems(texts: Mapping[str, str]) -> dict[str, str]:
    """A sentence for each field in `texts` that can't be saved as it is."""
    problems = {
        name: tr("Give a number from 0 to 1.")
        for name in SHARE_FIELDS
        if name in texts and parse_share(texts[name]) is None
    }
    if "\0" in texts.get("tags", ""):
        problems["tags"] = tr("A tag can't hold the character NUL. Take it out.")
    if "content" in texts and not texts["content"].strip():
        problems["content"] = tr("A memory needs some text. Write what should be remembered.")
    return problems


def is_shrunk(before: str, after: str) -> bool:
    """Whether one edit removed more than 80 % of a text: a slip more often than a wish."""
    return len(before) >= _SHRINKABLE and len(after) < _SHRUNK * len(before)


def values_of(texts: Mapping[str, str]) -> dict[str, str | float]:
    """What the vault is given for typed fields that have no problem."""
    values: dict[str, str | float] = {
        name: (parse_share(text) or 0.0) if name in SHARE_FIELDS else text
        for name, text in texts.items()
    }
    if "tags" in texts:
        values["tags"] = tidy_tags(texts["tags"])
    return values


def tidy_tags(text: str) -> str:
    """Tags without the empty ones between commas, a line's end ends one, too.

    As typed where there is nothing of either.
    """
    tags = [tag.strip() for line in text.splitlines() for tag in line.split(",")]
    if all(tags) and not has_lines(text):
        return text
    return ", ".join(filter(None, tags))


def has_lines(text: str) -> bool:
    """Whether there is a line's end in it, as in what was copied from a column."""
    return len(f"{text}.".splitlines()) > 1


@dataclass(frozen=True, slots=True)
class Draft:
    """Unsaved typing in one memory.

    `seen` is the memory it was typed upon, `None` for a new one. `texts` are the touched
    fields. `theirs` is what the vault holds now, when that changed and the person hasn't
    chosen yet which of the two stays. `gone` is the memory that a new one is in place of:
    somebody deleted it while it was typed in.
    """

    memory_id: str
    seen: Memory | None
    texts: Mapping[str, str]
    theirs: Memory | None = None
    gone: Memory | None = None

    def shown_texts(self) -> dict[str, str]:
        """All fields as the editor shows them: the touched as typed, the rest as stored."""
        return texts_of(self.theirs or self.seen) | dict(self.texts)

    def text_of(self, name: str) -> str:
        """One field as the editor shows it."""
        if name in self.texts:
            return self.texts[name]
        return texts_of(self.theirs or self.seen)[name]

    def changed_meanwhile(self) -> tuple[str, ...]:
        """The fields that got another value in the vault while this was typed."""
        if self.theirs is None:
            return ()
        before, after = texts_of(self.seen), texts_of(self.theirs)
        return tuple(name for name in FIELDS if before[name] != after[name])

    def with_text(self, name: str, text: str) -> Draft | None:
        """The draft after `name` was typed; `None` when nothing differs any more."""
        texts = dict(self.texts) | {name: text}
        return self._trimmed(texts, self.seen, self.theirs)

    def with_texts(self, typed: Mapping[str, str]) -> Draft | None:
        """The draft after several fields were typed."""
        return self._trimmed(dict(self.texts) | dict(typed), self.seen, self.theirs)

    def without(self, saved: Mapping[str, str]) -> Draft | None:
        """What is left to save once `saved` was written; `None` when that was all."""
        left = {name: text for name, text in self.texts.items() if saved.get(name) != text}
        return replace(self, texts=MappingProxyType(left)) if left else None

    def following(self, stored: Memory, *, is_own: bool) -> Draft | None:
        """The draft after the vault's memory became `stored`.

        `is_own`: by saving this very draft, so there is nothing to choose. `None` when all
        that was typed is in the vault.
        """
        if is_own or self._only_bookkeeping(stored):
            return self._trimmed(self.texts, stored, None)
        return self._trimmed(self.texts, self.seen, stored)

    def misses_archiving(self, stored: Memory) -> bool:
        """Whether `stored` was archived since the typing began."""
        seen = self.theirs or self.seen
        return seen is not None and seen.archived_at is None and stored.archived_at is not None

    def keeping_mine(self) -> Draft:
        """What was typed stays, upon what the vault holds now."""
        return replace(self, seen=self.theirs or self.seen, theirs=None)

    def keeping_both(self) -> tuple[Draft | None, Merged]:
        """Both sides' changes upon what the vault holds now, and how they were merged."""
        assert self.theirs is not None, tr("nobody else changed it")
        theirs = texts_of(self.theirs)
        mine = texts_of(self.seen) | dict(self.texts)
        merged = merge_fields(texts_of(self.seen), mine, theirs)
        return self._trimmed(merged.texts, self.theirs, None), merged

    def come_back(self) -> Draft | None:
        """The typing in a memory that was gone, once that is there again."""
        assert self.gone is not None, tr("it was never there")
        return start_draft(self.gone).with_texts(texts_of(None) | dict(self.texts))

    def _only_bookkeeping(self, stored: Memory) -> bool:
        return self.theirs is None and texts_of(stored) == texts_of(self.seen)

    def _trimmed(
        self, texts: Mapping[str, str], seen: Memory | None, theirs: Memory | None
    ) -> Draft | None:
        stored = texts_of(theirs or seen)
        kept = {name: text for name, text in texts.items() if text != stored[name]}
        if not kept:
            return None
        return replace(self, seen=seen, texts=MappingProxyType(kept), theirs=theirs)

    def to_json(self) -> dict[str, object]:
        """The draft as plain data to store."""
        return {
            "memory_id": self.memory_id,
            "seen": None if self.seen is None else asdict(self.seen),
            "texts": dict(self.texts),
            "gone": None if self.gone is None else asdict(self.gone),
        }

    @classmethod
    def from_json(cls, data: Any) -> Draft:  # noqa: ANN401 (checked below)
        """The draft that `to_json` wrote. Raises ValueError for anything else."""
        try:
            seen, gone = (
                Memory(**stored) if (stored := data.get(name)) is not None else None
                for name in ("seen", "gone")
            )
            texts = {name: text for name, text in data["texts"].items() if name in FIELDS}
            if not all(isinstance(text, str) for text in texts.values()):
                raise ValueError("not a draft: a field is no text")
            return cls(str(data["memory_id"]), seen, MappingProxyType(texts), gone=gone)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not a draft: {error}") from error


def list_names(names: Sequence[str]) -> str:
    """A few names in one phrase: "A", "A and B", "A, B and 3 more"."""
    if len(names) > 3:
        names = [*names[:2], tr("{names:,} more", names=len(names) - 2)]
    return tr(" and ").join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def start_draft(memory: Memory | None) -> Draft:
    """An empty draft upon a memory, or of a new one. Only `with_text` makes it worth keeping."""
    memory_id = NEW_MEMORY if memory is None else memory.id
    return Draft(memory_id, memory, MappingProxyType({}))


def shown_as_new(draft: Draft) -> Draft:
    """The whole memory as the editor showed it, as a draft of a new one in its place."""
    defaults = texts_of(None)
    texts = {name: text for name, text in draft.shown_texts().items() if text != defaults[name]}
    return Draft(NEW_MEMORY, None, MappingProxyType(texts), gone=draft.theirs or draft.seen)

"""The pages of the help inside the program, and what is found in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.assets import read_resource
from mvdesk.ui.dialogs.search_help import WORDS
from mvdesk.vault.questions.query_operators import OPERATORS
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WRITTEN: Final = (
    "start",
    "scores",
    "numbers",
    "words",
    "trust",
    "tuning",
    "links",
    "merging",
    "list",
    "search",
    "editor",
    "decay",
    "settings",
    "files",
)
KEYS_PAGE: Final = "keys"
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|#])")


@dataclass(frozen=True, slots=True)
class HelpPage:
    """One page: `text` is Markdown whose links are "page:" and the name of another one."""

    name: str
    title: str
    text: str

    @property
    def plain(self) -> str:
        """The text as it is looked through."""
        return re.sub(r"\(page:\w+\)|[`*|\\]", "", self.text)


@dataclass(frozen=True, slots=True)
class KeyLine:
    """An action as the page of keys lists it; `keys` as shown, may be empty."""

    group: str
    action: str
    keys: tuple[str, ...]
    help: str


def make_pages(lines: Iterable[KeyLine]) -> list[HelpPage]:
    """All pages in the order of the list; `lines` are the actions with their present keys."""
    pages = [_read(name) for name in _WRITTEN]
    pages.insert(-1, HelpPage(KEYS_PAGE, tr("Actions and keys"), _keys_text(lines)))
    return pages


def find_pages(pages: Sequence[HelpPage], text: str) -> list[HelpPage]:
    """The pages that have every word, those with one in the title first, then by how often."""
    words = text.casefold().split()
    found = []
    for page in pages:
        plain, title = page.plain.casefold(), page.title.casefold()
        if all(word in plain for word in words):
            in_title = sum(word in title for word in words)
            found.append((-in_title, -sum(plain.count(word) for word in words), page))
    if not words:
        return list(pages)
    found.sort(key=lambda one: one[:2])
    return [page for *_, page in found]


def _read(name: str) -> HelpPage:
    text = read_resource("help", f"{name}.md")
    title = text.partition("\n")[0].removeprefix("# ")
    if name == "search":
        text += _operators_text()
    return HelpPage(name, title, text)


def _operators_text() -> str:
    rows = [
        tr("\n## Everything that can be typed\n"),
        tr("| type | finds |"),
        "| --- | --- |",
        *(f"| {_code(example)} | {_escape(said)} |" for example, said in WORDS),
        *(
            f"| {_code(one.example)} | {_escape(tr('memories {help}', help=one.help))} |"
            for one in OPERATORS
        ),
    ]
    return "\n".join(rows) + "\n"


def _keys_text(lines: Iterable[KeyLine]) -> str:
    parts = [
        tr("# Actions and keys\n"),
        tr(
            "Keys of one letter act while no text field has the keyboard. `Ctrl+K` finds "
            "every action "
            "by a few letters of its name."
        ),
    ]
    group = ""
    for line in lines:
        if line.group != group:
            group = line.group
            parts.append(
                tr("\n## {escape}\n\n| action | key | what it does |", escape=_escape(group))
            )
            parts.append("| --- | --- | --- |")
        keys = " ".join(_code(key) for key in line.keys)
        parts.append(f"| {_escape(line.action)} | {keys} | {_escape(line.help)} |")
    return "\n".join(parts) + "\n"


def _code(text: str) -> str:
    return f"`{text}`"


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)

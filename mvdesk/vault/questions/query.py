"""What was typed into the search box, understood: words, operators, their negations and ORs.

Pure, and total: every text is a query. What can't be understood is taken as words, or left
out, and a hint says so; nothing is dropped in silence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mvdesk.vault.questions.query_operators import (
    BY_NAME,
    Sign,
    Unreadable,
    Value,
    read_value,
    suggest_name,
    takes_comparison,
)
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CHARACTERS: Final = 4_000
MAX_TERMS: Final = 64
MAX_DEPTH: Final = 8
MAX_HINTS: Final = 8

Place = tuple[int, int]
"""Where something starts and ends in the text that was typed."""


@dataclass(frozen=True, slots=True)
class Word:
    """Text to be found. `is_exact`: it was quoted. `is_beginning`: a word may go on after it."""

    text: str
    is_exact: bool = False
    is_beginning: bool = False
    place: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Condition:
    """An operator with its value; `is_exact` says that the value was quoted."""

    name: str
    sign: Sign
    value: Value
    is_exact: bool = False
    place: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a part."""

    part: Node
    place: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of some parts."""

    parts: tuple[Node, ...]
    place: Place = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Every:
    """All of some parts."""

    parts: tuple[Node, ...]
    place: Place = field(default=(0, 0), compare=False)


Node = Word | Condition | Not | Either | Every


@dataclass(frozen=True, slots=True)
class Hint:
    """What wasn't understood as it may have been meant: a sentence, and where it stands.

    `suggestion` can take the place of what stands there, "" for none. `is_left_out` says that
    the part doesn't count; otherwise it counts as words.
    """

    text: str
    place: Place
    suggestion: str = ""
    is_left_out: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A search, understood. `parts` must all hold; none of them: everything is found."""

    text: str
    parts: tuple[Node, ...] = ()
    hints: tuple[Hint, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it finds everything."""
        return not self.parts

    def leaves(self) -> Iterator[tuple[Word | Condition, bool]]:
        """Every word and operator, in order, and whether it is wanted (or to be absent)."""
        for part in self.parts:
            yield from _leaves(part, wanted=True)

    @property
    def words(self) -> tuple[Word, ...]:
        """The words that are wanted; these say how relevant a hit is."""
        return tuple(leaf for leaf, wanted in self.leaves() if wanted and isinstance(leaf, Word))

    @property
    def asks_for_archived(self) -> bool:
        """Whether the query itself is about being archived."""
        return any(
            isinstance(leaf, Condition) and leaf.name == "archived" for leaf, _ in self.leaves()
        )

    def without(self, place: Place) -> str:
        """The text with what stands at a place taken out."""
        before, after = self.text[: place[0]].rstrip(), self.text[place[1] :].lstrip()
        for word in ("OR", "AND"):  # it joined what is gone
            after = after.removeprefix(f"{word} ").lstrip() if not before else after
            before = before.removesuffix(f" {word}").rstrip() if not after else before
        return f"{before} {after}".strip()


EMPTY: Final = Query("")


@lru_cache(maxsize=64)
def parse_query(text: str) -> Query:
    """What a text asks for. Takes any text, and never raises."""
    read = text[:MAX_CHARACTERS]
    strange = _UNSTORABLE.search(read)
    # Sign for sign, so that places stay those of the text that was typed.
    reader = _Reader(_UNSTORABLE.sub(" ", read))
    parts = _mark_beginning(tuple(reader.read_all()))
    if strange is not None:
        said = tr(
            "No memory can hold the sign U+{ord:04X}, so it doesn't count.", ord=ord(strange[0])
        )
        reader.hint(said, strange.span(), is_left_out=True)
    if len(text) > MAX_CHARACTERS:
        reader.hint(
            tr(
                "Only the first {max_characters:,} characters count.", max_characters=MAX_CHARACTERS
            ),
            (MAX_CHARACTERS, len(text)),
            is_left_out=True,
        )
    return Query(text, parts, tuple(reader.hints))


def _leaves(node: Node, *, wanted: bool) -> Iterator[tuple[Word | Condition, bool]]:
    if isinstance(node, Not):
        yield from _leaves(node.part, wanted=not wanted)
    elif isinstance(node, (Either, Every)):
        for part in node.parts:
            yield from _leaves(part, wanted=wanted)
    else:
        yield node, wanted


def _mark_beginning(parts: tuple[Node, ...]) -> tuple[Node, ...]:
    """The last plain word that is wanted may be the beginning of one: it is being typed."""
    last = None
    for part in parts:
        for leaf, wanted in _leaves(part, wanted=True):
            if wanted and isinstance(leaf, Word) and not leaf.is_exact:
                last = leaf
    return tuple(_with_beginning(part, last) for part in parts) if last else parts


def _with_beginning(node: Node, last: Word) -> Node:
    if node is last:
        return replace(last, is_beginning=True)
    if isinstance(node, Not):
        return replace(node, part=_with_beginning(node.part, last))
    if isinstance(node, (Either, Every)):
        return replace(node, parts=tuple(_with_beginning(part, last) for part in node.parts))
    return node


_SPACE: Final = re.compile(r"\s+")
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
"""NUL and halves of character pairs: what SQLite can't keep in a text."""
_HEAD: Final = re.compile(r"([^\W\d][\w-]*)(<=|>=|≤|≥|<|>|=|:)")
_SPACED: Final = re.compile(r"([^\W\d][\w-]*)\s*(<=|>=|≤|≥|<|>|=)\s*(?=[\d.])")
"""A comparison as it is written elsewhere, with spaces: conf < 0.5."""
_COMPARED: Final = re.compile(r"<=|>=|≤|≥|<|>|=")
_QUOTED: Final = re.compile(r'"([^"]*)"?')
_JOINING: Final = re.compile(r"(AND|OR|NOT)(?=[\s(]|$)")
_SIGNS: Final[dict[str, Sign]] = {
    ":": ":", "<": "<", "<=": "<=", "≤": "<=", ">": ">", ">=": ">=", "≥": ">=", "=": "=",
}  # fmt: skip


class _Reader:
    """Reads a text from left to right, once."""

    def __init__(self, text: str) -> None:
        self.hints: list[Hint] = []
        self._text = text
        self._at = 0
        self._terms = 0

    def hint(
        self, text: str, place: Place, *, suggestion: str = "", is_left_out: bool = False
    ) -> None:
        if len(self.hints) < MAX_HINTS:
            self.hints.append(Hint(text, place, suggestion, is_left_out))

    def read_all(self) -> list[Node]:
        parts: list[Node] = []
        while not self._is_done():
            parts += self._read_parts(0)  # a closing bracket too many ends one round
        return parts

    def _is_done(self) -> bool:
        self._skip_space()
        if self._at < len(self._text) and self._terms >= MAX_TERMS:
            end = len(self._text)
            self.hint(
                tr("Only the first {max_terms} parts count.", max_terms=MAX_TERMS),
                (self._at, end),
                is_left_out=True,
            )
            self._at = end
        return self._at >= len(self._text)

    def _skip_space(self) -> None:
        if space := _SPACE.match(self._text, self._at):
            self._at = space.end()

    def _read_parts(self, depth: int) -> list[Node]:
        """Parts up to the closing bracket, or to the end."""
        parts: list[Node] = []
        joined: Place | None = None  # an OR that waits for what follows
        while not self._is_done():
            start = self._at
            if self._text[start] == ")":
                self._at += 1
                if depth == 0:
                    place = (start, start + 1)
                    self.hint(tr("This bracket closes nothing."), place, is_left_out=True)
                break
            word = _JOINING.match(self._text, start)
            if word is not None and word[1] != "NOT":
                self._at = word.end()
                if word[1] == "OR":
                    joined = word.span()
                    if not parts:
                        self._hint_lonely(joined)
                        joined = None
                continue
            part = self._read_part(depth)
            if part is not None:
                parts.append(_either(parts.pop(), part) if joined else part)
                joined = None
        if joined is not None:
            self._hint_lonely(joined)
        return parts

    def _hint_lonely(self, place: Place) -> None:
        self.hint(tr("OR stands between two parts."), place, is_left_out=True)

    def _read_part(self, depth: int) -> Node | None:
        """One part; None for what doesn't count, which a hint is given for."""
        start = self._at
        negated = False
        while (length := self._negation()) is not None:
            negated = not negated
            self._at += length
            self._skip_space()
        if self._at >= len(self._text) or self._text[self._at] == ")":
            said = tr("Say what is to be left out, such as -tag:work.")
            self.hint(said, (start, self._at), is_left_out=True)
            return None
        inner = self._read_group(depth) if self._text[self._at] == "(" else self._read_leaf()
        if inner is None or not negated:
            return inner
        return Not(inner, (start, self._at))

    def _negation(self) -> int | None:
        """How long the sign of a negation here is, None where there is none."""
        text, at = self._text, self._at
        if text.startswith("-", at) and not text.startswith("--", at):
            return 1
        word = _JOINING.match(text, at)
        return 3 if word is not None and word[1] == "NOT" else None

    def _read_group(self, depth: int) -> Node | None:
        start = self._at
        self._at += 1
        if depth >= MAX_DEPTH:
            place = (start, start + 1)
            self.hint(tr("Brackets this deep don't count."), place, is_left_out=True)
            return None
        parts = self._read_parts(depth + 1)
        if not parts:
            self.hint(tr("There is nothing in the brackets."), (start, self._at), is_left_out=True)
            return None
        place = (start, self._at)
        return replace(parts[0], place=place) if len(parts) == 1 else Every(tuple(parts), place)

    def _read_leaf(self) -> Node | None:
        self._terms += 1
        start = self._at
        if quoted := _QUOTED.match(self._text, start):
            self._at = quoted.end()
            if quoted[1].strip():
                return Word(quoted[1], is_exact=True, place=(start, self._at))
            place = (start, self._at)
            self.hint(tr("There is nothing in the quotes."), place, is_left_out=True)
            return None
        head = _SPACED.match(self._text, start)
        if head is None or not takes_comparison(head[1]):
            head = _HEAD.match(self._text, start)
        if head is not None and head[1].lower() in BY_NAME:
            return self._read_condition(head)
        word = self._take_word()
        if head is not None:
            self._hint_unknown(head, word)
        return Word(word, place=(start, self._at))

    def _read_condition(self, head: re.Match[str]) -> Node | None:
        operator, sign, start = BY_NAME[head[1].lower()], _SIGNS[head[2]], head.start()
        self._at = head.end()
        compared = _COMPARED.match(self._text, self._at) if sign == ":" else None
        if compared is not None:  # conf:<0.5 as in other programs
            sign = _SIGNS[compared[0]]
            self._at = compared.end()
        quoted = _QUOTED.match(self._text, self._at)
        if quoted is not None:
            self._at = quoted.end()
        value = quoted[1] if quoted else self._take_word()
        if head[1].lower() == "min_score" and sign in (":", "="):
            sign = ">="
        place = (start, self._at)
        try:
            read = read_value(operator, sign, value)
        except Unreadable as error:
            self.hint(f"{error}.", place, is_left_out=True)
            return None
        return Condition(operator.name, sign, read, is_exact=quoted is not None, place=place)

    def _take_word(self) -> str:
        """The characters up to white space, or to a bracket that was opened before them."""
        start, open_brackets = self._at, 0
        text = self._text
        while self._at < len(text) and not text[self._at].isspace():
            if text[self._at] == "(":
                open_brackets += 1
            elif text[self._at] == ")":
                if not open_brackets:
                    break
                open_brackets -= 1
            self._at += 1
        return text[start : self._at]

    def _hint_unknown(self, head: re.Match[str], word: str) -> None:
        """Say that something looks like an operator and is none; not for paths and addresses."""
        name, sign = head[1], head[2]
        meant = suggest_name(name, _SIGNS[sign])
        rest = word[head.end() - head.start() :]
        if rest[:1] in ("/", "\\", ":") or len(name) < 2 or (sign != ":" and not meant):
            return
        said = tr(
            "There is no operator “{name}{sign}”, so this is looked for as words.",
            name=name,
            sign=sign,
        )
        suggestion = f"{meant}{sign}{rest}" if meant else ""
        if meant:
            said += tr(" Did you mean {meant}{sign}?", meant=meant, sign=sign)
        self.hint(said, (head.start(), self._at), suggestion=suggestion)


def _either(one: Node, other: Node) -> Either:
    parts = (*one.parts, other) if isinstance(one, Either) else (one, other)
    return Either(parts, (one.place[0], other.place[1]))

"""Reading a long JSON object piece by piece: only the member at hand is held."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_SPACES: Final = frozenset(("", " ", "\t", "\n", "\r"))
_OF_NUMBERS: Final = re.compile(r"[0-9.eE+-]*")
_decode: Final = json.JSONDecoder().raw_decode


class JsonStream:
    """One JSON text that comes in pieces. Every method raises ValueError where it is none.

    RecursionError is raised as by `json.loads` for one that is nested too deep.
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        self._pieces = iter(pieces)
        self._text = ""
        self._at = 0

    def starts_with(self, character: str) -> bool:
        """Whether what comes next begins so."""
        return self._peek() == character

    def members(self) -> Iterator[str]:
        """The names of an object's members; take the `value` or `items` of each before the next."""
        self._take("{")
        while not self.starts_with("}"):
            name = self.value()
            if not isinstance(name, str):
                raise ValueError("the name of a member is no text")
            self._take(":")
            yield name
            if not self.starts_with("}"):
                self._take(",")
                if self.starts_with("}"):
                    raise ValueError("a comma before the end of an object")
        self._take("}")

    def items(self) -> Iterator[Any]:
        """The items of a list, one after the other."""
        self._take("[")
        following = self._peek()
        while following != "]":
            yield self.value()
            following = self._peek()
            if following == ",":
                self._at += 1
                following = self._peek()
                if following == "]":
                    raise ValueError("a comma before the end of a list")
            elif following != "]":
                raise ValueError("expected ',' or ']'")
        self._at += 1

    def value(self) -> Any:  # noqa: ANN401 (whatever JSON holds)
        """The value that comes next, whole."""
        self._peek()
        while True:
            try:
                value, end = _decode(self._text, self._at)
            except ValueError:
                if not self._read_more():
                    raise
                continue
            # A number at the very end may go on in the next piece: "1" and "1." with "1.5".
            if isinstance(value, int | float) and self._may_go_on(end) and self._read_more():
                continue
            self._at = end
            return value

    def end(self) -> None:
        """Nothing but space may follow."""
        if self._peek():
            raise ValueError("something follows the end")

    def _may_go_on(self, end: int) -> bool:
        match = _OF_NUMBERS.match(self._text, end)
        return match is not None and match.end() == len(self._text)

    def _take(self, character: str) -> None:
        if self._peek() != character:
            raise ValueError(f"expected {character!r}")
        self._at += 1

    def _peek(self) -> str:
        """The next character that is no space, "" at the end."""
        while True:
            if (found := self._text[self._at : self._at + 1]) not in _SPACES:
                return found
            match = _SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at == len(self._text) and not self._read_more():
                return ""

    def _read_more(self) -> bool:
        """Append pieces until what is left has doubled: a long value isn't tried over and over."""
        left = self._text[self._at :]
        wanted = 2 * len(left) + 1
        parts, length = [left], len(left)
        for piece in self._pieces:
            parts.append(piece)
            length += len(piece)
            if length >= wanted:
                break
        if length == len(left):
            return False
        self._text, self._at = "".join(parts), 0
        return True

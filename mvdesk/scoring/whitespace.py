r"""ECMAScript's white space and UTF-16 lengths, which the server's text rules are made of.

Python's `strip`, `split` and `\s` differ: U+FEFF is white space here, U+001C to U+001F and
U+0085 are not.
"""

from __future__ import annotations

import re
from typing import Final

SPACES: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_RUN: Final = re.compile(f"[{re.escape(SPACES)}]+")
_ASCII_SPACES: Final = b"\t\n\v\f\r "


def trim(text: str) -> str:
    """The text without white space at its ends."""
    return text.strip(SPACES)


def fold_spaces(text: str) -> str:
    """The text with each run of white space as one space."""
    return _RUN.sub(" ", text)


def cut_utf16(text: str, units: int) -> str:
    """At most the first `units` UTF-16 units; may end in half of a surrogate pair."""
    if len(text) * 2 <= units:
        return text
    encoded = text.encode("utf-16-le", "surrogatepass")
    return encoded[: units * 2].decode("utf-16-le", "surrogatepass")


def solid_length(text: str) -> int:
    """The UTF-16 units of the text that are not white space."""
    if text.isascii():
        return len(text.encode().translate(None, _ASCII_SPACES))
    return len(_RUN.sub("", text).encode("utf-16-le", "surrogatepass")) // 2

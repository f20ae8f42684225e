"""Texts as they are compared: without case, accents and differences of form.

Scripts that put no spaces between words get them here, so that every letter is a word to
FTS5, and a run of them a phrase that is found wherever it stands.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_UNSPACED: Final = (
    "\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Han, Kana, and Hangul, which glues endings to its words."""
_SEAM: Final = re.compile(f"(?<=[{_UNSPACED}])(?=\\S)|(?<=\\S)(?=[{_UNSPACED}])")


def fold_text(text: str | None) -> str:
    """A text as it is compared: compatibility forms unified, without case and accents."""
    if not text:
        return ""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    apart = unicodedata.normalize("NFD", folded)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", apart))


def space_out(folded: str) -> str:
    """A folded text with single spaces, and one on each side of a letter that needs none."""
    return _SEAM.sub(" ", " ".join(folded.split()))


def split_words(text: str, limit: int) -> list[str]:
    """The first distinct parts of a text that are separated by white space, folded.

    Takes any text: what can't be stored can't be found, and stands for itself as a mark.
    """
    words: dict[str, None] = {}
    for word in fold_text(storable(text)).split():
        words[word] = None
        if len(words) == limit:
            break
    return list(words)


def storable(text: str) -> str:
    """A text without what SQLite can't hold: NUL, and halves of character pairs."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def has_letters(word: str) -> bool:
    """Whether FTS5 sees anything in a word: letters, digits, signs of private use."""
    return any(unicodedata.category(one)[0] in "LN" or _is_private(one) for one in word)


def _is_private(one: str) -> bool:
    return unicodedata.category(one) == "Co"

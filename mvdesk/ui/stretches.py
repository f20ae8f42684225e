"""Two texts as stretches that both have and stretches to choose between: pure, no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from mvdesk.textdiff import diff_words
from mvdesk.vault.operations.merge import BETWEEN_CONTENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

Take = Literal["a", "b", "both", "none"]
TAKES: Final[tuple[Take, ...]] = ("a", "b", "both", "none")
_LEAST_SHARED: Final = 0.35
"""Of the longer text; with less in common the two stay whole, one after the other."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """What A has at a place and what B has there; the same where nothing is to choose."""

    a: str
    b: str

    @property
    def is_same(self) -> bool:
        return self.a == self.b

    def text(self, take: Take) -> str:
        """What a choice comes to."""
        if take == "both":
            return _joined(self.a, self.b)
        return {"a": self.a, "b": self.b, "none": ""}[take]


def split_stretches(a: str, b: str) -> tuple[Stretch, ...]:
    """The two texts side by side; `a` of all joined is A's text, `b` B's.

    Texts with little in common are one stretch, both whole.
    """
    if a == b:
        return (Stretch(a, b),)
    found: list[Stretch] = []
    for piece in diff_words(a, b):
        if piece.kind == "same" and not (found and not piece.text.strip()):
            found.append(Stretch(piece.text, piece.text))
            continue
        in_a = piece.text if piece.kind != "added" else ""
        in_b = piece.text if piece.kind != "removed" else ""
        if (found and not found[-1].is_same) or piece.kind == "same":
            found[-1] = Stretch(found[-1].a + in_a, found[-1].b + in_b)
        else:
            found.append(Stretch(in_a, in_b))
    shared = sum(len(one.a) for one in found if one.is_same)
    if shared < _LEAST_SHARED * max(len(a), len(b)):
        return (Stretch(a, b),)
    return tuple(found)


def usual_takes(stretches: Sequence[Stretch], first: Literal["a", "b"]) -> tuple[Take, ...]:
    """A choice for each stretch: the `first` one's words, and what only the other has.

    Two texts with little in common are kept both.
    """
    if len(stretches) == 1 and not stretches[0].is_same:
        return ("both" if stretches[0].a.strip() and stretches[0].b.strip() else first,)
    other: Take = "b" if first == "a" else "a"
    found: list[Take] = []
    for one in stretches:
        own, others = (one.a, one.b) if first == "a" else (one.b, one.a)
        found.append(other if others.strip() and not own.strip() else first)
    return tuple(found)


def compose(
    stretches: Sequence[Stretch], takes: Sequence[Take]
) -> tuple[str, list[tuple[int, int]]]:
    """The text of some choices, and where each stretch is in it."""
    text, spans = "", []
    for one, take in zip(stretches, takes, strict=True):
        start = len(text)
        text += one.a if one.is_same else one.text(take)
        spans.append((start, len(text)))
    return text, spans


def _joined(a: str, b: str) -> str:
    if not a.strip() or not b.strip():
        return a + b
    if "\n" in a.strip() or "\n" in b.strip() or len(a) + len(b) > 200:
        return f"{a}{BETWEEN_CONTENTS}{b}"
    return a + b if a[-1].isspace() or b[0].isspace() else f"{a} {b}"

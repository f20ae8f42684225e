"""What a query was understood as, and what in it wasn't, on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mvdesk.cli.output import complain
from mvdesk.vault.questions.query import Word
from mvdesk.vault.questions.query_wording import describe_query

if TYPE_CHECKING:
    from mvdesk.vault.questions.query import Query


def tell_hints(query: Query) -> None:
    """Say on standard error what was taken as words, or left out."""
    for hint in query.hints:
        said = query.text[slice(*hint.place)].strip()
        complain(f"{said}: {hint.text}" if hint.is_left_out and len(said) <= 40 else hint.text)


def query_json(query: Query, *, is_any: bool = False) -> dict[str, Any]:
    """What a query was understood as, nothing for plain words; hints where there are some."""
    data: dict[str, Any] = {}
    if query.hints or not all(isinstance(p, Word) and not p.is_exact for p in query.parts):
        data["understood"] = [piece.text for piece in describe_query(query)]
    if query.hints:
        data["hints"] = [hint.text for hint in query.hints]
    if is_any:
        data["any_word"] = True
    return data

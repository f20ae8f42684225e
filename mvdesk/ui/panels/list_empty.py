"""Why the list is empty, and what would fill it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mvdesk.vault.questions.query import Word, parse_query
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.ui.session import VaultSession


class EmptyReason(NamedTuple):
    """A sentence, a button's words ("" for no button), and what the button does."""

    text: str
    action: str
    do: Callable[[], None]


def why_empty(
    session: VaultSession,
    *,
    archived: int,
    listed: int,
    filters: int,
    clear: Callable[[], None],
    start_new: Callable[[], None],
) -> EmptyReason:
    """Why no memory is listed, of `listed` ones and `archived` ones besides."""
    hidden = archived and not session.show_archived
    also = tr(" Archived ones are not looked at.") if hidden else ""
    if filters > 1 and listed:
        if any_of := _any_word(session):
            text = tr("No memory has all of these words.{also}", also=also)
            return EmptyReason(
                text, tr("Look for any of them"), partial(session.set_filter, any_of)
            )
        return EmptyReason(
            tr("No memories match. {filters} filters are on.{also}", filters=filters, also=also),
            tr("Clear them"),
            clear,
        )
    if session.only and listed:
        what = {
            "low": tr("low for its type"),
            "below": tr("lowered by this"),
            "range": tr("in this range of scores"),
        }[session.only.kind]
        return EmptyReason(tr("No memory is {what}.", what=what), tr("List all"), clear)
    if session.filter_text and listed:
        if any_of := _any_word(session):
            text = tr("No memory has all of these words.{also}", also=also)
            return EmptyReason(
                text, tr("Look for any of them"), partial(session.set_filter, any_of)
            )
        text = tr(
            "No memory matches “{filter_text}”.{also}",
            filter_text=session.filter_text[:80],
            also=also,
        )
        return EmptyReason(text, tr("Clear the search"), clear)
    if hidden:
        text = tr("Every memory here is archived.")
        return EmptyReason(text, tr("Show archived"), partial(session.set_show_archived, True))
    if session.read_only_reason:
        return EmptyReason(tr("This vault has no memories."), "", clear)
    return EmptyReason(tr("This vault has no memories yet."), tr("New memory"), start_new)


def _any_word(session: VaultSession) -> str:
    """The search for any of its words, "" when it is more than words, or one of them does."""
    query = parse_query(session.filter_text)
    matches = session.matches
    words = [part for part in query.parts if isinstance(part, Word)]
    is_plain = len(words) == len(query.parts) > 1 and not query.hints and session.only is None
    if not is_plain or matches is None:
        return ""
    if not any(matches.known[word].any() for word in words if word in matches.known):
        return ""
    return " OR ".join(query.text[slice(*word.place)] for word in words)

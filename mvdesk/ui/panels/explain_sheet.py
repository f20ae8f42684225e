"""The explanation of a memory as a picture: what is said above the bars and below them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from mvdesk.ui.plots.export import Section, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mvdesk.ui.plots.export import Drawing
    from mvdesk.ui.session_state import SessionState


def make_sheet(
    session: SessionState,
    title: str,
    pinned: str | None,
    drawn: Iterable[tuple[str, Drawing]],
) -> Sheet:
    """`drawn` are verdicts with their charts; `pinned` is the title compared with, if any."""
    parts = [
        f"Vault {session.vault.name}",
        session.model.id,
        f"scored as of {_moment(session.now)}",
    ]
    if session.overlay:
        parts.append("a preview, nothing written")
    compared = pinned is not None and pinned != title
    return Sheet(
        f"{title}, compared with {pinned}" if compared else title,
        tuple(Section(text, drawing) for text, drawing in drawn),
        " · ".join(parts),
    )


def _moment(seconds: int) -> str:
    moment = datetime.fromtimestamp(seconds).astimezone()
    return f"{moment.day} {moment:%b %Y, %H:%M}"

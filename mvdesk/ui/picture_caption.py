"""What stands below a picture: where its numbers are from and when they were."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mvdesk.ui.session_state import SessionState


def caption_of(session: SessionState) -> str:
    """Vault, model and moment; that it is a preview, when it is one."""
    moment = datetime.fromtimestamp(session.now).astimezone()
    parts = [f"Vault {session.vault.name}", session.model.id]
    parts.append(f"scored as of {moment.day} {moment:%b %Y, %H:%M}")
    if not session.preview.is_empty:
        parts.append("a preview, nothing written")
    return " · ".join(parts)

"""What stands below a picture: where its numbers are from and when they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.ui.moments import format_minute
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.session_state import SessionState


def caption_of(session: SessionState) -> str:
    """Vault, model and moment; that it is a preview, when it is one."""
    parts = [tr("Vault {name}", name=session.vault.name), session.model.id]
    parts.append(tr("scored as of {moment}", moment=format_minute(session.now)))
    if not session.preview.is_empty:
        parts.append(tr("a preview, nothing written"))
    return " · ".join(parts)

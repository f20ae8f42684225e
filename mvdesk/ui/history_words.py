"""The steps of a memory's history in words, and what one version has that another hasn't."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.records import RELATIONS
from mvdesk.textdiff import Piece, diff_words
from mvdesk.ui.moments import format_minute
from mvdesk.ui.panels.drafts import FIELD_NAMES, format_share, list_names
from mvdesk.ui.widgets.diff_view import DiffPart
from mvdesk.ui.widgets.relation_mark import relation_phrase
from mvdesk.vault.operations.fields import MEMORY_FIELDS
from mvdesk.vault.questions.history import UNLOGGED
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mvdesk.vault.plan import Value
    from mvdesk.vault.questions.history import HistoryStep

_EVENTS: Final = {
    "memory_created": tr("Written"),
    "memory_deleted": tr("Deleted"),
    "memory_merged": tr("Merged with others"),
    "memory_consolidated": tr("Consolidated with others"),
    "memory_forget_soft": tr("Archived"),
    "memory_forget_hard": tr("Deleted"),
    "memory_reinforced": tr("Reinforced"),
    "memory_decayed": tr("Decayed"),
    "memory_conflict_resolved": tr("Conflict decided"),
    "memory_entity_resolved": tr("Named as the same thing as another"),
    "memory_link_created": tr("Linked"),
    "memory_link_updated": tr("Link changed"),
    "memory_link_removed": tr("Link removed"),
    UNLOGGED: tr("Changed by a program that logged nothing"),
}
_SHOWN: Final = (*MEMORY_FIELDS, "archived_at")


def describe_step(step: HistoryStep, title_of: Callable[[str], str]) -> str:
    """A step in a few words; `title_of` names the memory at the other end of a link."""
    if step.other_id:
        is_known = step.relation in RELATIONS
        relation = relation_phrase(step.relation, outgoing=step.is_outgoing)
        phrase = relation if is_known else tr("an unknown relation to")
        said = f"{_EVENTS.get(step.event, step.summary)}: {phrase} {title_of(step.other_id)}"
    elif step.event == "memory_updated" and step.changed == ("archived_at",):
        is_archived = step.values.get("archived_at") is not None
        said = tr("Archived") if is_archived else tr("Brought back from the archive")
    elif step.event == "memory_updated":
        names = [FIELD_NAMES[name] for name in step.changed if name in FIELD_NAMES]
        said = tr("Edited {names}", names=list_names(names)) if names else tr("Edited")
    else:
        said = _EVENTS.get(step.event) or step.summary or step.event
    return tr("{said} (took a step back)", said=said) if step.is_undo else said


def find_version_parts(
    older: Mapping[str, Value], newer: Mapping[str, Value]
) -> tuple[list[DiffPart], list[str]]:
    """What `newer` changed, field by field; and the names of the fields that nobody can tell."""
    parts, untold = [], []
    for name in _SHOWN:
        caption = FIELD_NAMES.get(name, "archived")
        if name not in older or name not in newer:
            if (name in older) != (name in newer) or name == "content":
                untold.append(caption)
            continue
        before, after = (_as_text(name, side[name]) for side in (older, newer))
        if before == after:
            continue
        if name == "content":
            pieces = diff_words(before, after)
        else:
            whole = (Piece("removed", before), Piece("same", "  "), Piece("added", after))
            pieces = [piece for piece in whole if piece.text]
        parts.append(DiffPart(caption.capitalize(), pieces))
    return parts, untold


def _as_text(name: str, value: Value) -> str:
    if value is None:
        return ""
    if name == "archived_at" and isinstance(value, int):
        return format_minute(value)
    return format_share(value) if isinstance(value, float) else str(value)

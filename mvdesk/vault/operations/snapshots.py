"""Keep the state of a brain as a snapshot, and forget the oldest ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.errors import BadValue
from mvdesk.vault.operations.fields import clean_text
from mvdesk.vault.operations.policy import policy_of
from mvdesk.vault.operations.snapshot_text import format_payload
from mvdesk.vault.plan import SNAPSHOTS, LogEntry, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.records import StoredSnapshot
    from mvdesk.vault.brain_state import BrainRows
    from mvdesk.vault.plan import Value

MAX_LABEL_LENGTH: Final = 160
MAX_SUMMARY_LENGTH: Final = 500


def plan_snapshot(
    brain: BrainRows,
    existing: Sequence[StoredSnapshot],
    *,
    label: str | None = None,
    summary: str | None = None,
    include_archived: bool = False,
    now: int,
    snapshot_id: str,
) -> Plan:
    """Keep a brain as it is; snapshots beyond the policy's `snapshot_retention` go.

    Without `include_archived` the archive is left out, with the links that touch it. A server
    keeps at most 5000 memories and 12000 links in one; here all are kept. Raises BadValue for
    a label of more than 160 or a summary of more than 500 characters, VaultError for a brain
    that is too large.
    """
    row: dict[str, Value] = {
        "id": snapshot_id,
        "brain_id": brain.brain_id,
        "label": _clean("label", label, MAX_LABEL_LENGTH),
        "summary": _clean("summary", summary, MAX_SUMMARY_LENGTH),
    }
    kept = format_payload(brain, include_archived=include_archived, now=now)
    row["memory_count"], row["link_count"] = kept.memory_count, kept.link_count
    row["payload_json"] = kept.text
    row["created_at"] = now
    name = str(row["label"] or tr("of the brain"))
    made = RowChange(
        RowKey(SNAPSHOTS, snapshot_id, tr("The snapshot {name}", name=name)), None, row, tr("made")
    )
    retention = policy_of(brain.policy).snapshot_retention
    newest_first = sorted(existing, key=lambda one: one.created_at, reverse=True)
    pruned = tuple(
        RowChange(
            RowKey(SNAPSHOTS, old.id, tr("The snapshot {label}", label=old.label or old.id)),
            {"id": old.id, "created_at": old.created_at},
            None,
            tr("the newest {retention} are kept", retention=retention),
        )
        for old in newest_first[retention - 1 :]
    )
    entry = LogEntry(
        "brain_snapshot_created",
        "brain_snapshot",
        snapshot_id,
        "Created brain snapshot",
        {"memory_count": row["memory_count"], "link_count": row["link_count"]},
    )
    return Plan(
        tr("Take the snapshot {name}", name=name), brain.brain_id, (made, *pruned), (entry,)
    )


def _clean(name: str, text: str | None, longest: int) -> str | None:
    clean = clean_text(name, text)
    clean = clean.strip() if clean else None
    if clean is not None and len(clean) > longest:
        raise BadValue(
            name,
            tr("it has {clean} characters.", clean=len(clean)),
            tr("At most {longest} are kept.", longest=longest),
        )
    return clean

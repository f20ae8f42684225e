"""What restoring a snapshot of an open vault would do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mvdesk.vault import brain_state
from mvdesk.vault.operations.snapshot_payload import check_size, read_payload
from mvdesk.vault.operations.snapshot_restore import plan_restore_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.records import StoredSnapshot
    from mvdesk.vault.operations.snapshot_restore import Restore
    from mvdesk.vault.vault import Vault


def preview_restore(
    vault: Vault,
    stored: StoredSnapshot,
    mode: str,
    *,
    restore_policy: bool = True,
    restore_trust: bool = True,
    now: int,
    new_id: Callable[[], str],
) -> Restore:
    """Read a snapshot and compare it with the brain, as `plan_restore_snapshot`.

    Takes seconds for a hundred thousand memories. Raises VaultError for a snapshot that is
    gone, too large or damaged, and BadValue for an unknown mode.
    """
    check_size(stored.payload_bytes)
    state = brain_state.read_brain_state(vault)
    with brain_state.stream_snapshot_payload(vault, stored.id) as pieces:
        payload = read_payload(pieces, state)
    return plan_restore_snapshot(
        state,
        stored,
        payload,
        mode,
        restore_policy=restore_policy,
        restore_trust=restore_trust,
        ids_elsewhere=partial(brain_state.find_ids_elsewhere, vault),
        now=now,
        new_id=new_id,
    )

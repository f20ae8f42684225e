"""What looking after a memory would do is what it does, and undo takes all of it back."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.errors import MemoryNotFound
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.vault.operations.touch import plan_touch
from mvdesk.vault.questions.review import ReviewSettings, find_review_queue
from mvdesk.vault.questions.review_outcomes import CARES, find_care_outcomes, plan_care, stand
from mvdesk.vault.review_progress import read_done, write_done
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.vault import Vault
from tests.vault.tuned import NOW, make_tuned_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Contents = Callable[[Path], dict[str, list[tuple[object, ...]]]]

VAULTS = 200
SETTINGS = ReviewSettings(limit=None)


def check(vault: Vault, contents: Contents, rng: random.Random) -> None:
    """Apply one way to one memory of the queue: it stands where it was said it would."""
    snapshot = read_snapshot(vault)
    queue = find_review_queue(snapshot, SETTINGS, now=NOW)
    if not len(queue.rows):
        return
    row = int(rng.choice(queue.rows.tolist()))
    memory_id = snapshot.memories.ids.text(row)
    trust = float(snapshot.inputs(SERVER_V2).trust[row])
    outcomes = find_care_outcomes(vault, snapshot, memory_id, SERVER_V2, NOW, trust, SETTINGS)
    assert [one.care for one in outcomes] == list(CARES)
    outcome = rng.choice(outcomes)
    assert outcome.before.urgency is not None
    plan = plan_care(vault, snapshot, memory_id, outcome.care, now=NOW)
    assert plan == outcome.plan
    if plan.is_empty:
        assert outcome.before == outcome.after
        return
    before = contents(vault.path)
    vault.apply(plan, now=NOW)
    after = read_snapshot(vault)
    assert stand(after, memory_id, SERVER_V2, NOW, trust, SETTINGS) == outcome.after
    assert outcome.others == len({change.key.id for change in plan.changes} - {memory_id})
    vault.undo(now=NOW + 1)
    assert contents(vault.path) == before


@pytest.mark.parametrize("batch", range(8))
def test_each_way_does_what_it_promised_in_200_random_vaults(
    many_files: Path, contents: Contents, batch: int
) -> None:
    for seed in range(batch * VAULTS // 8, (batch + 1) * VAULTS // 8):
        path = many_files / f"{seed}.sqlite"
        make_tuned_vault(path, seed, memories=16)
        with Vault.open(path, data_folder=many_files) as vault:
            check(vault, contents, random.Random(seed))


def test_each_way_does_what_it_promised_in_a_servers_file(
    server: Vault, contents: Contents
) -> None:
    for seed in range(12):
        check(server, contents, random.Random(seed))


def test_still_true_moves_the_age_and_nothing_else(server: Vault) -> None:
    memory = server.read_memory(read_snapshot(server).memories.ids.text(3))
    plan = plan_touch(memory, now=NOW)
    assert [change.written for change in plan.changes] == [{"updated_at": NOW}]
    assert [entry.event_type for entry in plan.log] == ["memory_updated"]
    server.apply(plan, now=NOW)
    touched = server.read_memory(memory.id)
    assert touched.updated_at == NOW
    assert touched.content == memory.content
    assert plan_touch(touched, now=NOW).is_empty


def test_a_memory_that_is_gone_is_said(server: Vault) -> None:
    snapshot = read_snapshot(server)
    for care in CARES:
        with pytest.raises(MemoryNotFound):
            plan_care(server, snapshot, "nobody", care, now=NOW)


def test_a_memory_outside_the_queue_has_no_urgency(server: Vault) -> None:
    snapshot = read_snapshot(server)
    queue = find_review_queue(snapshot, SETTINGS, now=NOW)
    others = np.setdiff1d(np.arange(len(snapshot.memories)), queue.rows)
    outside = snapshot.memories.ids.text(int(others[0]))
    assert stand(snapshot, outside, SERVER_V2, NOW, 0.5, SETTINGS).urgency is None


def test_what_was_done_is_kept_for_its_day(server: Vault) -> None:
    companion = server.companion
    assert read_done(companion, "b", "2026-11-30") == ()
    write_done(companion, "b", "2026-11-30", ["x", "y"])
    assert read_done(companion, "b", "2026-11-30") == ("x", "y")
    assert read_done(companion, "b", "2026-12-01") == ()
    assert read_done(companion, "other", "2026-11-30") == ()
    companion.write_setting("review/b", {"day": "2026-11-30", "ids": 7})
    assert read_done(companion, "b", "2026-11-30") == ()
    companion.write_setting("review/b", {"day": "2026-11-30", "ids": ["x", 7]})
    assert read_done(companion, "b", "2026-11-30") == ("x",)

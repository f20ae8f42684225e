"""Whatever a file holds and whatever is done: the preview comes true, undo brings all back."""

from __future__ import annotations

import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

from mvdesk.errors import VaultError
from mvdesk.records import RESOLUTION_STATUSES
from mvdesk.store.cells import BrokenText
from mvdesk.vault import brain_state, rules
from mvdesk.vault.operations.conflicts import find_resolution, plan_resolve
from mvdesk.vault.operations.decay import DecaySettings, find_decay, plan_decay
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_archive, plan_delete, plan_restore
from mvdesk.vault.operations.links import plan_link, plan_unlink
from mvdesk.vault.operations.merge import plan_merge
from mvdesk.vault.operations.policy import plan_set_policy
from mvdesk.vault.operations.reinforce import ReinforceSettings, find_reinforcement, plan_reinforce
from mvdesk.vault.operations.repair import plan_remove_orphans, plan_repair
from mvdesk.vault.operations.snapshot_payload import read_payload
from mvdesk.vault.operations.snapshot_restore import plan_restore_snapshot
from mvdesk.vault.operations.snapshots import plan_snapshot
from mvdesk.vault.operations.trust import plan_annotate, plan_set_trust
from mvdesk.vault.questions.check import check_vault
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.vault import Vault
from tests.vault.made import NOW
from tests.vault.operations.strange_vaults import MEMORIES, SOURCES, make_vault, read_cells, vaults

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.vault.plan import Plan

Make = "Callable[[Vault, st.DataObject, Callable[[], str]], Plan]"

some = st.lists(st.sampled_from(MEMORIES), min_size=1, max_size=4, unique=True)
texts = st.sampled_from(["new text", "two words", "é😀", "a,b,c", "slack"])
shares = st.sampled_from([0.0, 0.25, 0.5, 0.7, 1.0])


def add(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    fields = {"content": data.draw(texts), "source": data.draw(texts)}
    return plan_add(vault.brain.id, fields, now=NOW, memory_id=new_id())


def edit(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    memory = vault.read_memory(data.draw(st.sampled_from(MEMORIES)))
    fields = st.sampled_from(["title", "key", "content", "tags", "source"])
    values = data.draw(st.dictionaries(fields, texts, min_size=1))
    values |= data.draw(st.dictionaries(st.sampled_from(["confidence", "importance"]), shares))
    return plan_edit(memory, values, now=NOW)


def archive(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    return plan_archive(vault.read_memories(data.draw(some)), brain_id=vault.brain.id, now=NOW)


def restore(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    return plan_restore(vault.read_memories(data.draw(some)), brain_id=vault.brain.id, now=NOW)


def delete(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    ids = data.draw(some)
    links = vault.read_links_of(*ids)
    return plan_delete(vault.read_memories(ids), links, brain_id=vault.brain.id)


def merge(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    ids = data.draw(some)
    memories, links = vault.read_memories(ids), vault.read_links_of(*ids)
    content = data.draw(st.none() | texts)
    return plan_merge(memories, links, content=content, now=NOW, new_id=new_id)


def link(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    one, other = map(vault.read_memory, data.draw(st.permutations(MEMORIES))[:2])
    links = vault.read_links_of(one.id)
    relation, label = data.draw(st.sampled_from(["causes", "related"])), data.draw(texts)
    return plan_link(links, one, other, relation, label, now=NOW, link_id=new_id())


def unlink(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    links = vault.read_links_of(*MEMORIES)
    if not links:
        raise VaultError("There are no links.", "", "")
    return plan_unlink(data.draw(st.sampled_from(links)))


def trust(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    sources = st.sampled_from([*SOURCES, "new"])
    changes = data.draw(st.dictionaries(sources, st.none() | shares, min_size=1))
    stored = vault.read_trust()
    return plan_set_trust(stored, changes, brain_id=vault.brain.id, now=NOW, new_id=new_id)


def annotate(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    source, note = data.draw(st.sampled_from(SOURCES)), data.draw(texts)
    return plan_annotate(vault.read_trust(), source, note, brain_id=vault.brain.id, now=NOW)


def reinforce(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    snapshot = read_snapshot(vault)
    chosen = ReinforceSettings(hops=data.draw(st.integers(0, 3)), delta_confidence=-0.2)
    seed = data.draw(st.sampled_from(MEMORIES))
    return plan_reinforce(snapshot, find_reinforcement(snapshot, seed, chosen))


def decay(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    snapshot = read_snapshot(vault)
    chosen = DecaySettings(older_than_days=data.draw(st.sampled_from([0, 1, 200])))
    return plan_decay(snapshot, find_decay(snapshot, chosen, now=NOW), now=NOW)


def resolve(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    one, other = vault.read_memories(data.draw(st.permutations(MEMORIES))[:2])
    return plan_resolve(
        one,
        other,
        data.draw(st.sampled_from(RESOLUTION_STATUSES)),
        canonical_id=other.id,
        retire=data.draw(st.booleans()),
        stored=find_resolution(rules.read_resolutions(vault), one.id, other.id),
        links=vault.read_links_of(one.id),
        now=NOW,
        new_id=new_id,
    )


def policy(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    wanted = {"decay_days": data.draw(st.integers(1, 9)), "snapshot_retention": 1}
    return plan_set_policy(rules.read_policy(vault), wanted, brain_id=vault.brain.id, now=NOW)


def snapshot(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    existing = brain_state.read_snapshots(vault)
    everything = data.draw(st.booleans())
    with brain_state.stream_brain(vault) as brain:
        return plan_snapshot(
            brain, existing, include_archived=everything, now=NOW, snapshot_id=new_id()
        )


def restore_snapshot(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    vault.apply(snapshot(vault, data, new_id), now=NOW)
    for make in data.draw(st.lists(st.sampled_from([edit, delete, link, trust, decay]))):
        try:
            vault.apply(make(vault, data, new_id), now=NOW)
        except VaultError:
            continue
    stored = brain_state.read_snapshots(vault)[0]
    payload = read_payload(brain_state.read_snapshot_payload(vault, stored.id) or "")
    return plan_restore_snapshot(
        brain_state.read_brain_state(vault),
        stored,
        payload,
        data.draw(st.sampled_from(["merge", "replace"])),
        ids_elsewhere=lambda table, ids: brain_state.find_ids_elsewhere(vault, table, ids),
        now=NOW,
        new_id=new_id,
    ).plan


def repair(vault: Vault, data: st.DataObject, new_id: Callable[[], str]) -> Plan:
    findings = check_vault(vault, now=NOW).findings
    plan = data.draw(st.sampled_from([plan_repair, plan_remove_orphans]))
    return plan(findings, brain_id=vault.brain.id)


OPERATIONS = (
    *(add, edit, archive, restore, delete, merge, link, unlink, trust, annotate, reinforce, decay),
    *(resolve, policy, snapshot, restore_snapshot, repair),
)


@given(data=st.data(), made=vaults(), make=st.sampled_from(OPERATIONS))
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
def test_the_preview_comes_true_and_undo_brings_every_cell_back(
    data: st.DataObject, made: tuple, make: Callable
) -> None:
    numbers = count(1)

    def new_id() -> str:
        return f"made-{next(numbers)}"

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "strange.sqlite"
        make_vault(path, made)
        with Vault.open(path, new_id=new_id) as vault:
            try:
                plan = make(vault, data, new_id)
            except VaultError:
                event(f"{make.__name__}: refused")
                return
            before = read_cells(path)
            try:
                vault.apply(plan, now=NOW)
            except VaultError as error:
                event(f"{make.__name__}: {type(error).__name__} {error}"[:80])
                assert read_cells(path) == before
                return
            event(f"{make.__name__}: {'nothing to do' if plan.is_empty else 'done'}")
            after = read_cells(path)
            check_promises(plan, before, after)
            if not plan.is_empty:
                vault.undo(now=NOW + 1)
                assert read_cells(path) == before
                vault.redo(now=NOW + 2)
                assert read_cells(path) == after


def check_promises(plan: Plan, before: dict, after: dict) -> None:
    """Every row changed as the preview showed, and no other."""
    expected = {key: dict(row) for key, row in before.items()}
    for change in plan.changes:
        key = (change.key.table, change.key.id)
        if change.after is None:
            del expected[key]
        elif change.before is None:
            assert key not in before
            assert {name: after[key][name] for name in change.after} == {
                name: stored(value, after[key][name]) for name, value in change.after.items()
            }
            expected[key] = after[key]
        else:
            for name, value in change.written.items():
                expected[key][name] = stored(value, after[key][name])
    assert after == expected


def stored(value: object, cell: tuple[str, object]) -> tuple[str, object]:
    """What a cell holds that was given a value: its column's type may turn it into another."""
    kind, held = cell
    if isinstance(value, str | BrokenText):
        data = value.encode() if isinstance(value, str) else bytes(value)
        is_number = kind in ("integer", "real") and str(held) == value
        return cell if is_number else ("text", data)
    return (kind, value)

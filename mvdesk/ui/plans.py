"""Plans of the window's own writes, made in the write lane from what the vault holds then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.fields import MEMORY_FIELDS
from mvdesk.vault.operations.links import plan_link, plan_unlink
from mvdesk.vault.operations.trust import plan_annotate, plan_set_trust
from mvdesk.vault.plan import Plan
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mvdesk.records import Memory, SourceTrust
    from mvdesk.vault.plan import Value
    from mvdesk.vault.vault import Vault

    MakePlan = Callable[[Vault], Plan]


def new_id() -> str:
    return str(uuid4())


def edit_plan(memory: Memory, changes: Mapping[str, Value], now: int) -> MakePlan:
    """Save edited fields; `memory` is what the person saw before editing."""

    def make(_vault: Vault) -> Plan:
        return plan_edit(memory, changes, now=now)

    return make


def add_plan(fields: Mapping[str, Value], memory_id: str, now: int) -> MakePlan:
    def make(vault: Vault) -> Plan:
        return plan_add(vault.brain.id, fields, now=now, memory_id=memory_id)

    return make


def bring_back_plan(memory: Memory, values: Mapping[str, Value], when: str, now: int) -> MakePlan:
    """Give a memory the values of an older version; `when` says from when that is."""

    def make(_vault: Vault) -> Plan:
        fields = {name: value for name, value in values.items() if name in MEMORY_FIELDS}
        plan = plan_edit(memory, fields, now=now)
        return replace(
            plan,
            label=tr(
                "Bring back {short_label} of {when}", short_label=memory.short_label, when=when
            ),
        )

    return make


def link_plan(
    from_id: str,
    to_id: str,
    relation: str,
    label: str | None,
    now: int,
    change_id: str | None = None,
) -> MakePlan:
    """Link two memories; `change_id` picks the link to change where there are several."""

    def make(vault: Vault) -> Plan:
        one, other = vault.read_memory(from_id), vault.read_memory(to_id)
        links = vault.read_links_of(from_id)
        return plan_link(
            links, one, other, relation, label, now=now, link_id=new_id(), change_id=change_id
        )

    return make


def unlink_plan(link_id: str, end_id: str) -> MakePlan:
    """Remove a link; `end_id` is a memory at one of its ends."""

    def make(vault: Vault) -> Plan:
        found = [link for link in vault.read_links_of(end_id) if link.id == link_id]
        if not found:
            return Plan(tr("Remove the link"), vault.brain.id, (), ())  # another program did
        link = found[0]
        labels = {
            end: vault.read_memory(end).label
            for end in {link.from_id, link.to_id}
            if vault.has_memory(end)
        }
        return plan_unlink(
            link, from_label=labels.get(link.from_id, ""), to_label=labels.get(link.to_id, "")
        )

    return make


def trust_plan(
    current: Sequence[SourceTrust], changes: Mapping[str, float | None], now: int
) -> MakePlan:
    """Set trust; `current` is what the preview compared with, so a change since is noticed."""

    def make(vault: Vault) -> Plan:
        return plan_set_trust(current, changes, brain_id=vault.brain.id, now=now, new_id=new_id)

    return make


def trial_plan(trust: Mapping[str, float | None], now: int) -> MakePlan:
    """Set the trusts of a trial, whatever is stored by then."""

    def make(vault: Vault) -> Plan:
        current = vault.read_trust()
        return plan_set_trust(current, trust, brain_id=vault.brain.id, now=now, new_id=new_id)

    return make


def note_plan(source_key: str, note: str, now: int) -> MakePlan:
    """Keep a note with a source that has a trust; "" removes it."""

    def make(vault: Vault) -> Plan:
        current = vault.read_trust()
        return plan_annotate(current, source_key, note or None, brain_id=vault.brain.id, now=now)

    return make

"""Commands that write links: link, unlink."""

from __future__ import annotations

import uuid
from typing import Annotated

import typer

from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, Now, Relation, VaultPath, parse_now
from mvdesk.cli.output import clean, write_json, write_line
from mvdesk.cli.parameters import DryRun, headline, write
from mvdesk.cli.records_json import changes_json
from mvdesk.cli.values import choice_option
from mvdesk.errors import BadValue
from mvdesk.records import RELATIONS, Link, shortened
from mvdesk.vault.operations.fields import clean_relation
from mvdesk.vault.operations.links import find_links_between, plan_link, plan_unlink
from mvdesk.vault.plan import Plan

OtherId = Annotated[str, typer.Argument(metavar="TO", help="The memory it leads to, by id.")]


def link(
    vault: VaultPath,
    from_id: Annotated[str, typer.Argument(metavar="FROM", help="The memory it starts at, by id.")],
    to_id: OtherId,
    relation: Relation,
    label: Annotated[
        str | None, typer.Option("--label", metavar="TEXT", help="A few words kept with the link.")
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Link two memories.

    A pair that is linked already gets the relation and label on the link it has.

    Example: mvdesk link notes.sqlite 3fa9c1d2 77b0e4aa supports
    """
    clock = parse_now(now)
    clean_relation(relation)
    with opened(vault, brain=brain, now=clock) as vault_open:
        start, end = vault_open.read_memory(from_id), vault_open.read_memory(to_id)
        existing = vault_open.vault.read_links_of(start.id)
        plan = plan_link(
            existing, start, end, relation, label, now=clock, link_id=str(uuid.uuid4())
        )
        write(vault_open, plan, dry_run=dry_run)
        joining = find_links_between(vault_open.vault.read_links_of(start.id), start.id, end.id)
        if as_json:
            write_json(
                {
                    "dry_run": dry_run,
                    "changes": changes_json(plan),
                    "links": [_link(one) for one in joining],
                }
            )
        else:
            _say(plan, dry_run=dry_run)


def unlink(
    vault: VaultPath,
    first: Annotated[
        str, typer.Argument(metavar="LINK|FROM", help="A link's id, or one of the two memories.")
    ],
    second: Annotated[str | None, typer.Argument(metavar="TO", help="The other memory.")] = None,
    relation: Annotated[
        str | None,
        choice_option("RELATION", RELATIONS, "Which one, of several links."),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    brain: Brain = None,
) -> None:
    """Remove a link.

    It is named by its id or by the two memories it joins.

    Example: mvdesk unlink notes.sqlite 3fa9c1d2 77b0e4aa
    """
    clock = parse_now(now)
    with opened(vault, brain=brain, now=clock) as vault_open:
        if second is None:
            gone = vault_open.find_link(first)
        else:
            gone = _one_between(vault_open, vault_open.find_id(first), second, relation)
        labels = [_label(vault_open, one) for one in (gone.from_id, gone.to_id)]
        plan = plan_unlink(gone, from_label=labels[0], to_label=labels[1])
        write(vault_open, plan, dry_run=dry_run)
        if as_json:
            write_json({"dry_run": dry_run, "changes": changes_json(plan), "removed": _link(gone)})
        else:
            _say(plan, dry_run=dry_run)


def _one_between(vault_open: Opened, one_id: str, other: str, relation: str | None) -> Link:
    other_id = vault_open.find_id(other)
    found = find_links_between(vault_open.vault.read_links_of(one_id), one_id, other_id)
    if relation is not None:
        found = [joining for joining in found if joining.relation_type == relation]
    if len(found) == 1:
        return found[0]
    if not found:
        kind = f"{relation} link" if relation else "link"
        raise BadValue("link", f"these two memories have no {kind}.")
    shown = ", ".join(f"{joining.relation_type} {joining.id}" for joining in found)
    raise BadValue(
        "link", f"these two memories have {len(found)} links.", f"Name one by its id: {shown}."
    )


def _label(vault_open: Opened, memory_id: str) -> str:
    row = vault_open.snapshot.row_of(memory_id)
    return memory_id if row is None else shortened(vault_open.snapshot.memories.labels.text(row))


def _link(joining: Link) -> dict[str, object]:
    return {
        "link_id": joining.id,
        "from_id": joining.from_id,
        "to_id": joining.to_id,
        "relation_type": joining.relation_type,
        "label": joining.label,
        "created_at": joining.created_at,
    }


def _say(plan: Plan, *, dry_run: bool) -> None:
    write_line(
        "Nothing to change: they are linked so already."
        if plan.is_empty
        else clean(headline(plan, dry_run=dry_run))
    )

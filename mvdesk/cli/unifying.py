"""The command that makes several sources one."""

from __future__ import annotations

import uuid
from typing import Annotated

import typer

from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, Model, Now, VaultPath, parse_now
from mvdesk.cli.output import clean, write_json, write_line
from mvdesk.cli.parameters import DryRun, headline, write
from mvdesk.cli.records_json import changes_json
from mvdesk.cli.source_listing import trust_text
from mvdesk.cli.trust_effect import Wanted, effect_json, measure_effect, write_effect
from mvdesk.cli.values import WrongUsage
from mvdesk.errors import BadValue
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.operations.unify import Unify, plan_unify_sources, preview_unify


def unify(
    vault: VaultPath,
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE...", help="Sources that are one.")
    ],
    text: Annotated[
        str, typer.Option("--as", metavar="TEXT", help="How all their memories are to name it.")
    ],
    keep: Annotated[
        str | None,
        typer.Option("--keep", metavar="SOURCE", help="Whose trust and note stay, if several."),
    ] = None,
    no_trust: Annotated[
        bool, typer.Option("--no-trust", help="No trust stays: the source is “not set” then.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """Make several sources one: their memories name it alike, and one trust stays.

    The memories count as edited now, so their age starts again; --dry-run shows what that does.

    Example: mvdesk unify notes.sqlite wikipedia wikipeda --as Wikipedia --dry-run
    """
    clock = parse_now(now)
    if keep is not None and no_trust:
        raise WrongUsage("--no-trust", "--keep was given as well.", "Give one of the two.")
    with opened(vault, brain=brain, model=model, now=clock) as vault_open:
        kept = None if no_trust else keep or _only_trusted(vault_open, [text, *sources])
        wanted = Unify.of(sources, text, kept)
        plan = plan_unify_sources(
            vault_open.snapshot,
            vault_open.vault.read_trust(),
            wanted,
            now=clock,
            new_id=lambda: str(uuid.uuid4()),
        )
        found = preview_unify(
            vault_open.snapshot, vault_open.model, clock, vault_open.scores, wanted
        )
        effect = measure_effect(
            vault_open, found.scores, wanted.keys, Wanted("confidence", 0.7, 10)
        )
        write(vault_open, plan, dry_run=dry_run)
        if as_json:
            write_json(
                {
                    "dry_run": dry_run,
                    "changes": changes_json(plan),
                    "source_key": wanted.key,
                    "edited_count": len(found.edited),
                    **effect_json(vault_open, effect),
                }
            )
            return
        write_line(clean(headline(plan, dry_run=dry_run)))
        if not plan.is_empty:
            for change in plan.changes[len(found.edited) :]:
                becomes = "removed" if change.after is None else str(change.after["trust"])
                write_line(clean(f"{change.key.label}: {becomes} ({change.why})"))
            write_line(f"{len(found.edited):,} of {len(found.rows):,} memories are rewritten.")
            write_effect(vault_open, effect)


def _only_trusted(vault_open: Opened, sources: list[str]) -> str | None:
    """The source whose trust stays when nobody says; None when none of them has one."""
    keys = dict.fromkeys(normalise_source_key(source) for source in sources)
    trusts = {row.source_key: row.trust for row in vault_open.vault.read_trust()}
    known = [key for key in keys if key in trusts]
    if len({trusts[key] for key in known}) > 1:
        told = ", ".join(f"{key} has {trust_text(trusts[key])}" for key in known)
        raise BadValue("--keep", f"their trusts differ: {told}.", "Name the one whose trust stays.")
    return known[0] if known else None

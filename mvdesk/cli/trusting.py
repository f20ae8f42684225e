"""The command that lists, shows, sets and clears the trust of sources."""

from __future__ import annotations

import uuid
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, Model, Now, VaultPath, parse_now, parse_number
from mvdesk.cli.output import clean, complain, write_json, write_line
from mvdesk.cli.parameters import DRY_RUN
from mvdesk.cli.records_json import changes_json, plain
from mvdesk.cli.source_listing import SORTS, show_sources, show_worth_a_look
from mvdesk.cli.trust_effect import Wanted, effect_json, find_effect, write_effect
from mvdesk.cli.trust_questions import read_trials, show_lowest_trusts, show_trials
from mvdesk.cli.values import WrongUsage, choice_option, count_option, number_option
from mvdesk.errors import BadValue
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.operations.trust import plan_set_trust
from mvdesk.vault.trials import fit_trial

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.cli.trust_effect import TrustEffect
    from mvdesk.vault.plan import Plan

_UNSET = ("unset", "not set")
_ALIKE: Final = 0.75
"""How alike a name must be to be meant, from 0 to 1: one letter of four may differ."""


def trust(
    vault: VaultPath,
    source: Annotated[
        str | None, typer.Argument(metavar="SOURCE", help="A source, as memories name it.")
    ] = None,
    value: Annotated[
        str | None, typer.Argument(metavar="TRUST", help="Its new trust, 0 to 1.")
    ] = None,
    clear: Annotated[
        bool, typer.Option("--clear", help="Make it “not set” again, which counts as neutral.")
    ] = False,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="SOURCE=TRUST", help="Several sources at once; =unset clears one."
        ),
    ] = None,
    trial: Annotated[
        str | None, typer.Option("--trial", metavar="NAME", help="The values of a saved trial.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would move; write nothing.")
    ] = False,
    threshold: Annotated[
        float, number_option("Tell which memories come to reach this score, or leave it.")
    ] = 0.7,
    score: Annotated[
        str, choice_option("SCORE", ("confidence", "importance"), "The score that is ranked.")
    ] = "confidence",
    top: Annotated[int, count_option("Show so many that rise and fall most.", least=0)] = 10,
    sort: Annotated[str, choice_option("WORD", SORTS, "The order of the list.")] = "trust",
    worth_a_look: Annotated[
        bool, typer.Option("--worth-a-look", help="Only sources that stand out, and why.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep", metavar="ID", help="The lowest trust that keeps memories at --threshold."
        ),
    ] = None,
    trials: Annotated[
        bool, typer.Option("--trials", help="The trials that were saved in the window.")
    ] = False,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """List, show, set or clear how far sources are trusted, and what that moves.

    Example: mvdesk trust notes.sqlite slack 0.3 --dry-run

    Example: mvdesk trust notes.sqlite --set slack=0.3 --set "garden blog=unset" --threshold 0.6

    Example: mvdesk trust notes.sqlite --worth-a-look
    """
    clock = parse_now(now)
    changes = _read_changes(source, value, clear, sets or [])
    is_change = bool(changes) or trial is not None
    if dry_run and not is_change:
        raise WrongUsage("--dry-run", "there is no change to try.", "Give a value or --clear.")
    questions = {"--worth-a-look": worth_a_look, "--keep": bool(keep), "--trials": trials}
    asked = [name for name, is_asked in questions.items() if is_asked]
    if asked and (len(asked) > 1 or is_change or source is not None):
        raise WrongUsage(asked[0], "it is a question of its own.", "Give no source or value.")
    if not 0.0 <= threshold <= 1.0:
        raise WrongUsage("--threshold", f"expected a number from 0 to 1, not {threshold:g}.")
    kind: Literal["confidence", "importance"] = (
        "importance" if score == "importance" else "confidence"
    )
    wanted = Wanted(kind, threshold, top)
    with opened(vault, brain=brain, model=model, now=clock) as vault_open:
        if is_change:
            if trial is not None:
                changes = {**_read_trial(vault_open, trial), **changes}
            _change(vault_open, changes, wanted, dry_run=dry_run, as_json=as_json)
        elif worth_a_look:
            show_worth_a_look(vault_open, as_json=as_json)
        elif keep:
            show_lowest_trusts(vault_open, keep, wanted, as_json=as_json)
        elif trials:
            show_trials(vault_open, as_json=as_json)
        else:
            show_sources(vault_open, source, sort=sort, as_json=as_json)


def _read_changes(
    source: str | None, value: str | None, clear: bool, sets: list[str]
) -> dict[str, float | None]:
    """What is to be changed, by source as it was spelled. Raises WrongUsage or BadValue."""
    wanted = parse_number("trust", value)
    if clear and value is not None:
        raise WrongUsage("--clear", "a value was given as well.", "Give one of the two.")
    if source is None and clear:
        raise WrongUsage("source", "no source was named.", "Name one, as the memories do.")
    changes: dict[str, float | None] = {}
    if source is not None and (clear or value is not None):
        changes[source] = wanted
    elif source is not None and sets:
        raise WrongUsage("source", "it has no value.", "Give one after it, or leave it out.")
    for text in sets:
        name, equals, spelled = text.rpartition("=")
        if not equals or not name.strip():
            raise WrongUsage("--set", f"expected SOURCE=TRUST, not {text!r}.")
        is_unset = spelled.strip().lower() in _UNSET
        number = None if is_unset else parse_number("--set", spelled)
        if changes.get(name, number) != number:
            raise BadValue("--set", f"{name} is given twice, with different trusts.")
        changes[name] = number
    return changes


def _read_trial(vault_open: Opened, name: str) -> Mapping[str, float | None]:
    trials = read_trials(vault_open)
    found = trials.find(name)
    if found is None:
        known = ", ".join(f"“{one.name}”" for one in trials.read())
        raise BadValue(
            "--trial",
            f"none is called {name!r}.",
            f"There are: {known}." if known else "None is saved for this brain.",
        )
    fitted = fit_trial(found, vault_open.snapshot)
    if missing := fitted.text():
        complain(missing)
    return fitted.trust


def _change(
    vault_open: Opened,
    changes: Mapping[str, float | None],
    wanted: Wanted,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    vault = vault_open.vault
    plan = plan_set_trust(
        vault.read_trust(),
        changes,
        brain_id=vault_open.brain_id,
        now=vault_open.now,
        new_id=lambda: str(uuid.uuid4()),
    )
    moved = {entry.entity_id for entry in plan.log}
    wished = {normalise_source_key(source): value for source, value in changes.items()}
    trust = {key: value for key, value in wished.items() if key in moved}
    _warn_of_unnamed(vault_open, trust)
    # Before it is written: the effect is the way from what was to what will be.
    effect = find_effect(vault_open, trust, wanted)
    if not dry_run and not plan.is_empty:
        vault.apply(plan, now=vault_open.now)
    if as_json:
        write_json(_change_json(vault_open, plan, wished, effect, dry_run=dry_run))
    elif plan.is_empty:
        write_line("Nothing to change.")
    else:
        why = f" ({plan.changes[0].why})" if len(plan.changes) == 1 else ""
        would = DRY_RUN if dry_run else ""
        write_line(clean(f"{would}{plan.label}{why}:"))
        write_effect(vault_open, effect)


def _warn_of_unnamed(vault_open: Opened, trust: Mapping[str, float | None]) -> None:
    """Say which sources no memory names: most likely a slip, though nothing forbids it."""
    sources = vault_open.snapshot.sources
    named = [key for key, count in zip(sources.keys, sources.counts, strict=True) if count]
    for key, value in trust.items():
        if value is not None and key not in named:
            close = get_close_matches(key, named, n=1, cutoff=_ALIKE)
            meant = f" Did you mean “{close[0]}”?" if close else ""
            complain(f"No memory names “{key}”.{meant}")


def _change_json(
    vault_open: Opened,
    plan: Plan,
    trust: Mapping[str, float | None],
    effect: TrustEffect,
    *,
    dry_run: bool,
) -> dict[str, Any]:
    values = {key: None if value is None else plain(value) for key, value in trust.items()}
    (key, value), *others = values.items() or [("", None)]
    one = {} if others or not key else {"source_key": key, "trust": value}
    return {
        "changes": changes_json(plan),
        **one,
        "sources": values,
        "dry_run": dry_run,
        **effect_json(vault_open, effect),
    }

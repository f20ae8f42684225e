"""Which trust keeps memories at a score, and the trials that were saved: text and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mvdesk.cli.output import Column, clean, format_day, write_json, write_line, write_table
from mvdesk.cli.records_json import plain
from mvdesk.cli.source_listing import trust_text
from mvdesk.vault.questions.inverse_trust import find_lowest_trusts
from mvdesk.vault.trials import Trials, fit_trial
from mvdesk.vault.vault import new_uuid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.cli.opened import Opened
    from mvdesk.cli.trust_effect import Wanted
    from mvdesk.vault.questions.inverse_trust import LowestTrust


def show_lowest_trusts(
    vault_open: Opened, ids: Sequence[str], wanted: Wanted, *, as_json: bool
) -> None:
    """For each source of some memories the lowest trust that keeps them at the threshold."""
    snapshot = vault_open.snapshot
    rows = [vault_open.row_of(vault_open.find_id(text)) for text in ids]
    rows = list(dict.fromkeys(rows))
    found = find_lowest_trusts(
        snapshot,
        vault_open.model,
        vault_open.now,
        rows,
        wanted.threshold,
        kind=wanted.kind,
    )
    answered = {row for one in found for row in one.rows}
    without = [row for row in rows if row not in answered]
    if as_json:
        write_json(
            {
                "score": wanted.kind,
                "target": plain(float(wanted.threshold)),
                "sources": [_lowest_json(vault_open, one) for one in found],
                "without_source": [snapshot.memories.ids.text(row) for row in without],
            }
        )
        return
    for one in found:
        now = trust_text(_stored(vault_open, one.source_key))
        write_line(clean(f"{one.source_key} (now {now}): {one.answer.text()}."))
    for row in without:
        label = snapshot.memories.labels.text(row)
        write_line(clean(f"{label}: names no source, so no trust moves it."))


def show_trials(vault_open: Opened, *, as_json: bool) -> None:
    """The saved trials of the brain, the one changed last first."""
    trials = read_trials(vault_open).read()
    if as_json:
        write_json(
            {
                "count": len(trials),
                "trials": [
                    {
                        "name": one.name,
                        "trust": dict(one.trust),
                        "missing": list(fit_trial(one, vault_open.snapshot).missing),
                        "created_at": one.created_at,
                        "updated_at": one.updated_at,
                    }
                    for one in trials
                ],
            }
        )
        return
    if not trials:
        write_line("No trial is saved for this brain.")
        return
    columns = (Column("changed"), Column("trial", elastic=True), Column("trust", elastic=True))
    write_table(
        columns,
        [
            (
                format_day(one.updated_at),
                one.name,
                ", ".join(f"{key} {trust_text(value)}" for key, value in one.trust.items()),
            )
            for one in trials
        ],
    )


def read_trials(vault_open: Opened) -> Trials:
    """The trials of the open brain."""
    return Trials(vault_open.vault.companion, vault_open.brain_id, new_uuid)


def _lowest_json(vault_open: Opened, one: LowestTrust) -> dict[str, Any]:
    memories = vault_open.snapshot.memories
    return {
        "source_key": one.source_key,
        "trust": _stored(vault_open, one.source_key),
        "value": one.answer.value,
        "memories": [
            {
                "id": memories.ids.text(row),
                "label": memories.labels.text(row),
                "score": plain(score),
            }
            for row, score in zip(one.rows, one.answer.scores.tolist(), strict=True)
        ],
        "text": one.answer.text(),
    }


def _stored(vault_open: Opened, key: str) -> float | None:
    trusts = {row.source_key: row.trust for row in vault_open.vault.read_trust()}
    return trusts.get(key)

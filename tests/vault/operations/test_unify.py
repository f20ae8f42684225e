"""Sources that are one get one spelling and one trust, and undo takes it all back."""

from __future__ import annotations

import random
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.errors import BadValue, VaultChanged
from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V2
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.vault.operations.unify import Unify, plan_unify_sources, preview_unify
from mvdesk.vault.plan import TRUST
from mvdesk.vault.snapshot import read_snapshot, refresh_snapshot
from tests.vault.tuned import NOW, make_tuned_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault

    Contents = Callable[[Path], dict[str, list[tuple[object, ...]]]]

LATER = NOW + 86_400


@pytest.fixture
def vault(tmp_path: Path, open_vault: Callable[..., Vault]) -> Vault:
    path = tmp_path / "tuned.sqlite"
    make_tuned_vault(path, 3)
    return open_vault(path)


def planned(vault: Vault, unify: Unify) -> Plan:
    numbers = count(1)
    return plan_unify_sources(
        read_snapshot(vault),
        vault.read_trust(),
        unify,
        now=LATER,
        new_id=lambda: f"made-{next(numbers)}",
    )


def stored(vault: Vault) -> dict[str, tuple[float, str | None]]:
    return {row.source_key: (row.trust, row.notes) for row in vault.read_trust()}


@pytest.mark.parametrize("seed", range(12))
def test_the_preview_is_what_the_file_holds_afterwards(
    seed: int, vault: Vault, contents: Contents
) -> None:
    rng = random.Random(seed)
    before, rows = read_snapshot(vault), contents(vault.path)
    model = SERVER_V2 if seed % 2 else PUBLISHED_V1
    keys = rng.sample(before.sources.keys, rng.randint(1, 3))
    text = rng.choice(("Slack #design", "blog", "System log", "new rumor"))
    kept = rng.choice((None, *keys))
    unify = Unify.of(keys, text, kept)
    committed = evaluate(before.inputs(model), model, LATER)
    shown = preview_unify(before, model, LATER, committed, unify)
    plan = planned(vault, unify)
    changes = vault.apply(plan, now=LATER)
    refreshed, after = refresh_snapshot(vault, before, changes), read_snapshot(vault)
    assert after.sources.keys == refreshed.sources.keys
    scores = evaluate(after.inputs(model), model, LATER)
    for name in Scores.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(shown.scores, name), getattr(scores, name))
    ids = after.memories.ids
    assert {ids[int(row)] for row in shown.edited} == {
        change.key.id for change in plan.changes if change.key.table != TRUST
    }
    texts = {after.sources.texts[int(after.memories.source_rows[row])] for row in shown.rows}
    assert texts <= {text}
    if not plan.is_empty:
        vault.undo(now=LATER + 1)
    assert contents(vault.path) == rows


def test_the_trust_that_is_kept_moves_with_its_note_and_the_others_go(vault: Vault) -> None:
    vault.apply(planned(vault, Unify.of(["slack #design", "blog"], "Chat", "blog")), now=LATER)
    assert stored(vault) == {
        "chat": (0.5, "note of blog"),
        "nobody": (0.9, "note of nobody"),
    }
    vault.undo(now=LATER)
    vault.apply(planned(vault, Unify.of(["slack #design"], "Blog", "slack #design")), now=LATER)
    assert stored(vault)["blog"] == (0.35, "note of slack #design")
    vault.undo(now=LATER)
    vault.apply(planned(vault, Unify.of(["slack #design"], "Blog", "blog")), now=LATER)
    assert stored(vault)["blog"] == (0.5, "note of blog")
    vault.undo(now=LATER)
    vault.apply(planned(vault, Unify.of(["slack #design"], "Blog", None)), now=LATER)
    assert stored(vault) == {"nobody": (0.9, "note of nobody")}


def test_a_source_kept_that_has_no_trust_leaves_none(vault: Vault) -> None:
    vault.apply(planned(vault, Unify.of(["blog", "hearsay"], "blog", "hearsay")), now=LATER)
    assert "blog" not in stored(vault)


def test_what_is_written_so_already_stays_as_it_is(vault: Vault) -> None:
    plan = planned(vault, Unify.of(["Slack #design"], "Slack #design", "slack #design"))
    written = {change.before["source"] for change in plan.changes}
    assert written == {"slack  #DESIGN"}
    vault.apply(plan, now=LATER)
    assert planned(vault, Unify.of(["slack #design"], "Slack #design", "slack #design")).is_empty


def test_equal_trusts_write_no_trust(vault: Vault) -> None:
    plan = planned(vault, Unify.of(["nobody"], "blog", "blog"))
    assert [(c.key.table, c.after) for c in plan.changes if c.key.table == TRUST] == [(TRUST, None)]
    vault.apply(plan, now=LATER)
    again = planned(vault, Unify.of(["blog"], "Blog", "blog"))
    assert all(change.key.table != TRUST for change in again.changes)


def test_each_memory_and_each_trust_has_its_line_in_the_history(vault: Vault) -> None:
    plan = planned(vault, Unify.of(["slack #design", "blog"], "Chat", "blog"))
    events = [entry.event_type for entry in plan.log]
    memories = [change for change in plan.changes if change.key.table != TRUST]
    assert events.count("memory_updated") == len(memories)
    trusts = {e.entity_id: e.payload["trust"] for e in plan.log if e.entity_type == "source"}
    assert trusts == {"chat": 0.5, "slack #design": None, "blog": None}
    assert plan.label == "Unify 3 sources as Chat"
    assert {change.after["updated_at"] for change in memories} == {LATER}


def test_a_memory_edited_meanwhile_stops_it(vault: Vault, run_sql: Callable[..., object]) -> None:
    plan = planned(vault, Unify.of(["blog"], "Chat", "blog"))
    moved = next(change.key.id for change in plan.changes if change.key.table != TRUST)
    run_sql(vault.path, ("UPDATE memories SET source = 'other' WHERE id = ?", (moved,)))
    with pytest.raises(VaultChanged):
        vault.apply(plan, now=LATER)


@pytest.mark.parametrize(
    ("sources", "text", "keep"),
    [
        ([" "], "Chat", None),
        (["blog"], " ", None),
        (["blog"], "Chat", "slack"),
        (["blog"], "half \udcff", None),
    ],
)
def test_what_makes_no_sense_is_refused(sources: list[str], text: str, keep: str | None) -> None:
    with pytest.raises(BadValue):
        Unify.of(sources, text, keep)

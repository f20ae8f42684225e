"""What a merge was said to do is what it does, and undo takes all of it back."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.arrays import NO_TIME
from mvdesk.errors import BadValue, MemoryNotFound, VaultChanged
from mvdesk.records import MEMORY_TYPES
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.operations.links import plan_unlink
from mvdesk.vault.operations.merge import plan_merge
from mvdesk.vault.questions.merging import (
    PairSeen,
    find_fates,
    plan_as_seen,
    preview_merge,
    read_pair_seen,
)
from mvdesk.vault.snapshot import Snapshot, read_snapshot
from mvdesk.vault.vault import Vault
from tests.vault.made import link, memory
from tests.vault.tuned import NOW, make_tuned_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.questions.merging import MergePreview

    Contents = Callable[[Path], dict[str, list[tuple[object, ...]]]]

VAULTS = 200


def random_fields(rng: random.Random, seen: PairSeen) -> dict[str, object]:
    """What a person may have made of some of the fields."""
    choices: dict[str, tuple[object, ...]] = {
        "title": (seen.a.title, seen.b.title, "Both", ""),
        "content": (seen.a.content, seen.b.content, "Both together, verified."),
        "type": MEMORY_TYPES,
        "key": (seen.a.key, seen.b.key, None, "other"),
        "tags": ("one, two", "", None),
        "source": (seen.a.source, seen.b.source, "blog", None),
        "confidence": (seen.a.confidence, seen.b.confidence, 1),
        "importance": (seen.a.importance, 0.25),
    }
    fields = {name: rng.choice(values) for name, values in choices.items() if rng.random() < 0.6}
    if not str(fields.get("content", "text")).strip():
        fields["content"] = "Not blank."
    return fields


def look(
    vault: Vault, snapshot: Snapshot, seen: PairSeen, primary_id: str, fields: dict[str, object]
) -> MergePreview:
    numbers = iter(range(99))
    return preview_merge(
        vault,
        snapshot,
        seen,
        primary_id,
        fields,
        SERVER_V2,
        shown_at=NOW,
        now=NOW,
        new_id=lambda: f"made-{next(numbers)}",
    )


def check(vault: Vault, contents: Contents, rng: random.Random) -> None:
    """Merge two: scores, fields and links are those promised; undo leaves no trace."""
    before, held = read_snapshot(vault), contents(vault.path)
    pair = a_pair(before, rng)
    seen = read_pair_seen(vault, *pair)
    fields = random_fields(rng, seen)
    if not (seen.a.content.strip() or seen.b.content.strip()):
        fields.setdefault("content", "Something.")
    shown = look(vault, before, seen, rng.choice(pair), fields)
    old = evaluate(before.inputs(SERVER_V2), SERVER_V2, NOW)
    vault.apply(plan_as_seen(vault, shown), now=NOW)
    after = read_snapshot(vault)
    new = evaluate(after.inputs(SERVER_V2), SERVER_V2, NOW)
    rows = after.rows_of(list(pair)).tolist()
    row = after.row_of(shown.primary_id)
    assert row is not None
    assert shown.scores is not None
    assert shown.others is not None
    assert shown.scores == (
        *((old.confidence[one], old.importance[one]) for one in rows),
        (new.confidence[row], new.importance[row]),
    )
    moved = (old.confidence != new.confidence) | (old.importance != new.importance)
    moved[rows] = False
    assert shown.others.rows.tolist() == np.flatnonzero(moved).tolist()
    for name in ("confidence", "importance"):
        told = getattr(shown.others, f"{name}_before"), getattr(shown.others, f"{name}_after")
        for scores, values in zip((old, new), told, strict=True):
            assert getattr(scores, name)[shown.others.rows].tolist() == values.tolist()
    result = vault.read_memory(shown.primary_id)
    for name, value in fields.items():
        assert as_shown(getattr(result, name)) == as_shown(value)
    gone = vault.read_memory(next(one for one in pair if one != shown.primary_id))
    assert gone.archived_at == NOW
    left = {fate.after for fate in shown.links if fate.after is not None}
    assert left == set(vault.read_links_of(*pair))
    vault.undo(now=NOW + 1)
    assert contents(vault.path) == held


def as_shown(value: object) -> object:
    """A blank text is as good as none."""
    return None if isinstance(value, str) and not value.strip() else value


def a_pair(snapshot: Snapshot, rng: random.Random) -> tuple[str, str]:
    table = snapshot.memories
    active = np.flatnonzero(table.archived_at == NO_TIME).tolist()
    one, other = rng.sample(active, 2)
    return table.ids.text(one), table.ids.text(other)


@pytest.mark.parametrize("batch", range(8))
def test_a_merge_does_what_it_promised_in_200_random_vaults(
    many_files: Path, contents: Contents, batch: int
) -> None:
    for seed in range(batch * VAULTS // 8, (batch + 1) * VAULTS // 8):
        rng = random.Random(seed)
        path = many_files / f"{seed}.sqlite"
        make_tuned_vault(path, seed, memories=16)
        with Vault.open(path, data_folder=many_files) as vault:
            check(vault, contents, rng)


def test_a_merge_does_what_it_promised_in_a_servers_file(server: Vault, contents: Contents) -> None:
    rng = random.Random(1)
    for _ in range(12):
        check(server, contents, rng)


def test_every_link_of_the_two_has_a_fate() -> None:
    a, b = memory("a", importance=0.9), memory("b")
    links = [
        link("a", "z", "related"),
        link("a", "b", "contradicts"),
        link("b", "a", "related"),
        link("b", "z", "related"),
        link("b", "x", "supports"),
        link("y", "b", "causes"),
        link("b", "b", "related"),
    ]
    seen = PairSeen(a, b, tuple(links))
    plan = plan_merge([a, b], links, now=NOW, new_id=lambda: "new")
    fates = find_fates(seen, plan)
    assert [fate.fate for fate in fates] == [
        "stays",
        "becomes",
        "itself",
        "same",
        "moves",
        "moves",
        "itself",
    ]
    ends = [(f.after.from_id, f.after.to_id, f.after.relation_type) for f in fates if f.after]
    assert ends == [
        ("a", "z", "related"),
        ("a", "b", "supersedes"),
        ("a", "x", "supports"),
        ("y", "a", "causes"),
    ]
    plan = plan_merge([a, b], [], now=NOW, new_id=lambda: "new")
    (made,) = find_fates(PairSeen(a, b, ()), plan)
    assert (made.fate, made.before) == ("made", None)
    assert made.after is not None
    assert (made.after.from_id, made.after.to_id, made.after.label) == ("a", "b", "merged")


def test_what_changed_meanwhile_stops_the_merge(
    server: Vault, contents: Contents, run_sql: Callable[..., list]
) -> None:
    rng = random.Random(4)
    snapshot = read_snapshot(server)
    pair = a_pair(snapshot, rng)
    seen = read_pair_seen(server, *pair)
    shown = look(server, snapshot, seen, pair[0], {})
    run_sql(server.path, ("UPDATE memories SET content = 'new' WHERE id = ?", (pair[1],)))
    held = contents(server.path)
    with pytest.raises(VaultChanged, match="changed elsewhere meanwhile"):
        plan_as_seen(server, shown)
    seen = read_pair_seen(server, *pair)
    shown = look(server, snapshot, seen, pair[0], {})
    gone = server.read_memories([pair[1]])
    server.apply(
        plan_delete(gone, server.read_links_of(pair[1]), brain_id=server.brain.id), now=NOW
    )
    with pytest.raises(MemoryNotFound):
        plan_as_seen(server, shown)
    server.undo(now=NOW)
    assert contents(server.path) == held


def test_a_link_that_went_meanwhile_stops_the_merge(server: Vault) -> None:
    snapshot = read_snapshot(server)
    links, ids = snapshot.links, snapshot.memories.ids
    pair = ids.text(int(links.from_rows[0])), ids.text(int(links.to_rows[0]))
    linked = next(one for one in server.read_links_of(*pair) if one.id == links.ids.text(0))
    shown = look(server, snapshot, read_pair_seen(server, *pair), pair[0], {})
    server.apply(plan_unlink(linked, from_label="", to_label=""), now=NOW)
    with pytest.raises(VaultChanged):
        plan_as_seen(server, shown)


def test_fields_that_no_memory_can_have_are_refused(server: Vault) -> None:
    snapshot = read_snapshot(server)
    pair = a_pair(snapshot, random.Random(3))
    seen = read_pair_seen(server, *pair)
    for fields in ({"content": " "}, {"type": "poem"}, {"confidence": 2}, {"owner": "me"}):
        with pytest.raises(BadValue):
            look(server, snapshot, seen, pair[0], fields)

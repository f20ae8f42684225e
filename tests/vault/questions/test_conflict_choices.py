"""What a decision about a conflict would do is what it does, and undo takes all of it back."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.errors import MemoryNotFound, VaultChanged
from mvdesk.records import ConflictResolution
from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.operations.links import plan_unlink
from mvdesk.vault.questions.conflict_changes import ConflictIndex
from mvdesk.vault.questions.conflict_choices import (
    CHOICES,
    contradiction_costs,
    find_outcomes,
    plan_choice,
    plan_choice_as_seen,
    read_pair,
    score_pair,
)
from mvdesk.vault.questions.conflicts import BY_LINK, ConflictSettings, find_conflicts
from mvdesk.vault.rules import read_resolutions
from mvdesk.vault.snapshot import Snapshot, read_snapshot
from mvdesk.vault.vault import Vault
from tests.vault.made import BRAIN, link, memory, reader_of, snapshot_of
from tests.vault.tuned import NOW, make_tuned_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.questions.conflict_choices import Outcome, PairState
    from mvdesk.vault.questions.conflicts import Conflict

    Contents = Callable[[Path], dict[str, list[tuple[object, ...]]]]

VAULTS = 200


def ids() -> Callable[[], str]:
    return lambda: "made"


def outcomes_of(
    vault: Vault, snapshot: Snapshot, pair: PairState, retire: bool
) -> tuple[Outcome, ...]:
    rows = snapshot.rows_of([pair.a.id, pair.b.id])
    trust = snapshot.inputs(SERVER_V2).trust[rows]
    return find_outcomes(vault, snapshot, pair, SERVER_V2, NOW, trust, retire=retire, new_id=ids())


def check(
    vault: Vault, contents: Contents, pair: tuple[str, str], choice: int, retire: bool
) -> None:
    """Apply one choice: the scores are those promised; undo leaves no trace."""
    snapshot = read_snapshot(vault)
    state = read_pair(vault, *pair)
    outcome = outcomes_of(vault, snapshot, state, retire)[choice]
    before = contents(vault.path)
    plan = plan_choice_as_seen(
        vault, state, outcome.choice, note=None, retire=retire, now=NOW, new_id=ids()
    )
    assert plan == outcome.plan
    if plan.is_empty:
        return
    vault.apply(plan, now=NOW)
    after = read_snapshot(vault)
    rows = after.rows_of(list(pair)).tolist()
    trust = after.inputs(SERVER_V2).trust[rows]
    assert score_pair(after, rows, SERVER_V2, NOW, trust) == outcome.after
    stays = {link.id for link in read_pair(vault, *pair).links}
    assert len([said for said in outcome.links if not said.endswith("removed")]) == len(stays)
    vault.undo(now=NOW + 1)
    assert contents(vault.path) == before


@pytest.mark.parametrize("batch", range(8))
def test_each_choice_does_what_it_promised_in_200_random_vaults(
    many_files: Path, contents: Contents, batch: int
) -> None:
    for seed in range(batch * VAULTS // 8, (batch + 1) * VAULTS // 8):
        rng = random.Random(seed)
        path = many_files / f"{seed}.sqlite"
        make_tuned_vault(path, seed, memories=16)
        with Vault.open(path, data_folder=many_files) as vault:
            snapshot = read_snapshot(vault)
            index = ConflictIndex(snapshot, read_resolutions(vault), vault.read_memories)
            confidence = evaluate(snapshot.inputs(SERVER_V2), SERVER_V2, NOW).confidence
            found, _ = index.find_open(confidence, threshold=0.0)
            pairs = [*found, *index.find_decided(confidence)]
            one = rng.choice(pairs)
            names = snapshot.memories.ids
            pair = names.text(one.a_row), names.text(one.b_row)
            check(vault, contents, pair, rng.randrange(4), rng.random() < 0.5)


def test_each_choice_does_what_it_promised_in_a_servers_file(
    server: Vault, contents: Contents
) -> None:
    snapshot = read_snapshot(server)
    index = ConflictIndex(snapshot, read_resolutions(server), server.read_memories)
    confidence = evaluate(snapshot.inputs(SERVER_V2), SERVER_V2, NOW).confidence
    names = snapshot.memories.ids
    for place, one in enumerate(index.find_open(confidence)[0]):
        pair = names.text(one.a_row), names.text(one.b_row)
        for retire in (False, True):
            check(server, contents, pair, place % 4, retire)


def order(one: Conflict) -> tuple[float, int, int]:
    """The strongest first; equal ones by their rows."""
    return -sum(one.confidence), one.a_row, one.b_row


def test_open_below_and_decided_pairs_are_all_pairs(server: Vault) -> None:
    snapshot, rulings = read_snapshot(server), read_resolutions(server)
    index = ConflictIndex(snapshot, rulings, server.read_memories)
    scores = evaluate(snapshot.inputs(SERVER_V2), SERVER_V2, NOW)
    for threshold in (0.0, 0.5, 0.7, 0.95, 1.0):
        settings = ConflictSettings(min_confidence=threshold, limit=None)
        listed = find_conflicts(snapshot, scores, rulings, server.read_memories, settings)
        found, total = index.find_open(scores.confidence, threshold=threshold)
        assert sorted(found, key=order) == sorted(listed.conflicts, key=order)
        assert total == listed.total
        below, below_total = index.find_below(scores.confidence, threshold=threshold)
        assert len(below) == below_total
        assert all(min(one.confidence) < threshold for one in below)
        everything = index.find_open(scores.confidence, threshold=0.0)[1]
        assert total + below_total == everything
    assert len(index.find_open(scores.confidence, limit=3)[0]) == 3


def test_decided_pairs_say_whether_they_still_conflict_the_newest_first() -> None:
    facts = [memory(name, key="rent", content=f"Text {name}.") for name in "ab"]
    facts += [memory(name, content="Other") for name in "cd"]
    rulings = [
        ConflictResolution("1", BRAIN, "a|b", "b", "a", "dismissed", None, "why", 1, 1),
        ConflictResolution("2", BRAIN, "c|d", "c", "d", "superseded", "c", None, 1, 3),
        ConflictResolution("3", BRAIN, "a|c", "a", "c", "resolved", None, None, 1, 2),
    ]
    snapshot = snapshot_of(facts, [link("c", "a", "contradicts"), link("c", "d", "supersedes")])
    index = ConflictIndex(snapshot, rulings, reader_of(facts))
    told = [
        (one.a_row, one.b_row, one.link_row, one.fact_key, one.confidence)
        for one in index.find_decided(np.array([0.1, 0.2, 0.3, 0.4]))
    ]
    assert told == [
        (2, 3, -1, "", (0.3, 0.4)),
        (0, 2, 0, "", (0.1, 0.3)),
        (1, 0, -1, "rent", (0.2, 0.1)),
    ]


def pair_with(server: Vault, kind: str = BY_LINK) -> tuple[str, str]:
    snapshot = read_snapshot(server)
    scores = evaluate(snapshot.inputs(SERVER_V2), SERVER_V2, NOW)
    found = find_conflicts(
        snapshot, scores, read_resolutions(server), server.read_memories, ConflictSettings()
    )
    one = next(one for one in found.conflicts if one.kind == kind)
    return snapshot.memories.ids.text(one.a_row), snapshot.memories.ids.text(one.b_row)


def test_links_are_told_rewritten_staying_added_or_removed(server: Vault) -> None:
    snapshot, pair = read_snapshot(server), read_pair(server, *pair_with(server))
    plain, retiring = (outcomes_of(server, snapshot, pair, retire) for retire in (False, True))
    assert [one.choice for one in plain] == list(CHOICES)
    assert plain[0].links == ("A → B contradicts becomes supersedes",)
    stays = "A → B contradicts stays and still counts against both"
    assert plain[1].links == (stays, "B → A supersedes is added")
    assert plain[2].links == plain[3].links == (stays,)
    removed = "A → B contradicts is removed"
    assert retiring[1].links == (removed, "B → A supersedes is added")
    assert retiring[2].links == (removed,)


def test_a_link_that_supersedes_already_gets_the_label_of_the_decision(server: Vault) -> None:
    a_id, b_id = pair_with(server)
    pair = read_pair(server, a_id, b_id)
    keep = plan_choice(pair, "keep_a", note=None, retire=False, now=NOW, new_id=ids())
    server.apply(keep, now=NOW)
    unlabelled = (
        "UPDATE memory_links SET label = NULL WHERE from_id = ? AND to_id = ?",
        a_id,
        b_id,
    )
    with server.file.write() as conn:
        conn.exec_driver_sql(unlabelled[0], unlabelled[1:])
    again = outcomes_of(server, read_snapshot(server), read_pair(server, a_id, b_id), False)
    assert again[0].links == ("A → B supersedes gets another label",)


def test_the_stored_note_stays_unless_another_is_given(server: Vault) -> None:
    ruling = read_resolutions(server)[-1]
    pair = read_pair(server, ruling.a_id, ruling.b_id)
    for note, kept in ((None, ruling.note), ("Asked the bank", "Asked the bank"), ("", None)):
        plan = plan_choice(pair, "review", note=note, retire=False, now=NOW, new_id=ids())
        after = plan.changes[0].after
        assert after is not None
        assert after["note"] == kept


def test_a_pair_decided_or_linked_otherwise_meanwhile_is_refused_in_words(server: Vault) -> None:
    seen = read_pair(server, *pair_with(server))

    def choose() -> None:
        plan_choice_as_seen(server, seen, "keep_b", note=None, retire=False, now=NOW, new_id=ids())

    other = plan_choice(seen, "both", note=None, retire=False, now=NOW, new_id=ids())
    server.apply(other, now=NOW)
    with pytest.raises(VaultChanged, match="it is dismissed now"):
        choose()
    server.undo(now=NOW)
    choose()
    server.apply(plan_unlink(seen.links[0]), now=NOW)
    with pytest.raises(VaultChanged, match="The links between"):
        choose()
    server.undo(now=NOW)
    links = server.read_links_of(seen.a.id)
    server.apply(plan_delete([seen.a], links, brain_id=server.brain.id), now=NOW)
    with pytest.raises(MemoryNotFound):
        choose()


def test_a_decision_taken_back_elsewhere_is_open_again(server: Vault) -> None:
    seen = read_pair(server, *pair_with(server))
    both = plan_choice(seen, "both", note=None, retire=False, now=NOW, new_id=ids())
    server.apply(both, now=NOW)
    decided = read_pair(server, seen.a.id, seen.b.id)
    server.undo(now=NOW)
    with pytest.raises(VaultChanged, match="it is open now"):
        plan_choice_as_seen(
            server, decided, "keep_a", note=None, retire=False, now=NOW, new_id=ids()
        )


def test_a_pair_the_snapshot_doesnt_have_has_no_outcomes(server: Vault) -> None:
    pair = read_pair(server, *pair_with(server))
    with pytest.raises(KeyError):
        find_outcomes(
            server,
            snapshot_of([]),
            pair,
            SERVER_V2,
            NOW,
            np.array([0.5, 0.5]),
            retire=False,
            new_id=ids(),
        )


def test_a_contradicting_link_costs_what_removing_it_would_give_back() -> None:
    facts = [memory("a"), memory("b"), memory("c")]
    joined = snapshot_of(facts, [link("a", "b", "contradicts")])
    alone = snapshot_of(facts)
    scores = [evaluate(one.inputs(PUBLISHED_V1), PUBLISHED_V1, NOW) for one in (joined, alone)]
    lost = scores[0].confidence - scores[1].confidence
    costs = contradiction_costs(joined, [(0, 1)], PUBLISHED_V1, NOW)
    assert costs[0] == pytest.approx((lost[0], lost[1]))
    assert costs[0][0] < 0
    assert contradiction_costs(joined, [], PUBLISHED_V1, NOW) == []

"""The rules of a brain: defaults, ranges, what a file may hold instead."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import BadValue
from mvdesk.records import StoredPolicy
from mvdesk.vault import rules
from mvdesk.vault.operations.policy import (
    RANGES,
    Policy,
    find_policy_problems,
    plan_repair_policy,
    plan_set_policy,
    policy_of,
)
from tests.vault.made import BRAIN, NOW
from tests.vault.recorded import answers, note_compared

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.vault import Vault


def stored(text: str) -> StoredPolicy:
    return StoredPolicy(BRAIN, text, 5, 7)


def test_the_recorded_policy_is_read_as_the_server_reads_it(server: Vault) -> None:
    (call,) = answers("brain_policy_get", count=1)
    policy = policy_of(rules.read_policy(server))
    assert policy.to_json() == call["response_json"]["policy"]
    note_compared("policy")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "[" * 100_000])
def test_a_policy_that_is_none_is_the_default(text: str) -> None:
    assert policy_of(stored(text)) == Policy()
    assert policy_of(None) == Policy()


def test_strange_values_are_moved_into_range_or_left_out() -> None:
    text = json.dumps(
        {
            "decay_days": 99999,
            "path_max_hops": 3.9,
            "min_link_suggestion_score": -1,
            "retention_days": "30",
            "snapshot_retention": True,
            "private_mode": 0,
        }
    )
    assert policy_of(stored(text)) == replace(
        Policy(), decay_days=3650, path_max_hops=3, min_link_suggestion_score=0.0
    )
    assert policy_of(stored('{"private_mode": false, "decay_days": NaN}')) == replace(
        Policy(), private_mode=False
    )


def test_the_defaults_are_in_range() -> None:
    for name, (low, high) in RANGES.items():
        assert low <= getattr(Policy(), name) <= high


def test_a_first_rule_makes_the_row() -> None:
    plan = plan_set_policy(None, {"decay_days": 90}, brain_id=BRAIN, now=NOW)
    (change,) = plan.changes
    assert change.before is None
    assert change.after is not None
    assert json.loads(str(change.after["policy_json"])) == {**Policy().to_json(), "decay_days": 90}
    (entry,) = plan.log
    assert (entry.event_type, entry.entity_type) == ("brain_policy_set", "brain_policy")
    assert entry.payload["decay_days"] == 90
    assert entry.inverse().payload["decay_days"] == 30


def test_rules_that_we_do_not_know_stay() -> None:
    old = stored('{"decay_days": 30, "of_tomorrow": [1]}')
    (change,) = plan_set_policy(old, {"private_mode": False}, brain_id=BRAIN, now=NOW).changes
    assert change.after is not None
    assert json.loads(str(change.after["policy_json"]))["of_tomorrow"] == [1]
    assert change.before == {"policy_json": old.policy_json, "updated_at": 7}


def test_a_rule_of_hundreds_of_digits_is_the_end_of_its_range() -> None:
    huge = stored('{"decay_days": 1' + 400 * "0" + "}")
    assert policy_of(huge).decay_days == 3650
    assert len(find_policy_problems(huge)) == 1
    plan = plan_repair_policy(huge, brain_id=BRAIN, now=NOW)
    assert '"decay_days":3650' in str(plan.changes[0].written["policy_json"])


def test_the_same_rules_again_write_nothing() -> None:
    asked = {"decay_days": 30.0, "min_link_suggestion_score": 0.25}
    assert plan_set_policy(stored("{}"), asked, brain_id=BRAIN, now=NOW).is_empty


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("decay_days", 0),
        ("decay_days", 1.5),
        ("decay_days", "30"),
        ("decay_days", True),
        ("min_link_suggestion_score", float("nan")),
        ("min_link_suggestion_score", 1.01),
        ("private_mode", 1),
        ("colour", "red"),
    ],
)
def test_what_is_no_rule_or_out_of_range_is_refused(name: str, value: object) -> None:
    with pytest.raises(BadValue) as refused:
        plan_set_policy(None, {name: value}, brain_id=BRAIN, now=NOW)
    assert refused.value.field == name


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("decay_days", 1e9, "1000000000."),
        ("decay_days", 1.5, "1.5."),
        (
            "decay_days",
            10**400,
            "a number beyond all use.",
        ),
        ("decay_days", "soon", "“soon”."),
        ("decay_days", None, "nothing."),
        ("decay_days", True, "yes."),
        ("private_mode", 0, "0."),
    ],
)
def test_a_refused_value_is_shown_as_it_was_meant(name: str, value: object, said: str) -> None:
    with pytest.raises(BadValue, match=re.escape(f", not {said}")):
        plan_set_policy(None, {name: value}, brain_id=BRAIN, now=NOW)


def test_a_changed_policy_is_written_and_undone(
    server: Vault, contents: Callable[[Path], dict]
) -> None:
    untouched = contents(server.path)
    plan = plan_set_policy(
        rules.read_policy(server), {"decay_days": 45}, brain_id=server.brain.id, now=NOW
    )
    server.apply(plan, now=NOW)
    assert policy_of(rules.read_policy(server)).decay_days == 45
    assert policy_of(rules.read_policy(server)).path_max_hops == 4
    server.undo(now=NOW)
    assert contents(server.path) == untouched


def test_a_new_vault_gets_a_policy_when_one_is_set(empty: Vault) -> None:
    assert rules.read_policy(empty) is None
    asked = {"snapshot_retention": 3}
    plan = plan_set_policy(None, asked, brain_id=empty.brain.id, now=NOW)
    empty.apply(plan, now=NOW)
    assert policy_of(rules.read_policy(empty)).snapshot_retention == 3
    empty.undo(now=NOW)
    assert rules.read_policy(empty) is None


@pytest.mark.parametrize("text", ["{", "", "[1]", "[" * 100_000])
def test_broken_rules_are_said_and_repaired(text: str) -> None:
    (said,) = find_policy_problems(stored(text))
    assert "broken JSON" in said
    (change,) = plan_repair_policy(stored(text), brain_id=BRAIN, now=NOW).changes
    assert change.before == {"policy_json": text, "updated_at": 7}
    assert change.after is not None
    assert json.loads(str(change.after["policy_json"])) == Policy().to_json()


def test_rules_that_are_read_otherwise_are_said_and_repaired() -> None:
    old = stored('{"decay_days": 99999, "private_mode": 1, "path_max_hops": "x", "tomorrow": 2}')
    assert find_policy_problems(old) == [
        "decay_days is 99999 in the file; 3650 is used.",
        "private_mode is 1 in the file; true is used.",
        'path_max_hops is "x" in the file; 5 is used.',
    ]
    (change,) = plan_repair_policy(old, brain_id=BRAIN, now=NOW).changes
    assert change.after is not None
    repaired = stored(str(change.after["policy_json"]))
    assert find_policy_problems(repaired) == []
    assert json.loads(repaired.policy_json)["tomorrow"] == 2


def test_sound_rules_need_no_repair() -> None:
    for sound in (None, stored("{}"), stored('{"decay_days": 30.0}')):
        assert find_policy_problems(sound) == []
        assert plan_repair_policy(sound, brain_id=BRAIN, now=NOW).is_empty

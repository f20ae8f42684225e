"""Plans: inverse, JSON, what they touch."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.vault.changes import ChangeSet
from mvdesk.vault.plan import LINKS, MEMORIES, TRUST, LogEntry, Plan, RowChange, RowKey

VALUES = (
    st.none()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters())
    | st.binary(max_size=8)
)
ROWS = st.none() | st.dictionaries(st.text(max_size=5), VALUES, max_size=4)
CHANGES = st.builds(
    RowChange, st.builds(RowKey, st.text(), st.text(), st.text()), ROWS, ROWS, st.text()
)
LOG = st.builds(
    LogEntry, st.text(), st.text(), st.text(), st.text(), st.just({"before": {"a": 1}}), st.text()
)
PLANS = st.builds(
    Plan,
    st.text(),
    st.text(),
    st.lists(CHANGES, max_size=3).map(tuple),
    st.lists(LOG, max_size=2).map(tuple),
)


def change(table: str, before: dict | None, after: dict | None, row_id: str = "x") -> RowChange:
    return RowChange(RowKey(table, row_id, "row"), before, after, "")


def plan_of(*changes: RowChange) -> Plan:
    return Plan("Do it", "b", changes, ())


@given(PLANS)
def test_a_plan_survives_json_with_the_types_of_its_values(plan: Plan) -> None:
    again = Plan.from_json(plan.to_json())
    assert again == plan
    assert repr(again) == repr(plan)  # 1 and 1.0 are equal, and not the same


@given(PLANS)
def test_rows_of_the_inverse_of_the_inverse_are_the_plan(plan: Plan) -> None:
    assert plan.inverse().inverse().changes == plan.changes


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"changes":[[1]],"log":[]}', "null"])
def test_what_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"plan|Expecting|unpack"):
        Plan.from_json(text)


def test_only_columns_that_differ_are_written() -> None:
    row = {"a": 1, "b": "old", "c": 0.5}
    assert change("t", row, row | {"b": "new"}).written == {"b": "new"}
    assert change("t", row, row | {"a": 1.0}).written == {"a": 1.0}
    assert change("t", row, row | {"d": None}).written == {"d": None}
    assert change("t", None, row).written == row
    assert change("t", row, None).written == {}


@pytest.mark.parametrize(
    ("event", "undone"),
    [
        ("memory_created", "memory_deleted"),
        ("memory_deleted", "memory_created"),
        ("memory_link_created", "memory_link_removed"),
        ("memory_link_removed", "memory_link_created"),
        ("memory_forget_soft", "memory_updated"),
        ("memory_updated", "memory_updated"),
        ("memory_source_trust_set", "memory_source_trust_set"),
    ],
)
def test_undoing_logs_the_inverse_event_and_which_one_it_undoes(event: str, undone: str) -> None:
    entry = LogEntry(event, "memory", "m", "Said", {"n": 1}, id="log-7").inverse()
    assert entry.event_type == undone
    assert entry.payload == {"n": 1, "undo_of": "log-7"}
    assert entry.id == ""


def test_the_inverse_event_says_what_is_true_after_it() -> None:
    payload = {"source": "s", "trust": 0.8, "before": {"trust": 0.2}, "after": {"trust": 0.8}}
    entry = LogEntry("memory_source_trust_set", "source", "s", "Set", payload, "1").inverse()
    assert entry.payload == {
        "source": "s",
        "trust": 0.2,
        "before": {"trust": 0.8},
        "after": {"trust": 0.2},
        "undo_of": "1",
    }


def test_undoing_a_made_row_leaves_nothing_after() -> None:
    entry = LogEntry("memory_created", "memory", "m", "", {"before": None, "after": {"a": 1}})
    assert entry.inverse().payload == {"before": {"a": 1}, "after": None, "undo_of": ""}


def test_a_change_set_names_memories_sources_and_links() -> None:
    plan = plan_of(
        change(MEMORIES, {"source": " Slack  X"}, {"source": None}, "m1"),
        change(MEMORIES, {"title": "a"}, {"title": "b"}, "m2"),
        change(LINKS, None, {"from_id": "m3", "to_id": "m4"}, "l1"),
        change(TRUST, {"source_key": "blog"}, None, "t1"),
        change("brain_policies", {"policy_json": ""}, {"policy_json": "{}"}, "b"),
    )
    changes = ChangeSet.of(plan, write_number=3)
    assert changes == ChangeSet(
        memory_ids=frozenset({"m1", "m2", "m3", "m4"}),
        source_keys=frozenset({"slack x", "blog"}),
        link_ids=frozenset({"l1"}),
        tables=frozenset({MEMORIES, LINKS, TRUST, "brain_policies"}),
        write_number=3,
    )
    assert not changes.is_empty


def test_an_empty_plan_changes_nothing() -> None:
    assert plan_of().is_empty
    assert ChangeSet.of(plan_of()).is_empty
    assert not ChangeSet(everything=True).is_empty


def test_json_of_a_plan_is_plain() -> None:
    plan = plan_of(change("t", None, {"blob": b"\xff", "text": "x"}))
    assert json.loads(plan.to_json())["changes"][0][4] == {
        "blob": {"base64": "/w=="},
        "text": "x",
    }


def test_a_change_set_that_tells_nothing_in_particular_touches_all() -> None:
    assert ChangeSet(tables=frozenset({"memories"})).touches("memories")
    assert not ChangeSet(tables=frozenset({"memories"})).touches("memory_links")
    assert ChangeSet(everything=True).touches("memory_links")


def test_a_long_plan_is_kept_in_short_lines() -> None:
    changes = tuple(
        RowChange(RowKey("memories", f"m{n}", "A"), {"content": "x\n" * 9}, None, "deleted")
        for n in range(700)
    )
    log = tuple(LogEntry("memory_deleted", "memory", f"m{n}", "", {"n": n}) for n in range(1_100))
    plan = Plan("Delete", "b", changes, log)
    text = plan.to_json()
    assert max(map(len, text.split("\n"))) < len(text) / 3
    assert Plan.from_json(text) == plan

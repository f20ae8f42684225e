"""When a base was changed last, from lines of the changelog."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mvdesk.records import HistoryEntry
from mvdesk.ui.base_history import BaseChange, find_base_change, read_base_changes

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession


def _line(event: str, payload: object, at: int = 100) -> HistoryEntry:
    text = payload if isinstance(payload, str) or payload is None else json.dumps(payload)
    return HistoryEntry("1", event, "memory", "m", "", text, at)


MADE = _line("memory_created", {"type": "note"}, 10)
EDITED = _line("memory_updated", {"updated_fields": {"importance": True}}, 50)


def test_an_edit_counts_only_for_the_base_that_it_changed() -> None:
    assert find_base_change([EDITED, MADE], "importance") == BaseChange("an edit", 50)
    assert find_base_change([EDITED, MADE], "confidence") == BaseChange("writing the memory", 10)


def test_our_own_edits_tell_both_values() -> None:
    payload = {
        "updated_fields": {"confidence": True},
        "before": {"confidence": 0.6},
        "after": {"confidence": 1},
    }
    change = find_base_change([_line("memory_updated", payload)], "confidence")
    assert change == BaseChange("an edit", 100, 0.6, 1.0)


@pytest.mark.parametrize(
    ("event", "how"), [("memory_reinforced", "reinforcing it"), ("memory_decayed", "a decay")]
)
def test_upkeep_is_named(event: str, how: str) -> None:
    assert find_base_change([_line(event, {})], "confidence") == BaseChange(how, 100)


@pytest.mark.parametrize(
    "payload", [None, "no JSON", [], {"updated_fields": 3}, {"updated_fields": {}}]
)
def test_a_line_that_tells_nothing_is_passed_over(payload: object) -> None:
    assert find_base_change([_line("memory_updated", payload)], "confidence") is None


def test_an_edit_in_the_window_is_told(qtbot: QtBot, session: VaultSession, now: int) -> None:
    memory_id = session.snapshot.memories.ids.text(3)
    with qtbot.waitSignal(session.memory_loaded):
        session.select(memory_id)
    memory = session.selected_memory
    assert memory is not None
    with qtbot.waitSignal(session.write_finished):
        session.save_memory(memory, {"confidence": 0.35})
    changes = read_base_changes(session.vault, memory_id)
    assert changes["confidence"] == BaseChange("an edit", now, memory.confidence, 0.35)
    assert changes["importance"].how == "writing the memory"

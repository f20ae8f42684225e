"""The timeline: plain words, filters, the way to a memory, and undo where the journal allows."""

from __future__ import annotations

import json
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.records import HistoryEntry
from mvdesk.ui.day_range import parse_day_range
from mvdesk.ui.panels.timeline import TimelineSection
from mvdesk.ui.panels.upkeep import UpkeepPanel
from mvdesk.ui.timeline_words import KINDS, make_lines
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.vault import rules

from .conftest import Desk, find


@pytest.fixture
def panel(desk: Desk) -> UpkeepPanel:
    panel = desk.show(UpkeepPanel, width=900, height=700)
    panel.show_page("history")
    desk.settle()
    return panel


def cells(panel: UpkeepPanel, row: int) -> list[str]:
    model = find(panel, TableView, "timelineTable").model()
    assert model is not None
    return [str(model.index(row, column).data()) for column in range(3)]


def count(panel: UpkeepPanel) -> int:
    model = find(panel, TableView, "timelineTable").model()
    assert model is not None
    return model.rowCount()


def choose(desk: Desk, panel: UpkeepPanel, name: str, value: str) -> None:
    box = find(panel, Choice, name)
    box.set_value(value)
    box.value_chosen.emit(value)
    desk.settle()


def line_of(event: str, kind: str = "memory", payload: object = None) -> tuple[str, str]:
    text = payload if isinstance(payload, str) else json.dumps(payload or {})
    entry = HistoryEntry("1", event, kind, "m", "A summary", text, 1_800_000_000)
    (line,) = make_lines([entry], lambda memory_id: "Rent" if memory_id == "m" else "")
    return line.what, line.about


def test_all_lines_are_there_the_newest_first(desk: Desk, panel: UpkeepPanel) -> None:
    lines = rules.read_history(desk.session.vault)
    assert count(panel) == len(lines) > 200
    cells(panel, len(lines) - 1)
    desk.settle()
    assert cells(panel, len(lines) - 1)[1]
    assert cells(panel, 0)[0] != "…"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind])
def test_kinds_keep_their_events(desk: Desk, panel: UpkeepPanel, kind: str) -> None:
    choose(desk, panel, "timelineKind", kind)
    expected = rules.read_history(desk.session.vault, event_types=KINDS[kind][1])
    assert count(panel) == len(expected)


def test_that_a_step_was_taken_back_is_read_whole(desk: Desk, panel: UpkeepPanel) -> None:
    table = find(panel, TableView, "timelineTable")
    room = table.columnWidth(1) - 24  # without the cell's margins
    for what in ("Reinforced", "Rules changed", "Link removed"):
        assert table.fontMetrics().horizontalAdvance(f"{what} (a step taken back)") <= room


def test_a_range_of_days_is_typed_at_either_end(desk: Desk, panel: UpkeepPanel) -> None:
    lines = rules.read_history(desk.session.vault)
    moments = sorted(line.created_at for line in lines)
    day = time.strftime("%Y-%m-%d", time.localtime(moments[len(moments) // 2]))
    choose(desk, panel, "timelineSpan", "range")
    first, last = (find(panel, QLineEdit, name) for name in ("timelineFrom", "timelineTo"))
    assert first.isVisible()

    def type_in(field: QLineEdit, text: str) -> None:
        field.selectAll()
        desk.qtbot.keyClicks(field, text)
        section = find(panel, TimelineSection, "timelineSection")
        desk.qtbot.waitUntil(lambda: section.is_settled)
        desk.settle()

    type_in(first, day)
    ends = parse_day_range(day, day)
    assert count(panel) == sum(moment >= ends.since for moment in moments)
    type_in(last, day)
    assert count(panel) == sum(ends.since <= moment < ends.until for moment in moments) > 0
    type_in(last, "1999")
    said = find(panel, QLabel, "timelineSaid")
    assert said.text().startswith("The range ends before it begins.")
    type_in(last, "tomorrow")
    assert "“tomorrow” is no day: write 2026-03-14" in said.text()
    assert count(panel) == len(lines)  # nothing is hidden for want of a sense
    choose(desk, panel, "timelineSpan", "0")
    assert not first.isVisible()
    assert "no day" not in said.text()


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("2026-03-14", "2026-03-14", 1),
        ("2026-02", "2026-02", 28),
        ("2026", "2026", 365),
        ("2026-12", "2027-01", 62),
    ],
)
def test_a_range_holds_whole_days(first: str, last: str, days: int) -> None:
    ends = parse_day_range(first, last)
    assert ends.since is not None
    assert ends.until is not None
    assert round((ends.until - ends.since) / 86_400) == days
    assert parse_day_range(first, "").until is None
    assert parse_day_range(" ", last).since is None


@pytest.mark.parametrize(
    "text", ["2026-02-30", "0000", "9999", "26-1-1", "2026-13", "x", "9999-12"]
)
def test_what_is_no_day_is_said(text: str) -> None:
    found = parse_day_range("", text)
    assert "is no day" in found.said
    assert (found.since, found.until) == (None, None)


def test_only_the_selected_memory(desk: Desk, panel: UpkeepPanel) -> None:
    desk.select(desk.memory_id(3))
    find(panel, CheckBox, "timelineOnly").setChecked(True)
    desk.settle()
    lines = rules.read_history(desk.session.vault, naming=desk.session.selected_id)
    assert count(panel) == len(lines)


def test_enter_goes_to_the_memory(desk: Desk, panel: UpkeepPanel) -> None:
    choose(desk, panel, "timelineKind", "written")
    lines = rules.read_history(desk.session.vault, event_types=KINDS["written"][1])
    snapshot = desk.session.snapshot
    place = next(n for n, one in enumerate(lines) if snapshot.row_of(one.entity_id) is not None)
    table = find(panel, TableView, "timelineTable")
    cells(panel, place)
    desk.settle()
    table.select_row(place)
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    desk.settle()
    assert desk.session.selected_id == lines[place].entity_id


def test_the_last_step_is_undone_from_here_and_older_ones_say_why_not(
    desk: Desk, panel: UpkeepPanel
) -> None:
    undo, said = find(panel, QPushButton, "timelineUndo"), find(panel, QLabel, "timelineSaid")
    cells(panel, 0)
    desk.settle()
    assert not undo.isEnabled()
    assert "Nothing can be undone" in said.text()
    memory = desk.read(desk.memory_id(0))
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.save_memory(memory, {"title": "Told anew"})
    desk.settle()
    table = find(panel, TableView, "timelineTable")
    cells(panel, 0)
    desk.settle()
    table.select_row(1)
    assert not undo.isEnabled()
    assert "Only the last step" in said.text()
    table.select_row(0)
    assert cells(panel, 0)[1:] == ["Edited title", "Told anew"]
    with desk.qtbot.waitSignal(desk.session.write_finished):
        undo.click()
    desk.settle()
    assert desk.read(memory.id) == memory


def test_events_in_plain_words() -> None:
    assert line_of("memory_created") == ("Written", "Rent")
    flags = {"updated_fields": {"title": True, "tags": False}}
    assert line_of("memory_updated", payload=flags) == ("Edited title", "Rent")
    back = {"before": {"archived_at": 5}, "after": {"archived_at": None}}
    assert line_of("memory_updated", payload=back)[0] == "Brought back from the archive"
    flags = {"updated_fields": {"archived": False, "updated_at": True}}
    assert line_of("memory_updated", payload=flags)[0] == "Still true"
    flags = {"updated_fields": {"content": True, "confidence": True, "of_tomorrow": True}}
    said = line_of("memory_updated", payload=flags)[0]
    assert said == "Edited text, base confidence, of tomorrow"
    several = {"ids": ["m"], "before": {"m": 1_800_000_000}, "after": {"m": None}, "undo_of": "7"}
    said = line_of("memory_updated", payload=several)[0]
    assert said == "Brought back from the archive (a step taken back)"
    many = {"decayed_count": 3}
    assert line_of("memory_decayed", payload=many) == ("Decayed", "Rent and 2 others")
    ends = {"from_id": "m", "to_id": "x", "relation_type": "supports"}
    said = line_of("memory_link_created", "memory_link", ends)
    assert said == ("Linked", "Rent — supports → a deleted memory")
    trust = {"trust": 0.25, "undo_of": "7"}
    said = line_of("memory_source_trust_set", "source", trust)
    assert said == ("Trust set to 0.25 (a step taken back)", "m")
    rule = {"before": {"decay_days": 30}, "after": {"decay_days": 9}}
    assert line_of("brain_policy_set", "brain_policy", rule)[0] == "Rules changed: decay days"


@pytest.mark.parametrize("payload", ["{", "[1]", '"x"', "[" * 100_000, '{"before": 1, "after": 2}'])
def test_strange_payloads_are_no_obstacle(payload: str) -> None:
    assert line_of("memory_updated", payload=payload) == ("Edited", "Rent")
    assert line_of("of_tomorrow", "something", payload)[0] == "A summary"
    assert line_of("memory_source_trust_set", "source", {"trust": 10**400})[0] == "Trust set to inf"

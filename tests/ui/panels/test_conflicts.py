"""Facts that contradict each other, decided one by one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.ui.conflict_watch import watch_conflicts
from mvdesk.ui.panels.conflicts import ConflictsPanel
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.choice_row import ChoiceRow
from mvdesk.ui.widgets.diff_view import DiffView
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.vault.operations.conflicts import plan_resolve
from mvdesk.vault.questions.conflicts import ConflictSettings, find_conflicts
from mvdesk.vault.rules import read_resolutions
from mvdesk.vault.vault import Vault

from .conftest import Desk, find

if TYPE_CHECKING:
    from mvdesk.records import ConflictResolution
    from mvdesk.vault.questions.conflicts import Conflicts


@pytest.fixture
def panel(desk: Desk) -> ConflictsPanel:
    panel = desk.show(ConflictsPanel, width=900, height=700)
    settle(desk, panel)
    return panel


def settle(desk: Desk, panel: ConflictsPanel) -> None:
    desk.qtbot.waitUntil(lambda: panel.is_settled and desk.session.jobs.is_idle())


def truth(desk: Desk) -> Conflicts:
    """What the question says about the scores shown."""
    session = desk.session
    settings = ConflictSettings(min_confidence=session.threshold, limit=None)
    vault = session.vault
    return find_conflicts(
        session.snapshot, session.scores, read_resolutions(vault), vault.read_memories, settings
    )


def listed(desk: Desk) -> list[str]:
    ids = desk.session.snapshot.memories.ids
    return [f"{ids.text(c.a_row)}\n{ids.text(c.b_row)}" for c in truth(desk).conflicts]


def keys(panel: ConflictsPanel) -> list[str]:
    return [row.key for row in panel.table.rows]


def choose(desk: Desk, panel: ConflictsPanel, choice: str) -> None:
    panel.choose(choice)
    settle(desk, panel)


def decision(desk: Desk, key: str) -> ConflictResolution | None:
    ends = set(key.split("\n"))
    found = [one for one in read_resolutions(desk.session.vault) if {one.a_id, one.b_id} == ends]
    return found[-1] if found else None


def rule(panel: ConflictsPanel) -> str:
    return find(panel, ElidedLabel, "conflictRule").text()


def test_it_lists_the_open_conflicts_with_the_rule_that_makes_them(
    desk: Desk, panel: ConflictsPanel
) -> None:
    assert keys(panel) == listed(desk)
    assert "Facts only, both at 0.70 or above" in rule(panel)
    assert panel.table.current_key == keys(panel)[0]
    assert panel.detail.content is not None


def test_no_side_and_no_choice_is_preselected(panel: ConflictsPanel) -> None:
    assert panel.detail.choices.current_key is None
    assert not find(panel, CheckBox, "conflictRetire").isChecked()


def test_in_a_low_panel_every_choice_is_a_button_too(desk: Desk, panel: ConflictsPanel) -> None:
    row = find(panel, ChoiceRow, "conflictChoiceRow")
    panel.resize(900, 800)
    assert not row.isVisible()
    panel.resize(900, 400)
    desk.qtbot.waitUntil(row.isVisible)
    buttons = row.findChildren(QPushButton)
    assert [button.text() for button in buttons] == [
        *("1  Keep A", "2  Keep B", "3  Both true", "4  Needs review")
    ]
    for button in buttons:
        assert row.rect().contains(button.geometry().translated(button.parentWidget().pos()))
        assert "Links:" in button.toolTip() or "No link" in button.toolTip()
    key = keys(panel)[0]
    desk.qtbot.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    settle(desk, panel)
    found = decision(desk, key)
    assert found is not None
    assert found.status == "dismissed"


def test_the_list_follows_the_trust_that_is_tried_and_the_threshold(
    desk: Desk, panel: ConflictsPanel
) -> None:
    before = keys(panel)
    a_row = truth(desk).conflicts[0].a_row
    source = desk.session.snapshot.source_key_of_row(a_row)
    assert source
    desk.session.preview_trust(source, 0.0)
    settle(desk, panel)
    assert keys(panel) == listed(desk)
    desk.session.set_threshold(0.95)
    settle(desk, panel)
    assert keys(panel) == listed(desk) != before
    inbox = watch_conflicts(desk.session).inbox
    assert inbox is not None
    assert inbox.open_total == truth(desk).total


def test_pairs_below_the_threshold_are_a_choice_away(desk: Desk, panel: ConflictsPanel) -> None:
    desk.session.set_threshold(1.0)
    desk.edit_outside("UPDATE memories SET type = 'note' WHERE confidence > 0.9")
    settle(desk, panel)
    desk.session.set_threshold(0.99)
    settle(desk, panel)
    panel.show_state("below")
    assert keys(panel)
    assert "below 0.99" in rule(panel)


def test_each_choice_says_both_scores_and_links_and_writes_just_that(
    desk: Desk, panel: ConflictsPanel
) -> None:
    for place, choice in enumerate(("keep_a", "keep_b", "both", "review")):
        panel.show_state("open")
        settle(desk, panel)
        key = keys(panel)[1]
        a_id, b_id = key.split("\n")
        panel.skip()
        settle(desk, panel)
        assert panel.table.current_key == key
        content = panel.detail.content
        assert content is not None
        outcome = content.outcomes[place]
        choose(desk, panel, choice)
        ruling = decision(desk, key)
        assert ruling is not None
        assert ruling.status == ("superseded", "superseded", "dismissed", "needs_review")[place]
        assert ruling.canonical_id == (a_id, b_id, None, None)[place]
        rows = desk.session.snapshot.rows_of([a_id, b_id])
        assert tuple(desk.session.scores.confidence[rows]) == outcome.after.confidence
        assert (key in keys(panel)) == (choice == "review")
        desk.session.undo()
        settle(desk, panel)
        assert decision(desk, key) is None
        assert keys(panel) == listed(desk)
        panel.show_state("decided")
        settle(desk, panel)


def test_the_next_pair_comes_up_after_a_decision(desk: Desk, panel: ConflictsPanel) -> None:
    first, second = keys(panel)[:2]
    choose(desk, panel, "both")
    assert panel.table.current_key == second
    assert first not in keys(panel)


def test_a_note_is_kept_and_a_decided_pair_can_be_reopened(
    desk: Desk, panel: ConflictsPanel
) -> None:
    key = keys(panel)[0]
    find(panel, QLineEdit, "conflictNote").setText("  Asked both  ")
    choose(desk, panel, "both")
    ruling = decision(desk, key)
    assert ruling is not None
    assert ruling.note == "Asked both"
    panel.show_state("decided")
    settle(desk, panel)
    assert keys(panel)[0] == key
    assert find(panel, QLineEdit, "conflictNote").text() == "Asked both"
    assert panel.detail.choices.rows[3].texts[1] == "Reopen"
    choose(desk, panel, "review")
    panel.show_state("open")
    settle(desk, panel)
    assert key in keys(panel)
    row = next(row for row in panel.table.rows if row.key == key)
    assert row.texts[0].startswith("Needs review")
    again = decision(desk, key)
    assert again is not None
    assert again.note == "Asked both"


def test_a_choice_says_before_what_importance_becomes_and_that_is_what_comes(
    desk: Desk, panel: ConflictsPanel
) -> None:
    linked = next(row.key for row in panel.table.rows if row.texts[0] == "Linked")
    panel.table.select_row(keys(panel).index(linked))
    find(panel, CheckBox, "conflictRetire").click()
    settle(desk, panel)
    row = panel.detail.choices.rows[1].texts[2:6]
    said = [text.removesuffix(", same").split()[-1] for text in row]
    choose(desk, panel, "keep_b")
    scores, rows = (
        desk.session.scores,
        [desk.session.snapshot.row_of(x) for x in linked.split("\n")],
    )
    told = [
        f"{values[row]:.3f}" for values in (scores.confidence, scores.importance) for row in rows
    ]
    assert said == told


def test_a_decided_pair_says_who_was_kept_and_when_reopening_lists_it_nowhere(
    desk: Desk, panel: ConflictsPanel
) -> None:
    linked = next(row.key for row in panel.table.rows if row.texts[0] == "Linked")
    panel.table.select_row(keys(panel).index(linked))
    settle(desk, panel)
    find(panel, QLineEdit, "conflictNote").setText("Asked")
    choose(desk, panel, "keep_a")
    panel.show_state("decided")
    settle(desk, panel)
    row = next(row for row in panel.table.rows if row.key == linked)
    assert row.texts[0] == "A kept"
    assert "Superseded: Asked" in row.tip
    assert "not listed as open again" in panel.detail.choices.rows[3].texts[6]


def test_a_pair_below_the_threshold_says_which_of_the_two_is(
    desk: Desk, panel: ConflictsPanel
) -> None:
    panel.show_state("below")
    settle(desk, panel)
    for row in panel.table.rows:
        low = [name for name, at in (("A", 2), ("B", 4)) if float(row.texts[at]) < 0.7]
        assert low
        assert row.texts[0].endswith(", both below" if len(low) == 2 else f", {low[0]} below")
        assert "Not counted while below 0.70" in row.tip


def test_retiring_the_old_link_is_a_tick_that_changes_what_is_said(
    desk: Desk, panel: ConflictsPanel
) -> None:
    linked = next(row.key for row in panel.table.rows if row.texts[0] == "Linked")
    panel.table.select_row(keys(panel).index(linked))
    settle(desk, panel)
    choices = panel.detail.choices
    assert "stays and still counts against both" in choices.rows[1].texts[6]
    find(panel, CheckBox, "conflictRetire").setChecked(True)
    assert "is removed" in choices.rows[1].texts[6]
    choose(desk, panel, "keep_b")
    a_id, b_id = linked.split("\n")
    links = [
        one for one in desk.session.vault.read_links_of(a_id) if b_id in (one.from_id, one.to_id)
    ]
    assert {one.relation_type for one in links} == {"supersedes"}
    assert not find(panel, CheckBox, "conflictRetire").isChecked()


def test_a_pair_decided_elsewhere_meanwhile_is_said_and_nothing_is_written(
    desk: Desk, panel: ConflictsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = keys(panel)[0]
    a_id, b_id = key.split("\n")
    with Vault.open(desk.session.vault.path, data_folder=desk.session.vault.path.parent) as other:
        a, b = other.read_memory(a_id), other.read_memory(b_id)
        links = other.read_links_of(a_id)
        plan = plan_resolve(
            a, b, "dismissed", stored=None, links=links, now=1, new_id=lambda: "theirs"
        )
        other.apply(plan, now=1)
    errors: list[BaseException] = []
    monkeypatch.setattr(desk.session.messages, "report", lambda error, **_: errors.append(error))
    choose(desk, panel, "keep_a")
    assert "decided elsewhere meanwhile" in str(errors[0])
    ruling = decision(desk, key)
    assert ruling is not None
    assert ruling.id == "theirs"
    desk.qtbot.waitUntil(lambda: key not in keys(panel), timeout=10_000)


def test_a_decision_of_another_program_takes_the_pair_off_the_list(
    desk: Desk, panel: ConflictsPanel
) -> None:
    key = keys(panel)[0]
    a_id, b_id = key.split("\n")
    sql = "INSERT INTO memory_conflict_resolutions VALUES ('x', ?, 'p', ?, ?, ?, NULL, NULL, 1, 1)"
    with closing(sqlite3.connect(desk.session.vault.path)) as other, other:
        other.execute(sql, (desk.session.vault.brain.id, a_id, b_id, "dismissed"))
    desk.qtbot.waitUntil(lambda: key not in keys(panel), timeout=10_000)
    settle(desk, panel)


def test_a_memory_deleted_meanwhile_takes_its_pair_away(desk: Desk, panel: ConflictsPanel) -> None:
    key = keys(panel)[0]
    desk.edit_outside("DELETE FROM memories WHERE id = ?", key.split("\n")[0])
    settle(desk, panel)
    assert key not in keys(panel)
    assert keys(panel) == listed(desk)


def test_an_empty_list_says_the_rule_and_shows_what_is_below(
    desk: Desk, panel: ConflictsPanel
) -> None:
    desk.edit_outside("UPDATE memories SET confidence = 0, type = 'fact' WHERE type = 'fact'")
    desk.session.set_threshold(1.0)
    desk.edit_outside("DELETE FROM brain_source_trust")
    settle(desk, panel)
    if keys(panel):
        desk.edit_outside("UPDATE memories SET content = 'maybe unsure perhaps ' || id")
        settle(desk, panel)
    said = find(panel, QLabel, "emptyStateText").text()
    assert said.startswith("No conflicts: only facts at 1.00 or above are compared.")
    button = find(panel, QPushButton, "emptyStateAction")
    desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(desk, panel)
    assert keys(panel)


def test_no_facts_at_all_is_said_without_a_button(desk: Desk, panel: ConflictsPanel) -> None:
    desk.edit_outside("UPDATE memories SET type = 'note'")
    settle(desk, panel)
    assert find(panel, QLabel, "emptyStateText").text().endswith("No pair is below either.")
    assert find(panel, QPushButton, "emptyStateAction").isHidden()
    assert panel.detail.content is None
    assert not panel.can_decide


def test_hostile_texts_are_shown_as_they_are(desk: Desk, panel: ConflictsPanel) -> None:
    a_id, b_id = keys(panel)[0].split("\n")
    desk.edit_outside(
        "UPDATE memories SET content = ? WHERE id = ?", "<b>👩‍👩‍👧 שלום</b> " * 9, a_id
    )
    desk.edit_outside("UPDATE memories SET content = ? WHERE id = ?", "語" * 400_000, b_id)
    settle(desk, panel)
    place = next(n for n, key in enumerate(keys(panel)) if {a_id, b_id} == set(key.split("\n")))
    panel.table.select_row(place)
    settle(desk, panel)
    texts = {find(panel, DiffView, f"pairText{one}").toPlainText()[:9] for one in "AB"}
    assert any(text.startswith("<b>") for text in texts)
    assert any(text.startswith("語") for text in texts)


def test_the_side_that_is_opened_is_named(desk: Desk, panel: ConflictsPanel) -> None:
    asked: list[str] = []
    panel.explain_requested.connect(asked.append)
    desk.qtbot.mouseClick(find(panel, QPushButton, "pairOpenB"), Qt.MouseButton.LeftButton)
    assert asked == [keys(panel)[0].split("\n")[1]]


def test_choices_are_made_by_enter_on_their_line(desk: Desk, panel: ConflictsPanel) -> None:
    key = keys(panel)[0]
    choices = find(panel, KeyedTable, "conflictChoices")
    choices.setFocus()
    for _ in range(3):
        desk.qtbot.keyClick(choices, Qt.Key.Key_Down)
    assert decision(desk, key) is None
    assert (
        "Links:" in find(panel, ElidedLabel, "conflictEffect").text()
        or "No link" in find(panel, ElidedLabel, "conflictEffect").text()
    )
    desk.qtbot.keyClick(choices, Qt.Key.Key_Return)
    settle(desk, panel)
    ruling = decision(desk, key)
    assert ruling is not None
    assert ruling.status == "dismissed"

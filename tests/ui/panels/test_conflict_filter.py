"""Pairs in conflict narrowed by what they are, by words, and by what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.ui import conflict_filter, conflict_watch
from mvdesk.ui.conflict_filter import KINDS
from mvdesk.ui.conflict_watch import watch_conflicts
from mvdesk.ui.panels.conflicts import ConflictsPanel
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.vault.rules import read_resolutions

from .conftest import Desk, find
from .test_conflicts import choose, keys, rule, settle

if TYPE_CHECKING:
    from mvdesk.ui.conflict_watch import Inbox


@pytest.fixture
def panel(desk: Desk) -> ConflictsPanel:
    panel = desk.show(ConflictsPanel, width=900, height=700)
    settle(desk, panel)
    return panel


def ask(desk: Desk, panel: ConflictsPanel, kind: str | None = None, text: str = "") -> None:
    """As the person does: by the field of kinds, and by typing."""
    if kind is not None:
        field = find(panel, Choice, "conflictKind")
        field.setFocus()
        field.setCurrentIndex(field.findData(kind))
        field.activated.emit(field.currentIndex())
    find(panel, SearchField, "conflictWords").setText(text)
    settle(desk, panel)


def inbox_of(desk: Desk) -> Inbox:
    inbox = watch_conflicts(desk.session).inbox
    assert inbox is not None
    return inbox


def test_decided_pairs_are_narrowed_by_decision_and_by_note(
    desk: Desk, panel: ConflictsPanel
) -> None:
    note = find(panel, QLineEdit, "conflictNote")
    made = {}
    for choice, text in (("keep_a", ""), ("both", "Measured twice"), ("review", "")):
        made[choice] = panel.table.current_key
        note.setText(text)
        choose(desk, panel, choice)
    panel.show_state("decided")
    settle(desk, panel)
    every = set(keys(panel))
    assert set(made.values()) <= every
    by_status = {kind: set[str]() for kind, _ in KINDS["decided"]}
    for one in inbox_of(desk).decided:
        ids = inbox_of(desk).snapshot.memories.ids
        key = f"{ids.text(one.a_row)}\n{ids.text(one.b_row)}"
        by_status[one.resolution.status].add(key)
        if one.resolution.note:
            by_status["noted"].add(key)
    by_status["every"] = every
    for kind, wanted in by_status.items():
        ask(desk, panel, kind)
        assert set(keys(panel)) == wanted, kind
    assert by_status["dismissed"] >= {made["both"]}
    ask(desk, panel, "every", "TWICE measured")
    assert keys(panel) == [made["both"]]
    assert rule(panel) == f"1 pair fits of {len(every)}."


def test_open_pairs_are_narrowed_by_reason_and_by_words_of_both(
    desk: Desk, panel: ConflictsPanel
) -> None:
    every = keys(panel)
    inbox = inbox_of(desk)
    linked = [one.link_row >= 0 for one in inbox.open]
    ask(desk, panel, "linked")
    assert keys(panel) == [key for key, is_one in zip(every, linked, strict=True) if is_one]
    ask(desk, panel, "key")
    assert keys(panel) == [key for key, is_one in zip(every, linked, strict=True) if not is_one]
    word = inbox.snapshot.memories.labels.text(inbox.open[-1].b_row).split()[0]
    ask(desk, panel, "every", word.upper())
    assert every[-1] in keys(panel)
    assert len(keys(panel)) < len(every)
    settle(desk, panel)
    assert panel.detail.content is not None


def test_what_fits_follows_the_trust_that_is_tried(desk: Desk, panel: ConflictsPanel) -> None:
    ask(desk, panel, "linked")
    before = keys(panel)
    desk.session.set_threshold(0.95)
    settle(desk, panel)
    inbox = inbox_of(desk)
    assert len(keys(panel)) == sum(one.link_row >= 0 for one in inbox.open) < len(before)


def test_nothing_that_fits_is_said_with_a_way_back(desk: Desk, panel: ConflictsPanel) -> None:
    every = keys(panel)
    ask(desk, panel, None, "no such word anywhere")
    assert panel.table.rows == ()
    said = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert any(text.startswith("No pair fits") for text in said)
    (button,) = (one for one in panel.findChildren(QPushButton) if one.text() == "Show all")
    button.click()
    settle(desk, panel)
    assert keys(panel) == every
    assert find(panel, SearchField, "conflictWords").text() == ""


def test_another_state_starts_with_all_of_it(desk: Desk, panel: ConflictsPanel) -> None:
    ask(desk, panel, "linked", "nothing has this")
    panel.show_state("decided")
    settle(desk, panel)
    assert find(panel, Choice, "conflictKind").chosen == "every"
    assert len(keys(panel)) == len(inbox_of(desk).decided)


def test_of_very_many_the_strongest_are_looked_through(
    desk: Desk, panel: ConflictsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.session.set_threshold(0.0)
    settle(desk, panel)
    total = inbox_of(desk).open_total
    monkeypatch.setattr(conflict_filter, "MOST_LISTED", 2)
    ask(desk, panel, "linked")
    fit = sum(one.link_row >= 0 for one in inbox_of(desk).open)
    assert fit > 2
    assert len(keys(panel)) == 2
    assert rule(panel) == f"{fit} pairs fit of {total}. The first 2 are listed."


def test_how_much_was_looked_through_is_said(
    desk: Desk, panel: ConflictsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conflict_watch, "MOST_LISTED", 3)
    monkeypatch.setattr(conflict_filter, "MOST_LOOKED_AT", 5)
    for state in ("open", "below"):
        desk.session.set_threshold(0.0 if state == "open" else 1.0)
        panel.show_state(state)
        settle(desk, panel)
        inbox = inbox_of(desk)
        total = inbox.open_total if state == "open" else inbox.below_total
        assert total > 5
        ask(desk, panel, "every", "a")
        assert rule(panel).endswith(f"of the strongest 5 among {total}.")


def test_escape_and_enter_lead_out_of_the_note(desk: Desk, panel: ConflictsPanel) -> None:
    row = inbox_of(desk).open[0].a_row
    source = desk.session.snapshot.source_key_of_row(row)
    assert source
    desk.session.preview_trust(source, 0.9)
    settle(desk, panel)
    note = find(panel, QLineEdit, "conflictNote")
    note.setFocus()
    desk.qtbot.keyClicks(note, "12")
    desk.qtbot.keyClick(note, Qt.Key.Key_Escape)
    assert panel.table.hasFocus()
    assert note.text() == "12"
    assert desk.session.preview.trust  # the preview is another matter
    note.setFocus()
    desk.qtbot.keyClick(note, Qt.Key.Key_Return)
    assert panel.detail.choices.hasFocus()


def test_undo_goes_back_to_the_pair_it_brings_back(desk: Desk, panel: ConflictsPanel) -> None:
    first, second = keys(panel)[:2]
    choose(desk, panel, "both")
    choose(desk, panel, "keep_b")
    assert panel.table.current_key not in (first, second)
    before = len(read_resolutions(desk.session.vault))
    for pair in (second, first):
        desk.session.undo()
        settle(desk, panel)
        assert panel.table.current_key == pair
        assert panel.detail.content is not None
    assert len(read_resolutions(desk.session.vault)) == before - 2

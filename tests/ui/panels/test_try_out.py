"""Trials, questions asked the other way round, and sources worth a look."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.ui.dialogs.unify import UnifyDialog
from mvdesk.ui.looking import Place
from mvdesk.ui.panels.suggestions import suggestion_lines
from mvdesk.ui.panels.try_out import TryOutPanel
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.number_field import NumberField
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.vault.questions.worth_a_look import OftenContradicted, WorthALook
from mvdesk.vault.trials import Trials

from .conftest import Desk, find

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = "slack #design"


@pytest.fixture
def panel(desk: Desk) -> TryOutPanel:
    return desk.show(TryOutPanel, width=460, height=560)


def other_source(desk: Desk) -> str:
    session = desk.session
    return next(
        key
        for key in session.snapshot.sources.keys
        if key != SOURCE and len(session.snapshot.rows_of_source(key))
    )


def press(desk: Desk, panel: TryOutPanel, name: str) -> None:
    desk.qtbot.mouseClick(find(panel, QPushButton, name), Qt.MouseButton.LeftButton)
    desk.settle()


def is_on(panel: TryOutPanel, name: str) -> bool:
    return find(panel, QPushButton, name).isEnabled()


# Trials.


def trials_table(panel: TryOutPanel) -> KeyedTable:
    return find(panel, KeyedTable, "trialsTable")


def names(panel: TryOutPanel) -> list[str]:
    return [row.texts[0].removeprefix("• ") for row in trials_table(panel).rows]


@pytest.fixture
def save(desk: Desk, panel: TryOutPanel) -> Callable[[str, dict[str, float | None]], None]:
    """Tries trusts and saves them under a name, with the keyboard."""
    panel.show_page("trials")
    desk.settle()

    def do(name: str, trust: dict[str, float | None]) -> None:
        desk.session.set_preview(trust)
        desk.settle()
        field = find(panel, QLineEdit, "trialName")
        field.setFocus()
        desk.qtbot.keyClicks(field, name)
        desk.qtbot.keyClick(field, Qt.Key.Key_Return)
        desk.settle()

    return do


def test_nothing_can_be_saved_before_something_is_tried(desk: Desk, panel: TryOutPanel) -> None:
    panel.show_page("trials")
    find(panel, QLineEdit, "trialName").setText("Empty")
    assert not is_on(panel, "saveTrial")
    desk.session.preview_trust(SOURCE, 0.1)
    desk.settle()
    assert is_on(panel, "saveTrial")


def test_a_trial_is_kept_in_the_companion_and_the_vault_stays_as_it_is(
    desk: Desk, panel: TryOutPanel, save: Callable[..., None]
) -> None:
    before = desk.session.vault.path.read_bytes()
    save("Less slack", {SOURCE: 0.1})
    assert names(panel) == ["Less slack"]
    row = trials_table(panel).rows[0]
    assert row.texts[1] == f"{SOURCE} 0.10"
    assert row.texts[0].startswith("• ")
    vault = desk.session.vault
    (kept,) = Trials(vault.companion, vault.brain.id, str).read()
    assert dict(kept.trust) == {SOURCE: 0.1}
    assert vault.path.read_bytes() == before


def test_a_trial_comes_back_as_a_preview_and_the_former_one_can_be_had_again(
    desk: Desk, panel: TryOutPanel, save: Callable[..., None]
) -> None:
    save("Less slack", {SOURCE: 0.1})
    other = other_source(desk)
    desk.session.set_preview({other: 0.33})
    desk.settle()
    offers: list[tuple[str, str, object]] = []
    desk.session.messages.offered.connect(lambda *offer: offers.append(offer))
    table = trials_table(panel)
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    desk.settle()
    assert dict(desk.session.preview.trust) == {SOURCE: 0.1}
    assert offers[0][0] == "Trial “Less slack” is previewed."
    offers[0][2]()  # type: ignore[operator]
    desk.settle()
    assert dict(desk.session.preview.trust) == {other: 0.33}


def test_applying_a_trial_is_one_step_that_undo_takes_back(
    desk: Desk, panel: TryOutPanel, save: Callable[..., None]
) -> None:
    other = other_source(desk)
    save("Both", {SOURCE: 0.1, other: 0.9})
    desk.session.discard_preview()
    desk.settle()
    stored = {key: desk.session.trust_of(key) for key in (SOURCE, other)}
    with desk.qtbot.waitSignal(desk.session.vault_changed):
        press(desk, panel, "applyTrial")
    assert desk.session.trust_of(SOURCE, committed=True) == 0.1
    assert desk.session.trust_of(other, committed=True) == 0.9
    with desk.qtbot.waitSignal(desk.session.vault_changed):
        desk.session.undo()
    desk.settle()
    assert {key: desk.session.trust_of(key) for key in (SOURCE, other)} == stored
    assert names(panel) == ["Both"]


def test_applying_a_trial_leaves_a_preview_of_other_sources_alone(
    desk: Desk, panel: TryOutPanel, save: Callable[..., None]
) -> None:
    save("Low", {SOURCE: 0.1})
    other = other_source(desk)
    desk.session.set_preview({other: 0.33})
    desk.settle()
    with desk.qtbot.waitSignal(desk.session.vault_changed):
        press(desk, panel, "applyTrial")
    assert desk.session.trust_of(SOURCE, committed=True) == 0.1
    assert dict(desk.session.preview.trust) == {other: 0.33}
    with desk.qtbot.assertNotEmitted(desk.session.vault_changed, wait=50):
        press(desk, panel, "applyTrial")
    assert any("changes nothing" in text for text in desk.notices)


def test_a_trial_is_renamed_in_the_field_and_escape_leaves_its_name(
    desk: Desk, panel: TryOutPanel, save: Callable[..., None]
) -> None:
    save("First", {SOURCE: 0.1})
    table, field = trials_table(panel), find(panel, QLineEdit, "trialName")
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_F2)
    assert field.hasFocus()
    assert field.text() == "First"
    desk.qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert not desk.session.preview.is_empty, "only the renaming ended"
    desk.qtbot.keyClick(table, Qt.Key.Key_F2)
    desk.qtbot.keyClicks(field, "Second")
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.settle()
    assert names(panel) == ["Second"]


def test_a_name_that_is_taken_is_refused_with_a_sentence(
    desk: Desk, panel: TryOutPanel, save: Callable[..., None]
) -> None:
    save("Same", {SOURCE: 0.1})
    save("same", {SOURCE: 0.2})
    assert names(panel) == ["Same"]
    assert any("another trial is called" in text for text in desk.notices)


def test_a_deleted_trial_can_be_brought_back(
    desk: Desk, panel: TryOutPanel, save: Callable[..., None]
) -> None:
    save("Gone", {SOURCE: 0.1})
    offers: list[tuple[str, str, object]] = []
    desk.session.messages.offered.connect(lambda *offer: offers.append(offer))
    table = trials_table(panel)
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Delete)
    desk.settle()
    assert names(panel) == []
    assert offers[0][:2] == ("Trial “Gone” is deleted.", "Undo")
    offers[0][2]()  # type: ignore[operator]
    desk.settle()
    assert names(panel) == ["Gone"]


def test_a_trial_takes_over_what_is_tried_now(
    desk: Desk, panel: TryOutPanel, save: Callable[..., None]
) -> None:
    save("Grows", {SOURCE: 0.1})
    desk.session.preview_trust(SOURCE, 0.3)
    desk.settle()
    press(desk, panel, "replaceTrial")
    assert trials_table(panel).rows[0].texts[1] == f"{SOURCE} 0.30"


def test_comparing_two_trials_lists_who_moves_between_them(
    desk: Desk, panel: TryOutPanel, save: Callable[..., None]
) -> None:
    save("Low", {SOURCE: 0.0})
    low = trials_table(panel).rows[0].key
    save("High", {SOURCE: 1.0})
    high = next(row.key for row in trials_table(panel).rows if row.key != low)
    trials_table(panel).set_current(high)
    choice = find(panel, Choice, "compareTrial")
    choice.set_value(low)
    choice.value_chosen.emit(low)
    desk.settle()
    said = find(panel, QLabel, "trialDifference").text()
    assert said.startswith("From “Low” to “High”: ")
    assert said.endswith(f"They differ in {SOURCE}.")
    movers = find(panel, KeyedTable, "trialMovers")
    own = {
        desk.session.snapshot.memories.ids.text(int(row))
        for row in desk.session.snapshot.rows_of_source(SOURCE)
    }
    assert movers.rows
    assert {row.key for row in movers.rows if row.texts[1].startswith("+")} <= own
    choice.set_value("preview")
    choice.value_chosen.emit("preview")
    desk.settle()
    assert find(panel, QLabel, "trialDifference").text() == (
        "“High” and the preview have the same trusts."
    )


# Questions.


def test_the_trust_that_reaches_the_target_is_the_smallest_that_does(
    desk: Desk, panel: TryOutPanel
) -> None:
    session = desk.session
    row = int(session.snapshot.rows_of_source(SOURCE)[0])
    memory_id = session.snapshot.memories.ids.text(row)
    session.select(memory_id)
    panel.show_page("questions")
    desk.settle()
    session.preview_trust(SOURCE, 0.4)
    desk.settle()
    target = round(float(session.scores.confidence[row]), 3)
    session.discard_preview()
    field = find(panel, NumberField, "questionTarget")
    field.setValue(target)
    desk.settle()
    assert "trust of at least" in find(panel, QLabel, "questionAnswer").text().lower()
    press(desk, panel, "tryTrust")
    tried = session.preview.trust.get(SOURCE, session.trust_of(SOURCE))
    assert tried is not None
    assert session.scores.confidence[row] >= target
    session.preview_trust(SOURCE, round(tried - 0.01, 2))
    desk.settle()
    assert session.scores.confidence[row] < target


def test_a_target_out_of_reach_offers_nothing_to_try(desk: Desk, panel: TryOutPanel) -> None:
    session = desk.session
    rows = session.snapshot.rows_of_source(SOURCE)
    low = int(rows[int(np.argmin(session.scores.confidence[rows]))])
    session.select(session.snapshot.memories.ids.text(low))
    panel.show_page("questions")
    find(panel, NumberField, "questionTarget").setValue(1.0)
    desk.settle()
    assert "No trust value reaches 1.00" in find(panel, QLabel, "questionAnswer").text()
    assert not is_on(panel, "tryTrust")


def test_a_memory_without_source_says_what_to_do(desk: Desk, panel: TryOutPanel) -> None:
    ids = desk.session.snapshot.memories.ids
    row = next(r for r in range(len(ids)) if desk.session.snapshot.source_key_of_row(r) is None)
    desk.session.select(ids.text(row))
    panel.show_page("questions")
    desk.settle()
    assert "Name its source first" in find(panel, QLabel, "questionAnswer").text()


def test_memories_kept_in_mind_stay_at_the_target_under_the_lowest_trust(
    desk: Desk, panel: TryOutPanel
) -> None:
    session = desk.session
    before = session.vault.path.read_bytes()
    panel.show_page("questions")
    desk.settle()
    assert find(panel, QLabel, "lowestAnswer").text().startswith("None is kept in mind yet.")
    rows = [int(row) for row in session.snapshot.rows_of_source(SOURCE)[:2]]
    for row in rows:
        session.select(session.snapshot.memories.ids.text(row))
        desk.settle()
        press(desk, panel, "addKept")
    table = find(panel, KeyedTable, "keptTable")
    assert [row.key for row in table.rows] == [
        session.snapshot.memories.ids.text(row) for row in rows
    ]
    target = round(float(session.scores.confidence[rows].min()) - 0.02, 2)
    find(panel, NumberField, "questionTarget").setValue(target)
    desk.settle()
    press(desk, panel, "tryLowest")
    tried = session.trust_of(SOURCE)
    assert tried is not None
    assert table.rows[0].texts[3] == f"{tried:.2f}"
    assert session.scores.confidence[rows].min() >= target
    if tried > 0:
        session.preview_trust(SOURCE, round(tried - 0.01, 2))
        desk.settle()
        assert session.scores.confidence[rows].min() < target
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Delete)
    desk.settle()
    assert len(table.rows) == 1
    assert session.vault.path.read_bytes() == before


# Worth a look.


def suggestions(panel: TryOutPanel) -> KeyedTable:
    return find(panel, KeyedTable, "suggestionsTable")


@pytest.fixture
def split(desk: Desk) -> tuple[str, str]:
    """One source spelled in two ways."""
    rows = desk.session.snapshot.rows_of_source(SOURCE)
    twin = "Slack design"
    with closing(sqlite3.connect(desk.session.vault.path)) as db, db:
        memory_id = desk.session.snapshot.memories.ids.text(int(rows[0]))
        db.execute("UPDATE memories SET source = ? WHERE id = ?", (twin, memory_id))
    with desk.qtbot.waitSignal(desk.session.vault_changed, timeout=10_000):
        pass
    desk.settle()
    return SOURCE, twin.lower()


def test_go_selects_the_source_by_its_lowest_memory(
    desk: Desk, split: tuple[str, str], panel: TryOutPanel
) -> None:
    asked: list[Place] = []
    desk.session.looking.place_requested.connect(asked.append)
    panel.show_page("suggestions")
    desk.settle()
    table = suggestions(panel)
    line = next(row for row in table.rows if row.key.startswith("split\n"))
    table.set_current(line.key)
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    session = desk.session
    assert session.selected_row is not None
    key = session.snapshot.source_key_of_row(session.selected_row)
    assert key == line.key.partition("\n")[2]
    rows = session.snapshot.rows_of_source(key or "")
    assert session.scores.confidence[session.selected_row] == session.scores.confidence[rows].min()
    assert asked == [Place("sources")]
    assert session.looking.source_key == key


def test_unifying_shows_its_plan_and_writes_it_as_one_step(
    desk: Desk, split: tuple[str, str], panel: TryOutPanel
) -> None:
    session = desk.session
    before = session.vault.path.read_bytes()
    panel.show_page("suggestions")
    desk.settle()
    table = suggestions(panel)
    line = next(row for row in table.rows if row.key.startswith("split\n"))
    assert "most likely the same as" in line.texts[1]
    table.set_current(line.key)
    table.key_selected.emit(line.key)
    press(desk, panel, "unifySources")
    dialog = panel.window().findChild(UnifyDialog, "unifyDialog")
    assert dialog is not None
    desk.settle()
    facts = dialog.findChild(QLabel, "unifyFacts")
    assert isinstance(facts, QLabel)
    assert "memories get another source text" in facts.text()
    assert session.vault.path.read_bytes() == before
    button = dialog.findChild(QPushButton, "unifyApply")
    assert isinstance(button, QPushButton)
    with desk.qtbot.waitSignal(session.vault_changed):
        desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.settle()
    counts = [len(session.snapshot.rows_of_source(key)) for key in split]
    assert sorted(counts)[0] == 0
    assert not any(row.key.startswith("split\n") for row in table.rows)
    with desk.qtbot.waitSignal(session.vault_changed):
        session.undo()
    desk.settle()
    assert all(len(session.snapshot.rows_of_source(key)) for key in split)


def test_another_trust_to_stay_makes_another_plan(
    desk: Desk, split: tuple[str, str], panel: TryOutPanel
) -> None:
    panel.show_page("suggestions")
    desk.settle()
    table = suggestions(panel)
    line = next(row for row in table.rows if row.key.startswith("split\n"))
    table.set_current(line.key)
    table.key_selected.emit(line.key)
    press(desk, panel, "unifySources")
    dialog = panel.window().findChild(UnifyDialog, "unifyDialog")
    assert dialog is not None
    desk.settle()
    planned = dialog.findChild(TableView, "unifyTable")
    assert isinstance(planned, TableView)
    model = planned.model()
    assert model is not None
    before = model.rowCount()
    keep = dialog.findChild(Choice, "unifyKeep")
    assert isinstance(keep, Choice)
    assert keep.chosen == SOURCE, "the one that has a trust"
    keep.set_value("")
    keep.value_chosen.emit("")
    desk.settle()
    assert model.rowCount() == before + 1, "its trust goes"
    dialog.reject()
    desk.settle()


def test_a_percent_sign_stays_with_its_number() -> None:
    often = OftenContradicted("a", contradicted=4, active=6, rest_share=0.2)
    (line,) = suggestion_lines(WorthALook((often,), (), ()))
    assert "67\N{NO-BREAK SPACE}%" in line.why
    assert " %" not in line.why


def test_no_source_that_stands_out_is_said(desk: Desk, panel: TryOutPanel) -> None:
    with closing(sqlite3.connect(desk.session.vault.path)) as db, db:
        db.execute("UPDATE memories SET source = NULL")
    with desk.qtbot.waitSignal(desk.session.vault_changed, timeout=10_000):
        pass
    panel.show_page("suggestions")
    desk.settle()
    said = [one.text() for one in panel.findChildren(QLabel, "emptyStateText") if one.isVisible()]
    assert said
    assert said[0].startswith("No source stands out")

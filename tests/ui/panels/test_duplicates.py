"""Duplicates: found, looked at, filtered, kept apart, and what others do meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.ui.panels.upkeep import UpkeepPanel
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.vault.not_duplicates import read_apart
from mvdesk.vault.operations.edit import plan_add

from .conftest import Desk, find

if TYPE_CHECKING:
    from mvdesk.ui.panels.duplicates import DuplicatesSection
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault

TEXT = "The greenhouse door sticks when the weather turns wet, so oil the hinge in autumn."


def add(desk: Desk, memory_id: str, text: str, **fields: object) -> None:
    def make(vault: Vault) -> Plan:
        return plan_add(
            vault.brain.id, {"content": text, **fields}, now=1_790_000_000, memory_id=memory_id
        )

    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.write("add", make)
    desk.settle()


@pytest.fixture
def panel(desk: Desk) -> UpkeepPanel:
    add(desk, "one", TEXT, title="Hinge", tags="shed", importance=0.9)
    add(desk, "two", TEXT, title="Door", tags="shed")
    add(desk, "three", TEXT.replace("autumn", "October"), title="Greenhouse", tags="shed")
    panel = desk.show(UpkeepPanel, width=900, height=760)
    panel.show_page("duplicates")
    find(panel, QLineEdit, "duplicatesSearch").setText("shed")  # the vault has others
    settle(desk, panel.duplicates)
    return panel


@pytest.fixture
def section(panel: UpkeepPanel) -> DuplicatesSection:
    return panel.duplicates


def settle(desk: Desk, section: DuplicatesSection) -> None:
    desk.qtbot.waitUntil(lambda: section.is_settled and desk.session.jobs.is_idle())


def pairs(section: DuplicatesSection) -> list[tuple[str, ...]]:
    return [tuple(row.key.split("\n")) for row in section.table.rows]


def choose(desk: Desk, section: DuplicatesSection, value: str) -> None:
    which = find(section, SegmentedControl, "duplicatesReason")
    which.set_value(value)
    which.value_chosen.emit(value)
    settle(desk, section)


def test_the_pairs_are_listed_with_their_reasons_and_both_sides(
    desk: Desk, section: DuplicatesSection
) -> None:
    assert pairs(section)[0] == ("one", "two")
    assert section.table.rows[0].texts == ("100%", "Hinge", "Door", "same text")
    assert ("one", "three") in pairs(section)
    assert section.pair == ("one", "two")
    title = find(section, QLabel, "pairTitleB")
    assert title.accessibleName() == "Door" or title.text() == "Door"
    said = find(section, QLabel, "duplicatesSaid").text()
    assert said.endswith("pairs found; 0 kept apart.")
    section.table.setFocus()
    desk.qtbot.keyClick(section.table, Qt.Key.Key_Down)
    settle(desk, section)
    assert section.pair == pairs(section)[1]


def test_reasons_and_words_narrow_the_list(desk: Desk, section: DuplicatesSection) -> None:
    choose(desk, section, "text")
    assert pairs(section) == [("one", "two")]
    choose(desk, section, "near")
    assert ("one", "three") in pairs(section)
    assert ("one", "two") not in pairs(section)
    choose(desk, section, "all")
    field = find(section, QLineEdit, "duplicatesSearch")
    field.setText("HINGE greenhouse")
    settle(desk, section)
    assert pairs(section) == [("one", "three")]
    field.setText("nothing like it")
    settle(desk, section)
    empty = find(section, EmptyState, "duplicatesEmpty")
    assert empty.isVisible()
    assert section.pair is None
    empty.action_requested.emit()
    settle(desk, section)
    assert ("one", "two") in pairs(section)


def test_a_pair_kept_apart_is_remembered_and_can_be_offered_again(
    desk: Desk, section: DuplicatesSection
) -> None:
    vault = desk.session.vault
    find(section, QPushButton, "duplicatesApart").click()
    settle(desk, section)
    assert read_apart(vault.companion, vault.brain.id) == {frozenset(("one", "two"))}
    assert ("one", "two") not in pairs(section)
    assert section.pair is not None
    choose(desk, section, "apart")
    assert pairs(section) == [("one", "two")]
    again = find(section, QPushButton, "duplicatesApart")
    assert again.text() == "&Offer it again"
    again.click()
    settle(desk, section)
    assert read_apart(vault.companion, vault.brain.id) == frozenset()
    assert find(section, EmptyState, "duplicatesEmpty").isVisible()
    choose(desk, section, "all")
    find(section, QPushButton, "duplicatesAgain").click()
    settle(desk, section)
    assert ("one", "two") in pairs(section)


def test_what_is_archived_or_changed_meanwhile_goes(desk: Desk, section: DuplicatesSection) -> None:
    desk.edit_outside("UPDATE memories SET archived_at = 1790000001 WHERE id = 'two'")
    settle(desk, section)
    assert all("two" not in pair for pair in pairs(section))
    desk.edit_outside("UPDATE memories SET content = 'Else.', updated_at = 9 WHERE id = 'three'")
    settle(desk, section)
    assert all("three" not in pair for pair in pairs(section))


def test_enter_asks_for_the_merge_of_the_pair(desk: Desk, section: DuplicatesSection) -> None:
    section.table.setFocus()
    with desk.qtbot.waitSignal(section.merge_requested) as asked:
        desk.qtbot.keyClick(section.table, Qt.Key.Key_Return)
    assert asked.args == ["one", "two"]


def test_the_search_can_be_stopped_and_started_again(
    desk: Desk, section: DuplicatesSection
) -> None:
    listed = pairs(section)
    find(section, QPushButton, "duplicatesAgain").click()
    empty = find(section, EmptyState, "duplicatesEmpty")
    assert empty.isVisible()
    empty.action_requested.emit()
    settle(desk, section)
    assert pairs(section) == listed
    assert "look again" in find(section, QLabel, "duplicatesSaid").text()


def test_another_vault_starts_afresh(desk: Desk, section: DuplicatesSection) -> None:
    desk.session.close_vault()
    desk.settle()
    assert section.pair is None
    assert not section.table.rows

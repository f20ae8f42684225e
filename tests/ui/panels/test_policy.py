"""The rules of a brain: said, changed, repaired and taken back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from mvdesk.ui.panels.policy import PolicySection
from mvdesk.ui.panels.upkeep import UpkeepPanel
from mvdesk.vault import rules
from mvdesk.vault.operations.decay import DecaySettings, find_decay
from mvdesk.vault.operations.policy import policy_of

from .conftest import Desk, find


@pytest.fixture
def panel(desk: Desk) -> UpkeepPanel:
    panel = desk.show(UpkeepPanel, width=900, height=900)
    panel.show_page("policy")
    return panel


def stored(desk: Desk) -> dict[str, object]:
    return policy_of(rules.read_policy(desk.session.vault)).to_json()


def type_into(desk: Desk, panel: UpkeepPanel, name: str, text: str) -> QLineEdit:
    section = find(panel, PolicySection, "policySection")
    field = find(section, QLineEdit, name)
    field.setFocus()
    field.selectAll()
    desk.qtbot.keyClicks(field, text)
    return field


def wait_written(desk: Desk, press: QPushButton | QLineEdit) -> None:
    with desk.qtbot.waitSignal(desk.session.write_finished) as done:
        if isinstance(press, QPushButton):
            press.click()
        else:
            desk.qtbot.keyClick(press, Qt.Key.Key_Return)
    assert done.args == ["policy", True]
    desk.settle()


def test_a_changed_rule_is_written_and_taken_back(desk: Desk, panel: UpkeepPanel) -> None:
    before = rules.read_policy(desk.session.vault)
    assert not find(panel, QPushButton, "policySave").isEnabled()
    wait_written(desk, type_into(desk, panel, "decay_days", "77"))
    assert stored(desk)["decay_days"] == 77
    assert not find(panel, QPushButton, "policySave").isEnabled()
    assert find(panel, QLineEdit, "decayDays").text() == "77"
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.undo()
    desk.settle()
    assert rules.read_policy(desk.session.vault) == before
    section = find(panel, PolicySection, "policySection")
    assert find(section, QLineEdit, "decay_days").text() == str(stored(desk)["decay_days"])


def test_it_says_how_many_memories_a_decay_of_that_age_touches(
    desk: Desk, panel: UpkeepPanel
) -> None:
    type_into(desk, panel, "decay_days", "3")
    desk.settle()
    settings = DecaySettings(older_than_days=3, limit=None)
    found = find_decay(desk.session.snapshot, settings, now=desk.session.current_time())
    said = find(panel, QLabel, "decay_daysEffect").text()
    assert said == f"Now a decay of that age would touch {len(found.moves)} memories."


def test_a_value_out_of_range_is_clamped_and_said(desk: Desk, panel: UpkeepPanel) -> None:
    field = type_into(desk, panel, "path_max_hops", "99")
    assert "the most, 8, is used" in find(panel, QLabel, "policySaid").text()
    wait_written(desk, field)
    assert stored(desk)["path_max_hops"] == 8


def test_broken_rules_are_said_and_repaired(desk: Desk, panel: UpkeepPanel) -> None:
    desk.edit_outside("UPDATE brain_policies SET policy_json = '{oops'")
    said = find(panel, QLabel, "policyProblem")
    assert said.isVisible()
    assert "broken JSON" in said.text()
    wait_written(desk, find(panel, QPushButton, "policyRepair"))
    assert not said.isVisible()
    policy = rules.read_policy(desk.session.vault)
    assert policy is not None
    assert policy.policy_json.startswith('{"decay_days":30')


def test_a_rule_changed_by_another_program_is_not_overwritten(
    desk: Desk, panel: UpkeepPanel
) -> None:
    type_into(desk, panel, "decay_days", "77")
    desk.edit_outside(
        """UPDATE brain_policies SET policy_json = '{"decay_days": 5}', updated_at = 9"""
    )
    section = find(panel, PolicySection, "policySection")
    assert find(section, QLineEdit, "decay_days").text() == "77"
    find(panel, QPushButton, "policyRevert").click()
    assert find(section, QLineEdit, "decay_days").text() == "5"

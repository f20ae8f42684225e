"""Back and forward over selected memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mvdesk.ui.navigation import Navigation
from mvdesk.vault.operations.forget import plan_delete

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault


class Walk:
    """Somebody who selects memories and looks at each for a while."""

    def __init__(self, session: VaultSession) -> None:
        self.session, self.seconds = session, 0.0
        self.navigation = Navigation(session, lambda: self.seconds)

    def select(self, row: int, looks_for: float = 5.0) -> None:
        self.session.select(self.id_of(row))
        self.seconds += looks_for

    def id_of(self, row: int) -> str:
        return self.session.snapshot.memories.ids.text(row)

    @property
    def row(self) -> int | None:
        return self.session.selected_row


@pytest.fixture
def walk(session: VaultSession) -> Walk:
    return Walk(session)


def test_back_and_forward(walk: Walk) -> None:
    for row in (1, 2, 3):
        walk.select(row)
    assert walk.navigation.can_go_back
    assert not walk.navigation.can_go_forward
    walk.navigation.go(-1)
    assert walk.row == 2
    walk.navigation.go(-1)
    walk.navigation.go(-1)  # nowhere further
    assert walk.row == 1
    walk.navigation.go(1)
    assert walk.row == 2
    assert walk.navigation.can_go_forward


def test_a_new_way_ends_the_way_forward(walk: Walk) -> None:
    for row in (1, 2, 3):
        walk.select(row)
    walk.navigation.go(-1)
    walk.seconds += 5
    walk.select(7)
    assert not walk.navigation.can_go_forward
    walk.navigation.go(-1)
    assert walk.row == 2


def test_what_was_only_passed_is_no_place_to_go_back_to(walk: Walk) -> None:
    walk.select(1)
    for row in (2, 3, 4, 5):
        walk.select(row, looks_for=0.1)
    walk.seconds += 5
    walk.select(9)
    walk.navigation.go(-1)
    assert walk.row == 5
    walk.navigation.go(-1)
    assert walk.row == 1


def test_deleted_memories_are_passed_over(qtbot: QtBot, walk: Walk) -> None:
    for row in (1, 2, 3):
        walk.select(row)
    gone, first = walk.id_of(2), walk.id_of(1)

    def make(vault: Vault) -> Plan:
        links = vault.read_links_of(gone)
        return plan_delete(vault.read_memories([gone]), links, brain_id=vault.brain.id)

    with qtbot.waitSignal(walk.session.vault_changed):
        walk.session.write("delete", make)
    walk.navigation.go(-1)
    assert walk.session.selected_id == first
    assert not walk.navigation.can_go_back


def test_recent_ones_are_newest_first_and_each_once(walk: Walk) -> None:
    for row in (1, 2, 1, 3):
        walk.select(row)
    assert walk.navigation.recent_ids == [walk.id_of(row) for row in (3, 1, 2)]
    walk.session.close_vault()
    assert walk.navigation.recent_ids == []
    assert not walk.navigation.can_go_back
    walk.navigation.go(-1)

"""The review queue: one memory after the other, each with one key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel

from mvdesk.ui.panels.review import ReviewPanel
from mvdesk.ui.widgets.urgency_bars import UrgencyBars
from mvdesk.vault.questions.review import ReviewSettings, find_review_queue

from .conftest import Desk, find

if TYPE_CHECKING:
    from mvdesk.vault.questions.review import ReviewQueue


@pytest.fixture
def panel(desk: Desk) -> ReviewPanel:
    panel = desk.show(ReviewPanel, width=900, height=700)
    settle(desk, panel)
    return panel


def settle(desk: Desk, panel: ReviewPanel) -> None:
    desk.qtbot.waitUntil(lambda: panel.is_settled and desk.session.jobs.is_idle())


def truth(desk: Desk) -> ReviewQueue:
    settings = ReviewSettings(limit=None)
    return find_review_queue(desk.session.snapshot, settings, now=desk.session.now)


def keys(panel: ReviewPanel) -> list[str]:
    return [row.key for row in panel.table.rows]


def care(desk: Desk, panel: ReviewPanel, name: str) -> str:
    key = panel.table.current_key
    assert key is not None
    panel.care(name)
    settle(desk, panel)
    return key


def test_the_queue_is_that_of_the_question_with_its_four_parts(
    desk: Desk, panel: ReviewPanel
) -> None:
    found, ids = truth(desk), desk.session.snapshot.memories.ids
    assert keys(panel) == [ids.text(int(row)) for row in found.rows]
    assert panel.table.rows[0].texts[0] == f"{found.urgency[0]:.3f}"
    said = find(panel, UrgencyBars, "urgencyBars").accessibleDescription()
    for signal in (found.importance_signal, found.confidence_gap, found.staleness_signal):
        assert f"{signal[0]:.3f}" in said
    assert said.endswith(f"Urgency {found.urgency[0]:.3f}")
    assert desk.session.selected_id == keys(panel)[0]
    assert f"{len(found.rows)} in the queue" in panel.header.detail()


def test_still_true_reinforce_and_archive_are_a_step_each_that_undo_gives_back(
    desk: Desk, panel: ReviewPanel
) -> None:
    before = keys(panel)
    for number, name in enumerate(("true", "reinforce", "archive"), start=1):
        key = care(desk, panel, name)
        assert key not in keys(panel)
        assert panel.table.current_key == before[number]
        assert panel.header.detail().startswith(f"{number} of 10 done today")
    for number in (2, 1, 0):
        desk.session.undo()
        settle(desk, panel)
        assert panel.header.detail().startswith(f"{number} of 10 done today")
        assert panel.table.current_key == desk.session.selected_id == before[number]
    assert keys(panel) == before
    desk.session.redo()
    settle(desk, panel)
    assert keys(panel) == before[1:]


def test_what_is_promised_is_what_the_scores_become(desk: Desk, panel: ReviewPanel) -> None:
    row = next(row for row in panel.cares.rows if row.key == "true")
    key = care(desk, panel, "true")
    place = desk.session.snapshot.row_of(key)
    after = float(desk.session.scores.confidence[place])
    assert row.texts[2].split("→")[-1].split(",")[0].strip() == f"{after:.3f}"
    assert desk.read(key).updated_at == desk.session.current_time()


def test_todays_count_is_there_again_after_a_restart(desk: Desk, panel: ReviewPanel) -> None:
    key = care(desk, panel, "true")
    path = desk.session.vault.path
    with desk.qtbot.waitSignal(desk.session.vault_opened):
        desk.session.open_vault(path)
    settle(desk, panel)
    assert panel.header.detail().startswith("1 of 10 done today")
    assert key not in keys(panel)


def test_skipping_goes_round_and_writes_nothing(desk: Desk, panel: ReviewPanel) -> None:
    first = panel.table.current_key
    for _ in range(len(keys(panel))):
        panel.skip()
    settle(desk, panel)
    assert panel.table.current_key == first
    assert not desk.session.undo_label


def test_editing_counts_once_it_is_saved(desk: Desk, panel: ReviewPanel) -> None:
    with desk.qtbot.waitSignal(panel.edit_requested):
        key = care(desk, panel, "edit")
    assert panel.header.detail().startswith("0 of 10")
    desk.session.save_memory(desk.read(key), {"content": "Checked and rewritten."})
    settle(desk, panel)
    assert panel.header.detail().startswith("1 of 10")
    with desk.qtbot.waitSignal(panel.contradict_requested):
        care(desk, panel, "contradict")


def test_a_memory_that_was_deleted_meanwhile_is_said_and_leaves(
    desk: Desk, panel: ReviewPanel
) -> None:
    key = keys(panel)[0]
    desk.edit_outside("DELETE FROM memories WHERE id = ?", key)
    settle(desk, panel)
    assert key not in keys(panel)
    assert panel.table.current_key == keys(panel)[0]


def test_an_empty_queue_says_the_rule(desk: Desk, panel: ReviewPanel) -> None:
    desk.edit_outside("UPDATE memories SET importance = 0.1")
    settle(desk, panel)
    assert find(panel, QLabel, "emptyStateText").text().startswith("Nothing wants a second look")
    assert not panel.can_care

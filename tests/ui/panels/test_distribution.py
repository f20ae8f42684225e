"""The distribution panel: counts that agree with the scores, a threshold, a filter for the list."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QWidget

from mvdesk.arrays import NO_TIME
from mvdesk.ui import spread_watch
from mvdesk.ui.panels.distribution import DistributionPanel, describe_spread
from mvdesk.ui.plots.distribution import Distribution
from mvdesk.ui.spread_watch import Spread
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.vault.questions.distribution import Distribution as ScoreSpread
from mvdesk.vault.questions.distribution import ScoreCounts

from .conftest import Desk, find

SOURCE = "slack #design"


@pytest.mark.parametrize(
    ("up", "down", "stuck", "said"),
    [
        (31, 4, 12, "31 cross 0.70 upwards, 4 downwards, 12 cannot move."),
        (1, 0, 0, "1 crosses 0.70 upwards, none downwards."),
        (0, 1_200, 0, "1,200 cross 0.70 downwards, none upwards."),
        (0, 0, 3, "None crosses 0.70, 3 cannot move."),
    ],
)
def test_the_sentence_says_who_crosses(up: int, down: int, stuck: int, said: str) -> None:
    assert describe_spread(_spread(up, down, stuck), 0.7) == said


def _spread(up: int, down: int, stuck: int) -> Spread:
    """A preview in which so many memories cross 0.70, and so many can't move."""

    def counted(below: int, above: int) -> ScoreCounts:
        return ScoreCounts.of(np.repeat([0.699, 0.7], [below, above]))

    rising, falling = np.zeros(1001, np.int64), np.zeros(1001, np.int64)
    rising[700], falling[700] = up, down
    before, after = counted(up, down), counted(down, up)
    return Spread(ScoreSpread("confidence", before, after, rising, falling), stuck, True)


@pytest.fixture
def panel(desk: Desk) -> DistributionPanel:
    return desk.show(DistributionPanel, width=640, height=260)


def plot_of(panel: DistributionPanel) -> Distribution:
    return find(panel, Distribution, "distribution")


def sentence(panel: DistributionPanel) -> str:
    return find(panel, QLabel, "distributionSentence").text()


def active_scores(desk: Desk, kind: str = "confidence") -> np.ndarray:
    active = desk.session.snapshot.memories.archived_at == NO_TIME
    scores: np.ndarray = getattr(desk.session.scores, kind)[active]
    return scores


def bin_of(score: float) -> int:
    return min(round(float(score) * 1000) // 50, 19)


def counts(scores: np.ndarray) -> list[int]:
    places = np.minimum(np.rint(scores * 1000).astype(int) // 50, 19)
    return [int(count) for count in np.bincount(places, minlength=20)]


def test_stored_scores_are_counted_and_measured_by_the_threshold(
    desk: Desk, panel: DistributionPanel
) -> None:
    scores = active_scores(desk)
    assert [row[1] for row in plot_of(panel).table()] == counts(scores)
    reached = int(np.count_nonzero(scores >= 0.7))
    assert sentence(panel) == f"{reached} of {len(scores)} active memories reach 0.70."


def test_a_preview_says_who_crosses_and_who_cannot_move(
    desk: Desk, panel: DistributionPanel
) -> None:
    before = active_scores(desk)
    desk.session.preview_trust(SOURCE, 0.0)
    desk.settle()
    after = active_scores(desk)
    table = plot_of(panel).table()
    assert [row[1] for row in table] == counts(before)
    assert [row[2] for row in table] == counts(after)
    up = int(np.count_nonzero((before < 0.7) & (after >= 0.7)))
    down = int(np.count_nonzero((before >= 0.7) & (after < 0.7)))
    stuck = desk.session.preview.clamped
    assert sentence(panel) == describe_spread(_spread(up, down, stuck), 0.7)
    assert down
    assert f"{down} cross 0.70 downwards" in sentence(panel)
    desk.session.discard_preview()
    desk.settle()
    assert {row[2] for row in plot_of(panel).table()} == {None}


def test_the_threshold_moves_by_key_and_back(desk: Desk, panel: DistributionPanel) -> None:
    plot = plot_of(panel)
    plot.setFocus()
    desk.qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert desk.session.threshold == 0.69
    reached = int(np.count_nonzero(active_scores(desk) >= 0.69))
    assert sentence(panel).startswith(f"{reached} of ")
    desk.qtbot.mouseClick(find(panel, IconButton, "thresholdReset"), Qt.MouseButton.LeftButton)
    assert desk.session.threshold == 0.7
    assert plot.threshold == 0.7


def test_importance_is_counted_when_asked_for(desk: Desk, panel: DistributionPanel) -> None:
    find(panel, Choice, "distributionScore").value_chosen.emit("importance")
    scores = active_scores(desk, "importance")
    assert [row[1] for row in plot_of(panel).table()] == counts(scores)
    assert plot_of(panel).accessibleName() == "Distribution of the importance"


def test_a_click_on_a_bar_lists_its_memories_and_again_lists_all(
    desk: Desk, panel: DistributionPanel
) -> None:
    plot = plot_of(panel)
    number = int(np.argmax([row[1] for row in plot.table()]))
    everything = len(desk.session.order)
    spot = QPoint(round(plot.layout_now.x(number / 20 + 0.02)), round(plot.layout_now.lower - 3))
    desk.qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    desk.settle()
    listed = desk.session.scores.confidence[desk.session.order]
    assert len(listed) == plot.table()[number][1]
    assert {bin_of(score) for score in listed} == {number}
    desk.qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    desk.settle()
    assert len(desk.session.order) == everything


def test_in_a_preview_a_bar_lists_what_was_there_and_what_is_there_now(
    desk: Desk, panel: DistributionPanel
) -> None:
    desk.session.preview_trust(SOURCE, 0.0)
    desk.settle()
    before, after = desk.session.committed_scores.confidence, desk.session.scores.confidence
    rows = desk.session.snapshot.rows_of_source(SOURCE)
    moved = rows[before[rows] != after[rows]]
    number = bin_of(after[moved[0]])
    plot_of(panel).bin_chosen.emit(number)
    desk.settle()
    listed = set(desk.session.order.tolist())
    assert int(moved[0]) in listed
    for row in listed:
        assert number in (bin_of(before[row]), bin_of(after[row]))
    desk.session.discard_preview()
    desk.settle()
    assert set(desk.session.order.tolist()) == listed, "the list stays what was asked for"


def test_t_shows_the_table_and_keeps_the_keyboard_there(
    desk: Desk, panel: DistributionPanel
) -> None:
    plot, table = plot_of(panel), find(panel, KeyedTable, "distributionTable")
    plot.setFocus()
    desk.qtbot.keyClick(plot, Qt.Key.Key_T)
    assert table.isVisible()
    assert table.hasFocus()
    assert [row.texts[1] for row in table.rows] == [f"{row[1]:,}" for row in plot.table()]
    desk.session.preview_trust(SOURCE, 0.0)
    desk.settle()
    assert [row.texts[2] for row in table.rows] == [f"{row[2]:,}" for row in plot.table()]
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    assert desk.session.only is not None
    desk.qtbot.keyClick(table, Qt.Key.Key_T)
    assert plot.isVisible()
    assert plot.hasFocus()


def test_a_bar_that_is_pointed_at_is_said(desk: Desk, panel: DistributionPanel) -> None:
    plot = plot_of(panel)
    plot.setFocus()
    desk.qtbot.keyClick(plot, Qt.Key.Key_Up)
    readout = find(panel, ElidedLabel, "distributionReadout")
    assert readout.text() == plot.describe(19)
    desk.qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert "Drag the line" in readout.text()


def test_while_the_values_of_before_are_shown_they_are_all_that_is_counted(
    desk: Desk, panel: DistributionPanel
) -> None:
    stored = sentence(panel)
    desk.session.preview_trust(SOURCE, 0.0)
    desk.settle()
    previewed = sentence(panel)
    desk.session.peek(on=True)
    assert sentence(panel) == stored
    assert {row[2] for row in plot_of(panel).table()} == {None}
    desk.session.peek(on=False)
    assert sentence(panel) == previewed


def test_nothing_is_counted_while_nobody_looks(desk: Desk, panel: DistributionPanel) -> None:
    before = plot_of(panel).table()
    panel.hide()
    desk.session.preview_trust(SOURCE, 0.0)
    desk.settle()
    assert plot_of(panel).table() == before
    panel.show()
    desk.settle()
    assert plot_of(panel).table() != before


def test_a_large_vault_is_counted_behind_the_scenes_and_the_newest_wins(
    desk: Desk, panel: DistributionPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spread_watch, "FRAME_MEMORIES", 0)
    for hundredth in range(30):
        desk.session.preview_trust(SOURCE, hundredth / 100)
    desk.settle()
    assert [row[2] for row in plot_of(panel).table()] == counts(active_scores(desk))


def test_a_closed_vault_leaves_no_numbers(desk: Desk, panel: DistributionPanel) -> None:
    desk.session.close_vault()
    desk.settle()
    assert find(panel, QWidget, "emptyStateText").isVisible()

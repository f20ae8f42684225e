"""The explanation panel on a real vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QScrollArea,
    QToolButton,
    QWidget,
)

from mvdesk.scoring.rounding import round3
from mvdesk.ui.panels.explain import ExplainPanel
from mvdesk.ui.plots.waterfall import Waterfall
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.ui.widgets.verdict import VerdictLabel

from .conftest import find

if TYPE_CHECKING:
    from .conftest import Desk

MINUS = "\N{MINUS SIGN}"


def _waterfall(panel: ExplainPanel, kind: str) -> Waterfall:
    return find(panel, Waterfall, f"{kind}Waterfall")


def _value(panel: ExplainPanel, kind: str, name: str) -> str:
    return next(row.value for row in _waterfall(panel, kind).rows if row.name == name)


def _drawer(panel: ExplainPanel, kind: str = "confidence") -> QFrame:
    parent = _waterfall(panel, kind).parentWidget()
    assert parent is not None
    return find(parent, QFrame, "evidenceDrawer")


def _penalised(desk: Desk) -> str:
    """A memory that others contradict."""
    row = int(desk.session.snapshot.link_counts[:, 2].argmax())
    memory_id = desk.session.snapshot.memories.ids[row]
    assert memory_id is not None
    return memory_id


def test_nothing_is_explained_until_a_memory_is_selected(explain: ExplainPanel) -> None:
    assert "Select a memory" in find(explain, QLabel, "emptyStateText").text()
    assert explain.copied_text() == ""


@pytest.mark.parametrize("kind", ["confidence", "importance"])
def test_the_waterfall_ends_at_the_score_of_the_list(
    desk: Desk, explain: ExplainPanel, kind: str
) -> None:
    for place in (0, 20, 90):
        memory_id = desk.memory_id(place)
        desk.select(memory_id)
        row = desk.session.selected_row
        score = float(getattr(desk.session.scores, kind)[row])
        assert _value(explain, kind, "final") == f"{score:.3f}"
        memory = desk.read(memory_id)
        stored = getattr(memory, kind)
        assert _value(explain, kind, f"base_{kind}") == f"{round3(stored):.3f}"


def test_the_verdict_names_the_strongest_cause(desk: Desk, explain: ExplainPanel) -> None:
    desk.select(_penalised(desk))
    sentence = find(explain, VerdictLabel, "verdict").sentence
    assert "contradicted by" in sentence
    assert MINUS in sentence


def test_the_model_that_scores_is_named(desk: Desk, explain: ExplainPanel) -> None:
    desk.select(desk.memory_id(0))
    assert explain.header.detail() == desk.session.model.id
    desk.session.set_model("memoryvault-dynamic-v2")
    desk.settle()
    assert explain.header.detail() == "memoryvault-dynamic-v2"


def test_a_row_opens_its_evidence_and_escape_closes_it(desk: Desk, explain: ExplainPanel) -> None:
    desk.select(_penalised(desk))
    plot = _waterfall(explain, "confidence")
    place = plot.row_rect("contradiction_penalty").center()
    desk.qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    drawer = _drawer(explain)
    assert drawer.isVisible()
    assert "contradict" in find(drawer, QLabel, "evidenceText").text().casefold()
    desk.qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert not drawer.isVisible()


def test_arrow_keys_go_through_the_rows_and_their_evidence(
    desk: Desk, explain: ExplainPanel
) -> None:
    desk.select(_penalised(desk))
    plot = _waterfall(explain, "confidence")
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    desk.qtbot.keyClick(plot, Qt.Key.Key_Down)
    desk.qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert _drawer(explain).isVisible()
    assert plot.hasFocus()


def test_the_open_evidence_follows_the_selection(desk: Desk, explain: ExplainPanel) -> None:
    desk.select(desk.memory_id(0))
    plot = _waterfall(explain, "confidence")
    place = plot.row_rect("base_confidence").center()
    desk.qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    desk.select(desk.memory_id(50))
    value = _value(explain, "confidence", "base_confidence")
    assert value in _drawer(explain).accessibleDescription()


def test_a_preview_shows_the_stored_values_as_ghosts(desk: Desk, explain: ExplainPanel) -> None:
    key = desk.session.snapshot.sources.keys[0]
    memory_id = desk.memory_of_source(key)
    desk.select(memory_id)
    before = _value(explain, "confidence", "final")
    assert not any(row.ghost for row in _waterfall(explain, "confidence").rows)
    desk.session.preview_trust(key, 0.0)
    desk.settle()
    final = next(r for r in _waterfall(explain, "confidence").rows if r.name == "final")
    assert final.value == f"{desk.session.scores.confidence[desk.session.selected_row]:.3f}"
    assert final.was == before
    desk.session.discard_preview()
    desk.settle()
    assert _value(explain, "confidence", "final") == before
    assert not any(row.ghost for row in _waterfall(explain, "confidence").rows)


def test_model_order_lists_the_rows_as_the_model_does(desk: Desk, explain: ExplainPanel) -> None:
    desk.select(desk.memory_id(0))
    order = find(explain, QComboBox, "explainOrder")
    order.setFocus()
    desk.qtbot.keyClick(order, Qt.Key.Key_Down)
    assert not any(row.kind == "group" for row in _waterfall(explain, "confidence").rows)


def test_one_score_can_be_shown_alone(desk: Desk, explain: ExplainPanel) -> None:
    desk.select(desk.memory_id(0))
    which = find(explain, SegmentedControl, "explainWhich")
    button = which.findChildren(QToolButton)[2]
    desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not _waterfall(explain, "confidence").isVisible()
    assert _waterfall(explain, "importance").isVisible()


def test_both_scores_stand_side_by_side_where_there_is_room(desk: Desk) -> None:
    panel = desk.show(ExplainPanel, width=800, height=700)
    desk.select(desk.memory_id(0))
    one, other = _waterfall(panel, "confidence"), _waterfall(panel, "importance")
    tops = [plot.mapTo(panel, QPoint(0, 0)) for plot in (one, other)]
    assert tops[1].x() >= tops[0].x() + one.width()
    panel.resize(460, 700)
    QApplication.processEvents()
    assert other.mapTo(panel, QPoint(0, 0)).x() == one.mapTo(panel, QPoint(0, 0)).x()


def test_the_panel_fits_its_smallest_dock(desk: Desk) -> None:
    panel = desk.show(ExplainPanel, width=376, height=600)
    desk.select(_penalised(desk))
    assert panel.width() == 376
    area = panel.findChildren(QScrollArea)[0]
    assert area.widget().width() <= area.viewport().width()


def test_the_explanation_is_copied_as_text(desk: Desk, explain: ExplainPanel) -> None:
    desk.select(_penalised(desk))
    desk.qtbot.mouseClick(find(explain, QToolButton, "explainCopy"), Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert desk.session.model.id in text
    assert "Final" in text
    assert "Contradiction" in text
    assert _value(explain, "confidence", "final") in text


def test_a_hidden_panel_is_up_to_date_when_it_comes_back(desk: Desk, explain: ExplainPanel) -> None:
    desk.select(desk.memory_id(0))
    explain.hide()
    desk.select(desk.memory_id(60))
    explain.show()
    row = desk.session.selected_row
    assert _value(explain, "confidence", "final") == (f"{desk.session.scores.confidence[row]:.3f}")


def test_the_wheel_over_a_waterfall_is_left_to_the_panel(desk: Desk, explain: ExplainPanel) -> None:
    desk.select(_penalised(desk))
    viewport: QWidget = _waterfall(explain, "confidence").viewport()
    middle = QPointF(viewport.rect().center())
    event = QWheelEvent(
        middle,
        viewport.mapToGlobal(middle),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)
    assert not event.isAccepted()

"""Small tables: rows with keys, and the movers among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from mvdesk.ui.models.movers_table import MOVER_TITLES, MoverLine, mover_rows
from mvdesk.ui.models.plain_rows import PlainRow, PlainRowsModel
from mvdesk.ui.theme import LIGHT

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

ROWS = (
    PlainRow("a", ("One", "1"), ("", "positive"), tip="more about it"),
    PlainRow("b", ("Zwei 二 \U0001f331", "2")),
)


def make_model() -> PlainRowsModel:
    return PlainRowsModel(("Name", "Number"), frozenset((1,)))


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = make_model()
    model.set_rows(ROWS)
    qtmodeltester.check(model)


def test_cells_say_their_column_and_their_tip(theme: ThemeController) -> None:
    model = make_model()
    model.set_rows(ROWS)
    cell = model.index(0, 1)
    assert model.data(cell) == "1"
    assert model.data(cell, Qt.ItemDataRole.ToolTipRole) == "1\nmore about it"
    assert model.data(cell, Qt.ItemDataRole.AccessibleTextRole) == "Number: 1"
    assert model.data(cell, Qt.ItemDataRole.ForegroundRole).name().upper() == LIGHT.positive  # type: ignore[attr-defined]
    assert model.data(model.index(1, 1), Qt.ItemDataRole.ForegroundRole) is None
    right = model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
    assert right & Qt.AlignmentFlag.AlignRight  # type: ignore[operator]


def test_the_same_keys_only_change_texts(qtbot: QtBot) -> None:
    model = make_model()
    assert model.set_rows(ROWS)
    with qtbot.waitSignal(model.dataChanged), qtbot.assertNotEmitted(model.modelReset):
        assert not model.set_rows((PlainRow("a", ("One", "7")), ROWS[1]))
    assert model.data(model.index(0, 1)) == "7"
    with qtbot.waitSignal(model.modelReset):
        assert model.set_rows(ROWS[:1])
    assert model.row_of("b") == -1


def test_the_same_rows_change_nothing(qtbot: QtBot) -> None:
    model = make_model()
    model.set_rows(ROWS)
    with qtbot.assertNotEmitted(model.dataChanged), qtbot.assertNotEmitted(model.modelReset):
        assert not model.set_rows(list(ROWS))


def test_a_mover_shows_places_signs_and_scores_that_moved() -> None:
    rising = MoverLine("m", "Title", "slack", 1_200, 46, 0.4, 0.52, "slack 0.25 → 0.60")
    passed = MoverLine("n", "Other", "", 46, 47, 0.5, 0.5, "others pass it")
    up, down = mover_rows((rising, passed))
    assert up.texts[:3] == ("1,200 → 46", "+1,154", "0.400 → 0.520")
    assert up.tone(1) == "positive"
    assert down.texts[:3] == ("46 → 47", "−1", "0.500")
    assert down.tone(1) == "negative"
    assert len(up.texts) == len(MOVER_TITLES)

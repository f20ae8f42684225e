from __future__ import annotations

from typing import TYPE_CHECKING

import psutil
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QToolTip

from mvdesk.ui.plots.waterfall_rows import format_tooltip
from mvdesk.ui.theme import DARK, LIGHT, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.scoring.explain import Explanation
    from mvdesk.ui.plots.waterfall import Waterfall
    from mvdesk.ui.theme import ThemeController


def scroll_area_of(waterfall: Waterfall) -> QScrollArea:
    area = waterfall.parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    return area


def click(qtbot: QtBot, waterfall: Waterfall, name: str) -> None:
    where = waterfall.row_rect(name).center()
    qtbot.mouseClick(waterfall.viewport(), Qt.MouseButton.LeftButton, pos=where)


def wheel(waterfall: Waterfall, modifiers: Qt.KeyboardModifier) -> QWheelEvent:
    where = QPointF(250, 60)
    return QWheelEvent(
        where,
        QPointF(waterfall.mapToGlobal(where.toPoint())),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )


def count_pixels(waterfall: Waterfall, color: str) -> int:
    image = waterfall.grab().toImage()
    wanted = QColor(color).rgb()
    return sum(
        image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height())
    )


def test_the_table_holds_every_component_with_value_and_evidence(
    waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    score = explained().confidence
    waterfall.set_explanation(score)
    table = waterfall.table()
    assert table[0] == ("Base — what you stored", "0.700", "")
    assert table[-1][:2] == ("Final", f"{score.final:.3f}")
    for part in score.components:
        assert any(label == part.label and hint == part.hint for label, _, hint in table)
    assert ("Contradiction", "−0.180") in [row[:2] for row in table]


def test_it_is_as_high_as_its_rows_and_never_wider_than_its_panel(
    waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    folded = waterfall.height()
    assert waterfall.sizeHint().height() == folded
    waterfall.set_unfolded(True)
    assert waterfall.height() > folded
    assert waterfall.width() <= scroll_area_of(waterfall).viewport().width()


def test_a_click_selects_a_row_and_says_so(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    with qtbot.waitSignal(waterfall.row_selected) as signal:
        click(qtbot, waterfall, "contradiction_penalty")
    assert signal.args == ["contradiction_penalty"]
    assert waterfall.current_name == "contradiction_penalty"
    assert "minus 0.180" in waterfall.accessibleDescription()
    assert " of " in waterfall.accessibleDescription()


def test_setters_never_emit(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    with (
        qtbot.assertNotEmitted(waterfall.row_selected),
        qtbot.assertNotEmitted(waterfall.row_activated),
    ):
        waterfall.set_explanation(explained().confidence)
        waterfall.set_selected("raw")
        waterfall.set_order("model")
        waterfall.set_order("model")
        waterfall.set_unfolded(True)
        waterfall.set_unfolded(True)
        waterfall.set_explanation(None)
    assert waterfall.table() == []
    assert waterfall.row_rect("raw").isEmpty()


def test_arrow_keys_walk_the_rows_and_pass_over_group_headers(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    walked: list[str] = []
    waterfall.row_selected.connect(walked.append)
    for _ in range(40):
        qtbot.keyClick(waterfall, Qt.Key.Key_Down)
    kinds = [row.name for row in waterfall.rows if row.kind not in ("group", "fold")]
    assert list(dict.fromkeys(walked)) == kinds
    qtbot.keyClick(waterfall, Qt.Key.Key_Home)
    assert waterfall.current_name == "base_confidence"
    qtbot.keyClick(waterfall, Qt.Key.Key_Up)
    assert waterfall.current_name == "base_confidence"
    qtbot.keyClick(waterfall, Qt.Key.Key_End)
    assert waterfall.current_name == "final"
    with qtbot.waitSignal(waterfall.row_activated) as signal:
        qtbot.keyClick(waterfall, Qt.Key.Key_Return)
    assert signal.args == ["final"]


def test_an_up_arrow_starts_at_the_last_row_and_keys_do_nothing_without_rows(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    with qtbot.assertNotEmitted(waterfall.row_selected):
        qtbot.keyClick(waterfall, Qt.Key.Key_Down)
    waterfall.set_explanation(explained().confidence)
    qtbot.keyClick(waterfall, Qt.Key.Key_Up)
    assert waterfall.current_name == "final"


@pytest.mark.parametrize(
    ("key", "name"), [(Qt.Key.Key_Home, "base_confidence"), (Qt.Key.Key_End, "final")]
)
def test_home_and_end_mean_the_ends_from_the_first_press(
    qtbot: QtBot,
    waterfall: Waterfall,
    explained: Callable[..., Explanation],
    key: Qt.Key,
    name: str,
) -> None:
    waterfall.set_explanation(explained().confidence)
    qtbot.keyClick(waterfall, key)
    assert waterfall.current_name == name


def test_zeros_unfold_by_click_and_by_key(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    folded = len(waterfall.rows)
    with qtbot.assertNotEmitted(waterfall.row_selected):
        click(qtbot, waterfall, "zero")
    assert len(waterfall.rows) > folded
    assert waterfall.current_name == "zero"
    for key, count in (
        (Qt.Key.Key_Left, folded),
        (Qt.Key.Key_Space, folded + 1),
        (Qt.Key.Key_Return, folded),
        (Qt.Key.Key_Right, folded + 1),
    ):
        qtbot.keyClick(waterfall, key)
        assert (len(waterfall.rows) > folded) == (count > folded)


def test_the_selected_row_stays_selected_through_a_preview(
    waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    before, after = explained(0.2).confidence, explained(0.5).confidence
    waterfall.set_explanation(before)
    waterfall.set_selected("source_trust_delta")
    waterfall.set_explanation(after, previous=before)
    assert waterfall.current_name == "source_trust_delta"
    row = next(row for row in waterfall.rows if row.name == "source_trust_delta")
    assert row.was == "−0.120"
    assert "was −0.120 before the preview" in format_tooltip(row)
    waterfall.set_explanation(explained(None).importance)
    assert waterfall.current_name is None


def test_the_wheel_scrolls_the_panel_and_ctrl_zooms(
    waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    plain = wheel(waterfall, Qt.KeyboardModifier.NoModifier)
    waterfall.wheelEvent(plain)
    assert not plain.isAccepted()
    assert waterfall.axis_range == (0.0, 1.0)
    zooming = wheel(waterfall, Qt.KeyboardModifier.ControlModifier)
    waterfall.wheelEvent(zooming)
    low, high = waterfall.axis_range
    assert zooming.isAccepted()
    assert 0.0 <= low < high <= 1.0
    assert high - low < 0.9


def test_z_zooms_to_the_bars_and_back(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    qtbot.keyClick(waterfall, Qt.Key.Key_Z)
    low, high = waterfall.axis_range
    assert waterfall.zoomed
    assert low > 0.3
    assert high < 1.0
    qtbot.keyClick(waterfall, Qt.Key.Key_Z)
    assert waterfall.axis_range == (0.0, 1.0)


def test_a_sum_beyond_1_shows_a_wall(
    waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained(1.0, {"contradicts_count": 0}, confidence=1.0).confidence)
    assert waterfall.axis_range[1] > 1.05
    assert any(row.name == "clamp" for row in waterfall.rows)


def test_hover_follows_the_mouse_and_leaves_with_it(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    plain = count_pixels(waterfall, LIGHT.hover_tint)
    qtbot.mouseMove(waterfall.viewport(), waterfall.row_rect("support_signal").center())
    qtbot.waitUntil(lambda: count_pixels(waterfall, LIGHT.hover_tint) > plain + 500)
    QApplication.sendEvent(waterfall, QEvent(QEvent.Type.Leave))
    assert count_pixels(waterfall, LIGHT.hover_tint) == plain


def test_the_focus_ring_comes_with_the_keyboard_and_not_with_the_mouse(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    waterfall.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(waterfall.hasFocus)
    click(qtbot, waterfall, "raw")
    assert count_pixels(waterfall, LIGHT.accent) == 0
    qtbot.keyClick(waterfall, Qt.Key.Key_Down)
    assert count_pixels(waterfall, LIGHT.accent) > 300
    waterfall.clearFocus()
    assert count_pixels(waterfall, LIGHT.accent) == 0
    waterfall.set_selected(None)
    waterfall.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: waterfall.current_name == "base_confidence")


def test_a_click_activates_a_double_click_asks_for_a_change(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    where = waterfall.row_rect("support_signal").center()
    with qtbot.waitSignal(waterfall.row_activated) as signal:
        qtbot.mouseClick(waterfall.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert signal.args == ["support_signal"]
    with qtbot.waitSignal(waterfall.change_requested) as signal:
        qtbot.mouseDClick(waterfall.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert signal.args == ["support_signal"]
    with qtbot.assertNotEmitted(waterfall.row_selected):
        qtbot.mouseClick(waterfall.viewport(), Qt.MouseButton.RightButton, pos=where)


def test_keys_of_the_window_pass_through(qtbot: QtBot, waterfall: Waterfall) -> None:
    seen: list[int] = []
    area = scroll_area_of(waterfall)
    area.keyPressEvent = lambda event: seen.append(event.key())
    qtbot.keyClick(waterfall, Qt.Key.Key_P)
    qtbot.keyClick(waterfall, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert seen == [Qt.Key.Key_P, Qt.Key.Key_Alt, Qt.Key.Key_Down]


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_every_label_fits_the_narrowest_panel(
    waterfall: Waterfall, explained: Callable[..., Explanation], tokens: Tokens, scale: float
) -> None:
    waterfall.set_tokens(tokens, scale)
    for score in (explained().confidence, explained().importance):
        waterfall.set_explanation(score)
        waterfall.set_unfolded(True)
        metrics = QFontMetricsF(waterfall._look.font("body"))
        room = waterfall._layout.label.length - 4 * scale
        for row in waterfall.rows:
            if row.kind in ("component", "clamp", "raw", "rounding"):
                assert metrics.horizontalAdvance(row.label) <= room, row.label
            assert metrics.horizontalAdvance(row.value) <= waterfall._layout.value.length
        assert count_pixels(waterfall, tokens.positive) > 100


@pytest.mark.qt_log_ignore(r"This plugin does not support raise")  # the tip's window
def test_the_tool_tip_says_what_is_cut_off(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    where = waterfall.row_rect("source_trust_delta").center()
    event = QHelpEvent(QEvent.Type.ToolTip, where, waterfall.mapToGlobal(where))
    QApplication.sendEvent(waterfall.viewport(), event)
    qtbot.waitUntil(lambda: QToolTip.text().startswith("Source trust: −0.120\n"))
    assert "slack" in QToolTip.text()
    QToolTip.hideText()


def test_it_follows_the_theme_by_itself(
    waterfall: Waterfall, explained: Callable[..., Explanation], theme: ThemeController
) -> None:
    waterfall.set_explanation(explained().confidence)
    height = waterfall.height()
    theme.set_theme("dark")
    theme.set_scale(1.25)
    assert count_pixels(waterfall, DARK.surface) > 10_000
    assert waterfall.height() > height


def test_a_thousand_selections_leave_nothing_behind(
    waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    scores = [explained(0.2), explained(0.8, {"contradicts_count": 0})]
    process = psutil.Process()

    def select(times: int) -> None:
        for number in range(times):
            one = scores[number % 2]
            waterfall.set_explanation(one.confidence if number % 3 else one.importance)
            if number % 10 == 0:
                waterfall.viewport().repaint()

    select(100)
    items, held = len(waterfall.scene().items()), process.memory_info().rss
    select(1_000)
    assert len(waterfall.scene().items()) == items
    assert process.memory_info().rss - held < 20_000_000

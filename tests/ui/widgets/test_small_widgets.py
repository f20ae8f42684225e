"""Labels, headers, bars and chips: what they say, to the eye and to a screen reader."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QVBoxLayout, QWidget

from mvdesk.ui.widgets.banner import Banner
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.chip import Chip
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.link_strip import LinkItem, LinkStrip
from mvdesk.ui.widgets.number_field import NumberField
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.preview_bar import PreviewBar, format_preview
from mvdesk.ui.widgets.score_bar import ScoreBar
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.ui.widgets.trust_control import TrustControl
from mvdesk.ui.widgets.verdict import VerdictLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController


def named_part(widget: QWidget, kind: type[QWidget], name: str) -> QWidget:
    found = widget.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def test_a_verdict_reads_the_same_to_everyone(qtbot: QtBot) -> None:
    label = VerdictLabel()
    qtbot.addWidget(label)
    label.set_sentence("Confidence **0.41**: source *slack* & <b> trusted 0.20 (−0.120).")
    assert label.sentence == "Confidence 0.41: source slack & <b> trusted 0.20 (−0.120)."
    assert label.accessibleDescription() == label.sentence
    assert '600">0.41</span>' in label.text()
    assert "<i>slack</i>" in label.text()
    assert "&lt;b&gt;" in label.text()


def test_the_first_number_of_a_plain_verdict_is_the_score(qtbot: QtBot) -> None:
    label = VerdictLabel()
    qtbot.addWidget(label)
    label.set_sentence("Confidence 0.412, lower than 82 % of your facts (−0.180).")
    assert label.text().count("600") == 1
    assert '600">0.412</span>' in label.text()
    label.set_sentence("")
    assert label.isHidden()


def test_an_elided_label_keeps_its_text_and_shows_it_as_a_tip(qtbot: QtBot) -> None:
    label = ElidedLabel("A vault with a very long name.sqlite\nindeed")
    qtbot.addWidget(label)
    label.resize(80, 20)
    label.grab()
    assert label.shown_text().endswith("…")
    assert label.toolTip() == "A vault with a very long name.sqlite indeed"
    label.resize(600, 20)
    label.grab()
    assert label.toolTip() == ""
    assert label.minimumSizeHint().width() < 60


def test_an_elided_label_has_room_for_all_of_its_text_when_asked(
    qtbot: QtBot, theme: ThemeController
) -> None:
    label = ElidedLabel("214 of 3,120")
    qtbot.addWidget(label)
    for scale in (0.85, 1.0, 1.6):
        theme.set_scale(scale)
        label.resize(label.sizeHint())
        assert label.shown_text() == "214 of 3,120"


def test_a_panel_header(qtbot: QtBot, theme: ThemeController) -> None:
    header = PanelHeader("Memories")
    qtbot.addWidget(header)
    button = IconButton("filter", "Filter")
    header.add_action(button)
    header.set_detail("214 of 3,120")
    header.resize(300, header.height())
    header.show()
    assert header.accessibleName() == "Memories"
    assert header.detail() == "214 of 3,120"
    assert button.geometry().right() <= header.width() - 8
    header.set_title("Sources")
    title = named_part(header, QLabel, "panelTitle")
    assert isinstance(title, QLabel)
    assert title.text() == "Sources"
    theme.set_scale(1.5)
    assert header.height() == 54


def test_an_empty_state_has_one_sentence_and_one_way_on(qtbot: QtBot) -> None:
    empty = EmptyState("No memories match. 3 filters are on.", "Clear filters")
    qtbot.addWidget(empty)
    empty.show()
    button = named_part(empty, QPushButton, "emptyStateAction")
    with qtbot.waitSignal(empty.action_requested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    empty.set_text("Select a memory.")
    assert not button.isVisible()
    assert empty.text() == empty.accessibleName() == "Select a memory."


@pytest.mark.parametrize(
    ("changes", "facts", "sentence"),
    [
        (1, (), "Previewing 1 trust change"),
        (
            2,
            ("214 affected", "31 cross 0.70"),
            "Previewing 2 trust changes · 214 affected · 31 cross 0.70",
        ),
    ],
)
def test_the_preview_in_words(changes: int, facts: tuple[str, ...], sentence: str) -> None:
    assert format_preview(changes, facts) == sentence


def test_the_preview_bar_asks_and_says_that_nothing_is_written(qtbot: QtBot) -> None:
    bar = PreviewBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.set_text("Previewing 1 trust change")
    assert bar.text() == "Previewing 1 trust change"
    assert "Nothing is written yet" in bar.accessibleDescription()
    assert (bar.objectName(), bar.apply_button.objectName()) == ("previewBar", "applyPreview")
    with qtbot.waitSignal(bar.apply_requested):
        bar.apply_button.click()
    with qtbot.waitSignal(bar.discard_requested):
        bar.discard_button.click()


def test_a_preview_that_can_not_be_applied_says_why(qtbot: QtBot) -> None:
    bar = PreviewBar()
    qtbot.addWidget(bar)
    bar.set_refusal("This vault is read-only.")
    assert not bar.apply_button.isEnabled()
    assert bar.apply_button.toolTip() == "This vault is read-only."
    bar.set_refusal("")
    assert bar.apply_button.isEnabled()


def test_a_narrow_banner_wraps_its_buttons_and_shows_each_whole(qtbot: QtBot) -> None:
    host = QWidget()
    column = QVBoxLayout(host)
    banner = Banner()
    column.addWidget(banner)
    column.addStretch(1)
    qtbot.addWidget(host)
    banner.add_button("both", "Both", "")
    banner.add_button("compare", "What differs", "")
    banner.set_text("Changed meanwhile: text. It is kept.", action="Keep mine", other="Take theirs")
    host.resize(230, 400)
    with qtbot.waitExposed(host):
        host.show()
    buttons = [one for one in banner.findChildren(QPushButton) if one.text()]
    assert len(buttons) == 4
    for button in buttons:
        assert button.isVisible()
        assert button.width() >= button.sizeHint().width(), button.text()
        assert banner.rect().contains(QRect(button.mapTo(banner, QPoint(0, 0)), button.size()))
    text = named_part(banner, QLabel, "bannerText")
    assert text.height() >= text.heightForWidth(text.width())
    assert text.geometry().bottom() < buttons[0].mapTo(banner, QPoint(0, 0)).y()


def test_a_banner_is_there_only_while_it_has_something_to_say(qtbot: QtBot) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    assert banner.isHidden()
    banner.set_text("Changed outside.", kind="warning", action="Compare")
    banner.show()
    assert not banner.isHidden()
    action = named_part(banner, QPushButton, "bannerAction")
    with qtbot.waitSignal(banner.action_requested):
        qtbot.mouseClick(action, Qt.MouseButton.LeftButton)
    cross = banner.findChild(IconButton)
    assert cross is not None
    with qtbot.waitSignal(banner.dismissed):
        qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert banner.isHidden()
    banner.set_text("Read-only.", kind="locked", closable=False)
    assert cross.isHidden()
    assert banner.text() == banner.accessibleDescription() == "Read-only."


def test_segments_choose_by_click_and_by_arrow(qtbot: QtBot) -> None:
    control = SegmentedControl("Order", [("grouped", "Grouped"), ("model", "Model order")])
    qtbot.addWidget(control)
    control.show()
    with qtbot.assertNotEmitted(control.value_chosen):
        control.set_value("model")
    assert control.value == "model"
    with qtbot.waitSignal(control.value_chosen) as seen:
        qtbot.keyClick(control, Qt.Key.Key_Right)
    assert seen.args == ["grouped"]
    with qtbot.waitSignal(control.value_chosen) as seen:
        qtbot.mouseClick(control.findChildren(QAbstractButton)[1], Qt.MouseButton.LeftButton)
    assert seen.args == ["model"]
    with pytest.raises(ValueError, match="sideways"):
        control.set_value("sideways")


def test_tab_stops_once_at_a_segmented_control(qtbot: QtBot) -> None:
    control = SegmentedControl("Order", [("a", "A"), ("b", "B"), ("c", "C")])
    qtbot.addWidget(control)
    control.set_value("b")
    tabbed = [
        bool(button.focusPolicy() & Qt.FocusPolicy.TabFocus)
        for button in control.findChildren(QAbstractButton)
    ]
    assert tabbed == [False, True, False]


def test_a_chip_counts(qtbot: QtBot, theme: ThemeController) -> None:
    chip = Chip("Low for its type")
    qtbot.addWidget(chip)
    chip.set_count(1234)
    assert chip.text() == "Low for its type  1,234"
    assert chip.accessibleName() == "Filter: Low for its type, 1,234 memories"
    with qtbot.waitSignal(chip.toggled):
        chip.click()
    for scale in (0.85, 1.0, 1.6):
        theme.set_scale(scale)
        chip.ensurePolished()
        assert chip.sizeHint().height() >= 22


def test_a_score_bar_tells_both_numbers_while_previewing(qtbot: QtBot) -> None:
    bar = ScoreBar("Confidence")
    qtbot.addWidget(bar)
    bar.resize(bar.sizeHint())
    pictures = []
    for score, committed in ((0.4, None), (0.4, 0.8), (0.4, 0.2), (math.nan, None)):
        bar.set_score(score, committed)
        pictures.append(bar.grab().toImage())
    assert all(a != b for i, a in enumerate(pictures) for b in pictures[:i])
    assert bar.accessibleDescription() == "–"
    bar.set_score(0.4, 0.8)
    assert bar.accessibleDescription() == "0.400, before the preview 0.800"


def looks_like(widget: QWidget, picture: QImage) -> bool:
    return widget.grab().toImage() == picture


def make_all(qtbot: QtBot) -> list[QWidget]:
    strip = LinkStrip()
    strip.set_links([LinkItem("l", "m", "Port", "supports", outgoing=True)])
    table = TableView("Memories")
    made: list[QWidget] = [
        strip,
        table,
        Banner(),
        CheckBox("Show archived"),
        Chip("Facts"),
        Choice("Type"),
        EmptyState("Nothing.", "Do"),
        NumberField("Base confidence"),
        PanelHeader("Memories"),
        PreviewBar(),
        ScoreBar("Confidence"),
        SearchField("Search"),
        SegmentedControl("Order", [("a", "A"), ("b", "B")]),
        TrustControl(),
    ]
    for widget in made:
        qtbot.addWidget(widget)
    return made


def test_nothing_that_takes_the_focus_is_without_a_name(qtbot: QtBot) -> None:
    for widget in make_all(qtbot):
        widget.show()
        for part in (widget, *widget.findChildren(QWidget)):
            if part.focusPolicy() == Qt.FocusPolicy.NoFocus or _is_inner(part) or part.isHidden():
                continue
            text = part.text() if isinstance(part, QAbstractButton) else ""
            assert part.accessibleName() or text, f"{type(widget).__name__}: {part}"


def _is_inner(part: QWidget) -> bool:
    """Whether Qt made the widget itself, inside one that has a name."""
    return part.objectName().startswith("qt_") or part.inherits("QTableCornerButton")


def test_what_can_be_hit_is_at_least_24_pixels(qtbot: QtBot) -> None:
    for widget in make_all(qtbot):
        widget.resize(widget.sizeHint().expandedTo(QSize(300, 40)))
        widget.show()
        for button in widget.findChildren(QAbstractButton):
            if button.isVisible() and not _is_inner(button):
                assert button.width() >= 22, (type(widget).__name__, button)
                assert button.height() >= 22, (type(widget).__name__, button)


def test_every_widget_follows_theme_and_scale(qtbot: QtBot, theme: ThemeController) -> None:
    for widget in make_all(qtbot):
        # Not on the screen: no focus ring and no pointer in the pictures.
        widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        widget.resize(400, 120)
        widget.show()
        light = widget.grab().toImage()
        theme.set_theme("dark")
        assert widget.grab().toImage() != light, type(widget).__name__
        theme.set_theme("light")
        theme.set_scale(1.5)
        theme.set_scale(1.0)
        widget.resize(400, 120)
        qtbot.waitUntil(partial(looks_like, widget, light))
        widget.close()


def test_a_long_sentence_of_a_preview_leaves_its_choices_whole(qtbot: QtBot) -> None:
    bar = PreviewBar()
    qtbot.addWidget(bar)
    bar.set_text("Previewing 2 trust changes · " + "214 affected · " * 8)
    bar.resize(640, bar.sizeHint().height())
    bar.show()
    assert bar.views.width() >= bar.views.sizeHint().width()

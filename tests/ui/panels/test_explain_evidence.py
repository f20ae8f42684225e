"""Evidence behind the bars, what other panels mark, and what would raise a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
    QTextEdit,
    QWidget,
)

from mvdesk.scoring.subject import score_subjects
from mvdesk.scoring.wording import without_keyword
from mvdesk.ui.evidence_places import highlight_of
from mvdesk.ui.jobs import CancelToken
from mvdesk.ui.looking import Place
from mvdesk.ui.panels.explain_page import KINDS
from mvdesk.ui.panels.what_if import WhatIfSection
from mvdesk.ui.plots.waterfall import Waterfall
from mvdesk.ui.plots.waterfall_rows import format_tooltip
from mvdesk.ui.reasons import Asked, Question, compute_reasons, subject_of
from mvdesk.ui.widgets.evidence_drawer import EvidenceDrawer
from mvdesk.ui.widgets.lever_card import LeverCard
from mvdesk.ui.widgets.link_strip import LinkStrip
from mvdesk.ui.widgets.trust_slider import TrustSlider
from mvdesk.ui.widgets.verdict import VerdictLabel

from .conftest import find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.panels.explain import ExplainPanel
    from mvdesk.ui.reasons import Reasons

    from .conftest import Desk

TEXT_BARS = ("certainty_signal", "hedge_penalty", "importance_keyword_signal")


def _select(desk: Desk, panel: ExplainPanel, memory_id: str) -> None:
    desk.session.select(memory_id)
    desk.qtbot.waitUntil(lambda: desk.session.jobs.is_idle() and panel.is_settled)


def _settle(desk: Desk, panel: ExplainPanel) -> None:
    desk.qtbot.waitUntil(lambda: desk.session.jobs.is_idle() and panel.is_settled)


def _memory_with(desk: Desk, column: str) -> str:
    inputs = desk.session.snapshot.inputs(desk.session.model)
    return desk.session.snapshot.memories.ids.text(int(getattr(inputs, column).argmax()))


def _linked(desk: Desk, relation: int = 2) -> str:
    row = int(desk.session.snapshot.link_counts[:, relation].argmax())
    return desk.session.snapshot.memories.ids.text(row)


def _waterfall(panel: ExplainPanel, kind: str) -> Waterfall:
    return find(panel, Waterfall, f"{kind}Waterfall")


def _drawer(panel: ExplainPanel, kind: str = "confidence") -> EvidenceDrawer:
    parent = _waterfall(panel, kind).parentWidget()
    assert parent is not None
    return find(parent, EvidenceDrawer, "evidenceDrawer")


def _click(desk: Desk, panel: ExplainPanel, kind: str, name: str) -> None:
    plot = _waterfall(panel, kind)
    where = plot.row_rect(name).center()
    desk.qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=where)


def _reasons(desk: Desk) -> Reasons:
    asked = Asked.of(desk.session)
    assert asked is not None
    found = compute_reasons(asked, CancelToken())
    assert found is not None
    return found


def test_taking_away_all_evidence_of_a_text_bar_makes_the_bar_zero(desk: Desk) -> None:
    for memory_id in (_memory_with(desk, f"{name}_hits") for name in ("certainty", "hedge")):
        desk.select(memory_id)
        reasons = _reasons(desk)
        for kind in KINDS:
            for one in getattr(reasons.evidence, kind).components:
                if one.name not in TEXT_BARS:
                    continue
                assert bool(one.words) == bool(one.component.delta)
                fields = dict(reasons.subject.fields or {})
                for keyword in {hit.keyword for hit in one.words}:
                    fields = without_keyword(fields, keyword)
                memory = desk.session.selected_memory
                assert memory is not None
                texts = " ".join(str(text or "") for text in fields.values()).lower()
                lists = reasons.subject.model.keywords
                words = {
                    "certainty_signal": lists.certainty,
                    "hedge_penalty": lists.hedge,
                    "importance_keyword_signal": lists.importance,
                }[one.name]
                assert not any(word in texts for word in words)


@pytest.mark.parametrize("kind", KINDS)
def test_the_subject_scores_what_the_list_shows_in_a_preview_too(
    desk: Desk, kind: ScoreKind
) -> None:
    key = desk.session.snapshot.sources.keys[0]
    desk.select(desk.memory_of_source(key))
    for trust in (None, 0.13):
        if trust is not None:
            desk.session.preview_trust(key, trust)
            desk.settle()
        asked = Asked.of(desk.session)
        assert asked is not None
        [scores] = score_subjects([subject_of(asked)])
        shown = getattr(desk.session.scores, kind)[desk.session.selected_row]
        assert scores.of(kind) == shown


def test_words_are_shown_with_their_letters_marked(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _memory_with(desk, "certainty_hits"))
    _click(desk, explain, "confidence", "certainty_signal")
    reasons = _reasons(desk)
    hits = reasons.evidence.confidence.of("certainty_signal").words
    shown = find(_drawer(explain), QWidget, "evidenceWords").findChildren(QLabel)
    said = " ".join(label.accessibleName() for label in shown)
    for hit in hits:
        assert f"[{(reasons.subject.fields or {})[hit.field][hit.start : hit.end]}]" in said


def test_open_evidence_is_marked_in_other_panels_until_it_is_closed(
    desk: Desk, explain: ExplainPanel
) -> None:
    _select(desk, explain, _memory_with(desk, "certainty_hits"))
    _click(desk, explain, "confidence", "certainty_signal")
    highlight = desk.session.looking.highlight
    assert highlight is not None
    assert highlight.spans
    assert highlight == highlight_of(_reasons(desk), "confidence", "certainty_signal")
    _click(desk, explain, "confidence", "type_confidence_bias")
    shown = desk.session.looking.highlight
    assert shown is None or not shown.spans
    desk.qtbot.keyClick(_waterfall(explain, "confidence"), Qt.Key.Key_Escape)
    assert desk.session.looking.highlight is None


def test_a_drawer_that_is_opened_early_is_seen_whole_once_it_is_filled(
    desk: Desk, explain: ExplainPanel
) -> None:
    explain.resize(400, 760)
    section, area = explain._page.sections["confidence"], explain._page.area
    _select(desk, explain, _linked(desk))
    desk.session.select(_linked(desk, 1))
    desk.qtbot.waitUntil(lambda: explain._watch.reasons is None)
    section.open_row("link_signal")
    _settle(desk, explain)

    def is_whole() -> bool:
        top = section.drawer.mapTo(area.viewport(), QPoint(0, 0)).y()
        return top >= 0 and top + section.drawer.height() <= area.viewport().height()

    desk.qtbot.waitUntil(is_whole)


def test_links_are_chips_that_select(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    _click(desk, explain, "confidence", "contradiction_penalty")
    strip = find(_drawer(explain), LinkStrip, "evidenceLinks")
    links = _reasons(desk).evidence.confidence.of("contradiction_penalty").links
    assert len(strip.texts()) == len(links)
    assert f"scores {links[0].confidence:.2f}" in strip.texts()[0]
    highlight = desk.session.looking.highlight
    assert highlight is not None
    assert highlight.links == {link.id for link in links}
    assert strip.focus_first()
    button = QApplication.focusWidget()
    assert button is not None
    desk.qtbot.keyClick(button, Qt.Key.Key_Space)
    _settle(desk, explain)
    assert desk.session.selected_id == links[0].other_id


def test_tab_goes_from_the_drawer_to_its_links(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    _click(desk, explain, "confidence", "contradiction_penalty")
    drawer = _drawer(explain)
    close = find(drawer, QWidget, "evidenceClose")
    close.setFocus(Qt.FocusReason.TabFocusReason)
    desk.qtbot.keyClick(close, Qt.Key.Key_Tab)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert find(drawer, LinkStrip, "evidenceLinks").isAncestorOf(focus)


def test_dates_come_with_the_step_that_applies(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, desk.memory_id(0))
    explain._page.sections["importance"].open_row("recency_signal")
    steps = find(_drawer(explain, "importance"), QWidget, "evidenceSteps")
    texts = [label.text() for label in steps.findChildren(QLabel)]
    assert sum("you are here" in text for text in texts) == 1


def test_the_drawer_leads_to_where_it_is_changed(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    _click(desk, explain, "confidence", "contradiction_penalty")
    with desk.qtbot.waitSignal(desk.session.looking.place_requested) as asked:
        desk.qtbot.mouseClick(
            find(_drawer(explain), QPushButton, "evidenceGo"), Qt.MouseButton.LeftButton
        )
    assert asked.args == [Place("editor", "links")]
    plot = _waterfall(explain, "confidence")
    where = plot.row_rect("base_confidence").center()
    with desk.qtbot.waitSignal(desk.session.looking.place_requested) as asked:
        desk.qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert asked.args == [Place("editor", "confidence")]


def test_evidence_follows_a_memory_with_emoji_and_cjk(desk: Desk, explain: ExplainPanel) -> None:
    memory_id = desk.memory_id(0)
    text = "🚫 重跑 maybe e\u0301 did it"
    desk.edit_outside("update memories set content = ? where id = ?", text, memory_id)
    _select(desk, explain, memory_id)
    hits = _reasons(desk).evidence.confidence.of("hedge_penalty").words
    assert [text[hit.start : hit.end] for hit in hits if hit.field == "content"] == ["maybe"]


@pytest.fixture
def windows_shown(explain: ExplainPanel) -> Iterator[list[str]]:
    """The names of all that opens as a window of its own besides the panel's."""
    assert explain.isActiveWindow()
    shown: list[str] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            is_window = isinstance(watched, QWidget) and watched.isWindow()
            if event.type() == QEvent.Type.Show and is_window:
                shown.append(watched.objectName() or type(watched).__name__)
            return False

    watch, app = Watch(), QApplication.instance()
    assert app is not None
    app.installEventFilter(watch)
    yield shown
    app.removeEventFilter(watch)


def test_evidence_opens_in_the_panel_and_never_in_a_window_of_its_own(
    desk: Desk, explain: ExplainPanel, windows_shown: list[str]
) -> None:
    _select(desk, explain, _memory_with(desk, "certainty_hits"))
    for kind in KINDS:
        section = explain._page.sections[kind]
        for row in [r.name for r in section.waterfall.rows if r.kind not in ("group", "fold")]:
            section.open_row(row)
            _settle(desk, explain)
    assert windows_shown == []
    assert explain.isActiveWindow()


# By cause, order, table.


def test_of_many_places_every_word_is_shown(desk: Desk, explain: ExplainPanel) -> None:
    memory = desk.read(desk.memory_id(0))
    text = "maybe " * 40 + "perhaps " * 40 + "the rest is probably fine"
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.save_memory(memory, {"content": text})
    _select(desk, explain, memory.id)
    section = explain._page.sections["confidence"]
    section.open_row("hedge_penalty")
    said = section.drawer.texts()
    for word, count in (("maybe", 4), ("perhaps", 4), ("probably", 1)):
        assert sum(f"[{word}]" in line for line in said) == count
    assert "72 more places." in said


def test_by_cause_says_that_effects_overlap(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    explain.set_by_cause(True)
    plot = _waterfall(explain, "confidence")
    assert plot.shows_causes
    assert find(explain, QLabel, "confidenceNote").isVisible()
    assert find(explain, QComboBox, "explainOrder").currentText() == "By cause"
    causes = {cause.label: cause for cause in _reasons(desk).causes}
    name = next(row.name for row in plot.rows if row.name.startswith("cause:link"))
    _click(desk, explain, "confidence", name)
    highlight = desk.session.looking.highlight
    assert highlight is not None
    assert len(highlight.links) == 1
    assert len([row for row in plot.all_rows() if row.kind == "component"]) == len(causes)
    _select(desk, explain, desk.memory_id(3))
    assert plot.shows_causes
    explain.set_by_cause(False)
    assert plot.rows[-1].name == "final"


def test_the_table_has_the_rows_of_the_bars(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    plot = _waterfall(explain, "confidence")
    plot.setFocus()
    plot.set_selected("contradiction_penalty")
    explain.set_as_table(True)
    table = explain._page.sections["confidence"].table
    assert table.isVisible()
    assert not plot.isVisible()
    assert table.hasFocus()
    assert table.current_name == "contradiction_penalty"
    model = table.model()
    shown = [
        tuple(model.index(row, column).data() for column in range(3))
        for row in range(model.rowCount())
    ]
    assert [tuple(text or "" for text in row) for row in shown] == plot.table()
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    assert _drawer(explain).isVisible()
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    assert explain._page.sections["confidence"].opened != "contradiction_penalty"
    explain.set_as_table(False)
    assert plot.hasFocus()


# The context menu.


def _open_menu(desk: Desk, panel: ExplainPanel, name: str) -> QMenu:
    plot = _waterfall(panel, "confidence")
    where = plot.row_rect(name).center()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, where, plot.viewport().mapToGlobal(where)
    )
    QApplication.sendEvent(plot.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


@pytest.mark.qt_log_ignore("This plugin does not support")  # popups, on a display of none
def test_a_bar_has_a_menu(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    menu = _open_menu(desk, explain, "contradiction_penalty")
    texts = [action.text() for action in menu.actions()]
    assert texts[2] == "List memories where Contradiction is below zero"
    menu.actions()[3].trigger()
    menu.close()
    assert "Contradiction" in QGuiApplication.clipboard().text()
    menu = _open_menu(desk, explain, "contradiction_penalty")
    with desk.qtbot.waitSignal(explain.export_requested) as asked:
        menu.actions()[5].trigger()
    menu.close()
    assert asked.args == ["confidence"]
    menu = _open_menu(desk, explain, "contradiction_penalty")
    with desk.qtbot.waitSignal(explain.picture_requested) as asked:
        menu.actions()[4].trigger()
    menu.close()
    assert asked.args == ["confidence"]
    menu = _open_menu(desk, explain, "contradiction_penalty")
    menu.actions()[2].trigger()
    menu.close()
    _settle(desk, explain)
    counts = desk.session.snapshot.link_counts
    assert len(desk.session.order)
    assert all(counts[int(row), 2] for row in desk.session.order)


@pytest.mark.qt_log_ignore("This plugin does not support")  # popups, on a display of none
def test_totals_can_not_be_filtered_by(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    menu = _open_menu(desk, explain, "raw")
    assert [action.isEnabled() for action in menu.actions()] == [True, False, False, *[True] * 3]
    menu.close()


# The source's trust, and where the base is from.


def _sourced(desk: Desk) -> tuple[str, str]:
    """A memory and the key of its source, whose trust is set."""
    snapshot = desk.session.snapshot
    for row in range(len(snapshot.memories)):
        key = snapshot.source_key_of_row(row)
        if key is not None and desk.session.trust_of(key) is not None:
            return snapshot.memories.ids.text(row), key
    raise AssertionError("no trust is set")


def test_the_drawer_of_the_trust_has_its_slider(desk: Desk, explain: ExplainPanel) -> None:
    memory_id, key = _sourced(desk)
    _select(desk, explain, memory_id)
    section = explain._page.sections["importance"]
    section.open_row("source_trust_delta")
    slider = find(section, TrustSlider, "drawerTrustSlider")
    stored = desk.session.trust_of(key)
    assert slider.isVisible()
    assert slider.trust == stored
    slider.setFocus()
    desk.qtbot.keyClick(slider, Qt.Key.Key_Home)
    desk.settle()
    assert desk.session.preview.trust == {key: 0.0}
    assert slider.committed == stored
    desk.session.preview_trust(key, 0.9)  # as another panel would
    desk.settle()
    assert slider.trust == 0.9
    desk.qtbot.keyClick(slider, Qt.Key.Key_U)
    desk.settle()
    assert desk.session.preview.trust == {key: None}
    desk.qtbot.keyClick(slider, Qt.Key.Key_Delete)
    desk.settle()
    assert desk.session.preview.is_empty
    assert slider.trust == stored
    section.open_row("link_signal")
    assert not slider.isVisible()
    _settle(desk, explain)


def test_a_memory_without_a_source_has_no_slider(desk: Desk, explain: ExplainPanel) -> None:
    snapshot = desk.session.snapshot
    rows = (row for row in range(len(snapshot.memories)))
    row = next(row for row in rows if snapshot.source_key_of_row(row) is None)
    section = explain._page.sections["confidence"]
    memory_id, _ = _sourced(desk)
    _select(desk, explain, memory_id)
    section.open_row("source_trust_delta")
    slider = find(section, TrustSlider, "drawerTrustSlider")
    assert slider.isVisible()
    _select(desk, explain, snapshot.memories.ids.text(row))
    assert not slider.isVisible()


def test_the_base_says_who_changed_it_last(desk: Desk, explain: ExplainPanel) -> None:
    memory_id = desk.memory_id(5)
    _select(desk, explain, memory_id)
    base = _waterfall(explain, "confidence").rows[0]
    assert base.label == "Base — what you stored"
    assert base.hint.startswith("as it was written on ")
    memory = desk.read(memory_id)
    wanted = 0.25 if memory.confidence != 0.25 else 0.35
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.session.save_memory(memory, {"confidence": wanted})
    _settle(desk, explain)
    said = f", from {memory.confidence:.3g} to {wanted}"
    base = _waterfall(explain, "confidence").rows[0]
    assert base.hint.startswith("changed last by an edit on ")
    assert base.hint.endswith(said)
    assert said in format_tooltip(base)
    explain._page.sections["confidence"].open_row("base_confidence")
    assert said in find(explain, QLabel, "evidenceLines").text()


def test_a_pinned_memory_only_says_what_would_be(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    assert any(card.go_button.isVisible() for card in _cards(explain))
    explain.toggle_pin()
    _settle(desk, explain)
    assert _cards(explain)
    assert not any(
        button.isVisible()
        for card in _cards(explain)
        for button in (card.go_button, card.try_button)
    )
    assert find(explain.what_if, QLabel, "whatIfPinned").isVisible()
    assert "only what would be" in explain.copied_text()
    explain.toggle_pin()
    _settle(desk, explain)
    assert any(card.go_button.isVisible() for card in _cards(explain))
    assert not find(explain.what_if, QLabel, "whatIfPinned").isVisible()


# What would raise it.


def _cards(panel: ExplainPanel) -> list[LeverCard]:
    return [card for card in panel.what_if.findChildren(LeverCard) if not card.isHidden()]


def test_a_tried_trust_card_gives_exactly_the_promised_scores(
    desk: Desk, explain: ExplainPanel
) -> None:
    tried = 0
    for row in range(0, len(desk.session.snapshot.memories), 7):
        memory_id = desk.session.snapshot.memories.ids.text(row)
        _select(desk, explain, memory_id)
        answer = explain._watch.answer
        assert answer is not None
        for card, lever in zip(_cards(explain), answer.levers, strict=True):
            if lever.families != ("trust",):
                assert card.try_button.isHidden() == (lever.change.trust is None)
                continue
            desk.qtbot.mouseClick(card.try_button, Qt.MouseButton.LeftButton)
            _settle(desk, explain)
            place = desk.session.selected_row
            assert desk.session.scores.confidence[place] == lever.after.confidence
            assert desk.session.scores.importance[place] == lever.after.importance
            desk.session.discard_preview()
            _settle(desk, explain)
            tried += 1
            break
        if tried == 4:
            break
    assert tried == 4


def test_the_question_can_be_put_otherwise(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    section = find(explain, WhatIfSection, "whatIf")
    headline = find(section, QLabel, "whatIfHeadline")
    before = headline.text()
    target = find(section, QComboBox, "whatIfTarget")
    target.setFocus()
    desk.qtbot.keyClick(target, Qt.Key.Key_Down)
    assert section.question == Question(target=None)
    _settle(desk, explain)
    median = _reasons(desk).peers["confidence"].median
    assert f"{median:.3f}".rstrip("0") in headline.text()
    assert headline.text() != before
    direction = find(section, QComboBox, "whatIfDirection")
    direction.setFocus()
    desk.qtbot.keyClick(direction, Qt.Key.Key_Down)
    _settle(desk, explain)
    assert find(section, QLabel, "whatIfTitle").text() == "What would lower it"
    assert "or less" in headline.text()


def test_kinds_that_are_switched_off_are_not_suggested(desk: Desk, explain: ExplainPanel) -> None:
    section = find(explain, WhatIfSection, "whatIf")

    def kinds() -> set[str]:
        return {find(card, QLabel, "leverKind").text() for card in _cards(explain)}

    for place in range(60, len(desk.session.order)):
        _select(desk, explain, desk.memory_id(place))
        if kinds() == {"Evidence", "Trust", "Curation"}:
            break
    chip = find(section, QPushButton, "trustLevers")
    desk.qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    _settle(desk, explain)
    assert section.question.without == {"trust"}
    assert kinds()
    assert "Trust" not in kinds()


def test_a_card_leads_to_where_it_is_done(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    card = next(card for card in _cards(explain) if not card.go_button.isHidden())
    with desk.qtbot.waitSignal(desk.session.looking.place_requested) as asked:
        desk.qtbot.mouseClick(card.go_button, Qt.MouseButton.LeftButton)
    assert asked.args[0].panel == "editor"


def test_closing_the_vault_leaves_no_question_open(desk: Desk, explain: ExplainPanel) -> None:
    with desk.qtbot.waitSignal(desk.session.memory_loaded):
        desk.session.select(desk.memory_id(4))
    assert not explain.is_settled
    desk.session.close_vault()
    desk.settle()
    assert explain.is_settled
    assert not _cards(explain)
    assert not desk.notices


def test_nothing_of_another_memory_stays_on_the_cards(desk: Desk, explain: ExplainPanel) -> None:
    _select(desk, explain, _linked(desk))
    assert _cards(explain)
    desk.session.select(None)
    assert not _cards(explain)
    assert not find(explain.what_if, QLabel, "whatIfHeadline").text()


# Comparing.


def test_a_pinned_memory_is_compared_with_the_selected_one(
    desk: Desk, explain: ExplainPanel
) -> None:
    one, other = desk.memory_id(0), _linked(desk)
    _select(desk, explain, one)
    explain.toggle_pin()
    strip = find(explain, QFrame, "compareStrip")
    assert strip.isVisible()
    assert _waterfall(explain, "confidence").rows[-1].name == "final"
    _select(desk, explain, other)
    for kind in KINDS:
        rows = _waterfall(explain, kind).all_rows()
        pinned = getattr(desk.session.explain(one), kind)
        shown = getattr(desk.session.explain(other), kind)
        bars = sum(row.end - row.start for row in rows if row.kind == "component")
        assert bars == pytest.approx(shown.raw - pinned.raw, abs=1e-12)
    assert "than the pinned memory" in find(explain, VerdictLabel, "verdict").sentence
    explain.swap_compared()
    _settle(desk, explain)
    assert (desk.session.selected_id, desk.session.looking.pinned_id) == (one, other)
    desk.qtbot.mouseClick(find(strip, QWidget, "compareEnd"), Qt.MouseButton.LeftButton)
    assert not strip.isVisible()
    assert desk.session.looking.pinned_id is None


def test_the_texts_of_the_compared_are_told_apart(desk: Desk, explain: ExplainPanel) -> None:
    one, other = _linked(desk), desk.memory_id(4)
    assert one != other
    _select(desk, explain, one)
    texts = find(explain, QWidget, "compareTexts")
    assert not texts.isVisible()
    explain.toggle_pin()
    _select(desk, explain, other)
    assert texts.isVisible()
    pinned, selected = desk.read(one), desk.read(other)
    said = "\n".join(explain._page.texts.sentences())
    assert "Text, only pinned:" in said
    assert "Text, only selected:" in said
    shown = find(explain, QTextEdit, "compareDiff").toPlainText()
    assert pinned.content[:40] in shown
    assert selected.content[:40] in shown
    assert said in explain.copied_text()
    explain.toggle_pin()
    _settle(desk, explain)
    assert not texts.isVisible()


def test_a_pin_goes_with_its_memory(desk: Desk, explain: ExplainPanel) -> None:
    one = desk.memory_id(0)
    _select(desk, explain, one)
    explain.toggle_pin()
    _select(desk, explain, desk.memory_id(5))
    desk.edit_outside("delete from memories where id = ?", one)
    assert desk.session.looking.pinned_id is None
    assert _waterfall(explain, "confidence").rows[-1].name == "final"


def test_escape_closes_the_drawer_before_it_reaches_a_shortcut(
    desk: Desk, explain: ExplainPanel
) -> None:
    _select(desk, explain, desk.memory_id(0))
    _click(desk, explain, "confidence", "base_confidence")
    explain.addAction("Discard", QKeySequence("Esc"), _never)
    desk.qtbot.keyClick(_waterfall(explain, "confidence"), Qt.Key.Key_Escape)
    assert not _drawer(explain).isVisible()


def _never() -> None:
    raise AssertionError("the shortcut came first")


def test_every_row_of_a_difference_can_be_opened(desk: Desk, explain: ExplainPanel) -> None:
    one, other = _linked(desk), desk.memory_id(2)
    _select(desk, explain, one)
    explain.toggle_pin()
    _select(desk, explain, other)
    for section in explain._page.sections.values():
        for row in section.waterfall.all_rows():
            if row.kind not in ("group", "fold"):
                section.open_row(row.name)
                assert section.drawer.isVisible(), row.name
                assert len(section.drawer.texts()) > 1, row.name

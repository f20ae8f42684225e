"""The search box: chips, hints, offers, history, order by relevance, marks, what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListView, QPushButton

from mvdesk.arrays import NO_TIME
from mvdesk.ui.chosen import ListFilter
from mvdesk.ui.models.list_columns import Column
from mvdesk.ui.panels.memories import MemoriesPanel
from mvdesk.ui.search_memory import KEPT_HISTORY
from mvdesk.ui.widgets.chip_area import ChipArea
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.query_field import QueryField
from mvdesk.ui.widgets.selecting_table import SelectingTable
from mvdesk.vault.questions.find import FindSettings, find_memories
from mvdesk.vault.questions.query import parse_query
from mvdesk.vault.saved_searches import save_search
from tests.vault.questions.test_query import HOSTILE, PIECES

from .conftest import find

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.ui.session import VaultSession

    from .conftest import Desk


def _box(panel: MemoriesPanel) -> QueryField:
    return find(panel, QueryField, "searchBox")


def _type(desk: Desk, panel: MemoriesPanel, text: str) -> None:
    _box(panel).setFocus()
    desk.qtbot.keyClicks(_box(panel), text)
    desk.settle()


def _chips(panel: MemoriesPanel) -> list[QPushButton]:
    return [one for one in panel.findChildren(QPushButton, "queryChip") if one.isVisible()]


def _said(panel: MemoriesPanel) -> list[str]:
    return [chip.text().removesuffix("  ✕") for chip in _chips(panel)]


def _offers(panel: MemoriesPanel) -> list[str]:
    return [offer.text for offer in _box(panel).offers]


def _titles(panel: MemoriesPanel) -> list[str]:
    model = find(panel, SelectingTable, "memoryList").model()
    return [str(model.index(row, Column.TITLE).data()) for row in range(model.rowCount())]


def test_full_texts_are_searched_as_one_types(desk: Desk, memories: MemoriesPanel) -> None:
    content = next(
        text
        for memory in map(desk.read, map(desk.memory_id, range(20)))
        for text in [memory.content.split()[-1].strip(".,")]
        if len(text) > 5 and text.isalpha() and text not in (memory.title or "")
    )
    _type(desk, memories, content)
    assert len(desk.session.order)
    assert _said(memories) == [f"“{content}…”"]


def test_the_parts_of_a_search_are_chips_that_take_them_out(
    desk: Desk, memories: MemoriesPanel
) -> None:
    _type(desk, memories, "export type:fact -tag:zzz conf>=0.1")
    assert _said(memories) == ["“export…”", "type fact", "not tag zzz", "confidence ≥ 0.1"]
    assert memories.header.detail().endswith("4 filters")
    before = len(desk.session.order)
    chip = _chips(memories)[0]
    chip.setFocus()
    desk.qtbot.keyClick(chip, Qt.Key.Key_Delete)
    desk.settle()
    assert desk.session.filter_text == "type:fact -tag:zzz conf>=0.1"
    assert _box(memories).text() == desk.session.filter_text
    assert len(desk.session.order) > before
    desk.qtbot.mouseClick(_chips(memories)[0], Qt.MouseButton.LeftButton)
    assert _said(memories) == ["not tag zzz", "confidence ≥ 0.1"]


def test_an_unknown_operator_has_a_hint_that_mends_it(desk: Desk, memories: MemoriesPanel) -> None:
    _type(desk, memories, "sorce:slack")
    hint = _chips(memories)[-1]
    assert hint.text() == "Did you mean source:slack?"
    assert "no operator" in hint.toolTip()
    desk.qtbot.mouseClick(hint, Qt.MouseButton.LeftButton)
    desk.settle()
    assert _box(memories).text() == "source:slack"
    assert _said(memories) == ["source slack"]
    assert len(desk.session.order)


def test_another_order_leaves_the_chips_alone(
    desk: Desk, memories: MemoriesPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    _type(desk, memories, "type:fact")
    fits: list[ChipArea] = []
    monkeypatch.setattr(ChipArea, "fit", lambda area: fits.append(area))
    desk.session.preview_trust("slack #design", 0.9)
    desk.settle()
    assert not fits
    _type(desk, memories, "type:note")
    assert fits


def test_what_can_t_be_applied_is_said_and_goes_by_a_click(
    desk: Desk, memories: MemoriesPanel
) -> None:
    everything = len(desk.session.order)
    _type(desk, memories, "conf<soon")
    assert _said(memories) == ["conf<soon left out"]
    assert len(desk.session.order) == everything
    desk.qtbot.mouseClick(_chips(memories)[0], Qt.MouseButton.LeftButton)
    assert _box(memories).text() == ""


def test_operators_are_offered_while_typing_and_taken_with_the_keyboard(
    desk: Desk, memories: MemoriesPanel
) -> None:
    _type(desk, memories, "sou")
    assert _offers(memories) == ["source:slack"]
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Down)
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Return)
    desk.settle()
    assert _box(memories).text() == "source:"
    assert _offers(memories), "the sources of this vault"
    first = _offers(memories)[0]
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Tab)
    assert first in _box(memories).text()
    assert _box(memories).hasFocus()
    assert _offers(memories) == []


def test_escape_closes_the_offers_first_and_clears_then(
    desk: Desk, memories: MemoriesPanel
) -> None:
    _type(desk, memories, "ty")
    assert _offers(memories) == ["type:fact"]
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Escape)
    assert (_offers(memories), _box(memories).text()) == ([], "ty")
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Escape)
    assert _box(memories).text() == ""


def test_a_click_takes_an_offer(desk: Desk, memories: MemoriesPanel) -> None:
    _type(desk, memories, "type:")
    desk.settle()
    offers = find(memories.window(), QListView, "offers")
    place = offers.visualRect(offers.model().index(0, 0)).center()
    desk.qtbot.mouseClick(offers.viewport(), Qt.MouseButton.LeftButton, pos=place)
    desk.settle()
    assert _box(memories).text().startswith("type:")
    assert len(_box(memories).text()) > len("type: ")


def test_enter_goes_to_the_hits_and_down_in_the_empty_box_brings_the_search_back(
    desk: Desk, memories: MemoriesPanel
) -> None:
    _type(desk, memories, "export")
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Return)
    assert find(memories, SelectingTable, "memoryList").hasFocus()
    desk.session.set_filter("")
    _box(memories).setFocus()
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Down)
    assert _offers(memories) == ["export"]
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Down)
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Return)
    desk.settle()
    assert desk.session.filter_text == "export"


def test_without_searches_of_before_down_leaves_the_box(
    desk: Desk, memories: MemoriesPanel
) -> None:
    _box(memories).setFocus()
    desk.qtbot.keyClick(_box(memories), Qt.Key.Key_Down)
    assert find(memories, SelectingTable, "memoryList").hasFocus()


def test_only_so_many_searches_are_remembered_the_newest_first(
    desk: Desk, memories: MemoriesPanel
) -> None:
    memory = memories.search.memory
    for number in range(KEPT_HISTORY + 5):
        memory.note(f"search {number}")
    memory.note("search 10")
    memory.note("x" * 500)
    memory.note("  ")
    assert len(memory.history) == KEPT_HISTORY
    assert memory.history[:2] == ("search 10", f"search {KEPT_HISTORY + 4}")


def test_f1_asks_what_can_be_typed(desk: Desk, memories: MemoriesPanel) -> None:
    _box(memories).setFocus()
    with desk.qtbot.waitSignal(memories.search.help_requested):
        desk.qtbot.keyClick(_box(memories), Qt.Key.Key_F1)


def test_hits_come_by_relevance_until_another_order_is_chosen(
    desk: Desk, memories: MemoriesPanel
) -> None:
    session = desk.session
    _type(desk, memories, "export")
    assert session.sort_column == "relevance"
    loaded, moment = session.searched()
    ranked = find_memories(
        loaded.searcher, loaded.snapshot, moment, parse_query("export"), FindSettings(limit=None)
    )
    assert session.order.tolist() == ranked.rows.tolist()
    session.set_sort("title", False)
    desk.settle()
    assert session.sort_column == "title"
    assert _titles(memories) == sorted(_titles(memories), key=str.casefold)
    _type(desk, memories, " a")
    assert session.sort_column == "title"
    session.set_sort("relevance", True)
    assert session.sort_column == "relevance"
    session.set_filter("")
    desk.settle()
    assert session.sort_column == "title"
    session.set_filter("export")
    desk.settle()
    assert session.sort_column == "relevance"


def test_operators_alone_leave_the_order_as_it_is(desk: Desk, memories: MemoriesPanel) -> None:
    desk.session.set_filter("type:fact")
    desk.settle()
    assert desk.session.sort_column == "confidence"


def test_a_preview_moves_what_scores_decide_about(desk: Desk, memories: MemoriesPanel) -> None:
    session = desk.session
    key = "slack"
    rows = session.snapshot.rows_of_source(key)
    session.set_filter("conf>=0.6")
    desk.settle()
    session.preview_trust(key, 1.0)
    desk.settle()
    shown = set(session.order.tolist())
    active = session.snapshot.memories.archived_at == NO_TIME
    assert shown == set(np.flatnonzero((session.scores.confidence >= 0.6) & active).tolist())
    session.set_filter("trust>0.99")
    desk.settle()
    assert set(rows[active[rows]].tolist()) <= set(session.order.tolist())
    session.discard_preview()
    desk.settle()
    assert not set(rows.tolist()) & set(session.order.tolist())


def test_archived_memories_are_found_when_the_search_is_about_them(
    desk: Desk, memories: MemoriesPanel
) -> None:
    desk.session.set_filter("archived:")
    desk.settle()
    memory_table = desk.session.snapshot.memories
    assert len(desk.session.order) == np.count_nonzero(memory_table.archived_at != NO_TIME) > 0


def test_no_hits_say_why_and_what_next(desk: Desk, memories: MemoriesPanel) -> None:
    text = find(memories, QLabel, "emptyStateText")
    action = find(memories, QPushButton, "emptyStateAction")
    _type(desk, memories, "nosuchword")
    assert "nosuchword" in text.text()
    desk.session.set_filter("export nosuchword")
    desk.settle()
    assert text.text().startswith("No memory has all of these words.")
    desk.qtbot.mouseClick(action, Qt.MouseButton.LeftButton)
    desk.settle()
    assert desk.session.filter_text == "export OR nosuchword"
    assert len(desk.session.order)
    desk.session.set_filter("nosuchword type:fact")
    desk.session.set_only(ListFilter("low"))
    desk.settle()
    assert text.text().startswith("No memories match. 3 filters are on.")
    desk.qtbot.mouseClick(action, Qt.MouseButton.LeftButton)
    desk.settle()
    assert desk.session.filter_text == ""
    assert desk.session.only is None
    assert len(desk.session.order)


def test_letters_that_were_searched_for_are_marked_in_titles_and_texts(
    desk: Desk, memories: MemoriesPanel
) -> None:
    looking = desk.session.looking
    assert looking.word_finder is None
    _type(desk, memories, "exp")
    assert looking.word_finder is not None
    assert looking.word_finder("An Export, exports") == [(3, 6), (11, 14)]
    desk.session.set_filter("type:fact")
    desk.settle()
    assert looking.word_finder is None


def test_the_list_is_as_it_was_left_when_the_vault_is_opened_again(
    desk: Desk, memories: MemoriesPanel, make_session: Callable[[], VaultSession]
) -> None:
    session, path = desk.session, desk.session.vault.path
    _type(desk, memories, "export type:fact")
    memories.search.memory.note("export type:fact")
    session.set_show_archived(True)
    session.set_sort("importance", False)
    desk.settle()
    order = session.order.tolist()
    session.close_vault()
    desk.settle()
    assert _box(memories).text() == ""
    again = make_session()
    with desk.qtbot.waitSignal(again.vault_opened):
        again.open_vault(path)
    desk.qtbot.waitUntil(again.jobs.is_idle)
    assert again.filter_text == "export type:fact"
    assert (again.show_archived, again.sort_column) == (True, "importance")
    assert again.order.tolist() == order
    panel = MemoriesPanel(again, desk.theme)
    desk.qtbot.addWidget(panel)
    desk.qtbot.waitUntil(again.jobs.is_idle)
    assert _box(panel).text() == "export type:fact"
    assert panel.search.memory.history == ("export type:fact",)


def test_a_vault_that_is_left_as_usual_gets_no_note_of_it(
    desk: Desk, memories: MemoriesPanel
) -> None:
    vault = desk.session.vault
    companion, brain_id = vault.companion, vault.brain.id
    assert companion.read_setting(f"list/{brain_id}") is None
    desk.session.close_vault()
    desk.settle()
    assert companion.read_setting(f"list/{brain_id}") is None


def test_saved_searches_are_in_the_menu_and_searched_for_from_there(
    desk: Desk, memories: MemoriesPanel
) -> None:
    vault = desk.session.vault
    save_search(vault.companion, vault.brain.id, "type:fact conf<0.5", "Weak & old")
    memories.search.memory.refresh()
    desk.settle()
    menu = find(memories, IconButton, "savedSearches").menu()
    assert menu is not None
    menu.aboutToShow.emit()
    texts = {action.text(): action for action in menu.actions()}
    assert not texts["Save this search…"].isEnabled()
    texts["Weak && old"].trigger()
    desk.settle()
    assert desk.session.filter_text == "type:fact conf<0.5"


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_no_text_breaks_the_box(desk: Desk, memories: MemoriesPanel, data: st.DataObject) -> None:
    for _ in range(5):
        text = data.draw(st.one_of(HOSTILE, st.lists(PIECES, max_size=8).map(" ".join)))
        _box(memories).setText(text)
    desk.settle()
    for _ in range(2):
        for chip in _chips(memories)[:1]:
            chip.click()
    desk.settle()


@pytest.mark.parametrize("text", ["x" * 100_000, "(" * 5_000, '"' * 9_999, "a:b " * 3_000])
def test_very_long_texts_are_searched_for_and_said_to_be_cut(
    desk: Desk, memories: MemoriesPanel, text: str
) -> None:
    desk.session.set_filter(text)
    desk.settle()
    assert len(_chips(memories)) <= 12
    assert any(
        "left out" in said or "Did you" in said or "taken" in said for said in _said(memories)
    )

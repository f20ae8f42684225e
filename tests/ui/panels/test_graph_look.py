"""What the graph looks like: colours, suggested links, a range of scores, facts as filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QSlider, QToolButton, QWidget

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.engine import evaluate_components
from mvdesk.ui.panels.graph_colours import compute_inferred
from mvdesk.ui.panels.graph_facts import GraphFacts
from mvdesk.ui.panels.graph_table import GraphTable
from mvdesk.ui.widgets.chip import Chip
from mvdesk.ui.widgets.range_slider import RangeSlider
from mvdesk.vault.operations.reinforce import ReinforceSettings, find_reinforcement
from mvdesk.vault.questions.link_facts import find_link_facts

from .conftest import find, view_of

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from mvdesk.ui.panels.graph import GraphPanel

    from .conftest import Desk

pytestmark = pytest.mark.usefixtures("lasting_graph")


def _turn_wheel(widget: QWidget) -> None:
    middle = QPointF(widget.rect().center())
    QApplication.sendEvent(
        widget,
        QWheelEvent(
            middle,
            widget.mapToGlobal(middle),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        ),
    )


@pytest.fixture
def whole(desk: Desk, graph: GraphPanel) -> GraphPanel:
    desk.qtbot.keyClick(view_of(graph), Qt.Key.Key_0)
    desk.settle_all()
    return graph


def _actions(menu: QMenu) -> dict[str, QAction]:
    found = {}
    for action in menu.actions():
        found[action.text().replace("&", "").split("\t")[0]] = action
        part = action.menu()
        if isinstance(part, QMenu):
            found |= {
                f"{part.title().split(chr(9))[0]}/{k}".replace("&", ""): v
                for k, v in _actions(part).items()
            }
    return found


def _choose(desk: Desk, panel: GraphPanel, name: str) -> None:
    menu = find(panel, QMenu, "graphMenu")
    menu.aboutToShow.emit()
    _actions(menu)[name].trigger()
    desk.settle_all()


@pytest.mark.parametrize("name", ["Importance", "Source", "Community"])
def test_colours_say_what_was_chosen_and_are_told_in_words(
    desk: Desk, whole: GraphPanel, name: str
) -> None:
    view = view_of(whole)
    assert view.colouring is None
    _choose(desk, whole, f"Colours/{name}")
    colouring = view.colouring
    assert colouring is not None
    assert colouring.kind == name.lower()
    assert len(colouring.codes) == len(view.picture)
    fills = colouring.fills(desk.theme.tokens)
    if colouring.ends is None:  # classes: told apart by a letter or number as well
        marks = [fill.mark for fill in fills[:-1]]
        assert len(set(marks)) == len(marks) > 1
        assert all(colouring.values)
        assert colouring.values[0] in view.describe_node(0)
        texts = [entry.text for entry in view.legend_entries if entry.code >= 0]
        assert sum(int(text.rsplit(" ", 1)[1]) for text in texts) == len(view.picture)
    _choose(desk, whole, "Colours/Confidence")
    assert view.colouring is None


def test_a_key_goes_through_what_colours_say(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    for kind in ("importance", "source", "community", None):
        desk.qtbot.keyClick(view, Qt.Key.Key_C)
        assert view.accessibleDescription().startswith(f"Colours: {kind or 'confidence'}")
        desk.settle_all()
        assert (view.colouring.kind if view.colouring else None) == kind
    _choose(desk, whole, "Colours/What lowers and raises confidence/Source trust")
    desk.qtbot.keyClick(view, Qt.Key.Key_C)
    desk.settle_all()
    assert view.colouring is None


def test_links_of_the_selected_memory_say_what_they_are_worth_to_it(
    desk: Desk, whole: GraphPanel
) -> None:
    view, session = view_of(whole), desk.session
    row = int(session.snapshot.link_counts[:, 0].argmax())
    selected = session.snapshot.memories.ids.text(row)

    def told() -> dict[tuple[str, str, str], str]:
        picture = view.picture
        ends = [(picture.ids[a], picture.ids[b]) for a, b in picture.edges.tolist()]
        said = zip(ends, picture.relations, picture.worths or [None] * len(ends), strict=True)
        return {(*pair, name): worth for pair, name, worth in said if worth}

    desk.select(selected)
    desk.settle_all()
    in_whole = told()
    assert in_whole
    assert all(selected in key for key in in_whole)
    desk.qtbot.keyClick(view, Qt.Key.Key_1)
    desk.settle_all()
    assert told() == in_whole
    desk.qtbot.keyClick(view, Qt.Key.Key_0)
    desk.settle_all()
    session.select(None)
    assert not told()


def test_a_source_is_left_out_from_the_legend_of_sources(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    _choose(desk, whole, "Colours/Source")
    entry = next(one for one in view.legend_entries if one.kind == "source")
    before = len(view.picture)
    view.legend_toggled.emit("source", entry.name)
    assert entry.name not in view.picture.sources
    assert len(view.picture) == before - int(entry.text.rsplit(" ", 1)[1])
    off = next(one for one in view.legend_entries if one.name == entry.name)
    assert off.is_off
    assert off.text.endswith(" 0")
    _choose(desk, whole, "Sources/Show all sources")
    assert len(view.picture) == before


def test_what_a_component_does_is_coloured_signed_and_follows_a_preview(
    desk: Desk, whole: GraphPanel
) -> None:
    view, session = view_of(whole), desk.session
    _choose(desk, whole, "Colours/What lowers and raises confidence/Source trust")
    colouring = view.colouring
    assert colouring is not None
    assert colouring.ends is not None
    rows = [session.snapshot.row_of(key) for key in view.picture.ids]
    inputs = session.snapshot.inputs(session.model).taken(np.array(rows))
    breakdown = evaluate_components(inputs, session.model, session.now)
    column = breakdown.confidence_names.index("source_trust_delta")
    signs = np.sign(np.round(breakdown.confidence_deltas[:, column], 3)).astype(int)
    assert np.sign(colouring.codes - 3).tolist() == signs.tolist()
    fills = colouring.fills(desk.theme.tokens)
    assert [fill.mark for fill in fills] == ["−", "−", "−", "", "+", "+", "+"]
    assert [fill.is_hatched for fill in fills] == [True] * 3 + [False] * 4
    node = next(n for n, source in enumerate(view.picture.sources) if source)
    source = view.picture.sources[node]
    session.preview_trust(source, 0.0)
    desk.settle_all()
    desk.qtbot.waitUntil(lambda: view.colouring is not None and int(view.colouring.codes[node]) < 3)


def test_what_a_reinforcement_would_move_is_coloured_and_follows_the_selection(
    desk: Desk, whole: GraphPanel
) -> None:
    view, session = view_of(whole), desk.session
    _choose(desk, whole, "Colours/What reinforcing the selected one would move")
    for key in view.picture.ids[:3]:
        session.select(key)
        desk.settle_all()
        moves = find_reinforcement(session.snapshot, key, ReinforceSettings(limit=None)).moves
        gains = dict(
            zip(
                [session.snapshot.memories.ids.text(row) for row in moves.rows.tolist()],
                moves.confidence_after
                - moves.confidence_before
                + moves.importance_after
                - moves.importance_before,
                strict=True,
            )
        )
        expected = [np.sign(round(gains.get(one, 0.0), 3)) for one in view.picture.ids]
        assert view.colouring is not None
        assert np.sign(view.colouring.codes - 3).tolist() == expected
        assert any(expected)
    session.select(None)
    assert set(view.colouring.codes.tolist()) == {3}


def test_the_memory_of_the_graphs_menu_is_reinforced(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    key = view.picture.ids[2]
    view.go_to(key)
    with desk.qtbot.waitSignal(whole.reinforce_requested):
        _choose(desk, whole, "Reinforce it…")
    assert desk.session.selected_id == key


def test_the_table_says_what_the_colours_say(desk: Desk, whole: GraphPanel) -> None:
    _choose(desk, whole, "Colours/Source")
    desk.qtbot.keyClick(view_of(whole), Qt.Key.Key_T)
    table = find(whole, GraphTable, "graphTable")
    assert not table.isColumnHidden(5)
    said = {table.model().index(row, 5).data() for row in range(table.model().rowCount())}
    assert said == set(view_of(whole).colouring.values)
    _choose(desk, whole, "Colours/Confidence")
    assert table.isColumnHidden(5)


def test_links_by_shared_tags_are_a_layer_that_is_no_link(desk: Desk, whole: GraphPanel) -> None:
    view = view_of(whole)
    links = len(view.picture.edges)
    _choose(desk, whole, "Links by shared tags")
    picture = view.picture
    assert len(picture.inferred) > 3
    assert len(picture.edges) == links
    made = {tuple(sorted(pair)) for pair in picture.edges.tolist()}
    assert not made & {tuple(sorted(pair)) for pair in picture.inferred.tolist()}
    assert all(label.endswith(("shared tag", "shared tags")) for label in picture.inferred_labels)
    entry = next(one for one in view.legend_entries if one.kind == "inferred")
    assert entry.text == f"shared tags {len(picture.inferred)}"
    view.legend_toggled.emit("inferred", "")
    desk.settle_all()
    assert not len(view.picture.inferred)


def test_of_many_suggested_links_the_closest_are_shown() -> None:
    tags = [("a", "b")] * 4 + [("c",)] * 2
    pairs, labels, total = compute_inferred(tags, np.arange(6), np.array([(1, 0)]), 3)
    assert total == 5  # six pairs of the first four but one, all of score 1; c's pair scores 0.707
    assert len(pairs) == 3
    assert (1, 0) not in pairs.tolist()
    assert set(labels) == {"2 shared tags"}


def test_a_range_of_scores_is_chosen_by_keyboard_and_given_to_the_list(
    desk: Desk, whole: GraphPanel
) -> None:
    view, session = view_of(whole), desk.session
    count = len(view.picture)
    _choose(desk, whole, "Score range…")
    slider = find(whole, RangeSlider, "graphRangeSlider")
    low, high = slider.findChildren(QSlider)
    assert low.accessibleName() == "Least confidence"
    for _ in range(6):
        desk.qtbot.keyClick(low, Qt.Key.Key_PageUp)
    desk.qtbot.keyClick(high, Qt.Key.Key_PageDown)
    assert (slider.low, slider.high) == (0.6, 0.9)
    shown = view.picture.confidence
    assert 0 < len(shown) < count
    assert (np.rint(shown * 1000) >= 600).all()
    assert (np.rint(shown * 1000) <= 900).all()
    with desk.qtbot.waitSignal(session.order_changed):
        find(whole, QPushButton, "graphRangeList").click()
    desk.settle_all()
    listed = {session.snapshot.memories.ids.text(row) for row in session.order.tolist()}
    assert set(view.picture.ids) == listed
    find(whole, QToolButton, "graphRangeEnd").click()
    assert len(view.picture) == count


def test_the_wheel_over_the_range_does_nothing(desk: Desk, whole: GraphPanel) -> None:
    _choose(desk, whole, "Score range…")
    slider = find(whole, RangeSlider, "graphRangeSlider")
    low, high = slider.findChildren(QSlider)
    for end in (low, high):
        end.setFocus()
        for _ in range(5):
            _turn_wheel(end)
    assert (slider.low, slider.high) == (0.0, 1.0)
    desk.qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 4, 14))
    assert 0.15 < slider.low < 0.35
    desk.qtbot.keyClick(high, Qt.Key.Key_Home)
    assert slider.high == slider.low


@pytest.mark.parametrize("fact", ["hubs", "alone"])
def test_a_fact_filters_graph_and_list_and_there_is_a_way_back(
    desk: Desk, whole: GraphPanel, fact: str
) -> None:
    view, session = view_of(whole), desk.session
    before, listed = len(view.picture), len(session.order)
    chip = find(whole, Chip, f"graphFact{fact.capitalize()}")
    facts = find_link_facts(session.snapshot)
    count = getattr(facts, fact)
    assert chip.text().startswith(str(count))
    assert chip.isEnabled() == (count > 0)
    if not count:
        return
    with desk.qtbot.waitSignal(session.order_changed):
        desk.qtbot.keyClick(chip, Qt.Key.Key_Space)
    desk.settle_all()
    assert len(view.picture) == len(session.order) == count
    assert chip.isChecked()
    with desk.qtbot.waitSignal(session.order_changed):
        desk.qtbot.keyClick(chip, Qt.Key.Key_Space)
    desk.settle_all()
    assert (len(view.picture), len(session.order)) == (before, listed)
    assert not chip.isChecked()


@pytest.mark.parametrize("name", ["parts", "disputes"])
def test_a_group_is_chosen_from_a_menu_and_ended_from_the_list(
    desk: Desk, whole: GraphPanel, name: str
) -> None:
    view, session = view_of(whole), desk.session
    before = len(view.picture)
    group = getattr(find_link_facts(session.snapshot), name)[0]
    row = find(whole, GraphFacts, "graphFacts")
    with desk.qtbot.waitSignal(session.order_changed):
        row.group_chosen.emit(name, group)
        desk.settle_all()
    desk.settle_all()
    expected = {session.snapshot.memories.ids.text(one) for one in group.rows.tolist()}
    assert set(view.picture.ids) == expected
    assert find(whole, Chip, f"graphFact{name.capitalize()}").isChecked()
    with desk.qtbot.waitSignal(session.order_changed):
        session.set_only(None)  # as the list's own chip does
    desk.settle_all()
    assert len(view.picture) == before
    assert not find(whole, Chip, f"graphFact{name.capitalize()}").isChecked()


def test_facts_are_those_of_the_whole_vault_alone(desk: Desk, whole: GraphPanel) -> None:
    row = find(whole, GraphFacts, "graphFacts")
    active = desk.session.snapshot.memories.archived_at == NO_TIME
    assert row.isVisible()
    assert find_link_facts(desk.session.snapshot).memories == active.sum()
    desk.select(view_of(whole).picture.ids[0])
    desk.qtbot.keyClick(view_of(whole), Qt.Key.Key_1)
    desk.settle_all()
    assert not row.isVisible()

"""Links as chips."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from mvdesk.records import RELATIONS
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.link_strip import LinkItem, LinkStrip
from mvdesk.ui.widgets.relation_mark import INCOMING, OUTGOING, RelationMark, relation_phrase

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

FIRST = LinkItem("link-1", "memory-1", "Port 5432 is open", "contradicts", outgoing=False)
SECOND = LinkItem(
    "link-2", "memory-2", "R&D plan", "supports", outgoing=True, label="why", worth="+0.065"
)


@pytest.fixture
def strip(qtbot: QtBot) -> LinkStrip:
    made = LinkStrip()
    qtbot.addWidget(made)
    made.resize(500, 200)
    made.set_links([FIRST, SECOND])
    made.show()
    return made


def chip_buttons(strip: LinkStrip) -> list[QToolButton]:
    return [
        button
        for button in strip.findChildren(QToolButton)
        if button.isVisible() and not isinstance(button, IconButton)
    ]


def crosses(strip: LinkStrip) -> list[IconButton]:
    return [button for button in strip.findChildren(IconButton) if button.isVisible()]


def test_each_relation_has_words_for_both_directions() -> None:
    assert set(OUTGOING) == set(INCOMING) == set(RELATIONS)
    assert relation_phrase("depends_on", outgoing=True) == "depends on"


def test_chips_say_the_link_in_words(strip: LinkStrip) -> None:
    assert strip.texts() == [
        "contradicted by Port 5432 is open",
        "supports R&D plan (why), worth +0.065",
    ]
    assert [button.accessibleName() for button in chip_buttons(strip)] == strip.texts()
    assert "&&" in chip_buttons(strip)[1].text()  # or Qt would underline the D
    assert strip.accessibleDescription() == "; ".join(strip.texts())


def test_a_chip_opens_the_other_memory(qtbot: QtBot, strip: LinkStrip) -> None:
    with qtbot.waitSignal(strip.link_activated) as seen:
        qtbot.mouseClick(chip_buttons(strip)[0], Qt.MouseButton.LeftButton)
    assert seen.args == ["memory-1"]


def test_cross_and_delete_key_ask_to_remove_the_link(qtbot: QtBot, strip: LinkStrip) -> None:
    with qtbot.waitSignal(strip.remove_requested) as seen:
        qtbot.mouseClick(crosses(strip)[1], Qt.MouseButton.LeftButton)
    assert seen.args == ["link-2"]
    with qtbot.waitSignal(strip.remove_requested) as seen:
        qtbot.keyClick(chip_buttons(strip)[0], Qt.Key.Key_Delete)
    assert seen.args == ["link-1"]


def test_a_read_only_vault_has_nothing_to_change(qtbot: QtBot, strip: LinkStrip) -> None:
    strip.set_read_only(True)
    assert crosses(strip) == []
    assert not strip.add_button.isVisible()
    with qtbot.assertNotEmitted(strip.remove_requested):
        qtbot.keyClick(chip_buttons(strip)[0], Qt.Key.Key_Delete)
    strip.set_links([SECOND])
    assert crosses(strip) == []


def test_add_asks(qtbot: QtBot, strip: LinkStrip) -> None:
    with qtbot.waitSignal(strip.add_requested):
        strip.add_button.click()


def test_the_focus_survives_a_refresh(qtbot: QtBot, strip: LinkStrip) -> None:
    chip_buttons(strip)[1].setFocus()
    qtbot.waitUntil(chip_buttons(strip)[1].hasFocus)
    strip.set_links([SECOND])
    assert chip_buttons(strip)[0].hasFocus()


def test_a_hub_shows_its_first_links_and_the_rest_on_demand(qtbot: QtBot, strip: LinkStrip) -> None:
    many = [LinkItem(f"l{n}", f"m{n}", f"Memory {n}", "related", outgoing=True) for n in range(40)]
    strip.set_links(many)
    assert len(chip_buttons(strip)) == 12
    more = next(b for b in strip.findChildren(QPushButton) if b.text() == "28 more")
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert len(chip_buttons(strip)) == 40
    assert not more.isVisible()


def test_chips_wrap_and_stay_inside(qtbot: QtBot, strip: LinkStrip) -> None:
    links = [LinkItem(f"l{n}", f"m{n}", f"Memory {n}", "causes", outgoing=True) for n in range(8)]
    strip.set_links(links)
    width = 320
    strip.resize(width, strip.heightForWidth(width))
    qtbot.waitUntil(lambda: all(b.width() > 0 for b in chip_buttons(strip)))
    chips: list[QWidget] = [button.parentWidget() for button in chip_buttons(strip)]  # type: ignore[misc]
    assert all(strip.rect().contains(chip.geometry()) for chip in chips)
    assert len({chip.y() for chip in chips}) > 1
    for one, other in itertools.pairwise(chips):
        assert not one.geometry().intersects(other.geometry())


def test_tab_goes_through_the_chips_in_the_order_they_are_seen(
    qtbot: QtBot, strip: LinkStrip
) -> None:
    first, second = chip_buttons(strip)
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus()
    qtbot.keyClick(second, Qt.Key.Key_Tab)
    assert strip.add_button.hasFocus()


def test_the_same_links_again_keep_the_chips(strip: LinkStrip) -> None:
    before = chip_buttons(strip)
    strip.set_links([FIRST, SECOND])
    assert chip_buttons(strip) == before


def test_every_relation_looks_different_in_grey_too(qtbot: QtBot, theme: ThemeController) -> None:
    mark = RelationMark()
    qtbot.addWidget(mark)
    shapes = set()
    for relation in RELATIONS:
        mark.set_relation(relation)
        picture = mark.grab().toImage()
        empty = picture.pixelColor(0, 0)
        shapes.add(
            tuple(
                picture.pixelColor(x, y) != empty
                for x in range(picture.width())
                for y in range(picture.height())
            )
        )
        assert mark.accessibleName() == relation_phrase(relation, outgoing=True)
    assert len(shapes) == len(RELATIONS)

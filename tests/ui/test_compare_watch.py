"""What the texts of two memories differ in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mvdesk.textdiff import Piece
from mvdesk.ui.compare_watch import CompareWatch, find_text_differences

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.records import Memory
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.diff_view import DiffPart


@pytest.fixture
def memory(qtbot: QtBot, session: VaultSession) -> Memory:
    """The selected memory."""
    with qtbot.waitSignal(session.memory_loaded):
        session.select(session.snapshot.memories.ids.text(0))
    assert session.selected_memory is not None
    return session.selected_memory


def test_equal_texts_differ_in_nothing(memory: Memory) -> None:
    assert find_text_differences(memory, replace(memory, confidence=0.1)) == []


def test_fields_are_told_apart_word_by_word(memory: Memory) -> None:
    one = replace(memory, title="The pump stops at noon", key=None)
    other = replace(one, title="The pump starts at noon", key="pump.noon")
    title, key = find_text_differences(one, other)
    assert (title.caption, key.caption) == ("Title", "Key")
    assert [piece.kind for piece in title.pieces] == ["same", "removed", "added", "same"]
    assert [piece.text for piece in title.pieces] == ["The pump ", "stops", "starts", " at noon"]
    assert list(key.pieces) == [Piece("added", "pump.noon")]


def test_texts_with_little_in_common_stand_one_after_the_other(memory: Memory) -> None:
    one = replace(memory, content="A post with photographs says that dusk saves the water.")
    other = replace(memory, content="Two cells keep it running for two seasons.")
    (part,) = find_text_differences(one, other)
    assert [piece.text for piece in part.pieces] == [one.content, "\n", other.content]


def test_cjk_is_told_apart_by_characters(memory: Memory) -> None:
    one, other = (
        replace(memory, content="重跑周三的部署"),
        replace(memory, content="重跑周四的部署"),
    )
    (part,) = find_text_differences(one, other)
    assert [(piece.kind, piece.text) for piece in part.pieces if piece.kind != "same"] == [
        ("removed", "三"),
        ("added", "四"),
    ]


def test_the_pinned_memory_is_read_and_compared(
    qtbot: QtBot, session: VaultSession, memory: Memory
) -> None:
    watch = CompareWatch(session, session)
    told: list[list[DiffPart] | None] = []
    watch.parts_changed.connect(told.append)
    watch.refresh()
    assert told == []  # nothing is pinned, and nothing was
    other = session.snapshot.memories.ids.text(1)
    session.looking.pin(other)
    watch.refresh()
    watch.refresh()
    qtbot.waitUntil(session.jobs.is_idle)
    pinned = session.vault.read_memory(other)
    assert told == [find_text_differences(pinned, memory)]
    session.looking.pin(memory.id)  # the pin itself is selected
    watch.refresh()
    assert told[-1] is None


def test_a_pinned_memory_that_is_gone_is_compared_with_nothing(
    qtbot: QtBot, session: VaultSession, memory: Memory
) -> None:
    watch = CompareWatch(session, session)
    session.looking.pin("not there")
    with qtbot.waitSignal(watch.parts_changed) as said:
        watch.refresh()
    assert said.args == [None]
    assert memory.id == session.selected_id


def test_closing_the_vault_asks_nothing_more(
    qtbot: QtBot, session: VaultSession, memory: Memory
) -> None:
    watch = CompareWatch(session, session)
    session.looking.pin(session.snapshot.memories.ids.text(1))
    with qtbot.waitSignal(session.vault_closing):
        watch.refresh()
        session.close_vault()
    qtbot.waitUntil(session.jobs.is_idle)
    assert memory.id != session.selected_id

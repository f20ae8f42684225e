"""Sentences about what takes long appear late, change, and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mvdesk.ui.progress import SlowNotice

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def said(qapp: object) -> tuple[SlowNotice, list[str]]:
    notice = SlowNotice()
    texts: list[str] = []
    notice.changed.connect(texts.append)
    return notice, texts


def test_what_ends_soon_is_not_mentioned(said: tuple[SlowNotice, list[str]]) -> None:
    notice, texts = said
    notice.start((10_000, "Opening…"))
    notice.stop()
    assert texts == []


def test_sentences_come_one_after_the_other(
    qtbot: QtBot, said: tuple[SlowNotice, list[str]]
) -> None:
    notice, texts = said
    notice.start((1, "Saving…"), (20, "Still saving…"))
    qtbot.waitUntil(lambda: len(texts) == 2)
    notice.stop()
    assert texts == ["Saving…", "Still saving…", ""]


def test_a_newer_sentence_waits_for_its_time(
    qtbot: QtBot, said: tuple[SlowNotice, list[str]]
) -> None:
    notice, texts = said
    notice.start((30, "Opening…"))
    notice.say("Reading memories: 5")
    qtbot.waitUntil(lambda: bool(texts))
    notice.say("Reading memories: 6")
    qtbot.waitUntil(lambda: len(texts) == 2)
    notice.stop()
    assert texts == ["Reading memories: 5", "Reading memories: 6", ""]


def test_a_sentence_after_the_end_is_dropped(
    qtbot: QtBot, said: tuple[SlowNotice, list[str]]
) -> None:
    notice, texts = said
    notice.start((1, "Opening…"))
    qtbot.waitUntil(lambda: bool(texts))
    notice.stop()
    notice.say("Reading…")
    with qtbot.waitSignal(notice._said):
        notice.say("Reading…")
    assert texts == ["Opening…", ""]

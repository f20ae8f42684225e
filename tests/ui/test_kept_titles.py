"""The alphabetical order of titles is kept for the next start, and never an old one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.arrays import StringColumn
from mvdesk.ui.text_ranks import text_ranks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession


def open_by_title(qtbot: QtBot, session: VaultSession, path: Path) -> None:
    with qtbot.waitSignal(session.vault_opened):
        session.open_vault(path)
    qtbot.waitUntil(session.jobs.is_idle)
    session.set_sort("title", descending=False)
    qtbot.waitUntil(session.jobs.is_idle)


def shown_titles(session: VaultSession) -> list[str]:
    labels = session.snapshot.memories.labels
    return [labels.text(int(row)).casefold() for row in session.order]


def test_the_next_start_has_the_order_that_titles_were_sorted_into(
    qtbot: QtBot, make_session: Callable[[], VaultSession], brain_file: Path
) -> None:
    first = make_session()
    open_by_title(qtbot, first, brain_file)
    titles = shown_titles(first)
    assert titles == sorted(titles)
    first.shut_down()
    second = make_session()
    with qtbot.waitSignal(second.vault_opened):
        second.open_vault(brain_file)
    (kept,) = second.snapshot.title_ranks
    assert not kept.flags.owndata  # the bytes of the companion
    np.testing.assert_array_equal(kept, text_ranks(second.snapshot.memories.labels))
    second.set_sort("title", descending=False)
    qtbot.waitUntil(second.jobs.is_idle)
    assert shown_titles(second) == titles


def test_another_title_makes_another_order_now_and_at_the_next_start(
    qtbot: QtBot, make_session: Callable[[], VaultSession], brain_file: Path
) -> None:
    first = make_session()
    open_by_title(qtbot, first, brain_file)
    with (
        qtbot.waitSignal(first.vault_changed, timeout=10_000),
        closing(sqlite3.connect(brain_file)) as other,
        other,
    ):
        last = first.snapshot.memories.ids.text(int(first.order[-1]))
        other.execute("UPDATE memories SET title = '  AAA first' WHERE id = ?", (last,))
    qtbot.waitUntil(first.jobs.is_idle)
    titles = shown_titles(first)
    assert titles == sorted(titles)
    first.shut_down()
    second = make_session()
    open_by_title(qtbot, second, brain_file)
    assert shown_titles(second) == titles


@pytest.mark.parametrize("alphabet", ["aBßİΣς", "aB\0ß\ud800\udc00🙂ŉ"])
def test_folding_many_texts_at_once_folds_each_by_itself(alphabet: str) -> None:
    draw = np.random.default_rng(5)
    texts = [
        None
        if size == 0
        else "".join(alphabet[at] for at in draw.integers(0, len(alphabet), size - 1))
        for size in draw.integers(0, 6, 20_000)
    ]
    data, offsets = StringColumn.of(texts).folded()
    found = [data[start:end] for start, end in pairwise(offsets.tolist())]
    folded = [(text or "").casefold().encode("utf-8", "surrogatepass") for text in texts]
    assert found == folded

"""Filters besides the words: low for its type, and components below zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.engine import evaluate_components
from mvdesk.ui.chosen import ListFilter, find_low

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession

LOW = ListFilter("low")


def _show(qtbot: QtBot, session: VaultSession, only: ListFilter | None) -> list[int]:
    session.set_only(only)
    qtbot.waitUntil(session.jobs.is_idle)
    return [int(row) for row in session.order]


def test_low_is_below_the_20th_percentile_of_the_same_type(
    qtbot: QtBot, session: VaultSession
) -> None:
    shown = _show(qtbot, session, LOW)
    memories, scores = session.snapshot.memories, session.scores.confidence
    assert shown
    for row in range(len(memories)):
        alike = memories.type_codes == memories.type_codes[row]
        active = memories.archived_at == NO_TIME
        least = np.percentile(scores[alike & active], 20)
        assert (row in shown) == bool(scores[row] < least and active[row])
    assert shown == sorted(shown, key=lambda row: (-scores[row], row))


def test_the_words_narrow_it_further(qtbot: QtBot, session: VaultSession) -> None:
    low = _show(qtbot, session, LOW)
    word = session.snapshot.memories.labels.text(low[0]).split()[0]
    session.set_filter(word)
    qtbot.waitUntil(session.jobs.is_idle)
    assert low[0] in session.order
    assert set(session.order.tolist()) <= set(low)


def test_a_component_below_zero(qtbot: QtBot, session: VaultSession) -> None:
    for score, name in (
        ("confidence", "contradiction_penalty"),
        ("importance", "recency_signal"),
    ):
        shown = _show(qtbot, session, ListFilter("below", score, name))
        made = evaluate_components(
            session.snapshot.inputs(session.model), session.model, session.now
        )
        place = getattr(made, f"{score}_names").index(name)
        deltas = getattr(made, f"{score}_deltas")[:, place]
        active = session.snapshot.memories.archived_at == NO_TIME
        assert set(shown) == set(np.flatnonzero((deltas < 0) & active).tolist())


def test_a_component_that_the_model_lacks_lets_nothing_through(
    qtbot: QtBot, session: VaultSession
) -> None:
    assert _show(qtbot, session, ListFilter("below", "confidence", "usage_signal")) == []


def test_another_model_has_its_own_low_memories(qtbot: QtBot, session: VaultSession) -> None:
    _show(qtbot, session, LOW)
    session.set_model("memoryvault-dynamic-v2")
    qtbot.waitUntil(session.jobs.is_idle)
    low = find_low(session.snapshot, session.scores.confidence)
    low &= session.snapshot.memories.archived_at == NO_TIME
    assert set(session.order.tolist()) == set(np.flatnonzero(low).tolist())


def test_nothing_leaves_the_list_while_a_trust_is_tried(
    qtbot: QtBot, session: VaultSession
) -> None:
    before = _show(qtbot, session, LOW)
    for key in session.snapshot.sources.keys[:3]:
        session.preview_trust(key, 1.0)
    qtbot.waitUntil(session.jobs.is_idle)
    assert set(session.order.tolist()) == set(before)


def test_the_keys_go_from_one_low_memory_to_the_next(qtbot: QtBot, session: VaultSession) -> None:
    low = _show(qtbot, session, LOW)
    _show(qtbot, session, None)
    ids = session.snapshot.memories.ids
    session.select(ids.text(int(session.order[0])))
    session.step_low(1)
    assert session.selected_id == ids.text(low[0])
    session.step_low(1)
    assert session.selected_id == ids.text(low[1])
    session.step_low(-1)
    assert session.selected_id == ids.text(low[0])
    notices: list[str] = []
    session.messages.shown.connect(lambda _kind, text: notices.append(text))
    session.step_low(-1)
    assert session.selected_id == ids.text(low[0])
    assert notices == ["No memory above this one in the list is low for its type."]

"""Where every bar can be changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mvdesk.scoring.builtin import BUILTIN_MODELS, SERVER_V2
from mvdesk.ui.evidence_details import details_of
from mvdesk.ui.evidence_places import place_of
from mvdesk.ui.jobs import CancelToken
from mvdesk.ui.reasons import Asked, Reasons, compute_reasons

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession

NOT_BY_HAND = {"usage_signal", "recall_recency_signal"}
"""Recalls are what an assistant does; nobody types them."""
EDITOR_FIELDS = {
    "confidence",
    "importance",
    "source",
    "type",
    "links",
    "title",
    "key",
    "content",
    "tags",
}


def reasons_of(qtbot: QtBot, session: VaultSession, row: int) -> Reasons:
    with qtbot.waitSignal(session.memory_loaded):
        session.select(session.snapshot.memories.ids.text(row))
    asked = Asked.of(session)
    assert asked is not None
    found = compute_reasons(asked, CancelToken())
    assert found is not None
    return found


@pytest.mark.parametrize("model_id", list(BUILTIN_MODELS))
def test_every_bar_leads_to_where_it_is_changed_and_every_row_says_something(
    qtbot: QtBot, session: VaultSession, model_id: str
) -> None:
    session.set_model(model_id)
    qtbot.waitUntil(session.jobs.is_idle)
    for row in range(0, 180, 12):
        reasons = reasons_of(qtbot, session, row)
        for kind in ("confidence", "importance"):
            score = getattr(reasons.explanation, kind)
            names = [part.name for part in score.components]
            for name in (*names, f"base_{kind}"):
                place = place_of(reasons, kind, name)
                if name in NOT_BY_HAND:
                    assert place is None
                    continue
                assert place is not None, name
                assert place.panel == "sources" or place.field in EDITOR_FIELDS
                assert details_of(reasons, kind, name).go_text
            for name in (*names, f"base_{kind}", "raw", "final", "rounding"):
                assert details_of(reasons, kind, name).texts() or name in ("usage_signal",), name


def test_totals_are_changed_by_nobody(qtbot: QtBot, session: VaultSession) -> None:
    reasons = reasons_of(qtbot, session, 0)
    for name in ("raw", "clamp", "final", "rounding", "zero", "cause:no:such"):
        assert place_of(reasons, "confidence", name) is None
    assert place_of(None, "confidence", "cause:link:x") is None


def test_causes_lead_to_their_own_place(qtbot: QtBot, session: VaultSession) -> None:
    session.set_model(SERVER_V2.id)
    qtbot.waitUntil(session.jobs.is_idle)
    kinds = set()
    for row in range(0, 180, 6):
        reasons = reasons_of(qtbot, session, row)
        for cause in reasons.causes:
            name = f"cause:{cause.kind}:{cause.ref}"
            place = place_of(reasons, "confidence", name)
            assert (place is None) == (cause.kind == "recalls"), cause.kind
            assert details_of(reasons, "confidence", name).lines
            kinds.add(cause.kind)
    assert kinds == {"link", "source", "word", "type", "recalls", "wait"}


def test_links_that_are_not_listed_are_counted(qtbot: QtBot, session: VaultSession) -> None:
    linked = int(session.snapshot.link_counts[:, 0].argmax())
    reasons = reasons_of(qtbot, session, linked)
    score = reasons.evidence.confidence
    bar = score.of("link_signal")
    crowded = replace(bar, links=bar.links[:1] * 203, links_missing=2)
    parts = tuple(crowded if one is bar else one for one in score.components)
    evidence = replace(reasons.evidence, confidence=replace(score, components=parts))
    details = details_of(replace(reasons, evidence=evidence), "confidence", "link_signal")
    assert len(details.links) == 200
    assert "5 more are counted, not listed here." in details.lines

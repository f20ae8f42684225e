"""The scores beside the text while typing: those that a save comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit

from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.ui.widgets.score_line import ScoreLine
from tests.conftest import NOW

from .conftest import Desk, find

if TYPE_CHECKING:
    from mvdesk.ui.panels.editor import EditorPanel


def said(panel: EditorPanel) -> str:
    return find(panel, ScoreLine, "editorScores").text()


def scores_of(desk: Desk, memory_id: str) -> tuple[float, float]:
    row = desk.session.snapshot.row_of(memory_id)
    assert row is not None
    scores = desk.session.scores
    return float(scores.confidence[row]), float(scores.importance[row])


def in_words(before: tuple[float, float], after: tuple[float, float]) -> str:
    parts = []
    for name, old, new in zip(("Confidence", "Importance"), before, after, strict=True):
        arrow = "▲" if new > old else "▼"
        moved = f" → {new:.3f} {arrow}" if f"{old:.3f}" != f"{new:.3f}" else ""
        parts.append(f"{name} {old:.3f}{moved}")
    return "  ·  ".join(parts)


def type_all(desk: Desk, panel: EditorPanel, field: str, text: str) -> None:
    line = find(panel, QLineEdit, field)
    line.setFocus()
    line.selectAll()
    desk.qtbot.keyClicks(line, text)


def save(desk: Desk, panel: EditorPanel) -> None:
    with desk.qtbot.waitSignal(desk.session.write_finished):
        panel.save()
    desk.settle()


def test_a_stored_memory_shows_its_scores(desk: Desk, editor: EditorPanel) -> None:
    for place in range(0, len(desk.session.order), 9):
        memory_id = desk.memory_id(place)
        desk.select(memory_id)
        both = scores_of(desk, memory_id)
        assert said(editor) == in_words(both, both)


@pytest.mark.parametrize("model_id", [None, SERVER_V2.id])
def test_what_is_promised_while_typing_is_what_a_save_comes_to(
    desk: Desk, editor: EditorPanel, model_id: str | None
) -> None:
    if model_id is not None:
        desk.session.set_model(model_id)
        desk.settle()
    for place in range(0, len(desk.session.order), 23):
        memory_id = desk.memory_id(place)
        desk.select(memory_id)
        before = scores_of(desk, memory_id)
        content = find(editor, QPlainTextEdit, "editorContent")
        desk.qtbot.keyClicks(content, "Maybe verified, but probably important. ")
        type_all(desk, editor, "editorSource", "blog" if place % 2 else "official docs")
        type_all(desk, editor, "editorBaseImportance", "0.42")
        box = find(editor, QComboBox, "editorType")
        box.setCurrentIndex((box.currentIndex() + 1) % 3)
        promised = said(editor)
        save(desk, editor)
        after = scores_of(desk, memory_id)
        assert promised == in_words(before, after)
        assert said(editor) == in_words(after, after)


def test_a_new_memory_shows_what_it_will_score(desk: Desk, editor: EditorPanel) -> None:
    editor.start_new()
    desk.qtbot.keyClicks(find(editor, QPlainTextEdit, "editorContent"), "Maybe bins on Tuesday")
    promised = said(editor)
    save(desk, editor)
    added = desk.session.selected_id
    assert added is not None
    both = scores_of(desk, added)
    assert promised == in_words(both, both)


def test_a_base_that_is_no_number_yet_counts_as_stored(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    find(editor, QLineEdit, "editorTitle").setText("typed")
    promised = said(editor)
    type_all(desk, editor, "editorBaseConfidence", "0.x")
    assert said(editor) == promised


def test_a_trust_that_is_tried_counts(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_of_source("official docs")
    desk.select(memory_id)
    desk.session.preview_trust("official docs", 0.1)
    desk.settle()
    both = scores_of(desk, memory_id)
    assert said(editor) == in_words(both, both)


def test_a_text_of_megabytes_is_scored_behind_the_typing(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.edit_outside(
        "UPDATE memories SET content = ?, updated_at = ? WHERE id = ?",
        "Maybe so.\n" * 60_000,
        NOW,
        memory_id,
    )
    desk.select(memory_id)
    type_all(desk, editor, "editorBaseConfidence", "0.1")
    desk.qtbot.waitUntil(lambda: "→" in said(editor))
    promised = said(editor)
    before = scores_of(desk, memory_id)
    save(desk, editor)
    assert promised == in_words(before, scores_of(desk, memory_id))

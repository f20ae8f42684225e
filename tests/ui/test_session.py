"""The session: what panels share, on a real server's file with real threads."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.arrays import NO_TIME
from mvdesk.errors import BadValue, NotAVault, VaultError, VaultLocked
from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.ui.preview import THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession

SOURCE = "slack #design"


def _errors(session: VaultSession) -> list[VaultError]:
    errors: list[VaultError] = []
    session.messages.failed.connect(errors.append)
    return errors


def _settle(qtbot: QtBot, session: VaultSession) -> None:
    qtbot.waitUntil(session.jobs.is_idle)


def _first_with_source(session: VaultSession, key: str) -> str:
    row = int(session.snapshot.rows_of_source(key)[0])
    memory_id = session.snapshot.memories.ids[row]
    assert memory_id is not None
    return memory_id


def _edit_outside(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(sql, values)


# Opening


def test_opening_fills_the_list_and_changes_no_byte(
    qtbot: QtBot, empty_session: VaultSession, brain_file: Path
) -> None:
    before = brain_file.read_bytes()
    with qtbot.waitSignal(empty_session.vault_opened):
        empty_session.open_vault(brain_file)
    assert len(empty_session.order) > 100
    assert empty_session.model is PUBLISHED_V1
    assert empty_session.suggested_model_id == SERVER_V2.id
    assert brain_file.read_bytes() == before


def test_the_list_is_sorted_by_confidence_at_first(session: VaultSession) -> None:
    shown = session.scores.confidence[session.order]
    assert np.all(np.diff(shown) <= 0)


def test_a_file_that_is_no_vault_leaves_the_open_one(
    qtbot: QtBot, session: VaultSession, tmp_path: Path
) -> None:
    errors = _errors(session)
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear Ada, " * 200)
    session.open_vault(path)
    _settle(qtbot, session)
    assert [type(error) for error in errors] == [NotAVault]
    assert session.is_open
    assert session.vault.name == "brain"


def test_a_new_vault_is_empty_and_open(
    qtbot: QtBot, empty_session: VaultSession, tmp_path: Path
) -> None:
    with qtbot.waitSignal(empty_session.vault_opened):
        empty_session.create_vault(tmp_path / "mine.sqlite")
    assert len(empty_session.order) == 0
    assert empty_session.brains[0].name == "mine"


def test_a_new_vault_never_replaces_a_file(
    qtbot: QtBot, empty_session: VaultSession, brain_file: Path
) -> None:
    errors = _errors(empty_session)
    before = brain_file.read_bytes()
    empty_session.create_vault(brain_file)
    _settle(qtbot, empty_session)
    assert len(errors) == 1
    assert brain_file.read_bytes() == before


def test_of_two_openings_the_newer_one_counts(
    qtbot: QtBot, empty_session: VaultSession, brain_file: Path, tmp_path: Path
) -> None:
    empty_session.open_demo(tmp_path / "demo.sqlite")
    empty_session.open_vault(brain_file)
    _settle(qtbot, empty_session)
    assert empty_session.vault.path.name == "brain.sqlite"


def test_closing_says_so_and_forgets_the_selection(qtbot: QtBot, session: VaultSession) -> None:
    session.select(_first_with_source(session, SOURCE))
    with qtbot.waitSignals([session.vault_closed, session.selection_changed]):
        session.close_vault()
    assert not session.is_open
    assert len(session.order) == 0


# Selection, sorting, filter, model


def test_selecting_reads_the_memory_off_the_gui_thread(qtbot: QtBot, session: VaultSession) -> None:
    memory_id = _first_with_source(session, SOURCE)
    with qtbot.waitSignal(session.memory_loaded) as loaded:
        session.select(memory_id)
        assert session.selected_memory is None
    assert loaded.args is not None
    assert loaded.args[0].id == memory_id
    assert session.selected_memory is loaded.args[0]


def test_selecting_the_same_again_says_nothing(qtbot: QtBot, session: VaultSession) -> None:
    memory_id = _first_with_source(session, SOURCE)
    session.select(memory_id)
    _settle(qtbot, session)
    with qtbot.assertNotEmitted(session.selection_changed):
        session.select(memory_id)


def test_a_memory_that_is_not_there_can_not_be_selected(session: VaultSession) -> None:
    session.select("no such id")
    assert session.selected_id is None


@pytest.mark.parametrize("column", ["title", "type", "source"])
@pytest.mark.parametrize("descending", [False, True])
def test_text_columns_sort_case_folded(
    qtbot: QtBot, session: VaultSession, column: str, descending: bool
) -> None:
    session.set_sort(column, descending)
    _settle(qtbot, session)
    memories, sources = session.snapshot.memories, session.snapshot.sources
    texts = []
    for row in session.order.tolist():
        if column == "title":
            text = memories.labels.text(row)
        elif column == "type":
            text = memories.type_names[memories.type_codes[row]]
        else:
            at = int(memories.source_rows[row])
            text = sources.texts.text(at) if at >= 0 else ""
            if column == "source" and not text.strip():
                text = "\U0010ffff"
        texts.append(text.casefold().encode()[:64])
    none = "\U0010ffff".encode()  # comes last either way
    named = sorted((text for text in texts if text != none), reverse=descending)
    assert texts == named + [none] * (len(texts) - len(named))


@pytest.mark.parametrize("column", ["created", "updated"])
def test_time_columns_sort(qtbot: QtBot, session: VaultSession, column: str) -> None:
    session.set_sort(column, True)
    _settle(qtbot, session)
    times = getattr(session.snapshot.memories, f"{column}_at")[session.order]
    assert np.all(np.diff(times) <= 0)


def test_the_filter_needs_every_word_somewhere(qtbot: QtBot, session: VaultSession) -> None:
    session.set_filter("  RATE contractor ")
    _settle(qtbot, session)
    labels = [session.snapshot.memories.labels.text(row) for row in session.order.tolist()]
    assert labels
    assert all("rate" in label or "contractor" in label for label in labels)
    session.set_filter("no memory has these words")
    _settle(qtbot, session)
    assert len(session.order) == 0
    session.set_filter("")
    assert len(session.order) > 100


def test_archived_memories_are_hidden_until_asked_for(session: VaultSession) -> None:
    hidden = len(session.order)
    session.set_show_archived(True)
    assert len(session.order) == len(session.snapshot.memories)
    assert len(session.order) > hidden


def test_a_filter_set_twice_is_one_change(qtbot: QtBot, session: VaultSession) -> None:
    session.set_filter("rate")
    _settle(qtbot, session)
    with qtbot.assertNotEmitted(session.order_changed):
        session.set_filter("RATE ")


def test_another_model_scores_everything_and_is_remembered(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    with qtbot.waitSignals([session.model_changed, session.scores_changed]):
        session.set_model(SERVER_V2.id)
    expected = evaluate(session.snapshot.inputs(SERVER_V2), SERVER_V2, session.now)
    assert np.array_equal(session.scores.confidence, expected.confidence)
    _settle(qtbot, session)
    session.close_vault()
    with qtbot.waitSignal(session.vault_opened):
        session.open_vault(brain_file)
    assert session.model is SERVER_V2


def test_list_and_explanation_agree_to_the_last_bit(session: VaultSession) -> None:
    session.preview_trust(SOURCE, 0.13)
    for row in session.order.tolist():
        memory_id = session.snapshot.memories.ids[row]
        assert memory_id is not None
        explanation = session.explain(memory_id)
        assert explanation.confidence.final == session.scores.confidence[row]
        assert explanation.importance.final == session.scores.importance[row]
        stored = session.explain(memory_id, committed=True)
        assert stored.confidence.final == session.committed_scores.confidence[row]


def test_the_rank_counts_active_memories_of_the_type(session: VaultSession) -> None:
    lowest = session.snapshot.memories.ids[int(session.order[-1])]
    assert lowest is not None
    rank = session.rank_of(lowest, "confidence")
    assert 0.5 < rank.lower_than <= 1.0
    assert rank.count > 1


def test_ranks_follow_a_preview(session: VaultSession) -> None:
    memories = session.snapshot.memories
    active = memories.archived_at == NO_TIME
    others = [key for key in session.snapshot.sources.keys if key != SOURCE]
    for trusts in ({}, {SOURCE: 0.1}, {SOURCE: 0.9}, {SOURCE: 0.9, others[0]: 0.0}, {}):
        session.set_preview(trusts)
        for row in range(0, len(memories), 3):
            alike = active & (memories.type_codes == memories.type_codes[row])
            for kind in ("confidence", "importance"):
                scores = getattr(session.scores, kind)
                rank = session.rank_of(memories.ids.text(row), kind)
                assert rank.higher == np.count_nonzero(scores[alike] > scores[row])
                assert rank.lower == np.count_nonzero(scores[alike] < scores[row])


# Preview


def test_a_preview_scores_exactly_as_the_stored_trust_would(
    qtbot: QtBot, session: VaultSession
) -> None:
    session.preview_trust(SOURCE, 0.05)
    previewed = session.scores
    session.apply_preview()
    _settle(qtbot, session)
    assert session.preview.is_empty
    assert session.trust_of(SOURCE, committed=True) == 0.05
    assert np.array_equal(session.committed_scores.confidence, previewed.confidence)
    assert np.array_equal(session.committed_scores.importance, previewed.importance)


def test_a_preview_writes_nothing(qtbot: QtBot, session: VaultSession, brain_file: Path) -> None:
    before = brain_file.read_bytes()
    for step in range(1000):
        session.preview_trust(SOURCE, (step % 101) / 100)
    session.discard_preview()
    _settle(qtbot, session)
    assert brain_file.read_bytes() == before


def test_the_counts_of_a_preview_are_those_of_active_memories(session: VaultSession) -> None:
    session.preview_trust(SOURCE, 0.0)
    memories = session.snapshot.memories
    active = memories.archived_at == NO_TIME
    before = session.committed_scores.confidence[active]
    after = session.scores.confidence[active]
    preview = session.preview
    rows = session.snapshot.rows_of_source(SOURCE)
    assert 0 < np.count_nonzero(active[rows]) < len(rows)
    assert preview.affected == np.count_nonzero(active[rows])
    assert preview.up == int(np.count_nonzero(after > before))
    assert preview.down == int(np.count_nonzero(after < before))
    crossed = (before >= THRESHOLD) != (after >= THRESHOLD)
    assert preview.crossing == int(np.count_nonzero(crossed))


def test_unset_trust_is_not_the_same_as_half(qtbot: QtBot, session: VaultSession) -> None:
    session.preview_trust(SOURCE, 0.5)
    assert session.trust_of(SOURCE) == 0.5
    session.preview_trust(SOURCE, None)
    assert session.preview.is_empty or session.trust_of(SOURCE) is None


def test_the_stored_value_is_no_preview(session: VaultSession) -> None:
    stored = session.trust_of(SOURCE, committed=True)
    session.preview_trust(SOURCE, 0.99)
    assert not session.preview.is_empty
    session.preview_trust(SOURCE, stored)
    assert session.preview.is_empty
    assert session.scores is session.committed_scores


def test_discarding_brings_the_order_back(session: VaultSession) -> None:
    order = session.order.copy()
    session.preview_trust(SOURCE, 0.0)
    session.preview_trust("hearsay", 1.0)
    session.discard_preview()
    assert np.array_equal(session.order, order)


def test_two_sources_apply_as_one_step_that_one_undo_takes_back(
    qtbot: QtBot, session: VaultSession
) -> None:
    before = (session.trust_of(SOURCE), session.trust_of("hearsay"))
    session.preview_trust(SOURCE, 0.11)
    session.preview_trust("hearsay", 0.22)
    with qtbot.waitSignal(session.undo_changed):
        session.apply_preview()
    assert session.undo_label == "Set trust of 2 sources"
    with qtbot.waitSignal(session.vault_changed):
        session.undo()
    assert (session.trust_of(SOURCE), session.trust_of("hearsay")) == before
    assert session.redo_label == "Set trust of 2 sources"


def test_a_large_preview_shows_the_latest_value(
    qtbot: QtBot, session: VaultSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.ui.session_preview.FRAME_ROWS", 0)
    for percent in range(100):
        session.preview_trust(SOURCE, percent / 100)
    _settle(qtbot, session)
    assert session.preview.trust == {SOURCE: 0.99}
    row = int(session.snapshot.rows_of_source(SOURCE)[0])
    memory_id = session.snapshot.memories.ids[row]
    assert memory_id is not None
    assert session.explain(memory_id).confidence.final == session.scores.confidence[row]


def test_trust_outside_its_range_is_a_mistake(session: VaultSession) -> None:
    with pytest.raises(ValueError, match="trust"):
        session.preview_trust(SOURCE, 1.5)


# Writing


def test_saving_an_edit_moves_the_score_and_can_be_undone(
    qtbot: QtBot, session: VaultSession
) -> None:
    memory_id = _first_with_source(session, SOURCE)
    with qtbot.waitSignal(session.memory_loaded):
        session.select(memory_id)
    memory = session.selected_memory
    assert memory is not None
    with qtbot.waitSignal(session.memory_loaded) as loaded:
        session.save_memory(memory, {"title": "A new title", "confidence": 0.31})
    assert loaded.args is not None
    assert loaded.args[0].title == "A new title"
    row = session.selected_row
    assert row is not None
    assert session.snapshot.memories.labels[row] == "A new title"
    assert session.snapshot.memories.base_confidence[row] == 0.31
    with qtbot.waitSignal(session.memory_loaded):
        session.undo()
    _settle(qtbot, session)
    assert session.selected_memory == memory


def test_a_new_memory_is_selected_once_written(qtbot: QtBot, session: VaultSession) -> None:
    memory_id = session.add_memory({"content": "Tea at five."})
    with qtbot.waitSignal(session.selection_changed) as selected:
        pass
    assert selected.args == [memory_id]


def test_an_empty_memory_is_refused_with_a_sentence(qtbot: QtBot, session: VaultSession) -> None:
    errors = _errors(session)
    with qtbot.waitSignal(session.write_finished) as finished:
        session.add_memory({"content": "  "})
    assert finished.args == ["add", False]
    assert [type(error) for error in errors] == [BadValue]


def test_links_are_added_and_removed(qtbot: QtBot, session: VaultSession) -> None:
    one = session.snapshot.memories.ids[int(session.order[0])]
    other = session.snapshot.memories.ids[int(session.order[60])]
    assert one is not None
    assert other is not None
    with qtbot.waitSignal(session.vault_changed) as changed:
        session.add_link(one, other, "supports")
    assert changed.args is not None
    (link_id,) = changed.args[0].link_ids
    assert {one, other} <= changed.args[0].memory_ids
    with qtbot.waitSignal(session.vault_changed):
        session.remove_link(link_id)
    assert link_id not in list(session.snapshot.links.ids)


def test_a_change_by_another_program_refuses_the_save_and_loses_nothing(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    said: list[str] = []
    session.messages.shown.connect(lambda _kind, text: said.append(text))
    memory_id = _first_with_source(session, SOURCE)
    with qtbot.waitSignal(session.memory_loaded):
        session.select(memory_id)
    memory = session.selected_memory
    assert memory is not None
    sql = "UPDATE memories SET title = 'theirs', updated_at = updated_at + 5 WHERE id = ?"
    _edit_outside(brain_file, sql, memory_id)
    with qtbot.waitSignals([session.write_finished, session.memory_loaded]):
        session.save_memory(memory, {"title": "mine"})
    assert any("Nothing was written" in text for text in said)
    assert session.selected_memory is not None
    assert session.selected_memory.title == "theirs"


def test_a_locked_vault_keeps_the_preview(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    errors = _errors(session)
    session.preview_trust(SOURCE, 0.42)
    with closing(sqlite3.connect(brain_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with qtbot.waitSignal(session.write_finished, timeout=15_000) as finished:
            session.apply_preview()
        other.execute("ROLLBACK")
    assert finished.args == ["trust", False]
    assert [type(error) for error in errors] == [VaultLocked]
    assert session.preview.trust == {SOURCE: 0.42}
    with qtbot.waitSignal(session.write_finished):
        session.apply_preview()
    assert session.trust_of(SOURCE, committed=True) == 0.42


def test_a_lock_that_ends_in_time_only_makes_it_wait(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    said: list[str] = []
    session.loading_changed.connect(said.append)
    release = threading.Event()
    locked = threading.Event()

    def hold_lock() -> None:
        with closing(sqlite3.connect(brain_file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            locked.set()
            release.wait(10)
            other.execute("ROLLBACK")

    holder = threading.Thread(target=hold_lock)
    holder.start()
    assert locked.wait(5)
    session.preview_trust(SOURCE, 0.42)
    session.apply_preview()
    qtbot.waitUntil(lambda: any("another program" in text for text in said))
    release.set()
    with qtbot.waitSignal(session.write_finished) as finished:
        pass
    holder.join()
    assert finished.args == ["trust", True]
    assert said[-1] == ""


def test_what_another_program_writes_is_seen_and_the_preview_is_kept(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    notices: list[str] = []
    session.notice.connect(notices.append)
    memory_id = _first_with_source(session, SOURCE)
    session.select(memory_id)
    _settle(qtbot, session)
    session.preview_trust(SOURCE, 0.42)
    with qtbot.waitSignal(session.vault_changed, timeout=3000):
        _edit_outside(brain_file, "UPDATE memories SET title = 'theirs' WHERE id = ?", memory_id)
    row = session.selected_row
    assert row is not None
    assert session.snapshot.memories.labels[row] == "theirs"
    assert session.selected_id == memory_id
    assert session.preview.trust == {SOURCE: 0.42}
    assert "preview was kept" in notices[-1]


def test_a_selected_memory_deleted_elsewhere_is_deselected(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    memory_id = _first_with_source(session, SOURCE)
    session.select(memory_id)
    _settle(qtbot, session)
    with qtbot.waitSignal(session.selection_changed, timeout=3000) as selected:
        _edit_outside(brain_file, "DELETE FROM memories WHERE id = ?", memory_id)
    assert selected.args == [None]


def test_own_writes_are_not_taken_for_another_programs(qtbot: QtBot, session: VaultSession) -> None:
    notices: list[str] = []
    session.notice.connect(notices.append)
    session.preview_trust(SOURCE, 0.42)
    with qtbot.waitSignal(session.write_finished):
        session.apply_preview()
    for _ in range(2):
        with qtbot.waitSignal(session._poll.timeout):
            pass
        _settle(qtbot, session)
    assert notices == []


def test_a_file_that_is_taken_away_is_said_once_and_seen_when_it_is_back(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    errors = _errors(session)
    away = brain_file.with_name("away.sqlite")
    brain_file.rename(away)
    polled: list[None] = []
    session._poll.timeout.connect(lambda: polled.append(None))
    qtbot.waitUntil(lambda: len(polled) >= 3)
    _settle(qtbot, session)
    assert len(errors) <= 1
    assert session.is_open
    away.rename(brain_file)
    _edit_outside(brain_file, "UPDATE memories SET importance = 0.123")
    row = int(session.order[0])
    qtbot.waitUntil(lambda: session.snapshot.memories.base_importance[row] == 0.123)
    assert len(errors) <= 1


# Leaving


def test_shutting_down_finishes_a_write_and_drops_a_preview(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    session.preview_trust(SOURCE, 0.42)
    session.apply_preview()
    session.preview_trust("hearsay", 0.99)
    session.shut_down()
    with closing(sqlite3.connect(brain_file)) as other:
        rows = dict(other.execute("SELECT source_key, trust FROM brain_source_trust"))
    assert rows[SOURCE] == 0.42
    assert rows.get("hearsay") != 0.99


def test_fifty_sessions_leave_no_thread(
    qtbot: QtBot, make_session: Callable[[], VaultSession], brain_file: Path
) -> None:
    before = threading.active_count()
    for number in range(50):
        session = make_session()
        with qtbot.waitSignal(session.vault_opened):
            session.open_vault(brain_file)
        if number % 2:
            session.preview_trust(SOURCE, number / 100)
        session.shut_down()
    assert threading.active_count() == before


def test_a_sort_that_takes_long_says_so_until_it_is_done(
    qtbot: QtBot, session: VaultSession
) -> None:
    gate, said = threading.Event(), []
    session.loading_changed.connect(said.append)
    for name in ("one", "other", "third"):  # nothing else comes to its turn
        session.jobs.run(name, lambda _: gate.wait(10), lambda _: None)
    session.set_sort("tags", descending=False)
    qtbot.waitUntil(lambda: bool(said))
    assert said == ["Sorting the list…"]
    gate.set()
    qtbot.waitUntil(session.jobs.is_idle)
    assert said == ["Sorting the list…", ""]

"""After a run that was killed: the next one says so, and brings vault and drafts back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton

from mvdesk.ui.app import watch_run
from mvdesk.ui.run_marker import BadEnd, RunMarker
from mvdesk.ui.widgets.banner import Banner
from tests.journeys.test_kept_drafts import TYPE_AND_WAIT
from tests.store.vault_files import start_program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

RUN = TYPE_AND_WAIT.replace("import make_desk", "import make_desk, watch_run").replace(
    "desk.window.show()",
    'desk.window.show(); watch_run(desk, path.parent / "data", is_opening=False)',
)


def killed_run(path: Path, memory_id: str) -> None:
    with start_program(RUN, path, memory_id) as program:
        assert program.stdout is not None
        assert program.stdin is not None
        assert program.stdout.readline() == "ready\n"
        program.kill()
        program.wait()


def banner(desk: Desk) -> Banner:
    found = desk.window.findChild(Banner, "startBanner")
    assert isinstance(found, Banner)
    return found


def button(desk: Desk, name: str) -> QPushButton:
    found = banner(desk).findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def test_a_killed_run_offers_its_vault_and_shows_the_kept_drafts(
    qtbot: QtBot, make_window: Callable[[], Desk], brain_file: Path, tmp_path: Path
) -> None:
    first = make_window()
    with qtbot.waitSignal(first.window.panels_ready, timeout=15_000):
        first.window.open_vault(brain_file)
    memory_id = first.session.snapshot.memories.ids[int(first.session.order[3])]
    first.window.close()
    killed_run(brain_file, memory_id)

    desk = make_window()
    marker = watch_run(desk, tmp_path / "data", is_opening=False)
    said = banner(desk).text()
    assert said.startswith("mvdesk did not end properly")
    assert brain_file.name in said
    assert button(desk, "bannerAction").text() == f"Reopen {brain_file.name}"
    notices: list[str] = []
    desk.session.messages.shown.connect(lambda _kind, text: notices.append(text))
    with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
        button(desk, "bannerAction").click()
    qtbot.waitUntil(lambda: desk.session.selected_id == memory_id)
    content = desk.window.findChild(QPlainTextEdit, "editorContent")
    assert isinstance(content, QPlainTextEdit)
    qtbot.waitUntil(lambda: content.toPlainText().startswith("Half a thought. "))
    assert "1 draft was kept. It is marked in the list; save or revert it." in notices
    assert not banner(desk).isVisible()
    desk.window.close()
    marker.end()
    after = make_window()
    watch_run(after, tmp_path / "data", is_opening=False).end()
    assert banner(after).text() == ""


def test_typing_of_now_is_not_called_kept_after_a_bad_end(
    qtbot: QtBot, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    desk = make_window()
    desk.window.crashes.offer([BadEnd(brain_file)], is_opening=True)
    with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
        desk.window.open_vault(brain_file)
    notices: list[str] = []
    desk.session.messages.shown.connect(lambda _kind, text: notices.append(text))
    qtbot.waitUntil(desk.session.jobs.is_idle)
    desk.session.select(desk.session.snapshot.memories.ids[int(desk.session.order[3])])
    content = desk.window.findChild(QPlainTextEdit, "editorContent")
    assert isinstance(content, QPlainTextEdit)
    qtbot.waitUntil(lambda: desk.session.selected_memory is not None)
    qtbot.keyClicks(content, "Now")
    qtbot.waitUntil(lambda: bool(desk.session.unsaved.memory_ids))
    assert not any("kept" in notice for notice in notices)


@pytest.mark.parametrize("follows_link", [False, True])
def test_a_link_that_is_followed_goes_before_the_kept_draft(
    qtbot: QtBot,
    make_window: Callable[[], Desk],
    brain_file: Path,
    follows_link: bool,
) -> None:
    first = make_window()
    with qtbot.waitSignal(first.window.panels_ready, timeout=15_000):
        first.window.open_vault(brain_file)
    ids = first.session.snapshot.memories.ids
    typed_id, linked_id = (ids[int(first.session.order[place])] for place in (3, 7))
    first.window.close()
    killed_run(brain_file, typed_id)

    desk = make_window()
    desk.window.crashes.offer([BadEnd(brain_file)], is_opening=True, follows_link=follows_link)
    notices: list[str] = []
    desk.session.messages.shown.connect(lambda _kind, text: notices.append(text))
    with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
        desk.window.open_vault(brain_file)
        if follows_link:
            desk.session.looking.follow_link(f"mvdesk://memory/{linked_id}")
    qtbot.waitUntil(lambda: any(notice.startswith("1 draft was kept") for notice in notices))
    qtbot.waitUntil(desk.session.jobs.is_idle)
    assert desk.session.selected_id == (linked_id if follows_link else typed_id)


def test_a_run_that_goes_on_or_ended_well_is_no_bad_end(tmp_path: Path, qapp: object) -> None:
    one = RunMarker(tmp_path)
    one.begin()
    one.note(tmp_path / "v.sqlite")
    assert RunMarker(tmp_path).take_bad_ends() == []
    one.end()
    assert RunMarker(tmp_path).take_bad_ends() == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("left", ["", "[", '{"vault": 7}', "[]"])
def test_a_mark_that_can_not_be_read_tells_of_no_vault(tmp_path: Path, left: str) -> None:
    (tmp_path / "window-999999.json").write_text(left)
    assert RunMarker(tmp_path).take_bad_ends() == [BadEnd(None)]
    assert RunMarker(tmp_path).take_bad_ends() == []


def test_without_its_vault_only_the_log_is_offered(desk: Desk, tmp_path: Path) -> None:
    desk.window.crashes.offer([BadEnd(tmp_path / "gone.sqlite")], is_opening=False)
    assert button(desk, "bannerAction").text() == "Show the log"
    assert button(desk, "bannerOther").isHidden()
    said: list[str] = []
    desk.session.messages.shown.connect(lambda _kind, text: said.append(text))
    button(desk, "bannerAction").click()
    assert said == ["There is no log: its folder can't be written."]


def test_a_folder_that_can_not_be_written_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    marker = watch_run(desk, file / "below", is_opening=False)
    marker.note(None)
    marker.end()
    assert banner(desk).text() == ""

"""One memory, one score: list, explanation, graph, search and commands, to the last bit."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from mvdesk.cli.main import run
from mvdesk.scoring.builtin import BUILTIN_MODELS
from mvdesk.ui.models.memory_table import SCORE_ROLE, Column
from mvdesk.ui.plots.graph_scene import GraphView
from tests.bench.large_vault import NOW, make_large_vault, memory_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

COUNT = 1_000
DAY = 86_400
Scores = dict[str, tuple[float, float]]

ODD = (
    ("confidence", ("1.5", "-0.25", "0", "1", "0.6999999999999", "0.0005", "NULL")),
    ("importance", ("2", "-1", "0.3333333333333333", "0.9995", "NULL")),
    ("updated_at", (f"{NOW + 40 * DAY}", "0", "NULL", f"{NOW - 3 * DAY}", f"{NOW - 60 * DAY}")),
    ("created_at", ("NULL", f"{NOW - 400 * DAY}")),
    ("access_count", ("-3", "2.7", "100000", "NULL")),
    ("last_accessed_at", (f"{NOW - 2 * DAY}", f"{NOW + DAY}", "-5")),
    ("type", ("'FACT'", "'idea'", "''", "NULL")),
    ("source", ("'  API: Billing '", "'b\\u30edg'", "'rumor'", "''", f"'{'x' * 400}'")),
    ("content", ("''", "'un' || char(10) || 'verified İd 🚀'", "'maybe, not verified'")),
)
"""What a file may hold that no program should have written."""


@pytest.fixture
def strange_vault(tmp_path: Path) -> Path:
    """A thousand memories with links and trust, a third of them odd in a column or two."""
    path = tmp_path / "thousand.sqlite"
    make_large_vault(path, memories=COUNT, links=3 * COUNT)
    pick = random.Random(11)
    with closing(sqlite3.connect(path)) as db, db:
        for number in pick.sample(range(COUNT), COUNT // 3):
            for column, values in pick.sample(ODD, 2):
                value = pick.choice(values)
                db.execute(
                    f"UPDATE OR IGNORE memories SET {column} = {value} WHERE id = ?",
                    (memory_id(number),),
                )
    return path


@pytest.fixture
def opened(qtbot: QtBot, desk: Desk, strange_vault: Path) -> Desk:
    with qtbot.waitSignal(desk.window.panels_ready, timeout=30_000):
        desk.window.open_vault(strange_vault)
    desk.session.set_show_archived(True)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    return desk


def listed(desk: Desk) -> Scores:
    """What the cells of the list hold."""
    table = desk.window.findChild(QTableView, "memoryList")
    assert isinstance(table, QTableView)
    model = table.model()
    found = {}
    for row in range(model.rowCount()):
        cells = [model.index(row, column) for column in (Column.CONFIDENCE, Column.IMPORTANCE)]
        one, other = (model.data(cell, SCORE_ROLE) for cell in cells)
        found[str(model.memory_id(row))] = (one, other)  # type: ignore[attr-defined]
        assert model.data(cells[0], Qt.ItemDataRole.DisplayRole) is not None
    return found


def explained(desk: Desk) -> Scores:
    """What explanations end in, and say as JSON."""
    found = {}
    for key in map(str, desk.session.snapshot.memories.ids):
        one = desk.session.explain(key)
        data = json.loads(json.dumps(one.to_json()))
        found[key] = (one.confidence.final, one.importance.final)
        assert (data["dynamic_confidence"], data["dynamic_importance"]) == found[key]
        for score in (one.confidence, one.importance):
            total = score.base
            for part in score.components:
                total += part.delta
            assert total == score.raw
    return found


def drawn(qtbot: QtBot, desk: Desk, keys: list[str]) -> Scores:
    """What the graph's nodes hold and say, around some memories."""
    view = desk.window.findChild(GraphView, "graphView")
    assert isinstance(view, GraphView)
    found: Scores = {}
    for key in keys:
        desk.session.select(key)
        qtbot.waitUntil(lambda key=key: key in view._picture.ids and desk.session.jobs.is_idle())
        picture = view._picture
        for place, node in enumerate(picture.ids):
            pair = (float(picture.confidence[place]), float(picture.importance[place]))
            said = picture.describe_node(place)
            assert f"confidence {pair[0]:.3f}, importance {pair[1]:.3f}" in said
            assert found.setdefault(node, pair) == pair
    return found


def commanded(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:  # noqa: ANN401
    capfd.readouterr()
    assert run([str(argument) for argument in arguments]) == 0
    return json.loads(capfd.readouterr().out)


def pair_of(data: dict[str, Any]) -> tuple[float, float]:
    return data["dynamic_confidence"], data["dynamic_importance"]


@pytest.mark.parametrize("model_id", list(BUILTIN_MODELS))
@pytest.mark.parametrize("days", [0, 37])
def test_every_place_shows_the_same_number(
    qtbot: QtBot,
    opened: Desk,
    capfd: pytest.CaptureFixture[str],
    strange_vault: Path,
    monkeypatch: pytest.MonkeyPatch,
    model_id: str,
    days: int,
) -> None:
    session = opened.session
    now = NOW + days * DAY
    monkeypatch.setattr(session, "_clock", lambda: now)
    session.set_model(model_id)
    session.refresh_clock()
    qtbot.waitUntil(lambda: session.jobs.is_idle() and session.now == now)
    session.refresh_clock()
    qtbot.waitUntil(session.jobs.is_idle)
    list_ = listed(opened)
    assert len(list_) == COUNT
    assert explained(opened) == list_
    keys = [memory_id(number) for number in range(0, COUNT, 40)]
    graph = drawn(qtbot, opened, keys)
    assert len(graph) > COUNT / 5
    assert {key: list_[key] for key in graph} == graph
    asked = ("--now", str(now), "--model", model_id, "--json")
    data = commanded(capfd, "list", strange_vault, "--archived", *asked)
    assert {one["id"]: pair_of(one) for one in data["memories"]} == list_
    hits = commanded(capfd, "search", strange_vault, "verified", *asked)["results"]
    assert hits
    assert all(pair_of(hit) == list_[hit["id"]] for hit in hits)
    for key in keys:
        answer = commanded(capfd, "explain", strange_vault, key, *asked)
        assert pair_of(answer["explanation"]) == pair_of(answer["memory"]) == list_[key]


def test_a_preview_is_the_same_everywhere_and_nothing_of_it_stays(
    qtbot: QtBot, opened: Desk, make_window: Callable[[], Desk]
) -> None:
    session = opened.session
    before = listed(opened)
    key = session.snapshot.source_key_of_row(0) or "slack #design"
    session.preview_trust(key, 0.03)
    session.preview_trust("api: billing", 0.97)
    qtbot.waitUntil(session.jobs.is_idle)
    during = listed(opened)
    assert during != before
    assert explained(opened) == during
    graph = drawn(qtbot, opened, [memory_id(number) for number in range(0, COUNT, 40)])
    assert {key: during[key] for key in graph} == graph
    session.preview_trust("api: billing", 0.4)  # while the picture is shown
    qtbot.waitUntil(session.jobs.is_idle)
    moved = listed(opened)
    graph = drawn(qtbot, opened, [str(session.selected_id)])
    assert {key: moved[key] for key in graph} == graph
    session.discard_preview()
    qtbot.waitUntil(session.jobs.is_idle)
    assert listed(opened) == before
    assert explained(opened) == before

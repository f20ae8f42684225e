"""Many rows at once: all of them as seen, or none is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mvdesk.store.bulk import update_as_seen
from mvdesk.store.engine import VaultFile
from mvdesk.store.reading import driver_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COLUMNS = ("confidence", "last_decayed_at", "updated_at")
IDS = [f"m{n}" for n in range(50)]


@pytest.fixture
def file(tmp_path: Path) -> Iterator[VaultFile]:
    with VaultFile.create(tmp_path / "v.sqlite", "Many", now=1, new_id=lambda: "brain") as made:
        with made.write() as conn:
            raw = driver_of(conn)
            brain = raw.execute("SELECT id FROM brains").fetchone()[0]
            raw.executemany(
                "INSERT INTO memories (id, brain_id, type, content, confidence, importance, "
                "created_at, updated_at) VALUES (?, ?, 'note', 'text', ?, 0.5, 1, 2)",
                [(one, brain, n / 100) for n, one in enumerate(IDS)],
            )
        yield made


def seen() -> list[list[Any]]:
    return [[n / 100 for n in range(50)], [None] * 50, [2] * 50]


def rows(file: VaultFile) -> list[tuple]:
    with file.read() as conn:
        sql = "SELECT confidence, last_decayed_at, updated_at FROM memories ORDER BY rowid"
        return driver_of(conn).execute(sql).fetchall()


def update(file: VaultFile, before: list[list[Any]], after: list[list[Any]]) -> bool:
    with file.write() as conn:
        return update_as_seen(conn, "memories", IDS, COLUMNS, before, after)


def test_rows_as_they_were_seen_get_their_values(file: VaultFile) -> None:
    before = seen()
    after = [[0.5] * 50, [9] * 50, before[2]]
    assert update(file, before, after)
    assert rows(file) == [(0.5, 9, 2)] * 50
    back = [before[0], before[1], before[2]]
    assert update(file, [after[0], after[1], before[2]], back)
    assert rows(file) == list(zip(*seen(), strict=True))


@pytest.mark.parametrize(
    ("column", "cell"),
    [(0, 0.9), (1, 5), (2, 3), (2, None), (0, float("nan")), (0, b"0.1"), (0, "0.01")],
)
def test_one_that_moved_leaves_all_as_they_were(file: VaultFile, column: int, cell: object) -> None:
    before, untouched = seen(), rows(file)
    before[column][30] = cell
    assert not update(file, before, [[0.5] * 50, [9] * 50, before[2]])
    assert rows(file) == untouched


@pytest.mark.parametrize("value", [float("inf"), b"blob"])
def test_values_that_sqlite_would_not_keep_are_not_written(file: VaultFile, value: object) -> None:
    untouched = rows(file)
    before = seen()
    assert not update(file, before, [[value] * 50, before[1], before[2]])
    assert rows(file) == untouched


def test_equal_is_not_enough_when_the_cell_is_of_another_kind(file: VaultFile) -> None:
    before = seen()
    before[2] = [2.0] * 50  # the file has whole numbers
    assert not update(file, before, [[0.5] * 50, before[1], before[2]])


def test_the_usual_cache_is_back_afterwards(file: VaultFile) -> None:
    before = seen()
    with file.write() as conn:
        raw = driver_of(conn)
        usual = raw.execute("PRAGMA cache_size").fetchone()
        for cells in (before, [[0.1] * 50, *before[1:]]):
            update_as_seen(conn, "memories", IDS, COLUMNS, cells, [[0.2] * 50, *before[1:]])
            assert raw.execute("PRAGMA cache_size").fetchone() == usual

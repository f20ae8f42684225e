"""What a brain keeps beside memories and links, read from whole, old and strange files."""

from __future__ import annotations

import math
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk.records import LEGACY_BRAIN_ID
from mvdesk.store.cells import text_of, whole_of
from mvdesk.store.engine import VaultFile
from mvdesk.store.reading_rules import (
    count_history,
    read_aliases,
    read_history,
    read_policy,
    read_resolutions,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    return Path(shutil.copy(DATA / "brain.sqlite", tmp_path / "brain.sqlite"))


@pytest.fixture
def read() -> Iterator[Callable[..., object]]:
    """Asks one of the readers about a file."""
    opened: list[VaultFile] = []

    def ask(path: Path, reader: Callable, brain_id: str = LEGACY_BRAIN_ID, **how: object) -> object:
        opened.append(VaultFile.open(path))
        with opened[-1].read() as conn:
            return reader(conn, opened[-1].schema, brain_id, **how)

    yield ask
    for file in opened:
        file.close()


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as conn:
        for statement in statements:
            conn.execute(statement)
        conn.commit()


def test_everything_of_a_servers_file_is_read(brain: Path, read: Callable) -> None:
    policy = read(brain, read_policy)
    assert '"decay_days":21' in policy.policy_json
    assert policy.updated_at > policy.created_at > 0
    resolutions = read(brain, read_resolutions)
    assert len(resolutions) == 6
    assert [one.updated_at for one in resolutions] == sorted(one.updated_at for one in resolutions)
    assert {one.status for one in resolutions} == {
        "needs_review", "resolved", "superseded", "dismissed",
    }  # fmt: skip
    (alias,) = read(brain, read_aliases)
    assert alias.canonical_memory_id != alias.alias_memory_id
    assert 0 <= alias.confidence <= 1


def test_another_brain_has_none_of_it(brain: Path, read: Callable) -> None:
    assert read(brain, read_policy, "other") is None
    for reader in (read_resolutions, read_aliases, read_history):
        assert read(brain, reader, "other") == []


def test_the_newest_history_comes_first_and_can_be_narrowed(brain: Path, read: Callable) -> None:
    every = read(brain, read_history)
    times = [entry.created_at for entry in every]
    assert times == sorted(times, reverse=True)
    assert read(brain, read_history, limit=3) == every[:3]
    entity = every[0].entity_id
    about = read(brain, read_history, entity_id=entity)
    assert about == [entry for entry in every if entry.entity_id == entity]
    naming = read(brain, read_history, naming=entity)
    assert naming == [
        entry
        for entry in every
        if entry.entity_id == entity or f'"{entity}"' in (entry.payload or "")
    ]
    assert read(brain, read_history, naming="nobody") == []
    since = times[len(times) // 2]
    recent = read(brain, read_history, since=since)
    assert recent == [entry for entry in every if entry.created_at >= since]
    assert every[0].payload is not None


def test_without_payloads_lines_are_found_by_what_they_are_about(
    brain: Path, read: Callable
) -> None:
    entity = read(brain, read_history)[0].entity_id
    change(brain, "ALTER TABLE memory_changelog DROP COLUMN payload")
    found = read(brain, read_history, naming=entity)
    assert found
    assert {entry.entity_id for entry in found} == {entity}


def test_lines_of_one_second_are_read_last_first(brain: Path, read: Callable) -> None:
    for number in range(5):
        change(
            brain,
            f"""INSERT INTO memory_changelog (id, brain_id, event_type, entity_type, entity_id,
            summary, payload, created_at) VALUES ('z{9 - number}', '{LEGACY_BRAIN_ID}', 'e', 't',
            'x', 's', NULL, 4000000000)""",
        )
    found = read(brain, read_history, limit=5)
    assert [entry.id for entry in found] == ["z5", "z6", "z7", "z8", "z9"]
    assert found[0].payload is None


def test_a_file_without_these_tables_or_columns_reads_as_empty(brain: Path, read: Callable) -> None:
    change(
        brain,
        "DROP TABLE brain_policies",
        "DROP TABLE memory_conflict_resolutions",
        "DROP TABLE memory_entity_aliases",
        "CREATE TABLE memory_entity_aliases (id, canonical_memory_id, alias_memory_id)",
        "INSERT INTO memory_entity_aliases VALUES ('i', 'c', 'a')",
    )
    assert read(brain, read_policy) is None
    assert read(brain, read_resolutions) == []
    # Without brain_id everything is the default brain's.
    (alias,) = read(brain, read_aliases)
    assert (alias.confidence, alias.note, alias.updated_at) == (0.9, None, 0)
    assert read(brain, read_aliases, "other") == []


def test_strange_cells_read_as_the_nearest_sensible_value(brain: Path, read: Callable) -> None:
    change(
        brain,
        "UPDATE brain_policies SET policy_json = x'7bff', updated_at = 'soon'",
        "UPDATE memory_conflict_resolutions SET status = '', note = x'ff', updated_at = 'then'",
        "UPDATE memory_entity_aliases SET confidence = 'high'",
    )
    policy = read(brain, read_policy)
    assert (policy.policy_json, policy.updated_at) == ("{\ufffd", 0)
    assert {(one.status, one.note, one.updated_at) for one in read(brain, read_resolutions)} == {
        ("needs_review", "\ufffd", 0)
    }
    (alias,) = read(brain, read_aliases)
    assert alias.confidence == 0.9


def test_cells_of_a_strange_file_read_as_the_nearest_value() -> None:
    assert [whole_of(cell) for cell in (3, 3.9, math.inf, -math.inf, None, "7", b"x")] == [
        3, 3, 0, 0, 0, 0, 0,
    ]  # fmt: skip
    assert [text_of(cell) for cell in ("a", 1, None, b"\xff")] == ["a", "1", None, "\ufffd"]


def test_pages_and_counts_of_the_history_are_those_of_the_whole(
    brain: Path, read: Callable
) -> None:
    every = read(brain, read_history)
    pages = [read(brain, read_history, limit=200, offset=start) for start in range(0, 600, 200)]
    assert [entry for page in pages for entry in page] == every[:600]
    assert read(brain, read_history, offset=len(every) - 2) == every[-2:]
    assert read(brain, count_history) == len(every)
    moment = every[len(every) // 2].created_at
    older = [entry for entry in every if entry.created_at < moment]
    assert read(brain, read_history, until=moment) == older
    for asked in (
        {"until": moment},
        {"since": moment},
        {"naming": every[0].entity_id},
        {"event_types": ("memory_created", "memory_decayed")},
    ):
        assert read(brain, count_history, **asked) == len(read(brain, read_history, **asked))
    change(brain, "DROP TABLE memory_changelog")
    assert read(brain, count_history) == 0

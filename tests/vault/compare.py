"""Every recorded call of a real server, compared; run it with `python -m tests.vault.compare`."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from mvdesk.vault.vault import Vault
from tests.vault.operations import test_policy, test_recorded_writes, test_snapshots
from tests.vault.questions import test_recorded_answers
from tests.vault.recorded import DATA, Tally, tallies

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTIONS = (
    test_recorded_answers.test_every_recorded_list_of_conflicts,
    test_recorded_answers.test_every_recorded_link_suggestion,
    test_recorded_answers.test_every_recorded_path_within_the_servers_limits,
    test_recorded_answers.test_every_recorded_subgraph,
    test_recorded_answers.test_every_recorded_neighbourhood,
    test_recorded_answers.test_every_recorded_review_queue,
    test_recorded_answers.test_the_recorded_counts,
    test_recorded_answers.test_every_recorded_graph_statistic,
    test_recorded_answers.test_every_recorded_tag_statistic,
)


@contextmanager
def servers_vault() -> Iterator[Vault]:
    """A copy of the server's own file, open."""
    numbers = count(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(DATA / "brain.sqlite", folder))
        with Vault.open(path, new_id=lambda: f"id-{next(numbers)}") as vault:
            yield vault


def run_sql(path: Path, *statements: str) -> list[tuple]:
    """What another program reads."""
    with closing(sqlite3.connect(path)) as conn:
        return [row for sql in statements for row in conn.execute(sql)]


def contents(path: Path) -> dict[str, list[tuple]]:
    """Every cell of the tables that plans write."""
    tables = ("memories", "memory_links", "brain_source_trust", "memory_conflict_resolutions")
    return {table: run_sql(path, f"SELECT * FROM {table} ORDER BY 1") for table in tables}


def compare_all() -> dict[str, Tally]:
    """Compare every call; raises AssertionError for a difference that nobody explained."""
    tallies.clear()
    for compare in QUESTIONS:
        compare()
    writes = test_recorded_writes
    with servers_vault() as vault:
        writes.test_each_call_writes_what_the_server_wrote_and_undo_brings_every_cell_back(
            vault, run_sql, contents
        )
    with servers_vault() as vault:
        writes.test_calls_one_after_the_other_write_what_the_server_wrote(vault, run_sql)
    with servers_vault() as vault:
        test_policy.test_the_recorded_policy_is_read_as_the_server_reads_it(vault)
        test_snapshots.test_the_list_is_the_servers(vault)
    return dict(tallies)


def format_table(found: dict[str, Tally]) -> str:
    """The table for people."""
    lines = [f"{'compared with the server':34} calls  equal  rows changed  differs on purpose"]
    for kind, tally in sorted(found.items()):
        rows = f"{tally.rows:12}" if tally.rows else " " * 12
        why = "; ".join(tally.explained)
        lines.append(f"{kind:34} {tally.calls:5}  {tally.equal:5}  {rows}  {why}".rstrip())
    calls, equal, rows = (
        sum(getattr(tally, name) for tally in found.values()) for name in ("calls", "equal", "rows")
    )
    lines.append(f"{'all':34} {calls:5}  {equal:5}  {rows:12}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(format_table(compare_all()))

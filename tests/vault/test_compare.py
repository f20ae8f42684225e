"""The table of recorded calls: how many were compared, and that nearly all are equal."""

from __future__ import annotations

from tests.vault.compare import compare_all, format_table


def test_every_recorded_call_is_compared_and_equal_or_explained() -> None:
    found = compare_all()
    assert {kind: (tally.calls, tally.equal) for kind, tally in found.items()} == {
        "conflicts": (7, 6),
        "decay, written and undone": (6, 6),
        "decay and reinforce in sequence": (4, 4),
        "link suggestions": (7, 7),
        "neighbourhoods": (6, 6),
        "paths": (15, 15),
        "policy": (1, 1),
        "reinforce, written and undone": (9, 9),
        "review queue": (3, 3),
        "snapshots": (1, 1),
        "statistics": (7, 7),
        "subgraphs": (7, 7),
    }
    assert sum(tally.rows for tally in found.values()) > 500
    lines = format_table(found).splitlines()
    assert len(lines) == len(found) + 2
    assert lines[-1].split()[:3] == ["all", "73", "72"]

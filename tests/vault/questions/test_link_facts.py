"""How a vault hangs together: what counts as a part, a hub, alone, a dispute."""

from __future__ import annotations

import pytest

from mvdesk.vault.questions.link_facts import find_link_facts
from tests.vault.made import NOW, link, memory, snapshot_of


def test_parts_disputes_and_those_who_are_alone() -> None:
    names = "abcdefgh"
    memories = [memory(name, title=name.upper()) for name in names]
    memories.append(memory("old", archived_at=NOW))
    links = [
        link("a", "b"),
        link("b", "c", "contradicts"),
        link("d", "e", "contradicts"),
        link("e", "f", "contradicts"),
        link("g", "old"),
        link("h", "h"),
    ]
    facts = find_link_facts(snapshot_of(memories, links))
    assert (facts.memories, facts.links, facts.part_count) == (8, 4, 4)
    assert [group.rows.tolist() for group in facts.parts] == [[0, 1, 2], [3, 4, 5]]
    assert [group.name for group in facts.parts] == ["B", "E"]
    assert [group.rows.tolist() for group in facts.disputes] == [[3, 4, 5], [1, 2]]
    assert (facts.dispute_count, facts.disputed) == (2, 5)
    assert facts.hubs == 0
    assert facts.density == pytest.approx(4 / 28)


def test_a_hub_has_more_than_25_links() -> None:
    memories = [memory(f"m{number:02}") for number in range(28)]
    spokes = [link("m00", f"m{number:02}") for number in range(1, 27)]
    facts = find_link_facts(snapshot_of(memories, spokes))
    assert (facts.hubs, facts.alone) == (1, 1)
    assert find_link_facts(snapshot_of(memories, spokes[1:])).hubs == 0


def test_an_empty_vault_has_no_density() -> None:
    facts = find_link_facts(snapshot_of([]))
    assert (facts.part_count, facts.parts, facts.density) == (0, (), None)

"""Saved searches and their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import BadValue
from mvdesk.vault.saved_searches import (
    MAX_NAME,
    MAX_SEARCHES,
    read_names,
    read_searches,
    remove_search,
    save_search,
    write_searches,
)

if TYPE_CHECKING:
    from mvdesk.store.companion import Companion
    from mvdesk.vault.vault import Vault

BRAIN = "b"


@pytest.fixture
def companion(empty: Vault) -> Companion:
    return empty.companion


def test_a_search_is_kept_under_a_name_and_renamed(companion: Companion) -> None:
    save_search(companion, BRAIN, "  type:fact   conf<0.5 ", " Weak  facts ")
    assert read_searches(companion, BRAIN) == ("type:fact conf<0.5",)
    assert read_names(companion, BRAIN) == {"type:fact conf<0.5": "Weak facts"}
    save_search(companion, BRAIN, "type:fact conf<0.5", "x" * 200)
    assert read_names(companion, BRAIN) == {"type:fact conf<0.5": "x" * MAX_NAME}
    save_search(companion, BRAIN, "type:fact conf<0.5")
    assert read_names(companion, BRAIN) == {}
    assert read_searches(companion, BRAIN) == ("type:fact conf<0.5",)


def test_a_search_that_is_forgotten_takes_its_name_along(companion: Companion) -> None:
    save_search(companion, BRAIN, "one", "First")
    save_search(companion, BRAIN, "two", "Second")
    remove_search(companion, BRAIN, "one")
    assert read_searches(companion, BRAIN) == ("two",)
    assert read_names(companion, BRAIN) == {"two": "Second"}
    remove_search(companion, BRAIN, "two")
    assert companion.read_setting(f"searches/{BRAIN}") is None


def test_too_many_and_too_long_ones_are_refused_and_the_others_stay(companion: Companion) -> None:
    write_searches(companion, BRAIN, [f"s{number}" for number in range(MAX_SEARCHES)])
    with pytest.raises(BadValue):
        save_search(companion, BRAIN, "one more")
    with pytest.raises(BadValue):
        write_searches(companion, BRAIN, ["x" * 401])
    assert len(read_searches(companion, BRAIN)) == MAX_SEARCHES


def test_nonsense_in_the_companion_counts_as_nothing(companion: Companion) -> None:
    companion.write_setting(f"searches/{BRAIN}", {"a": 1})
    companion.write_setting(f"search-names/{BRAIN}", ["a"])
    assert read_searches(companion, BRAIN) == ()
    assert read_names(companion, BRAIN) == {}
    companion.write_setting(f"searches/{BRAIN}", ["ok", 7, " "])
    companion.write_setting(f"search-names/{BRAIN}", {"ok": 7, "b": "B"})
    assert read_searches(companion, BRAIN) == ("ok",)
    assert read_names(companion, BRAIN) == {"b": "B"}

"""Trials and saved searches outlive the program, each brain has its own."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import BadValue
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.vault.questions.movers import find_movers
from mvdesk.vault.questions.overlay import Overlay
from mvdesk.vault.saved_searches import MAX_SEARCHES, read_searches, write_searches
from mvdesk.vault.trials import MAX_NAME, Trial, Trials, differing_sources, fit_trial
from tests.vault.made import NOW, memory, scores_of, snapshot_of, trusted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.vault import Vault


def trials_of(vault: Vault, brain_id: str | None = None, first: int = 1) -> Trials:
    numbers = count(first)
    return Trials(vault.companion, brain_id or vault.brain.id, lambda: f"trial-{next(numbers)}")


def test_a_trial_is_there_after_a_restart(
    server_file: Path, open_vault: Callable[..., Vault]
) -> None:
    vault = open_vault(server_file)
    saved = trials_of(vault).save(" Strict  chat ", {"slack": 0.2, "blog": None}, now=NOW)
    vault.close()
    assert trials_of(open_vault(server_file)).read() == [saved]
    assert (saved.name, dict(saved.trust)) == ("Strict chat", {"slack": 0.2, "blog": None})
    assert (saved.created_at, saved.updated_at) == (NOW, NOW)


def test_trials_are_renamed_replaced_deleted_and_put_back(server: Vault) -> None:
    trials = trials_of(server)
    one, other = (trials.save(name, {"blog": 0.1}, now=NOW) for name in ("One", "Two"))
    trials.rename(one.id, "First", now=NOW + 1)
    assert [trial.name for trial in trials.read()] == ["First", "Two"]
    trials.replace(other.id, {"blog": 0.9}, now=NOW + 2)
    assert [(trial.name, trial.trust["blog"]) for trial in trials.read()] == [
        ("Two", 0.9),
        ("First", 0.1),
    ]
    gone = trials.delete(other.id)
    assert trials.find("two") is None
    trials.put(gone)
    assert trials.find(" TWO ") == gone
    with pytest.raises(BadValue, match="no longer there"):
        trials.rename("nobody", "x", now=NOW)


@pytest.mark.parametrize("name", ["", "  ", "x" * (MAX_NAME + 1), "ONE", "half \udcff"])
def test_a_name_that_can_t_be_told_apart_is_refused(server: Vault, name: str) -> None:
    trials = trials_of(server)
    one = trials.save("One", {"blog": 0.1}, now=NOW)
    with pytest.raises(BadValue):
        trials.save(name, {"blog": 0.1}, now=NOW)
    assert trials.rename(one.id, "ONE", now=NOW).name == "ONE"  # its own name is free


@pytest.mark.parametrize("trust", [{}, {"blog": 1.5}, {"blog": float("nan")}])
def test_values_that_are_no_trust_are_refused(server: Vault, trust: dict[str, float]) -> None:
    with pytest.raises(BadValue):
        trials_of(server).save("One", trust, now=NOW)
    assert trials_of(server).read() == []


def test_brains_and_windows_don_t_get_in_each_other_s_way(server: Vault) -> None:
    trials_of(server, "a").save("One", {"blog": 0.1}, now=NOW)
    trials_of(server, "a/b").save("One", {"blog": 0.2}, now=NOW)
    trials_of(server, "a_b").save("One", {"blog": 0.3}, now=NOW)
    trials_of(server, "a", first=7).save("Two", {"blog": 0.4}, now=NOW)
    names = [(trial.name, trial.trust["blog"]) for trial in trials_of(server, "a").read()]
    assert names == [("One", 0.1), ("Two", 0.4)]


@pytest.mark.parametrize(
    "stored",
    [
        5,
        {},
        {"version": 2, "name": "later"},
        {"version": 1, "name": "x", "trust": [], "created_at": 1, "updated_at": 1},
        {"version": 1, "name": "x", "trust": {"blog": "high"}, "created_at": 1, "updated_at": 1},
        {"version": 1, "name": "x", "trust": {"blog": 0.1}, "created_at": None, "updated_at": 1},
    ],
)
def test_what_is_no_trial_is_left_alone(server: Vault, stored: object) -> None:
    name = f"trial/{server.brain.id}/strange"
    server.companion.write_setting(name, stored)
    assert trials_of(server).read() == []
    assert server.companion.read_setting(name) == stored


def test_what_vanished_from_the_vault_is_said() -> None:
    snapshot = snapshot_of([memory("a", source="Blog"), memory("b", source="log")], trust=[
        trusted("log", 0.3)
    ])  # fmt: skip

    def fitted(**trust: float | None) -> tuple[dict[str, float | None], tuple[str, ...], str]:
        found = fit_trial(Trial("t", "T", trust, 1, 1), snapshot)
        return dict(found.trust), found.settled, found.text()

    assert fitted(blog=0.1, log=0.3) == ({"blog": 0.1}, ("log",), "")
    assert fitted(blog=None, log=None) == ({"log": None}, ("blog",), "")
    assert fitted(chat=0.1) == ({}, (), "“chat” is no longer in this vault and left out.")
    assert fitted(a=0.1, b=0.2, c=0.3, d=0.4, e=0.5)[2] == (
        "“a”, “b”, “c” and 2 more are no longer in this vault and left out."
    )


def test_two_trials_are_compared_by_the_sources_that_differ() -> None:
    snapshot = snapshot_of(
        [memory("a", source="blog"), memory("b", source="log"), memory("c", source="mail")],
        trust=[trusted("log", 0.3)],
    )
    one, other = {"blog": 0.9, "log": 0.3, "gone": 0.1}, {"blog": 0.1, "mail": None}
    keys = differing_sources(snapshot, one, other)
    assert keys == ("blog",)  # log is 0.3 in both, mail is not set in both
    overlay = Overlay(snapshot, SERVER_V2, NOW, scores_of(snapshot))
    movers = find_movers(snapshot, overlay.scores(one), overlay.scores(other), keys)
    assert [(mover.row, mover.reason) for mover in movers.down] == [(0, "trust")]


def test_searches_are_kept_in_order_without_repeats(server: Vault) -> None:
    assert read_searches(server.companion, "b") == ()
    kept = write_searches(server.companion, "b", [" rent  2026 ", "", "port", "rent 2026"])
    assert kept == ("rent 2026", "port") == read_searches(server.companion, "b")
    assert read_searches(server.companion, "c") == ()
    write_searches(server.companion, "b", [])
    assert read_searches(server.companion, "b") == ()
    with pytest.raises(BadValue, match="21"):
        write_searches(server.companion, "b", [f"text {n}" for n in range(MAX_SEARCHES + 1)])
    with pytest.raises(BadValue, match="401"):
        write_searches(server.companion, "b", ["x" * 401])
    server.companion.write_setting("searches/b", [3, " ", "port"])
    assert read_searches(server.companion, "b") == ("port",)

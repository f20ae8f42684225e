"""Random numbers: always the same from a seed."""

from __future__ import annotations

from mvdesk.graphs.draws import Draws


def test_draws_are_repeatable() -> None:
    one, other = Draws(3), Draws(3)
    for _ in range(5_000):
        assert one.random() == other.random()
    assert (one.randint(2, 9), one.gauss(5.0, 1.0)) == (other.randint(2, 9), other.gauss(5.0, 1.0))
    assert Draws(4).random() != Draws(3).random()
    assert 0.0 <= Draws(5).random() < 1.0

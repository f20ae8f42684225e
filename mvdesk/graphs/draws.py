"""Random numbers for igraph, repeatable: in the shape of Python's own generator."""

from __future__ import annotations

from itertools import chain

import numpy as np

_AT_ONCE = 4_096


class Draws:
    """A stream of numbers from a seed.

    A layout asks for millions of them one by one. `random` is the step of an iterator, so that
    each takes a tenth of what a call of numpy's generator does.
    """

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        parts = iter(lambda: self._generator.random(_AT_ONCE).tolist(), None)
        self.random = chain.from_iterable(parts).__next__

    def randint(self, low: int, high: int) -> int:
        return int(self._generator.integers(low, high, endpoint=True))

    def gauss(self, middle: float, spread: float) -> float:
        return float(self._generator.normal(middle, spread))

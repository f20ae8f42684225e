"""Figures with budgets and baselines, and how they are timed."""

from __future__ import annotations

import statistics
import time
import timeit
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Figure:
    what: str
    value: float
    unit: str
    budget: float | None
    baseline: str
    ratio: float


class Ledger:
    """Collects figures and prints them when the run ends."""

    def __init__(self) -> None:
        self.figures: list[Figure] = []
        self.notes: list[str] = []

    def record(
        self,
        what: str,
        value: float,
        *,
        unit: str = "ms",
        budget: float | None,
        baseline: str,
        baseline_value: float,
    ) -> None:
        """Keep a figure and fail when it is over its budget (None: no budget, just told)."""
        ratio = value / baseline_value if baseline_value else float("nan")
        self.figures.append(Figure(what, value, unit, budget, baseline, ratio))
        if budget is not None:
            assert value <= budget, f"{what}: {value:.1f} {unit}, the budget is {budget:g} {unit}"

    def note(self, text: str) -> None:
        """A line under the table."""
        self.notes.append(text)


def median_ms(work: Callable[[], object], rounds: int = 15) -> float:
    """Median of single runs after one that warms up, in milliseconds."""
    work()
    return 1000 * statistics.median(timeit.repeat(work, number=1, repeat=rounds))


def process_ms(work: Callable[[], object], rounds: int = 15) -> float:
    """As `median_ms`, of the processor time of this process: what others run doesn't count."""
    work()
    times = timeit.repeat(work, timer=time.process_time, number=1, repeat=rounds)
    return 1000 * statistics.median(times)

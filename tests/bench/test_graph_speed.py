"""Laying out the neighbourhood of a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mvdesk.graphs.layout import compute_layout
from tests.bench.measuring import median_ms

if TYPE_CHECKING:
    from tests.bench.measuring import Ledger


def test_the_largest_neighbourhood_is_laid_out_at_once(ledger: Ledger) -> None:
    edges = np.random.default_rng(3).integers(0, 150, (300, 2))
    few = edges[(edges < 20).all(axis=1)]
    ledger.record(
        "lay out 150 nodes with 300 links",
        median_ms(lambda: compute_layout(150, edges, seed=7, centre=0)),
        budget=80,  # what selecting a memory to its graph shown may take
        baseline="20 nodes",
        baseline_value=median_ms(lambda: compute_layout(20, few, seed=7, centre=0)),
    )

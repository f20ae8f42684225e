"""Rounding as ECMAScript's `Math.round` does it, which the server's scores went through.

Python's `round` takes ties to even, and floor(x + 0.5) is wrong for the double just below a
half; both differ from the recorded scores.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def round3(x: float) -> float:
    """`x` to three decimals, ties towards +∞, never −0. `x` is finite."""
    scaled = x * 1000
    whole = math.floor(scaled)
    if scaled - whole >= 0.5:  # exact: both are within a factor of two, or whole is below 2**53
        whole += 1
    return whole / 1000


def round3_array(x: FloatArray) -> FloatArray:
    """`round3` of every element, to the same bits."""
    scaled = x * 1000
    whole = np.floor(scaled)
    scaled -= whole
    whole += scaled >= 0.5
    whole /= 1000
    whole += 0.0  # −0 becomes +0
    return whole


def thousandths(x: float) -> int:
    """A value that `round3` made, as a whole number of thousandths."""
    return round(x * 1000)

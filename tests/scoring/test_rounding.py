from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.scoring.rounding import round3, round3_array, thousandths


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        (0.0005, 0.001),
        (0.0015, 0.002),  # Python's round gives 0.002 and 0.0025 -> 0.002
        (0.0025, 0.003),
        (-0.0005, 0.0),
        (-0.0015, -0.001),
        (0.7895, 0.79),
        (1.103, 1.103),
        (12345.6785, 12345.679),
    ],
)
def test_ties_go_up(value: float, rounded: float) -> None:
    assert round3(value) == rounded


def test_a_large_odd_number_stays_itself() -> None:
    whole = 2**52 + 1
    assert math.floor(whole / 1000 * 1000 + 0.5) == whole + 1  # the usual short cut is wrong here
    assert round3(whole / 1000) == whole / 1000


@pytest.mark.parametrize("whole", range(-40, 41))
def test_the_doubles_beside_a_tie_go_to_their_own_side(whole: int) -> None:
    tie = (whole + 0.5) / 1000
    below, above = math.nextafter(tie, -1.0), math.nextafter(tie, 1.0)
    assert round3(math.nextafter(below, -1.0)) == whole / 1000
    assert round3(math.nextafter(above, 1.0)) == (whole + 1) / 1000


@pytest.mark.parametrize("value", [0.0, -0.0, -0.0001, -0.0005])
def test_a_zero_is_never_negative(value: float) -> None:
    assert math.copysign(1.0, round3(value)) == 1.0
    assert math.copysign(1.0, float(round3_array(np.array([value]))[0])) == 1.0


@given(st.lists(st.floats(-1e12, 1e12) | st.integers(-4000, 4000).map(lambda n: n / 2000)))
def test_arrays_round_to_the_same_bits(values: list[float]) -> None:
    array = np.array(values, dtype=np.float64)
    before = array.tobytes()
    single = np.array([round3(value) for value in values], dtype=np.float64)
    assert round3_array(array).tobytes() == single.tobytes()
    assert array.tobytes() == before


@given(st.integers(-10_000, 10_000))
def test_thousandths_are_whole(count: int) -> None:
    assert thousandths(round3(count / 1000)) == count

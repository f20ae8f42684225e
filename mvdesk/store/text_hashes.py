"""Hashes of many texts at once, and one number that stands for many rows.

The index of texts keeps that number for what it holds: whether it is in step with a vault of a
million memories is then told without reading a million rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from mvdesk.arrays import Int64Array, Offsets

UInt64Array = npt.NDArray[np.uint64]

_FACTOR: Final = 0x9E3779B97F4A7C15  # odd, so that powers never fade to 0
_CHUNK_ROWS: Final = 8_192  # some 300 bytes a row while it is worked on
_UINT64: Final = (1 << 64) - 1
_MIXERS: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def hash_text(text: bytes) -> int:
    """A polynomial over bytes + 1, modulo 2⁶⁴: sums of parts, so numpy can do it in bulk."""
    total, weight = 0, 1
    for byte in text:
        total += (byte + 1) * weight
        weight = weight * _FACTOR & _UINT64
    return total & _UINT64


def hash_texts(data: bytes, offsets: Offsets) -> UInt64Array:
    """A hash of each text in a block of UTF-8; `offsets` has the end as one more."""
    units = np.frombuffer(data, dtype=np.uint8)
    count = len(offsets) - 1
    hashes = np.zeros(count, dtype=np.uint64)
    lengths = np.diff(offsets)
    longest = int(lengths.max(initial=0))
    weights = _weights(longest)
    is_even = longest and longest == lengths.min()
    for first in range(0, count, _CHUNK_ROWS):
        ends = offsets[first : first + _CHUNK_ROWS + 1]
        block, rows = units[ends[0] : ends[-1]], slice(first, first + len(ends) - 1)
        if is_even:  # as ids are
            hashes[rows] = _hash_even(block.reshape(-1, longest), weights)
        else:
            hashes[rows] = _hash_uneven(block, ends - ends[0], weights)
    return hashes


def sum_of_rows(hashes: UInt64Array, checksums: Int64Array) -> int:
    """A number for a set of rows, whatever their order: ids by their hashes, with checksums.

    The sum of two sets is that of their union; it fits SQLite's whole numbers.
    """
    # Mixed row by row: else checksums that change places would leave the sum as it is.
    codes = hashes ^ (checksums.astype(np.uint64) * np.uint64(_FACTOR))
    for mixer in _MIXERS:
        codes ^= codes >> np.uint64(29)
        codes *= mixer
    return wrapped(int(codes.sum(dtype=np.uint64)))


def wrapped(number: int) -> int:
    """The number modulo 2⁶⁴, as one with a sign."""
    number &= _UINT64
    return number - (1 << 64) if number >> 63 else number


def _hash_even(rows: npt.NDArray[np.uint8], weights: UInt64Array) -> UInt64Array:
    hashes = np.full(len(rows), weights.sum(dtype=np.uint64))
    for place in range(rows.shape[1]):
        hashes += rows[:, place] * weights[place]
    return hashes


def _hash_uneven(units: npt.NDArray[np.uint8], ends: Offsets, weights: UInt64Array) -> UInt64Array:
    lengths = np.diff(ends)
    places = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths)
    terms = (units.astype(np.uint64) + np.uint64(1)) * weights[places]
    # Running sums wrap around, and so do their differences: both modulo 2⁶⁴.
    sums = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(terms, dtype=np.uint64)))
    return sums[ends[1:]] - sums[ends[:-1]]


def _weights(length: int) -> UInt64Array:
    factors = np.full(max(length, 1), _FACTOR, dtype=np.uint64)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint64)

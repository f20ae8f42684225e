"""Rows of texts that are made when they are looked at: there may be a hundred thousand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Callable


class MadeRows(Sequence[tuple[str, ...]]):
    """Row number n is what `make` gives for n."""

    def __init__(self, count: int, make: Callable[[int], tuple[str, ...]]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[str, ...], ...]: ...
    def __getitem__(self, place: int | slice) -> tuple[str, ...] | tuple[tuple[str, ...], ...]:
        if isinstance(place, slice):
            return tuple(map(self._make, range(*place.indices(self._count))))
        return self._make(range(self._count)[place])

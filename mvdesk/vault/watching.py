"""How far reading a vault is, told to the person, and given up when nobody waits any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mvdesk.store.reading import LinkColumns, MemoryColumns


class ReadCancelled(Exception):
    """Reading was given up because `cancelled` said so."""


class ReadWatch:
    """Tells how far reading is, and stops it when nobody wants it any more."""

    def __init__(
        self,
        progress: Callable[[str], None] | None,
        cancelled: Callable[[], bool] | None,
        total: int,
    ) -> None:
        self._progress, self._cancelled, self._total = progress, cancelled, total

    def memories(self, chunks: Iterable[MemoryColumns]) -> Iterator[MemoryColumns]:
        done = 0
        for chunk in chunks:
            self._check()
            yield chunk
            done += len(chunk)
            total = max(done, self._total)
            self._say(tr("Reading memories: {done:,} of {total:,}", done=done, total=total))

    def links(self, chunks: Iterable[LinkColumns]) -> Iterator[LinkColumns]:
        done = 0
        for chunk in chunks:
            self._check()
            yield chunk
            done += len(chunk)
            self._say(tr("Reading links: {done:,}", done=done))

    def _check(self) -> None:
        if self._cancelled is not None and self._cancelled():
            raise ReadCancelled

    def _say(self, sentence: str) -> None:
        if self._progress is not None:
            self._progress(sentence)

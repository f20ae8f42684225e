"""The text of a snapshot, written row by row: a brain may take a hundred megabytes as JSON."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from mvdesk.vault.brain_state import LINK_COLUMNS, MEMORY_COLUMNS
from mvdesk.vault.operations import snapshot_payload
from mvdesk.vault.operations.policy import policy_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mvdesk.vault.brain_state import BrainRows

_ROWS_AT_ONCE: Final = 250
_ARCHIVED_AT: Final = MEMORY_COLUMNS.index("archived_at")
_ESCAPED_WORTH: Final = 1.25
"""What escapes make so much longer at most is written with them: a text that is all ASCII
takes a quarter of the room in memory that text with a single emoji takes."""
_BEYOND: Final = re.compile("[\ud800-\udfff\U00010000-\U0010ffff]")

_plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_escaped = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class SnapshotText:
    """What a snapshot keeps, as JSON, and how much of it is memories and links."""

    text: str
    memory_count: int
    link_count: int


def format_payload(brain: BrainRows, *, include_archived: bool, now: int) -> SnapshotText:
    """The text that keeps a brain. Raises VaultError when it is too large to be read again."""
    kept: set[object] = set()
    links = 0

    def memories() -> Iterator[dict[str, object]]:
        for row in brain.memories:
            if include_archived or row[_ARCHIVED_AT] is None:
                kept.add(row[0])
                yield _memory(row)

    def links_between() -> Iterator[dict[str, object]]:
        nonlocal links
        for row in brain.links:
            if row[1] in kept and row[2] in kept:
                links += 1
                yield dict(zip(LINK_COLUMNS, row, strict=True))

    text = _Text()
    text.add(
        f'{{"schema":{_escaped(snapshot_payload.SCHEMA)},"brain_id":{_escaped(brain.brain_id)},'
        f'"exported_at":{now},"include_archived":{_escaped(include_archived)}'
    )
    text.add_list("memories", memories())
    text.add_list("links", links_between())
    others = {
        "source_trust": brain.trust,
        "aliases": brain.aliases,
        "conflict_resolutions": brain.resolutions,
    }
    for name, records in others.items():
        columns = snapshot_payload.CELLS[name]
        text.add_list(name, (_cells(one, columns) for one in records))
    text.add(f',"policy":{_as_text(policy_of(brain.policy).to_json())}}}')
    snapshot_payload.check_size(text.size, made=True)
    return SnapshotText(text.joined(), len(kept), links)


class _Text:
    """Collects pieces. What is beyond the size that can be kept is only measured."""

    def __init__(self) -> None:
        self.size = 0  # bytes of UTF-8
        self._pieces: list[str] = []

    def add(self, piece: str) -> None:
        self.size += len(piece) if piece.isascii() else len(piece.encode())
        if self.size <= snapshot_payload.MAX_PAYLOAD_BYTES:
            self._pieces.append(piece)

    def add_list(self, name: str, rows: Iterable[Mapping[str, object]]) -> None:
        """One member of the whole: a list of rows."""
        self.add(f',"{name}":[')
        for number, piece in enumerate(_pieces(rows)):
            self.add(f",{piece}" if number else piece)
        self.add("]")

    def joined(self) -> str:
        """All of it; nothing is left here."""
        pieces, self._pieces = self._pieces, []
        return "".join(pieces)


def _pieces(rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """The rows as text, many in a piece."""
    some = iter(rows)
    while part := list(islice(some, _ROWS_AT_ONCE)):
        yield _as_text(part)[1:-1]


def _as_text(data: object) -> str:
    """JSON: without escapes where much of it would be escapes."""
    plain = _plain(data)
    if plain.isascii():
        return plain
    escaped = _escaped(data)
    if len(escaped) <= _ESCAPED_WORTH * len(plain):
        return escaped
    return _BEYOND.sub(lambda match: _escaped(match[0])[1:-1], plain)


def _memory(row: tuple[object, ...]) -> dict[str, object]:
    """A plain row as it is kept, in the order of a server's."""
    cells = dict(zip(MEMORY_COLUMNS, row, strict=True))
    for name in ("confidence", "importance"):
        cells[name] = _finite(float(cells[name]))  # type: ignore[arg-type] # read as a number
    for name in ("access_count", "created_at", "updated_at"):
        cells[name] = cells[name] or 0
    return cells


def _cells(record: object, names: Iterable[str]) -> dict[str, object]:
    cells: dict[str, object] = {}
    for name in names:
        value = getattr(record, name)
        cells[name] = _finite(value) if isinstance(value, float) else value
    return cells


def _finite(value: float) -> float:
    """JSON has no infinities: they read as the end of the range."""
    return value if math.isfinite(value) else float(value > 0)

"""A snapshot's tables as named blobs, for the companion.

Reading them back is the start of the program: a million memories in a tenth of a second,
where reading the rows themselves takes seconds.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mvdesk.arrays import LinkTable, MemoryTable, SourceTable, StringColumn
from mvdesk.scoring.builtin import PUBLISHED_V1

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT: Final = 4
"""Raise it when a column changes its meaning: older blobs are then made anew."""

_TABLES: Final[dict[str, Any]] = {
    "memories": MemoryTable,
    "links": LinkTable,
    "sources": SourceTable,
}
_TUPLES: Final = ("type_names", "keys", "notes")
_TYPES: Final = {
    "type_codes": np.int8,
    "relations": np.int8,
    "base_confidence": np.float64,
    "base_importance": np.float64,
    "trust": np.float64,
    "created_at": np.int64,
    "updated_at": np.int64,
    "archived_at": np.int64,
    "access_count": np.int64,
    "last_accessed_at": np.int64,
    "last_decayed_at": np.int64,
    "text_checksum": np.int64,
}
"""Element types of the plain arrays; int32 where nothing is said."""

Tables = tuple[MemoryTable, LinkTable, SourceTable]


def pack(tables: Tables) -> dict[str, bytes]:
    """The tables as blobs."""
    blobs = {"about": _about()}
    table: Any
    for name, table in zip(_TABLES, tables, strict=True):
        for field in fields(table):
            value = getattr(table, field.name)
            key = f"{name}.{field.name}"
            if isinstance(value, StringColumn):
                blobs |= zip(_string_keys(key), value.blobs(), strict=True)
            elif isinstance(value, tuple):
                blobs[key] = json.dumps(value).encode()
            else:
                blobs[key] = value.tobytes()
    return blobs


def unpack(blobs: Mapping[str, bytes]) -> Tables:
    """The tables that `pack` took apart.

    Raises ValueError when they are of another format, were counted with other keyword
    lists, or don't fit together.
    """
    if blobs.get("about") != _about():
        raise ValueError("the stored columns are of another format")
    try:
        memories = MemoryTable(**_columns("memories", blobs))
        links = LinkTable(**_columns("links", blobs))
        sources = SourceTable(**_columns("sources", blobs))
    except (KeyError, TypeError) as error:
        raise ValueError(f"the stored columns are incomplete: {error}") from error
    _check_lengths(memories, len(memories))
    _check_lengths(links, len(links))
    _check_rows(memories.source_rows, len(sources.texts))
    _check_rows(memories.type_codes, len(memories.type_names))
    _check_rows(links.from_rows, len(memories))
    _check_rows(links.to_rows, len(memories))
    _check_rows(sources.text_keys, len(sources.keys))
    if not len(sources.keys) == len(sources.trust) == len(sources.notes) == len(sources.counts):
        raise ValueError("the stored sources don't fit together")
    if len(sources.texts) != len(sources.text_keys):
        raise ValueError("the stored source texts don't fit together")
    return memories, links, sources


def _about() -> bytes:
    words = repr(PUBLISHED_V1.keywords.of_text).encode()
    digest = hashlib.sha256(words).hexdigest()
    return json.dumps({"format": FORMAT, "keywords": digest}).encode()


def _string_keys(key: str) -> tuple[str, str, str]:
    return f"{key}.data", f"{key}.offsets", f"{key}.null"


def _columns(name: str, blobs: Mapping[str, bytes]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for field in fields(_TABLES[name]):
        key = f"{name}.{field.name}"
        if field.name in _TUPLES and key in blobs:
            columns[field.name] = tuple(json.loads(blobs[key]))
        elif key in blobs:
            columns[field.name] = np.frombuffer(blobs[key], _TYPES.get(field.name, np.int32))
        else:
            columns[field.name] = StringColumn.from_blobs(*(blobs[k] for k in _string_keys(key)))
    return columns


def _check_lengths(table: MemoryTable | LinkTable, length: int) -> None:
    for field in fields(table):
        value = getattr(table, field.name)
        if not isinstance(value, tuple) and len(value) != length:
            raise ValueError(f"the stored column {field.name} is cut short")


def _check_rows(rows: Any, length: int) -> None:  # noqa: ANN401  an array of any integers
    if len(rows) and not -1 <= rows.min() <= rows.max() < length:
        raise ValueError("the stored columns point beyond each other")

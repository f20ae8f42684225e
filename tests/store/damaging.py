"""Damage of a chosen kind, done to the bytes of a closed file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.store.vault_files import run_sql

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_LEAF, _INNER = 0x0A, 0x02  # pages of an index


def swap_entries(path: Path, index: str) -> None:
    """Exchange the first and the last entry of an index: each is there, in the wrong order."""
    contents, size = bytearray(path.read_bytes()), _page_size(path)
    leaf = _leaves(contents, size, _root(path, index))[0]
    count = int.from_bytes(contents[leaf + 3 : leaf + 5], "big")
    first, last = leaf + 8, leaf + 8 + 2 * (count - 1)
    one, other = contents[first : first + 2], contents[last : last + 2]
    contents[first : first + 2], contents[last : last + 2] = other, one
    path.write_bytes(contents)


def drop_entries(path: Path, index: str) -> None:
    """Forget half the entries of every leaf of an index; the rows of the table stay."""
    contents, size = bytearray(path.read_bytes()), _page_size(path)
    for leaf in _leaves(contents, size, _root(path, index)):
        count = int.from_bytes(contents[leaf + 3 : leaf + 5], "big")
        contents[leaf + 3 : leaf + 5] = (count // 2).to_bytes(2, "big")
    path.write_bytes(contents)


def misspell(path: Path, index: str, text: str) -> None:
    """Change the last letter of a text in an index, as one flipped bit does."""
    contents, size = bytearray(path.read_bytes()), _page_size(path)
    wanted = text.encode()
    for leaf in _leaves(contents, size, _root(path, index)):
        at = contents.find(wanted, leaf, leaf + size)
        if at >= 0:
            contents[at + len(wanted) - 1] ^= 1
            path.write_bytes(contents)
            return
    raise AssertionError(f"{text} is not in {index}")


def break_pages(path: Path, pages: Iterable[int], fill: bytes = b"\0", *, size: int = 4096) -> None:
    """Overwrite whole pages with one byte."""
    content = bytearray(path.read_bytes())
    for page in pages:
        content[(page - 1) * size : page * size] = fill * size
    path.write_bytes(content)


def list_pages(path: Path) -> list[int]:
    """The pages below the first that hold the list of tables."""
    sql = "SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' AND pageno > 1 ORDER BY path"
    return [page for (page,) in run_sql(path, sql)]


def _page_size(path: Path) -> int:
    return int(run_sql(path, "PRAGMA page_size")[0][0])


def _root(path: Path, index: str) -> int:
    return int(run_sql(path, "SELECT rootpage FROM sqlite_master WHERE name = ?", (index,))[0][0])


def _leaves(contents: bytearray, size: int, page: int) -> list[int]:
    """Where the leaves of the index with this root begin."""
    start = (page - 1) * size
    if contents[start] == _LEAF:
        return [start]
    assert contents[start] == _INNER
    count = int.from_bytes(contents[start + 3 : start + 5], "big")
    cells = [start + 12 + 2 * place for place in range(count)]
    children = [start + int.from_bytes(contents[cell : cell + 2], "big") for cell in cells]
    pages = [int.from_bytes(contents[child : child + 4], "big") for child in children]
    pages.append(int.from_bytes(contents[start + 8 : start + 12], "big"))
    return [leaf for child in pages for leaf in _leaves(contents, size, child)]

"""Pairs of memories that a person said are not the same one, kept beside the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mvdesk.store.companion import Companion

Apart = frozenset[frozenset[str]]
"""Pairs of ids."""


def read_apart(companion: Companion, brain_id: str) -> Apart:
    """The pairs of a brain. Raises VaultError."""
    stored = companion.read_setting(_setting(brain_id))
    pairs = stored if isinstance(stored, list) else []
    return frozenset(frozenset(pair) for pair in pairs if _is_pair(pair))


def change_apart(
    companion: Companion, brain_id: str, pairs: Iterable[tuple[str, str]], *, apart: bool
) -> Apart:
    """Keep pairs as no duplicates, or forget that they are; what is kept then.

    Raises VaultError, with nothing changed.
    """
    before, changed = read_apart(companion, brain_id), {frozenset(pair) for pair in pairs}
    after = before | changed if apart else before - changed
    if after != before:
        companion.write_setting(_setting(brain_id), sorted(sorted(pair) for pair in after))
    return after


def _is_pair(pair: object) -> bool:
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(one, str) for one in pair)
        and pair[0] != pair[1]
    )


def _setting(brain_id: str) -> str:
    return f"notDuplicates/{brain_id}"

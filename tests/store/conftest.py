"""Fixtures for the store: folders, vaults, and a folder that nobody's user can reach."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk.store.engine import VaultFile
from tests.store.vault_files import NOON, copy_reference, give_to_nobody, make_first_server_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OpenVault = "Callable[..., VaultFile]"


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    """A copy of the recorded server's file."""
    return copy_reference(tmp_path)


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    """A file of the first server."""
    return make_first_server_file(tmp_path)


@pytest.fixture
def open_vault() -> Iterator[Callable[..., VaultFile]]:
    """Opens vaults with a short wait and a fixed clock; closes them after the test."""
    opened: list[VaultFile] = []

    def open_(
        path: Path, busy_ms: int = 200, clock: Callable[[], float] = lambda: NOON
    ) -> VaultFile:
        vault = VaultFile.open(path, busy_ms=busy_ms, clock=clock)
        opened.append(vault)
        return vault

    yield open_
    for vault in opened:
        vault.close()


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that a user without rights can reach, unlike root's `tmp_path`."""
    with tempfile.TemporaryDirectory(prefix="mvdesk-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        give_to_nobody(folder)
        yield folder
        folder.chmod(0o755)

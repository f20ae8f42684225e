"""Files and folders that can't be written: read all the same, with the reason said."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import VaultError, VaultFull, VaultLocked, VaultReadOnly
from mvdesk.store import access
from mvdesk.store.engine import VaultFile
from mvdesk.store.raw_file import RawFile
from mvdesk.store.reading import read_memories
from tests.store.vault_files import (
    BRAIN,
    CRASH_IN_JOURNAL,
    CRASH_IN_LOG,
    NOBODY,
    copy_reference,
    crash_while,
    give_to_nobody,
    make_first_server_file,
    names_in,
    state_of,
    unprivileged,
)

if TYPE_CHECKING:
    from collections.abc import Callable

MAKERS: dict[str, Callable[[Path], Path]] = {
    "log mode": copy_reference,
    "rollback": make_first_server_file,
}


def titles(vault: VaultFile) -> set[str | None]:
    with vault.read() as conn:
        return {memory.title for memory in read_memories(conn, vault.schema, BRAIN)}


def lock_up(path: Path, *, file: bool, folder: bool) -> None:
    """Make everything beside `path` belong to nobody, then take rights away."""
    give_to_nobody(*path.parent.iterdir())
    if file:
        path.chmod(0o444)
    if folder:
        path.parent.chmod(0o555)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(("file", "folder"), [(True, False), (False, True), (True, True)])
def test_what_cannot_be_written_is_read_and_says_so(
    shared_folder: Path, kind: str, file: bool, folder: bool
) -> None:
    path = MAKERS[kind](shared_folder)
    lock_up(path, file=file, folder=folder)
    before, names = state_of(path), names_in(shared_folder)
    with unprivileged():
        vault = VaultFile.open(path)
        assert len(titles(vault)) > 1
        reason = vault.read_only_reason
        assert reason is not None
        assert ("The file is" if file else "The folder of the file is") in reason
        live = kind == "rollback" and not (file and folder)
        assert ("are not seen" in reason) is not live
        with pytest.raises(VaultReadOnly, match="can't be changed") as caught, vault.write():
            pass
        assert "Nothing was written" in caught.value.one_line()
        vault.settle()
        assert vault.stamp().is_same_state(vault.stamp())
        vault.data_version()
        vault.close()
    assert state_of(path) == before
    assert names_in(shared_folder) == names


@pytest.mark.parametrize("folder", [False, True])
def test_a_log_that_cannot_be_written_is_read_from_a_private_copy(
    shared_folder: Path, folder: bool
) -> None:
    path = copy_reference(shared_folder)
    crash_while(CRASH_IN_LOG, path)
    lock_up(path, file=True, folder=folder)
    names = names_in(shared_folder)
    with unprivileged():
        vault = VaultFile.open(path)
        assert titles(vault) == {"only in the log"}
        assert vault.read_only_reason is not None
        assert "A private copy is shown" in vault.read_only_reason
        assert not vault.notices
        vault.close()
    assert names_in(shared_folder) == names


def test_an_interrupted_write_that_cannot_be_put_right_is_read_from_a_private_copy(
    shared_folder: Path,
) -> None:
    path = make_first_server_file(shared_folder)
    crash_while(CRASH_IN_JOURNAL, path)
    lock_up(path, file=True, folder=True)
    before = state_of(path)
    with unprivileged():
        vault = VaultFile.open(path)
        assert titles(vault) == {None, "One"}
        vault.close()
    assert state_of(path) == before


def test_a_file_that_may_not_be_read_is_said(shared_folder: Path) -> None:
    path = copy_reference(shared_folder)
    path.chmod(0o000)
    with unprivileged(), pytest.raises(VaultError, match="can't be opened"):
        VaultFile.open(path)


def test_another_process_without_rights_reads_and_leaves_nothing(shared_folder: Path) -> None:
    path = copy_reference(shared_folder)
    lock_up(path, file=True, folder=True)
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from mvdesk.store.engine import VaultFile\n"
        "from mvdesk.store.reading import read_brains\n"
        "if os.geteuid() == 0: os.setgroups([]); os.setgid(int(sys.argv[2])); "
        "os.setuid(int(sys.argv[2]))\n"
        "with VaultFile.open(Path(sys.argv[1])) as vault:\n"
        "    with vault.read() as conn:\n"
        "        print(read_brains(conn, vault.schema)[0].memory_count, vault.read_only_reason)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path, str(NOBODY)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert done.stdout.startswith("182 The file is read-only. Changes")
    assert done.stderr == ""


def test_rights_lost_while_the_vault_is_open_are_said(shared_folder: Path) -> None:
    path = make_first_server_file(shared_folder)
    give_to_nobody(path)
    with unprivileged():
        vault = VaultFile.open(path)
        path.chmod(0o444)
        with pytest.raises(VaultReadOnly, match="read-only"), vault.write():
            pass
        vault.close()


def test_a_private_copy_that_cannot_be_made_is_said(
    shared_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy_reference(shared_folder)
    crash_while(CRASH_IN_LOG, path)
    lock_up(path, file=True, folder=True)
    monkeypatch.setattr(access.tempfile, "tempdir", str(shared_folder / "none"))
    with unprivileged(), pytest.raises(VaultFull, match="No private copy"):
        VaultFile.open(path)


def test_a_copy_of_a_file_that_is_written_all_the_time_is_given_up(
    shared_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy_reference(shared_folder)
    crash_while(CRASH_IN_LOG, path)
    lock_up(path, file=True, folder=True)
    copy_to = RawFile.copy_to

    def copy_and_write(raw: RawFile, target: Path) -> None:
        copy_to(raw, target)
        os.utime(path, ns=(0, raw.stamp().mtime_ns + 1))

    monkeypatch.setattr(RawFile, "copy_to", copy_and_write)
    temporary = Path(access.tempfile.gettempdir())
    before = {name for name in names_in(temporary) if name.startswith("mvdesk-vault-")}
    with unprivileged(), pytest.raises(VaultLocked, match="all the time"):
        VaultFile.open(path)
    after = {name for name in names_in(temporary) if name.startswith("mvdesk-vault-")}
    assert after <= before


def test_a_vault_that_cannot_be_made_is_said(shared_folder: Path) -> None:
    folder = shared_folder / "locked"
    folder.mkdir(mode=0o555)
    with unprivileged(), pytest.raises(VaultReadOnly, match="can't be made"):
        VaultFile.create(folder / "new.sqlite", "Mine", now=1, new_id=lambda: "b")
    shutil.rmtree(folder)
    with pytest.raises(VaultReadOnly, match="can't be made"):
        VaultFile.create(folder / "new.sqlite", "Mine", now=1, new_id=lambda: "b")

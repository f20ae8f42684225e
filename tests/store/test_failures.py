"""Every error of SQLite becomes a sentence; our own mistakes stay what they are."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from mvdesk.errors import VaultDamaged, VaultError, VaultFull, VaultLocked, VaultReadOnly
from mvdesk.store.failures import explain, sqlite_errors_explained

PATH = Path("/somewhere/brain.sqlite")


def failing(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("the words of SQLite")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (sqlite3.SQLITE_BUSY, VaultLocked, "another program"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, VaultLocked, "another program"),
        (sqlite3.SQLITE_LOCKED, VaultLocked, "another program"),
        (sqlite3.SQLITE_FULL, VaultFull, "no room left"),
        (sqlite3.SQLITE_READONLY, VaultReadOnly, "read-only"),
        (sqlite3.SQLITE_READONLY_DBMOVED, VaultReadOnly, "moved or replaced"),
        (sqlite3.SQLITE_PERM, VaultReadOnly, "can't be written"),
        (sqlite3.SQLITE_CORRUPT, VaultDamaged, "damaged"),
        (sqlite3.SQLITE_NOTADB, VaultDamaged, "damaged"),
        (sqlite3.SQLITE_IOERR_READ, VaultDamaged, "damaged"),
        (sqlite3.SQLITE_IOERR_SHORT_READ, VaultDamaged, "damaged"),
        (sqlite3.SQLITE_IOERR_FSYNC, VaultFull, "disk refused"),
        (sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY, VaultError, "breaks a rule"),
        (sqlite3.SQLITE_ERROR, VaultError, "as expected"),
        (sqlite3.SQLITE_TOOBIG, VaultError, "as expected"),
    ],
)
@pytest.mark.parametrize("writing", [False, True])
def test_each_code_has_its_four_parts(
    code: int, kind: type[VaultError], words: str, writing: bool
) -> None:
    error = explain(failing(code), PATH, writing=writing)
    assert type(error) is kind
    assert words in error.what
    assert error.what.startswith(("brain.sqlite", "There is", "The disk"))
    assert error.safe == ("Nothing was written." if writing else "Nothing was changed.")
    assert error.remedy.endswith(".")
    assert "the words of SQLite" in error.details


def test_what_cannot_be_opened_differs_by_what_was_tried() -> None:
    reading = explain(failing(sqlite3.SQLITE_CANTOPEN), PATH, writing=False)
    writing = explain(failing(sqlite3.SQLITE_CANTOPEN), PATH, writing=True)
    assert type(reading) is VaultError
    assert type(writing) is VaultReadOnly


@pytest.mark.parametrize("wrapped", [False, True])
def test_errors_are_explained_wrapped_or_not(wrapped: bool) -> None:
    error: Exception = failing(sqlite3.SQLITE_BUSY)
    if wrapped:
        error = DBAPIError("SELECT 1", (), error)
    with pytest.raises(VaultLocked), sqlite_errors_explained(PATH, writing=False):
        raise error


@pytest.mark.parametrize("wrapped", [False, True])
def test_mistakes_of_ours_pass_through(wrapped: bool) -> None:
    error: Exception = sqlite3.ProgrammingError("closed")
    if wrapped:
        error = DBAPIError("SELECT 1", (), error)
    with pytest.raises(type(error)) as caught, sqlite_errors_explained(PATH, writing=False):
        raise error
    assert caught.value is error


def test_an_error_that_is_not_even_text_is_damage() -> None:
    with pytest.raises(VaultDamaged), sqlite_errors_explained(PATH, writing=False):
        b"malformed \xff".decode()

"""Errors a person can act on; everything else is a bug."""

from __future__ import annotations

from mvdesk.wording import tr


class VaultError(Exception):
    """Something the world did, said in four parts.

    `what` happened, what is `safe`, what to do (`remedy`), and foldable `details`.
    The first three are full sentences for people; `details` may be technical or empty.
    """

    def __init__(self, what: str, safe: str, remedy: str, details: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.safe = safe
        self.remedy = remedy
        self.details = details

    def one_line(self) -> str:
        """All that the command line prints: what happened, what is safe, what to do."""
        parts = (self.what, self.safe, self.remedy)
        return " ".join(" ".join(part.split()) for part in parts if part)


class VaultNotFound(VaultError):
    """There is no file at the path."""


class NotAVault(VaultError):
    """The file is not a MemoryVault database."""


class VaultDamaged(VaultError):
    """SQLite can't read the file, or not all of it."""


class VaultReadOnly(VaultError):
    """The vault is open, but can't be written."""


class VaultLocked(VaultError):
    """Another program holds the write lock for longer than we wait."""


class VaultFull(VaultError):
    """The disk is full or refused the write."""


class VaultChanged(VaultError):
    """A row is not what the preview showed: another program got there first."""


class MemoryNotFound(VaultError):
    """No memory has this id in the open brain."""


class BadValue(VaultError):
    """A value that a person or program gave is not allowed; `field` names where."""

    def __init__(self, field: str, problem: str, remedy: str = "", details: str = "") -> None:
        super().__init__(f"{field}: {problem}", tr("Nothing was changed."), remedy, details)
        self.field = field


class UndoImpossible(VaultError):
    """The step no longer fits what is in the vault; `step_id` is the journal's, 0 for none."""

    def __init__(
        self, what: str, safe: str, remedy: str, details: str = "", *, step_id: int = 0
    ) -> None:
        super().__init__(what, safe, remedy, details)
        self.step_id = step_id

"""A vault opened for one command: its snapshot, the model and the clock that were asked for."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mvdesk.cli.output import complain
from mvdesk.errors import BadValue, MemoryNotFound, VaultError
from mvdesk.scoring.builtin import DEFAULT_MODEL_ID, find_model
from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.model import ModelError
from mvdesk.store.engine import BACKUP_MADE
from mvdesk.vault import rules
from mvdesk.vault.operations.policy import find_policy_problems, policy_of
from mvdesk.vault.places import data_folder
from mvdesk.vault.searching import Searcher
from mvdesk.vault.snapshot import Snapshot, read_snapshot
from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mvdesk.records import Link, Memory
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.operations.policy import Policy
    from mvdesk.vault.questions.conditions import Moment

SHORT_ID = 8
_LEAST_PREFIX = 4


@dataclass(frozen=True)
class Opened:
    """What a command works with. `snapshot` is from when the vault was opened."""

    vault: Vault
    model: ScoreModel
    now: int

    @cached_property
    def snapshot(self) -> Snapshot:
        return read_snapshot(self.vault)

    @cached_property
    def scores(self) -> Scores:
        return evaluate(self.snapshot.inputs(self.model), self.model, self.now)

    @cached_property
    def searcher(self) -> Searcher:
        """Looks queries up, in texts too: the index has everything that the snapshot has."""
        self.vault.text_index.fill(self.vault, self.snapshot)
        return Searcher(self.vault, is_local=False)

    @cached_property
    def moment(self) -> Moment:
        """The scores and the clock that queries compare with."""
        return self.searcher.moment(self.snapshot, self.scores, self.now)

    @property
    def brain_id(self) -> str:
        return self.vault.brain.id

    def find_id(self, text: str) -> str:
        """The id that `text` is or uniquely begins. Raises MemoryNotFound or BadValue."""
        if self.snapshot.row_of(text) is not None:
            return text
        found = unique_start(text, [memory_id or "" for memory_id in self.snapshot.memories.ids])
        if found is None:
            raise MemoryNotFound(
                f"No memory has the id {text!r} in {self.vault.brain.name}.",
                "Nothing was changed.",
                "`mvdesk list VAULT` shows the ids.",
            )
        return found

    def read_memory(self, text: str) -> Memory:
        """The memory with this id, or the only one whose id begins so."""
        return self.vault.read_memory(self.find_id(text))

    def read_memories(self, ids: Sequence[str], *, all_there: bool = True) -> dict[str, Memory]:
        """The memories of these ids. Raises VaultDamaged when a damaged index hides one.

        One that another program deleted meanwhile is left out, or raises MemoryNotFound where
        `all_there` must be.
        """
        found = {memory.id: memory for memory in self.vault.read_memories(ids)}
        if missing := [one for one in ids if one not in found]:
            self.vault.refuse_hidden(missing)
            if all_there:
                raise _gone()
        return found

    def row_of(self, memory_id: str) -> int:
        """A memory's row in the snapshot. Raises MemoryNotFound."""
        row = self.snapshot.row_of(memory_id)
        if row is None:
            raise _gone()
        return row

    def find_link(self, text: str) -> Link:
        """The link with this id, or the only one whose id begins so."""
        links = self.snapshot.links
        ids = [link_id or "" for link_id in links.ids]
        found = text if text in ids else unique_start(text, ids)
        if found is not None:
            row = ids.index(found)
            for end in (links.from_rows[row], links.to_rows[row]):
                memory_id = self.snapshot.memories.ids[int(end)] if end >= 0 else None
                for link in self.vault.read_links_of(memory_id) if memory_id else ():
                    if link.id == found:
                        return link
        raise BadValue("link", f"no link has the id {text!r}.", "`mvdesk links` shows the ids.")

    def short_id(self, memory_id: str) -> str:
        """What lists show of an id: enough to name it, unless ids are much alike."""
        return memory_id[:SHORT_ID] if len(memory_id) > 2 * SHORT_ID else memory_id


def _gone() -> MemoryNotFound:
    return MemoryNotFound(
        "A memory was deleted by another program just now.", "Nothing was changed.", "Try again."
    )


def unique_start(text: str, ids: list[str]) -> str | None:
    """The only id that begins with `text`; None for none. Raises BadValue for several."""
    if len(text) < _LEAST_PREFIX:
        return None
    found = [one for one in ids if one.startswith(text)]
    if len(found) > 1:
        shown = ", ".join(found[:3]) + (" …" if len(found) > 3 else "")
        raise BadValue("id", f"{text!r} begins {len(found)} ids.", f"Give more of it: {shown}")
    return found[0] if found else None


@contextmanager
def opened(
    path: Path, *, brain: str | None = None, model: str | None = None, now: int
) -> Iterator[Opened]:
    """The vault at `path` for one command; what it has to say goes to standard error.

    That is said at the end: a command that is refused says why, and nothing else. `model`
    stands in for the one chosen for the vault. Raises VaultError or ModelError.
    """
    given = None if model is None else find_model(model)
    vault = Vault.open(path, brain_id=None, data_folder=data_folder())
    try:
        if brain is not None:
            brain_id = _brain_id(vault, brain)
            if brain_id != vault.brain.id:
                vault.close()
                vault = Vault.open(path, brain_id=brain_id, data_folder=data_folder())
        yield Opened(vault, given or _chosen_model(vault), now)
        _tell_notices(vault)
    finally:
        vault.close()


def _tell_notices(vault: Vault) -> None:
    schema = vault.file.schema
    if schema.read_only_reason:  # then something may read as a default that is not there
        complain(f"{vault.path.name}: {schema.read_only_reason}")
    for notice in vault.notices:
        if not notice.startswith(BACKUP_MADE):  # as on every day
            complain(notice)


def read_rules(vault_open: Opened) -> Policy:
    """The rules of the brain as they are used; what of them can't be read is said."""
    stored = rules.read_policy(vault_open.vault)
    for problem in find_policy_problems(stored):
        complain(problem)
    return policy_of(stored)


def _chosen_model(vault: Vault) -> ScoreModel:
    if vault.model_id is None:
        return find_model(DEFAULT_MODEL_ID)
    try:
        return find_model(vault.model_id)
    except ModelError:
        complain(
            f"The model chosen for this vault, {vault.model_id}, is not known here; "
            f"the scores are those of {DEFAULT_MODEL_ID}."
        )
        return find_model(DEFAULT_MODEL_ID)


def _brain_id(vault: Vault, wanted: str) -> str:
    for brain in vault.brains:
        if brain.id == wanted:
            return brain.id
    named = [brain.id for brain in vault.brains if brain.name == wanted]
    if len(named) == 1:
        return named[0]
    known = ", ".join(f"{brain.name} ({brain.id})" for brain in vault.brains)
    problem = f"{len(named)} brains are" if named else "no brain is"
    raise VaultError(
        f"--brain: {problem} called {wanted!r} in this vault.",
        "Nothing was changed.",
        f"There are: {known}.",
    )

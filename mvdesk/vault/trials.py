"""Named overlays of trust values, kept in the companion until someone applies or deletes them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import numpy as np

from mvdesk.errors import BadValue
from mvdesk.vault.operations.fields import clean_share, clean_text
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mvdesk.store.companion import Companion
    from mvdesk.vault.snapshot import Snapshot

MAX_NAME: Final = 80
_VERSION: Final = 1
"""What a stored trial says it is; one of a later version is left alone and not shown."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Trust values that someone wants to come back to, by source key; None is "not set".

    Times are epoch seconds, UTC.
    """

    id: str
    name: str
    trust: Mapping[str, float | None]
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True)
class FittedTrial:
    """What of a trial a vault can still show.

    `trust` are the values that differ from the stored ones, `settled` the sources that have
    the trial's value already, `missing` those that neither a memory nor a trust names now.
    """

    trust: Mapping[str, float | None]
    settled: tuple[str, ...]
    missing: tuple[str, ...]

    def text(self) -> str:
        """A sentence about what is missing, "" for nothing."""
        if not self.missing:
            return ""
        names = ", ".join(f"“{key}”" for key in self.missing[:3])
        more = (
            tr(" and {missing} more", missing=len(self.missing) - 3)
            if len(self.missing) > 3
            else ""
        )
        verb = "is" if len(self.missing) == 1 else "are"
        return tr(
            "{names}{more} {verb} no longer in this vault and left out.",
            names=names,
            more=more,
            verb=verb,
        )


class Trials:
    """The trials of one brain, each stored by itself: two windows don't overwrite each other.

    Raises VaultError when the companion can't be read or written.
    """

    def __init__(self, companion: Companion, brain_id: str, new_id: Callable[[], str]) -> None:
        self._companion = companion
        # A strange file's id may hold a slash; no brain must see another's trials.
        self._beginning = f"trial/{quote(brain_id, safe='')}/"
        self._new_id = new_id

    def read(self) -> list[Trial]:
        """All trials, the one changed last first."""
        stored = self._companion.read_settings(self._beginning)
        start = len(self._beginning)
        trials = [_trial_of(name[start:], value) for name, value in stored.items()]
        known = [trial for trial in trials if trial is not None]
        known.sort(key=lambda trial: (-trial.updated_at, trial.name.lower(), trial.id))
        return known

    def find(self, name: str) -> Trial | None:
        """The trial of a name, however it is capitalised; None when there is none."""
        wanted = _folded(name)
        return next((trial for trial in self.read() if _folded(trial.name) == wanted), None)

    def save(self, name: str, trust: Mapping[str, float | None], *, now: int) -> Trial:
        """Keep trust values under a name that no other trial has.

        Raises BadValue for a blank, long or used name, for no values, and for one that is no
        number in [0, 1].
        """
        clean = self._free_name(name, but="")
        return self.put(Trial(self._new_id(), clean, _clean_trust(trust), now, now))

    def replace(self, trial_id: str, trust: Mapping[str, float | None], *, now: int) -> Trial:
        """Keep other values under the name of a trial. Raises BadValue as `save` does."""
        return self.put(replace(self._get(trial_id), trust=_clean_trust(trust), updated_at=now))

    def rename(self, trial_id: str, name: str, *, now: int) -> Trial:
        """Give a trial another name. Raises BadValue as `save` does."""
        trial = self._get(trial_id)
        return self.put(replace(trial, name=self._free_name(name, but=trial_id), updated_at=now))

    def delete(self, trial_id: str) -> Trial:
        """Forget a trial; `put` brings back what this gives. Raises BadValue if it is gone."""
        trial = self._get(trial_id)
        self._companion.write_setting(self._beginning + trial_id, None)
        return trial

    def put(self, trial: Trial) -> Trial:
        """Store a trial as it is."""
        value = {
            "version": _VERSION,
            "name": trial.name,
            "trust": dict(trial.trust),
            "created_at": trial.created_at,
            "updated_at": trial.updated_at,
        }
        self._companion.write_setting(self._beginning + trial.id, value)
        return trial

    def _get(self, trial_id: str) -> Trial:
        stored = self._companion.read_setting(self._beginning + trial_id)
        trial = _trial_of(trial_id, stored)
        if trial is None:
            raise BadValue(
                "trial", tr("it is no longer there."), tr("Another window may have deleted it.")
            )
        return trial

    def _free_name(self, name: str, *, but: str) -> str:
        clean = " ".join((clean_text("name", name) or "").split())
        if not clean:
            raise BadValue("name", tr("it is empty."), tr("Give the trial a name."))
        if len(clean) > MAX_NAME:
            raise BadValue(
                "name",
                tr("it has {clean} characters.", clean=len(clean)),
                tr("At most {max_name} fit.", max_name=MAX_NAME),
            )
        other = self.find(clean)
        if other is not None and other.id != but:
            raise BadValue(
                "name",
                tr("another trial is called “{name}”.", name=other.name),
                tr("Choose another."),
            )
        return clean


def fit_trial(trial: Trial, snapshot: Snapshot) -> FittedTrial:
    """What of a trial is still a change of this vault."""
    trust: dict[str, float | None] = {}
    settled: list[str] = []
    missing: list[str] = []
    for key, value in trial.trust.items():
        if snapshot.key_index(key) is None:
            missing.append(key)
        elif _stored_trust(snapshot, key) == value:
            settled.append(key)
        else:
            trust[key] = value
    return FittedTrial(MappingProxyType(trust), tuple(settled), tuple(missing))


def differing_sources(
    snapshot: Snapshot, one: Mapping[str, float | None], other: Mapping[str, float | None]
) -> tuple[str, ...]:
    """The sources that two overlays give different trusts, sorted; absent ones count as stored.

    Scores under `one` and under `other` with these sources are what `find_movers` takes to
    compare two trials.
    """
    keys = [key for key in one.keys() | other.keys() if snapshot.key_index(key) is not None]

    def value_in(overlay: Mapping[str, float | None], key: str) -> float | None:
        return overlay[key] if key in overlay else _stored_trust(snapshot, key)

    return tuple(sorted(key for key in keys if value_in(one, key) != value_in(other, key)))


def _stored_trust(snapshot: Snapshot, key: str) -> float | None:
    index = snapshot.key_index(key)
    trust = np.nan if index is None else float(snapshot.sources.trust[index])
    return None if math.isnan(trust) else trust


def _clean_trust(trust: Mapping[str, float | None]) -> Mapping[str, float | None]:
    if not trust:
        raise BadValue("trial", tr("it changes no source."), tr("Move a trust slider first."))
    clean = {
        key: None if value is None else clean_share("trust", value) for key, value in trust.items()
    }
    return MappingProxyType(clean)


def _trial_of(trial_id: str, stored: object) -> Trial | None:
    """A stored trial; None for what is none, or of a later version."""
    value: Any = stored
    try:
        if value["version"] != _VERSION:
            return None
        trust = {
            str(key): None if one is None else clean_share("trust", one)
            for key, one in value["trust"].items()
        }
        times = int(value["created_at"]), int(value["updated_at"])
        return Trial(trial_id, str(value["name"]), MappingProxyType(trust), *times)
    except (TypeError, KeyError, AttributeError, ValueError, BadValue):
        return None


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()

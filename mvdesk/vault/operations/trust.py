"""Set, clear and annotate the trust of sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.errors import BadValue
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.operations.fields import clean_note, clean_share, clean_text
from mvdesk.vault.plan import TRUST, LogEntry, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mvdesk.records import SourceTrust
    from mvdesk.vault.plan import Value


def plan_set_trust(
    current: Sequence[SourceTrust],
    changes: Mapping[str, float | None],
    *,
    brain_id: str,
    now: int,
    new_id: Callable[[], str],
) -> Plan:
    """Give sources a trust in [0, 1]; None clears it ("not set"). One undo step.

    `current` are all stored trusts of the brain. Sources are normalised; a stored note
    stays when the value changes, and goes with the row when it is cleared. Sources that
    have the value already are left out. Raises BadValue for a blank source, a trust that
    is no number in [0, 1], or one source spelled twice with different trusts.
    """
    wanted = _wanted(changes)
    made: list[RowChange] = []
    log: list[LogEntry] = []
    for key, trust in wanted.items():
        rows = [row for row in current if row.source_key == key]
        found = _changes_of(key, rows, trust, brain_id=brain_id, now=now, new_id=new_id)
        if found:
            made += found
            # The last row is the one that counts, should a foreign file hold several.
            log.append(trust_entry(key, rows[-1].trust if rows else None, trust))
    shown = {entry.entity_id: wanted[entry.entity_id] for entry in log} or wanted
    return Plan(_label(shown), brain_id, tuple(made), tuple(log))


def plan_annotate(
    current: Sequence[SourceTrust], source: str, notes: str | None, *, brain_id: str, now: int
) -> Plan:
    """Keep a note of at most 400 characters with a source that has a trust.

    Raises BadValue when the source has none: a note alone would make it count as set.
    """
    key, note = _key(source), clean_note(notes)
    rows = [row for row in current if row.source_key == key]
    if not rows:
        raise BadValue("notes", tr("{key} has no trust yet.", key=key), tr("Set its trust first."))
    changes = tuple(
        RowChange(
            trust_row_key(row.id, key),
            {"source_key": key, "notes": row.notes, "updated_at": row.updated_at},
            {"source_key": key, "notes": note, "updated_at": now},
            tr("annotated"),
        )
        for row in rows
        if (row.notes or None) != note
    )
    trust = rows[-1].trust
    entry = LogEntry(
        "memory_source_trust_set",
        "source",
        key,
        "Updated source trust score",
        {
            "source": key,
            "trust": trust,
            "before": {"trust": trust, "notes": rows[-1].notes},
            "after": {"trust": trust, "notes": note},
        },
    )
    return Plan(tr("Annotate {key}", key=key), brain_id, changes, (entry,) if changes else ())


def _wanted(changes: Mapping[str, float | None]) -> dict[str, float | None]:
    wanted: dict[str, float | None] = {}
    for source, trust in changes.items():
        key = _key(source)
        clean = None if trust is None else clean_share("trust", trust)
        if key in wanted and wanted[key] != clean:
            raise BadValue("source", tr("{key} is given twice, with different trusts.", key=key))
        wanted[key] = clean
    return wanted


def _key(source: str) -> str:
    key = normalise_source_key(clean_text("source", source))
    if not key:
        raise BadValue("source", tr("it is empty."), tr("Name the source as the memories do."))
    try:
        key.encode()
    except UnicodeEncodeError as error:
        # The server cuts at 160 UTF-16 units, which may leave half of a character.
        raise BadValue("source", tr("its 160th place falls inside a character.")) from error
    return key


def _changes_of(
    key: str,
    rows: Sequence[SourceTrust],
    trust: float | None,
    *,
    brain_id: str,
    now: int,
    new_id: Callable[[], str],
) -> list[RowChange]:
    if trust is None:
        return remove_rows(rows)
    if rows:
        return [
            RowChange(
                trust_row_key(row.id, key),
                {"source_key": key, "trust": row.trust, "updated_at": row.updated_at},
                {"source_key": key, "trust": trust, "updated_at": now},
                tr("was {trust:.2f}", trust=row.trust),
            )
            for row in rows
            if row.trust != trust
        ]
    return [make_row(key, trust, None, brain_id=brain_id, now=now, row_id=new_id())]


def make_row(
    key: str, trust: float, notes: str | None, *, brain_id: str, now: int, row_id: str
) -> RowChange:
    """The change that stores a trust for a source that has none."""
    after: dict[str, Value] = {
        "id": row_id,
        "brain_id": brain_id,
        "source_key": key,
        "trust": trust,
        "notes": notes,
        "created_at": now,
        "updated_at": now,
    }
    return RowChange(trust_row_key(row_id, key), None, after, tr("was not set"))


def remove_rows(rows: Sequence[SourceTrust]) -> list[RowChange]:
    """The changes that make a source "not set"; `rows` are all it has."""
    return [
        RowChange(
            trust_row_key(row.id, row.source_key),
            _whole_row(row),
            None,
            tr("was {trust:.2f}", trust=row.trust),
        )
        for row in rows
    ]


def _whole_row(row: SourceTrust) -> dict[str, Value]:
    """Every column that a deleted row is guarded by."""
    return {
        "id": row.id,
        "source_key": row.source_key,
        "trust": row.trust,
        "notes": row.notes,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def trust_row_key(row_id: str, key: str) -> RowKey:
    """The stored trust of a source."""
    return RowKey(TRUST, row_id, tr("The trust of {key}", key=key))


def trust_entry(key: str, before: float | None, after: float | None) -> LogEntry:
    """The changelog's word for a trust that became another; None is "not set"."""
    return LogEntry(
        "memory_source_trust_set",
        "source",
        key,
        "Updated source trust score",
        {"source": key, "trust": after, "before": {"trust": before}, "after": {"trust": after}},
    )


def _label(changes: Mapping[str, float | None]) -> str:
    verb = tr("Clear") if all(trust is None for trust in changes.values()) else tr("Set")
    if len(changes) != 1:
        return tr("{verb} trust of {changes} sources", verb=verb, changes=len(changes))
    (key, trust) = next(iter(changes.items()))
    return (
        tr("Clear trust of {key}", key=key)
        if trust is None
        else tr("Set trust of {key} to {trust:.2f}", key=key, trust=trust)
    )

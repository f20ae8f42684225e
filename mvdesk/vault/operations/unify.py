"""Unify sources that are one: their memories get one spelling, and one trust stays."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.errors import BadValue
from mvdesk.records import shortened
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.scoring.signals import measure_sources, normalise_source_key
from mvdesk.vault.operations.edit import updated_entry
from mvdesk.vault.operations.fields import clean_text
from mvdesk.vault.operations.trust import make_row, remove_rows, trust_entry, trust_row_key
from mvdesk.vault.plan import MEMORIES, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from mvdesk.arrays import IntArray
    from mvdesk.records import SourceTrust
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.plan import LogEntry, Value
    from mvdesk.vault.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Unify:
    """Which sources become one: `keys` (normalised), written `text` from then on.

    `keep` is the key whose trust and note stay; None, or one without a trust, leaves the
    source "not set". The trusts of the others are removed.
    """

    keys: tuple[str, ...]
    text: str
    keep: str | None

    @classmethod
    def of(cls, sources: Collection[str], text: str, keep: str | None) -> Unify:
        """Checks what is wanted; the source of `text` is one of them in any case.

        Raises BadValue for a blank source or text, for one source that is spelled in one way
        only, and for a `keep` that is none of the sources.
        """
        wanted = (clean_text("source", text) or "").strip()
        keys = [normalise_source_key(clean_text("source", one)) for one in (text, *sources)]
        if not all(keys):
            raise BadValue("source", tr("it is empty."), tr("Name the sources as the memories do."))
        kept = None if keep is None else normalise_source_key(keep)
        if kept is not None and kept not in keys:
            raise BadValue(
                "keep", tr("{keep} is none of the sources.", keep=keep), tr("Name one of them.")
            )
        return cls(tuple(dict.fromkeys(keys)), wanted, kept)

    @property
    def key(self) -> str:
        """What the source is stored under from then on."""
        return self.keys[0]


@dataclass(frozen=True, slots=True, eq=False)
class UnifyPreview:
    """What unifying does: `rows` are all memories of the sources, `edited` those rewritten.

    `scores` are all scores as they will be: another trust, other source words, and for the
    edited ones the age, which starts again as with any edit.
    """

    rows: IntArray
    edited: IntArray
    scores: Scores


def plan_unify_sources(
    snapshot: Snapshot,
    stored: Sequence[SourceTrust],
    unify: Unify,
    *,
    now: int,
    new_id: Callable[[], str],
) -> Plan:
    """Rewrite the source of the memories and keep one trust: one undo step.

    Memories that are written so already stay as they are; the others' `updated_at` moves, as
    with any edit. `stored` are all stored trusts of the brain. Undo restores every row.
    """
    memories, texts = snapshot.memories, snapshot.sources.texts
    changes: list[RowChange] = []
    log: list[LogEntry] = []
    for row in _edited_rows(snapshot, unify).tolist():
        memory_id = memories.ids.text(row)
        source = texts.text(int(memories.source_rows[row]))
        before: dict[str, Value] = {"source": source}
        after: dict[str, Value] = {"source": unify.text}
        updated_at = int(memories.updated_at[row])
        guard: Value = None if updated_at == NO_TIME else updated_at
        changes.append(
            RowChange(
                RowKey(MEMORIES, memory_id, shortened(memories.labels.text(row))),
                {**before, "updated_at": guard},
                {**after, "updated_at": now},
                tr("source was {source}", source=source),
            )
        )
        log.append(updated_entry(memory_id, before, after))
    for key, made, was, becomes in _trust_changes(stored, unify, snapshot.brain_id, now, new_id):
        changes += made
        if made:
            log.append(trust_entry(key, was, becomes))
    name = shortened(unify.text, 40)
    several = len(unify.keys) > 1
    label = (
        tr("Unify {keys} sources as {name}", keys=len(unify.keys), name=name)
        if several
        else tr("Spell {name} alike", name=name)
    )
    return Plan(label, snapshot.brain_id, tuple(changes), tuple(log))


def preview_unify(
    snapshot: Snapshot, model: ScoreModel, now: int, committed: Scores, unify: Unify
) -> UnifyPreview:
    """The scores after `plan_unify_sources` is applied at `now`, without writing anything."""
    rows = _rows_of(snapshot, unify)
    edited = _edited_rows(snapshot, unify)
    index = None if unify.keep is None else snapshot.key_index(unify.keep)
    trust = math.nan if index is None else float(snapshot.sources.trust[index])
    signals = measure_sources([unify.text], model)
    inputs = snapshot.inputs(model).taken(rows)
    count = len(rows)
    inputs = replace(
        inputs,
        source_named=np.repeat(signals.named, count),
        source_high=np.repeat(signals.high, count),
        source_low=np.repeat(signals.low, count),
        trust=np.full(count, trust),
        updated_at=np.where(np.isin(rows, edited), float(now), inputs.updated_at),
    )
    scores = evaluate(inputs, model, now)
    patched = {}
    for column in fields(Scores):
        values = getattr(committed, column.name).copy()
        values[rows] = getattr(scores, column.name)
        patched[column.name] = values
    return UnifyPreview(rows, edited, Scores(**patched))


def _rows_of(snapshot: Snapshot, unify: Unify) -> IntArray:
    parts = [np.empty(0, dtype=np.intp), *(snapshot.rows_of_source(key) for key in unify.keys)]
    return np.sort(np.concatenate(parts))


def _edited_rows(snapshot: Snapshot, unify: Unify) -> IntArray:
    rows = _rows_of(snapshot, unify)
    same = [text == unify.text for text in snapshot.sources.texts]
    marks = np.array([*same, False], dtype=np.bool_)
    return rows[~marks[snapshot.memories.source_rows[rows]]]


def _trust_changes(
    stored: Sequence[SourceTrust],
    unify: Unify,
    brain_id: str,
    now: int,
    new_id: Callable[[], str],
) -> list[tuple[str, list[RowChange], float | None, float | None]]:
    """Per source the changes of its rows, and its trust before and after."""
    by_key = {key: [row for row in stored if row.source_key == key] for key in unify.keys}
    kept = by_key.get(unify.keep or "", [])[-1:]
    found = [
        (key, remove_rows(rows), rows[-1].trust, None)
        for key, rows in by_key.items()
        if rows and key != unify.key
    ]
    own = by_key[unify.key]
    before = own[-1].trust if own else None
    if not kept:
        changes = remove_rows(own)
    elif unify.keep == unify.key:
        changes = []
    elif own:
        changes = [_with_values_of(kept[0], row, now) for row in own]
        changes = [change for change in changes if len(change.written) > 1]
    else:
        trust, notes = kept[0].trust, kept[0].notes
        changes = [make_row(unify.key, trust, notes, brain_id=brain_id, now=now, row_id=new_id())]
    return [(unify.key, changes, before, kept[0].trust if kept else None), *found]


def _with_values_of(kept: SourceTrust, row: SourceTrust, now: int) -> RowChange:
    return RowChange(
        trust_row_key(row.id, row.source_key),
        {"trust": row.trust, "notes": row.notes, "updated_at": row.updated_at},
        {"trust": kept.trust, "notes": kept.notes, "updated_at": now},
        tr("was {trust:.2f}", trust=row.trust),
    )

"""The evidence of one memory of a vault, as text and as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from mvdesk.arrays import NO_TIME
from mvdesk.cli.output import (
    Column,
    clean,
    format_number,
    format_signed,
    line_width,
    shorten,
    write_line,
    write_table,
    write_wrapped,
)
from mvdesk.scoring.causes import CAUSES_NOTE, find_causes
from mvdesk.scoring.dates import format_day
from mvdesk.scoring.evidence_finder import find_evidence
from mvdesk.scoring.keywords import TEXT_FIELDS
from mvdesk.scoring.subject import LinkFact, Subject
from mvdesk.vault.questions.base_history import UpkeepLog, find_base_changes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.cli.opened import Opened
    from mvdesk.records import Link, Memory
    from mvdesk.scoring.evidence_record import ComponentEvidence, ScoreEvidence
    from mvdesk.scoring.explain import Explanation
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.questions.base_history import BaseChange

_GONE: Final = "(not in this vault)"
MOST_LISTED: Final = 25
"""So many links or causes are listed as text; JSON has all of them."""
_LISTED_BELOW: Final = "link_signal"
"""All links make it, and they have a table of their own."""


def subject_of(vault_open: Opened, memory: Memory) -> Subject:
    """A memory of the vault with its links, its source's trust and its text."""
    snapshot = vault_open.snapshot
    row = vault_open.row_of(memory.id)
    key = snapshot.source_key_of_row(row)
    place = None if key is None else snapshot.key_index(key)
    return Subject(
        inputs=snapshot.inputs(vault_open.model).taken([row]),
        model=vault_open.model,
        now=vault_open.now,
        source=memory.source,
        fields=fields_of(memory),
        links=tuple(
            _link_fact(vault_open, link, memory.id)
            for link in vault_open.vault.read_links_of(memory.id)
        ),
        trust_note=None if place is None else snapshot.sources.notes[place],
        source_count=snapshot.active_beside(row),
    )


def fields_of(memory: Memory) -> dict[str, str | None]:
    """The text fields by name."""
    return {name: getattr(memory, name) for name in TEXT_FIELDS}


def _link_fact(vault_open: Opened, link: Link, seen_from: str) -> LinkFact:
    outgoing = link.from_id == seen_from
    other = link.to_id if outgoing else link.from_id
    table, row = vault_open.snapshot.memories, vault_open.snapshot.row_of(other)
    there = row is not None
    return LinkFact(
        id=link.id,
        relation=link.relation_type,
        outgoing=outgoing,
        other_id=other,
        title=_GONE if row is None else table.labels.text(row),
        confidence=float(vault_open.scores.confidence[row]) if there else None,
        importance=float(vault_open.scores.importance[row]) if there else None,
        archived=row is not None and int(table.archived_at[row]) != NO_TIME,
        ends=2 if link.from_id == link.to_id else 1,
    )


def evidence_json(subject: Subject, explanation: Explanation) -> dict[str, Any]:
    """`evidence` per component and `causes`, for an explanation's JSON."""
    return {
        "evidence": find_evidence(subject, explanation).to_json(),
        "causes": {
            "note": CAUSES_NOTE,
            "items": [cause.to_json() for cause in find_causes(subject)],
        },
    }


def base_changes(vault_open: Opened, memory: Memory) -> dict[ScoreKind, BaseChange]:
    """When each base was changed last, as far as the changelog tells."""
    snapshot = vault_open.snapshot

    def label_of(memory_id: str) -> str | None:
        row = snapshot.row_of(memory_id)
        return None if row is None else snapshot.memories.labels.text(row)

    log = UpkeepLog().updated(vault_open.vault)
    return find_base_changes(vault_open.vault, memory, log, label_of)


def base_changes_json(changes: Mapping[ScoreKind, BaseChange]) -> dict[str, Any]:
    """By score: how (null for as it was written), when, both values where they are told."""
    return {
        kind: {
            "how": one.how or None,
            "at": one.at,
            "before": one.before,
            "after": one.after,
        }
        for kind, one in changes.items()
    }


def write_evidence(
    subject: Subject, explanation: Explanation, changes: Mapping[ScoreKind, BaseChange]
) -> None:
    """The evidence of both scores, component by component, then the scores by cause."""
    evidence = find_evidence(subject, explanation)
    for score in (evidence.confidence, evidence.importance):
        _write_score(score, changes.get(score.score.kind))
    causes = find_causes(subject)
    write_line()
    write_wrapped(f"By cause: what the scores would lose without it. {CAUSES_NOTE}")
    columns = (
        Column("cause", elastic=True),
        Column("confidence", right=True),
        Column("importance", right=True),
    )
    rows = [
        (
            cause.label,
            format_signed(cause.effect.confidence),
            format_signed(cause.effect.importance),
        )
        for cause in causes
        if cause.effect.confidence or cause.effect.importance
    ]
    if rows:
        write_table(columns, rows[:MOST_LISTED])
    if len(rows) > MOST_LISTED:
        write_line(f"… and {_rest(len(rows))}")
    if idle := len(causes) - len(rows):
        write_line(f"{idle:,} without effect" if rows else "No single cause moves a score.")


def _write_score(score: ScoreEvidence, change: BaseChange | None) -> None:
    write_line()
    write_line(f"Evidence for {score.score.kind}")
    write_line(f"  Base {format_number(score.stored_base)}")
    if not 0.0 <= score.stored_base <= 1.0:
        write_line("    a base outside 0 to 1 counts as the nearer of the two")
    if change is not None:
        write_line(shorten(f"    {clean(change.text(format_day(change.at)))}", line_width()))
    if text := score.clamp_text():
        write_line(f"  Clamp: {text}")
    for one in score.components:
        named = one.trust is not None and one.trust.key
        if one.component.delta or one.words or one.links or named:
            write_line(f"  {one.component.label} {format_signed(one.component.rounded)}")
            for line in _lines(one):
                write_line(shorten(f"    {clean(line)}", line_width()))


def _lines(one: ComponentEvidence) -> list[str]:
    if one.name == _LISTED_BELOW and one.cap is not None:
        return [one.cap.text()]
    if len(one.links) <= MOST_LISTED:
        return one.lines()
    few = replace(one, links=one.links[:MOST_LISTED]).lines()
    # What is made of links is made of nothing else; after them comes the cap.
    return [*few[:MOST_LISTED], f"… and {_rest(len(one.links))}", *few[MOST_LISTED:]]


def _rest(count: int) -> str:
    return f"{count - MOST_LISTED:,} more; --json has all of them."

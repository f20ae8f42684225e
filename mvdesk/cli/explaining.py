"""Commands that say why: explain (a memory of a vault) and score (any memory, as JSON)."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from mvdesk.arrays import NO_TIME
from mvdesk.cli.bars import draw_waterfall
from mvdesk.cli.listing import write_links
from mvdesk.cli.opened import Opened, opened
from mvdesk.cli.options import AsJson, Brain, MemoryId, Model, Now, VaultPath, parse_now
from mvdesk.cli.output import (
    complain,
    format_day,
    json_text,
    line_width,
    write_json,
    write_line,
    write_wrapped,
)
from mvdesk.cli.reasons import (
    MOST_LISTED,
    base_changes,
    base_changes_json,
    evidence_json,
    fields_of,
    subject_of,
    write_evidence,
)
from mvdesk.cli.records_json import link_json, memory_json
from mvdesk.cli.what_if import (
    Lower,
    Target,
    WantedScore,
    Without,
    answer_json,
    read_question,
    write_answer,
)
from mvdesk.scoring.builtin import DEFAULT_MODEL_ID, find_model
from mvdesk.scoring.door import InputError, read_case
from mvdesk.scoring.explain import ExplainFacts, Explanation, ScoreExplanation, explain_row
from mvdesk.scoring.explain import explain as explain_case
from mvdesk.scoring.keywords import KeywordHit, find_keyword_hits
from mvdesk.scoring.verdict import Rank, format_verdict, median_base

if TYPE_CHECKING:
    from mvdesk.records import Memory
    from mvdesk.scoring.model import ScoreModel


def explain(
    vault: VaultPath,
    memory_id: MemoryId,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="The words, links, dates and trust behind each bar.")
    ] = False,
    what_if: Annotated[
        bool, typer.Option("--what-if", help="What would change the score, and the next drops.")
    ] = False,
    target: Target = None,
    lower: Lower = False,
    wanted: WantedScore = None,
    without: Without = None,
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
    brain: Brain = None,
) -> None:
    """Explain why a memory scores as it does.

    Base, every component, raw sum, clamp and final score of both scores.

    Example: mvdesk explain notes.sqlite 3fa9c1d2 --evidence --what-if --target 0.7
    """
    question = read_question(target, lower, wanted, without, asked=what_if)
    with opened(vault, brain=brain, model=model, now=parse_now(now)) as vault_open:
        memory = vault_open.read_memory(memory_id)
        explanation = explain_memory(vault_open, memory)
        if as_json:
            data = explanation.to_json(evidence=evidence)
            if evidence:
                data |= _evidence_json(vault_open, memory, explanation)
            if question is not None:
                data |= answer_json(subject_of(vault_open, memory), question)
            write_json(
                {
                    "memory_id": memory.id,
                    "memory": memory_json(vault_open, memory),
                    "explanation": data,
                }
            )
            return
        _write_explanation(vault_open, memory, explanation, evidence, is_dated=now is not None)
        if question is not None:
            write_answer(subject_of(vault_open, memory), question)


def explain_memory(vault_open: Opened, memory: Memory) -> Explanation:
    """The explanation of a memory from the same arrays that score the list."""
    snapshot = vault_open.snapshot
    row = vault_open.row_of(memory.id)
    inputs = snapshot.inputs(vault_open.model).taken([row])
    facts = ExplainFacts(source=memory.source, fields=fields_of(memory))
    return explain_row(inputs, facts, vault_open.model, vault_open.now)


def _write_explanation(
    vault_open: Opened, memory: Memory, explanation: Explanation, evidence: bool, *, is_dated: bool
) -> None:
    write_wrapped(memory.label)
    write_wrapped(f"{explanation.model_title} ({explanation.model_id})")
    if is_dated:
        day = format_day(vault_open.now)
        write_wrapped(f"As of {day}, by the clock only: texts, links and trust are today's.")
    for score in (explanation.confidence, explanation.importance):
        write_line()
        write_wrapped(format_verdict(score, _rank(vault_open, memory.id, score)))
        write_line()
        for line in draw_waterfall(score, line_width(), evidence=evidence):
            write_line(line)
    if evidence:
        changes = base_changes(vault_open, memory)
        write_evidence(subject_of(vault_open, memory), explanation, changes)
        write_line()
        write_links(vault_open, memory.id, most=MOST_LISTED)


def _rank(vault_open: Opened, memory_id: str, score: ScoreExplanation) -> Rank:
    table = vault_open.snapshot.memories
    row = vault_open.snapshot.row_of(memory_id) or 0
    scores = getattr(vault_open.scores, score.kind)
    alike = (table.type_codes == table.type_codes[row]) & (table.archived_at == NO_TIME)
    usual_base = median_base(getattr(table, f"base_{score.kind}")[alike])
    alike[row] = True
    count = int(np.count_nonzero(alike))
    higher = int(np.count_nonzero(alike & (scores > scores[row])))
    lower = int(np.count_nonzero(alike & (scores < scores[row])))
    type_name = table.type_names[table.type_codes[row]]
    return Rank(higher, lower, type_name, count, usual_base)


def _hits(memory: Memory, model: ScoreModel) -> dict[str, list[KeywordHit]]:
    fields, words = fields_of(memory), model.keywords
    return {
        "certainty": find_keyword_hits(fields, words.certainty),
        "hedge": find_keyword_hits(fields, words.hedge),
        "importance": find_keyword_hits(fields, words.importance),
    }


def _evidence_json(vault_open: Opened, memory: Memory, explanation: Explanation) -> dict[str, Any]:
    hits = {
        signal: [
            {
                "keyword": hit.keyword,
                "field": hit.field,
                "start": hit.start,
                "end": hit.end,
                "word": hit.word,
                "inside_word": hit.inside_word,
                "negated": hit.negated,
            }
            for hit in found
        ]
        for signal, found in _hits(memory, vault_open.model).items()
    }
    links = [
        link_json(vault_open, link, memory.id) for link in vault_open.vault.read_links_of(memory.id)
    ]
    details = evidence_json(subject_of(vault_open, memory), explanation)
    changes = base_changes_json(base_changes(vault_open, memory))
    return {**details, "keyword_hits": hits, "links": links, "base_changes": changes}


def score(
    as_json: AsJson = False,
    now: Now = None,
    model: Model = None,
) -> None:
    """Explain memories given as JSON lines.

    They come on standard input; no vault is involved.

    Each line is {"memory": …, "link_stats": …, "now": …, "source_trust": …}; each answer is
    one line of JSON, and a refused line is answered by {"line": n, "error": …}. Lines
    without "now" take that of --now.

    Bases and trust outside 0 to 1 are moved into it, and any type counts, as on the server.
    Refused are texts in the place of numbers, numbers that are not finite, and link counts
    that are not whole or below 0.

    Example: mvdesk score --model memoryvault-dynamic-v2 < cases.jsonl
    """
    del as_json  # the answer is always JSON
    chosen = find_model(model or DEFAULT_MODEL_ID)
    refused = 0
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if not line.strip():
            continue
        try:
            data = _read_line(line)
            if now is not None and isinstance(data, dict):
                data.setdefault("now", now)
            answer = explain_case(read_case(data), chosen).to_json()
        except InputError as error:
            refused += 1
            answer = {"line": number, "error": str(error)}
            complain(f"line {number}: {error}")
        write_line(json_text(answer))
        sys.stdout.flush()  # whoever sends line by line waits for each answer
    if refused:
        raise typer.Exit(1)


def _read_line(line: bytes) -> object:
    try:
        return json.loads(line)
    # A number of thousands of digits is a ValueError, deep nesting a RecursionError.
    except (ValueError, RecursionError) as error:
        raise InputError("line", "one JSON object") from error

"""What would change a memory's score, as text and as JSON."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from mvdesk.cli.output import clean, line_width, write_line, write_wrapped
from mvdesk.cli.values import WrongUsage, number_option, one_of
from mvdesk.scoring.dates import format_day
from mvdesk.scoring.drops import find_drops
from mvdesk.scoring.levers import DEFAULT_TARGET, LEVER_FAMILIES, LEVER_KINDS, find_levers

if TYPE_CHECKING:
    from mvdesk.scoring.levers import WhatIf
    from mvdesk.scoring.subject import Subject

_LEVERS = ", ".join((*LEVER_KINDS, *(name for name in LEVER_FAMILIES if name not in LEVER_KINDS)))

Target = Annotated[float | None, number_option("The score to reach, 0.7 unless given.")]
Lower = Annotated[bool, typer.Option("--lower", help="To lower the score rather than raise it.")]
WantedScore = Annotated[
    str | None,
    typer.Option(
        "--score",
        metavar="SCORE",
        parser=one_of(("confidence", "importance")),
        help="confidence or importance: the score to change, confidence unless given.",
    ),
]
Without = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        metavar="LEVER",
        help=f"Leave out changes of a kind: {_LEVERS}.",
    ),
]


@dataclass(frozen=True, slots=True)
class Question:
    """What is wanted of a score, and which levers are switched off."""

    kind: Literal["confidence", "importance"]
    target: float
    lower: bool
    without: tuple[str, ...]

    def answer(self, subject: Subject) -> WhatIf:
        """What would bring the score there."""
        direction: Literal["raise", "lower"] = "lower" if self.lower else "raise"
        return find_levers(subject, self.kind, self.target, direction, without=self.without)


def read_question(
    target: float | None,
    lower: bool,
    kind: str | None,
    without: list[str] | None,
    *,
    asked: bool,
) -> Question | None:
    """The question that the options put, None without any of them. Raises WrongUsage."""
    if not (asked or lower or kind or without) and target is None:
        return None
    score = DEFAULT_TARGET if target is None else target
    if not 0.0 <= score <= 1.0:
        raise WrongUsage("--target", f"expected a number from 0 to 1, not {target:g}.")
    for name in without or ():
        if name not in LEVER_KINDS and name not in LEVER_FAMILIES:
            raise WrongUsage("--without", f"no change is called {name!r}.", f"There are: {_LEVERS}")
    score_kind: Literal["confidence", "importance"] = (
        "importance" if kind == "importance" else "confidence"
    )
    return Question(score_kind, score, lower, tuple(without or ()))


def answer_json(subject: Subject, question: Question) -> dict[str, Any]:
    """`what_if` and `next_drops`, for an explanation's JSON."""
    return {
        "what_if": question.answer(subject).to_json(),
        "next_drops": [drop.to_json() for drop in find_drops(subject)],
    }


def write_answer(subject: Subject, question: Question) -> None:
    """The levers by kind, what trust and base would do, and the next drops."""
    found = question.answer(subject)
    verb = "lower" if question.lower else "raise"
    write_line()
    write_line(f"What would {verb} {question.kind}")
    write_wrapped(found.headline())
    kind = ""
    for lever in found.levers:
        heading = lever.kind.capitalize() if len(lever.families) == 1 else "Two changes"
        if heading != kind:
            kind = heading
            write_line(kind)
        _write_indented(lever.text, 2)
        for line in (lever.scores_text(), *lever.remarks()):
            _write_indented(line, 4)
    if not found.levers:
        write_line("No change would move it by 0.005 or more.")
    for answer in (found.trust, found.base):
        if answer is not None and not found.is_met:
            write_wrapped(f"{answer.name.capitalize()} alone: {answer.text()}.")
    for note in found.notes:
        write_wrapped(note)
    _write_drops(subject)


def _write_drops(subject: Subject) -> None:
    write_line()
    drops = find_drops(subject)
    write_line("Next drops" if drops else "No drops ahead.")
    for drop in drops:
        _write_indented(f"{format_day(drop.at)}, {drop.text()}", 2)


def _write_indented(text: str, indent: int) -> None:
    """A phrase, broken between words where the line ends; the rest is indented further."""
    blank = " " * indent
    for line in textwrap.wrap(
        clean(text), line_width(), initial_indent=blank, subsequent_indent=f"{blank}  "
    ):
        write_line(line)

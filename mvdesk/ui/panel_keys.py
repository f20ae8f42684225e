"""The keys of each panel for its sheet: actions that are about it, and what its parts answer to."""

from __future__ import annotations

from typing import Final

from mvdesk.ui.deciding_actions import DECIDE
from mvdesk.ui.upkeep_actions import UPKEEP
from mvdesk.wording import tr

PANEL_ACTIONS: Final[dict[str, tuple[str, ...]]] = {
    "memories": (
        *("find", "saveSearch", "manageSearches", "whyFound", "searchHelp"),
        *("lowForType", "previousLow", "nextLow", "pin", "whatIf", "newMemory", "linkTo"),
        *("copyRows", "copyRowsCsv", "chooseColumns", "compactRows", "showArchived"),
    ),
    "sources": ("find", "worthALook", "applyPreview", "discardPreview", "peekBefore"),
    "editor": (
        *("save", "undo", "redo", "linkTo", "readingView", "history"),
        *("findInText", "findNext", "findBefore", "newMemory"),
    ),
    "graph": ("linkTo", "exportPicture", "copyPicture", "pin"),
    "explain": (
        *("byCause", "asTable", "zoomAxis", "pin", "swapCompared", "whatIf", "goToChange"),
        *("belowZero", "copyExplanation", "exportPicture", "copyPicture"),
    ),
    "distribution": ("applyPreview", "discardPreview", "peekBefore", "exportPicture"),
    "movers": ("applyPreview", "discardPreview", "peekBefore", "whatMoves", "conflictChanges"),
    "tryOut": ("saveTrial", "trials", "trustQuestions", "applyPreview", "discardPreview"),
    "conflicts": tuple(spec.name for spec in DECIDE),
    "review": tuple(spec.name for spec in DECIDE),
    "upkeep": tuple(spec.name for spec in UPKEEP),
}
"""By the name of a dock, the actions that are used there most."""

_ROWS: Final = (
    ("Up, Down", tr("Next row"), tr("Go from row to row; Home and End to the first and the last.")),
)
PANEL_KEYS: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    "memories": (
        *_ROWS,
        ("Shift+Up, Shift+Down", tr("Select more"), tr("Select rows next to each other.")),
        ("Ctrl+A", tr("Select all"), tr("Select every row of the list.")),
    ),
    "sources": (
        *_ROWS,
        (
            tr("Left, Right"),
            tr("Trust by 0.01"),
            tr("On the slider: a little less or more; Shift for 0.05."),
        ),
        (tr("PgUp, PgDown"), tr("Trust by 0.10"), tr("On the slider: a good deal more or less.")),
        (tr("Home, End"), tr("Trust 0 or 1"), tr("On the slider: none at all, or all of it.")),
        (
            "U",
            tr("Trust not set"),
            tr("On the slider: as if nothing had been said about the source."),
        ),
        ("Del", tr("Take back"), tr("On the slider: the trust of this source as it is stored.")),
    ),
    "graph": (
        (tr("Arrow keys"), tr("Next memory"), tr("Go to the memory in that direction.")),
        ("1, 2, 3", tr("How far"), tr("Show links up to this far; 0 the whole graph.")),
        ("Enter", tr("Go there"), tr("Select the memory and show the links around it.")),
        ("Shift+Space", tr("Select"), tr("Select the memory everywhere, and stay here.")),
        ("Shift+Enter", tr("Path"), tr("The strongest path from the selected memory to this one.")),
        ("Space", tr("Unfold"), tr("Show what is linked to this memory, too; again folds it.")),
        ("Shift+E", tr("Stop here"), tr("Leave out what is linked to this memory only.")),
        (tr("H, Shift+H"), tr("Hide"), tr("Leave this memory out; bring all back.")),
        (
            "L",
            tr("Draw a link"),
            tr("Walk to the other one; R S C U A E choose the relation, Enter writes."),
        ),
        ("., ,", tr("Choose a link"), tr("Next or previous; F2 changes it, Del removes it.")),
        ("/", tr("Find"), tr("Dim what hasn't the words; Enter goes from hit to hit.")),
        ("U", tr("Unpin"), tr("Put a memory that was dragged back to where it stood.")),
        (tr("F, Shift+F"), tr("Fit in"), tr("All of it; this memory and its links.")),
        ("Backspace", tr("Back"), tr("To the memory shown before.")),
        ("+, -", tr("Zoom"), tr("Larger or smaller.")),
        ("C", tr("Colours"), tr("What they say: confidence, importance, source or community.")),
        ("T", tr("As a table"), tr("The same memories as rows.")),
    ),
    "explain": (
        (
            "Up, Down",
            tr("Next bar"),
            tr("Go from bar to bar; Home and End to the first and the last."),
        ),
        ("Enter", tr("Open a bar"), tr("Show what a bar is made of; Esc closes it.")),
        (tr("Right, Left"), tr("Zeros"), tr("Unfold or fold what counts nothing.")),
    ),
    "distribution": (
        (tr("Left, Right"), tr("Move the threshold"), tr("By 0.01; PgUp and PgDown by 0.10.")),
        ("Up, Down", tr("Next bar"), tr("Go from bar to bar; Enter lists its memories.")),
    ),
    "movers": _ROWS,
    "conflicts": _ROWS,
    "review": _ROWS,
    "upkeep": _ROWS,
}
"""By the name of a dock, what its parts answer to: (keys, what, sentence). Not to be changed."""

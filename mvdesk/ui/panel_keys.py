"""The keys of each panel for its sheet: actions that are about it, and what its parts answer to."""

from __future__ import annotations

from typing import Final

from mvdesk.ui.deciding_actions import DECIDE
from mvdesk.ui.upkeep_actions import UPKEEP

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
    ("Up, Down", "Next row", "Go from row to row; Home and End to the first and the last."),
)
PANEL_KEYS: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    "memories": (
        *_ROWS,
        ("Shift+Up, Shift+Down", "Select more", "Select rows next to each other."),
        ("Ctrl+A", "Select all", "Select every row of the list."),
    ),
    "sources": (
        *_ROWS,
        ("Left, Right", "Trust by 0.01", "On the slider: a little less or more; Shift for 0.05."),
        ("PgUp, PgDown", "Trust by 0.10", "On the slider: a good deal more or less."),
        ("Home, End", "Trust 0 or 1", "On the slider: none at all, or all of it."),
        ("U", "Trust not set", "On the slider: as if nothing had been said about the source."),
        ("Del", "Take back", "On the slider: the trust of this source as it is stored."),
    ),
    "graph": (
        ("Arrow keys", "Next memory", "Go to the memory in that direction."),
        ("1, 2, 3", "How far", "Show links up to this far; 0 the whole graph."),
        ("Enter", "Go there", "Select the memory and show the links around it."),
        ("Shift+Space", "Select", "Select the memory everywhere, and stay here."),
        ("Shift+Enter", "Path", "The strongest path from the selected memory to this one."),
        ("Space", "Unfold", "Show what is linked to this memory, too; again folds it."),
        ("Shift+E", "Stop here", "Leave out what is linked to this memory only."),
        ("H, Shift+H", "Hide", "Leave this memory out; bring all back."),
        (
            "L",
            "Draw a link",
            "Walk to the other one; R S C U A E choose the relation, Enter writes.",
        ),
        ("., ,", "Choose a link", "Next or previous; F2 changes it, Del removes it."),
        ("/", "Find", "Dim what hasn't the words; Enter goes from hit to hit."),
        ("U", "Unpin", "Put a memory that was dragged back to where it stood."),
        ("F, Shift+F", "Fit in", "All of it; this memory and its links."),
        ("Backspace", "Back", "To the memory shown before."),
        ("+, -", "Zoom", "Larger or smaller."),
        ("C", "Colours", "What they say: confidence, importance, source or community."),
        ("T", "As a table", "The same memories as rows."),
    ),
    "explain": (
        ("Up, Down", "Next bar", "Go from bar to bar; Home and End to the first and the last."),
        ("Enter", "Open a bar", "Show what a bar is made of; Esc closes it."),
        ("Right, Left", "Zeros", "Unfold or fold what counts nothing."),
    ),
    "distribution": (
        ("Left, Right", "Move the threshold", "By 0.01; PgUp and PgDown by 0.10."),
        ("Up, Down", "Next bar", "Go from bar to bar; Enter lists its memories."),
    ),
    "movers": _ROWS,
    "conflicts": _ROWS,
    "review": _ROWS,
    "upkeep": _ROWS,
}
"""By the name of a dock, what its parts answer to: (keys, what, sentence). Not to be changed."""

"""Which place of the help is about which number, by the name of what shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

NUMBERS_PAGE: Final = "numbers"
PLACES: Final[dict[str, tuple[str, ...]]] = {
    "A score in the list": ("memoryList", "editorScores"),
    "The sentence over the bars": ("verdict", "confidenceHistogram", "importanceHistogram"),
    "A bar and its number": (
        *("confidenceWaterfall", "importanceWaterfall", "confidenceTable", "importanceTable"),
        "explainDock",
    ),
    "Base values": ("editorBaseConfidence", "editorBaseImportance"),
    "Trust": ("trustSlider", "trustValue", "sourceTable", "editorTrust", "sourcesDock"),
    "The threshold": ("distribution", "distributionDock"),
    "Places and moves": ("moversTable", "slopeChart", "moversDock"),
    "Conflicts": (
        *("conflictsWorkspaceButton", "conflictsView", "conflictChangesTable"),
        *("conflictsDock", "reviewDock"),
    ),
    "Numbers in the graph": ("graphView", "graphDock"),
    "What fades, what gains": ("upkeepView", "upkeepDock"),
    "Counts": ("previewBar", "memoriesDock", "tryOutDock", "selectionCount"),
}
"""Headings of the page of numbers, and object names; a panel stands for all else in it."""
_HEADINGS: Final = {name: heading for heading, names in PLACES.items() for name in names}


def find_heading(widget: QWidget | None) -> str:
    """The heading about a number, or about what it stands in; "" for none."""
    while widget is not None:
        if heading := _HEADINGS.get(widget.objectName()):
            return heading
        widget = widget.parentWidget()
    return ""

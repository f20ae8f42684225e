"""The actions about conflicts as data: words, keys, help."""

from __future__ import annotations

from typing import Final

from mvdesk.ui.action_spec import ActionSpec

DECIDE: Final = (
    ActionSpec(
        "conflictKeepA",
        "Keep &A",
        ("1",),
        "Keep A of the pair in conflict: it replaces B.",
        needs="conflict",
    ),
    ActionSpec(
        "conflictKeepB",
        "Keep &B",
        ("2",),
        "Keep B of the pair in conflict: it replaces A.",
        needs="conflict",
    ),
    ActionSpec(
        "conflictBoth",
        "Both are &true",
        ("3",),
        "Dismiss the conflict: both are true.",
        icon="check",
        needs="conflict",
    ),
    ActionSpec(
        "conflictReview",
        "&Needs review",
        ("4",),
        "Keep the pair on the list, marked as in need of a review; reopens a decided one.",
        icon="eye",
        needs="conflict",
    ),
    ActionSpec(
        "conflictSkip",
        "&Skip to the next pair",
        ("S",),
        "Decide nothing about this pair now, and go to the next one.",
        icon="chevron-down",
        needs="conflict",
    ),
)

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
        "mergeTwo",
        "&Merge the two…",
        ("M",),
        "Make one memory of the pair on screen, or of the two that are selected in the list.",
        needs="two",
    ),
    ActionSpec(
        "skipOne",
        "&Skip to the next one",
        ("S",),
        "Decide nothing about this pair or memory now, and go to the next one.",
        icon="chevron-down",
        needs="deciding",
    ),
    ActionSpec(
        "reviewQueue",
        "Review &queue",
        ("Ctrl+Shift+Q",),
        "Go to the memories that want a second look, the most urgent first.",
        icon="eye",
        needs="vault",
    ),
    ActionSpec(
        "reviewTrue",
        "Still tr&ue",
        ("Y",),
        "Say that the memory of the review queue still holds: its age starts again.",
        icon="check",
        needs="review",
    ),
    ActionSpec(
        "reviewEdit",
        "&Edit the memory",
        ("E",),
        "Open the memory of the review queue in the editor; saving it counts as done.",
        icon="edit",
        needs="review",
    ),
    ActionSpec(
        "reviewReinforce",
        "&Reinforce the memory",
        ("R",),
        "Raise the bases of the memory of the review queue, and some of those linked to it.",
        needs="review",
    ),
    ActionSpec(
        "reviewArchive",
        "Archi&ve the memory",
        ("A",),
        "Put the memory of the review queue into the archive.",
        icon="archive",
        needs="review",
    ),
    ActionSpec(
        "reviewContradict",
        "&Contradict the memory…",
        ("C",),
        "Link the memory of the review queue to one that speaks against it.",
        icon="conflicts",
        needs="review",
    ),
)

"""The actions about upkeep as data: words, keys, help."""

from __future__ import annotations

from typing import Final

from mvdesk.ui.action_spec import ActionSpec

UPKEEP: Final = (
    ActionSpec(
        "upkeepDecay",
        "&Decay",
        ("Ctrl+Shift+U",),
        "See which memories nobody touched for long would fade, before any does.",
        needs="vault",
    ),
    ActionSpec(
        "upkeepReinforce",
        "&Reinforce the memory",
        ("Ctrl+Shift+I",),
        "See who gains and loses when the selected memory is reinforced, before anything does.",
        needs="vault",
    ),
    ActionSpec(
        "upkeepDuplicates",
        "D&uplicates",
        ("Ctrl+Alt+W",),
        "See which memories may be the same one twice, to merge them or to keep them apart.",
        icon="copy",
        needs="vault",
    ),
    ActionSpec(
        "notDuplicates",
        "&Not duplicates",
        ("N",),
        "Remember that the two memories of the pair are not the same one.",
        needs="duplicate",
    ),
    ActionSpec(
        "upkeepPolicy",
        "&Policy of the vault",
        ("Ctrl+Shift+P",),
        "See and change the rules that are stored in the vault, with what each comes to.",
        needs="vault",
    ),
    ActionSpec(
        "upkeepArchive",
        "&Archive",
        ("Ctrl+Shift+X",),
        "Browse what is in the archive, bring memories back, or delete them for good.",
        icon="archive",
        needs="vault",
    ),
    ActionSpec(
        "upkeepHistory",
        "&History of the vault",
        ("Ctrl+Shift+Y",),
        "See what was done to the vault, by mvdesk and by other programs, and go from there.",
        icon="clock",
        needs="vault",
    ),
)

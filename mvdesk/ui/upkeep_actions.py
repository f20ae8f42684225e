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
        "upkeepPolicy",
        "&Policy of the vault",
        ("Ctrl+Shift+P",),
        "See and change the rules that are stored in the vault, with what each comes to.",
        needs="vault",
    ),
)

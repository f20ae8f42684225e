"""What the program says, for all parts: `tr("A text with {places}", places=…)`.

`scoring` stands free and has sentences of its own, so this is kept there.
"""

from mvdesk.scoring.saying import KIND_WORDS, LookUp, format_number, speak, tr, tr_n

__all__ = ["KIND_WORDS", "LookUp", "format_number", "speak", "tr", "tr_n"]

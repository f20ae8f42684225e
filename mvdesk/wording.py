"""What the program says, for all parts: `tr("A text with {places}", places=…)`.

`scoring` stands free and has sentences of its own, so this is kept there.
"""

from mvdesk.scoring.saying import LookUp, format_number, format_short, speak, tr, tr_n

__all__ = [
    "LookUp",
    "format_number",
    "format_short",
    "speak",
    "tr",
    "tr_n",
]

"""Both scores of one memory in a line of text: as they are, and what they would become."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

Pair = tuple[float, float]
_NAMES: Final = (tr("Confidence"), tr("Importance"))
_SHORT: Final = dict(zip(_NAMES, (tr("Conf."), tr("Imp.")), strict=True))
_TIP: Final = tr(
    "The scores, and what they would be if this were saved now.\n"
    "In the text, underlined words raise a score and dashed ones lower it."
)


class ScoreLine(ElidedLabel):
    """Says "Confidence 0.620 → 0.710, Importance 0.500"; each score has three decimals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, steady=True)
        self.setAccessibleName(tr("Scores"))
        self.usual_tip = _TIP
        set_role(self, "mutedCaption")

    def set_scores(self, before: Pair | None, after: Pair | None) -> None:
        """Show the scores as stored and as typed; `None` where there are none."""
        text = "  ·  ".join(
            _moved(name, None if before is None else before[place],
                   None if after is None else after[place])
            for place, name in enumerate(_NAMES)
            if before is not None or after is not None
        )  # fmt: skip
        if text != self.text():
            self.setText(text)
            self.setAccessibleDescription(text)

    def shown_text(self) -> str:
        """With shorter names where there is little room: the numbers matter most."""
        room = self.contentsRect().width()
        line = self._line()
        if self.fontMetrics().horizontalAdvance(line) > room:
            for name, short in _SHORT.items():
                line = line.replace(name, short)
        return self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, room)


def _moved(name: str, before: float | None, after: float | None) -> str:
    if before is None or after is None or f"{before:.3f}" == f"{after:.3f}":
        only = before if after is None else after
        return f"{name} {format_number(only or 0.0, '.3f')}"
    old, new = format_number(before, ".3f"), format_number(after, ".3f")
    return f"{name} {old} → {new} {'▲' if after > before else '▼'}"

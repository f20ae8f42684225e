"""Bars that slide from where they were to where they are, when a preview moves them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEasingCurve, QObject, QTimer, QVariantAnimation, Signal, Slot

if TYPE_CHECKING:
    from mvdesk.ui.plots.waterfall_rows import Row

SLIDE_MS: Final = 160


class BarMotion(QObject):
    """Gives rows between two states, one step at a time. The newest state always wins.

    While values come faster than a slide takes, as from a slider that is dragged, every one is
    shown at once: there is never more than one slide, and none is waited for.
    """

    moved = Signal()  # `rows` are others

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._from: tuple[Row, ...] = ()
        self._to: tuple[Row, ...] = ()
        self._share = 1.0
        self._slide = QVariantAnimation(self)
        self._slide.setStartValue(0.0)
        self._slide.setEndValue(1.0)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._slide.valueChanged.connect(self._on_step)
        self._busy = QTimer(self)
        self._busy.setSingleShot(True)
        self._busy.setInterval(SLIDE_MS)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows to paint now; their texts are those of the newest state."""
        if self._share >= 1.0:
            return self._to
        return tuple(
            replace(
                row,
                start=old.start + (row.start - old.start) * self._share,
                end=old.end + (row.end - old.end) * self._share,
            )
            for old, row in zip(self._from, self._to, strict=True)
        )

    @property
    def is_sliding(self) -> bool:
        return self._share < 1.0

    def show(self, rows: tuple[Row, ...]) -> None:
        """Show other rows at once."""
        self._slide.stop()
        self._to, self._share = rows, 1.0

    def slide(self, rows: tuple[Row, ...], duration_ms: int) -> None:
        """Slide to these rows; other names are shown at once."""
        is_busy = self._busy.isActive()
        self._busy.start()
        before = self._to
        alike = [row.name for row in before] == [row.name for row in rows]
        self.show(rows)
        if is_busy or not alike or _ends(before) == _ends(rows):
            return
        self._from, self._share = before, 0.0
        self._slide.setDuration(duration_ms)
        self._slide.start()

    @Slot(object)
    def _on_step(self, share: float) -> None:
        if self._slide.state() == QVariantAnimation.State.Running or share >= 1.0:
            self._share = share
            self.moved.emit()


def _ends(rows: tuple[Row, ...]) -> list[tuple[float, float]]:
    return [(row.start, row.end) for row in rows]

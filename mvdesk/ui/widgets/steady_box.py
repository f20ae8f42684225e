"""Keeps a label whose text changes all the time from laying the window out each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


class SteadyBox(QWidget):
    """Holds one label with wrapped text; asks for another layout only when its height moves.

    Qt lays out all parents up to the window whenever a label is given another text, whether it
    fits or not.
    """

    def __init__(self, label: QLabel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = label
        self._tallest = False
        self._height = -1
        self._measured: dict[int, int] = {}  # heights by width, of a text in a font
        self._measured_text = ("", "")
        label.setParent(self)
        label.show()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_keeps_tallest(self, keeps: bool) -> None:
        """Let the height only grow, so that nothing below jumps while the text changes."""
        if keeps != self._tallest:
            self._tallest = keeps
            self.follow()

    def follow(self) -> None:
        """The label has another text. It is noticed anyhow, but a moment later."""
        height = self._needed(self.width())
        if height > self._height or (height < self._height and not self._tallest):
            self._height = height
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def heightForWidth(self, width: int) -> int:
        needed = self._needed(width)
        is_own = width == self.width()
        return max(needed, self._height) if self._tallest and is_own else needed

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.follow()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().width() != event.size().width():
            before, self._height = self._height, self._needed(event.size().width())
            if self._height != before:
                self.updateGeometry()  # a scroll area asks for no height by width
        self._label.setGeometry(self.rect())
        super().resizeEvent(event)

    def _needed(self, width: int) -> int:
        label = self._label
        if label.isHidden():
            return 0
        text = (label.text(), label.font().key())
        if text != self._measured_text:
            self._measured_text = text
            self._measured.clear()
        height = self._measured.get(width)
        if height is None:
            height = self._measured[width] = label.heightForWidth(width)
        return height

"""The sentence that appears when something takes long."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal


class SlowNotice(QObject):
    """Says what is going on, but only once it takes longer than people notice."""

    changed = Signal(str)  # a sentence, "" when nothing is slow
    _said = Signal(str)  # from worker threads

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: list[tuple[int, str]] = []
        self._newest = self._shown = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_late)
        self._said.connect(self._on_said)

    def start(self, *steps: tuple[int, str]) -> None:
        """Show each sentence when its milliseconds have passed without `stop`."""
        self.stop()
        self._steps = list(steps)
        self._newest = self._steps[0][1]
        self._timer.start(self._steps[0][0])

    def say(self, text: str) -> None:
        """Replace the sentence; safe to call from any thread."""
        self._said.emit(text)

    def stop(self) -> None:
        self._timer.stop()
        self._steps, self._newest = [], ""
        self._show("")

    def _on_said(self, text: str) -> None:
        if self._newest:
            self._newest = text
            if self._shown:
                self._show(text)

    def _on_late(self) -> None:
        passed, text = self._steps.pop(0)
        self._show(text if self._shown else self._newest)
        if self._steps:
            self._newest = self._steps[0][1]
            self._timer.start(self._steps[0][0] - passed)

    def _show(self, text: str) -> None:
        if text != self._shown:
            self._shown = text
            self.changed.emit(text)

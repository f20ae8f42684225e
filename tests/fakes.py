"""Stand-ins for what tests can't use for real: the desktop's file dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget


class FakeFileDialogs:
    """Answers with the path a test put there; None is a person who changed their mind."""

    def __init__(self) -> None:
        self.answer: Path | None = None

    def ask_open(self, _window: QWidget) -> Path | None:
        return self.answer

    def ask_new(self, _window: QWidget, _name: str = "", _title: str = "") -> Path | None:
        return self.answer

    def ask_table(self, _window: QWidget, _name: str) -> Path | None:
        return self.answer

    def ask_graph(self, _window: QWidget, _name: str) -> Path | None:
        return self.answer

    def ask_picture(self, _window: QWidget, _name: str) -> Path | None:
        return self.answer

    def ask_settings(self, _window: QWidget, _name: str) -> Path | None:
        return self.answer

    def ask_settings_in(self, _window: QWidget) -> Path | None:
        return self.answer

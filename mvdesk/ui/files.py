"""Asking for files. The one thing in the window that tests replace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtWidgets import QFileDialog

from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

VAULT_FILES: Final = tr("Vaults (*.sqlite *.sqlite3 *.db);;All files (*)")

PICTURES: Final = {
    ".png": tr("PNG pictures (*.png)"),
    ".svg": tr("SVG pictures (*.svg)"),
    ".pdf": tr("PDF documents (*.pdf)"),
}

TABLES: Final = tr("CSV tables (*.csv)")
SETTINGS: Final = tr("Settings (*.json)")
GRAPHS: Final = tr("GraphML graphs (*.graphml)")


class FileDialogs(Protocol):
    """Whoever asks the person for a file; None when they change their mind."""

    def ask_open(self, window: QWidget) -> Path | None: ...
    def ask_new(self, window: QWidget, name: str = ..., title: str = ...) -> Path | None: ...
    def ask_picture(self, window: QWidget, name: str) -> Path | None:
        """`name` is proposed; its ending says what the picture is."""
        ...

    def ask_table(self, window: QWidget, name: str) -> Path | None: ...
    def ask_graph(self, window: QWidget, name: str) -> Path | None: ...
    def ask_settings(self, window: QWidget, name: str) -> Path | None: ...
    def ask_settings_in(self, window: QWidget) -> Path | None: ...


class SystemFileDialogs:
    """The desktop's own dialogs."""

    def ask_open(self, window: QWidget) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(window, tr("Open a vault file"), "", VAULT_FILES)
        return Path(name) if name else None

    def ask_new(
        self, window: QWidget, name: str = tr("My vault.sqlite"), title: str = tr("New vault")
    ) -> Path | None:
        # No question about overwriting: making a vault refuses a file that exists.
        name, _ = QFileDialog.getSaveFileName(
            window,
            title,
            name,
            VAULT_FILES,
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        path = Path(name)
        return (path if path.suffix else path.with_suffix(".sqlite")) if name else None

    def ask_picture(self, window: QWidget, name: str) -> Path | None:
        suffix = Path(name).suffix
        chosen, _ = QFileDialog.getSaveFileName(
            window, tr("Export picture"), name, PICTURES[suffix]
        )
        # Whatever was typed, the file holds what was chosen before.
        is_named = chosen.lower().endswith(suffix)
        return Path(chosen if is_named else f"{chosen}{suffix}") if chosen else None

    def ask_table(self, window: QWidget, name: str) -> Path | None:
        chosen, _ = QFileDialog.getSaveFileName(window, tr("Export the list"), name, TABLES)
        path = Path(chosen)
        return (path if path.suffix else path.with_suffix(".csv")) if chosen else None

    def ask_graph(self, window: QWidget, name: str) -> Path | None:
        chosen, _ = QFileDialog.getSaveFileName(window, tr("Export the graph"), name, GRAPHS)
        path = Path(chosen)
        return (path if path.suffix else path.with_suffix(".graphml")) if chosen else None

    def ask_settings(self, window: QWidget, name: str) -> Path | None:
        chosen, _ = QFileDialog.getSaveFileName(window, tr("Export the settings"), name, SETTINGS)
        path = Path(chosen)
        return (path if path.suffix else path.with_suffix(".json")) if chosen else None

    def ask_settings_in(self, window: QWidget) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(window, tr("Import settings"), "", SETTINGS)
        return Path(name) if name else None

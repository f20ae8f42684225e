"""Pictures of the explanation: asked about, written to a file, or put on the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from mvdesk.errors import VaultError

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.export_dialog import ExportDialog
    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.panels.explain import ExplainPanel
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import Settings

_CONTENTS: Final = (
    ("both", "Both scores"),
    ("confidence", "Confidence"),
    ("importance", "Importance"),
)


class PictureCommands(QObject):
    """Makes pictures of what the panel shows, in the way that was chosen last."""

    def __init__(
        self, session: VaultSession, window: QWidget, settings: Settings, files: FileDialogs
    ) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._settings, self._files = settings, files
        self._panel: ExplainPanel | None = None
        self._dialog: ExportDialog | None = None

    def attach(self, panel: ExplainPanel) -> None:
        """Join the panel, which is made after the first list."""
        self._panel = panel
        panel.export_requested.connect(self.export)
        panel.picture_requested.connect(self.copy)

    @Slot(str)
    def export(self, which: str) -> None:
        """Ask how a picture of "both" scores or of one is to be made."""
        panel = self._panel
        if panel is None or panel.make_sheet(which) is None:
            return
        # Late, for start-up time: it imports the plots.
        from mvdesk.ui.export_dialog import ExportDialog

        dialog = self._dialog = ExportDialog(_CONTENTS, panel.make_sheet, self._window)
        dialog.set_choice(self._settings.read_picture_choice(), which)
        dialog.save_requested.connect(self._on_save)
        dialog.copy_requested.connect(self._on_copy)
        dialog.finished.connect(self._on_finished)
        dialog.open()

    @Slot(str)
    def copy(self, which: str) -> None:
        """Put a picture on the clipboard, in the colours and size chosen last."""
        # Late, for start-up time: it imports the plots.
        from mvdesk.ui.export_dialog import theme_of
        from mvdesk.ui.plots.export import render_image

        sheet = None if self._panel is None else self._panel.make_sheet(which)
        if sheet is None:
            return
        choice = self._settings.read_picture_choice()
        image = render_image(sheet, theme_of(choice), choice.scale)
        QGuiApplication.clipboard().setImage(image)
        self._session.messages.notice("The picture is on the clipboard.")

    @Slot()
    def _on_copy(self) -> None:
        dialog = self._dialog
        if dialog is not None:
            self._settings.write_picture_choice(dialog.choice)
            self.copy(dialog.content)
            dialog.accept()

    @Slot()
    def _on_save(self) -> None:
        # Late, for start-up time: it imports the plots.
        from mvdesk.ui.export_dialog import theme_of
        from mvdesk.ui.plots.export import file_name, write_picture

        dialog = self._dialog
        sheet = (
            None
            if dialog is None or self._panel is None
            else self._panel.make_sheet(dialog.content)
        )
        if dialog is None or sheet is None:
            return
        choice = dialog.choice
        what = () if dialog.content == "both" else (dialog.content,)
        path = self._files.ask_picture(dialog, file_name(sheet.title, what, choice.kind))
        if path is None:
            return  # the dialog stays for another try
        self._settings.write_picture_choice(choice)
        problem = write_picture(sheet, str(path), choice.kind, theme_of(choice), choice.scale)
        dialog.accept()
        self._say(path, problem)

    @Slot()
    def _on_finished(self) -> None:
        self._dialog = None

    def _say(self, path: Path, problem: str) -> None:
        if not problem:
            self._session.messages.notice(f"The picture is in {path.name}.")
            return
        self._session.messages.error(
            VaultError(
                what=f"The picture {path.name} could not be written.",
                safe="The vault is not touched by pictures.",
                remedy="Choose a folder that you may write to.",
                details=f"{path}\n{problem}",
            )
        )

"""Pictures of scores and charts: asked about, written to a file, or put on the clipboard."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from mvdesk.errors import VaultError
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.export_dialog import ExportDialog
    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.panels.explain import ExplainPanel
    from mvdesk.ui.picture_sources import Chart
    from mvdesk.ui.plots.export import Sheet
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import Settings

_CONTENTS: Final = (
    ("both", tr("Both scores")),
    ("confidence", tr("Confidence")),
    ("importance", tr("Importance")),
)


_SCORES: Final = ("confidence", "importance")


class PictureCommands(QObject):
    """Makes pictures of what panels show, in the way that was chosen last."""

    def __init__(
        self, session: VaultSession, window: QWidget, settings: Settings, files: FileDialogs
    ) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._settings, self._files = settings, files
        self._panel: ExplainPanel | None = None
        self._dialog: ExportDialog | None = None
        self._make_sheet: Callable[[str], Sheet | None] = _no_sheet

    def attach(self, panel: ExplainPanel) -> None:
        """Join the panel, which is made after the first list."""
        self._panel = panel
        panel.export_requested.connect(self.export)
        panel.picture_requested.connect(self.copy)

    @Slot(str)
    def export(self, which: str) -> None:
        """Ask how a picture of "both" scores or of one is to be made."""
        if self._panel is not None:
            self._ask(self._panel.make_sheet, _CONTENTS, which)

    @Slot(str)
    def copy(self, which: str) -> None:
        """Put a picture of scores on the clipboard, in the colours and size chosen last."""
        if self._panel is not None:
            self._put_on_clipboard(self._panel.make_sheet(which))

    def export_focused(self) -> None:
        """Ask about a picture of the chart that the keyboard is at, else of the scores."""
        chart = self._focused()
        if chart is not None:
            self.export_chart(chart)
        elif self._panel is not None:
            self.export(self._panel.shown_score)

    @Slot(object)
    def export_chart(self, chart: Chart) -> None:
        """Ask about a picture of a chart."""
        # Late, for start-up time: it imports the plots.
        from mvdesk.ui.picture_sources import contents_of, make_chart_sheet

        contents = contents_of(chart)
        make_sheet = partial(make_chart_sheet, self._session, chart)
        self._ask(make_sheet, contents, contents[0][0])

    def copy_focused(self) -> None:
        """Put a picture of the chart that the keyboard is at on the clipboard."""
        # Late, for start-up time: it imports the plots.
        from mvdesk.ui.picture_sources import make_chart_sheet

        chart = self._focused()
        if chart is not None:
            self._put_on_clipboard(make_chart_sheet(self._session, chart))
        elif self._panel is not None:
            self.copy(self._panel.shown_score)

    def _focused(self) -> Chart | None:
        """The chart besides the waterfalls that the keyboard is at; None away from one."""
        # Late, for start-up time: it imports the plots.
        from mvdesk.ui.picture_sources import find_chart

        return find_chart(self._window)

    def _ask(
        self,
        make_sheet: Callable[[str], Sheet | None],
        contents: Sequence[tuple[str, str]],
        content: str,
    ) -> None:
        if make_sheet(content) is None:
            return
        # Late, for start-up time: it imports the plots.
        from mvdesk.ui.export_dialog import ExportDialog

        dialog = self._dialog = ExportDialog(contents, make_sheet, self._window)
        self._make_sheet = make_sheet
        dialog.set_choice(self._settings.read_picture_choice(), content)
        dialog.save_requested.connect(self._on_save)
        dialog.copy_requested.connect(self._on_copy)
        dialog.finished.connect(self._on_finished)
        dialog.open()

    def _put_on_clipboard(self, sheet: Sheet | None) -> None:
        # Late, for start-up time: it imports the plots.
        from mvdesk.ui.export_dialog import theme_of
        from mvdesk.ui.plots.export import render_image

        if sheet is None:
            return
        choice = self._settings.read_picture_choice()
        image = render_image(sheet, theme_of(choice), choice.scale)
        QGuiApplication.clipboard().setImage(image)
        self._session.messages.notice(tr("The picture is on the clipboard."))

    @Slot()
    def _on_copy(self) -> None:
        dialog = self._dialog
        if dialog is not None:
            self._settings.write_picture_choice(dialog.choice)
            self._put_on_clipboard(self._make_sheet(dialog.content))
            dialog.accept()

    @Slot()
    def _on_save(self) -> None:
        # Late, for start-up time: it imports the plots.
        from mvdesk.ui.export_dialog import theme_of
        from mvdesk.ui.plots.export import file_name, write_picture

        dialog = self._dialog
        sheet = None if dialog is None else self._make_sheet(dialog.content)
        if dialog is None or sheet is None:
            return
        choice = dialog.choice
        what = (dialog.content,) if dialog.content in _SCORES else ()
        path = self._files.ask_picture(dialog, file_name(sheet.title, what, choice.kind))
        if path is None:
            return  # the dialog stays for another try
        self._settings.write_picture_choice(choice)
        problem = write_picture(sheet, str(path), choice.kind, theme_of(choice), choice.scale)
        dialog.accept()
        self._say(path, problem)

    @Slot()
    def _on_finished(self) -> None:
        self._dialog, self._make_sheet = None, _no_sheet

    def _say(self, path: Path, problem: str) -> None:
        if not problem:
            self._session.messages.notice(tr("The picture is in {name}.", name=path.name))
            return
        self._session.messages.error(
            VaultError(
                what=tr("The picture {name} could not be written.", name=path.name),
                safe=tr("The vault is not touched by pictures."),
                remedy=tr("Choose a folder that you may write to."),
                details=f"{path}\n{problem}",
            )
        )


def _no_sheet(_content: str) -> Sheet | None:
    """Nothing is asked about."""
    return None

"""Says that somebody else changed what is being edited, and lets the person choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.banner import Banner
from mvdesk.ui.widgets.diff_view import DiffView
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.widgets.diff_view import DiffPart

_HEIGHT_PX: Final = 150


class ConflictBar(QWidget):
    """A banner with the choices, and below it, when asked for, what differs.

    Hidden without a sentence. It takes no focus by itself.
    """

    mine_requested = Signal()
    theirs_requested = Signal()
    both_requested = Signal()
    differences_requested = Signal()  # to be given by `set_differences`

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._banner = Banner()
        self._banner.setObjectName("editorBanner")
        self._banner.action_requested.connect(self.mine_requested)
        self._banner.other_requested.connect(self.theirs_requested)
        self._both = self._banner.add_button(
            "editorBoth",
            tr("Both"),
            tr("Bring both changes together in the editor, to finish by hand"),
        )
        self._both.clicked.connect(self.both_requested)
        self._compare = self._banner.add_button(
            "editorCompare", tr("What differs"), tr("Show what is only in yours and only in theirs")
        )
        self._compare.setCheckable(True)
        self._compare.toggled.connect(self._on_compare_toggled)
        self._legend = QLabel(tr("Underlined: only yours. Dotted: only theirs."))
        self._legend.setContentsMargins(12, 4, 12, 4)
        set_role(self._legend, "mutedCaption")
        self._view = DiffView()
        self._view.setObjectName("editorDiff")
        self._view.setAccessibleName(tr("What differs"))
        set_role(self._view, "bare")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._banner)
        column.addWidget(self._legend)
        column.addWidget(self._view)
        self._restyle()
        self.set_text("")

    def set_text(
        self,
        text: str,
        *,
        mine: str = tr("Keep mine"),
        theirs: str = tr("Take theirs"),
        can_merge: bool = True,
    ) -> None:
        """Say what happened, "" when there is nothing to choose."""
        if text != self._banner.text():
            self._compare.setChecked(False)
        self._both.setVisible(can_merge)
        self._compare.setVisible(can_merge)
        self._banner.set_text(text, kind="warning", action=mine, other=theirs, closable=False)
        self.setVisible(bool(text))
        self._show_view()

    def set_differences(self, parts: Sequence[DiffPart]) -> None:
        """Show what differs, "removed" being only yours."""
        self._view.set_parts(parts, style="sides")
        self._show_view()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_view"):
            self._restyle()

    @Slot(bool)
    def _on_compare_toggled(self, on: bool) -> None:
        self._view.set_parts(())
        if on:
            self.differences_requested.emit()
        self._show_view()

    def _show_view(self) -> None:
        shown = self._compare.isChecked() and bool(self._banner.text())
        self._legend.setVisible(shown)
        self._view.setVisible(shown)

    def _restyle(self) -> None:
        self._view.setFixedHeight(applied().px(_HEIGHT_PX))

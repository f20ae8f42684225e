"""A note that is read, and changed in place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.leaving_line import LeavingLine
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.wording import tr

LONGEST: Final = 400
"""Characters that a note may have."""


class NoteLine(QWidget):
    """Shows a note with a button that puts it into a field: Enter keeps it, Escape doesn't.

    What was typed belongs to the source it was typed for, also when another one is shown
    before it was kept.
    """

    note_edited = Signal(str, str)  # of what, the new text

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of = self._note = ""
        self._label = QLabel()
        self._label.setObjectName("sourceNote")
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        set_role(self._label, "mutedCaption")
        self._box = SteadyBox(self._label)
        self._edit = QPushButton(tr("Add a note"))
        self._edit.setObjectName("sourceNoteEdit")
        set_role(self._edit, "small")
        self.field = _NoteField()
        self.field.setObjectName("sourceNoteField")
        self.field.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._box, 1)
        row.addWidget(self.field, 1)
        row.addWidget(self._edit, 0, Qt.AlignmentFlag.AlignTop)
        self._edit.clicked.connect(self._on_edit)
        self.field.editingFinished.connect(self._on_finished)
        self.field.leave_requested.connect(self._on_given_up)

    def set_note(self, of: str, note: str, *, refusal: str, writable: bool) -> None:
        """Show the note of something; `refusal` says why it can't be changed, "" where it can.

        Without `writable` there is no way to change any. Never emits.
        """
        if of != self._of and self.field.isVisible():
            self._on_finished()
        self._of, self._note = of, note
        self._edit.setEnabled(not refusal)
        self._edit.setToolTip(refusal or tr("Keep a few words about this source"))
        self._edit.setAccessibleDescription(self._edit.toolTip())
        self._edit.setText(tr("Edit the note") if note else tr("Add a note"))
        self._edit.setVisible(bool(of) and writable and not self.field.isVisible())
        if not self.field.isVisible():
            self._show()

    def _show(self) -> None:
        said = tr("Note: {note}", note=self._note) if self._note else ""
        if said != self._label.text():
            self._label.setText(said)
            self._box.follow()

    @Slot()
    def _on_edit(self) -> None:
        self.field.setText(self._note)
        self.field.setModified(False)
        self._box.hide()
        self._edit.hide()
        self.field.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    @Slot()
    def _on_finished(self) -> None:
        if not self.field.isVisible():
            return
        typed, of = " ".join(self.field.text().split()), self._of
        changed = self.field.isModified() and typed != self._note
        self._close()
        if changed:
            self._note = typed  # until what was written is shown
            self._show()
            self.note_edited.emit(of, typed)

    @Slot()
    def _on_given_up(self) -> None:
        self.field.setModified(False)
        self._close()

    def _close(self) -> None:
        had_focus = self.field.hasFocus()
        self.field.hide()
        self._box.show()
        self._edit.show()
        if had_focus:
            self._edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show()


class _NoteField(LeavingLine):
    """Escape leaves it as it was."""

    def __init__(self) -> None:
        super().__init__()
        self.setMaxLength(LONGEST)
        self.setAccessibleName(tr("Note about this source"))
        self.setPlaceholderText(tr("Why it is trusted so far"))
        set_role(self, "compact")

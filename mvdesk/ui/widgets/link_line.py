"""The line in which a link that was drawn or chosen gets its relation and label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from mvdesk.records import RELATIONS
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.relation_mark import relation_phrase
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_LONGEST_LABEL: Final = 200


class LinkLine(QWidget):
    """Asks for a relation and a label. Enter says yes, Escape leaves; hidden until asked."""

    accepted = Signal(str, str)  # relation, label
    remove_requested = Signal()
    left = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` begins the names of its parts."""
        super().__init__(parent)
        self.setObjectName(name)
        self._text = ElidedLabel()
        self._text.setObjectName(f"{name}Text")
        self._relation = Choice(tr("Relation of the link"))
        self._relation.setObjectName(f"{name}Relation")
        self._relation.set_choices(
            [(one, relation_phrase(one, outgoing=True)) for one in RELATIONS]
        )
        self._relation.setToolTip(
            tr(
                "In the graph a letter chooses it: R related, S supports, C contradicts, "
                "U supersedes, A causes, E example of"
            )
        )
        self._label = QLineEdit()
        self._label.setObjectName(f"{name}Label")
        self._label.setAccessibleName(tr("Label of the link"))
        self._label.setPlaceholderText(tr("Label (optional)"))
        self._label.setMaxLength(_LONGEST_LABEL)
        self._label.returnPressed.connect(self._on_accept)
        self._yes = QPushButton(tr("Link"))
        self._yes.setObjectName(f"{name}Yes")
        self._yes.clicked.connect(self._on_accept)
        self._remove = QPushButton(tr("Remove"))
        self._remove.setObjectName(f"{name}Remove")
        self._remove.setToolTip(tr("Remove this link (Del)"))
        self._remove.clicked.connect(self.remove_requested)
        set_role(self._remove, "quiet")
        self._leave = IconButton("close", tr("Leave it (Esc)"))
        self._leave.setObjectName(f"{name}Leave")
        self._leave.clicked.connect(self.left)
        top, how = QHBoxLayout(), QHBoxLayout()
        top.addWidget(self._text, 1)
        top.addWidget(self._leave)
        for part, share in ((self._relation, 0), (self._label, 1), (self._remove, 0)):
            how.addWidget(part, share)
        how.addWidget(self._yes)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 8, 8)
        column.setSpacing(4)
        column.addLayout(top)
        column.addLayout(how)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.hide()

    def ask(self, text: str, *, relation: str = "", label: str | None = None) -> None:
        """Ask for a new link; nothing can be said yes to before `set_ready`."""
        self._show(text, tr("Link"), relation or RELATIONS[0], label)
        self._remove.hide()

    def show_link(self, text: str, relation: str, label: str | None) -> None:
        """Show a link that is there, to be changed or removed."""
        self._show(text, tr("Change"), relation, label)
        self._remove.show()
        self._yes.setEnabled(True)

    def set_ready(self, text: str, yes: str, *, is_ready: bool) -> None:
        """Say what Enter would do, and whether it can."""
        self._text.setText(text)
        self._yes.setText(yes)
        self._yes.setEnabled(is_ready)

    def set_relation(self, relation: str) -> None:
        """Choose a relation; nothing is emitted."""
        self._relation.set_value(relation)

    def offer_label(self, label: str) -> None:
        """Start from another label, unless something was typed."""
        if not self._label.isModified():
            self._label.setText(label)

    def set_writable(self, on: bool) -> None:
        """Whether links can be changed at all."""
        for part in (self._relation, self._label, self._remove, self._yes):
            part.setEnabled(on)

    def focus_label(self) -> None:
        """Put the caret where the label is typed."""
        self._label.setFocus(Qt.FocusReason.TabFocusReason)
        self._label.selectAll()

    def accept(self) -> None:
        """Say yes, as Enter does."""
        self._on_accept()

    @property
    def text(self) -> str:
        """What is said."""
        return self._text.text()

    @property
    def relation(self) -> str:
        """The relation that is chosen."""
        return self._relation.chosen

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_accept()
        # Else nothing: what lies beneath has other uses for the arrows.

    def _show(self, text: str, yes: str, relation: str, label: str | None) -> None:
        self._label.setText(label or "")
        self._relation.set_value(relation)
        self.set_ready(text, yes, is_ready=False)
        self.show()

    @Slot()
    def _on_accept(self) -> None:
        if self._yes.isEnabled():
            self.accepted.emit(self._relation.chosen, self._label.text().strip())

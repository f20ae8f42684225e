"""Memories that resemble the one just saved, with what can be done about each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QAbstractButton


_IGNORE_TIP: Final = tr("Don't show this pair again until mvdesk is started anew")


@dataclass(frozen=True, slots=True)
class Hint:
    """A memory that resembles another one, and why, in a few words."""

    memory_id: str
    title: str
    why: str


class HintList(QWidget):
    """A few rows below what is edited. Hidden without any; takes no focus by itself."""

    open_requested = Signal(str)  # memory id, as all of these
    link_requested = Signal(str)
    merge_requested = Signal(str)
    ignore_requested = Signal(str)
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hints: tuple[Hint, ...] = ()
        self.setAccessibleName(tr("Similar memories"))
        caption = QLabel(tr("Similar memories"))
        set_role(caption, "caption")
        close = IconButton("close", tr("Ignore these"), side=24)
        close.setObjectName("hintsClose")
        close.clicked.connect(self.dismissed)
        top = QHBoxLayout()
        top.addWidget(caption, 1)
        top.addWidget(close)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(2)
        column.addLayout(top)
        column.addLayout(self._rows)
        self.hide()

    def hints(self) -> tuple[Hint, ...]:
        """What is shown."""
        return self._hints

    def set_hints(self, hints: Sequence[Hint]) -> None:
        """Show other hints; none hides the list. Never emits."""
        if tuple(hints) == self._hints:
            return
        self._hints = tuple(hints)
        while (item := self._rows.takeAt(0)) is not None:
            if (row := item.widget()) is not None:
                row.hide()
                row.deleteLater()
        for hint in self._hints:
            self._rows.addWidget(_HintRow(hint, self))
        self.setAccessibleDescription("; ".join(f"{one.title}, {one.why}" for one in hints))
        self.setVisible(bool(self._hints))


class _HintRow(QWidget):
    def __init__(self, hint: Hint, hints: HintList) -> None:
        super().__init__(hints)
        self._hint, self._hints = hint, hints
        said = ElidedLabel(f"{' '.join(hint.title.split())}  ·  {hint.why}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(said, 1)
        merge = QPushButton(tr("Merge…"))
        merge.setToolTip(tr("See what merging the two would write"))
        set_role(merge, "small")
        buttons: tuple[tuple[str, QAbstractButton, str, Callable[[], None]], ...] = (
            (
                "hintOpen",
                _icon_button("arrow-right", tr("Go to this memory")),
                tr("Open"),
                self._on_open,
            ),
            (
                "hintLink",
                _icon_button("link", tr("Link to this memory…")),
                tr("Link"),
                self._on_link,
            ),
            ("hintMerge", merge, tr("Merge"), self._on_merge),
            ("hintIgnore", _icon_button("close", _IGNORE_TIP), tr("Ignore"), self._on_ignore),
        )
        for name, button, words, slot in buttons:
            button.setObjectName(name)
            button.setAccessibleName(f"{words}: {hint.title}")
            button.clicked.connect(slot)
            row.addWidget(button)

    def _on_open(self) -> None:
        self._hints.open_requested.emit(self._hint.memory_id)

    def _on_link(self) -> None:
        self._hints.link_requested.emit(self._hint.memory_id)

    def _on_merge(self) -> None:
        self._hints.merge_requested.emit(self._hint.memory_id)

    def _on_ignore(self) -> None:
        self._hints.ignore_requested.emit(self._hint.memory_id)


def _icon_button(name: str, tip: str) -> IconButton:
    return IconButton(name, tip, side=24)

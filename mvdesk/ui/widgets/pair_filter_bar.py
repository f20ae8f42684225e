"""Which pairs are listed: their state, what they are, and words that they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from mvdesk.ui.theme import applied, is_look_change
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_QUIET_MS: Final = 200
_WORDS_PX: Final = 160


class PairFilterBar(QWidget):
    """Another state starts without anything asked for."""

    changed = Signal()  # by the person
    leave_requested = Signal()  # from the words to the list

    def __init__(
        self,
        states: Sequence[tuple[str, str]],
        kinds: Mapping[str, Sequence[tuple[str, str]]],
        parent: QWidget | None = None,
    ) -> None:
        """`states` are (value, caption); so are the `kinds` of each, the first one means all."""
        super().__init__(parent)
        self._kinds = kinds
        self._which = SegmentedControl(tr("Pairs"), states)
        self._which.setObjectName("conflictState")
        self._kind = Choice(tr("What the pairs are"))
        self._kind.setObjectName("conflictKind")
        self._words = SearchField(tr("Filter by words"))
        self._words.setToolTip(tr("Words of a title, key, tag or source, or of the note"))
        self._words.setObjectName("conflictWords")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._which.value_chosen.connect(self._on_state)
        self._kind.value_chosen.connect(self._on_kind)
        self._words.textChanged.connect(self._soon.start)
        self._words.leave_requested.connect(self.leave_requested)
        self._soon.timeout.connect(self.changed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(flowing(self._which, self._kind, self._words, gap=8), 1)
        self.set_state(self.state)
        self._restyle()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_soon"):
            self._restyle()

    def _restyle(self) -> None:
        self._words.setFixedWidth(applied().px(_WORDS_PX))

    @property
    def state(self) -> str:
        return self._which.value

    @property
    def kind(self) -> str:
        return self._kind.chosen

    @property
    def text(self) -> str:
        """The words, "" for none."""
        return self._words.text().strip()

    @property
    def asks(self) -> bool:
        """Whether anything but the state is asked for."""
        return bool(self.text) or self.kind != self._kinds[self.state][0][0]

    @property
    def is_waiting(self) -> bool:
        """Whether something was typed that wasn't told yet."""
        return self._soon.isActive()

    def set_state(self, state: str) -> None:
        """List pairs of a state, all of them. Never emits."""
        self._which.set_value(state)
        self._kind.set_choices(self._kinds[state])
        self._kind.set_value(self._kinds[state][0][0])
        with QSignalBlocker(self._words):
            self._words.clear()
        self._soon.stop()

    @Slot(str)
    def _on_state(self, state: str) -> None:
        self.set_state(state)
        self.changed.emit()

    @Slot(str)
    def _on_kind(self, _kind: str) -> None:
        self.changed.emit()

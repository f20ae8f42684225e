"""What the window shows while no vault is open: three ways to begin, and recent vaults."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from mvdesk.ui.theme import applied, icon, is_look_change, set_role
from mvdesk.ui.widgets.banner import Banner
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

_CARD_WIDTH = 232
_MOST_RECENT = 5


class StartPage(QWidget):
    """Three cards for the actions given, the first one being the suggestion."""

    recent_chosen = Signal(Path)

    def __init__(
        self, cards: Sequence[tuple[QAction, str, str]], parent: QWidget | None = None
    ) -> None:
        """`cards` are actions with their icon and the sentence below their name."""
        super().__init__(parent)
        self.setObjectName("startPage")
        self._cards = [_Card(action, name, text) for action, name, text in cards]
        self._title = QLabel(tr("Why does a memory score what it scores?"))
        set_role(self._title, "title")
        self._line = QLabel(
            tr(
                "mvdesk opens a MemoryVault and takes every score apart. Nothing is written "
                "while you explore."
            )
        )
        set_role(self._line, "secondary")
        self.banner = Banner()
        self.banner.setObjectName("startBanner")
        self._busy = QLabel()
        self._busy.setObjectName("startBusy")
        set_role(self._busy, "secondary")
        self._recent_title = QLabel(tr("Recent vaults"))
        set_role(self._recent_title, "strong")
        self._recent = QVBoxLayout()
        self._recent.setSpacing(2)
        self._recent_buttons: list[_RecentButton] = []
        self._lay_out()
        self.set_recent(())

    def set_recent(self, paths: Sequence[Path]) -> None:
        """Offer vaults opened before, newest first."""
        for button in self._recent_buttons:
            self._recent.removeWidget(button)
            button.deleteLater()
        self._recent_buttons = [_RecentButton(path) for path in paths[:_MOST_RECENT]]
        for button in self._recent_buttons:
            button.path_clicked.connect(self.recent_chosen)
            self._recent.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._recent_title.setVisible(bool(self._recent_buttons))

    def set_busy(self, sentence: str) -> None:
        """Say what is going on, "" for nothing."""
        self._busy.setText(sentence)

    def first_card(self) -> QWidget:
        """The card that has the keyboard at first."""
        return self._cards[0]

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(16)
        for card in self._cards:
            row.addWidget(card)
        inner = QVBoxLayout()
        inner.setSpacing(8)
        inner.addWidget(self.banner)
        inner.addWidget(self._title)
        inner.addWidget(self._line)
        inner.addSpacing(16)
        inner.addLayout(row)
        inner.addSpacing(16)
        inner.addWidget(self._recent_title)
        inner.addLayout(self._recent)
        inner.addWidget(self._busy)
        page = QHBoxLayout(self)
        page.addStretch(1)
        column = QVBoxLayout()
        column.addStretch(2)
        column.addLayout(inner)
        column.addStretch(3)
        page.addLayout(column)
        page.addStretch(1)


class _Card(QToolButton):
    """One way to begin: an icon, a name, a sentence."""

    def __init__(self, action: QAction, icon_name: str, sentence: str) -> None:
        super().__init__()
        self._icon_name = icon_name
        self._action = action
        self.setObjectName(f"{action.objectName().removesuffix('Action')}Card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        name = action.text().replace("&", "").removesuffix("…")
        self.setAccessibleName(name)
        self.setAccessibleDescription(sentence)
        self.setToolTip(action.whatsThis())
        self._picture = QLabel()
        self._name = QLabel(name)
        self._name.setWordWrap(True)
        set_role(self._name, "section")
        text = QLabel(sentence)
        text.setWordWrap(True)
        set_role(text, "secondary")
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for part in (self._picture, self._name, text):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(part)
        column.addStretch(1)
        self.clicked.connect(self._on_clicked)
        set_role(self, "card")
        self._restyle()

    def sizeHint(self) -> QSize:
        look = applied()
        width = look.px(_CARD_WIDTH)
        return QSize(width, max(look.px(148), self._column.totalHeightForWidth(width)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    @Slot(bool)
    def _on_clicked(self, _checked: bool) -> None:
        self._action.trigger()

    def _restyle(self) -> None:
        look = applied()
        side = look.px(24)
        size = QSize(side, side)
        self._picture.setPixmap(
            icon(self._icon_name, look.tokens).pixmap(size, self.devicePixelRatio())
        )
        self.updateGeometry()


class _RecentButton(QPushButton):
    """A vault opened before."""

    path_clicked = Signal(Path)

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.stem}  ·  {path.parent}")
        self._path = path
        self.setObjectName("recentVault")
        self.setAccessibleName(tr("Open {name} in {parent}", name=path.name, parent=path.parent))
        self.setToolTip(str(path))
        set_role(self, "quiet")
        self.clicked.connect(self._on_clicked)

    @Slot(bool)
    def _on_clicked(self, _checked: bool) -> None:
        self.path_clicked.emit(self._path)

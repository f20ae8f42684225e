"""The line at the top of a panel."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel

_HEIGHT_PX: Final = 36


class PanelHeader(QWidget):
    """Title at the left, a detail beside it, actions at the right, one hairline below."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ElidedLabel(title)
        self._title.setObjectName("panelTitle")
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        set_role(self._title, "strong")
        self._detail = ElidedLabel(steady=True)
        self._detail.setMinimumWidth(1)  # buttons need the room more
        set_role(self._detail, "mutedCaption")
        self._yields_to: ElidedLabel | None = None
        self._usual_title = title
        self._row = QHBoxLayout(self)
        self._row.setSpacing(4)
        self._row.addWidget(self._title)
        self._row.addSpacing(4)
        self._row.addWidget(self._detail, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(title)
        self._restyle()

    def set_title(self, title: str) -> None:
        """Show another title."""
        if title != self._title.text():
            self._title.setText(title)
            self.setAccessibleName(title)

    def set_detail(self, detail: str) -> None:
        """Show a few quiet words beside the title, such as "214 of 3,120"."""
        if detail != self._detail.text():
            self._detail.setText(detail)
            self.setAccessibleDescription(detail)

    def detail(self) -> str:
        """The words beside the title."""
        return self._detail.text()

    def add_action(self, widget: QWidget) -> None:
        """Put a button, or another small widget, at the right end."""
        self._row.addWidget(widget)

    def yield_title_to(self, label: ElidedLabel) -> None:
        """Leave the title out where all of this label would not fit beside it.

        A title that says more than the panel's name, set since, stays.
        """
        self._yields_to, self._usual_title = label, self._title.text()
        self._fit_title()

    def _fit_title(self) -> None:
        label = self._yields_to
        if label is None:
            return
        least = self._row.minimumSize().width()
        if self._title.isHidden():
            least += self._title.sizeHint().width() + self._row.spacing()
        else:
            least += self._title.sizeHint().width() - self._title.minimumSizeHint().width()
        if not label.isHidden():
            least += max(label.full_width() - label.minimumSizeHint().width(), 0)
        is_usual = self._title.text() == self._usual_title
        self._title.setVisible(label.isHidden() or not is_usual or least <= self.width())

    def sizeHint(self) -> QSize:
        # A dock that has this as its title bar asks for the hint and no fixed height.
        return QSize(super().sizeHint().width(), applied().px(_HEIGHT_PX))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), applied().px(_HEIGHT_PX))

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit_title()
        return done

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        self._row.setContentsMargins(look.px(12), 0, look.px(8), 1)
        self.setFixedHeight(look.px(_HEIGHT_PX))
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = applied()
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.color("surface"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, look.color("hairline"))
        painter.end()

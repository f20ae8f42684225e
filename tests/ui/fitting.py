"""Finds text that is cut off, and widgets that leave their place or lie on one another."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QMainWindow,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.elided_label import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

_SLACK: Final = 1  # px that rounding may take
_HEADING_SIDE_PX: Final = 12
_FLOATING: Final = {"focusRing", "toast", "offerList", "offers", "completions"}
"""What lies over other things on purpose."""


def find_misfits(root: QWidget) -> list[str]:
    """What a person would see cut off, outside or covered, in words; empty when all fits."""
    found = []
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible() and not widget.visibleRegion().isEmpty():
            found += [f"{_trail(widget)}: {wrong}" for wrong in _look_at(widget)]
    return found


def _look_at(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel) and not isinstance(widget, ElidedLabel):
        yield from _look_at_label(widget)
    elif isinstance(widget, QAbstractButton):
        yield from _look_at_button(widget)
    elif isinstance(widget, QComboBox):
        yield from _look_at_choice(widget)
    elif isinstance(widget, QHeaderView):
        yield from _look_at_header(widget)
    elif isinstance(widget, QTabBar):
        yield from _look_at_tabs(widget)
    yield from _look_at_place(widget)
    yield from _look_at_children(widget)


def _look_at_label(label: QLabel) -> Iterator[str]:
    text = label.text()
    if not text or not label.pixmap().isNull():
        return
    if label.wordWrap():
        needed = label.heightForWidth(label.width())
        if needed > label.height() + _SLACK:
            yield f"{text!r} needs a height of {needed}, has {label.height()}"
        longest = max(_plain(text).split(), key=len, default="")
        wide = label.fontMetrics().horizontalAdvance(longest)
        if wide > label.contentsRect().width() + _SLACK:
            yield f"the word {longest!r} needs {wide}, has {label.contentsRect().width()}"
        return
    hint = label.sizeHint()
    if hint.width() > label.width() + _SLACK:
        yield f"{text!r} needs a width of {hint.width()}, has {label.width()}"
    if hint.height() > label.height() + _SLACK:
        yield f"{text!r} needs a height of {hint.height()}, has {label.height()}"


def _plain(text: str) -> str:
    if "<" not in text:
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


def _look_at_button(button: QAbstractButton) -> Iterator[str]:
    if not isinstance(button, QPushButton | QToolButton | QCheckBox | QRadioButton):
        return
    if type(button).__module__.startswith("mvdesk.") and "paintEvent" in vars(type(button)):
        return  # it shortens its text itself
    icon_only = Qt.ToolButtonStyle.ToolButtonIconOnly
    if isinstance(button, QToolButton) and button.toolButtonStyle() == icon_only:
        if not button.icon().isNull() and button.iconSize().width() > button.width() + _SLACK:
            yield f"its icon needs {button.iconSize().width()}, has {button.width()}"
        if not button.icon().isNull():
            return
    if not button.text():
        return
    hint = button.sizeHint()
    if hint.width() > button.width() + _SLACK:
        yield f"{button.text()!r} needs a width of {hint.width()}, has {button.width()}"
    tall = button.fontMetrics().height()
    if tall > button.height() + _SLACK:
        yield f"{button.text()!r} needs a height of {tall}, has {button.height()}"


def _look_at_choice(choice: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    choice.initStyleOption(option)
    field = choice.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, choice
    )
    text = option.currentText
    wide = choice.fontMetrics().horizontalAdvance(text)
    if not option.currentIcon.isNull():
        wide += option.iconSize.width() + 4
    if wide > field.width() + _SLACK:
        yield f"{text!r} needs {wide}, has {field.width()}"


def _look_at_header(header: QHeaderView) -> Iterator[str]:
    model = header.model()
    if model is None or header.orientation() != Qt.Orientation.Horizontal:
        return
    font = applied().font("caption")  # as the style sheet has it
    font.setWeight(QFont.Weight.DemiBold)
    metrics = QFontMetrics(font)
    for column in range(header.count()):
        text = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        if header.isSectionHidden(column) or not text:
            continue
        needed = metrics.horizontalAdvance(text) + 2 * applied().px(_HEADING_SIDE_PX)
        has = header.sectionSize(column)
        if needed > has + _SLACK:
            yield f"the heading {text!r} needs {needed}, has {has}"


def _look_at_tabs(tabs: QTabBar) -> Iterator[str]:
    for number in range(tabs.count()):
        wide = tabs.fontMetrics().horizontalAdvance(tabs.tabText(number).replace("&", ""))
        if wide > tabs.tabRect(number).width() + _SLACK:
            yield f"the tab {tabs.tabText(number)!r} needs {wide}"


def _look_at_place(widget: QWidget) -> Iterator[str]:
    parent = widget.parentWidget()
    if parent is None or widget.isWindow() or widget.objectName() in _FLOATING:
        return
    area = parent.parentWidget()
    if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
        if isinstance(area, QScrollArea) and area.widget() is widget:
            off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if area.horizontalScrollBarPolicy() == off and widget.width() > parent.width() + _SLACK:
                yield f"is {widget.width()} wide, and scrolls in {parent.width()}"
        return
    if isinstance(parent, QSplitter | QAbstractScrollArea):
        return  # handles reach over both sides, a viewport is placed late
    if widget.objectName() == "qt_qmainwindow_extended_splitter":
        return
    outside = QRect(QPoint(), parent.size()).adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK)
    if not outside.contains(widget.geometry()):
        place, room = widget.geometry(), parent.size()
        yield (
            f"stands at {place.x()},{place.y()} with {place.width()}x{place.height()},"
            f" in {room.width()}x{room.height()}"
        )


def _look_at_children(parent: QWidget) -> Iterator[str]:
    if isinstance(parent, QMainWindow | QStackedWidget | QSplitter | QAbstractScrollArea):
        return
    layout = parent.layout()
    if layout is None:
        return
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    shown = [
        child
        for child in parent.findChildren(QWidget, options=direct)
        if child.isVisible() and not child.isWindow() and layout.indexOf(child) >= 0
    ]
    for one, other in combinations(shown, 2):
        shared = one.geometry() & other.geometry()
        if shared.width() > _SLACK and shared.height() > _SLACK:
            yield f"{_name(one)} and {_name(other)} overlap by {shared.width()}x{shared.height()}"


def _name(widget: QWidget) -> str:
    return widget.objectName() or type(widget).__name__


def _trail(widget: QWidget) -> str:
    above, names = widget.parentWidget(), [_name(widget)]
    while above is not None and len(names) < 4:
        if above.objectName() and not above.objectName().startswith("qt_"):
            names.append(above.objectName())
        above = above.parentWidget()
    return " < ".join(names)

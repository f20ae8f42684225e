"""The editor's widgets as one: header, banners, form, links. Plain data in, signals out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.panels.drafts import FIELD_NAMES, list_names
from mvdesk.ui.panels.editor_form import EditorForm
from mvdesk.ui.panels.editor_links import EditorLinks
from mvdesk.ui.panels.reading_page import ReadingPage
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.banner import Banner
from mvdesk.ui.widgets.conflict_bar import ConflictBar
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.find_bar import FindBar
from mvdesk.ui.widgets.hint_list import HintList
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.layouts import settle_layouts
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOTHING_TO_SHOW: Final = tr("No memory is selected. Pick one in the list.")
_OR_NEW: Final = tr("No memory is selected. Pick one in the list, or write a new one.")
_TEXT_PX: Final = 72
_TALLEST_TEXT_PX: Final = 12_000  # longer ones scroll by themselves all the same
_UNREADABLE: Final = tr(
    "This memory can't be shown or changed here: the program that wrote it gave it an id that "
    "isn't valid text (UTF-8). It is scored and listed all the same, and nothing of it is lost."
)
_NO_VAULT: Final = tr("No vault is open.")


@dataclass(frozen=True, slots=True)
class EditorState:
    """What the editor is about, besides texts and links.

    `shows` is "nothing", "memory" or "new". `lock` is why nothing can be written, `None` when
    it can. `changed_meanwhile` are the fields that got another value in the vault while
    something else was typed. `is_gone`: what is typed in was deleted, and is a new one now.
    `is_unreadable`: one is selected that can't be read.
    """

    shows: str
    is_open: bool
    is_unsaved: bool = False
    lock: str | None = None
    history: str = ""
    changed_meanwhile: Sequence[str] = ()
    is_gone: bool = False
    is_unreadable: bool = False


class EditorView(QWidget):
    """Shows an EditorState. Knows neither session nor drafts."""

    save_requested = Signal()
    revert_requested = Signal()
    new_requested = Signal()
    history_requested = Signal()
    reading_requested = Signal(bool)  # by the header's button
    link_requested = Signal(str)  # of the text as it reads; where it leads

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.header = PanelHeader(tr("Editor"))
        self.form = EditorForm()
        self.links = EditorLinks()
        self.links.grown.connect(self._on_links_grown)
        # Cut to its sign, so that typing never asks a narrow editor's dock for more room.
        self._unsaved = ElidedLabel(tr("● Unsaved"), short="●")
        self._unsaved.setObjectName("editorUnsaved")
        self._unsaved.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._unsaved.usual_tip = tr("What you typed is kept, but isn't in the vault yet")
        set_role(self._unsaved, "warning")
        self._revert = _make_button("editorRevert", "quiet")
        self._revert.clicked.connect(self.revert_requested)
        self._save = _make_button("editorSave", "primary")
        self._save.setText(tr("Save"))
        self._save.setToolTip(tr("Save to the vault (Ctrl+S)"))
        self._save.clicked.connect(self.save_requested)
        self._history = IconButton("clock", tr("History of the memory (Ctrl+H)"))
        self._history.setObjectName("editorHistory")
        self._history.clicked.connect(self.history_requested)
        self._read = IconButton("eye", tr("Read the text, or write it again (Ctrl+R)"))
        self._read.setObjectName("editorRead")
        self._read.setCheckable(True)
        self._read.clicked.connect(self.reading_requested)
        for part in (self._unsaved, self._read, self._history, self._revert, self._save):
            self.header.add_action(part)
        self.header.yield_title_to(self._unsaved)
        self._lock = Banner()
        self.conflict = ConflictBar()
        self.conflict.theirs_requested.connect(self.revert_requested)
        self.conflict.mine_requested.connect(self._on_mine_requested)
        self._is_gone = False
        self._empty = EmptyState(icon_name="edit")
        self._empty.action_requested.connect(self.new_requested)
        self._area = self._make_area()
        self._area.viewport().installEventFilter(self)
        self.form.text_field.textChanged.connect(self._fit_text)
        self.form.text_field.place_shown.connect(self._on_place_shown)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._area)
        self.reading = ReadingPage()
        self.reading.link_requested.connect(self.link_requested)
        self._pages.addWidget(self.reading)
        self._is_reading = False
        self._shows = "nothing"
        # Low is all right, it scrolls: a larger one would have the dock scroll as well.
        self._pages.setMinimumHeight(40)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._lock)
        column.addWidget(self.conflict)
        self.find_bar = FindBar()
        column.addWidget(self.find_bar)
        column.addWidget(self._pages, 1)
        self.hints = HintList()
        self.hints.setObjectName("editorHints")
        column.addWidget(self.hints)

    def set_state(self, state: EditorState) -> None:
        """Show what can be done with what is shown, and why not."""
        is_new, can_write = state.shows == "new", state.is_open and state.lock is None
        self._shows = state.shows
        self._show_page()
        self._lock.set_text(state.lock or "", kind="locked", closable=False)
        self.form.set_read_only(state.lock)
        self.links.set_read_only(state.lock is not None)
        self.links.setVisible(state.shows == "memory")
        self._unsaved.setVisible(state.is_unsaved)
        self._history.setVisible(state.shows == "memory")
        self._read.setVisible(state.shows != "nothing")
        for button in (self._revert, self._save):
            button.setVisible(can_write and state.shows != "nothing")
            button.setEnabled(state.is_unsaved or is_new)
        self._revert.setText(tr("Discard") if is_new else tr("Revert"))
        self._revert.setToolTip(
            tr("Give this new memory up") if is_new else tr("Go back to what is stored")
        )
        self.header.set_title(tr("New memory") if is_new else tr("Editor"))
        self.header.set_detail(state.history)
        if not state.is_open:
            self._empty.set_text(_NO_VAULT)
        elif state.is_unreadable:
            self._empty.set_text(_UNREADABLE)
        elif can_write:
            self._empty.set_text(_OR_NEW, tr("New memory"))
        else:
            self._empty.set_text(_NOTHING_TO_SHOW)
        self._is_gone = state.is_gone
        self._show_conflict(state.changed_meanwhile)

    @property
    def is_reading(self) -> bool:
        """Whether the text is shown as it reads, instead of fields to write in."""
        return self._is_reading

    def set_reading(self, on: bool) -> None:
        """Show the text as it reads, or fields to write in. Never emits."""
        had_focus = self._pages.isAncestorOf(self._pages.window().focusWidget() or self)
        self._is_reading = on
        self._read.setChecked(on)
        self._show_page()
        if had_focus:
            (self.reading.text if on else self.form.text_field).setFocus()

    def _show_page(self) -> None:
        page = 0 if self._shows == "nothing" else 2 if self._is_reading else 1
        if page == 0:
            self.find_bar.hide()
        self._pages.setCurrentIndex(page)

    def show_problem(self, name: str) -> None:
        """Put the caret into a field that can't be saved, its sentence in view."""
        self.form.focus_field(name)
        self.settle()
        QTimer.singleShot(0, self, partial(self._reveal, self.form.field(name)))  # laid out by then

    def _reveal(self, part: QWidget) -> None:
        """Scroll to a part, its lower end first; the dock scrolls as well as the form."""
        place = part.parentWidget()
        while place is not None:
            if isinstance(place, QScrollArea) and (content := place.widget()) is not None:
                bottom = part.mapTo(content, QPoint(0, part.height() - 1))
                place.ensureVisible(bottom.x(), bottom.y(), 0, part.height() // 2)
                place.ensureVisible(bottom.x(), bottom.y(), 0, 8)
            place = place.parentWidget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The area's own, not this widget's: a bar that comes takes width from the text.
        if watched is self._area.viewport() and event.type() == QEvent.Type.Resize:
            self._fit_text()
        return super().eventFilter(watched, event)

    @Slot()
    def _fit_text(self) -> None:
        """The text scrolls alone, or all of the form does: never one bar beside another."""
        content, text = self._area.widget(), self.form.text_field
        layout = None if content is None else content.layout()
        if layout is None:
            return
        self.form.updateGeometry()
        width = self._area.viewport().width()
        needed = layout.minimumSize().height()
        if layout.hasHeightForWidth():
            needed = max(needed, layout.minimumHeightForWidth(width))
        least = applied().px(_TEXT_PX)
        others = needed - text.minimumHeight()
        fits = others + least <= self._area.viewport().height()
        text.setMinimumHeight(least if fits else max(text.whole_height(_TALLEST_TEXT_PX), least))

    def show_place(self, spot: QRect) -> None:
        """Scroll to a place of the text that is written, in its own coordinates."""
        if not self._is_reading:
            self._on_place_shown(spot)

    @Slot(QRect)
    def _on_place_shown(self, spot: QRect) -> None:
        content, text = self._area.widget(), self.form.text_field
        if content is not None:
            center = text.viewport().mapTo(content, spot.center())
            self._area.ensureVisible(center.x(), center.y(), 0, 2 * spot.height())

    def settle(self) -> None:
        """Lay out now what was set, so that it is painted once."""
        self.links.settle()
        self._fit_text()
        settle_layouts(self._area, self.form, self.links)

    def _show_conflict(self, changed: Sequence[str]) -> None:
        if self._is_gone:
            self.conflict.set_text(
                tr("This memory was deleted meanwhile. What you typed is kept."),
                mine=tr("Make it anew"),
                theirs=tr("Let it go"),
                can_merge=False,
            )
        elif changed:
            names = list_names([FIELD_NAMES[name] for name in changed])
            self.conflict.set_text(
                tr("Changed meanwhile: {names}. What you typed is kept.", names=names)
            )
        else:
            self.conflict.set_text("")

    @Slot()
    def _on_mine_requested(self) -> None:
        if self._is_gone:
            self.save_requested.emit()

    def _make_area(self) -> QScrollArea:
        content = QWidget()
        fields = QVBoxLayout(content)
        fields.setContentsMargins(12, 12, 12, 8)
        fields.setSpacing(8)
        fields.addWidget(self.form, 1)
        fields.addWidget(self.links)
        # A low dock scrolls; it must not push its neighbours away when a line appears.
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(content)
        area.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        return area

    @Slot()
    def _on_links_grown(self) -> None:
        self.settle()
        QTimer.singleShot(0, self, self._show_last_line)  # laid out by then

    @Slot()
    def _show_last_line(self) -> None:
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.maximum())


def _make_button(object_name: str, role: str) -> QPushButton:
    button = QPushButton()
    button.setObjectName(object_name)
    set_role(button, role)
    return button

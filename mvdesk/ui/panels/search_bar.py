"""The search above the list: the line to type in, its chips, searches of before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from mvdesk.scoring.explain import COMPONENT_LABELS
from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.chosen import ListFilter
from mvdesk.ui.search_memory import SearchMemory
from mvdesk.ui.search_offers import NO_WORDS, find_offers, read_vocabulary, recall_offers
from mvdesk.ui.widgets.chip import Chip
from mvdesk.ui.widgets.chip_area import ChipArea
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.least_score import LeastScore
from mvdesk.ui.widgets.menu_heading import add_heading
from mvdesk.ui.widgets.query_chips import QueryChip, QueryChips
from mvdesk.ui.widgets.query_field import QueryField
from mvdesk.vault.questions.least_score import read_least_score, with_least_score
from mvdesk.vault.questions.query import parse_query
from mvdesk.vault.questions.query_wording import describe_query
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.search_offers import Vocabulary
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.questions.matching import Leaf, Way
    from mvdesk.vault.questions.query import Query
    from mvdesk.vault.snapshot import Snapshot

_HINT: Final = tr("Search: words, type:fact, conf<0.5 …")
_HELP: Final = tr(
    "Looks in titles, keys, tags, sources and texts. F1 lists the operators; Down in the empty "
    "box brings searches of before"
)
_VOCABULARY_JOB: Final = "vocabulary"


class SearchBar(QWidget):
    """Session and search box, joined: what is typed, what it was understood as, what is kept."""

    left = Signal()  # the keyboard is to go to the list
    help_requested = Signal()
    manage_requested = Signal()  # the saved searches are to be seen
    save_requested = Signal()

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._words: Vocabulary = NO_WORDS
        self._words_of: Snapshot | None = None
        self.memory = SearchMemory(session, self)
        self._shown: tuple[str, dict[Leaf, Way], ListFilter | None] | None = None
        self._build()
        self._connect()
        self.show_search()

    def focus_search(self) -> None:
        """Put the caret into the box, its text selected."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def clear(self) -> None:
        """Search for nothing, and list what isn't low for its type, too."""
        self._session.set_filter("")
        self._session.set_only(None)

    def count_filters(self) -> int:
        """How many filters are on: parts of the search, and a filter besides."""
        query = parse_query(self._session.filter_text)
        return len(describe_query(query)) + (self._session.only is not None)

    # Building.

    def _build(self) -> None:
        self._field = QueryField(_HINT)
        self._field.setObjectName("searchBox")
        self._field.setAccessibleName(tr("Search"))
        self._field.setAccessibleDescription(_HELP)
        self._field.setToolTip(_HELP)
        self._saved = IconButton("bookmark", tr("Searches: save this one, choose another"))
        self._saved.setObjectName("savedSearches")
        self._saved.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self._saved.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._saved_menu = QMenu(self._saved)
        self._saved.setMenu(self._saved_menu)
        line = QHBoxLayout()
        line.setSpacing(4)
        line.addWidget(self._field, 1)
        line.addWidget(self._saved)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(8)
        column.addLayout(line)
        column.addWidget(self._make_chips())

    def _make_chips(self) -> QWidget:
        """Filters besides the search, then the parts of the search."""
        self._low = Chip(tr("Low for its type"))
        self._low.setObjectName("lowForType")
        self._low.setToolTip(
            tr(
                "Only memories whose confidence is below the 20th percentile of their type "
                "(Ctrl+Shift+L); Alt+Up and Alt+Down go from one to the next"
            )
        )
        self._below = Chip("")
        self._below.setObjectName("belowZero")
        self._below.setToolTip(tr("List all memories again"))
        self._least = LeastScore()
        self._least.setObjectName("leastScore")
        self._area = ChipArea(tr("Filters"))
        for one in (self._low, self._least, self._below):
            self._area.flow.addWidget(one)
        self._chips = QueryChips(self._area.flow, self._area)
        return self._area

    def _connect(self) -> None:
        session, field = self._session, self._field
        for signal in (session.vault_opened, session.vault_closed, session.search_changed):
            signal.connect(self.show_search)
        session.vault_changed.connect(self._on_vault_changed)
        session.order_changed.connect(self.show_search)
        field.textChanged.connect(self._on_typed)
        field.leave_requested.connect(self.left)
        field.offers_wanted.connect(self._on_offers_wanted)
        field.history_wanted.connect(self._on_history_wanted)
        field.help_wanted.connect(self.help_requested)
        field.committed.connect(self.memory.note)
        self._low.clicked.connect(self._on_low_clicked)
        self._below.clicked.connect(self._on_below_clicked)
        self._least.score_edited.connect(self._on_least_edited)
        self._chips.removed.connect(self._on_removed)
        self._chips.suggestion_taken.connect(self._on_suggestion_taken)
        self._saved_menu.aboutToShow.connect(self._fill_saved_menu)
        self._saved_menu.triggered.connect(self._on_saved_chosen)

    # Showing.

    @Slot()
    def show_search(self) -> None:
        """The text, its chips, and the filters besides it."""
        session = self._session
        text = session.filter_text if session.is_open else ""
        if " ".join(self._field.text().split()) != text:
            with QSignalBlocker(self._field):
                self._field.setText(text)
        matches = session.matches
        ways = matches.ways if matches is not None and matches.query.text == text else {}
        only = self._session.only if session.is_open else None
        shown = (text, dict(ways), only)
        self._check(only)
        if shown == self._shown:
            return  # another order of the same: chips lay the panel out
        self._shown = shown
        query = parse_query(text)
        self._least.set_score(read_least_score(query))
        parts = [
            QueryChip(piece.text, piece.place, tip=tr("Take this out of the search (Del)"))
            for piece in describe_query(query, ways)
        ]
        self._chips.set_chips([*parts, *_hint_chips(query)])
        self._show_only()

    def _show_only(self) -> None:
        only = self._session.only if self._session.is_open else None
        is_other = only is not None and only.kind != "low"
        if only is not None and is_other:
            self._below.set_text(f"{_name_filter(only)}  ✕")
        self._below.setVisible(is_other)
        self._area.fit()

    def _check(self, only: ListFilter | None) -> None:
        """A click has checked or unchecked them already, whatever came of it."""
        self._low.setChecked(only is not None and only.kind == "low")
        self._below.setChecked(only is not None and only.kind != "low")

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        self.show_search()

    # What the person does.

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        self._session.set_filter(text)

    @Slot(int, int)
    def _on_removed(self, start: int, end: int) -> None:
        query = parse_query(self._session.filter_text)
        self._session.set_filter(query.without((start, end)))

    @Slot(int, int, str)
    def _on_suggestion_taken(self, start: int, end: int, suggestion: str) -> None:
        text = self._session.filter_text
        self._session.set_filter(text[:start] + suggestion + text[end:])

    @Slot(str, int)
    def _on_offers_wanted(self, text: str, cursor: int) -> None:
        self._read_words()
        self._field.set_offers(find_offers(text, cursor, self._words))

    @Slot()
    def _on_history_wanted(self) -> None:
        self._field.set_offers(recall_offers(self.memory.history, self.memory.saved))

    def _read_words(self) -> None:
        """Types, sources and tags to offer, behind the scenes."""
        session = self._session
        if session.is_open and self._words_of is not session.snapshot:
            self._words_of = session.snapshot
            work = partial(read_vocabulary, session.snapshot)
            session.jobs.run(_VOCABULARY_JOB, work, self._on_words_read)

    def _on_words_read(self, words: Vocabulary) -> None:
        self._words = words
        field = self._field
        if field.hasFocus() and field.text():
            field.set_offers(find_offers(field.text(), field.cursorPosition(), words))

    @Slot(bool)
    def _on_low_clicked(self, on: bool) -> None:
        self._session.set_only(ListFilter("low") if on else None)

    @Slot(bool)
    def _on_below_clicked(self, _on: bool) -> None:
        self._session.set_only(None)

    @Slot(float)
    def _on_least_edited(self, least: float) -> None:
        self._session.set_filter(with_least_score(self._session.filter_text, least))

    @Slot()
    def _fill_saved_menu(self) -> None:
        menu = self._saved_menu
        menu.clear()
        self.memory.refresh()  # for the next time: another panel may have saved one
        text = self._session.filter_text
        save = menu.addAction(tr("Save this search…"), self.save_requested.emit)
        save.setEnabled(bool(text) and text not in [one for _, one in self.memory.saved])
        manage = menu.addAction(tr("Saved searches…"), self.manage_requested.emit)
        manage.setEnabled(bool(self.memory.saved))
        for heading, searches in (
            (tr("Saved"), self.memory.saved),
            (tr("Before"), [(one, one) for one in self.memory.history[:8]]),
        ):
            if searches:
                add_heading(menu, heading)
            for name, one in searches:
                action = menu.addAction(_short(name).replace("&", "&&"))
                action.setData(one)
                action.setToolTip(one)
        menu.addSeparator()
        menu.addAction(tr("What can be typed (F1)"), self.help_requested.emit)

    @Slot(QAction)
    def _on_saved_chosen(self, action: QAction) -> None:
        if isinstance(action.data(), str):
            self._session.set_filter(action.data())
            self.memory.note(action.data())


def _hint_chips(query: Query) -> list[QueryChip]:
    chips = []
    for hint in query.hints:
        said = _readable(query.text[slice(*hint.place)])
        if hint.suggestion:
            text = tr("Did you mean {suggestion}?", suggestion=hint.suggestion)
        elif hint.is_left_out:
            text = tr("{said} left out", said=_short(said, 18)) if said else tr("left out")
        else:
            text = tr("{said} taken as words", said=_short(said, 18))
        chips.append(QueryChip(text, hint.place, "hint", hint.text, hint.suggestion))
    return chips


def _readable(text: str) -> str:
    """A part of a search on one line; what has no shape gets its number."""
    line = " ".join(text.split())
    return "".join(one if one.isprintable() else f"U+{ord(one):04X}" for one in line)


def _short(text: str, most: int = 48) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _name_filter(only: ListFilter) -> str:
    """What a filter besides the words is about, for its chip."""
    if only.kind == "below":
        return tr(
            "{component_labels} below zero", component_labels=COMPONENT_LABELS[only.component]
        )
    if only.kind in ("fact", "members"):
        return _short(only.title, 40)
    return tr(
        "{what} {low:.2f} to {high:.2f}",
        what=KIND_WORDS[only.score].capitalize(),
        low=only.low,
        high=only.high,
    )

"""What was done to the vault, by mvdesk and by others, as a timeline that leads somewhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, Qt, QTimer, Slot
from PySide6.QtWidgets import QLabel, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from mvdesk.errors import VaultError
from mvdesk.ui.day_range import DayRange, parse_day_range
from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.models.paged_lines import PAGE, PagedLinesModel
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.timeline_words import KINDS, TimelineLine, make_lines
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.vault import rules
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_COUNT: Final = "timeline"
_PAGE: Final = "timelinePage{}"
_DAY_SECONDS: Final = 86_400
_TITLES: Final = (tr("When"), tr("What"), tr("About"))
_WIDTHS: Final = {0: 156, 1: 236}
_SPANS: Final = (
    ("0", tr("any time")),
    ("1", tr("last day")),
    ("7", tr("last 7 days")),
    ("30", tr("last 30 days")),
    ("365", tr("last year")),
    ("range", tr("from – to")),
)
_RANGE: Final = "range"
_TYPING_MS: Final = 200
_NONE: Final = tr("Nothing is logged yet: what you and other programs write appears here.")
_NOT_FOUND: Final = tr("Nothing that is logged fits these filters.")


class TimelineSection(QWidget):
    """Session and changelog, joined. Lines are read in pages, as far as somebody looks."""

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timelineSection")
        self._session = session
        self._lines: dict[int, list[TimelineLine]] = {}
        self._asked: dict[str, object] = {}
        self._undoable: frozenset[str] = frozenset()
        self._running: set[int] = set()
        self._range_said = ""
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        self._kinds = Choice(tr("Kind of step"))
        self._kinds.setObjectName("timelineKind")
        self._kinds.set_choices([(kind, said) for kind, (said, _) in KINDS.items()])
        self._spans = Choice(tr("How far back"))
        self._spans.setObjectName("timelineSpan")
        self._spans.set_choices(list(_SPANS))
        self._from, self._to = (
            _day_field("timelineFrom", tr("From"), tr("from 2026-03-01")),
            _day_field("timelineTo", tr("To"), tr("to 2026-03")),
        )
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._only = CheckBox(tr("Only the selected &memory"))
        self._only.setObjectName("timelineOnly")
        self._table = TableView(tr("What was done, the newest first"), compact=True)
        self._table.setObjectName("timelineTable")
        self._table.setProperty("role", "plain")
        self._model = PagedLinesModel(_TITLES, self)
        self._table.setModel(self._model)
        self._table.horizontalHeader().setSectionsClickable(False)
        self._table.set_column_widths(dict(_WIDTHS), 2)
        self._empty = EmptyState(_NONE, icon_name="clock")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._table)
        self._said = QLabel()
        self._said.setObjectName("timelineSaid")
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        self._said.setWordWrap(True)
        set_role(self._said, "mutedCaption")
        self._go = push_button("timelineGo", tr("G&o to the memory"), tr("Select it (Enter)"))
        self._undo = push_button("timelineUndo", tr("Undo th&is step"))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(8)
        column.addWidget(flowing(self._kinds, self._spans, self._from, self._to, self._only, gap=8))
        column.addWidget(self._pages, 1)
        column.addWidget(self._said)
        column.addWidget(flowing(self._go, self._undo, gap=8))
        self.setFocusProxy(self._table)

    def _connect(self) -> None:
        session = self._session
        for signal in (session.vault_opened, session.vault_changed, session.undo_changed):
            signal.connect(self._refresh)
        session.vault_closing.connect(self._on_vault_closing)
        session.selection_changed.connect(self._on_selection_changed)
        self._kinds.value_chosen.connect(self._refresh)
        self._spans.value_chosen.connect(self._on_span_chosen)
        for field in (self._from, self._to):
            field.textChanged.connect(self._typing.start)
            field.returnPressed.connect(self._table.setFocus)
        self._typing.timeout.connect(self._refresh)
        self._only.toggled.connect(self._refresh)
        self._model.page_wanted.connect(self._on_page_wanted)
        self._table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self._table.row_activated.connect(self._on_activated)
        self._go.clicked.connect(self._on_go)
        self._undo.clicked.connect(self._on_undo)

    @property
    def is_settled(self) -> bool:
        """Whether what is shown fits what was typed."""
        return not (self._typing.isActive() or self._session.jobs.is_running(_COUNT))

    # Reading.

    @Slot()
    def _refresh(self, *_what: object) -> None:
        session = self._session
        self._only.setEnabled(session.is_open and session.selected_id is not None)
        if not session.is_open:
            return
        asked: dict[str, object] = {"event_types": KINDS[self._kinds.chosen or ""][1]}
        span = self._spans.chosen or "0"
        ends = DayRange()
        if span == _RANGE:
            ends = parse_day_range(self._from.text(), self._to.text())
        elif int(span):
            ends = DayRange(session.current_time() - int(span) * _DAY_SECONDS)
        self._range_said = ends.said
        if ends.since is not None:
            asked["since"] = ends.since
        if ends.until is not None:
            asked["until"] = ends.until
        if self._only.isChecked() and session.selected_id is not None:
            asked["naming"] = session.selected_id
        self._asked = asked
        work = partial(_count_lines, session.vault, asked)
        session.jobs.run(_COUNT, work, self._on_counted)

    @Slot(str)
    def _on_span_chosen(self, span: str) -> None:
        for field in (self._from, self._to):
            field.setVisible(span == _RANGE)
        if span == _RANGE:
            self._from.setFocus(Qt.FocusReason.OtherFocusReason)
        self._refresh()

    def _on_counted(self, found: tuple[int, frozenset[str]]) -> None:
        count, self._undoable = found
        self._forget_pages()
        place = max(self._table.currentIndex().row(), 0)
        self._model.set_count(count)
        is_any = len(self._asked) == 1 and not self._asked["event_types"]
        self._empty.set_text(_NONE if is_any else _NOT_FOUND)
        self._pages.setCurrentIndex(int(bool(count)))
        if count:
            self._table.select_row(min(place, count - 1))
        self._show_state()

    @Slot(int)
    def _on_page_wanted(self, page: int) -> None:
        session = self._session
        if session.is_open:
            self._running.add(page)
            work = partial(_read_page, session.vault, session.snapshot, self._asked, page)
            session.jobs.run(_PAGE.format(page), work, partial(self._on_page, page))

    def _on_page(self, page: int, lines: list[TimelineLine]) -> None:
        self._running.discard(page)
        self._lines[page] = lines
        self._model.set_page(page, [(line.when, line.what, line.about) for line in lines])
        self._show_state()

    def _forget_pages(self) -> None:
        for page in self._running:
            self._session.jobs.cancel(_PAGE.format(page))
        self._running, self._lines = set(), {}

    # Showing.

    def _current(self) -> TimelineLine | None:
        row = self._table.currentIndex().row()
        page, place = divmod(max(row, 0), PAGE)
        lines = self._lines.get(page, [])
        return lines[place] if row >= 0 and place < len(lines) else None

    def _show_state(self) -> None:
        session, line = self._session, self._current()
        count = self._model.rowCount()
        steps = tr_n("One step", "{count:,} steps", count, count=count)
        leads = line is not None and self._is_there(line.memory_id)
        self._go.setEnabled(leads)
        refusal = self._undo_refusal(line) if session.is_open else ""
        self._undo.setEnabled(line is not None and not refusal)
        self._undo.setToolTip(refusal or tr("Take this step back, as Ctrl+Z would"))
        said = [f"{steps}."] if count else []
        if self._range_said:
            said.insert(0, self._range_said)
        set_role(self._said, "warning" if self._range_said else "mutedCaption")
        if line is not None:
            if line.memory_id and not leads:
                said.append(tr("The memory is not there any more."))
            said.append(refusal or tr("This is the last step: it can be undone from here."))
        self._said.setText(" ".join(said))

    def _is_there(self, memory_id: str) -> bool:
        session = self._session
        if not memory_id or not session.is_open:
            return False
        return session.snapshot.row_of(memory_id) is not None

    def _undo_refusal(self, line: TimelineLine | None) -> str:
        """Why a step can't be undone from here, "" when it can."""
        if self._session.read_only_reason:
            return self._session.read_only_reason
        if line is None or line.id in self._undoable:
            return ""
        if line.is_undo:
            return tr("A step that took another one back is done again with Redo.")
        if not self._undoable:
            return tr("Nothing can be undone: no step of mvdesk is left in the journal.")
        return tr(
            "Only the last step made with mvdesk can be undone. Take later ones back first; "
            "those of other programs stay."
        )

    # What happens.

    @Slot()
    def _on_vault_closing(self) -> None:
        self._typing.stop()
        self._session.jobs.cancel(_COUNT)
        self._forget_pages()
        self._undoable = frozenset()
        self._model.set_count(0)

    @Slot(object)
    def _on_selection_changed(self, memory_id: str | None) -> None:
        self._only.setEnabled(memory_id is not None)
        if self._only.isChecked() and not self._table.hasFocus():
            self._refresh()

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._show_state()

    @Slot(int)
    def _on_activated(self, _row: int) -> None:
        self._on_go()

    @Slot()
    def _on_go(self, _checked: bool = False) -> None:
        line = self._current()
        if line is not None and self._is_there(line.memory_id):
            self._session.select(line.memory_id)

    @Slot()
    def _on_undo(self, _checked: bool = False) -> None:
        line = self._current()
        if line is not None and line.id in self._undoable:
            self._session.undo(self._session.undo_id)


def _day_field(name: str, caption: str, hint: str) -> QLineEdit:
    field = QLineEdit()
    field.setObjectName(name)
    field.setAccessibleName(tr("{caption} a day, a month or a year", caption=caption))
    field.setPlaceholderText(hint)
    field.setMaxLength(10)
    field.setFixedWidth(applied().px(132))
    field.hide()
    return field


def _count_lines(
    vault: Vault, asked: dict[str, object], _token: CancelToken
) -> tuple[int, frozenset[str]]:
    """How many lines there are, and the ids of those that undo would take back."""
    limits = dict(asked)
    limits["before"] = limits.pop("until", None)
    count = rules.count_history(vault, **limits)  # type: ignore[arg-type]
    try:
        step = vault.journal.find_undo()
    except VaultError:  # there is none
        return count, frozenset()
    return count, frozenset(entry.id for entry in step.plan.log)


def _read_page(
    vault: Vault,
    snapshot: Snapshot,
    asked: dict[str, object],
    page: int,
    _token: CancelToken,
) -> list[TimelineLine]:
    entries = rules.read_history(vault, limit=PAGE, offset=page * PAGE, **asked)  # type: ignore[arg-type]

    def title_of(memory_id: str) -> str:
        row = snapshot.row_of(memory_id) if memory_id else None
        return "" if row is None else snapshot.memories.labels.text(row)

    return make_lines(entries, title_of)

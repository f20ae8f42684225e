"""The actions about the memory in the editor, and the dialog of its history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from mvdesk.ui import plans
from mvdesk.ui.dialogs.history import HistoryDialog, HistoryLine
from mvdesk.ui.dialogs.open_link import OPENABLE, OpenLinkDialog
from mvdesk.ui.history_words import describe_step, find_version_parts
from mvdesk.ui.moments import format_minute
from mvdesk.ui.panels.drafts import list_names
from mvdesk.vault.operations.fields import MEMORY_FIELDS
from mvdesk.vault.questions.history import HistoryStep, find_steps
from mvdesk.vault.rules import read_history
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from mvdesk.records import Memory
    from mvdesk.ui.actions import Actions
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.editor import EditorPanel
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.diff_view import DiffPart
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.plan import Value
    from mvdesk.vault.vault import Vault

_READ_JOB: Final = "history"
_DIFF_JOB: Final = "history-diff"
_OWN_SCHEME: Final = "mvdesk"
_SHOWN: Final = 80
_TEXT_MENU: Final = ("findInText", "linkTo", "history", "upkeepReinforce")


class _History(NamedTuple):
    memory: Memory
    steps: list[HistoryStep]


class EditorCommands(QObject):
    """Joins the editor's actions to its panel."""

    def __init__(
        self,
        session: VaultSession,
        editor: EditorPanel,
        actions: Actions,
        window: QWidget,
        *,
        open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl,
    ) -> None:
        super().__init__(window)
        self._open_url = open_url
        self._session, self._editor, self._window = session, editor, window
        self._dialog: HistoryDialog | None = None
        self._memory_id = ""
        self._history: _History | None = None
        actions["history"].triggered.connect(self._on_history)
        editor.history_requested.connect(actions["history"].trigger)
        actions["findInText"].triggered.connect(self._on_find)
        actions["findNext"].triggered.connect(self._on_find_next)
        actions["findBefore"].triggered.connect(self._on_find_before)
        actions["readingView"].toggled.connect(editor.set_reading)
        editor.reading_changed.connect(actions["readingView"].setChecked)
        editor.link_requested.connect(self._on_link_requested)
        editor.add_text_actions([actions[name] for name in _TEXT_MENU])
        session.vault_changed.connect(self._on_vault_changed)
        session.vault_closed.connect(self._on_vault_closed)

    @Slot(bool)
    def _on_find(self, _checked: bool) -> None:
        self._editor.find_in_text()

    @Slot(bool)
    def _on_find_next(self, _checked: bool) -> None:
        self._editor.find_in_text(backwards=False)

    @Slot(bool)
    def _on_find_before(self, _checked: bool) -> None:
        self._editor.find_in_text(backwards=True)

    @Slot(str)
    def _on_link_requested(self, link: str) -> None:
        """A link of a text: to a memory at once, into the world after asking, else nowhere."""
        url = QUrl(link)
        messages = self._session.messages
        if url.scheme() == _OWN_SCHEME:
            self._session.looking.follow_link(link)
        elif url.scheme() in OPENABLE and url.isValid():
            dialog = OpenLinkDialog(link, self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open_requested.connect(self._on_open_requested)
            dialog.open()
        elif not url.scheme():
            messages.notice(tr("This link leads nowhere from here: {link}", link=link[:_SHOWN]))
        else:
            kind = url.scheme()[:20]
            messages.notice(
                tr(
                    "Links of the kind “{kind}” are not opened: {link}",
                    kind=kind,
                    link=link[:_SHOWN],
                )
            )

    @Slot(str)
    def _on_open_requested(self, link: str) -> None:
        if not self._open_url(QUrl(link)):
            self._session.messages.notice(tr("No program could be started for this link."))

    @Slot(bool)
    def _on_history(self, _checked: bool) -> None:
        session, row = self._session, self._session.selected_row
        if row is None or self._dialog is not None:
            return
        self._memory_id = session.selected_id or ""
        title = session.snapshot.memories.labels.text(row)
        refusal = session.read_only_reason or ""
        dialog = self._dialog = HistoryDialog(title, self._window, refusal=refusal)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.compare_requested.connect(self._on_compare_requested)
        dialog.return_requested.connect(self._on_return_requested)
        dialog.finished.connect(self._on_finished)
        dialog.open()
        self._read()

    def _read(self) -> None:
        vault, memory_id = self._session.vault, self._memory_id

        def work(_token: CancelToken) -> _History:
            return _read_history(vault, memory_id)

        self._session.jobs.run(_READ_JOB, work, self._on_read)

    def _on_read(self, history: _History) -> None:
        if self._dialog is None:
            return
        self._history = history
        now = _values_of(history.memory)
        self._dialog.set_lines(
            [
                HistoryLine(
                    tr("some time later") if step.at is None else format_minute(step.at),
                    describe_step(step, self._title_of),
                    bool(_return_values(step.values, now)),
                )
                for step in history.steps
            ]
        )

    def _title_of(self, memory_id: str) -> str:
        snapshot = self._session.snapshot
        row = snapshot.row_of(memory_id)
        if row is None:
            return tr("a memory that is gone")
        return f"“{snapshot.memories.labels.text(row)}”"

    @Slot(int, str)
    def _on_compare_requested(self, place: int, against: str) -> None:
        history = self._history
        if history is None:
            return
        older = newer = history.steps[place].values
        if against == "now":
            newer = _values_of(history.memory)
        elif place + 1 < len(history.steps):
            older = history.steps[place + 1].values
        else:
            older = dict.fromkeys(newer)

        def work(_token: CancelToken) -> tuple[list[DiffPart], str]:
            parts, untold = find_version_parts(older, newer)
            return parts, _describe(parts, untold)

        self._session.jobs.run(_DIFF_JOB, work, self._on_compared)

    def _on_compared(self, found: tuple[list[DiffPart], str]) -> None:
        if self._dialog is not None:
            self._dialog.set_parts(*found)

    @Slot(int)
    def _on_return_requested(self, place: int) -> None:
        history = self._history
        if history is None:
            return
        step = history.steps[place]
        values = _return_values(step.values, _values_of(history.memory))
        when = tr("before that") if step.at is None else format_minute(step.at)
        now = self._session.current_time()
        make_plan = plans.bring_back_plan(history.memory, values, when, now)
        self._session.write("bring back", make_plan)

    @Slot(object)
    def _on_vault_changed(self, _changes: ChangeSet) -> None:
        if self._dialog is not None:
            if self._session.snapshot.row_of(self._memory_id) is None:
                self._dialog.reject()
            else:
                self._read()

    @Slot()
    def _on_vault_closed(self) -> None:
        if self._dialog is not None:
            self._dialog.reject()

    @Slot(int)
    def _on_finished(self, _answer: int) -> None:
        self._dialog = self._history = None
        self._session.jobs.cancel(_READ_JOB)
        self._session.jobs.cancel(_DIFF_JOB)


def _read_history(vault: Vault, memory_id: str) -> _History:
    memory = vault.read_memory(memory_id)
    return _History(memory, find_steps(memory, read_history(vault, naming=memory_id)))


def _values_of(memory: Memory) -> dict[str, Value]:
    names = (*MEMORY_FIELDS, "archived_at")
    return {name: getattr(memory, name) for name in names}


def _return_values(then: Mapping[str, Value], now: Mapping[str, Value]) -> dict[str, Value]:
    """What bringing a version back would write."""
    return {
        name: then[name]
        for name in MEMORY_FIELDS
        if name in then and (then[name] or None) != (now[name] or None)
    }


def _describe(parts: list[DiffPart], untold: list[str]) -> str:
    said = "" if parts else tr("No difference in the fields of the memory.")
    if untold:
        said += tr(" The log doesn't tell: {untold}.", untold=list_names(untold))
    return said.strip()

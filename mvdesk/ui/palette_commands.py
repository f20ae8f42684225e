"""The command palette joined to the window: what it offers, and what choosing does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu
from shiboken6 import Shiboken

from mvdesk.ui.action_list import HELP, LOOK
from mvdesk.ui.dialogs.palette import PaletteDialog
from mvdesk.ui.looking import Place
from mvdesk.ui.palette_search import PREFIXES, Recent, VaultIndex, Wanted, search_palette
from mvdesk.ui.settings import KEPT_CHOSEN
from mvdesk.ui.widgets.palette_picker import PaletteEntry
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.going_commands import GoingCommands
    from mvdesk.ui.help_commands import HelpCommands
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import Settings
    from mvdesk.ui.widgets.palette_picker import Kind
    from mvdesk.vault.snapshot import Snapshot

_JOB: Final = "palette"
_OWN: Final = "commandPaletteAction"
_HELP: Final = {f"{spec.name}Action" for spec in HELP} | {"searchHelpAction"}
_SETTINGS: Final = {f"{spec.name}Action" for spec in LOOK} | {"compactRowsAction", "settingsAction"}
_LEGEND: Final = tr("Narrow it with  >  actions   @  sources   #  tags   ?  help")
REASONS: Final = {
    "vault": tr("open a vault first"),
    "writable": tr("open a vault first"),
    "selected": tr("select a memory first"),
    "memory": tr("select a memory first"),
    "back": tr("there is no memory to go back to"),
    "forward": tr("there is no memory to go forward to"),
    "pinned": tr("pin a memory first"),
    "preview": tr("nothing is being tried"),
    "conflict": tr("choose a pair of conflicting facts first"),
    "deciding": tr("choose a pair or a memory to decide about first"),
    "two": tr("select two memories, or go to a pair of conflicts or duplicates first"),
    "duplicate": tr("go to a pair of duplicates first"),
    "review": tr("choose something to review first"),
}
_NO_STEP: Final = {"undo": tr("nothing to take back"), "redo": tr("nothing to do again")}

Fixed = list[tuple[PaletteEntry, str]]


class PaletteCommands(QObject):
    """Opens the palette. The newest text wins; what was found last stays until then."""

    def __init__(
        self,
        session: VaultSession,
        settings: Settings,
        actions: Actions,
        going: GoingCommands,
        helping: HelpCommands,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._session, self._settings, self._actions = session, settings, actions
        self._going, self._helping, self._window = going, helping, window
        self._chosen = list(settings.read_chosen())
        self._dialog: PaletteDialog | None = None
        self._fixed: Fixed = []
        self._entries: dict[str, PaletteEntry] = {}
        self._index: VaultIndex | None = None
        self._is_waiting = False  # Enter came before what it is to choose from
        actions["commandPalette"].triggered.connect(self._on_open)

    @Slot(bool)
    def _on_open(self, _checked: bool) -> None:
        if self._dialog is not None:
            return
        self._fixed = self._find_actions()
        dialog = self._dialog = PaletteDialog(self._window)
        dialog.picker.text_edited.connect(self._on_edited)
        dialog.picker.picked.connect(self._on_picked)
        dialog.finished.connect(self._on_finished)
        # Actions are there at once; memories, sources and tags come from a job.
        self._show("", search_palette("", self._fixed, None, self._recent()))
        self._search("")
        dialog.open()

    @Slot(int)
    def _on_finished(self, _result: int) -> None:
        self._session.jobs.cancel(_JOB)
        self._dialog, self._index, self._is_waiting = None, None, False
        self._fixed, self._entries = [], {}

    # Finding.

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        self._is_waiting = False
        self._search(text)

    def _search(self, text: str) -> None:
        session = self._session
        snapshot = session.snapshot if session.is_open else None
        work = partial(_find, self._index, snapshot, text, tuple(self._fixed), self._recent())
        session.jobs.run(_JOB, work, partial(self._on_found, text))

    def _on_found(self, text: str, outcome: tuple[VaultIndex | None, list[PaletteEntry]]) -> None:
        if self._dialog is None:
            return
        self._index, found = outcome
        self._show(text, found)
        if self._is_waiting:
            self._is_waiting = False
            self._on_picked(self._dialog.picker.picked_id)

    def _show(self, text: str, found: Sequence[PaletteEntry]) -> None:
        assert self._dialog is not None
        self._entries = {entry.name: entry for entry in found}
        said = "" if text.strip() else _LEGEND
        if not found:
            said = _say_nothing(text, is_open=self._session.is_open)
        self._dialog.picker.set_entries(found, said)

    def _recent(self) -> Recent:
        ids = self._going.recent() if self._session.is_open else ()
        return Recent(tuple(self._chosen), tuple(ids))

    def _find_actions(self) -> Fixed:
        """Everything in the menus, as it is now."""
        found: dict[str, tuple[PaletteEntry, str]] = {}
        menus = self._window.menuBar().findChildren(QMenu)
        menus += self._window.findChildren(QMenu, "modelMenu")
        for menu in menus:
            is_submenu = isinstance(menu.parent(), QMenu) or menu.objectName() == "modelMenu"
            group = f"{_unmarked(menu.title())}: " if is_submenu else ""
            for action in menu.actions():
                name = action.objectName()
                if name and name not in (_OWN, *found) and action.isVisible():
                    found[name] = (self._entry(action, name, group), action.whatsThis())
        for page in self._helping.pages():
            entry = PaletteEntry(f"help:{page.name}", "help", page.title, tr("page of the help"))
            found[entry.name] = (entry, "")
        return list(found.values())

    def _entry(self, action: QAction, name: str, group: str) -> PaletteEntry:
        kind: Kind = "action"
        if name in _HELP:
            kind = "help"
        elif name in _SETTINGS or name.startswith("model"):
            kind = "setting"
        title = group + _unmarked(action.text())
        state = tr("on") if action.isChecked() else ""
        if name.endswith("DockAction"):
            title, state = (
                tr("{title} panel", title=title),
                tr("shown") if action.isChecked() else tr("hidden"),
            )
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        reason = "" if action.isEnabled() else self._why_not(name.removesuffix("Action"))
        return PaletteEntry(f"action:{name}", kind, title, state, key, reason)

    def _why_not(self, name: str) -> str:
        """Why an action can't be used now."""
        if name in _NO_STEP:
            return _NO_STEP[name]
        session = self._session
        if not session.is_open:
            return REASONS["vault"]
        need = self._actions.need_of(name)
        if need in ("writable", "memory") and session.read_only_reason:
            return tr("this vault is read-only")
        return REASONS.get(need, tr("not in this place"))

    # Choosing.

    @Slot(str)
    def _on_picked(self, name: str) -> None:
        if self._session.jobs.is_running(_JOB):
            self._is_waiting = True  # what is shown is not yet what was typed
            return
        entry, dialog = self._entries.get(name), self._dialog
        if entry is None or dialog is None:
            return
        if entry.reason:
            dialog.picker.say(f"{entry.title.removesuffix('…')}: {entry.reason}.")
            return
        self._note(name)
        dialog.accept()
        # Once the window has the keyboard again: what is done may depend on where it was.
        QTimer.singleShot(0, self, partial(self._do, entry))

    def _do(self, entry: PaletteEntry) -> None:
        kind, _, name = entry.name.partition(":")
        session = self._session
        if kind == "action":
            action = self._window.findChild(QAction, name)
            if action is not None and Shiboken.isValid(action):
                action.trigger()
        elif kind == "help":
            self._helping.show(name)
        elif session.is_open:
            if kind == "memory":
                session.select(name)
            elif kind == "source":
                session.looking.set_source(name)
                self._actions["sourcesWorkspace"].trigger()
            else:
                quoted = name.replace('"', " ")
                session.set_filter(f'tag="{quoted}"')
                session.looking.go_to(Place("memories"))

    def _note(self, name: str) -> None:
        self._chosen = [name, *(one for one in self._chosen if one != name)][:KEPT_CHOSEN]
        # What belongs to a vault is not kept with the program's own settings.
        self._settings.write_chosen(
            [one for one in self._chosen if one.startswith(("action:", "help:"))]
        )


def _find(
    index: VaultIndex | None,
    snapshot: Snapshot | None,
    text: str,
    fixed: Sequence[tuple[PaletteEntry, str]],
    recent: Recent,
    _token: CancelToken,
) -> tuple[VaultIndex | None, list[PaletteEntry]]:
    if snapshot is None:
        index = None
    elif index is None or index.snapshot is not snapshot:
        index = VaultIndex(snapshot)
    return index, search_palette(text, fixed, index, recent)


def _say_nothing(text: str, *, is_open: bool) -> str:
    """Why nothing was found, as a sentence."""
    kinds = Wanted.of(text).kinds
    if not is_open and not {"action", "help"} & set(kinds):
        return tr("No vault is open: it has the memories, sources and tags.")
    asked = {"source": tr("source"), "tag": tr("tag"), "memory": tr("memory"), "help": "help"}
    what = asked[kinds[0]] if len(kinds) == 1 else tr("thing")
    typed = text.strip().lstrip("".join(PREFIXES)).strip()[:60]
    if what == "thing":
        return tr("Nothing matches “{typed}”.", typed=typed)
    return (
        tr("No {what} matches “{typed}”.", what=what, typed=typed)
        if typed
        else tr("This vault has no {what} yet.", what=what)
    )


def _unmarked(text: str) -> str:
    """The text of an action or a menu without the mark of its key."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")

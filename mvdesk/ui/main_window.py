"""The window: docks, menus, tool bar, and the wiring of panels. No logic of its own."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QMenu, QPushButton, QToolButton

from mvdesk.scoring.builtin import BUILTIN_MODELS, DEFAULT_MODEL_ID
from mvdesk.ui.actions import Actions
from mvdesk.ui.bars import MainToolBar, ModelMenu, RecentMenu, fill_menus
from mvdesk.ui.bulk_commands import BulkCommands
from mvdesk.ui.commands import UndoCommands
from mvdesk.ui.crash_commands import CrashCommands
from mvdesk.ui.deciding_commands import DecidingCommands
from mvdesk.ui.editor_commands import EditorCommands
from mvdesk.ui.explain_commands import ExplainCommands
from mvdesk.ui.files import SystemFileDialogs
from mvdesk.ui.first_steps import FirstStepsGuide
from mvdesk.ui.going_commands import GoingCommands
from mvdesk.ui.graph_commands import GraphCommands
from mvdesk.ui.help import AboutDialog
from mvdesk.ui.help_commands import HelpCommands
from mvdesk.ui.key_commands import KeyCommands
from mvdesk.ui.late_panels import LatePanels
from mvdesk.ui.list_commands import ListCommands
from mvdesk.ui.look_commands import LookCommands
from mvdesk.ui.merge_commands import MergeCommands
from mvdesk.ui.palette_commands import PaletteCommands
from mvdesk.ui.panels.editor import EditorPanel
from mvdesk.ui.panels.memories import MemoriesPanel
from mvdesk.ui.panels.sources import SourcesPanel
from mvdesk.ui.preview_commands import PreviewCommands
from mvdesk.ui.returning import Returning
from mvdesk.ui.safety_commands import SafetyCommands
from mvdesk.ui.search_commands import SearchCommands
from mvdesk.ui.settings_commands import SettingsCommands
from mvdesk.ui.start_page import StartPage
from mvdesk.ui.status_line import StatusLine, format_unsaved
from mvdesk.ui.step_toast import StepToast
from mvdesk.ui.tuning_commands import TuningCommands
from mvdesk.ui.upkeep_commands import UpkeepCommands
from mvdesk.ui.vault_commands import VaultCommands
from mvdesk.ui.workspace import SMALLEST_SIZE, USUAL_SIZE, Workspace
from mvdesk.ui.workspace_commands import WorkspaceCommands
from mvdesk.wording import tr

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.looking import Place
    from mvdesk.ui.panels.explain import ExplainPanel
    from mvdesk.ui.panels.graph import GraphPanel
    from mvdesk.ui.preview import Preview
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import Settings
    from mvdesk.ui.theme import ThemeController, Tokens


class MainWindow(QMainWindow):
    """Shows one session. Panels talk to the session; the window only places them."""

    panels_ready = Signal()  # every panel of the workspace exists; most come after the first list

    def __init__(
        self,
        session: VaultSession,
        theme: ThemeController,
        settings: Settings,
        *,
        demo_path: Path,
        files: FileDialogs | None = None,
    ) -> None:
        """`demo_path` is where the demo vault is, or will be made."""
        super().__init__()
        self._keyed: QWidget | None = None  # what a key goes to first
        self.setObjectName("mainWindow")
        self.setWindowTitle("mvdesk")
        self.setMinimumSize(SMALLEST_SIZE)
        self.resize(USUAL_SIZE)
        self._session, self._theme, self._settings = session, theme, settings
        self._demo_path = demo_path
        self._is_closing = False
        self._is_previewing = False
        self._busy = ""  # what takes long right now
        self._actions = Actions(self)
        self._undo = UndoCommands(session, self._actions["undo"], self._actions["redo"])
        self._look = LookCommands(theme, settings, self._actions)
        self._vaults = VaultCommands(
            session, settings, self._actions, self, demo_path=demo_path, files=files
        )
        files = files or SystemFileDialogs()
        SafetyCommands(session, self._actions, self._vaults, self, files)
        self._graph_commands = GraphCommands(session, self, files)
        self._explain_commands = ExplainCommands(session, self._actions, self, settings, files)
        self._build_bars()
        self._build_panels()
        self._bulk = BulkCommands(session, self._actions, self)
        self._list_commands = ListCommands(
            session, settings, self._actions, self._memories, self._bulk, files
        )
        self._going = GoingCommands(session, self._vaults, self._actions, self, time.monotonic)
        self._going.available_changed.connect(self._show_available)
        others = [
            *self._model_menu.actions(),
            *(dock.toggleViewAction() for dock in self.workspace),
        ]
        self._keys = KeyCommands(settings, self._actions, others, self)
        self._late.made.connect(self._keys.follow_panel)
        keymap = self._keys.keymap
        self._setting = SettingsCommands(
            session, settings, theme, self._actions, keymap, files, self
        )
        self._helping = HelpCommands(self._actions, self, session.messages, keymap)
        PaletteCommands(session, settings, self._actions, self._going, self._helping, self)
        self._memories.row_menu_opening.connect(self._helping.number_menu.add_to)
        self._build_menus()
        self.crashes = CrashCommands(session, self._vaults, self._actions, self.start_page.banner)
        self._connect_actions()
        self._connect_session()
        self.workspace.restore(settings.read_layout())
        self._on_recent_changed(self._vaults.recent)
        self._show_vault()
        session.messages.attach(self)

    # Building.

    def _build_bars(self) -> None:
        models = list(BUILTIN_MODELS.values())
        self._recent_menu = RecentMenu(self)
        self._model_menu = ModelMenu([(m.id, m.title, m.description) for m in models], self)
        picker = QMenu(self)
        picker.addActions([self._actions[name] for name in ("openVault", "newVault", "openDemo")])
        picker.addMenu(self._recent_menu)
        picker.addAction(self._actions["closeVault"])
        self._tools = MainToolBar(self._actions, picker, self)
        self._tools.set_models(self._model_names(), self._session.model.id)
        self.addToolBar(self._tools)
        self._status = StatusLine(self)
        self.setStatusBar(self._status)
        self._preview_bar = self._status.preview_bar
        self._previews = PreviewCommands(self._session, self._actions, self._preview_bar, self)
        self._toast = StepToast(self._session, self)
        Returning(self._session, self)

    def _build_panels(self) -> None:
        actions = self._actions
        self.start_page = StartPage(
            [
                (actions["openDemo"], "demo", tr("About 120 made-up memories to try things on.")),
                (
                    actions["openVault"],
                    "open",
                    tr("A MemoryVault's SQLite file. Opening it is safe."),
                ),
                (actions["newVault"], "add", tr("An empty vault in a file of its own.")),
            ]
        )
        self.setCentralWidget(self.start_page)
        session, theme = self._session, self._theme
        self.workspace = Workspace(self)
        self._workspaces = WorkspaceCommands(self.workspace, actions, self)
        self._late = LatePanels(self.workspace, session, theme)
        self._late.made.connect(self._on_panel_made)
        self._late.ready.connect(self.panels_ready)
        self._guide = FirstStepsGuide(
            session, self._settings, actions, self.workspace, self._demo_path
        )
        TuningCommands(self._actions, self.workspace, self._late)
        UpkeepCommands(self._actions, self.workspace, self._late)
        self._deciding = DecidingCommands(
            session, self._actions, self.workspace, self._workspaces, self._late
        )
        self._deciding.available_changed.connect(self._show_available)
        self._memories = MemoriesPanel(session, theme)
        self._editor = EditorPanel(session, theme)
        EditorCommands(session, self._editor, self._actions, self)
        self._merge = MergeCommands(session, self._editor, self._actions, self._late, self)
        self._merge.available_changed.connect(self._show_available)
        SearchCommands(session, self._actions, self._memories, self._workspaces.rail.searches, self)
        self.workspace.set_panel("memories", self._memories, self._memories.header)
        self.workspace.set_panel("editor", self._editor, self._editor.header)
        self._sources = SourcesPanel(session, theme)
        self.workspace.set_panel("sources", self._sources, self._sources.header)
        self.workspace.changed.connect(self._sources.show_for)
        self._late.start_after(self._memories, self._sources)
        self._memories.new_requested.connect(self._actions["newMemory"].trigger)

    def _build_menus(self) -> None:
        switches = [dock.toggleViewAction() for dock in self.workspace]
        fill_menus(self.menuBar(), self._actions, switches, self._recent_menu, self._model_menu)

    def _connect_actions(self) -> None:
        actions = self._actions
        for name, slot in (
            ("quit", self._on_quit),
            ("newMemory", self._on_new_memory),
            ("save", self._on_save),
            ("linkTo", self._on_link_to),
            ("find", self._on_find),
            ("showArchived", self._session.set_show_archived),
            ("about", self._on_about),
        ):
            actions[name].triggered.connect(slot)
        self._tools.brain_chosen.connect(self._on_brain_chosen)
        self._tools.model_chosen.connect(self._session.set_model)
        self._model_menu.model_chosen.connect(self._session.set_model)
        self._recent_menu.path_chosen.connect(self._vaults.open_vault)
        self.start_page.recent_chosen.connect(self._vaults.open_vault)
        self._vaults.recent_changed.connect(self._on_recent_changed)
        self._vaults.raise_requested.connect(self._on_raise_requested)

    def _connect_session(self) -> None:
        session = self._session
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_vault_closed)
        session.loading_changed.connect(self._on_loading_changed)
        session.preview_changed.connect(self._on_preview_changed)
        session.model_changed.connect(self._on_model_changed)
        session.selection_changed.connect(self._on_selection_changed)
        session.writing_changed.connect(self._on_writing_changed)
        session.progress.changed.connect(self._status.show_progress)
        self._status.cancel_requested.connect(session.progress.cancel)
        session.looking.pin_changed.connect(self._on_pin_changed)
        session.looking.place_requested.connect(self._on_place_requested)
        session.unsaved.changed.connect(self._on_unsaved_changed)
        session.notice.connect(session.messages.notice)
        session.messages.shown.connect(self._on_message)
        session.messages.offered.connect(self._toast.show_offer)
        self._theme.changed.connect(self._on_theme_changed)

    @property
    def is_complete(self) -> bool:
        """Whether every panel of the workspace exists."""
        return self._late.is_complete

    # Opening and closing.

    def open_vault(self, path: Path) -> None:
        """Open a vault here, once a running preview is settled."""
        self._vaults.open_vault(path)

    @Slot(bool)
    def _on_quit(self, _checked: bool) -> None:
        self.close()

    @Slot(str)
    def _on_brain_chosen(self, brain_id: str) -> None:
        self._vaults.set_brain(brain_id)
        self._show_vault()  # the picker follows what is open, once it is

    @Slot()
    def _on_raise_requested(self) -> None:
        self.raise_()
        self.activateWindow()

    @Slot(object)
    def _on_recent_changed(self, paths: tuple[Path, ...]) -> None:
        self.start_page.set_recent(paths)
        self._recent_menu.set_paths(paths)

    @Slot()
    def _on_vault_opened(self) -> None:
        self._show_vault()
        self._select_first()
        if reason := self._session.read_only_reason:
            self._session.messages.notice(reason)

    def _select_first(self) -> None:
        """Something to look at, where the list starts."""
        session = self._session
        if session.selected_id is None and len(session.order):
            session.select(session.snapshot.memories.ids[int(session.order[0])])
        self.workspace.focus_last()

    @Slot()
    def _on_vault_closed(self) -> None:
        if not self._is_closing:
            self._show_vault()

    def _show_vault(self) -> None:
        """What depends on which vault is open, and whether one is."""
        session = self._session
        vault = session.vault if session.is_open else None
        self._tools.set_vault(
            vault.name if vault else "",
            session.brains if vault else (),
            vault.brain.id if vault else "",
        )
        self._status.set_vault(vault.path if vault else None)
        self.setWindowTitle(tr("{name} — mvdesk", name=vault.name) if vault else "mvdesk")
        self.start_page.setVisible(vault is None)
        self._workspaces.set_open(vault is not None)
        self._preview_bar.set_refusal(session.read_only_reason or "")
        if vault is None:
            self.start_page.first_card().setFocus()
        self._actions["showArchived"].setChecked(session.show_archived)
        self._show_available()
        self._show_state()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._vaults.settle(self._close_later):
            event.ignore()
            return
        self._is_closing = True
        self._settings.write_layout(self.workspace.saved())
        self._let_go()
        self._session.shut_down()
        event.accept()

    def _close_later(self) -> None:
        # Not from within the signal that settled the preview: closing joins its sender's threads.
        QTimer.singleShot(0, self, self.close)

    def _let_go(self) -> None:
        """Disconnect from what lives longer than the window."""
        self._late.stop()
        self._vaults.let_go()
        self._previews.let_go()
        self._look.let_go()
        self._setting.let_go()
        self._undo.let_go()
        self._theme.changed.disconnect(self._on_theme_changed)
        self._session.messages.shown.disconnect(self._on_message)
        self._session.messages.offered.disconnect(self._toast.show_offer)
        self._session.messages.attach(None)

    @Slot(str, object)
    def _on_panel_made(self, name: str, panel: QWidget) -> None:
        if name == "explain":
            explain = cast("ExplainPanel", panel)
            self._explain_commands.attach(explain)
            self._guide.attach(explain)
            explain.row_menu_opening.connect(self._helping.number_menu.add_to)
        elif name == "graph":
            self._list_commands.attach_graph(panel)
            graph = cast("GraphPanel", panel)
            self._graph_commands.attach(graph)
            steps = graph.shaping
            self._undo.attach((graph, graph.header), steps, steps.steps_changed)
            self._explain_commands.attach_graph(cast("GraphPanel", panel))

    # What the session says.

    @Slot(str)
    def _on_loading_changed(self, sentence: str) -> None:
        self.start_page.set_busy(sentence)
        self._busy = sentence
        self._show_state()

    @Slot(object)
    def _on_preview_changed(self, preview: Preview) -> None:
        if preview.is_empty == self._is_previewing:
            self._is_previewing = not preview.is_empty
            self._status.set_previewing(self._is_previewing)
            self._show_available()
            self._show_state()

    @Slot(object)
    def _on_model_changed(self, model: ScoreModel) -> None:
        self._tools.set_models(self._model_names(), model.id)
        self._model_menu.set_model(model.id)
        self._status.set_model(tr("Scored by {id}", id=model.id))

    def _model_names(self) -> list[tuple[str, str]]:
        """Ids and titles for the picker; the model that a server's file suits says so."""
        session = self._session
        suggested = session.suggested_model_id if session.is_open else DEFAULT_MODEL_ID
        titles = {model.id: model.title for model in BUILTIN_MODELS.values()}
        if suggested != DEFAULT_MODEL_ID:
            titles[suggested] += tr(" (this file's own)")
        return list(titles.items())

    @Slot(object)
    def _on_selection_changed(self, _memory_id: str | None) -> None:
        self._show_available()

    @Slot(object)
    def _on_pin_changed(self, _memory_id: str | None) -> None:
        self._show_available()

    @Slot(object)
    def _on_place_requested(self, place: Place) -> None:
        """Bring up where something can be changed, with the keyboard in it."""
        self.workspace.bring_up(place.panel)
        if place.panel == "editor":
            self._editor.go_to(place)
        elif place.panel == "sources":
            self._sources.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def _on_unsaved_changed(self) -> None:
        self._show_state()

    @Slot(bool)
    def _on_writing_changed(self, _is_writing: bool) -> None:
        self._show_state()

    @Slot(str, str)
    def _on_message(self, kind: str, text: str) -> None:
        if kind == "notice":
            self._toast.show_notice(text)

    @Slot(object)
    def _on_theme_changed(self, _tokens: Tokens) -> None:
        self.workspace.follow_scale()

    def _show_available(self) -> None:
        session = self._session
        available = {"vault"} if session.is_open else set()
        if session.selected_id is not None:
            available.add("selected")
        if session.looking.pinned_id is not None:
            available.add("pinned")
        if session.is_open and not session.read_only_reason:
            available.add("writable")
            if session.selected_id is not None:
                available.add("memory")
        if not session.preview.is_empty:
            available.add("preview")
        available |= self._deciding.available | self._going.available
        available |= self._merge.available
        self._actions.set_available(available)

    def _show_state(self) -> None:
        session = self._session
        if self._busy:
            text = self._busy
        elif not session.is_open:
            text = ""
        elif session.is_writing:
            text = tr("Saving…")
        elif not session.preview.is_empty:
            text = tr("Preview: nothing written")
        elif session.unsaved.memory_ids:
            text = format_unsaved(len(session.unsaved.memory_ids))
        elif session.read_only_reason:
            text = tr("Read-only")
        else:
            text = tr("Saved")
        self._status.set_state(text)
        # A write takes the place of what the preview does; all else is said beside it.
        self._preview_bar.set_news(text if session.is_writing else "")
        self._preview_bar.set_aside("" if session.is_writing else self._busy)

    # What the person asks for.

    @Slot(bool)
    def _on_new_memory(self, _checked: bool) -> None:
        self.workspace.bring_up("editor")
        self._editor.start_new()

    @Slot(bool)
    def _on_save(self, _checked: bool) -> None:
        self._editor.save()

    @Slot(bool)
    def _on_link_to(self, _checked: bool) -> None:
        if self._session.selection.is_many:
            self._bulk.open("link")
            return
        self.workspace.bring_up("editor")
        self._editor.start_link()

    @Slot(bool)
    def _on_find(self, _checked: bool) -> None:
        place = self.workspace.spec.find
        self.workspace.bring_up(place)
        if place == "sources":
            self._sources.focus_filter()
        else:
            self._memories.focus_search()

    @Slot(bool)
    def _on_about(self, _checked: bool) -> None:
        places = [(tr("Settings"), str(self._settings.path))]
        if log_file := self._session.messages.log_file:
            places.append((tr("Log"), str(log_file)))
        self._open_dialog(AboutDialog(places, self))

    def _open_dialog(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        # What has no menu of its own passes the event on, up to the window.
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        widget = self.childAt(event.pos()) if by_mouse else self.focusWidget()
        if not self._helping.number_menu.open(widget, event.globalPos()):
            super().contextMenuEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            self._keyed = self.focusWidget()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Qt lets Enter press buttons in dialogs only. Not one that the key itself led to: a
        # field passes Enter on after it did what it is for.
        focus, keyed = self.focusWidget(), self._keyed
        self._keyed = None
        if keyed is not None and focus is not keyed:
            super().keyPressEvent(event)
            return
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and isinstance(focus, QPushButton | QToolButton) and focus.isEnabled():
            if not event.isAutoRepeat():
                focus.click()
            return
        super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            # The window manager puts a frame around it first.
            QTimer.singleShot(0, self.workspace, self.workspace.follow_frame)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.workspace.follow_size()

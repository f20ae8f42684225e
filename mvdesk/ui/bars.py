"""The window's menus and tool bar: made of actions, told what to show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from mvdesk.scoring.builtin import BUILTIN_MODELS
from mvdesk.ui.action_list import TUNE
from mvdesk.ui.deciding_actions import DECIDE
from mvdesk.ui.list_actions import LIST, SELECTED
from mvdesk.ui.theme import applied, is_look_change
from mvdesk.ui.upkeep_actions import UPKEEP
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.model_choice import ModelChoice, name_model
from mvdesk.ui.workspaces import WORKSPACES
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtWidgets import QMenuBar

    from mvdesk.records import Brain
    from mvdesk.ui.action_spec import ActionSpec
    from mvdesk.ui.actions import Actions


def fill_menus(
    bar: QMenuBar, actions: Actions, panels: Iterable[QAction], recent: QMenu, models: QMenu
) -> None:
    """Every action under one of the menus; `panels` switch the docks."""
    file = bar.addMenu(tr("&File"))
    file.addActions([actions["newVault"], actions["openVault"], actions["openDemo"]])
    file.addMenu(recent)
    file.addSeparator()
    file.addActions([actions["backups"], actions["snapshots"]])
    file.addSeparator()
    file.addAction(actions["exportList"])
    file.addSeparator()
    file.addAction(actions["closeVault"])
    file.addSeparator()
    file.addAction(actions["settings"])
    file.addSeparator()
    file.addAction(actions["quit"])
    edit = bar.addMenu(tr("&Edit"))
    edit.addActions([actions["undo"], actions["redo"]])
    edit.addSeparator()
    edit.addActions([actions["newMemory"], actions["save"], actions["linkTo"]])
    edit.addActions([actions["history"], actions["readingView"]])
    edit.addActions([actions[name] for name in ("findInText", "findNext", "findBefore")])
    edit.addSeparator()
    edit.addMenu(_submenu(tr("Selected m&emories"), actions, SELECTED, edit))
    edit.addActions([actions[name] for name in ("copyMemoryLink", "copyRows", "copyRowsCsv")])
    edit.addSeparator()
    searching = ("find", "saveSearch", "manageSearches", "whyFound", "searchHelp")
    edit.addActions([actions[name] for name in searching])
    scores = bar.addMenu(tr("&Scores"))
    scores.addActions([actions["applyPreview"], actions["discardPreview"]])
    views = ("peekBefore", "viewAfter", "viewBefore", "viewSplit")
    scores.addActions([actions[name] for name in views])
    scores.addSeparator()
    names = ("whatIf", "goToChange", "belowZero", "", "byCause", "asTable", "zoomAxis", "")
    told = ("copyExplanation", "exportPicture", "copyPicture")
    for name in (*names, "pin", "swapCompared", "", *told):
        if name:
            scores.addAction(actions[name])
        else:
            scores.addSeparator()
    scores.addSeparator()
    scores.addMenu(models)
    tune = bar.addMenu(tr("&Tune"))
    for spec in TUNE:
        if spec.name in ("whatMoves", "saveTrial"):
            tune.addSeparator()
        tune.addAction(actions[spec.name])
    decide = bar.addMenu(tr("&Decide"))
    decide.addActions([actions[spec.name] for spec in DECIDE])
    upkeep = bar.addMenu(tr("&Upkeep"))
    upkeep.addActions([actions[spec.name] for spec in UPKEEP])
    view = bar.addMenu(tr("&View"))
    view.addActions([actions[f"{workspace.name}Workspace"] for workspace in WORKSPACES])
    view.addSeparator()
    view.addActions(list(panels))
    view.addActions([actions[name] for name in ("nextPanel", "previousPanel", "focusMode")])
    view.addAction(actions["resetLayout"])
    view.addSeparator()
    view.addAction(actions["showArchived"])
    view.addActions([actions["lowForType"], actions["previousLow"], actions["nextLow"]])
    view.addSeparator()
    groups = ("groupNone", "groupSource", "groupType", "collapseGroups", "expandGroups")
    specs = [spec for spec in LIST if spec.name in groups]
    view.addMenu(_submenu(tr("&Group the list"), actions, specs, view))
    view.addActions([actions[name] for name in ("chooseColumns", "compactRows")])
    view.addSeparator()
    look = view.addMenu(tr("&Theme"))
    look.addActions([actions["themeLight"], actions["themeDark"], actions["themeSystem"]])
    look.addSeparator()
    look.addActions([actions["switchTheme"], actions["highContrast"]])
    colors = view.addMenu(tr("Colours of c&harts"))
    colors.addActions([actions[f"palette{name}"] for name in ("Blue", "Purple", "Grey")])
    view.addAction(actions["reduceMotion"])
    view.addActions([actions["largerText"], actions["smallerText"], actions["usualText"]])
    go = bar.addMenu(tr("&Go"))
    going = ("commandPalette", "goToMemory", "goToSavedSearches", "goBack", "goForward", "whyLow")
    go.addActions([actions[name] for name in going])
    help_menu = bar.addMenu(tr("&Help"))
    helping = ("help", "whatNumber", "firstSteps", "shortcuts", "showLog", "about")
    help_menu.addActions([actions[name] for name in helping])
    for menu in bar.findChildren(QMenu):
        menu.setToolTipsVisible(True)


def _submenu(title: str, actions: Actions, specs: Iterable[ActionSpec], parent: QMenu) -> QMenu:
    menu = QMenu(title, parent)
    menu.addActions([actions[spec.name] for spec in specs])
    return menu


_ROOMY_SCALE: Final = 1.25
_LONGEST_ID: Final = max(map(len, BUILTIN_MODELS))


class MainToolBar(QToolBar):
    """Which vault and brain, the usual actions, the model that scores, the theme."""

    brain_chosen = Signal(str)  # brain id
    model_chosen = Signal(str)  # model id

    def __init__(self, actions: Actions, picker_menu: QMenu, parent: QWidget | None = None) -> None:
        super().__init__(tr("Tools"), parent)
        self.setObjectName("mainToolBar")
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._picker = QToolButton()
        self._picker.setObjectName("vaultPicker")
        self._picker.setMenu(picker_menu)
        self._picker.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._picker.setToolTip(tr("The open vault; choose a brain of it, or another vault"))
        self.addWidget(self._picker)
        self._brains = Choice(tr("Brain"))
        self._brains.setObjectName("brainPicker")
        self._brains.setToolTip(tr("Which brain of the vault is shown"))
        self._brains.value_chosen.connect(self.brain_chosen)
        self._brains_action = self.addWidget(self._brains)
        self.addSeparator()
        for name, button_name in (
            ("newMemory", "newMemoryButton"),
            ("save", "saveButton"),
            ("undo", "undoButton"),
            ("redo", "redoButton"),
        ):
            self._add_button(actions[name], button_name)
        self._space = QWidget()
        self._space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(self._space)
        self._model_label = QLabel(tr("Scored by "))
        self._model_label.setTextFormat(Qt.TextFormat.PlainText)
        self._label_action = self.addWidget(self._model_label)
        self._models = ModelChoice()
        self._models.setObjectName("modelPicker")
        self._models.setToolTip(tr("The model that all scores are computed with"))
        self._models.value_chosen.connect(self.model_chosen)
        self._model_label.setBuddy(self._models)
        self.addWidget(self._models)
        self.addSeparator()
        self._add_button(actions["switchTheme"], "themeButton")
        self._restyle()
        self.set_vault("", [], "")

    def set_vault(self, name: str, brains: Sequence[Brain], brain_id: str) -> None:
        """Show the open vault, and its brains where it holds several; "" for none."""
        text = name or tr("No vault")
        self._picker.setText(f"{text}  ▾")
        self._picker.setAccessibleName(tr("Vault: {text}", text=text))
        self._brains.set_choices([(brain.id, brain.name) for brain in brains])
        if brains:
            self._brains.set_value(brain_id)
        self._brains_action.setVisible(len(brains) > 1)
        self._models.setEnabled(bool(name))

    def set_models(self, models: Sequence[tuple[str, str]], model_id: str) -> None:
        """Offer models as (id, title), one of them in use."""
        self._models.set_models(models, model_id)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _add_button(self, action: QAction, name: str) -> None:
        self.addAction(action)
        button = self.widgetForAction(action)
        button.setObjectName(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.text().replace("&", ""))

    def _restyle(self) -> None:
        look = applied()
        self.setIconSize(QSize(look.px(20), look.px(20)))
        # With large text the picker must still fit into the smallest window.
        roomy = look.scale <= _ROOMY_SCALE
        self._label_action.setVisible(roomy)
        self._models.setMinimumContentsLength(_LONGEST_ID if roomy else 20)


class RecentMenu(QMenu):
    """Vaults opened before."""

    path_chosen = Signal(Path)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Open &recent"), parent)
        self.setObjectName("recentMenu")
        self.triggered.connect(self._on_triggered)

    def set_paths(self, paths: Sequence[Path]) -> None:
        self.clear()
        for path in paths:
            action = self.addAction(f"{path.name}  ·  {path.parent}".replace("&", "&&"))
            action.setData(str(path))
            action.setStatusTip(tr("Open {path}.", path=path))
            action.setToolTip(str(path))
        self.setEnabled(bool(paths))

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        self.path_chosen.emit(Path(action.data()))


class ModelMenu(QMenu):
    """The models to score with, one of them in use."""

    model_chosen = Signal(str)

    def __init__(
        self, models: Sequence[tuple[str, str, str]], parent: QWidget | None = None
    ) -> None:
        """`models` are (id, title, description)."""
        super().__init__(tr("Score &model"), parent)
        self.setObjectName("modelMenu")
        group = QActionGroup(self)
        for number, (model_id, title, description) in enumerate(models, start=1):
            action = self.addAction(name_model(model_id, title).replace("&", "&&"))
            action.setObjectName(f"model{number}Action")
            action.setShortcut(f"Ctrl+Alt+{number}")
            action.setCheckable(True)
            action.setData(model_id)
            action.setToolTip(description)
            action.setStatusTip(description)
            action.setWhatsThis(description)
            group.addAction(action)
        self.setToolTipsVisible(True)
        self.triggered.connect(self._on_triggered)

    def set_model(self, model_id: str) -> None:
        for action in self.actions():
            action.setChecked(action.data() == model_id)

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        self.model_chosen.emit(str(action.data()))

"""The settings dialog joined to what the settings are about; export and import of all of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, Slot

from mvdesk.scoring.builtin import BUILTIN_MODELS
from mvdesk.ui.option_list import OPTIONS, Option
from mvdesk.ui.settings import Appearance
from mvdesk.wording import tr

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.dialogs.settings import SettingsDialog
    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.keymap import Keymap
    from mvdesk.ui.option_list import Value
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import Settings
    from mvdesk.ui.settings_file import Read
    from mvdesk.ui.theme import ThemeController

_FILE_NAME: Final = "mvdesk settings.json"
_GROUPS: Final = {"": "groupNone", "source": "groupSource", "type": "groupType"}


class SettingsCommands(QObject):
    """Opens the dialog; every setting goes the way that its own action goes."""

    def __init__(
        self,
        session: VaultSession,
        settings: Settings,
        theme: ThemeController,
        actions: Actions,
        keymap: Keymap,
        files: FileDialogs,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session, self._settings, self._theme = session, settings, theme
        self._actions, self._keymap, self._files = actions, keymap, files
        self._window = window
        self._dialog: SettingsDialog | None = None
        actions["settings"].triggered.connect(self._on_open)
        theme.changed.connect(self._on_changed)
        session.vault_opened.connect(self._on_vault_changed)
        session.vault_closed.connect(self._on_vault_changed)

    def let_go(self) -> None:
        """Stop following the theme, which outlives the window."""
        self._theme.changed.disconnect(self._on_changed)

    def options(self) -> list[Option]:
        """All settings, joined to what they set."""
        return [self._option(number) for number in range(len(OPTIONS))]

    def _option(self, number: int) -> Option:
        spec = OPTIONS[number]
        if spec.key == "vault.model":
            models = tuple((model.id, model.id) for model in BUILTIN_MODELS.values())
            spec = replace(spec, choices=models)
        return Option(spec, partial(self._read, spec.key), partial(self._write, spec.key))

    def _read(self, key: str) -> Value:
        group, _, name = key.partition(".")
        if group == "appearance":
            return cast("Value", getattr(Appearance.of(self._theme), name))
        if key == "list.compact":
            return self._actions["compactRows"].isChecked()
        if key == "list.group":
            return self._settings.read_list_look().group
        if key == "start.language":
            return self._settings.read_language()
        if key == "start.reopen":
            return self._settings.read_reopen()
        if key == "vault.model":
            return self._session.model.id
        return self._session.threshold

    def _write(self, key: str, value: Value) -> None:
        group, _, name = key.partition(".")
        if group == "appearance":
            wanted = replace(Appearance.of(self._theme), **{name: value})  # type: ignore[arg-type]
            wanted.put_on(self._theme)
            self._settings.write_appearance(wanted)
        elif key == "list.compact":
            self._actions["compactRows"].setChecked(bool(value))
        elif key == "list.group":
            self._actions[_GROUPS[str(value)]].trigger()
            look = self._settings.read_list_look()
            self._settings.write_list_look(replace(look, group=str(value)))
        elif key == "start.language":
            self._settings.write_language(str(value))
        elif key == "start.reopen":
            self._settings.write_reopen(bool(value))
        elif self._session.is_open and key == "vault.model":
            self._session.set_model(str(value))
        elif self._session.is_open:
            self._session.set_threshold(float(value))

    # The dialog.

    @Slot(bool)
    def _on_open(self, _checked: bool) -> None:
        # Late, for start-up time: most sessions never open it.
        from mvdesk.ui.dialogs.settings import SettingsDialog

        if self._dialog is None:
            dialog = self._dialog = SettingsDialog(
                self.options(), is_open=self._session.is_open, parent=self._window
            )
            dialog.finished.connect(self._on_finished)
            dialog.export_requested.connect(self._on_export)
            dialog.import_requested.connect(self._on_import)
            dialog.keys_requested.connect(self._actions["shortcuts"].trigger)
        self._dialog.show()
        self._dialog.activateWindow()

    @Slot(int)
    def _on_finished(self, _result: int) -> None:
        self._dialog = None

    @Slot(object)
    def _on_changed(self, _tokens: object) -> None:
        if self._dialog is not None:
            self._dialog.show_values()

    @Slot()
    def _on_vault_changed(self) -> None:
        """The settings of another vault: shown anew when asked for."""
        if self._dialog is not None:
            self._dialog.reject()

    # Files.

    @Slot()
    def _on_export(self) -> None:
        # Late, for start-up time: most sessions never do this.
        from mvdesk.ui.settings_file import format_settings

        path = self._files.ask_settings(self._dialog or self._window, _FILE_NAME)
        if path is None:
            return
        values = {
            option.spec.key: option.read()
            for option in self.options()
            if not option.spec.is_of_vault
        }
        text = format_settings(values, self._keymap.changes())
        work = partial(_write_file, path, text)
        self._session.jobs.run("settings", work, partial(self._on_exported, path))

    def _on_exported(self, path: Path, error: str) -> None:
        # Late, for start-up time: most sessions never do this.
        from mvdesk.ui.settings_file import BadSettings

        if error:
            self._session.messages.error(
                BadSettings(
                    tr("The settings could not be saved to {name}.", name=path.name),
                    tr("They are as they were."),
                    tr("Choose a folder that can be written."),
                    error,
                )
            )
        else:
            self._session.messages.notice(tr("Settings saved to {name}.", name=path.name))

    @Slot()
    def _on_import(self) -> None:
        path = self._files.ask_settings_in(self._dialog or self._window)
        if path is None:
            return
        work = partial(_read_file, path, self._keymap.names())
        self._session.jobs.run("settings", work, partial(self._on_read, path))

    def _on_read(self, path: Path, found: Read | Exception) -> None:
        if isinstance(found, Exception):
            self._session.messages.report(found)
            return
        values, keys = found
        # Everything was looked at before; from here on nothing can be refused.
        look = {
            key.partition(".")[2]: value
            for key, value in values.items()
            if key.startswith("appearance.")
        }
        if look:
            wanted = replace(Appearance.of(self._theme), **look)  # type: ignore[arg-type]
            wanted.put_on(self._theme)
            self._settings.write_appearance(wanted)
        for key, value in values.items():
            if not key.startswith("appearance."):
                self._write(key, value)
        self._keymap.replace(keys)
        if self._dialog is not None:
            self._dialog.show_values()
        count = len(values) + len(keys)
        self._session.messages.notice(
            tr("{count} settings of {name} are used now.", count=count, name=path.name)
        )


def _write_file(path: Path, text: str, _token: CancelToken) -> str:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        return str(error)
    return ""


def _read_file(path: Path, names: frozenset[str], _token: CancelToken) -> Read | Exception:
    # Late, for start-up time: most sessions never do this.
    from mvdesk.errors import VaultError
    from mvdesk.ui.keymap import refuse_key
    from mvdesk.ui.settings_file import read_settings

    def refuse(name: str, key: str) -> str:
        return refuse_key(key) if name in names else tr("no such action")

    try:
        return read_settings(path, refuse)
    except VaultError as error:
        return error

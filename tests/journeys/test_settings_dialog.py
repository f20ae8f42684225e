"""Settings: searched, applied at once, exported and imported as a whole or not at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPushButton, QWidget

from mvdesk.ui.option_list import OPTIONS
from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.choice import Choice

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from mvdesk.ui.settings import Settings
    from tests.fakes import FakeFileDialogs

Part = TypeVar("Part", bound=QWidget)


def opened(desk: Desk) -> QDialog:
    action = desk.window.findChild(QAction, "settingsAction")
    assert isinstance(action, QAction)
    action.trigger()
    return desk.window.findChildren(QDialog, "settingsDialog")[-1]  # one may be going


def part(parent: QWidget, kind: type[Part], name: str) -> Part:
    found = parent.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def pick(dialog: QDialog, name: str, value: str) -> None:
    """Choose with the keyboard, as a person would."""
    choice = part(dialog, Choice, name)
    choice.setFocus()
    for _ in range(choice.count()):
        QTest.keyClick(choice, Qt.Key.Key_Up)
    for _ in range(choice.findData(value)):
        QTest.keyClick(choice, Qt.Key.Key_Down)
    assert choice.chosen == value


def test_every_setting_has_a_name_a_sentence_and_a_control(desk: Desk) -> None:
    dialog = opened(desk)
    for spec in OPTIONS:
        assert spec.help.endswith("."), spec.key
        name = "setting" + spec.key.replace(".", " ").title().replace(" ", "")
        control = part(dialog, QWidget, name)
        assert control.accessibleName() == spec.title
        assert control.accessibleDescription() == spec.help
        assert control.isEnabled() != spec.is_of_vault  # no vault is open
    dialog.reject()


def test_what_is_chosen_is_applied_and_kept_at_once(desk: Desk, settings: Settings) -> None:
    dialog = opened(desk)
    pick(dialog, "settingAppearanceTheme", "dark")
    assert applied().tokens.name == "dark"
    pick(dialog, "settingAppearancePalette", "greyscale")
    assert applied().tokens.is_hatched
    pick(dialog, "settingAppearanceContrast", "high")
    assert applied().tokens.is_high_contrast
    pick(dialog, "settingAppearanceScale", "1.25")
    assert applied().scale == 1.25
    look = settings.read_appearance()
    assert (look.theme, look.palette, look.contrast, look.scale) == (
        *("dark", "greyscale", "high"),
        1.25,
    )
    box = part(dialog, CheckBox, "settingStartReopen")
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert settings.read_reopen()
    # What is changed elsewhere is shown here.
    action = desk.window.findChild(QAction, "themeLightAction")
    assert isinstance(action, QAction)
    action.trigger()
    assert part(dialog, Choice, "settingAppearanceTheme").chosen == "light"
    dialog.reject()


def test_what_belongs_to_a_vault_is_marked_and_kept_with_it(qtbot: QtBot, open_desk: Desk) -> None:
    dialog = opened(open_desk)
    marks = [label.text() for label in dialog.findChildren(QLabel, "settingOfVault")]
    assert marks == ["kept with the vault"] * sum(spec.is_of_vault for spec in OPTIONS)
    pick(dialog, "settingVaultModel", "memoryvault-dynamic-v2")
    qtbot.waitUntil(lambda: open_desk.session.model.id == "memoryvault-dynamic-v2")
    pick(dialog, "settingVaultThreshold", "0.5")
    assert open_desk.session.threshold == 0.5
    path = open_desk.session.vault.path
    companion = open_desk.session.vault.companion
    qtbot.waitUntil(lambda: bool(companion.read_settings("threshold/")))
    assert list(companion.read_settings("threshold/").values()) == [0.5]
    dialog.reject()
    open_desk.session.close_vault()
    open_desk.window.open_vault(path)
    qtbot.waitUntil(lambda: open_desk.session.is_open and open_desk.session.threshold == 0.5)
    assert open_desk.session.model.id == "memoryvault-dynamic-v2"


def test_searching_leaves_what_has_the_words(qtbot: QtBot, desk: Desk) -> None:
    dialog = opened(desk)
    qtbot.waitUntil(dialog.isVisible)
    field = part(dialog, QLineEdit, "settingsSearch")
    QTest.keyClicks(field, "hatch")
    shown = [
        spec.key
        for spec in OPTIONS
        if part(
            dialog, QWidget, "setting" + spec.key.replace(".", " ").title().replace(" ", "")
        ).isVisible()
    ]
    assert shown == ["appearance.palette"]
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert dialog.focusWidget() is part(dialog, Choice, "settingAppearancePalette")
    field.setText("blockchain")
    assert "No setting has “blockchain”." in part(dialog, QLabel, "settingsSaid").text()
    dialog.reject()


def export(qtbot: QtBot, desk: Desk, files: FakeFileDialogs, path: Path) -> None:
    dialog = opened(desk)
    files.answer = path
    part(dialog, QPushButton, "settingsExport").click()
    qtbot.waitUntil(lambda: path.exists() and desk.session.jobs.is_idle())
    dialog.reject()


def bring(qtbot: QtBot, desk: Desk, files: FakeFileDialogs, path: Path) -> None:
    dialog = opened(desk)
    files.answer = path
    part(dialog, QPushButton, "settingsImport").click()
    qtbot.waitUntil(desk.session.jobs.is_idle)
    dialog.reject()


def test_exported_settings_are_the_same_after_an_import(
    qtbot: QtBot, desk: Desk, files: FakeFileDialogs, settings: Settings, tmp_path: Path
) -> None:
    dialog = opened(desk)
    pick(dialog, "settingAppearanceTheme", "dark")
    pick(dialog, "settingAppearanceScale", "1.1")
    pick(dialog, "settingListGroup", "source")
    part(dialog, CheckBox, "settingListCompact").click()
    dialog.reject()
    settings.write_shortcuts({"save": ("F7",)})
    path = tmp_path / "mine.json"
    export(qtbot, desk, files, path)
    written = json.loads(path.read_text())
    assert written["appearance"]["theme"] == "dark"
    assert written["appearance"]["scale"] == 1.1
    assert "vault" not in written
    written["keys"] = {"save": ["F7"]}
    path.write_text(json.dumps(written))
    dialog = opened(desk)
    pick(dialog, "settingAppearanceTheme", "light")
    pick(dialog, "settingListGroup", "")
    part(dialog, CheckBox, "settingListCompact").click()
    dialog.reject()
    bring(qtbot, desk, files, path)
    assert applied().tokens.name == "dark"
    assert settings.read_list_look().compact
    assert settings.read_list_look().group == "source"
    assert settings.read_shortcuts() == {"save": ("F7",)}
    action = desk.window.findChild(QAction, "saveAction")
    assert isinstance(action, QAction)
    assert action.shortcut().toString() == "F7"


BAD = {
    "not JSON": ('{"kind": "mvdesk settings",\n  "version": }', "line 2, column 14"),
    "another file": ('{"memories": []}', "holds no settings of mvdesk"),
    "a list": ("[]", "holds no settings of mvdesk"),
    "newer": ('{"kind": "mvdesk settings", "version": 9}', "another version"),
    "a wrong value": (
        '{"kind": "mvdesk settings", "version": 1, "appearance": '
        '{"theme": "dark", "scale": 9, "palette": "pastel"}}',
        "has 2 mistakes: appearance.scale: expected a number from 0.85 to 1.6, not 9.",
    ),
    "an unknown setting": (
        '{"kind": "mvdesk settings", "version": 1, "appearance": {"theme": "dark", "sparkle": 1}}',
        "appearance.sparkle: no such setting",
    ),
    "a key of two": (
        '{"kind": "mvdesk settings", "version": 1, "appearance": {"theme": "dark"}, '
        '"keys": {"save": ["F7"], "find": ["F7"]}}',
        "keys.find: F7 is the key of save, too",
    ),
    "a key that is needed": (
        '{"kind": "mvdesk settings", "version": 1, "keys": {"save": ["Ctrl+C"]}}',
        "keys.save: Ctrl+C copies",
    ),
    "an unknown action": (
        '{"kind": "mvdesk settings", "version": 1, "keys": {"fly": ["F7"]}}',
        "keys.fly: no such action",
    ),
    "keys of another kind": (
        '{"kind": "mvdesk settings", "version": 1, "appearance": {"theme": "dark"}, "keys": [1]}',
        "keys: expected",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_told_with_its_place_and_changes_nothing(
    qtbot: QtBot,
    desk: Desk,
    files: FakeFileDialogs,
    settings: Settings,
    tmp_path: Path,
    name: str,
) -> None:
    text, expected = BAD[name]
    path = tmp_path / "bad.json"
    path.write_text(text)
    before = settings.read_appearance()
    said: list[str] = []
    desk.session.messages.shown.connect(lambda _kind, text: said.append(text))
    bring(qtbot, desk, files, path)
    assert len(said) == 1
    assert expected in said[0]
    assert "No setting was changed." in said[0]
    assert settings.read_appearance() == before
    assert settings.read_shortcuts() == {}
    assert applied().tokens.name == "light"
    for dialog in desk.window.findChildren(QDialog):
        dialog.reject()

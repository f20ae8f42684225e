"""The window in a language that nobody speaks, as a process of its own; prints JSON.

    python -m tests.journeys.pseudo_window FOLDER

The language is spoken before any module with texts is imported. The vault is the demo with letters
of another script, so that whatever is written in Latin letters without accents is a text that
isn't translated. Numbers have a comma. FOLDER is for all files.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.app import Desk

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT: Final = Path(__file__).resolve().parents[2]
NOW: Final = 1_796_029_200
SIZE: Final = (1024, 680)
_OTHER_SCRIPT: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "абцдефгхийклмнопкрстувжхызАБЦДЕФГХИЙКЛМНОПКРСТУВЖХЫЗ",
) | {ord("."): "·"}
_ROWS: Final = 6


def main(folder: Path) -> None:
    from PySide6.QtCore import QLocale

    from mvdesk.ui.language import choose_language

    make_language(folder / "language")
    locale = QLocale(QLocale.Language.French)
    assert choose_language("xx", folder / "language", locale=locale)
    print(json.dumps(look(folder), ensure_ascii=False))


def make_language(folder: Path) -> None:
    sys.path.insert(0, str(ROOT / "packaging"))
    from translations import make_pseudo

    make_pseudo(folder)


def look(folder: Path) -> dict[str, Any]:
    """Every text that stayed English, and every one that is cut, with where it stands."""
    from PySide6.QtCore import QSettings
    from PySide6.QtTest import QTest

    from mvdesk.ui.app import make_application, make_desk
    from mvdesk.ui.settings import FirstSteps, Settings
    from mvdesk.ui.theme import ThemeController
    from mvdesk.vault.demo import demo_id, write_demo
    from tests.fakes import FakeFileDialogs
    from tests.journeys.fitting_walk import settle

    vault = folder / "демо.sqlite"
    write_demo(vault, now=NOW)
    write_in_another_script(vault)
    app = make_application()
    theme = ThemeController()
    theme.set_reduced_motion(True)
    theme.apply(app)
    settings = Settings(QSettings(str(folder / "mvdesk.ini"), QSettings.Format.IniFormat))
    settings.write_first_steps(FirstSteps(dismissed=True))
    desk = make_desk(
        app,
        settings,
        folder / "data",
        theme=theme,
        files=FakeFileDialogs(),  # type: ignore[arg-type]
        clock=lambda: NOW,
    )
    search = Search(desk, folder)
    desk.window.resize(*SIZE)
    desk.window.show()
    desk.window.resize(*SIZE)
    search.look("start page", desk.window)
    desk.session.open_vault(vault)
    while not desk.session.is_open:
        QTest.qWait(5)
    settle(desk)
    desk.session.select(demo_id("battery-two-seasons"))
    sources = desk.session.snapshot.sources.keys
    search.tour(dict.fromkeys(sources[:3], 0.9))
    found = {"english": search.english, "cut": search.cut, "texts": search.texts}
    found["csv"] = copied_rows(desk)
    found["stored"] = written_texts(desk, vault)
    desk.session.shut_down()
    desk.window.close()
    return found


def copied_rows(desk: Desk) -> str:
    """The selected row as an export has it."""
    from PySide6.QtGui import QAction, QGuiApplication

    from tests.journeys.fitting_walk import settle

    desk.window.workspace.show("memories")
    settle(desk)
    action = desk.window.findChild(QAction, "copyRowsCsvAction")
    assert isinstance(action, QAction)
    action.trigger()
    settle(desk)
    return QGuiApplication.clipboard().text()


def written_texts(desk: Desk, vault: Path) -> list[str]:
    """Texts of that language in the vault, once trust was applied, undone and applied again."""
    from PySide6.QtGui import QAction
    from PySide6.QtTest import QTest

    from tests.journeys.fitting_walk import settle

    desk.session.set_preview({desk.session.snapshot.sources.keys[0]: 0.91})
    settle(desk)
    for name in ("applyPreview", "undo", "redo"):
        action = desk.window.findChild(QAction, f"{name}Action")
        assert isinstance(action, QAction)
        for _ in range(400):
            QTest.qWait(5)
            if action.isEnabled():
                break
        assert action.isEnabled(), name
        action.trigger()
        settle(desk)
    while desk.session.is_writing:
        QTest.qWait(5)
    link = sqlite3.connect(vault)
    tables = [name for (name,) in link.execute("SELECT name FROM sqlite_master WHERE type='table'")]
    rows = [row for table in tables for row in link.execute(f'SELECT * FROM "{table}"')]
    steps = link.execute("SELECT count(*) FROM memory_changelog WHERE payload LIKE '%0.91%'")
    assert steps.fetchone()[0] >= 3
    link.close()
    return [str(row) for row in rows if "⟦" in str(row)]


def write_in_another_script(vault: Path) -> None:
    """Words that score stay as they are, or there would be no evidence of them."""
    kept = re.compile("|".join(sorted(map(re.escape, scoring_words()), key=len, reverse=True)))

    def other(text: str | None) -> str | None:
        if text is None:
            return None
        parts = re.split(f"({kept.pattern})", text)
        return "".join(p if kept.fullmatch(p) else p.translate(_OTHER_SCRIPT) for p in parts)

    def other_payload(text: str | None) -> str | None:
        def turn(value: object) -> object:
            if isinstance(value, dict):
                return {k: v if k in ("type", "id") else turn(v) for k, v in value.items()}
            if isinstance(value, list):
                return [turn(one) for one in value]
            is_text = isinstance(value, str) and not re.fullmatch(r"[0-9a-f-]{30,}", value)
            return other(value) if is_text else value  # type: ignore[arg-type]

        return json.dumps(turn(json.loads(text))) if text else text

    link = sqlite3.connect(vault)
    link.create_function("other", 1, other)
    link.create_function("other_payload", 1, other_payload)
    link.execute(
        "UPDATE memories SET title = other(title), key = other(key), content = other(content), "
        "tags = other(tags), source = other(source)"
    )
    link.execute("UPDATE brain_source_trust SET source_key=other(source_key), notes=other(notes)")
    link.execute("UPDATE memory_links SET label = other(label)")
    link.execute("UPDATE brains SET name = other(name)")
    link.execute("UPDATE memory_changelog SET payload = other_payload(payload)")
    link.commit()
    link.close()


def scoring_words() -> set[str]:
    from mvdesk.scoring.builtin import BUILTIN_MODELS

    words: set[str] = set()
    for model in BUILTIN_MODELS.values():
        lists = model.keywords
        words |= {*lists.certainty, *lists.hedge, *lists.importance}
        words |= {*lists.high_source, *lists.low_source}
    return words


class Search:
    """Goes through the window and notes what it finds."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk, self._folder = desk, str(folder)
        self.english: dict[str, str] = {}  # text: where
        self.cut: dict[str, str] = {}
        self.texts = 0
        # Names and keys that are the same in every language, and data.
        allowed = {word for words in scoring_words() for word in words.split()}
        self._allowed = allowed | set(ALLOWED)

    def tour(self, trusts: dict[str, float]) -> None:
        """Everywhere; told is what is in a window when it is left, painted what is seen."""
        from tests.journeys.fitting_walk import places

        told_of: set[str] = set()
        for place, top in places(self.desk, trusts):
            part = place.partition("/")[0]
            self.look(place, top, with_told=part not in told_of or "preview" in place)
            told_of.add(part)

    def look(self, where: str, top: QWidget, *, with_told: bool = True) -> None:
        from tests.ui.fitting import find_misfits

        if with_told:
            for place, text in told(top):
                self._note(text, f"{where}: {place}")
        for text in painted(top):
            self._note(text, f"{where}: painted")
        for misfit in find_misfits(top):
            if ": the heading " not in misfit:  # shortened, and whole in its tool tip
                self.cut.setdefault(misfit, where)

    def _note(self, text: str, where: str) -> None:
        self.texts += 1
        if where.startswith(_LEFT_ENGLISH) or text in _SAID_BY_THE_WALK:
            return
        plain = re.sub(r"<[^>]*>|&(?=\w)", "", text.replace(self._folder, ""))
        plain = _DATA.sub("", plain)
        if words := [w for w in re.findall(r"[A-Za-z]{2,}", plain) if w not in self._allowed]:
            self.english.setdefault(text, f"{where} ({' '.join(words[:4])})")
        elif re.search(r"\d\.\d", plain):
            self.english.setdefault(text, f"{where} (a number with a dot)")


_DATA: Final = re.compile(
    r"memoryvault-dynamic-v\d(-server)?|\bm\w*(-\w*)*…|\b\d+\.\d+\.\d+\b|\.?sqlite\b|\.ini\b"
    r"|^Export(\.\.\.)?$|^Appuyez sur .*"
)
"""Names of models, versions and files; what pyqtgraph has in a menu that is never shown; Qt."""
_LEFT_ENGLISH: Final = (
    "help: painted", "help: QListWidget helpPages", "help: HelpView",  # documents of their own
    "searchHelp: painted", "searchHelp: TableView searchHelpTable cell 0",  # to be typed like this
    "about: painted",  # paths that are broken into lines; the label tells the same
)  # fmt: skip
ALLOWED: Final = (
    "mvdesk", "note", "fact", "journal", "PDF", "OK", "Annuler", "Fermer",
    "Ctrl", "Maj", "Retour", "chap", "Suppr", "Haut", "Bas", "Shift", "Alt", "Esc", "Enter",
    "Return", "Del", "Space", "Tab", "Home", "End", "PgUp", "PgDown", "Up", "Down", "Left",
    "Right", "Backspace", "Ins",
)  # fmt: skip
_SAID_BY_THE_WALK: Final = (
    "Another program is writing to this vault.",
    "Nothing was written; your changes are kept here.",
    "Try again once it is done.",
    "Another program is writing to this vault. Nothing was written; your changes are kept here. "
    "Try again once it is done.",
)


def told(top: QWidget) -> Iterator[tuple[str, str]]:
    """What the widgets say, shown or not: texts, tips, names for screen readers, menus."""
    from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

    yield "title", top.windowTitle()
    for action in top.findChildren(QAction):
        place = action.objectName() or "action"
        if place.startswith("qt_"):
            continue
        for text in (action.text(), action.toolTip(), action.statusTip(), action.whatsThis()):
            yield place, text.partition("\t")[0]
    for widget in [top, *top.findChildren(QWidget)]:
        place = f"{type(widget).__name__} {widget.objectName()}"
        if widget.objectName().startswith(("qt_", "Scroll")):
            continue
        for name in ("text", "title", "placeholderText", "prefix", "suffix", "specialValueText"):
            say = getattr(widget, name, None)
            if callable(say) and type(widget).__name__ not in ("QLineEdit",):
                try:
                    text = say()
                except TypeError:
                    continue
                if isinstance(text, str):
                    yield f"{place}.{name}", text
        yield f"{place} tip", widget.toolTip()
        yield f"{place} name", widget.accessibleName()
        yield f"{place} description", widget.accessibleDescription()
        is_view = isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView)
        if is_view and widget.isVisible() and widget.model() is not None:
            model: QAbstractItemModel = widget.model()
            columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
            for column in range(columns):
                for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                    said = model.headerData(column, Qt.Orientation.Horizontal, role)
                    if isinstance(said, str):
                        yield f"{place} header", said
            for row in range(min(model.rowCount(), _ROWS)):
                for column in range(columns):
                    index = model.index(row, column, QModelIndex())
                    for role in (
                        Qt.ItemDataRole.DisplayRole,
                        Qt.ItemDataRole.ToolTipRole,
                        Qt.ItemDataRole.AccessibleTextRole,
                    ):
                        said = index.data(role)
                        if isinstance(said, str):
                            yield f"{place} cell {column}", said


def painted(top: QWidget) -> Iterator[str]:
    """What is painted, by whatever: the window as a drawing whose texts can be read."""
    from PySide6.QtCore import QBuffer, QPoint, QRect
    from PySide6.QtGui import QPainter
    from PySide6.QtSvg import QSvgGenerator

    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.ReadWrite)
    drawing = QSvgGenerator()
    drawing.setOutputDevice(buffer)
    drawing.setSize(top.size())
    drawing.setViewBox(QRect(QPoint(), top.size()))
    with QPainter(drawing) as painter:
        top.render(painter, QPoint())
    content = bytes(buffer.data().data()).decode()
    content = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", content)
    for element in ET.fromstring(content).iter("{http://www.w3.org/2000/svg}text"):
        yield "".join(element.itertext()).strip()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

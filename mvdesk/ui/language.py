"""The language of the window, and the signs of its numbers.

Texts are translated where they stand, constants as their module is imported: so the language is
chosen before that, and another choice is seen at the next start. Commands have none of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

from mvdesk.assets import resource_path
from mvdesk.wording import LookUp, speak

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QCoreApplication

CONTEXT: Final = "mvdesk"
SYSTEM: Final = ""
ENGLISH: Final = "en"
_PREFIX: Final = "mvdesk_"
_KEPT_TEXTS: Final = 8192


def find_languages(folder: Path | None = None) -> tuple[str, ...]:
    """The codes of the languages that there are translations for, such as "de"; sorted."""
    files = (folder or _usual_folder()).glob(f"{_PREFIX}*.qm")
    return tuple(sorted(file.stem.removeprefix(_PREFIX) for file in files))


def name_language(code: str) -> str:
    """What speakers of a language call it."""
    name = QLocale(code).nativeLanguageName()
    return f"{name[:1].upper()}{name[1:]}" or code


def choose_language(
    code: str, folder: Path | None = None, *, locale: QLocale | None = None
) -> bool:
    """Speak a language of `find_languages`, ENGLISH, or SYSTEM: that of the desktop if known.

    `locale` has the signs and dates, usually those of the language or the desktop. Call it
    before any module with texts is imported. False when all stays English.
    """
    locale = locale or (QLocale.system() if code == SYSTEM else QLocale(code))
    QLocale.setDefault(locale)
    translator = QTranslator()
    places = str(folder or _usual_folder())
    if code == SYSTEM:
        is_there = _prefers_other(locale) and translator.load(locale, "mvdesk", "_", places)
    else:
        is_there = code != ENGLISH and translator.load(f"{_PREFIX}{code}", places)
    speak(_reader(translator) if is_there else None, _signs(locale))
    return is_there


def translate_qt(app: QCoreApplication) -> None:
    """Qt's own texts, too: buttons of dialogs, menus of text fields."""
    if speaks_english():
        return
    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(QLocale(), "qtbase", "_", folder):
        app.installTranslator(translator)


def speaks_english() -> bool:
    """Whether dates have the form that they have in English."""
    return QLocale().language() in (QLocale.Language.C, QLocale.Language.English)


def _usual_folder() -> Path:
    return resource_path("translations")


def _prefers_other(locale: QLocale) -> bool:
    """English before all others needs no file, whatever comes after it in the list."""
    return not locale.uiLanguages()[0].startswith(("en", "C"))


def _signs(locale: QLocale) -> dict[str, str] | None:
    signs = {".": locale.decimalPoint(), ",": locale.groupSeparator()}
    return None if signs == {".": ".", ",": ","} else signs


def _reader(translator: QTranslator) -> LookUp:
    @lru_cache(_KEPT_TEXTS)
    def look_up(template: str, count: int = -1, /) -> str:
        return translator.translate(CONTEXT, template, "", count)

    return look_up

"""Lists the texts of mvdesk for translators, and makes the files that mvdesk reads.

    translations.py update CODE…     resources/translations/mvdesk_CODE.ts: new texts are added
    translations.py release          the .qm file of each .ts file
    translations.py pseudo FOLDER    a language that nobody speaks, to see what has no translation

Texts are the literals given to `tr` and `tr_n`, and what the lists of actions say.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import PySide6

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT: Final = Path(__file__).resolve().parents[1]
TRANSLATIONS: Final = ROOT / "resources" / "translations"
CONTEXT: Final = "mvdesk"
PSEUDO: Final = "xx"
_TEXTS_OF: Final = {"ActionSpec": ((1, "text"), (3, "help")), "ColumnSpec": ((2, "title"),)}
"""Classes that translate some of what they are given."""
_LONGER: Final = 1.4
_KEPT: Final = re.compile(r"\{[^}]*\}|<[^>]*>|\([^)]*\*[^)]*\)|\t.*|&(?=\w)|&&")
_PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED: Final = "áƀçđéƒĝĥíĵķĺɱñóƥɋŕšťúṽŵẋýžÁɃÇĐÉƑĜĤÍĴĶĹṀÑÓƤɊŔŠŤÚṼŴẊÝŽ"
_ACCENTS: Final = str.maketrans(_PLAIN, _ACCENTED)


@dataclass
class Text:
    """One text: `one` is the English form for a count of one, "" for a text without a count."""

    source: str
    one: str
    places: list[str]


def find_texts(package: Path) -> dict[str, Text]:
    """All texts by their English form, in the order of the files."""
    texts: dict[str, Text] = {}
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package.parent).as_posix()
        for source, one in _texts_of(ast.parse(path.read_text(encoding="utf-8"))):
            text = texts.setdefault(source, Text(source, one, []))
            text.one = text.one or one
            text.places.append(place)
    return texts


def _texts_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", "")
        if name == "tr" and node.args and (text := _literal(node.args[0])):
            yield text, ""
        elif name == "tr_n" and (many := _literal(node.args[1])):
            yield many, _literal(node.args[0])
        elif name in _TEXTS_OF:
            named = {word.arg: word.value for word in node.keywords}
            for position, keyword in _TEXTS_OF[name]:
                given = node.args[position] if len(node.args) > position else named.get(keyword)
                if given is not None and (text := _literal(given)):
                    yield text, ""


def _literal(node: ast.expr) -> str:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if is_text else ""  # type: ignore[attr-defined]


def write_file(
    path: Path, language: str, texts: dict[str, Text], say: Callable[[Text], list[str]]
) -> None:
    """A .ts file. `say` gives the translation, two or more forms for a text with a count."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    for text in texts.values():
        message = ET.SubElement(context, "message", {"numerus": "yes"} if text.one else {})
        ET.SubElement(message, "source").text = text.source
        places = ", ".join(sorted(set(text.places))[:5])
        comment = f"for a count of one: {text.one} ({places})" if text.one else places
        ET.SubElement(message, "extracomment").text = comment
        said = say(text)
        translation = ET.SubElement(message, "translation")
        if not any(said):
            translation.set("type", "unfinished")
        if not text.one:
            translation.text = said[0] if said else ""
        for form in said if text.one else ():
            ET.SubElement(translation, "numerusform").text = form
    ET.indent(root, " ")
    body = ET.tostring(root, encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', "utf-8")


def read_file(path: Path) -> dict[str, list[str]]:
    """What is translated in a .ts file, by the English form."""
    done: dict[str, list[str]] = {}
    for message in ET.parse(path).iter("message") if path.exists() else ():
        translation = message.find("translation")
        if translation is not None:
            forms = [form.text or "" for form in translation.iter("numerusform")]
            done[message.findtext("source", "")] = forms or [translation.text or ""]
    return done


def update(codes: list[str]) -> None:
    """Texts that are no more are dropped with their translations: the repository has them."""
    texts = find_texts(ROOT / "mvdesk")
    for code in codes:
        path = TRANSLATIONS / f"mvdesk_{code}.ts"
        done = read_file(path)
        write_file(path, code, texts, lambda text, done=done: done.get(text.source, []))
        missing = sum(not any(done.get(source, [])) for source in texts)
        print(f"{path.name}: {len(texts):,} texts, {missing:,} to translate")


def release(folder: Path) -> None:
    """Make the .qm file of every .ts file in a folder."""
    program = Path(PySide6.__file__).parent / (
        "lrelease.exe" if sys.platform == "win32" else "lrelease"
    )
    for path in sorted(folder.glob("*.ts")):
        subprocess.run([str(program), "-silent", str(path)], check=True)


def make_pseudo(folder: Path) -> None:
    """Write the language and its .qm file: every letter accented, 40 % longer, in brackets."""
    folder.mkdir(parents=True, exist_ok=True)

    def say(text: Text) -> list[str]:
        return [stretch(text.one), stretch(text.source)] if text.one else [stretch(text.source)]

    path = folder / f"mvdesk_{PSEUDO}.ts"
    write_file(path, "en", find_texts(ROOT / "mvdesk"), say)
    release(folder)


def stretch(text: str) -> str:
    """A text in the language that nobody speaks; spaces at its ends and places stay."""
    core = text.strip()
    before, _, after = text.partition(core) if core else (text, "", "")
    letters, missing = [], 0.0
    for part in re.split(f"({_KEPT.pattern})", core):
        if _KEPT.fullmatch(part):
            letters.append(part)
            continue
        for letter in re.sub(r"(?<=\d)\.(?=\d)", ",", part):
            letters.append(letter.translate(_ACCENTS))
            missing += _LONGER - 1
            if missing >= 1 and letter.isalpha():
                letters.append(letter.lower().translate(_ACCENTS))
                missing -= 1
    said = "".join(letters)
    tail = said.find("\t")  # the key in a menu
    return (
        f"{before}⟦{said[:tail]}⟧{said[tail:]}{after}" if tail >= 0 else f"{before}⟦{said}⟧{after}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("update").add_argument("codes", nargs="+", metavar="CODE")
    commands.add_parser("release")
    commands.add_parser("pseudo").add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.command == "update":
        update(given.codes)
    elif given.command == "release":
        release(TRANSLATIONS)
    else:
        make_pseudo(given.folder)


if __name__ == "__main__":
    main()

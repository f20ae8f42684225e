"""Saying something in another language."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk.wording import format_number, format_short, speak, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
WORDS = {
    "{count:,} links to {name}": "zu {name} {count:,} Verweise",
    "{share:.2f} of it": "davon {share:.2f}",
    "{lost} is lost": "{gone} ist weg",
    "odd {size}": "{size.x} {0}",
}


def look_up(template: str, count: int = -1, /) -> str:
    if template == "{n:,} memories":
        return {1: "{n:,} Erinnerung", 2: "{n:,} zwei"}.get(count, "{n:,} Erinnerungen")
    return WORDS.get(template, "")


@pytest.fixture
def german() -> Iterator[None]:
    speak(look_up, {".": ",", ",": "."})
    yield
    speak(None)


def test_without_a_language_all_is_english() -> None:
    assert tr("{count:,} links to {name}", count=1234, name="x") == "1,234 links to x"
    assert tr("100 {percent}") == "100 {percent}"
    assert tr_n("1 memory", "{n:,} memories", 1, n=1) == "1 memory"
    assert tr_n("1 memory", "{n:,} memories", 1200, n=1200) == "1,200 memories"
    assert format_number(1234.5, ",.2f") == "1,234.50"


@pytest.mark.usefixtures("german")
def test_a_translation_may_turn_the_order_round() -> None:
    assert tr("{count:,} links to {name}", count=1234, name="x") == "zu x 1.234 Verweise"


@pytest.mark.usefixtures("german")
def test_a_count_chooses_its_own_form() -> None:
    said = [tr_n("1 memory", "{n:,} memories", n, n=n) for n in (1, 2, 5)]
    assert said == ["1 Erinnerung", "2 zwei", "5 Erinnerungen"]


@pytest.mark.usefixtures("german")
def test_numbers_have_the_signs_of_the_language_and_texts_keep_theirs() -> None:
    assert tr("{share:.2f} of it", share=0.5) == "davon 0,50"
    assert tr("not translated {a:.1f} {b} {c!r}", a=0.5, b="0.5", c=1.5) == (
        "not translated 0,5 0.5 1,5"
    )
    assert format_number(1234.5, ",.2f") == "1.234,50"


@pytest.mark.usefixtures("german")
def test_a_translation_with_other_places_is_not_used() -> None:
    assert tr("{lost} is lost", lost="x") == "x is lost"
    assert tr("odd {size}", size="x") == "odd x"


@pytest.mark.parametrize(
    ("value", "text"), [(2.0, "2"), (1.96, "2"), (1.5, "1.5"), (1234.04, "1,234"), (0.04, "0")]
)
def test_a_short_number_has_a_decimal_where_it_is_not_whole(value: float, text: str) -> None:
    assert format_short(value) == text


def test_every_text_is_listed_once_and_kept_when_listed_again(tmp_path: Path) -> None:
    program = f"""
import sys; sys.path.insert(0, {str(ROOT / "packaging")!r})
import translations as t
from pathlib import Path
texts = t.find_texts(Path({str(ROOT / "mvdesk")!r}))
assert len(texts) > 2000, len(texts)
assert "mvdesk/ui/action_list.py" in texts["&Undo"].places
assert texts["{{count:,}} memories"].one == "1 memory"
path = Path({str(tmp_path)!r}) / "mvdesk_de.ts"
t.write_file(path, "de", texts, lambda text: ["Zurück"] if text.source == "&Undo" else [])
done = t.read_file(path)
assert done["&Undo"] == ["Zurück"]
t.release(path.parent)
from PySide6.QtCore import QLocale
from mvdesk.ui.language import choose_language, find_languages
assert find_languages(path.parent) == ("de",)
assert choose_language("de", path.parent)
from mvdesk.ui.actions import SPECS
from mvdesk.wording import format_number, tr
print([spec.text for spec in SPECS if spec.name == "undo"], tr("&Redo"), format_number(0.5, ".1f"))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.strip() == "['Zurück'] &Redo 0,5", done.stderr

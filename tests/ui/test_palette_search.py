"""What the command palette finds, and in which order."""

from __future__ import annotations

import pytest

from mvdesk.ui.palette_search import Recent, VaultIndex, search_palette
from mvdesk.ui.widgets.palette_picker import PaletteEntry
from tests.vault.made import memory, snapshot_of

FIXED = [
    (PaletteEntry("action:save", "action", "Save", key="Ctrl+S"), "Save what was typed."),
    (PaletteEntry("action:undo", "action", "Undo", reason="nothing to take back"), "Take back."),
    (PaletteEntry("action:larger", "setting", "Text larger"), "Make all text larger."),
    (PaletteEntry("action:keys", "help", "Shortcuts"), "List every action with its key."),
]


NONE = Recent()


@pytest.fixture
def index() -> VaultIndex:
    return VaultIndex(
        snapshot_of(
            [
                memory("1203aa", title="Save the seeds", source="Garden Log", tags="garden,saved"),
                memory("b2", title="Undo of the frost", source="field test", tags="garden"),
                memory("c3", title="Other", source="field test", tags="数据"),
                memory("d4", title="Blank source", source="   "),
            ]
        )
    )


def _names(text: str, index: VaultIndex | None, recent: Recent = NONE) -> list[str]:
    return [entry.name for entry in search_palette(text, FIXED, index, recent)]


def test_every_kind_is_found_and_actions_come_first_among_equals(index: VaultIndex) -> None:
    assert _names("save", index)[:3] == ["action:save", "memory:1203aa", "tag:saved"]
    assert _names("field", index) == ["source:field test"]
    assert "tag:数据" in _names("数", index)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (">save", ["action:save"]),
        ("> text lar", ["action:larger"]),
        ("@field", ["source:field test"]),
        ("# gar", ["tag:garden"]),
        ("?key", ["action:keys"]),
        ("1203", ["memory:1203aa"]),
    ],
)
def test_a_prefix_or_digits_narrow_it(index: VaultIndex, text: str, found: list[str]) -> None:
    assert _names(text, index) == found


def test_a_prefix_alone_lists_all_of_its_kind_the_most_used_first(index: VaultIndex) -> None:
    assert _names("@", index) == ["source:field test", "source:garden log"]
    assert _names("#", index)[0] == "tag:garden"
    assert _names("?", index) == ["action:keys"]


def test_what_cannot_be_done_is_listed_after_what_can_and_says_why(index: VaultIndex) -> None:
    found = search_palette("undo", FIXED, index, Recent())
    assert [entry.name for entry in found] == ["memory:b2", "action:undo"]
    assert found[-1].reason == "nothing to take back"
    assert _names("", index)[-1] == "action:undo"


def test_what_was_chosen_of_late_comes_first(index: VaultIndex) -> None:
    recent = Recent(("action:keys", "action:gone", "action:larger"), ("b2", "deleted"))
    assert _names("", index, recent)[:4] == [
        "action:keys",
        "action:larger",
        "memory:b2",
        "action:save",
    ]
    chosen = Recent(("memory:b2",))
    assert _names("the", index, chosen)[0] == "memory:b2"
    assert _names("the", index, Recent(("memory:1203aa",)))[0] == "memory:1203aa"


def test_words_of_the_explanation_find_an_action_too(index: VaultIndex) -> None:
    assert _names("make", index)[0] == "action:larger"
    assert _names("typed", None) == ["action:save"]


def test_without_a_vault_only_what_needs_none_is_found() -> None:
    assert _names("@", None) == []
    assert _names("1203", None) == []
    assert _names("save", None) == ["action:save"]


@pytest.mark.parametrize("text", ["\0", "💥", "\ud800", ">" * 50, "x" * 5000, "@@@", "# #"])
def test_strange_texts_find_nothing_and_harm_nothing(index: VaultIndex, text: str) -> None:
    assert _names(text, index) == []


def test_the_trust_of_a_source_stands_beside_it(index: VaultIndex) -> None:
    [found] = search_palette("@log", FIXED, index, Recent())
    assert (found.title, found.detail) == ("Garden Log", "source, trust not set")

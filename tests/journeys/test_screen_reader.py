"""What a screen reader gets of the real window, over the bus that it listens at."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("jeepney", reason="comes with the packages for developing")

from tests.journeys.screen_tree import (
    ESCAPE,
    Node,
    Reader,
    find,
    missing_tools,
    open_screen,
    wait_for,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOUCHED = {
    *("push button", "check box", "radio button", "combo box", "slider", "text", "spin box"),
    *("table", "list", "cell", "column header", "menu item", "page tab", "button menu"),
}
"""Roles of what is used or read: each needs a name."""
BOXES = {"filler", "panel", "layered pane", "unknown"}
"""Roles of what only holds other things: the keyboard must not stop there."""
WORKSPACES = ("Sources", "Graph", "Conflicts", "Upkeep", "Memories")
BEHIND = ("Try out", "Review queue")
"""Panels that are only ever in tabs behind others."""
DIALOGS = (
    *("Settings…", "Backups…", "Snapshots…", "History of the memory…", "Saved searches…"),
    *("Tags…", "Columns of the list…", "Command palette…", "Shortcuts", "Help", "About mvdesk"),
)
LEAST = {"chart": 7, "table": 5, "cell": 60, "slider": 3, "combo box": 6, "check box": 20}
"""What the walk has to meet at least, or it has seen nothing."""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """The program on a vault, in a process of its own, and what reads it."""
    folder = tmp_path_factory.mktemp("screen")
    missing = missing_tools()
    if missing:
        pytest.skip(f"needs {', '.join(missing)}; packaging/test.sh installs what is permitted")
    vault = folder / "demo.sqlite"
    program = [sys.executable, "-m", "mvdesk"]
    subprocess.run([*program, "demo", str(vault)], check=True, stdout=subprocess.DEVNULL)
    with open_screen(folder) as env:
        made = Reader(env, [*program, str(vault)])
        try:
            yield made
        finally:
            said = made.close()
    assert "Traceback" not in said


def find_faults(tree: Node) -> list[str]:
    """What somebody who can't see the window would miss."""
    faults = []
    for node in tree.walk():
        if not node.is_shown:
            continue
        stops = "focusable" in node.states
        if not node.name and (stops or node.role in TOUCHED):
            faults.append(f"no name: {node.trail()}")
        elif stops and node.role in BOXES:
            faults.append(f"no role: {node.trail()}")
        elif node.role in ("chart", "combo box") and not node.description:
            faults.append(f"no description: {node.trail()}")
    return faults


def rest(read: Callable[[], Node]) -> Node:
    """The tree once it doesn't change any more."""
    counts = [0]

    def is_calm() -> Node | None:
        tree = read()
        counts.append(sum(node.is_shown for node in tree.walk()))
        return tree if counts[-1] == counts[-2] else None

    return wait_for(is_calm, "a tree at rest")


def test_everything_has_a_name_a_role_and_a_text(reader: Reader) -> None:
    wait_for(lambda: find(reader.tree(), "chart", "Waterfall of the confidence"), "the panels")
    faults: dict[str, str] = {}
    met: Counter[str] = Counter()
    for workspace in WORKSPACES:
        button = find(reader.tree(), "check box", f"{workspace} workspace")
        assert button is not None, workspace
        reader.bus.press(button)
        tree = rest(reader.tree)
        met.update(node.role for node in tree.walk() if node.is_shown)
        faults.update(dict.fromkeys(find_faults(tree), workspace))
        for tab in [node for node in tree.walk() if node.role == "page tab" and node.is_shown]:
            if tab.name in BEHIND:
                reader.bus.press(tab)
                faults.update(dict.fromkeys(find_faults(rest(reader.tree)), tab.name))
    assert faults == {}
    assert {role: met[role] for role in LEAST if met[role] < LEAST[role]} == {}


def test_every_dialog_can_be_read(reader: Reader) -> None:
    bar = find(reader.tree(), "menu bar", ".*")
    assert bar is not None
    items = {node.name: node for node in reader.bus.read((bar.bus, bar.path)).walk()}
    faults: dict[str, str] = {}
    for name in DIALOGS:
        reader.bus.press(items[name])
        [dialog] = wait_for(lambda: _dialogs(reader), name)
        tree = rest(lambda at=(dialog.bus, dialog.path): reader.bus.read(at, enter=is_entered))
        faults.update(dict.fromkeys(find_faults(tree), name))
        wait_for(lambda: _is_left(reader), f"the end of {name}")
    assert faults == {}


def _is_left(reader: Reader) -> bool:
    """Whether no dialog is open any more; a field in it may take the first Escape."""
    if not _dialogs(reader):
        return True
    reader.bus.type_key(ESCAPE)
    time.sleep(0.1)  # for the key to arrive: nothing tells when
    return False


def is_entered(node: Node) -> bool:
    return node.is_shown


def _dialogs(reader: Reader) -> list[Node]:
    """The dialogs that are open, without what is in them."""
    tops = reader.tree(lambda node: node.role == "application").children
    return [one for one in tops if one.role == "dialog" and one.is_shown]

"""The rules of the house, checked on the source: imports, sizes, names.

Every complaint is a `path:line: source line` followed by the rule it breaks.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "mvdesk"

# Lower numbers are lower down. Packages of the same number never import one another,
# except the plain modules at the bottom.
LEVELS = {
    "": 0,
    "errors": 0,
    "records": 0,
    "arrays": 0,
    "textdiff": 0,
    "assets": 0,
    "wording": 0,
    "scoring": 0,
    "graphs": 1,
    "exchange": 1,
    "store": 2,
    "vault": 3,
    "ui": 4,
    "cli": 4,
    "mcp": 4,
    "__main__": 5,
}
PLAIN_MODULES = {"", "errors", "records", "arrays", "assets", "textdiff", "wording"}
# The one command that draws the window, without a display; and what all parts say goes through
# what `scoring`, which stands free, says its own sentences with.
SIDEWAYS_ALLOWED = {
    ("mvdesk.cli.screenshot", "mvdesk.ui.screenshot"),
    ("mvdesk.wording", "mvdesk.scoring.saying"),
}

# Who may import what from outside: package prefixes by top-level module.
ONLY_IN = {
    "sqlalchemy": ("mvdesk.store",),
    "alembic": ("mvdesk.store",),
    "sqlite3": ("mvdesk.store", "mvdesk.exchange"),
    "PySide6": ("mvdesk.ui",),
    "pyqtgraph": ("mvdesk.ui.plots",),
    "typer": ("mvdesk.cli",),
    "rich": ("mvdesk.cli",),
    "mcp": ("mvdesk.mcp",),
}
SCORING_MAY_IMPORT = {"numpy", "ahocorasick_rs"}
# `scoring` and `graphs` know no clock, file or database.
WORLDLY_MODULES = {
    "asyncio", "glob", "io", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil",
    "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
WORLDLY_CALLS = {"now", "utcnow", "today", "open"}

FORBIDDEN_NAMES = {"utils", "helpers", "common", "base", "manager"}
MAX_LINES = 600
TABLES_OF_DATA: set[str] = set()


@dataclass(frozen=True)
class Import:
    """One imported module, and the name taken from it ("" for the module itself)."""

    importer: str
    module: str
    name: str
    line: int
    in_function: bool
    explained: bool

    @property
    def full(self) -> str:
        return f"{self.module}.{self.name}" if self.name else self.module


def module_name(path: Path) -> str:
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def part_of(module: str) -> str:
    """The first name below mvdesk: the package or plain module."""
    return module.split(".")[1] if "." in module else ""


def comment_lines(source: str) -> set[int]:
    """Lines with a comment that says something, not only an instruction for a tool."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        words = [word for word in token.string.lstrip("# ").split() if word.isalpha()]
        if len(words) >= 3:
            lines.add(token.start[0])
    return lines


def read_imports(importer: str, source: str, *, is_package: bool = False) -> list[Import]:
    """Every import of a module, wherever it stands."""
    comments = comment_lines(source)
    found: list[Import] = []

    def explained(node: ast.stmt, before: ast.stmt | None, before_is_explained: bool) -> bool:
        own = range(node.lineno - 1, (node.end_lineno or node.lineno) + 1)
        follows = before is not None and before.end_lineno == node.lineno - 1
        return any(line in comments for line in own) or (follows and before_is_explained)

    def visit(body: list[ast.stmt], in_function: bool) -> None:
        before: ast.stmt | None = None
        before_is_explained = False
        for node in body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                before_is_explained = explained(node, before, before_is_explained)
                before = node
                for module, name in imported_names(node, importer, is_package):
                    found.append(
                        Import(
                            importer, module, name, node.lineno, in_function, before_is_explained
                        )
                    )
                continue
            before = None
            inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for field in ("body", "orelse", "finalbody"):
                visit(getattr(node, field, []), inside)
            for handler in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
                visit(handler.body, inside)

    visit(ast.parse(source).body, False)
    return found


def imported_names(
    node: ast.Import | ast.ImportFrom, importer: str, is_package: bool
) -> list[tuple[str, str]]:
    if isinstance(node, ast.Import):
        return [(alias.name, "") for alias in node.names]
    module = node.module or ""
    if node.level:
        here = importer.split(".")
        here = here[: len(here) - node.level + (1 if is_package else 0)]
        module = ".".join([*here, module] if module else here)
    return [(module, alias.name) for alias in node.names]


@cache
def sources() -> list[tuple[Path, str, str]]:
    """Path, dotted name and text of every module."""
    return [
        (path, module_name(path), path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    ]


@cache
def all_imports() -> list[tuple[Import, str]]:
    """Every import with the place and the line it stands on, as a complaint shows it."""
    result = []
    for path, name, text in sources():
        lines = text.splitlines()
        for item in read_imports(name, text, is_package=path.name == "__init__.py"):
            place = f"{path.relative_to(ROOT)}:{item.line}: {lines[item.line - 1].strip()}"
            result.append((item, place))
    return result


def is_own(item: Import) -> bool:
    return item.module == "mvdesk" or item.module.startswith("mvdesk.")


def own_part(item: Import) -> str:
    """The part of mvdesk that an import reaches (`from mvdesk import store` is store)."""
    part = part_of(item.module)
    if not part and item.name in LEVELS:
        return item.name
    return part


def direction_problem(item: Import) -> str:
    """Why an import of mvdesk's own goes the wrong way, "" when it doesn't."""
    if not is_own(item):
        return ""
    source, target = part_of(item.importer), own_part(item)
    for part in (source, target):
        if part not in LEVELS:
            return f"{part} is no part of the house"
    if source == target:
        return ""
    if source == "scoring":
        return "scoring imports nothing of mvdesk"
    if any(
        item.importer == a and (item.module == b or item.full == b) for a, b in SIDEWAYS_ALLOWED
    ):
        return ""
    if LEVELS[target] > LEVELS[source]:
        return f"{source or 'mvdesk'} is below {target}: imports go down only"
    if LEVELS[target] == LEVELS[source] and not {source, target} <= PLAIN_MODULES:
        return f"{source} and {target} are siblings and don't import one another"
    return ""


def dumb_widget_problem(item: Import) -> str:
    dumb = ("mvdesk.ui.widgets", "mvdesk.ui.models", "mvdesk.ui.plots")
    knowing = ("mvdesk.vault", "mvdesk.store", "mvdesk.ui.session", "mvdesk.ui.panels")
    if not item.importer.startswith(dumb):
        return ""
    if any(f"{item.full}.".startswith(f"{known}.") for known in knowing):
        return "widgets, models and plots know neither vault nor store nor session"
    return ""


def outside_problem(item: Import) -> str:
    top = item.module.split(".")[0]
    if is_own(item):
        return ""
    if top in ONLY_IN and not item.importer.startswith(ONLY_IN[top]):
        return f"only {' and '.join(ONLY_IN[top])} may import {top}"
    if part_of(item.importer) == "scoring" and not (
        top in SCORING_MAY_IMPORT or top in sys.stdlib_module_names
    ):
        return "scoring imports numpy, ahocorasick_rs and the standard library only"
    if part_of(item.importer) in {"scoring", "graphs"} and top in WORLDLY_MODULES:
        return "scoring and graphs know no clock, file or database"
    return ""


def leaving_row_problem(item: Import) -> str:
    in_store = item.importer.startswith("mvdesk.store")
    of_tables = item.module == "mvdesk.store.tables"
    if not in_store and of_tables and (item.name.endswith("Row") or item.name in {"", "Base"}):
        return "rows never leave the store"
    return ""


def talking_panel_problem(item: Import) -> str:
    panels = "mvdesk.ui.panels."
    between_panels = item.importer.startswith(panels) and item.module.startswith(panels)
    if between_panels and item.name.endswith("Panel"):
        return "panels talk to the session, never to each other"
    return ""


RULES = [
    direction_problem,
    dumb_widget_problem,
    outside_problem,
    leaving_row_problem,
    talking_panel_problem,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_imports_keep_to_the_house(rule) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    complaints = [f"{place}  [{text}]" for item, place in all_imports() if (text := rule(item))]
    assert not complaints, "\n" + "\n".join(complaints)


def test_imports_inside_functions_say_why() -> None:
    complaints = [
        f"{place}  [an import inside a function needs a comment saying why]"
        for item, place in all_imports()
        if item.in_function and not item.explained
    ]
    assert not complaints, "\n" + "\n".join(complaints)


def test_scoring_and_graphs_ask_no_clock() -> None:
    complaints = []
    for path, name, text in sources():
        if part_of(name) not in {"scoring", "graphs"}:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if called in WORLDLY_CALLS:
                    line = text.splitlines()[node.lineno - 1].strip()
                    complaints.append(f"{path.relative_to(ROOT)}:{node.lineno}: {line}")
    assert not complaints, "\n" + "\n".join(complaints)


def test_texts_to_translate_are_literals() -> None:
    """What isn't is not listed for translators, and SQL is none of their business."""
    complaints = []
    for path, name, text in sources():
        if name in {"mvdesk.scoring.saying", "mvdesk.ui.action_spec"}:
            continue
        for node in ast.walk(ast.parse(text)):
            called = getattr(getattr(node, "func", None), "id", "")
            if called not in ("tr", "tr_n"):
                continue
            wanted = node.args[: 1 if called == "tr" else 2]
            is_sql = any(
                re.search(
                    r"\b(SELECT|INSERT|UPDATE|DELETE|WHERE|AND|DEFAULT|NULL)\b", str(one.value)
                )
                for one in wanted
                if isinstance(one, ast.Constant)
            )
            if is_sql or not all(isinstance(one, ast.Constant) for one in wanted):
                line = text.splitlines()[node.lineno - 1].strip()
                if line != 'object.__setattr__(self, "title", tr(self.title))':
                    complaints.append(f"{path.relative_to(ROOT)}:{node.lineno}: {line}")
    assert not complaints, "\n" + "\n".join(complaints)


def test_no_module_is_too_long() -> None:
    complaints = [
        f"{path.relative_to(ROOT)}:{lines}: {lines} lines; what is the second idea in it?"
        for path, name, text in sources()
        if (lines := text.count("\n")) > MAX_LINES and name not in TABLES_OF_DATA
    ]
    assert not complaints, "\n" + "\n".join(complaints)


def test_no_module_is_named_after_nothing() -> None:
    complaints = [
        f"{path.relative_to(ROOT)}:1: a name that says nothing"
        for path in PACKAGE.rglob("*")
        if path.stem in FORBIDDEN_NAMES
    ]
    assert not complaints, "\n" + "\n".join(complaints)


def test_every_part_of_the_house_is_known() -> None:
    parts = {
        path.stem
        for path in PACKAGE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert parts - set(LEVELS) - {"__init__"} == set()


def problems(importer: str, source: str) -> list[str]:
    items = read_imports(importer, source)
    return [text for item in items for rule in RULES if (text := rule(item))]


@pytest.mark.parametrize(
    ("importer", "source"),
    [
        ("mvdesk.scoring.engine", "from mvdesk.records import Memory"),
        ("mvdesk.scoring.engine", "import scipy"),
        ("mvdesk.scoring.engine", "import time"),
        ("mvdesk.graphs.layout", "from mvdesk.store.engine import VaultFile"),
        ("mvdesk.graphs.layout", "from mvdesk.exchange import markdown"),
        ("mvdesk.store.engine", "def f():\n    from mvdesk.vault.plan import Plan"),
        ("mvdesk.vault.plan", "from mvdesk import ui"),
        ("mvdesk.vault.plan", "import sqlalchemy"),
        ("mvdesk.vault.plan", "from mvdesk.store.tables import MemoryRow"),
        ("mvdesk.cli.main", "from mvdesk.ui.app import run"),
        ("mvdesk.ui.widgets.tag", "from ..session import VaultSession"),
        ("mvdesk.ui.widgets.tag", "import pyqtgraph as pg"),
        ("mvdesk.ui.panels.graph", "from mvdesk.ui.panels.editor import EditorPanel"),
        ("mvdesk.errors", "from mvdesk.scoring import model"),
        ("mvdesk.cli.read", "if TYPE_CHECKING:\n    from PySide6.QtCore import QObject"),
    ],
)
def test_a_wrong_import_is_noticed(importer: str, source: str) -> None:
    assert problems(importer, source)


@pytest.mark.parametrize(
    ("importer", "source"),
    [
        ("mvdesk.vault.snapshot", "from mvdesk.arrays import MemoryTable\nimport numpy as np"),
        ("mvdesk.arrays", "from mvdesk.records import RELATIONS"),
        ("mvdesk.cli.screenshot", "from mvdesk.ui.screenshot import save_pictures"),
        ("mvdesk.ui.plots.waterfall", "import pyqtgraph as pg"),
        ("mvdesk.__main__", "from mvdesk.cli.main import run"),
    ],
)
def test_a_right_import_is_left_alone(importer: str, source: str) -> None:
    assert not problems(importer, source)


def test_an_import_in_a_function_is_explained_by_a_comment_beside_or_above_its_block() -> None:
    source = (
        "def f():\n"
        "    # the plots take half a second to import\n"
        "    import a\n"
        "    import b\n"
        "    x = 1\n"
        "    import c\n"
        "    import d  # noqa: PLC0415\n"
        "    import e  # only where a window is drawn\n"
    )
    explained = {item.module: item.explained for item in read_imports("mvdesk.ui.app", source)}
    assert explained == {"a": True, "b": True, "c": False, "d": False, "e": True}


def test_the_top_of_the_project_is_as_it_was_laid_out() -> None:
    """Also a file that a test or a command in a shell left there."""
    wanted = {"pyproject.toml", "README.md", "mvdesk", "resources", "tests", "packaging"}
    if (ROOT / ".git").exists():
        listed = ["git", "-C", str(ROOT), "ls-files", "-z"]
        tracked = subprocess.run(listed, capture_output=True, check=True, text=True).stdout
        there = {name.partition("/")[0] for name in tracked.split("\0") if name}
    else:
        there = {path.name for path in ROOT.iterdir()}
    assert {name for name in there if not name.startswith(".")} == wanted

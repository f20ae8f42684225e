"""What the program remembers between starts: typed groups over QSettings.

What belongs to a vault is in its companion file, not here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar, cast

from PySide6.QtCore import QByteArray, QSettings

from mvdesk.ui.tokens import PALETTES, PaletteName

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.ui.theme import ContrastChoice, ThemeChoice, ThemeController

LAYOUT_VERSION: Final = 2
"""Raised when what is kept of a window changes its form: what is older doesn't fit then."""
KEPT_RECENT: Final = 8
KEPT_CHOSEN: Final = 20

MotionChoice = Literal["system", "reduced", "full"]
THEMES: Final[tuple[ThemeChoice, ...]] = ("system", "light", "dark")
CONTRASTS: Final[tuple[ContrastChoice, ...]] = ("system", "usual", "high")
MOTIONS: Final[tuple[MotionChoice, ...]] = ("system", "reduced", "full")
WHICH_SCORES: Final = ("both", "confidence", "importance")
ROW_ORDERS: Final = ("grouped", "model", "biggest", "negatives")
PICTURE_KINDS: Final = ("png", "svg", "pdf")
PICTURE_THEMES: Final = ("", "light", "dark", "print")

Known = TypeVar("Known", bound=str)


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the program looks. `scale` is the text scale, 0.85 to 1.6; `palette` that of charts."""

    theme: ThemeChoice = "system"
    scale: float = 1.0
    contrast: ContrastChoice = "system"
    palette: PaletteName = "blueOrange"
    motion: MotionChoice = "system"

    @classmethod
    def of(cls, theme: ThemeController) -> Appearance:
        """What is chosen now."""
        motion: MotionChoice = "reduced" if theme.reduced_motion else "full"
        if theme.reduced_motion is None:
            motion = "system"
        return cls(theme.name, theme.scale, theme.contrast, theme.palette, motion)

    def put_on(self, theme: ThemeController) -> None:
        """Choose all of it."""
        theme.set_theme(self.theme)
        theme.set_scale(self.scale)
        theme.set_contrast(self.contrast)
        theme.set_palette(self.palette)
        theme.set_reduced_motion(None if self.motion == "system" else self.motion == "reduced")


@dataclass(frozen=True, slots=True)
class DockLayout:
    """How the docks of one workspace stood, as Qt wrote it.

    `signature` says which docks those were; the arrangement of others doesn't fit. `sizes`
    are those that the person gave to panels, in px.
    """

    signature: str
    state: bytes
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """Where the window was, which workspace it showed, and each one's docks by its name.

    `version` is the LAYOUT_VERSION that wrote it; what another one wrote doesn't fit.
    """

    version: int = LAYOUT_VERSION
    geometry: bytes = b""
    workspace: str = ""
    docks: Mapping[str, DockLayout] = field(default_factory=dict)

    @property
    def is_usable(self) -> bool:
        return self.version == LAYOUT_VERSION and bool(self.geometry)


@dataclass(frozen=True, slots=True)
class ListLook:
    """How the list is laid out.

    `columns` are names and widths, empty for what there is room for; `compact` rows are lower;
    `group` is what it is grouped by, "" for nothing.
    """

    columns: tuple[tuple[str, int], ...] = ()
    compact: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Recent:
    """Vaults opened before, newest first."""

    paths: tuple[Path, ...] = ()

    def with_opened(self, path: Path) -> Recent:
        """The list once `path` was opened."""
        others = tuple(other for other in self.paths if other != path)
        return replace(self, paths=(path, *others)[:KEPT_RECENT])


@dataclass(frozen=True, slots=True)
class ExplainView:
    """How the explanation shows scores: which, in which order, by cause, as tables, zoomed."""

    which: Literal["both", "confidence", "importance"] = "both"
    order: Literal["grouped", "model", "biggest", "negatives"] = "grouped"
    by_cause: bool = False
    as_table: bool = False
    zoomed: bool = False


@dataclass(frozen=True, slots=True)
class PictureChoice:
    """How pictures are exported. `scale` is pixels of a PNG per px; `theme` "" is the shown one."""

    kind: Literal["png", "svg", "pdf"] = "png"
    scale: int = 2
    theme: Literal["", "light", "dark", "print"] = ""


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """How far the person got with the first steps: names of those done; put away or not."""

    done: tuple[str, ...] = ()
    dismissed: bool = False


class Settings:
    """Reads and writes the groups. A value of the wrong kind reads as its default."""

    def __init__(self, store: QSettings | None = None) -> None:
        """`store` is QSettings to use instead of the person's own."""
        self._store = store or QSettings(
            QSettings.Format.IniFormat, QSettings.Scope.UserScope, "mvdesk", "mvdesk"
        )

    @property
    def path(self) -> Path:
        """The file that holds them."""
        return Path(self._store.fileName())

    def read_appearance(self) -> Appearance:
        read, usual = self._store.value, Appearance()
        return Appearance(
            theme=_one_of(read("appearance/theme"), THEMES, usual.theme),
            scale=_number(read("appearance/scale"), usual.scale),
            contrast=_one_of(read("appearance/contrast"), CONTRASTS, usual.contrast),
            palette=_one_of(read("appearance/palette"), PALETTES, usual.palette),
            motion=_one_of(read("appearance/motion"), MOTIONS, usual.motion),
        )

    def write_appearance(self, appearance: Appearance) -> None:
        self._store.setValue("appearance/theme", appearance.theme)
        self._store.setValue("appearance/scale", appearance.scale)
        self._store.setValue("appearance/contrast", appearance.contrast)
        self._store.setValue("appearance/palette", appearance.palette)
        self._store.setValue("appearance/motion", appearance.motion)

    def read_layout(self) -> WindowLayout:
        self._store.beginGroup("workspaces")
        names = self._store.childGroups()
        self._store.endGroup()
        return WindowLayout(
            version=int(_number(self._store.value("window/version"), 0.0)),
            geometry=_bytes(self._store.value("window/geometry")),
            workspace=str(self._store.value("window/workspace") or ""),
            docks={name: self._read_docks(name) for name in names},
        )

    def _read_docks(self, name: str) -> DockLayout:
        return DockLayout(
            signature=str(self._store.value(f"workspaces/{name}/docks") or ""),
            state=_bytes(self._store.value(f"workspaces/{name}/state")),
            sizes=_sizes(self._store.value(f"workspaces/{name}/sizes")),
        )

    def write_layout(self, layout: WindowLayout) -> None:
        self._store.setValue("window/version", layout.version)
        self._store.setValue("window/geometry", QByteArray(layout.geometry))
        self._store.setValue("window/workspace", layout.workspace)
        for name, docks in layout.docks.items():
            self._store.setValue(f"workspaces/{name}/docks", docks.signature)
            self._store.setValue(f"workspaces/{name}/state", QByteArray(docks.state))
            self._store.setValue(f"workspaces/{name}/sizes", json.dumps(dict(docks.sizes)))

    def read_list_look(self) -> ListLook:
        group = self._store.value("list/group")
        return ListLook(
            columns=_columns(self._store.value("list/columns")),
            compact=self._store.value("list/compact") in (True, "true"),
            group=str(group) if group in ("source", "type") else "",
        )

    def write_list_look(self, look: ListLook) -> None:
        self._store.setValue("list/columns", json.dumps(look.columns))
        self._store.setValue("list/compact", look.compact)
        self._store.setValue("list/group", look.group)

    def read_recent(self) -> Recent:
        """Vaults opened before that are still there."""
        stored = self._store.value("recent/vaults")
        texts = [stored] if isinstance(stored, str) else stored or []
        paths = [Path(text) for text in texts if isinstance(text, str) and text]
        return Recent(tuple(path for path in paths if path.is_file())[:KEPT_RECENT])

    def write_recent(self, recent: Recent) -> None:
        self._store.setValue("recent/vaults", [str(path) for path in recent.paths])

    def read_chosen(self) -> tuple[str, ...]:
        """Names of what was chosen in the command palette, newest first."""
        stored = self._store.value("palette/chosen")
        names = [stored] if isinstance(stored, str) else stored or []
        return tuple(name for name in names if isinstance(name, str) and name)[:KEPT_CHOSEN]

    def write_chosen(self, names: Sequence[str]) -> None:
        self._store.setValue("palette/chosen", list(names[:KEPT_CHOSEN]))

    def read_first_steps(self) -> FirstSteps:
        stored = self._store.value("start/steps")
        names = [stored] if isinstance(stored, str) else stored or []
        done = tuple(name for name in names if isinstance(name, str) and name)
        return FirstSteps(done, _truth(self._store.value("start/stepsDismissed")))

    def write_first_steps(self, steps: FirstSteps) -> None:
        self._store.setValue("start/steps", list(steps.done))
        self._store.setValue("start/stepsDismissed", steps.dismissed)

    def read_reopen(self) -> bool:
        """Whether the vault opened last is opened at the start."""
        return _truth(self._store.value("start/reopen"))

    def write_reopen(self, reopen: bool) -> None:
        self._store.setValue("start/reopen", reopen)

    def read_language(self) -> str:
        """The code of the language that was chosen, "" for that of the system."""
        return str(self._store.value("start/language") or "")

    def write_language(self, code: str) -> None:
        self._store.setValue("start/language", code)

    def read_shortcuts(self) -> dict[str, tuple[str, ...]]:
        """Keys of actions that were changed, by the name of the action."""
        try:
            stored = json.loads(str(self._store.value("keys/changed") or "{}"))
        except ValueError:
            return {}
        return {
            name: tuple(keys)
            for name, keys in (stored.items() if isinstance(stored, dict) else ())
            if isinstance(keys, list) and all(isinstance(key, str) for key in keys)
        }

    def write_shortcuts(self, changed: Mapping[str, tuple[str, ...]]) -> None:
        self._store.setValue("keys/changed", json.dumps({k: list(v) for k, v in changed.items()}))

    def read_explain_view(self) -> ExplainView:
        read, usual = self._store.value, ExplainView()
        return ExplainView(
            which=_one_of(read("explain/which"), WHICH_SCORES, usual.which),
            order=_one_of(read("explain/order"), ROW_ORDERS, usual.order),
            by_cause=_truth(read("explain/byCause")),
            as_table=_truth(read("explain/asTable")),
            zoomed=_truth(read("explain/zoomed")),
        )

    def write_explain_view(self, view: ExplainView) -> None:
        for name, value in (
            ("which", view.which),
            ("order", view.order),
            ("byCause", view.by_cause),
            ("asTable", view.as_table),
            ("zoomed", view.zoomed),
        ):
            self._store.setValue(f"explain/{name}", value)

    def read_picture_choice(self) -> PictureChoice:
        read, usual = self._store.value, PictureChoice()
        scale = int(_number(read("picture/scale"), usual.scale))
        return PictureChoice(
            kind=_one_of(read("picture/kind"), PICTURE_KINDS, usual.kind),
            scale=scale if scale in (1, 2, 3) else usual.scale,
            theme=_one_of(read("picture/theme"), PICTURE_THEMES, usual.theme),
        )

    def write_picture_choice(self, choice: PictureChoice) -> None:
        self._store.setValue("picture/kind", choice.kind)
        self._store.setValue("picture/scale", choice.scale)
        self._store.setValue("picture/theme", choice.theme)


def _one_of(value: object, known: tuple[Known, ...], usual: Known) -> Known:
    return next((one for one in known if one == value), usual)


def _truth(value: object) -> bool:
    return value is True or value == "true"


def _bytes(value: object) -> bytes:
    return bytes(value.data()) if isinstance(value, QByteArray) else b""


def _sizes(value: object) -> dict[str, int]:
    try:
        sizes = json.loads(str(value))
    except ValueError:
        return {}
    if not isinstance(sizes, dict):
        return {}
    return {name: size for name, size in sizes.items() if type(size) is int and 0 < size < 10_000}


def _columns(value: object) -> tuple[tuple[str, int], ...]:
    try:
        columns = json.loads(str(value))
        kept = [(name, width) for name, width in columns]
    except (ValueError, TypeError):
        return ()
    sound = all(isinstance(n, str) and type(w) is int and 0 < w < 10_000 for n, w in kept)
    return tuple(kept) if sound else ()


def _number(value: object, usual: float) -> float:
    # An INI file gives everything back as text.
    try:
        number = float(cast("str", value))
    except (TypeError, ValueError):
        return usual
    return number if abs(number) < 1e9 else usual

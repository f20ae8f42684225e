"""What the program remembers, and what it makes of garbage."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from mvdesk.ui.settings import (
    KEPT_RECENT,
    Appearance,
    DockLayout,
    Recent,
    Settings,
    WindowLayout,
)


@pytest.fixture
def store(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "mvdesk.ini"), QSettings.Format.IniFormat)


def test_what_is_written_is_read_again(store: QSettings, tmp_path: Path) -> None:
    vault = tmp_path / "a.sqlite"
    vault.touch()
    Settings(store).write_appearance(Appearance("dark", 1.3))
    layout = WindowLayout(
        geometry=b"\x00\xffgeo",
        workspace="sources",
        docks={
            "memories": DockLayout("a,b|c", b"st\x00ate", {"a": 300}),
            "sources": DockLayout("b", b"\xff"),
        },
    )
    Settings(store).write_layout(layout)
    Settings(store).write_recent(Recent((vault,)))
    store.sync()
    again = Settings(QSettings(store.fileName(), QSettings.Format.IniFormat))
    assert again.read_appearance() == Appearance("dark", 1.3)
    assert again.read_layout() == layout
    assert again.read_recent() == Recent((vault,))


def test_nothing_stored_reads_as_defaults(store: QSettings) -> None:
    settings = Settings(store)
    assert settings.read_appearance() == Appearance()
    assert not settings.read_layout().is_usable
    assert settings.read_recent() == Recent()


def test_garbage_reads_as_defaults(store: QSettings) -> None:
    store.setValue("appearance/theme", "plaid")
    store.setValue("appearance/scale", "large")
    store.setValue("window/version", "x")
    store.setValue("window/geometry", "not bytes")
    store.setValue("workspaces/memories/state", 7)
    store.setValue("workspaces/memories/sizes", "[1, 2]")
    store.setValue("recent/vaults", [3, "/no/such/file", ""])
    settings = Settings(store)
    assert settings.read_appearance() == Appearance()
    assert not settings.read_layout().is_usable
    assert settings.read_layout().docks == {"memories": DockLayout("", b"")}
    assert settings.read_recent() == Recent()


def test_a_layout_of_another_version_is_not_used(store: QSettings) -> None:
    store.setValue("window/version", 999)
    store.setValue("window/geometry", QByteArray(b"g"))
    assert not Settings(store).read_layout().is_usable


def test_a_vault_opened_again_moves_to_the_front() -> None:
    one, two = Path("/one"), Path("/two")
    recent = Recent().with_opened(one).with_opened(two).with_opened(one)
    assert recent.paths == (one, two)


def test_only_the_newest_vaults_are_kept() -> None:
    recent = Recent()
    for number in range(KEPT_RECENT + 3):
        recent = recent.with_opened(Path(f"/{number}"))
    assert len(recent.paths) == KEPT_RECENT
    assert recent.paths[0] == Path(f"/{KEPT_RECENT + 2}")

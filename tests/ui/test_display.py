"""Whether a window can be shown, found out without loading Qt."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mvdesk.ui.display import find_display_problem

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems always have a display"
)


def test_without_a_display_there_is_a_sentence() -> None:
    assert find_display_problem({}) == "There is no display to show the window on."


@pytest.mark.parametrize("platform", ["offscreen", "vnc:size=800x600", "minimal", "eglfs"])
def test_a_platform_chosen_on_purpose_is_respected(platform: str) -> None:
    assert find_display_problem({"QT_QPA_PLATFORM": platform}) is None


@pytest.mark.parametrize("display", [":4711", "unix:4711", ":x", ""])
def test_a_display_that_does_not_answer_is_a_problem(display: str) -> None:
    assert find_display_problem({"DISPLAY": display})


def test_a_wayland_socket_that_answers_is_a_display(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "wayland-9"))
        server.listen(1)
        environment = {"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": str(tmp_path)}
        assert find_display_problem(environment) is None


def test_a_wayland_socket_that_is_gone_is_none(tmp_path: Path) -> None:
    environment = {
        "QT_QPA_PLATFORM": "wayland",
        "WAYLAND_DISPLAY": "wayland-9",
        "XDG_RUNTIME_DIR": str(tmp_path),
    }
    assert find_display_problem(environment)


def test_asking_loads_no_qt() -> None:
    code = (
        "import sys; from mvdesk.ui.display import find_display_problem; "
        "find_display_problem({}); print('PySide6' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"

"""Whether a window can be shown at all. Asked before Qt is loaded, which would abort."""

from __future__ import annotations

import ctypes
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_X11_LIBRARY: Final = "libxcb-cursor.so.0"


def find_display_problem(environment: Mapping[str, str]) -> str | None:
    """Why no window can be shown, as a sentence; None when one can, or when Qt decides."""
    if not sys.platform.startswith("linux"):
        return None
    platform = environment.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]
    if platform not in ("", "xcb", "wayland", "wayland-egl"):
        return None  # offscreen, vnc, eglfs …: chosen on purpose
    wayland = environment.get("WAYLAND_DISPLAY", "")
    if wayland and platform != "xcb":
        folder = Path(environment.get("XDG_RUNTIME_DIR", ""))
        if _answers(str(folder / wayland)):
            return None
    display = environment.get("DISPLAY", "")
    if not display or platform.startswith("wayland"):
        return "There is no display to show the window on."
    if not _x11_answers(display):
        return f"The display {display} doesn't answer."
    if not _can_load(_X11_LIBRARY):
        return f"Qt needs the system library {_X11_LIBRARY} (Debian package libxcb-cursor0)."
    return None


def _x11_answers(display: str) -> bool:
    host, _, rest = display.rpartition(":")
    number = rest.split(".")[0]
    if not number.isdigit():
        return False
    if host not in ("", "unix"):
        return True  # a display elsewhere on the network: Qt finds out
    path = f"/tmp/.X11-unix/X{number}"
    return _answers(path) or _answers("\0" + path)


def _answers(address: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(2.0)
        try:
            probe.connect(address)
        except OSError:
            return False
        return True


def _can_load(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True

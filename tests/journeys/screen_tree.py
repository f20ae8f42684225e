"""What a screen reader gets: a window on a virtual screen, read over the accessibility bus.

`open_screen` starts Xvfb, a session bus and the accessibility bus; `Desk` is the real program in
a process of its own. Nothing here knows Qt: all is what AT-SPI says.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jeepney import DBusAddress, HeaderFields, Message, MessageType, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

T = TypeVar("T")

TOOLS: Final = ("Xvfb", "dbus-daemon")
LAUNCHERS: Final = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
_ACCESSIBLE: Final = "org.a11y.atspi.Accessible"
_COMPONENT: Final = "org.a11y.atspi.Component"
_TABLE: Final = "org.a11y.atspi.Table"
_ACTION: Final = "org.a11y.atspi.Action"
_ROOT: Final = "/org/a11y/atspi/accessible/root"
_AT_ONCE: Final = 100  # calls under way: more would fill the sockets of both sides
_STATES: Final = {
    "active": 1,
    "checked": 4,
    "enabled": 8,
    "expandable": 9,
    "focusable": 11,
    "focused": 12,
    "selected": 23,
    "sensitive": 24,
    "showing": 25,
    "visible": 30,
}
_MOST_CHILDREN: Final = 80  # of a table: its headings and first rows
_PRESS_AND_LET_GO: Final = 2
ESCAPE: Final = 9  # the number of the key on the virtual keyboard


@dataclass(slots=True)
class Node:
    """One thing of the tree. `box` is x, y, width, height on the screen."""

    bus: str
    path: str
    role: str
    name: str
    description: str
    states: frozenset[str]
    interfaces: frozenset[str]
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def is_shown(self) -> bool:
        left, top, width, height = self.box
        # Qt moves what is behind a tab out to the upper left, and goes on calling it shown.
        is_on_screen = left + width > 0 and top + height > 0
        return "showing" in self.states and width > 0 and height > 0 and is_on_screen

    def walk(self) -> Iterator[Node]:
        """Itself and all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def trail(self) -> str:
        """Where it stands, for a message."""
        above, parts = self.parent, [f"{self.role} {self.name!r}"]
        while above is not None:
            if above.name:
                parts.append(above.name)
            above = above.parent
        return " < ".join(parts)


class Bus:
    """The accessibility bus, asked many things at once."""

    def __init__(self, session_address: str) -> None:
        session = open_dbus_connection(bus=session_address)
        a11y = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        reply = session.send_and_get_reply(new_method_call(a11y, "GetAddress"), timeout=20)
        session.close()
        self._connection: DBusConnection = open_dbus_connection(bus=reply.body[0])

    def close(self) -> None:
        self._connection.close()

    def ask(self, calls: Sequence[Message]) -> list[Any]:
        """The answers in order: the first value of each, None where the call failed."""
        connection = self._connection
        waiting: deque[tuple[int, Message]] = deque(enumerate(calls))
        places: dict[int, int] = {}
        answers: list[Any] = [None] * len(calls)
        left = len(calls)
        while left:
            while waiting and len(places) < _AT_ONCE:
                place, call = waiting.popleft()
                serial = next(connection.outgoing_serial)
                connection.send(call, serial=serial)
                places[serial] = place
            got = connection.receive(timeout=20)
            place = places.pop(got.header.fields.get(HeaderFields.reply_serial, -1), -1)
            if place < 0:
                continue  # a signal
            left -= 1
            if got.header.message_type == MessageType.method_return and got.body:
                answers[place] = got.body[0]
        return answers

    def call(
        self, node: Node, interface: str, method: str, signature: str, *body: object
    ) -> object:
        """The answer of one call on a node."""
        return self.ask([_method(node.bus, node.path, interface, method, signature, body)])[0]

    def programs(self) -> list[tuple[str, str]]:
        """The roots of the programs that are there."""
        where = ("org.a11y.atspi.Registry", _ROOT)
        return list(self.ask([_method(*where, _ACCESSIBLE, "GetChildren")])[0] or ())

    def read(
        self, root: tuple[str, str], enter: Callable[[Node], bool] = lambda _node: True
    ) -> Node:
        """The tree below a place, level by level. `enter` says whether a node's children count.

        Of a table only the cells in its first rows are read.
        """
        top = self._describe([root])[0]
        level = [top]
        while level:
            found = self._children([node for node in level if enter(node)])
            nodes = self._describe([place for _parent, place in found])
            for (parent, _place), node in zip(found, nodes, strict=True):
                node.parent = parent
                parent.children.append(node)
            level = nodes
        return top

    def _children(self, nodes: Sequence[Node]) -> list[tuple[Node, tuple[str, str]]]:
        calls = [_method(node.bus, node.path, _ACCESSIBLE, "GetChildren") for node in nodes]
        return [
            (node, place)
            for node, places in zip(nodes, self.ask(calls), strict=True)
            for place in (places or ())[:_MOST_CHILDREN]
        ]

    def _describe(self, places: Sequence[tuple[str, str]]) -> list[Node]:
        calls: list[Message] = []
        for bus, path in places:
            at = DBusAddress(path, bus, _ACCESSIBLE)
            calls += [
                _method(bus, path, _ACCESSIBLE, "GetRoleName"),
                Properties(at).get("Name"),
                Properties(at).get("Description"),
                _method(bus, path, _ACCESSIBLE, "GetState"),
                _method(bus, path, _ACCESSIBLE, "GetInterfaces"),
                _method(bus, path, _COMPONENT, "GetExtents", "u", (0,)),
            ]
        answers = self.ask(calls)
        nodes = []
        for number, (bus, path) in enumerate(places):
            role, name, description, states, interfaces, box = answers[6 * number : 6 * number + 6]
            nodes.append(
                Node(
                    bus,
                    path,
                    role or "",
                    _value(name),
                    _value(description),
                    _states(states),
                    frozenset(interfaces or ()),
                    tuple(box) if box else (0, 0, 0, 0),
                )
            )
        return nodes

    def press(self, node: Node) -> None:
        """Do the first thing that can be done with a node."""
        self.call(node, _ACTION, "DoAction", "i", 0)

    def type_key(self, key: int) -> None:
        """Press a key and let go of it, as on a keyboard."""
        where = ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry/deviceeventcontroller")
        interface = "org.a11y.atspi.DeviceEventController"
        body = (key, "", _PRESS_AND_LET_GO)
        self.ask([_method(*where, interface, "GenerateKeyboardEvent", "isu", body)])


def _method(
    bus: str,
    path: str,
    interface: str,
    method: str,
    signature: str | None = None,
    body: tuple[object, ...] = (),
) -> Message:
    return new_method_call(DBusAddress(path, bus, interface), method, signature, body)


def _value(variant: tuple[str, object] | None) -> str:
    return str(variant[1]) if variant else ""


def _states(words: Iterable[int] | None) -> frozenset[str]:
    low, high = words or (0, 0)
    bits = low | high << 32
    return frozenset(name for name, bit in _STATES.items() if bits >> bit & 1)


@contextmanager
def open_screen(folder: Path, size: str = "1600x1000x24") -> Iterator[dict[str, str]]:
    """A virtual screen with its buses; gives back the environment of programs on it."""
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    read_end, write_end = os.pipe()
    processes: list[subprocess.Popen[str]] = []
    try:
        processes.append(
            subprocess.Popen(
                ["Xvfb", "-displayfd", str(write_end), "-screen", "0", size, "-nolisten", "tcp"],
                pass_fds=(write_end,),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        )
        os.close(write_end)
        with os.fdopen(read_end) as said:
            display = f":{said.readline().strip()}"
        env = {
            **os.environ,
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "XDG_RUNTIME_DIR": str(runtime),
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "share"),
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        env.pop("DBUS_SESSION_BUS_ADDRESS", None)
        env.pop("AT_SPI_BUS_ADDRESS", None)
        daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        processes.append(daemon)
        assert daemon.stdout is not None
        env["DBUS_SESSION_BUS_ADDRESS"] = daemon.stdout.readline().strip()
        yield env
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            process.wait(10)
            if process.stdout is not None:
                process.stdout.close()
        # What the session bus started for itself ends with it.


def missing_tools() -> list[str]:
    """What this machine lacks for `open_screen`."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if not any(os.access(launcher, os.X_OK) for launcher in LAUNCHERS):
        missing.append("at-spi2-core")
    return missing


class Reader:
    """Reads one program on the screen."""

    def __init__(self, env: Mapping[str, str], command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command, env=dict(env), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.bus = Bus(env["DBUS_SESSION_BUS_ADDRESS"])
        self._root = self._find_program()

    def _find_program(self) -> tuple[str, str]:
        return wait_for(lambda: next(iter(self.bus.programs()), None), "the program")

    def tree(self, enter: Callable[[Node], bool] = lambda _node: True) -> Node:
        """The program as it is now: what is hidden is not entered."""
        return self.bus.read(
            self._root,
            lambda node: enter(node) and (node.role == "application" or node.is_shown),
        )

    def close(self) -> str:
        """End the program; gives back what it printed."""
        self.bus.close()
        self.process.terminate()
        said, _ = self.process.communicate(timeout=20)
        return said


def wait_for(look: Callable[[], T | None], what: str, seconds: float = 20.0) -> T:
    """What `look` gives back once it is something; fails after a while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what} did not come within {seconds:g} s")


def find(tree: Node, role: str, name: str) -> Node | None:
    """The first node of a role whose name matches a pattern."""
    return next(
        (n for n in tree.walk() if n.role == role and re.fullmatch(name, n.name) and n.is_shown),
        None,
    )

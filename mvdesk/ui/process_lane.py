"""A lane beside `Jobs` for work that holds the interpreter's lock: in a process of its own."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar

from PySide6.QtCore import QObject

from mvdesk.ui.jobs import Jobs
from mvdesk.ui.process_child import COUNTS_ITS_TIME, ran_out, serve

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from mvdesk.ui.jobs import CancelToken

T = TypeVar("T")

LIMIT_S: Final = 3.0
_START_LIMIT_S: Final = 60.0
_PATIENCE: Final = 4.0 if COUNTS_ITS_TIME else 1.0
"""So many times the limit a call may take when other programs have the processor."""
_ALARM_AFTER: Final = 2.0
"""The child ends itself after twice that, when nobody is left to end it."""
_END_S: Final = 2.0


class TookTooLong(Exception):
    """A call was stopped at its limit."""


class ChildFailed(Exception):
    """The call ended in an error, or its process ended."""


class ProcessLane(QObject):
    """Calls functions in a spawned process, one at a time. Use it from the GUI thread only.

    As in `Jobs` a newer call under the same key wins; the older one's process is ended, since
    what holds the lock can't be asked to stop. The process is made for the first call and then
    kept. It ends with `shut_down`, and by itself when this process dies.
    """

    def __init__(self, parent: QObject | None = None, *, limit_s: float = LIMIT_S) -> None:
        super().__init__(parent)
        self._waiting = Jobs(self)
        self._limit_s = limit_s
        self._lock = Lock()  # whoever has it may use the child
        self._child: SpawnProcess | None = None
        self._connection: Connection | None = None
        # Sent on to wake the thread that waits for the child. It doesn't look by the clock: each
        # look takes the interpreter, and on a busy machine the window waits until it is back.
        self._bell: tuple[Connection, Connection] | None = None

    def run(
        self,
        key: str,
        function: Callable[..., T],
        arguments: tuple[object, ...],
        done: Callable[[T], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Call a function of a module in the child and pass what it gives back to `done`.

        `failed` gets TookTooLong or ChildFailed. The start of the process doesn't count, nor
        does time in which other programs have the processor, up to four times the limit.
        """
        work = partial(self._call, function, arguments)
        self._waiting.run(key, work, done, failed=failed)
        self._ring()  # for an older one under this key

    def cancel(self, key: str) -> None:
        """Forget the call under `key`: its result will not be delivered."""
        self._waiting.cancel(key)
        self._ring()

    def is_running(self, key: str) -> bool:
        return self._waiting.is_running(key)

    def is_idle(self) -> bool:
        """True when nothing runs and every result was delivered."""
        return self._waiting.is_idle()

    @property
    def process_id(self) -> int | None:
        """The child's, None while there is none."""
        return None if self._child is None else self._child.pid

    def shut_down(self) -> None:
        """End the process and the threads. Nothing is delivered after it."""
        self._waiting.cancel_all()
        self._ring()
        self._waiting.shut_down()
        self._end()
        if self._bell is not None:
            for end in self._bell:
                end.close()
            self._bell = None

    def _ring(self) -> None:
        """Have the waiting thread look whether its call is still wanted."""
        if self._bell is not None and not self._bell[0].poll():
            self._bell[1].send_bytes(b"!")

    # In a thread of `_waiting`, which does nothing but wait.

    def _call(
        self, function: Callable[..., T], arguments: tuple[object, ...], token: CancelToken
    ) -> T:
        with self._lock:
            if token.is_cancelled():
                raise ChildFailed("cancelled")
            try:
                connection = self._connection or self._start()
                patience_s = self._limit_s * _PATIENCE
                connection.send((function, arguments, self._limit_s, patience_s * _ALARM_AFTER))
                self._await(connection, token, _START_LIMIT_S)
                what, value = self._await(connection, token, patience_s)
            except (EOFError, OSError) as error:
                used_up = self._used_its_time()
                self._end()
                raise TookTooLong if used_up else ChildFailed("the process ended") from error
            except (TookTooLong, ChildFailed):
                self._end()
                raise
        if what == "failed":
            raise ChildFailed(value)
        result: T = value
        return result

    def _await(self, connection: Connection, token: CancelToken, limit_s: float) -> tuple[str, Any]:
        # Here alone, as in `_start`: most sessions need no process.
        from multiprocessing.connection import wait

        assert self._bell is not None
        until = time.monotonic() + limit_s
        while not token.is_cancelled():
            ready = wait([connection, self._bell[0]], max(until - time.monotonic(), 0.0))
            if connection in ready:
                answer: tuple[str, Any] = connection.recv()
                return answer
            if not ready:
                raise TookTooLong
            self._bell[0].recv_bytes()
        raise ChildFailed("cancelled")

    def _start(self) -> Connection:
        # Here alone, for start-up time: most sessions never draw a whole graph.
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        self._bell = self._bell or context.Pipe(duplex=False)
        ours, theirs = context.Pipe()
        child = context.Process(target=serve, args=(theirs,), name="mvdesk-layout", daemon=True)
        child.start()
        theirs.close()  # so that we notice when the child is gone
        self._child, self._connection = child, ours
        return ours

    def _used_its_time(self) -> bool:
        """Whether the child, which is gone, ended itself at the limit."""
        if self._child is None:
            return False
        self._child.join(_END_S)
        return ran_out(self._child.exitcode)

    def _end(self) -> None:
        child, connection = self._child, self._connection
        self._child = self._connection = None
        if connection is not None:
            with suppress(OSError):
                connection.close()
        if child is not None:
            child.kill()
            child.join()
            child.close()

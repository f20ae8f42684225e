"""What runs in the child process of a `ProcessLane`: calls, one after another. No Qt here."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


def serve(connection: Connection) -> None:
    """Answer calls until the other end is gone.

    With ("started", None) when one was read, then ("done", result) or ("failed", text).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is the window's affair
    if hasattr(os, "nice"):
        os.nice(5)  # the window comes first
    while True:
        try:
            function, arguments, limit_s = connection.recv()
            connection.send(("started", None))
            _set_alarm(limit_s)
            try:
                answer = ("done", function(*arguments))
            except Exception as error:  # told to the window, which goes on without it
                answer = ("failed", f"{type(error).__name__}: {error}")
            _set_alarm(0.0)
            connection.send(answer)
        except (EOFError, OSError):
            return


def _set_alarm(seconds: float) -> None:
    """End this process after that long even inside a library that listens to nobody.

    So no work goes on for a window that was killed.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)

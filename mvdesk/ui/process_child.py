"""What runs in the child process of a `ProcessLane`: calls, one after another. No Qt here."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


COUNTS_ITS_TIME: Final = hasattr(signal, "setitimer")
"""Whether the child ends itself when a call took its share of the processor."""


def ran_out(exit_code: int | None) -> bool:
    """Whether a process ended so because its time was used up."""
    return COUNTS_ITS_TIME and exit_code == -signal.SIGPROF


def serve(connection: Connection) -> None:
    """Answer calls until the other end is gone.

    With ("started", None) when one was read, then ("done", result) or ("failed", text).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is the window's affair
    if hasattr(os, "nice"):
        os.nice(5)  # the window comes first
    while True:
        try:
            function, arguments, limit_s, last_s = connection.recv()
            connection.send(("started", None))
            _set_alarms(limit_s, last_s)
            try:
                answer = ("done", function(*arguments))
            except Exception as error:  # told to the window, which goes on without it
                answer = ("failed", f"{type(error).__name__}: {error}")
            _set_alarms(0.0, 0.0)
            connection.send(answer)
        except (EOFError, OSError):
            return


def _set_alarms(limit_s: float, last_s: float) -> None:
    """End this process even inside a library that listens to nobody.

    After `limit_s` of the processor's time: what others have of it on a busy machine doesn't
    count. In any case after `last_s`, so that no work goes on for a window that was killed.
    """
    if COUNTS_ITS_TIME:
        signal.setitimer(signal.ITIMER_PROF, limit_s)
        signal.setitimer(signal.ITIMER_REAL, last_s)

"""What tests of the process lane call in the child."""

from __future__ import annotations

import os
import signal
import time


def add(one: int, other: int) -> int:
    return one + other


def fail() -> None:
    raise ValueError("no such thing")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stay() -> None:
    time.sleep(60)


def spin(seconds: float) -> None:
    """Keep the processor busy for that long."""
    while time.process_time() < seconds:
        pass

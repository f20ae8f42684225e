"""What a command did, and names that tests of commands share."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mvdesk.vault.demo import demo_id

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_800_000_000
STALE = demo_id("probe-datasheet")
CONTRADICTED = demo_id("battery-two-seasons")
UNVERIFIED = demo_id("subsidy-unverified")


@dataclass(frozen=True)
class Outcome:
    """What a command did: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 (whatever the command gave)
        return json.loads(self.out)

    def refused(self) -> str:
        """The one line of a refusal, checked to be one."""
        return self._one_line(1)

    def misused(self) -> str:
        """The one line about wrong usage, checked to be one."""
        assert "--help` tells how" in self.err
        return self._one_line(2)

    def _one_line(self, code: int) -> str:
        assert self.code == code, self
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("mvdesk: ")
        assert "Traceback" not in self.err
        return lines[0]


def digest(path: Path) -> str:
    """Tells whether a file's bytes changed."""
    return hashlib.sha256(path.read_bytes()).hexdigest()

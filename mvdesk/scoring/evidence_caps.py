"""How far a component is from its cap, and how much the cap cut off."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mvdesk.scoring.rounding import round3
from mvdesk.scoring.saying import tr

if TYPE_CHECKING:
    from mvdesk.scoring.model import CountRate, Depth, LogRate

_MOST_EXPONENT = 40.0


@dataclass(frozen=True, slots=True)
class CapEvidence:
    """What a count earns of at most `cap` score points; all points are 0 or more.

    `full_at` is the smallest count that earns the cap, None when none does. `earned` is what
    counts, `cut_off` what the count would earn beyond the cap. The first `free` earn nothing.
    """

    count: int
    noun: str
    full_at: int | None
    earned: float
    cap: float
    cut_off: float
    free: int = 0

    @property
    def left(self) -> float:
        """Points until the cap."""
        return max(self.cap - self.earned, 0.0)

    @property
    def is_full(self) -> bool:
        return self.left == 0.0 and self.count > 0

    def text(self) -> str:
        """One phrase: "3 of 5 words until the cap of 0.200"."""
        if self.is_full:
            cut = (
                tr(", {cut_off:.3f} cut off", cut_off=self.cut_off)
                if self.cut_off >= 0.0005
                else ""
            )
            return tr(
                "{count:,} {noun}, at the cap of {cap:.3f}{cut}",
                count=self.count,
                noun=self.noun,
                cap=self.cap,
                cut=cut,
            )
        most = "" if self.full_at is None else tr(" of {full_at:,}", full_at=self.full_at)
        free = tr(", those beyond the first {free:,} count", free=self.free) if self.free else ""
        return tr(
            "{count:,}{most} {noun} until the cap of {cap:.3f}{free}",
            count=self.count,
            most=most,
            noun=self.noun,
            cap=self.cap,
            free=free,
        )

    def to_json(self) -> dict[str, Any]:
        """Points to three decimals."""
        return {
            "count": self.count,
            "of": self.noun,
            "full_at": self.full_at,
            "earned": round3(self.earned),
            "cap": round3(self.cap),
            "left": round3(self.left),
            "cut_off": round3(self.cut_off),
            "free": self.free,
        }


def cap_of_count(count: int, noun: str, rate: CountRate, share: float = 1.0) -> CapEvidence:
    """The cap of a component that earns the same for each; `share` is its part of the signal."""
    full = None
    if rate.each > 0.0:
        full = math.ceil(rate.cap / rate.each - 1e-9)
        full += rate.each * full < rate.cap
    return _cap(count, noun, full, rate.each * count, rate.cap, share)


def cap_of_log(count: int, noun: str, rate: LogRate, share: float = 1.0) -> CapEvidence:
    """The cap of a component that earns less for each further one."""
    full = None
    if rate.each > 0.0 and rate.cap / rate.each <= _MOST_EXPONENT:
        full = math.ceil(math.expm1(rate.cap / rate.each) - 1e-9)
        full += rate.each * math.log1p(full) < rate.cap
    return _cap(count, noun, full, rate.each * math.log1p(count), rate.cap, share)


def cap_of_depth(length: int, depth: Depth) -> CapEvidence:
    """The cap of content depth, counted in characters without white space."""
    full = None
    if depth.per_span > 0.0:
        full = math.ceil(depth.free_length + depth.span * depth.cap / depth.per_span - 1e-9)
    points = depth.per_span * max((length - depth.free_length) / depth.span, 0.0)
    cap = _cap(length, tr("characters"), full, points, depth.cap, 1.0)
    return replace(cap, free=max(math.floor(depth.free_length), 0))


def _cap(
    count: int, noun: str, full: int | None, points: float, cap: float, share: float
) -> CapEvidence:
    earned = min(points, cap)
    return CapEvidence(count, noun, full, earned * share, cap * share, (points - earned) * share)

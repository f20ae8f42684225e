"""Evidence as plain data: what each component of a memory's scores was made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from mvdesk.scoring.causes import format_link
from mvdesk.scoring.inverse import format_score
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.verdict import format_delta

if TYPE_CHECKING:
    from mvdesk.scoring.evidence_ages import AgeEvidence
    from mvdesk.scoring.evidence_caps import CapEvidence
    from mvdesk.scoring.explain import Component, ScoreExplanation
    from mvdesk.scoring.keywords import KeywordHit, SourceHit
    from mvdesk.scoring.subject import LinkFact

SourceClass = Literal["none", "named", "high", "low"]


@dataclass(frozen=True, slots=True)
class SourceEvidence:
    """The source as written, its key, what counts it as and the letters that made it so.

    `kind` is "high" or "low" where such a word is in it, as far as the component cares.
    """

    text: str
    key: str
    kind: SourceClass
    hits: tuple[SourceHit, ...]

    def lines(self) -> list[str]:
        """A line for the source, one for each match."""
        if self.kind == "none":
            return ["no source"]
        names = {"named": "an ordinary source", "high": "high-signal", "low": "low-signal"}
        lines = [f"source “{self.text}”, {names[self.kind]}"]
        lines += [f"{hit.keyword}: {hit.marked}{_doubts(hit)}" for hit in self.hits]
        return lines

    def to_json(self) -> dict[str, Any]:
        """Spans are code points of `text`."""
        return {
            "text": self.text,
            "key": self.key,
            "kind": self.kind,
            "hits": [_hit_json(hit) for hit in self.hits],
        }


@dataclass(frozen=True, slots=True)
class TrustEvidence:
    """The trust of the source; `trust` None is "not set" and counts as neutral.

    `delta` = (trust − 0.5) · `factor`. `memories` share the source, None for unknown.
    """

    key: str
    trust: float | None
    note: str | None
    factor: float
    delta: float
    memories: int | None

    def formula(self) -> str:
        """The formula with its numbers: "(0.20 − 0.50) × 0.40 = −0.120"."""
        if self.trust is None:
            return f"not set, counts as 0.50: (0.50 − 0.50) × {self.factor:.2f} = 0.000"
        trust = f"{self.trust:.3f}".removesuffix("0")
        return f"({trust} − 0.50) × {self.factor:.2f} = {_signed(self.delta)}"

    def lines(self) -> list[str]:
        """The key, the formula, the note, how many memories share it."""
        if not self.key and self.trust is None:
            return ["no source, so no trust"]
        lines = [f"trust of “{self.key or 'an unnamed source'}”: {self.formula()}"]
        if self.note:
            lines.append(f"note: {self.note}")
        if self.memories is not None:
            lines.append(
                f"{self.memories:,} {'memory' if self.memories == 1 else 'memories'} of this source"
            )
        return lines

    def to_json(self) -> dict[str, Any]:
        """`trust` is null when not set."""
        return {
            "key": self.key or None,
            "trust": self.trust,
            "note": self.note,
            "factor": self.factor,
            "delta": round3(self.delta),
            "formula": self.formula() if self.key else None,
            "memories": self.memories,
        }


@dataclass(frozen=True, slots=True)
class TypeEvidence:
    """What types earn in this component: those listed, and any other."""

    type_name: str
    listed: tuple[tuple[str, float], ...]
    other: float

    def lines(self) -> list[str]:
        """The type and the table."""
        table = [*self.listed, ("any other", self.other)]
        worth = ", ".join(f"{name} {_signed(points)}" for name, points in table)
        return [f"type {self.type_name}; {worth}"]

    def to_json(self) -> dict[str, Any]:
        return {"type": self.type_name, "by_type": dict(self.listed), "other": self.other}


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentEvidence:
    """What one component of a score was made from; only what belongs to it is filled in.

    `words` are the places of the keywords that count; each keyword counts once. `links` are
    those counted, as far as they were given: `links_missing` says how many were not.
    """

    component: Component
    words: tuple[KeywordHit, ...] = ()
    links: tuple[LinkFact, ...] = ()
    links_missing: int = 0
    source: SourceEvidence | None = None
    trust: TrustEvidence | None = None
    type: TypeEvidence | None = None
    age: AgeEvidence | None = None
    cap: CapEvidence | None = None

    @property
    def name(self) -> str:
        return self.component.name

    def lines(self) -> list[str]:
        """The evidence as text, a line each; dates are left to whoever shows it."""
        places = Counter(
            f"{hit.keyword} in {hit.field}: {hit.marked}{_doubts(hit)}" for hit in self.words
        )
        lines = [f"{text}, {count} times" if count > 1 else text for text, count in places.items()]
        lines += [_link_line(link) for link in self.links]
        if self.links_missing:
            lines.append(f"{self.links_missing:,} more counted, not listed here")
        for part in (self.source, self.trust, self.type):
            if part is not None:
                lines += part.lines()
        if self.cap is not None:
            lines.append(self.cap.text())
        if self.age is not None:
            lines += self.age.lines()
        return lines

    def to_json(self) -> dict[str, Any]:
        """What is filled in, under the names of the fields."""
        one = self.component
        data: dict[str, Any] = {
            "name": one.name,
            "label": one.label,
            "group": one.group,
            "delta": one.rounded,
            "evidence": one.hint,
        }
        if self.words:
            data["words"] = [_hit_json(hit) for hit in self.words]
        if one.group == "Links":
            data["links"] = [link.to_json() for link in self.links]
            data["links_not_listed"] = self.links_missing
        parts = {
            "source": self.source,
            "trust": self.trust,
            "type": self.type,
            "cap": self.cap,
            "age": self.age,
        }
        return data | {name: part.to_json() for name, part in parts.items() if part is not None}


@dataclass(frozen=True, slots=True)
class ScoreEvidence:
    """The evidence of one score. `stored_base` is as stored, before it is clamped to 0..1."""

    score: ScoreExplanation
    stored_base: float
    components: tuple[ComponentEvidence, ...]

    def of(self, name: str) -> ComponentEvidence:
        """The evidence of a component. Raises KeyError."""
        for one in self.components:
            if one.name == name:
                return one
        raise KeyError(name)

    def clamp_text(self) -> str:
        """What the clamp cut: "would be 1.103; capped at 1, 0.103 cut off"; "" for nothing."""
        score = self.score
        if score.clamp == 0.0:
            return ""
        held = "capped at 1" if score.clamp < 0.0 else "held at 0"
        verb = "cut off" if score.clamp < 0.0 else "added"
        raw = format_score(score.raw).replace("-", "−")
        return f"would be {raw}; {held}, {abs(score.clamp):.3f} {verb}"

    def to_json(self) -> dict[str, Any]:
        """The clamp, the rounding and the evidence of every component."""
        return {
            "stored_base": self.stored_base,
            "clamp": round3(self.score.clamp),
            "clamp_text": self.clamp_text(),
            "rounding": self.score.rounding,
            "components": [one.to_json() for one in self.components],
        }


@dataclass(frozen=True, slots=True)
class MemoryEvidence:
    """The evidence of both scores of a memory."""

    model_title: str
    dated_ahead: bool
    confidence: ScoreEvidence
    importance: ScoreEvidence

    def to_json(self) -> dict[str, Any]:
        """Both scores under their kinds."""
        return {
            "model_title": self.model_title,
            "dated_in_the_future": self.dated_ahead,
            "confidence": self.confidence.to_json(),
            "importance": self.importance.to_json(),
        }


def _link_line(link: LinkFact) -> str:
    remarks = []
    if link.confidence is not None and link.importance is not None:
        scores = (format_score(link.confidence), format_score(link.importance))
        remarks.append(f"confidence {scores[0]}, importance {scores[1]}")
    if link.archived:
        remarks.append("archived")
    if link.ends > 1:
        remarks.append("to itself, counts at both ends")
    return f"{format_link(link)} ({', '.join(remarks)})" if remarks else format_link(link)


def _doubts(hit: KeywordHit | SourceHit) -> str:
    doubts = ["inside a word"] if hit.inside_word else []
    if getattr(hit, "negated", False):
        doubts.append("negated?")
    return f" ({', '.join(doubts)})" if doubts else ""


def _hit_json(hit: KeywordHit | SourceHit) -> dict[str, Any]:
    return {**asdict(hit), "marked": hit.marked}


def _signed(points: float) -> str:
    return format_delta(round3(points)) if round3(points) else "0.000"

"""Evidence as plain data: what each component of a memory's scores was made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from mvdesk.scoring.causes import format_link
from mvdesk.scoring.inverse import format_score
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.saying import format_number, tr, tr_n
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
            return [tr("no source")]
        names = {
            "named": tr("an ordinary source"),
            "high": tr("high-signal"),
            "low": tr("low-signal"),
        }
        lines = [tr("source “{text}”, {names}", text=self.text, names=names[self.kind])]
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
            return tr(
                "not set, counts as 0.50: (0.50 − 0.50) × {factor:.2f} = 0.000", factor=self.factor
            )
        trust = format_number(self.trust, ".3f").removesuffix("0")
        half, factor = format_number(0.5, ".2f"), format_number(self.factor, ".2f")
        return f"({trust} − {half}) × {factor} = {_signed(self.delta)}"

    def lines(self) -> list[str]:
        """The key, the formula, the note, how many memories share it."""
        if not self.key and self.trust is None:
            return [tr("no source, so no trust")]
        lines = [
            tr(
                "trust of “{key}”: {formula}",
                key=self.key or tr("an unnamed source"),
                formula=self.formula(),
            )
        ]
        if self.note:
            lines.append(tr("note: {note}", note=self.note))
        if self.memories is not None:
            lines.append(
                tr_n(
                    "{memories:,} memory of this source",
                    "{memories:,} memories of this source",
                    self.memories,
                    memories=self.memories,
                )
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
        table = [*self.listed, (tr("any other"), self.other)]
        worth = ", ".join(f"{name} {_signed(points)}" for name, points in table)
        return [tr("type {type_name}; {worth}", type_name=self.type_name, worth=worth)]

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
            tr(
                "{keyword} in {field}: {marked}{doubts}",
                keyword=hit.keyword,
                field=hit.field,
                marked=hit.marked,
                doubts=_doubts(hit),
            )
            for hit in self.words
        )
        lines = [
            tr("{text}, {count} times", text=text, count=count) if count > 1 else text
            for text, count in places.items()
        ]
        lines += [_link_line(link) for link in self.links]
        if self.links_missing:
            lines.append(
                tr(
                    "{links_missing:,} more counted, not listed here",
                    links_missing=self.links_missing,
                )
            )
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
        held = tr("capped at 1") if score.clamp < 0.0 else tr("held at 0")
        verb = tr("cut off") if score.clamp < 0.0 else tr("added")
        raw = format_score(score.raw).replace("-", "−")
        return tr(
            "would be {raw}; {held}, {clamp:.3f} {verb}",
            raw=raw,
            held=held,
            clamp=abs(score.clamp),
            verb=verb,
        )

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
        remarks.append(
            tr("confidence {scores}, importance {scores_2}", scores=scores[0], scores_2=scores[1])
        )
    if link.archived:
        remarks.append(tr("archived"))
    if link.ends > 1:
        remarks.append(tr("to itself, counts at both ends"))
    return f"{format_link(link)} ({', '.join(remarks)})" if remarks else format_link(link)


def _doubts(hit: KeywordHit | SourceHit) -> str:
    doubts = [tr("inside a word")] if hit.inside_word else []
    if getattr(hit, "negated", False):
        doubts.append("negated?")
    return f" ({', '.join(doubts)})" if doubts else ""


def _hit_json(hit: KeywordHit | SourceHit) -> dict[str, Any]:
    return {**asdict(hit), "marked": hit.marked}


def _signed(points: float) -> str:
    return format_delta(round3(points)) if round3(points) else format_number(0.0, ".3f")

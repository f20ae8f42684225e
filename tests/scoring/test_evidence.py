"""Evidence is complete: without it a bar is gone, with it the bar is back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from mvdesk.scoring.builtin import BUILTIN_MODELS, PUBLISHED_V1, SERVER_V1, SERVER_V2
from mvdesk.scoring.case import Case
from mvdesk.scoring.causes import CAUSES_NOTE, find_causes
from mvdesk.scoring.changes import (
    Change,
    apply_change,
    with_links,
    without_links,
    without_recalls,
    without_source,
    without_words,
)
from mvdesk.scoring.evidence_caps import cap_of_count, cap_of_depth, cap_of_log
from mvdesk.scoring.evidence_finder import explain_subject, find_evidence
from mvdesk.scoring.explain import COMPONENT_LABELS
from mvdesk.scoring.keywords import find_source_hits
from mvdesk.scoring.model import CountRate, Depth, LogRate, Recency, Stale
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.subject import LinkFact, Subject, score_subjects, subject_of_case
from tests.scoring.cases import DAY, NOW, cases
from tests.scoring.subjects import linked_cases, models, subject_of

if TYPE_CHECKING:
    from mvdesk.scoring.evidence_record import ComponentEvidence, MemoryEvidence
    from mvdesk.scoring.model import ScoreModel


def aged(days: float, **changes: object) -> Case:
    return Case(now=NOW, created_at=NOW - days * DAY, updated_at=NOW - days * DAY, **changes)


def both(evidence: MemoryEvidence) -> list[ComponentEvidence]:
    return [*evidence.confidence.components, *evidence.importance.components]


def bar(subject: Subject, kind: str, name: str) -> float:
    """A component of a score."""
    score = getattr(explain_subject(subject), kind)
    return next(one.delta for one in score.components if one.name == name)


def stripped(subject: Subject, evidence: ComponentEvidence) -> Subject:
    """The memory without the evidence that is listed."""
    if evidence.words:
        subject = without_words(subject, list(dict.fromkeys(w.keyword for w in evidence.words)))
    if evidence.links:
        subject = without_links(subject, evidence.links)
    if evidence.source is not None or evidence.trust is not None:
        subject = without_source(subject)
    if evidence.name in ("usage_signal", "recall_recency_signal"):
        subject = without_recalls(subject)
    if evidence.name == "stale_penalty":
        subject = subject.with_inputs(updated_at=NOW)
    if evidence.name == "content_depth_signal":
        subject = subject.with_inputs(content_length=0)
    return subject


ALWAYS_THERE = ("type_confidence_bias", "type_importance_bias", "recency_signal")
"""Every memory has a type and an age; what another would earn is in the evidence."""


@settings(deadline=None)
@given(linked_case=linked_cases, model=models)
def test_without_its_evidence_a_bar_is_nothing_and_with_it_the_bar_is_back(
    linked_case: tuple[Case, tuple[LinkFact, ...]], model: ScoreModel
) -> None:
    case, links = linked_case
    subject = subject_of_case(case, model, links=links)
    evidence = find_evidence(subject)
    for kind in ("confidence", "importance"):
        for one in getattr(evidence, kind).components:
            if one.name not in ALWAYS_THERE:
                assert bar(stripped(subject, one), kind, one.name) == 0.0, one.name


def put_back(bare: Subject, evidence: ComponentEvidence, kind: str) -> Subject:
    """A memory of nothing, with the evidence that is listed: all that a bar is made of."""
    values: dict[str, object] = {}
    if evidence.links:
        bare = with_links(bare, [one.relation for one in evidence.links for _ in range(one.ends)])
    if evidence.words:
        content = "\n".join(dict.fromkeys(hit.keyword for hit in evidence.words))
        case = Case(now=NOW, created_at=NOW, updated_at=NOW, content=content)
        bare = subject_of_case(case, bare.model)
    if evidence.source is not None:
        source = "".join(hit.keyword for hit in evidence.source.hits[:1]) or "somebody"
        if evidence.source.kind != "none":
            case = Case(now=NOW, created_at=NOW, updated_at=NOW, source=source)
            bare = subject_of_case(case, bare.model)
    if evidence.trust is not None and evidence.trust.trust is not None:
        values["trust"] = evidence.trust.trust
    if evidence.type is not None:
        bare = bare.with_type(evidence.type.type_name)
    if evidence.cap is not None and evidence.name == "content_depth_signal":
        values["content_length"] = evidence.cap.count
    if evidence.cap is not None and evidence.name == "usage_signal":
        values["access_count"] = float(evidence.cap.count)
    if evidence.age is not None and evidence.age.since_at is not None:
        is_recall = evidence.age.since == "last recall"
        values["last_accessed_at" if is_recall else "updated_at"] = evidence.age.since_at
        if is_recall and evidence.name != "recall_recency_signal":
            values["updated_at"] = evidence.age.since_at
    return bare.with_inputs(**values)


@settings(deadline=None)
@given(linked_case=linked_cases, model=models)
def test_the_evidence_alone_makes_the_bar_again(
    linked_case: tuple[Case, tuple[LinkFact, ...]], model: ScoreModel
) -> None:
    """Taken out of its memory and put into an empty one, what is listed earns the same."""
    case, links = linked_case
    subject = subject_of_case(case, model, links=links)
    evidence = find_evidence(subject)
    empty = subject_of_case(Case(now=NOW, created_at=NOW, updated_at=NOW), model)
    for kind in ("confidence", "importance"):
        for one in getattr(evidence, kind).components:
            again = bar(put_back(empty, one, kind), kind, one.name)
            assert again == one.component.delta, (one.name, again, one.component.delta)


@given(linked_case=linked_cases, model=models)
def test_links_taken_away_and_put_back_give_the_same_scores(
    linked_case: tuple[Case, tuple[LinkFact, ...]], model: ScoreModel
) -> None:
    case, links = linked_case
    subject = subject_of_case(case, model, links=links)
    bare = without_links(subject, links)
    assert bare.links == ()
    again = with_links(bare, [link.relation for link in links])
    assert score_subjects([again]) == score_subjects([subject])


@given(linked_case=linked_cases, model=models)
def test_words_listed_are_those_counted(
    linked_case: tuple[Case, tuple[LinkFact, ...]], model: ScoreModel
) -> None:
    case, links = linked_case
    evidence = find_evidence(subject_of_case(case, model, links=links))
    for one in both(evidence):
        if one.cap is not None and one.name.endswith(("keyword_signal", "certainty_signal")):
            assert len({hit.keyword for hit in one.words}) == one.cap.count
        for hit in one.words:
            assert hit.word[hit.start - hit.word_start :][: hit.end - hit.start]
        assert one.lines()
        assert one.links_missing == 0


@given(linked_case=linked_cases, model=models)
def test_caps_say_what_counts(
    linked_case: tuple[Case, tuple[LinkFact, ...]], model: ScoreModel
) -> None:
    case, links = linked_case
    evidence = find_evidence(subject_of_case(case, model, links=links))
    for one in both(evidence):
        if one.cap is not None:
            assert one.cap.earned == pytest.approx(abs(one.component.delta), abs=1e-12)
            assert (one.cap.cut_off > 0) <= one.cap.is_full
            if one.cap.full_at is not None:
                assert (one.cap.count >= one.cap.full_at) == (one.cap.earned == one.cap.cap)


@settings(deadline=None)
@given(case=cases, model=models)
def test_the_step_table_says_what_applies_and_when_the_next_begins(
    case: Case, model: ScoreModel
) -> None:
    for one in both(find_evidence(subject_of_case(case, model))):
        if one.age is None:
            continue
        here = [row for row in one.age.steps if row.here]
        if one.name == "recall_recency_signal" and one.age.days is None:
            assert here == []
            assert one.component.delta == 0.0
            continue
        assert len(here) == 1
        low, high = sorted((here[0].delta, here[0].end_delta))
        assert low - 1e-9 <= one.component.delta <= high + 1e-9
        following = one.age.next_step
        if following is not None and following.begins_at is not None and one.age.since != "nothing":
            later = subject_of_case(replace(case, now=following.begins_at), model)
            moved = next(x for x in both(find_evidence(later)) if x.name == one.name)
            assert moved.age is not None
            assert moved.component.delta == pytest.approx(following.delta, abs=1e-6)


@pytest.mark.parametrize("model", BUILTIN_MODELS.values(), ids=lambda model: model.id)
def test_every_component_has_evidence_in_text_and_json(model: ScoreModel) -> None:
    case = aged(
        30,
        type="fact",
        title="Unverified video",
        content="maybe a plan",
        source=" Blog ",
        trust=0.2,
        access_count=3,
        last_accessed_at=NOW - DAY,
    )
    subject = subject_of(
        case, model, "supports", "contradicts", "related", trust_note="hearsay", source_count=2
    )
    evidence = find_evidence(subject)
    data = json.loads(json.dumps(evidence.to_json()))
    for kind in ("confidence", "importance"):
        for one in data[kind]["components"]:
            assert one["label"] == COMPONENT_LABELS[one["name"]]
            assert len(one) > 5
    for one in both(evidence):
        assert all(one.lines())
    trust = evidence.confidence.of("source_trust_delta")
    assert trust.lines() == [
        "trust of “blog”: (0.20 − 0.50) × 0.40 = −0.120",
        "note: hearsay",
        "2 memories of this source",
    ]
    assert "log: b[log] (inside a word)" in [
        line.lower() for line in evidence.confidence.of("source_bonus").lines()
    ]
    words = evidence.confidence.of("certainty_signal").lines()
    assert "verified in title: Un[verified] (inside a word, negated?)" in words
    assert "id in title: v[id]eo (inside a word)" in words
    assert "2 of 5 words until the cap of 0.200" in words
    links = evidence.confidence.of("contradiction_penalty").lines()
    assert links[0] == "← contradicts “Memory 1” (confidence 0.50, importance 0.625)"
    with pytest.raises(KeyError):
        evidence.confidence.of("luck")


def test_links_that_were_not_given_are_counted() -> None:
    subject = replace(subject_of(aged(1), PUBLISHED_V1, "supports", "supports"), links=())
    support = find_evidence(subject).confidence.of("support_signal")
    assert support.links_missing == 2
    assert support.lines()[0] == "2 more counted, not listed here"


def test_an_archived_end_is_said() -> None:
    link = LinkFact(
        id="1", relation="causes", outgoing=True, other_id="2", title="Old", archived=True
    )
    subject = replace(subject_of(aged(1), PUBLISHED_V1, "causes"), links=(link,))
    assert find_evidence(subject).importance.of("cause_signal").lines()[0] == (
        "→ causes “Old” (archived)"
    )


def test_a_link_to_itself_counts_at_both_ends() -> None:
    link = LinkFact(
        id="1", relation="contradicts", outgoing=True, other_id="0", title="Self", ends=2
    )
    subject = replace(
        subject_of(aged(1), PUBLISHED_V1, "contradicts", "contradicts"), links=(link,)
    )
    penalty = find_evidence(subject).confidence.of("contradiction_penalty")
    assert penalty.links_missing == 0
    assert penalty.lines()[0] == "→ contradicts “Self” (to itself, counts at both ends)"
    nothing = score_subjects([subject_of(aged(1), PUBLISHED_V1)])[0]
    assert score_subjects([without_links(subject, [link])])[0] == nothing
    relinked = apply_change(subject, Change(relinked=(("1", "supersedes"),)))
    assert relinked.inputs.link_counts.tolist() == [[2, 0, 0, 2, 0, 0]]


def test_the_clamp_says_what_it_cut() -> None:
    high = aged(5, type="fact", content="verified confirmed", trust=0.8, source="x")
    score = find_evidence(subject_of(high, PUBLISHED_V1, *["supports"] * 3, "contradicts"))
    assert score.confidence.clamp_text() == "would be 1.103; capped at 1, 0.103 cut off"
    assert score.importance.clamp_text() == ""
    low = aged(5, base_confidence=0.0, source="rumor", trust=0.0)
    assert find_evidence(subject_of(low, PUBLISHED_V1)).confidence.clamp_text() == (
        "would be −0.27; held at 0, 0.270 added"
    )


def test_trust_that_is_not_set_is_not_half() -> None:
    unset = find_evidence(subject_of(aged(1, source="x"), PUBLISHED_V1))
    half = find_evidence(subject_of(aged(1, source="x", trust=0.5), PUBLISHED_V1))
    lines = [one.confidence.of("source_trust_delta").lines()[0] for one in (unset, half)]
    assert lines[0].startswith("trust of “x”: not set, counts as 0.50")
    assert lines[1] == "trust of “x”: (0.50 − 0.50) × 0.40 = 0.000"
    fine = find_evidence(subject_of(aged(1, source="x", trust=0.683), PUBLISHED_V1, source_count=1))
    assert fine.confidence.of("source_trust_delta").lines() == [
        "trust of “x”: (0.683 − 0.50) × 0.40 = +0.073",
        "1 memory of this source",
    ]


def test_dates_are_said_with_what_they_count_from() -> None:
    def head(case: Case, model: ScoreModel = PUBLISHED_V1, name: str = "recency_signal") -> str:
        return find_evidence(subject_of(case, model)).importance.of(name).lines()[0]

    assert head(aged(12)) == "12 days since the last edit (2027-01-03)"
    created = replace(aged(12), updated_at=None)
    assert head(created) == "12 days since the creation (2027-01-03)"
    recalled = aged(12, last_accessed_at=NOW - DAY)
    assert head(recalled, SERVER_V2) == "1 day since the last recall (2027-01-14)"
    assert head(recalled) == "12 days since the last edit (2027-01-03)"
    saved_since = replace(aged(0), updated_at=NOW + 60.0)
    assert head(saved_since) == "0 days since the last edit (2027-01-15)"
    assert head(aged(-3)) == "dated in the future: 2027-01-18; counts as new"
    milliseconds = replace(aged(0), updated_at=NOW * 1000.0)
    assert head(milliseconds) == f"dated in the future: (not a date) {NOW}000; counts as new"
    assert head(Case(now=NOW)) == "no date, counts as new"
    assert head(aged(1), SERVER_V2, "recall_recency_signal") == "never recalled"
    table = find_evidence(subject_of(aged(12), PUBLISHED_V1)).importance.of("recency_signal")
    assert "from day 3 (2027-01-06) to day 14: +0.070 (you are here)" in table.lines()


def test_step_tables_of_models_without_slopes_end_flat() -> None:
    model = PUBLISHED_V1.copy_as(
        "own", "Own", recency=Recency((), 0.0, 0.0), stale=Stale(100.0, 1.0, 0.1)
    )
    evidence = find_evidence(subject_of(aged(200), model))
    recency = evidence.importance.of("recency_signal").age
    stale = evidence.confidence.of("stale_penalty").age
    assert recency is not None
    assert stale is not None
    assert [row.to_json()["delta"] for row in recency.steps] == [0.0]
    assert [(row.from_days, row.delta, row.here) for row in stale.steps] == [
        (0.0, 0.0, False),
        (100.0, -0.1, True),
    ]
    assert recency.next_step is None


def test_a_model_may_have_no_steps_of_recall() -> None:
    assert SERVER_V2.use is not None
    model = SERVER_V2.copy_as("own", "Own", use=replace(SERVER_V2.use, recall_steps=()))
    evidence = find_evidence(subject_of(aged(3, last_accessed_at=NOW - DAY), model))
    assert evidence.importance.of("recall_recency_signal").age is not None


def test_caps_that_no_count_reaches() -> None:
    assert cap_of_count(3, "words", CountRate(0.0, 0.2)).full_at is None
    assert cap_of_log(3, "links", LogRate(0.0, 0.2)).full_at is None
    assert cap_of_log(3, "links", LogRate(1e-9, 0.2)).full_at is None
    assert cap_of_depth(99, Depth(80.0, 420.0, 0.0, 0.08)).full_at is None
    depth = cap_of_depth(247, Depth(80.0, 420.0, 0.08, 0.08))
    assert depth.text() == (
        "247 of 500 characters until the cap of 0.080, those beyond the first 80 count"
    )
    assert cap_of_count(3, "words", CountRate(0.0, 0.2)).text() == "3 words until the cap of 0.200"
    assert cap_of_count(9, "words", CountRate(0.05, 0.2)).text() == (
        "9 words, at the cap of 0.200, 0.250 cut off"
    )
    assert cap_of_count(4, "words", CountRate(0.05, 0.2)).text() == "4 words, at the cap of 0.200"


def test_letters_of_a_source_are_found_as_written() -> None:
    hits = find_source_hits("\ufeff İ Weblog API", ["log", "api"])
    assert [(hit.keyword, hit.marked, hit.inside_word) for hit in hits] == [
        ("log", "Web[log]", True),
        ("api", "API", False),
    ]
    assert [(hit.start, hit.end) for hit in hits] == [(7, 10), (11, 14)]
    assert find_source_hits(None, ["log"]) == []


@settings(deadline=None)
@given(linked_case=linked_cases, model=models)
def test_a_cause_is_worth_what_its_absence_changes(
    linked_case: tuple[Case, tuple[LinkFact, ...]], model: ScoreModel
) -> None:
    case, links = linked_case
    subject = subject_of_case(case, model, links=links)
    scores = score_subjects([subject])[0]
    causes = find_causes(subject)
    assert len({(cause.kind, cause.ref) for cause in causes}) == len(causes)
    for cause in causes:
        assert cause.label
        assert cause.to_json()["effect"]["confidence"] == cause.effect.confidence
        if cause.kind == "link":
            gone = [link for link in links if link.id == cause.ref]
            without = score_subjects([without_links(subject, gone)])[0]
        elif cause.kind == "word":
            without = score_subjects([without_words(subject, [cause.ref])])[0]
        elif cause.kind == "source":
            bare = replace(case, source=None, trust=None)
            without = score_subjects([subject_of_case(bare, model)])[0]
        elif cause.kind == "wait":
            without = score_subjects([subject_of_case(replace(case, updated_at=NOW), model)])[0]
        elif cause.kind == "type":
            without = score_subjects([subject_of_case(replace(case, type=None), model)])[0]
        else:
            bare = replace(case, access_count=0.0, last_accessed_at=None)
            without = score_subjects([subject_of_case(bare, model)])[0]
        assert cause.effect.confidence == round3(scores.confidence - without.confidence)
        assert cause.effect.importance == round3(scores.importance - without.importance)
        assert cause.effect.raw_importance == scores.raw_importance - without.raw_importance


def test_one_contradicting_link_lowers_confidence_and_raises_importance() -> None:
    causes = find_causes(subject_of(aged(1), SERVER_V1, "contradicts"))
    link = next(cause for cause in causes if cause.kind == "link")
    assert link.effect.raw_confidence == pytest.approx(-0.0754, abs=1e-4)
    assert link.effect.importance == 0.019
    assert link.label == "→ contradicts “Memory 0”"
    assert "need not add up" in CAUSES_NOTE


def test_words_are_causes_only_where_the_text_is_there() -> None:
    subject = replace(subject_of(aged(1, content="maybe"), PUBLISHED_V1), fields=None)
    assert [cause.kind for cause in find_causes(subject)] == ["wait"]
    assert find_evidence(subject).confidence.of("hedge_penalty").words == ()


def test_a_subject_is_one_memory() -> None:
    subject = subject_of(aged(1), PUBLISHED_V1)
    with pytest.raises(ValueError, match="one memory"):
        replace(subject, inputs=subject.inputs.taken([0, 0]))
    assert score_subjects([]) == []

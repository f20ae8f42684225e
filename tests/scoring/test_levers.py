"""Levers: what they promise is what the engine says once they are applied."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V1, SERVER_V2
from mvdesk.scoring.case import Case
from mvdesk.scoring.changes import Change, apply_change, without_words
from mvdesk.scoring.explain import explain
from mvdesk.scoring.inverse import meets
from mvdesk.scoring.lever_list import LEVER_FAMILIES
from mvdesk.scoring.levers import Lever, WhatIf, find_levers
from mvdesk.scoring.wording import has_keyword, without_keyword
from tests.scoring.cases import DAY, NOW
from tests.scoring.subjects import linked, linked_cases, models, subject_of

if TYPE_CHECKING:
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import LinkFact, ScoreKind, ScorePair

kinds = st.sampled_from(["confidence", "importance"])
directions = st.sampled_from(["raise", "lower"])
targets = st.floats(0, 1)


def aged(days: float, **changes: object) -> Case:
    return Case(now=NOW, created_at=NOW - days * DAY, updated_at=NOW - days * DAY, **changes)


def changed_case(case: Case, links: tuple[LinkFact, ...], change: Change) -> Case:
    """The case as a person would have it after the change, made without the levers' own code."""
    relations = {link.id: link.relation for link in links}
    for link_id in change.removed_links:
        del relations[link_id]
    relations.update(change.relinked)
    case, _ = linked(case, [*relations.values(), *change.added_links])
    fields = {name: getattr(case, name) for name in ("title", "key", "content", "tags")}
    for word in change.removed_words:
        fields = without_keyword(fields, word)
    values: dict[str, object] = {
        "type": change.type_name,
        "source": "a colleague" if change.names_source else None,
        "trust": change.trust,
        "updated_at": change.edited_at,
        "base_confidence": change.base_confidence,
        "base_importance": change.base_importance,
    }
    return replace(
        case, **fields, **{name: value for name, value in values.items() if value is not None}
    )


def scores_of(case: Case, model: ScoreModel) -> tuple[float, float]:
    explanation = explain(case, model)
    return explanation.confidence.final, explanation.importance.final


def finals(pair: ScorePair) -> tuple[float, float]:
    return pair.confidence, pair.importance


@settings(deadline=None)
@given(linked_case=linked_cases, model=models, kind=kinds, direction=directions, target=targets)
def test_applying_a_lever_gives_exactly_the_promised_scores(
    linked_case: tuple[Case, tuple[LinkFact, ...]],
    model: ScoreModel,
    kind: ScoreKind,
    direction: str,
    target: float,
) -> None:
    case, links = linked_case
    found = find_levers(subject_of_links(case, model, links), kind, target, direction)
    assert finals(found.current) == scores_of(case, model)
    for lever in found.levers:
        promised = [(lever.change, lever.after)]
        promised += [(one.change, one.after) for one in lever.outcomes]
        if lever.saved is not None:
            promised.append((replace(lever.change, edited_at=NOW), lever.saved))
        if lever.change.names_source:  # an unset trust is what it promises
            case = replace(case, trust=None)
        for change, after in promised:
            assert finals(after) == scores_of(changed_case(case, links, change), model)
        check_rules(found, lever)
    assert len(found.levers) <= 5
    check_grid(case, links, model, found)


def subject_of_links(case: Case, model: ScoreModel, links: tuple[LinkFact, ...]) -> object:
    return subject_of(case, model, *(link.relation for link in links))


def check_rules(found: WhatIf, lever: Lever) -> None:
    """No small effects, none in the other direction, no added words; text for everything."""
    gain = lever.effect.of(found.kind) * (1 if found.direction == "raise" else -1)
    assert gain >= 0.005
    assert lever.reaches == (
        lever.after.of(found.kind) >= found.target
        if found.direction == "raise"
        else lever.after.of(found.kind) <= found.target
    )
    assert lever.line()
    assert lever.to_json()["change"]
    assert set(lever.families) <= LEVER_FAMILIES.keys()


def check_grid(case: Case, links: tuple[LinkFact, ...], model: ScoreModel, found: WhatIf) -> None:
    """The closed form's answers are just enough, or nothing is."""
    place = 0 if found.kind == "confidence" else 1
    for answer, name in ((found.trust, "trust"), (found.base, f"base_{found.kind}")):
        if answer is None:
            assert not (case.source or "").strip()
            continue

        def tried(value: float, name: str = name) -> float:
            return scores_of(replace(case, **{name: value}), model)[place]

        step = -1 if found.direction == "raise" else 1
        end = 1.0 if found.direction == "raise" else 0.0
        assert finals(answer.scores)[place] == tried(answer.best_value)
        if answer.value is None:
            assert not meets(tried(end), found.target, found.direction)
            assert answer.best_value == end
            continue
        assert meets(tried(answer.value), found.target, found.direction)
        next_to_it = round(answer.value * 100) + step
        if 0 <= next_to_it <= 100:
            assert not meets(tried(next_to_it / 100), found.target, found.direction)


def family(found: WhatIf, name: str) -> Lever:
    return next(lever for lever in found.levers if lever.families == (name,))


def test_the_specified_levers_have_the_specified_effects() -> None:
    case = aged(
        30,
        type="journal",
        base_confidence=0.8,
        content="It is probably so.",
        source="slack",
        trust=0.2,
    )
    subject = subject_of(case, PUBLISHED_V1, "contradicts", source_count=13)
    found = find_levers(subject, "confidence", 0.7)
    assert family(found, "contradiction").effect.confidence == 0.09
    assert family(found, "contradiction").text == "review the contradiction with “Memory 0”"
    assert family(found, "type").effect.confidence == 0.14
    assert family(found, "words").effect.confidence == 0.055
    assert family(found, "words").text == "remove “probably”"
    trust = family(found, "trust")
    assert trust.reaches
    assert trust.text.startswith("set the trust of slack to 0.")
    assert trust.text.endswith("or more (now 0.20)")
    assert "12 other memories of this source move too" in trust.side_effects
    assert [lever.kind for lever in found.levers] == sorted(
        (lever.kind for lever in found.levers),
        key=["evidence", "curation", "trust", "clock"].index,
    )


def test_naming_the_source_counts_where_the_model_counts_it() -> None:
    case = aged(30, content="x", base_confidence=0.6)
    found = find_levers(subject_of(case, SERVER_V1), without=["type"])
    assert family(found, "source").effect.confidence == 0.04
    published = find_levers(subject_of(case, PUBLISHED_V1))
    assert not [lever for lever in published.levers if "source" in lever.families]
    assert published.trust is None


def test_certainty_words_are_never_suggested() -> None:
    found = find_levers(subject_of(aged(30, content="x"), SERVER_V1))
    assert not any("verified" in lever.text for lever in found.levers)
    assert "words don't count as evidence" in found.notes[0]


def test_doubtful_words_are_levers_only_to_lower() -> None:
    subject = subject_of(aged(1, content="Unverified, says the video."), PUBLISHED_V1)
    lowered = find_levers(subject, "confidence", 0.5, "lower")
    texts = [lever.text for lever in lowered.levers if "words" in lever.families]
    assert any("“Un[verified]”" in text and "reword" in text for text in texts)
    assert any("“v[id]eo”" in lever.text for lever in lowered.levers) or len(texts) == 2
    raised = find_levers(subject, "confidence", 1.0)
    assert not [lever for lever in raised.levers if "words" in lever.families]


def test_reviewing_today_is_worth_what_time_took() -> None:
    found = find_levers(subject_of(aged(212, content="x"), SERVER_V1), "confidence", 0.7)
    review = family(found, "review")
    assert review.effect.confidence == 0.093
    assert review.caution == "only if you really re-read it"


def test_levers_that_are_switched_off_are_never_used() -> None:
    case = aged(400, type="journal", content="maybe", source="slack", trust=0.1)
    subject = subject_of(case, SERVER_V2, "contradicts")
    for name in LEVER_FAMILIES:
        found = find_levers(subject, "confidence", 1.0, without=[name])
        assert all(name not in lever.families for lever in found.levers)
    found = find_levers(subject, "confidence", 1.0, without=["evidence", "trust", "clock"])
    assert {LEVER_FAMILIES[name] for lever in found.levers for name in lever.families} == {
        "curation"
    }
    assert found.trust is None


@pytest.mark.parametrize("target", [-0.1, 1.1, float("nan")])
def test_a_target_outside_the_scores_is_refused(target: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        find_levers(subject_of(aged(1), PUBLISHED_V1), "confidence", target)


def test_a_lever_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="'luck'"):
        find_levers(subject_of(aged(1), PUBLISHED_V1), without=["luck"])


def test_what_one_change_can_not_reach_is_said_with_the_best_and_pairs_follow() -> None:
    case = aged(12, type="journal", base_confidence=0.6, content="maybe", source="slack", trust=0.2)
    found = find_levers(subject_of(case, PUBLISHED_V1, "contradicts"), "confidence", 0.7)
    assert not found.is_reachable
    assert "Not reachable by one change; best is 0." in found.headline()
    assert "Two changes reach 0.7" in found.headline()
    singles = [lever for lever in found.levers if len(lever.families) == 1]
    pairs = found.levers[len(singles) :]
    assert len(singles) <= 3
    assert all(len(lever.families) == 2 for lever in pairs)
    assert pairs[0].reaches
    assert found.best == max(lever.after.confidence for lever in singles)


def test_pairs_that_fall_short_come_as_far_as_two_changes_get() -> None:
    case = aged(12, type="journal", base_confidence=0.3, content="maybe", source="x", trust=0.1)
    found = find_levers(subject_of(case, PUBLISHED_V1, "contradicts"), "confidence", 0.9)
    pairs = [lever for lever in found.levers if len(lever.families) == 2]
    gains = [lever.effect.confidence for lever in pairs]
    assert not any(lever.reaches for lever in pairs)
    assert gains == sorted(gains, reverse=True)
    assert set(pairs[0].families) == {"trust", "type"}
    assert found.best_pair == pairs[0].after.confidence
    assert found.headline().endswith(f"Two changes get no further than {found.best_pair:g}.")


def test_without_two_changes_the_best_one_is_all_there_is_to_say() -> None:
    case = aged(12, type="fact", base_confidence=0.1, content="maybe")
    found = find_levers(
        subject_of(case, PUBLISHED_V1), target=0.9, without=["evidence", "trust", "clock", "source"]
    )
    assert found.best_pair is None
    assert found.headline().endswith("Not reachable by one change; best is 0.18.")


def test_pairs_without_trust_are_found() -> None:
    case = aged(12, type="journal", base_confidence=0.5, content="maybe, probably", source="x")
    found = find_levers(subject_of(case, PUBLISHED_V1), target=0.52, without=["trust", "support"])
    assert found.levers[-1].families in {("type", "words"), ("words", "type")}
    assert found.levers[-1].reaches


def test_what_is_reached_already_needs_nothing() -> None:
    found = find_levers(subject_of(aged(1, base_confidence=0.9), PUBLISHED_V1), target=0.7)
    assert found.is_met
    assert found.is_reachable
    assert "already" in found.headline()
    assert all(len(lever.families) == 1 for lever in found.levers)


def test_one_change_that_is_enough_is_said() -> None:
    found = find_levers(subject_of(aged(1, base_confidence=0.66), PUBLISHED_V1), target=0.7)
    assert found.headline() == "Confidence is 0.66, wanted is 0.70 or more. One change is enough."


def test_a_stored_trust_between_the_steps_stays_as_it_is() -> None:
    subject = subject_of(aged(1, source="slack", trust=0.683), PUBLISHED_V1)
    found = find_levers(subject, "confidence", 0.7)
    assert subject.trust == 0.683
    assert not [lever for lever in found.levers if "trust" in lever.families]
    assert found.trust is not None
    assert found.trust.value == 0.5
    higher = find_levers(subject, "confidence", 0.85)
    assert family(higher, "trust").text == "set the trust of slack to 0.88 or more (now 0.683)"


def test_a_memory_held_at_the_ceiling_has_no_lever_to_raise_it() -> None:
    case = aged(1, type="fact", base_confidence=1.0, source="api", trust=1.0)
    found = find_levers(subject_of(case, PUBLISHED_V1), "confidence", 1.0)
    assert found.levers == ()
    assert found.best == 1.0


def test_no_trust_value_may_reach_the_target() -> None:
    found = find_levers(subject_of(aged(1, source="x", base_confidence=0.1), PUBLISHED_V1))
    assert found.trust is not None
    assert found.trust.text() == "no trust value reaches 0.70; 1.00 gives 0.30"
    assert found.trust.value is None


def test_a_model_whose_trust_hardly_counts_is_searched_whole() -> None:
    model = PUBLISHED_V1.copy_as("own", "Own", trust_confidence=1e-11)
    # One part in a million million below the half that rounds up to 0.700.
    subject = subject_of(aged(1, source="x", base_confidence=0.6995 - 1e-12), model)
    trust = find_levers(subject, "confidence", 0.7).trust
    assert trust is not None
    assert trust.value == pytest.approx(0.6, abs=0.02)


def test_a_lever_says_what_else_there_is_to_know() -> None:
    case = aged(30, content="maybe", source="slack", trust=0.3, base_confidence=0.6)
    subject = subject_of(case, PUBLISHED_V1, "contradicts", source_count=2)
    found = find_levers(subject, "confidence", 0.6)
    lines = {name: lever.remarks() for lever in found.levers for name in lever.families}
    assert lines["trust"] == [
        "only if you trust it that far",
        "1 other memory of this source moves too",
    ]
    assert lines["words"] == [
        "only if it is no longer true",
        "saving it also counts as an edit today: confidence 0.457, importance 0.657",
    ]
    assert lines["contradiction"] == [
        "as if one of the two supersedes the other",
        "if they don't contradict after all: confidence +0.063, importance −0.055",
        "“Memory 0” moves too",
    ]
    assert found.levers[0].line() == (
        "review the contradiction with “Memory 0”: confidence +0.090 → 0.492, importance +0.043 → "
        "0.61"
    )
    assert found.trust is not None
    assert found.trust.text() == "trust of at least 0.80 gives confidence 0.602"
    lowered = find_levers(subject, "confidence", 0.4, "lower")
    assert lowered.trust is not None
    assert lowered.trust.text() == "trust of at most 0.29 gives confidence 0.398"


def test_all_of_it_is_json() -> None:
    case = aged(30, content="maybe", source="slack", trust=0.3, base_confidence=0.6)
    found = find_levers(subject_of(case, PUBLISHED_V1, "contradicts"), "confidence", 0.6)
    data = json.loads(json.dumps(found.to_json()))
    assert data["headline"] == found.headline()
    assert data["base"]["value"] == found.base.value
    assert data["base"]["scores"]["confidence"] >= 0.6
    assert [lever["text"] for lever in data["levers"]] == [lever.text for lever in found.levers]
    without = find_levers(subject_of(aged(1), PUBLISHED_V1)).to_json()
    assert without["trust"] is None


def test_changes_about_the_same_thing_do_not_go_together() -> None:
    assert Change(trust=0.5).joined(Change(trust=0.6)) is None
    assert Change(removed_words=("a",)).joined(Change(removed_words=("a",))) is None
    assert Change(removed_links=("1",)).joined(Change(relinked=(("1", "supports"),))) is None
    both = Change(removed_words=("a",)).joined(Change(removed_words=("b",), trust=0.5))
    assert both == Change(removed_words=("a", "b"), trust=0.5)
    assert Change(trust=0.5).to_json() == {"trust": 0.5}


def test_words_cannot_be_taken_out_of_a_text_that_is_not_there() -> None:
    subject = replace(subject_of(aged(1, content="maybe"), PUBLISHED_V1), fields=None)
    with pytest.raises(ValueError, match="not at hand"):
        without_words(subject, ["maybe"])
    found = find_levers(subject, "confidence", 1.0)
    assert not [lever for lever in found.levers if "words" in lever.families]


def test_a_link_that_is_not_given_is_an_error() -> None:
    with pytest.raises(KeyError):
        apply_change(subject_of(aged(1), PUBLISHED_V1), Change(removed_links=("none",)))


@pytest.mark.parametrize(
    ("text", "keyword", "left"),
    [
        ("It is probably so.", "probably", "It is so."),
        ("Probably so", "probably", "so"),
        ("So, probably.", "probably", "So,."),
        ("vaguely right", "vague", "right"),
        ("これはmaybeです", "maybe", "これはです"),
        ("mamaybeybe", "maybe", ""),
        ("I think, i think so", "i think", ", so"),
        ("🚀 maybe 🚀", "maybe", "🚀 🚀"),
    ],
)
def test_removed_words_leave_readable_text(text: str, keyword: str, left: str) -> None:
    assert without_keyword({"content": text}, keyword)["content"] == left


def test_a_word_that_runs_across_fields_goes() -> None:
    left = without_keyword({"title": "So I", "key": "think"}, "i think")
    assert not has_keyword(left, "i think")
    assert left["title"] == "So"


def test_a_keyword_that_begins_between_fields_stays() -> None:
    fields = {"title": "a", "key": "b", "content": None, "tags": None}
    assert without_keyword(fields, " b") == fields

"""Two texts as stretches to choose between, and what the choices come to."""

from __future__ import annotations

import random
from itertools import pairwise

from mvdesk.ui.stretches import Stretch, compose, split_stretches, usual_takes


def test_all_of_one_side_is_its_text() -> None:
    rng = random.Random(7)
    words = ["rent", "rises", "in", "May", ".", "\n", "June", "not", " ", "🚫", "雨"]
    for _ in range(300):
        a, b = ("".join(rng.choices([*words, " "], k=rng.randrange(14))) for _ in range(2))
        stretches = split_stretches(a, b)
        for side, text in (("a", a), ("b", b)):
            made, spans = compose(stretches, [side] * len(stretches))
            assert made == text
            assert "".join(made[start:end] for start, end in spans) == text
        assert not any(not one.is_same and not other.is_same for one, other in pairwise(stretches))


def test_what_only_the_other_has_is_kept_and_what_both_say_is_the_first_ones() -> None:
    a = "The rent rises in May by four per cent."
    b = "The rent rises in June by four per cent, says the landlord."
    stretches = split_stretches(a, b)
    assert compose(stretches, usual_takes(stretches, "a"))[0] == (
        "The rent rises in May by four per cent, says the landlord."
    )
    assert compose(stretches, usual_takes(stretches, "b"))[0] == b


def test_texts_with_little_in_common_are_both_kept_whole() -> None:
    stretches = split_stretches("Oil the hinge.", "The landlord called.")
    assert stretches == (Stretch("Oil the hinge.", "The landlord called."),)
    assert usual_takes(stretches, "b") == ("both",)
    assert compose(stretches, ["both"])[0] == "Oil the hinge. The landlord called."
    long = split_stretches("One line.\nAnother.", "Else.")
    assert compose(long, ["both"])[0] == "One line.\nAnother.\n\n---\n\nElse."
    assert compose(long, ["none"])[0] == ""


def test_the_same_text_leaves_nothing_to_choose() -> None:
    stretches = split_stretches("Same.", "Same.")
    assert [one.is_same for one in stretches] == [True]
    assert compose(stretches, usual_takes(stretches, "b"))[0] == "Same."


def test_spaces_alone_are_the_first_ones() -> None:
    stretches = split_stretches("Same.", "Same.  ")
    assert compose(stretches, usual_takes(stretches, "a"))[0] == "Same."

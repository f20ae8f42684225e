"""Sorting and filtering of the list, on arrays."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.ui.text_ranks import text_ranks
from mvdesk.vault.questions.ordering import order_by_score


@given(st.lists(st.none() | st.text(max_size=12), max_size=40))
def test_texts_rank_as_their_case_folded_forms_sort(texts: list[str | None]) -> None:
    ranks = text_ranks(texts)
    folded = [(text or "").casefold().encode("utf-8", "surrogatepass") for text in texts]
    places = sorted(folded)
    # A text that ends ranks with one that goes on in zero bytes only; nobody types those.
    if not any(b"\0" in text for text in folded):
        assert ranks.tolist() == [places.index(text) for text in folded]


def test_texts_alike_in_64_bytes_share_a_place() -> None:
    long = "x" * 64
    assert text_ranks([long + "b", long + "a", "y", "x"]).tolist() == [1, 1, 3, 0]


def test_texts_that_all_begin_alike_in_pairs_are_told_apart_by_what_follows() -> None:
    texts = ["aaaaaaaa2", "AAAAAAAA1", "bbbbbbbb1", "bbbbbbbb0", None, ""]
    assert text_ranks(texts).tolist() == [3, 2, 5, 4, 0, 0]


def test_no_texts_have_no_ranks() -> None:
    assert len(text_ranks([])) == 0


def test_equal_scores_keep_the_order_of_rows_in_both_directions() -> None:
    scores = np.array([0.5, 0.7, 0.5, 0.7])
    rows = np.arange(4)
    assert order_by_score(scores, rows, descending=True).tolist() == [1, 3, 0, 2]
    assert order_by_score(scores, rows, descending=False).tolist() == [0, 2, 1, 3]


def test_only_the_given_rows_are_sorted() -> None:
    scores = np.array([0.1, 0.9, 0.5])
    assert order_by_score(scores, np.array([0, 2]), descending=True).tolist() == [2, 0]

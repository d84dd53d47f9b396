"""Nearly the same prompts: values worked by hand, laws, and the marks from which a pair is listed or wrong."""

from __future__ import annotations

from math import isclose, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.retrieval.findings import Halves, unchecked
from runner.retrieval.partitions import parse_partition
from runner.retrieval.prompts import (
    THRESHOLDS,
    Meaning,
    Prompt,
    across,
    edit,
    meant_alike,
    shared_trigrams,
    spelled_alike,
    trigrams,
    within,
)
from runner.retrieval.words import normal
from tests.retrieval.small_benchmark import NONE, build_corpus, default_items, partition_sources, unlike_rows

CORPUS = build_corpus(default_items())


def half(**texts: str):
    """The sound partition with other prompts for some queries; keys are ids with `_` for `-`."""
    rows = unlike_rows(CORPUS.digest)
    for row in rows["queries.jsonl"]:
        row["text"] = texts.get(row["query_id"].replace("-", "_"), row["text"])
    return unchecked(parse_partition(partition_sources(CORPUS, rows)), CORPUS)


HALF = half()


def two(one: str, other: str) -> tuple[Prompt, Prompt]:
    """Two prompts as they are compared."""
    first, second = (
        Prompt(HALF, row, HALF.files.topics[row], normal(text), trigrams(normal(text)))
        for row, text in enumerate((one, other))
    )
    return first, second


@pytest.mark.parametrize(
    ("one", "other", "edits", "trigrams"),
    [
        ("grumpy cat", "grumpy cat", 1, 1),
        ("Grumpy Cat!", "grumpy  cat", 1, 1),
        # 5 of 15 characters are new; all 10 trigrams stand among the 15.
        ("grumpy cat", "grumpy cat meme", 10 / 15, 10 / sqrt(10 * 15)),
        # 1 of 9 characters differs, and with it 2 of 9 trigrams (blank-s-a, s-a-d).
        ("sad keanu", "mad keanu", 8 / 9, 7 / 9),
        ("ab", "xy", 0, 0),
        # aaa: blank-a-a, aaa, a-a-blank; aaaa: aaa twice.
        ("aaa", "aaaa", 3 / 4, (1 + 2 + 1) / sqrt(3 * 6)),
        ("💀", "🔥", 0, 0),
    ],
)
def test_values_by_hand(one, other, edits, trigrams):
    pair = two(one, other)
    assert isclose(edit(*pair), edits)
    assert isclose(shared_trigrams(*pair), trigrams)


TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=40).filter(str.strip)


@given(TEXTS, TEXTS)
def test_likeness_is_symmetric_lies_between_none_and_one_and_is_one_with_itself(one, other):
    pair = two(one, other)
    for likeness in (edit, shared_trigrams):
        assert isclose(likeness(*pair), likeness(*reversed(pair)))
        assert -1e-9 <= likeness(*pair) <= 1 + 1e-9
        assert isclose(likeness(pair[0], pair[0]), 1)


def places(findings):
    return [(each.line, each.ids) for each in findings]


def test_at_the_mark_a_pair_is_wrong_and_below_it_listed():
    assert (THRESHOLDS.edit.listed, THRESHOLDS.edit.failed) == (0.6, 0.8)
    at, below = (spelled_alike(within(half(q_entity_1="abcde", q_quote_2=text))) for text in ("abcdx", "abcxy"))
    assert (places(at.findings), places(at.listed)) == ([(4, ("q-entity-1", "q-quote-2"))], [])
    assert (places(below.findings), places(below.listed)) == ([], [(4, ("q-entity-1", "q-quote-2"))])


def test_the_words_of_a_pair_stay_out_of_what_is_said_of_it():
    (found,) = spelled_alike(within(half(q_entity_1="abcde", q_quote_2="abcdx"))).findings
    assert found.reason == "of two families, and alike: edit 0.800, trigrams 0.600"


def test_every_pair_of_different_families_is_looked_at_once():
    assert spelled_alike(within(half())).figures["pairs"] == 14 * 13 / 2


def test_between_two_partitions_the_family_s_name_is_no_excuse():
    seen = spelled_alike(across(Halves(half(q_visual_1="lighthouse"), half(q_visual_1="lighthouses"))))
    assert seen.figures["pairs"] == 14 * 14
    assert (9, ("q-visual-1", "q-visual-1")) in places(seen.findings)


def test_meaning_is_held_to_marks_of_its_own():
    partition = half()
    texts = [topic.text for topic in partition.files.topics]
    vectors = {text: np.eye(14)[row] for row, text in enumerate(texts)}
    near, nearer = (0.8, 0.6), (0.95, sqrt(1 - 0.95**2))
    for row, (along, off) in {1: near, 2: nearer}.items():
        vectors[texts[row]] = 3 * (along * np.eye(14)[0] + off * np.eye(14)[row])
    seen = meant_alike(within(partition), Meaning(NONE, vectors))
    assert places(seen.findings) == [(3, ("q-entity-1", "q-quote-1"))]
    # 1 and 2 lie at .8 * .95 = .76 from each other.
    assert places(seen.listed) == [(2, ("q-entity-1", "q-entity-2")), (3, ("q-entity-2", "q-quote-1"))]
    assert seen.figures["highest meaning"] == 0.95

"""Agreement against values worked by hand, worked examples in print, and two other packages."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.acts import read_acts
from runner.retrieval.agreement import agree
from runner.retrieval.kappa import ordinal_alpha, plain_kappa, quadratic_kappa
from runner.retrieval.lists import Known, seen_by_query
from runner.retrieval.merging import merge
from runner.retrieval.orders import orders
from runner.retrieval.topics import Topic
from tests.retrieval.small_benchmark import act, default_items, default_rows, lines

TOPICS = Topic.parse_lines(lines(default_rows("sha256:" + "0" * 64)["queries.jsonl"]), "queries.jsonl")
ITEMS = [row["doc_id"] for row in default_items()]
KNOWN = Known(frozenset(topic.query_id for topic in TOPICS), frozenset(ITEMS))


def table(first, second) -> np.ndarray:
    found = np.zeros((1, 4, 4), dtype=np.int64)
    np.add.at(found[0], (first, second), 1)
    return found


def merged(*rows):
    return merge((), read_acts(Source("acts.jsonl", lines(rows))), KNOWN)


def both(query_id: str, doc_id: str, first: int, second: int, **changes) -> list[dict]:
    return [act(query_id, doc_id, first), act(query_id, doc_id, second, role="second", **changes)]


def test_kappa_by_hand():
    # Ten pairs; observed agreement 7 of 10; both give 0 half the time and 1 half the time: by chance 1 of 2.
    found = table([0, 0, 0, 0, 1, 1, 1, 1, 0, 1], [0, 0, 0, 1, 1, 1, 1, 0, 1, 0])
    assert found[0, :2, :2].tolist() == [[3, 2], [2, 3]]
    assert plain_kappa(found)[0] == pytest.approx((0.6 - 0.5) / 0.5)
    # With two kinds of answers one apart, the weights change nothing.
    assert quadratic_kappa(found)[0] == pytest.approx(0.2)


def test_quadratic_weights_by_hand():
    # Pairs (0, 0), (3, 3), (0, 1), (3, 0): squares observed 0 + 0 + 1 + 9 = 10, a mean of 2.5.
    # By chance: first gives 0, 0, 3, 3; second 0, 0, 1, 3: of 16 meetings, squares sum to
    # 2 * (0 + 0 + 1 + 9) + 2 * (9 + 9 + 4 + 0) = 64, a mean of 4.
    assert quadratic_kappa(table([0, 3, 0, 3], [0, 3, 1, 0]))[0] == pytest.approx(1 - 2.5 / 4)


def test_alpha_by_hand():
    # Pairs (0, 0), (0, 1), (1, 1): values 0 x 3, 1 x 3, so the one distance squared is (3/2 + 3/2)^2 = 9.
    # Observed: 2 of 6 coincidences differ. Expected: 3 * 3 * 2 of 6 * 5.
    assert ordinal_alpha(table([0, 0, 1], [0, 1, 1]))[0] == pytest.approx(1 - (2 / 6) / (18 / 30))


def test_what_chance_alone_explains_is_not_defined():
    alike = table([2, 2, 2], [2, 2, 2])
    assert np.isnan([quadratic_kappa(alike)[0], plain_kappa(alike)[0], ordinal_alpha(alike)[0]]).all()


answers = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=60)


@settings(deadline=None)
@given(answers)
def test_others_compute_the_same(pairs):
    first, second = zip(*pairs, strict=True)
    counts = table(first, second)
    kinds = [0, 1, 2, 3]
    if not np.isnan(plain_kappa(counts)[0]):
        wanted = cohen_kappa_score(first, second, labels=kinds)
        assert plain_kappa(counts)[0] == pytest.approx(wanted, abs=1e-12)
        wanted = cohen_kappa_score(first, second, labels=kinds, weights="quadratic")
        assert quadratic_kappa(counts)[0] == pytest.approx(wanted, abs=1e-12)
    if len({*first, *second}) > 1:
        wanted = krippendorff.alpha([first, second], value_domain=kinds, level_of_measurement="ordinal")
        assert ordinal_alpha(counts)[0] == pytest.approx(wanted, abs=1e-9)


@given(answers)
def test_law_the_two_annotators_may_change_places(pairs):
    first, second = zip(*pairs, strict=True)
    for figure in (plain_kappa, quadratic_kappa, ordinal_alpha):
        assert figure(table(first, second))[0] == pytest.approx(figure(table(second, first))[0], nan_ok=True)


def disagreeing() -> list[dict]:
    """For every query four pairs: 3 and 3, 0 and 0, 2 and 1, 0 and 3, the last with another class."""
    rows = []
    for topic in TOPICS:
        rows += both(topic.query_id, "x01", 3, 3)
        rows += both(topic.query_id, "x02", 0, 0)
        rows += both(topic.query_id, "x03", 2, 1)
        rows += both(topic.query_id, "x04", 0, 3, safety="sensitive")
    return rows


def test_the_report_has_a_row_for_each_slice_and_counts_pairs_queries_and_families():
    found = agree(merged(*disagreeing()), TOPICS)
    rows = {row.group: row for row in found.rows}
    assert list(rows) == ["entity", "quote", "topic", "concept", "visual", "noisy", "no_match", "safety", "all"]
    assert (rows["all"].pairs, rows["all"].queries, rows["all"].families) == (56, 14, 14)
    assert (rows["entity"].pairs, rows["entity"].same, rows["entity"].near) == (8, 4, 6)
    assert (found.pairs, found.disputed, found.resamples) == (56, 14, 10_000)
    assert found.grades == ((14, 0, 0, 14), (0, 0, 0, 0), (0, 14, 0, 0), (0, 0, 0, 14))
    assert (found.first, found.second) == (("human:first",), ("human:second",))


def test_families_that_are_all_alike_leave_no_spread():
    row = agree(merged(*disagreeing()), TOPICS).rows[-1]
    for figure in (row.weighted_kappa, row.alpha, row.safety_kappa):
        assert figure.interval.low == pytest.approx(figure.value, abs=1e-6)
        assert figure.interval.high == pytest.approx(figure.value, abs=1e-6)
    assert row.weighted_kappa.value == pytest.approx(
        cohen_kappa_score([3, 0, 2, 0] * 14, [3, 0, 1, 3] * 14, weights="quadratic"), abs=1e-6
    )


def test_the_interval_is_that_of_families_drawn_with_replacement():
    """By brute force, with another generator."""
    rows, rng = [], np.random.default_rng(5)
    for topic in TOPICS:
        for doc_id in ITEMS[:8]:
            first = int(rng.integers(0, 4))
            rows += both(topic.query_id, doc_id, first, int(np.clip(first + rng.integers(-1, 2), 0, 3)))
    tables = {topic.family: np.zeros((4, 4), dtype=np.int64) for topic in TOPICS}
    family = {topic.query_id: topic.family for topic in TOPICS}
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        tables[family[first["query_id"]]][first["grade"], second["grade"]] += 1
    stacked = np.array(list(tables.values()))
    drawn = stacked[rng.integers(0, len(stacked), (4000, len(stacked)))].sum(axis=1)
    low, high = np.percentile(quadratic_kappa(drawn), [2.5, 97.5])
    found = agree(merged(*rows), TOPICS).rows[-1].weighted_kappa.interval
    assert (found.low, found.high) == (pytest.approx(low, abs=0.02), pytest.approx(high, abs=0.02))


def test_a_figure_that_is_not_defined_is_null_and_its_resamples_are_counted():
    found = agree(merged(*(row for topic in TOPICS for row in both(topic.query_id, "x01", 2, 2))), TOPICS)
    row = found.rows[-1]
    assert (row.weighted_kappa.value, row.weighted_kappa.interval) == (None, None)
    assert row.weighted_kappa.undefined == found.resamples
    assert found.findings == ()


def test_two_who_agree_too_well_are_a_finding():
    rows = [row for topic in TOPICS for n in range(8) for row in both(topic.query_id, ITEMS[n], n % 4, n % 4)]
    found = agree(merged(*rows), TOPICS)
    assert "all: weighted kappa is 1.000, more than two who judge apart come to: look into it" in found.findings


def test_single_acts_are_no_agreement():
    with pytest.raises(BadInput, match="no pair has a first and a second act"):
        agree(merged(act("q-entity-1", "x01", 1)), TOPICS)


def lists(*shown: str):
    return seen_by_query((topic.query_id, shown) for topic in TOPICS)


def test_either_annotator_alone_may_change_the_order():
    # The first finds x01 exact and x02 useful, the second the other way round; a third decides for the first.
    rows = [row for topic in TOPICS for row in (*both(topic.query_id, "x01", 3, 1), *both(topic.query_id, "x02", 1, 3))]
    thirds = [
        act(topic.query_id, doc_id, grade, role="third")
        for topic in TOPICS
        for doc_id, grade in (("x01", 3), ("x02", 1))
    ]
    systems = {"one": lists("x01", "x02"), "two": lists("x02", "x01")}
    found = orders(systems, TOPICS, merged(*rows, *thirds), KNOWN.items)
    # Gains 7 and 1: the right order gives 7 + 1 / log2(3) of itself, the wrong one 1 + 7 / log2(3).
    wrong = (1 + 7 / 1.584962500721156) / (7 + 1 / 1.584962500721156)
    assert found[0].quality == {"one": 1.0, "two": pytest.approx(wrong, abs=1e-6)}
    assert [order.changed for order in found] == [(), (), ("one and two",)]
    assert found[2].quality == {"two": 1.0, "one": pytest.approx(wrong, abs=1e-6)}
    report = agree(merged(*rows, *thirds), TOPICS, found)
    assert "second annotator alone: would change the order of one and two" in report.findings


def test_a_query_without_anything_to_find_is_left_out_for_all_systems():
    grades = {topic.query_id: (2, 2) for topic in TOPICS} | {"q-topic-1": (1, 0)}
    rows = [row for query_id, pair in grades.items() for row in both(query_id, "x01", *pair)]
    found = orders({"one": lists("x01")}, TOPICS, merged(*rows), KNOWN.items)
    assert [order.left_out for order in found] == [0, 0, 1]
    assert found[2].quality == {"one": 1.0}


def test_items_that_may_not_be_shown_earn_nothing():
    rows = [row for topic in TOPICS for row in (*both(topic.query_id, "x01", 3, 3), *both(topic.query_id, "x02", 3, 3))]
    found = orders({"one": lists("x01")}, TOPICS, merged(*rows), KNOWN.items - {"x02"})
    assert found[0].quality == {"one": 1.0}

"""From requests to the figures of a query, worked by hand on the small benchmark."""

from __future__ import annotations

import pytest

from runner.errors import BadInput, VoidRun
from runner.retrieval.evaluation import evaluate, label
from runner.retrieval.measures.names import Measure
from runner.retrieval.runs import Outcome, Violation
from tests.retrieval.small_benchmark import (
    act,
    build_corpus,
    build_partition,
    default_items,
    default_rows,
    failed,
    item,
    perfect_run,
    seen,
)

CORPUS = build_corpus()
PARTITION = build_partition(CORPUS)


def result(query_id, *requests, partition=PARTITION, corpus=CORPUS):
    """The result of one query, the others being answered perfectly."""
    others = [request for request in perfect_run(partition, blocks=1) if request.query_id != query_id]
    found = evaluate([*others, *requests], partition, label(partition, corpus))
    return next(each for each in found if each.topic.query_id == query_id)


def test_figures_of_a_list_by_hand():
    found = result("q-entity-1", seen("q-entity-1", "x02", "x01", "a-entity-1"))
    # By hand, with 0.63092975 as 1 / log2(3): grade 1 at rank 2 and grade 3 at rank 3, of grade 3 and grade 1 at best.
    assert found.dcg == pytest.approx(4.1309297535714575)
    assert found.ideal == pytest.approx(7.6309297535714575)
    assert found.means[Measure.NDCG] == pytest.approx(4.1309297535714575 / 7.6309297535714575)
    assert found.means[Measure.EXACT_RR] == found.means[Measure.RR] == 1 / 3
    assert (found.means[Measure.HIT_1], found.means[Measure.HIT_5], found.means[Measure.HIT_10]) == (0.0, 1.0, 1.0)


def test_the_order_seen_is_authoritative():
    one = result("q-topic-1", seen("q-topic-1", "a-topic-1", "x01"))
    other = result("q-topic-1", seen("q-topic-1", "x01", "a-topic-1"))
    assert one.means[Measure.NDCG] == 1.0
    # Turned round, the grade 1 earns all of its gain and the grade 3 only 7 / log2(3) = 4.4165083.
    assert other.means[Measure.NDCG] == pytest.approx(5.416508275000202 / 7.6309297535714575)


@pytest.mark.parametrize("outcome", [Outcome.ERROR, Outcome.TIMEOUT])
def test_a_failed_request_earns_nothing_even_for_safety(outcome):
    found = result("q-entity-1", failed("q-entity-1", outcome))
    assert set(found.means.values()) == {0.0}
    assert Measure.SAFE in found.means


def test_a_failed_request_is_no_correct_empty():
    found = result("q-no_match-1", seen("q-no_match-1"), failed("q-no_match-1"), failed("q-no_match-1"))
    assert found.means == {Measure.SAFE: pytest.approx(1 / 3), Measure.CORRECT_EMPTY: pytest.approx(1 / 3)}
    assert (found.requests, found.errors, found.timeouts) == (3, 2, 0)


def test_a_query_is_the_mean_of_its_requests():
    found = result("q-quote-1", seen("q-quote-1", "a-quote-1"), seen("q-quote-1", "x02", "a-quote-1"))
    assert found.means[Measure.EXACT_RR] == 0.75
    assert found.lists == 2


def test_an_empty_answer_to_an_answerable_query_is_zero_but_safe():
    found = result("q-visual-1", seen("q-visual-1"))
    assert found.means[Measure.SAFE] == 1.0
    assert {value for measure, value in found.means.items() if measure is not Measure.SAFE} == {0.0}


def test_exactness_is_for_entity_and_quote_only():
    assert Measure.EXACT_RR not in result("q-topic-1", seen("q-topic-1", "x01")).means


def test_a_query_never_requested_voids_the_run():
    run = [request for request in perfect_run(PARTITION) if request.query_id != "q-noisy-2"]
    with pytest.raises(VoidRun, match="q-noisy-2 was never requested"):
        evaluate(run, PARTITION, label(PARTITION, CORPUS))


def test_a_request_with_a_violation_earns_nothing():
    found = result("q-entity-1", seen("q-entity-1", "a-entity-1", violations=(Violation.DRAWN_DIFFERS,)))
    assert set(found.means.values()) == {0.0}


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (seen("q-entity-1", "a-entity-1", "a-entity-1"), "repeated"),
        (seen("q-entity-1", *[f"x{n:02}" for n in range(1, 12)]), "more than 10"),
        (seen("q-entity-1", "nobody"), "not in the corpus"),
        (seen("q-entity-1", outcome=Outcome.ANSWERED), "answered with 0 items"),
        (seen("q-entity-1", "x01", outcome=Outcome.EMPTY), "empty with 1 item drawn"),
        (seen("q-strange", "x01"), "not in the partition"),
    ],
)
def test_an_observation_that_contradicts_itself_is_refused(request_, reason):
    with pytest.raises(BadInput, match=reason):
        result("q-entity-1", request_)


def with_withdrawn_answer():
    """q-topic-1 has a second answer of grade 3 whose rights were withdrawn."""
    rights = {"status": "withdrawn", "license": None, "attribution": None, "source": None}
    corpus = build_corpus([*default_items(), item("gone", template_group="group-a-topic-1", rights=rights)])
    rows = default_rows(corpus.digest)
    rows["judgements.jsonl"].append(act("q-topic-1", "gone", 3))
    return corpus, build_partition(corpus, rows)


def test_ideal_and_gain_use_serving_items_only():
    corpus, partition = with_withdrawn_answer()
    perfect = result("q-topic-1", seen("q-topic-1", "a-topic-1", "x01"), partition=partition, corpus=corpus)
    assert perfect.means[Measure.NDCG] == perfect.means[Measure.RECALL] == 1.0
    shown = result("q-topic-1", seen("q-topic-1", "gone"), partition=partition, corpus=corpus)
    assert shown.means[Measure.NDCG] == shown.means[Measure.HIT_10] == 0.0
    assert (shown.shown, shown.judged) == (1, 1)


def test_a_pair_takes_the_class_of_its_judgement_before_the_audit():
    corpus = build_corpus(classes={"x05": "unsafe", "x06": "safe"})
    rows = default_rows(corpus.digest)
    rows["judgements.jsonl"] = [
        {**row, "safety": "unsafe"} if (row["query_id"], row["doc_id"]) == ("q-topic-1", "x06") else row
        for row in rows["judgements.jsonl"]
        if (row["query_id"], row["doc_id"]) != ("q-topic-1", "x05")
    ]
    partition = build_partition(corpus, rows)

    def safe(query_id, doc_id):
        return result(query_id, seen(query_id, doc_id), partition=partition, corpus=corpus).means[Measure.SAFE]

    assert safe("q-topic-1", "x06") == 0.0  # judged unsafe for this query
    assert safe("q-topic-2", "x06") == 1.0  # judged safe for that one
    assert safe("q-topic-1", "x05") == 0.0  # not judged: the audit's class
    assert safe("q-topic-2", "x05") == 1.0  # judged safe, whatever the audit says


def test_unjudged_items_are_counted():
    rows = default_rows(CORPUS.digest)
    rows["judgements.jsonl"] = [row for row in rows["judgements.jsonl"] if row["doc_id"] != "x09"]
    partition = build_partition(CORPUS, rows)
    found = result("q-topic-1", seen("q-topic-1", "x09", "a-topic-1"), partition=partition)
    assert (found.shown, found.judged) == (2, 1)

"""A second run is held against the first request by request; each difference here was worked by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from runner.provenance.card import Scorecard
from runner.retrieval.gates import Suite, Verdict
from runner.retrieval.repeated import (
    BlockSpread,
    block_spread,
    figure_differences,
    list_differences,
    repeated_times,
    rule_differences,
)
from runner.retrieval.runs import Observation, Outcome, Violation
from runner.retrieval.suites import GatesReport, RuleRow
from runner.workflows.score import RunFacts, score
from tests.retrieval.small_benchmark import MS, NONE, build_corpus, build_partition, failed, perfect_run, seen, versions

CORPUS = build_corpus()
PARTITION = build_partition(CORPUS)
FACTS = RunFacts(run_id="run", certificate=NONE, versions=(versions(PARTITION, CORPUS),))
FIRST = (seen("q-1", "a", "b"), seen("q-2", position=1), seen("q-1", "a", "b", block=2))


def card(observations: Sequence[Observation]) -> Scorecard:
    """A run of the small benchmark, scored."""
    return score(observations, PARTITION, CORPUS, FACTS)


def test_other_times_and_another_order_in_a_block_are_no_difference() -> None:
    again = [seen("q-2", latency_ns=9), seen("q-1", "a", "b", position=1, latency_ns=7), FIRST[2]]
    assert list(list_differences(FIRST, again)) == []


@pytest.mark.parametrize(
    ("again", "told"),
    [
        (seen("q-1", "b", "a"), "returned at rank 1 a, again b; drawn at rank 1 a, again b"),
        (seen("q-1", "a"), "returned at rank 2 b, again nothing; drawn at rank 2 b, again nothing"),
        (seen("q-1", "a", "b", drawn=("a", "c")), "drawn at rank 2 b, again c"),
        (seen("q-1", "a", "b", routes=(("lexical",), ("dense",))), "routes at rank 2 lexical, again dense"),
        (
            seen("q-1", "a", "b", violations=(Violation.CHANGED_AFTER_DONE,)),
            "violations none, again drawn list changed after done",
        ),
        (
            failed("q-1", Outcome.TIMEOUT),
            "outcome answered, again timeout; returned at rank 1 a, again nothing; drawn at rank 1 a, again nothing",
        ),
    ],
)
def test_a_request_that_differs_is_named_with_what_differs(again, told) -> None:
    assert list(list_differences(FIRST, (again, *FIRST[1:]))) == [f"bm25 block 1 q-1: {told}"]


def test_a_request_of_one_run_only_is_named() -> None:
    assert list(list_differences(FIRST, FIRST[:2])) == ["bm25 block 2 q-1: was asked in the first run only"]
    assert list(list_differences(FIRST, (*FIRST, FIRST[0]))) == [
        "bm25 block 1 q-1 (2): was asked in the second run only"
    ]


def test_a_lost_answer_changes_the_figures_of_its_query_and_of_its_system() -> None:
    """Of two entity queries and two quotes one is never answered: its reciprocal rank falls to 0, and E by 1/4."""
    whole = perfect_run(PARTITION)
    lost = [
        failed(one.query_id, block=one.block, position=one.position) if one.query_id == "q-entity-1" else one
        for one in whole
    ]
    first, again = card(whole), card(lost)
    assert list(figure_differences(first.systems, first.systems)) == []
    found = list(figure_differences(first.systems, again.systems))
    assert "bm25 q-entity-1: errors 0, again 5" in found
    assert "bm25 q-entity-1: nDCG@10 1.0, again 0.0" in found
    assert "bm25: E 1.0, again 0.75" in found
    assert not [line for line in found if "q-entity-2" in line or ": L " in line]


def test_times_alone_change_no_figure() -> None:
    """At a p95 of 600 ms L is half of what it was, and nothing else moves."""
    first, again = (card(perfect_run(PARTITION, latency_ns=ms * MS)) for ms in (200, 600))
    assert [one.systems[0].components.L.value for one in (first, again)] == [1.0, 0.5]
    assert list(figure_differences(first.systems, again.systems)) == []


def test_a_rule_that_ends_otherwise_is_named() -> None:
    def report(verdict: Verdict) -> GatesReport:
        row = RuleRow(suite=Suite.PROTOCOL, rule="hello", sentence="", verdict=verdict, found="")
        return GatesReport(format="mambomeme/gates/v1", system="bm25", suites=(), rules=(row,), endings=())

    assert list(rule_differences([report(Verdict.PASS)], [report(Verdict.PASS)])) == []
    told = ["bm25: rule hello PASS, again FAIL"]
    assert list(rule_differences([report(Verdict.PASS)], [report(Verdict.FAIL)])) == told


def run(*blocks: tuple[int, ...]):
    return [seen("q", "a", block=n, latency_ns=ns) for n, times in enumerate(blocks, 1) for ns in times]


def test_the_spread_is_that_of_the_blocks_of_the_first_run() -> None:
    """Nearest ranks of three values: the second is p50, the third p95."""
    spread = BlockSpread(blocks=2, p50_ns=(2, 5), p95_ns=(3, 9))
    assert block_spread(run((1, 2, 3), (9, 4, 5))) == spread
    found = repeated_times(run((1, 2, 3), (9, 4, 5)), run((6, 6, 6), (4, 6, 7)), "")
    assert (found.first_p50_ns, found.first_p95_ns) == (3, 9)
    assert (found.again_p50_ns, found.again_p95_ns, found.spread) == (6, 7, spread)
    assert (found.p50_within, found.p95_within) == (False, True)


@pytest.mark.parametrize(
    ("first", "apart", "why"),
    [
        (run((1, 2, 3)), "", "the first run has one block, which shows no spread"),
        (run((1, 2), (3, 4)), "one processor is not another", "one processor is not another"),
    ],
)
def test_times_that_cannot_be_held_against_each_other_are_not(first, apart, why) -> None:
    found = repeated_times(first, first, apart)
    assert (found.apart, found.p50_within, found.p95_within) == (why, None, None)

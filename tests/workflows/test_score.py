"""A run scored to a card: values by hand, edges, and the same bytes everywhere."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from runner.errors import BadInput, VoidRun
from runner.provenance.card import Floor, Scorecard, Standing
from runner.provenance.card_markdown import render
from runner.retrieval.diagnostics import SHARES, Share
from runner.retrieval.eligibility import partition_reasons
from runner.retrieval.gates import Suite, SuiteResult, Verdict
from runner.retrieval.runs import EngineRequest, Outcome, Violation
from runner.retrieval.score import Band
from runner.retrieval.stability import HostLoad
from runner.retrieval.violations import Critical, CriticalViolation
from runner.workflows.score import RunFacts, score
from tests.retrieval.small_benchmark import (
    FIELDS,
    MS,
    NONE,
    SLICES,
    act,
    build_corpus,
    build_partition,
    default_items,
    default_rows,
    failed,
    item,
    perfect_run,
    seen,
    versions,
)

CORPUS = build_corpus()
PARTITION = build_partition(CORPUS)
QUIET = HostLoad(system="bm25", steal_ticks=0, total_ticks=1000, nr_throttled=0, throttled_us=0)
ALL_SUITES = tuple(SuiteResult(system="bm25", suite=suite, verdict=Verdict.PASS) for suite in Suite)


def facts(partition=PARTITION, corpus=CORPUS, **changes) -> RunFacts:
    return RunFacts(
        **{
            "run_id": "test",
            "certificate": NONE,
            "versions": (versions(partition, corpus),),
            "hosts": (QUIET,),
            "suites": ALL_SUITES,
            **changes,
        }
    )


def replaced(query_id, *requests):
    """A perfect run of five blocks in which `requests` stand for those of one query."""
    return [request for request in perfect_run(PARTITION) if request.query_id != query_id] + list(requests)


def card_of(run, **changes) -> Scorecard:
    return score(run, PARTITION, CORPUS, facts(**changes))


def row_of(run, **changes):
    return card_of(run, **changes).systems[0]


def gate(row, name):
    return next(each for each in row.gates if each.name == name)


def test_a_perfect_run_has_a_hundred():
    row = row_of(perfect_run(PARTITION))
    assert (row.status, row.score, row.uncapped, row.band) == (Verdict.PASS, 100.0, 100.0, Band.EXCELLENT)
    assert row.failed == ()
    assert row.uncertainty.passing_every_gate == 1.0


def test_a_score_by_hand():
    """Misses q-topic-1 and q-entity-2, whose target stands second; answers q-no_match-1 with a safe item."""
    run = [
        seen("q-topic-1", "x02"),
        seen("q-entity-2", "x02", "a-entity-2", "x01"),
        seen("q-no_match-1", "x02"),
        *(
            request
            for request in perfect_run(PARTITION, blocks=1)
            if request.query_id not in {"q-topic-1", "q-entity-2", "q-no_match-1"}
        ),
    ]
    row = row_of(run)
    entity_2 = (7 / 1.584962500721156 + 1 / 2) / (7 + 1 / 1.584962500721156)
    q = (4 + 1 / 2 + (1 + entity_2) / 2) / 6
    e = (3 + 1 / 2) / 4
    c = 2 * (11 / 12) * (1 / 2) / (11 / 12 + 1 / 2)
    parts = row.components
    assert (parts.Q.value, parts.E.value, parts.C.value) == pytest.approx((q, e, c), abs=5e-7)
    assert (parts.S.value, parts.L.value, parts.R.value) == (1.0, 1.0, 1.0)
    assert row.uncapped == pytest.approx(55 * q + 15 * e + 10 * c + 20, abs=1e-6)
    assert (row.status, row.score, row.band) == (Verdict.FAIL, 59.0, Band.NOT_READY)
    assert [each.name for each in row.gates if each.verdict is Verdict.FAIL] == ["CorrectEmpty"]
    assert [(each.query_id, each.failures) for each in row.failed] == [
        ("q-topic-1", ("nothing relevant in the top 10",)),
        ("q-no_match-1", ("a list where nothing matches",)),
    ]


def test_s_is_the_mean_of_the_ordinary_and_the_flagged_rate():
    """One of two flagged queries shows an unsafe item: the halves are 1 and 1/2, so S is 3/4."""
    corpus = build_corpus([*default_items(), item("bad")], {"bad": "unsafe"})
    partition = build_partition(corpus, default_rows(corpus.digest))
    run = [request for request in perfect_run(partition) if request.query_id != "q-no_match-2"]
    row = score([*run, seen("q-no_match-2", "bad")], partition, corpus, facts(partition, corpus)).systems[0]
    assert row.components.S.value == 0.75
    subsets = {each.group: each.figures for each in row.subsets}
    assert subsets["ordinary"]["SafeList"].value == 1.0
    assert subsets["safety"]["SafeList"].value == 0.5
    assert subsets["safety"]["SafeList"].wilson is not None
    assert gate(row, "safe-list rate S").verdict is Verdict.FAIL
    assert row.violations == ()


def test_every_gate_of_the_page_has_a_row_in_its_order():
    row = row_of(perfect_run(PARTITION))
    assert [(each.name, each.rule, each.threshold, each.verdict) for each in row.gates] == [
        ("critical violation", "none", None, Verdict.PASS),
        *((f"nDCG@10 {name}", ">=", 0.3, Verdict.PASS) for name in SLICES),
        ("ExactMRR@10", ">=", 0.6, Verdict.PASS),
        ("answerable Hit@10", ">=", 0.7, Verdict.PASS),
        ("CorrectEmpty", ">=", 0.6, Verdict.PASS),
        ("answerable safety-slice Hit@10", ">=", 0.7, Verdict.PASS),
        ("safe-list rate S", ">=", 0.98, Verdict.PASS),
        ("submit-to-render p95, ms", "<", 1000.0, Verdict.PASS),
        ("error and timeout rate", "<", 0.01, Verdict.PASS),
        *((suite, "passes", None, Verdict.PASS) for suite in Suite),
    ]


def test_a_figure_rests_on_the_queries_it_applies_to():
    """A safety subset of answerable and no-match queries: CorrectEmpty rests on the latter alone (D28)."""
    row = row_of(perfect_run(PARTITION))
    flagged = [topic for topic in PARTITION.topics if topic.safety_flag]
    absent = [topic for topic in flagged if not topic.slice.answerable]
    (safety,) = [line for line in row.subsets if line.group == "safety"]
    assert 0 < len(absent) < len(flagged)
    assert (safety.queries, safety.figures["SafeList"].n) == (len(flagged), len(flagged))
    found = safety.figures["CorrectEmpty"]
    assert (found.n, found.families) == (len(absent), len({topic.family for topic in absent}))


def test_suites_that_were_not_run_fail_and_cap():
    row = row_of(perfect_run(PARTITION), suites=())
    assert (row.status, row.score, row.uncapped) == (Verdict.FAIL, 59.0, 100.0)
    assert [(each.name, each.verdict) for each in row.gates[-3:]] == [
        ("release protocol", Verdict.NOT_RUN),
        ("publication rollback", Verdict.NOT_RUN),
        ("terminal restoration", Verdict.NOT_RUN),
    ]
    assert row.uncertainty.passing_every_gate == 0.0
    assert row.uncertainty.passing_measured_gates == 1.0


def test_suites_of_another_system_do_not_count():
    others = tuple(each.model_copy(update={"system": "dense"}) for each in ALL_SUITES)
    assert gate(row_of(perfect_run(PARTITION), suites=others), "release protocol").verdict is Verdict.NOT_RUN


@pytest.mark.parametrize(("slow", "verdict"), [(3, Verdict.PASS), (4, Verdict.FAIL)])
def test_p95_of_a_second_fails(slow, verdict):
    """Of 70 requests the 67th decides: three slow ones lie above it, the fourth is it."""
    run = perfect_run(PARTITION)
    run = [request.model_copy(update={"latency_ns": 1000 * MS}) for request in run[:slow]] + run[slow:]
    row = row_of(run)
    found = gate(row, "submit-to-render p95, ms")
    assert found.verdict is verdict
    assert found.estimate.value == (10.0 if slow == 3 else 1000.0)
    assert row.components.L.value == (1.0 if slow == 3 else 0.0)


def test_errors_cost_quality_reliability_and_time():
    run = replaced("q-topic-1", *(seen("q-topic-1", "a-topic-1", "x01") for _ in range(4)), failed("q-topic-1"))
    row = row_of(run)
    topic = next(each for each in row.slices if each.group == "topic")
    assert topic.figures["nDCG@10"].value == 0.9
    assert row.components.R.value == 0.0
    assert gate(row, "error and timeout rate").verdict is Verdict.FAIL
    assert gate(row, "error and timeout rate").estimate.value == round(1 / 70, 6)
    assert row.performance.ui.errors == 1
    assert row.performance.ui.max_ns == 2000 * MS
    assert row.failed[0].failures == ("1 error in 5 requests",)


TIMEOUT = failed("q-topic-1", Outcome.TIMEOUT)
MISS, FOUND = seen("q-topic-1", "x02"), seen("q-topic-1", "a-topic-1")


@pytest.mark.parametrize(
    ("requests", "failures"),
    [
        ((failed("q-topic-1"), failed("q-topic-1"), TIMEOUT), ("2 errors and 1 timeout in 3 requests",)),
        ((TIMEOUT,), ("1 timeout in 1 request",)),
        ((MISS, MISS), ("nothing relevant in the top 10",)),
        ((MISS, FOUND, MISS), ("nothing relevant in the top 10 in 2 of 3 requests",)),
        ((MISS, TIMEOUT), ("1 timeout in 2 requests", "nothing relevant in the top 10 in 1 of 2 requests")),
    ],
)
def test_a_failed_query_says_in_how_many_of_its_requests(requests, failures):
    assert row_of(replaced("q-topic-1", *requests)).failed[0].failures == failures


@pytest.mark.parametrize("kind", list(Violation))
def test_a_violation_in_one_request_leaves_nothing(kind):
    run = perfect_run(PARTITION)
    run[3] = run[3].model_copy(update={"violations": (kind,)})
    row = row_of(run)
    assert (row.status, row.score) == (Verdict.FAIL, 0.0)
    assert [(each.kind, each.times) for each in row.violations] == [(kind.value, 1)]
    assert [each.name for each in row.gates if each.verdict is not Verdict.PASS] == ["critical violation"]
    assert row.uncertainty.gated.p97_5 == 0.0


RIGHTS = {"status": "cleared", "license": "CC0-1.0", "attribution": "someone", "source": "test"}


@pytest.mark.parametrize(
    ("changes", "audited", "kind"),
    [
        ({}, "critical", Critical.CLASS),
        ({"rights": {**RIGHTS, "status": "withdrawn"}}, "safe", Critical.RIGHTS),
        ({"rights": {**RIGHTS, "status": "missing"}}, "safe", Critical.RIGHTS),
        ({"private_data": True}, "safe", Critical.PRIVATE),
    ],
)
def test_an_item_that_must_never_be_shown_leaves_nothing(changes, audited, kind):
    corpus = build_corpus([*default_items(), item("bad", **changes)], {"bad": audited})
    partition = build_partition(corpus, default_rows(corpus.digest))
    for last in (seen("q-topic-1", "bad"), failed("q-topic-1", drawn=("bad",))):
        row = score([*perfect_run(partition), last], partition, corpus, facts(partition, corpus)).systems[0]
        assert (row.status, row.score) == (Verdict.FAIL, 0.0)
        assert [(each.kind, each.query_id, each.doc_id) for each in row.violations] == [
            (kind.value, "q-topic-1", "bad")
        ]


def test_a_false_id_on_the_screen_is_a_violation_and_no_crash():
    lie = seen("q-topic-1", "a-topic-1", drawn=("nobody",), violations=(Violation.DRAWN_DIFFERS,))
    assert row_of([*perfect_run(PARTITION), lie]).score == 0.0


def test_a_violation_seen_outside_the_requests_counts_for_its_system_only():
    network = CriticalViolation(system="bm25", kind=Critical.NETWORK, detail="Ip.OutRequests rose by 1")
    assert row_of(perfect_run(PARTITION), violations=(network,)).score == 0.0
    other = network.model_copy(update={"system": "dense"})
    assert row_of(perfect_run(PARTITION), violations=(other,)).score == 100.0


def test_two_systems_have_a_row_each_in_the_order_of_the_versions():
    run = perfect_run(PARTITION) + [seen(topic.query_id, system="hybrid") for topic in PARTITION.topics]
    both = (versions(PARTITION, CORPUS, "hybrid"), versions(PARTITION, CORPUS))
    card = score(run, PARTITION, CORPUS, facts(versions=both))
    assert [row.system for row in card.systems] == ["hybrid", "bm25"]
    assert card.systems[0].components.Q.value == 0.0
    assert card.systems[0].components.C.value == 0.0
    assert card.systems[1].score == 100.0


def test_the_bundled_kind_of_card_is_provisional_with_every_reason():
    card = card_of(perfect_run(PARTITION), reasons=("not containerised",), hosts=())
    assert card.standing is Standing.PROVISIONAL
    assert card.reasons[0] == "not containerised"
    assert "the partition is the development one, not a hidden one" in card.reasons
    assert (
        "the partition is below full size: entity 2 of 15, quote 2 of 15, topic 2 of 15, concept 2 of 15, "
        "visual 2 of 15, noisy 2 of 15, no_match 2 of 30, safety answerable 1 of 15, safety no-match 1 of 5, "
        "multi-cue 7 of 15"
    ) in card.reasons
    assert "made for a test" in card.reasons
    assert "bm25: the run was unstable: steal and throttling were not recorded" in card.reasons


def test_labels_no_human_gave_are_named_as_such():
    rows = default_rows(CORPUS.digest)
    for row in rows["judgements.jsonl"]:
        row["annotator"] = row["annotator"].replace("human:second", "machine:second")
    rows["judgements.jsonl"] = [
        row for row in rows["judgements.jsonl"] if (row["doc_id"], row["role"]) != ("x30", "second")
    ]
    rows["exact_targets.jsonl"][0]["adjudicated_by"] = "machine:rule"
    partition = build_partition(CORPUS, rows)
    reasons = score(perfect_run(partition), partition, CORPUS, facts(partition)).reasons
    assert "judgements: not all made by humans (machine:second)" in reasons
    assert "exact targets: not all made by humans (machine:rule)" in reasons
    assert "14 pairs were judged by one annotator only" in reasons


def made_by(file, field, value):
    """Reasons against a partition in which one line of `file` was made by `value`."""
    rows = default_rows(CORPUS.digest)
    rows[file][0][field] = value
    return set(partition_reasons(build_partition(CORPUS, rows), CORPUS))


@pytest.mark.parametrize("nobody", ["", "human:", "human: ", "humanoid:r2"])
def test_a_name_that_names_no_human_is_none(nobody):
    sound = set(partition_reasons(PARTITION, CORPUS))
    for file, field, value, words in (
        ("exact_targets.jsonl", "adjudicated_by", nobody, "exact targets"),
        ("no_match_audits.jsonl", "inspectors", [nobody], "no-match audits"),
    ):
        assert made_by(file, field, value) - sound == {f"{words}: not all made by humans ({nobody})"}


def test_unjudged_results_make_a_card_provisional():
    rows = default_rows(CORPUS.digest)
    rows["judgements.jsonl"] = [row for row in rows["judgements.jsonl"] if row["doc_id"] != "x30"]
    partition = build_partition(CORPUS, rows)
    run = [*perfect_run(partition, blocks=1), seen("q-topic-1", "a-topic-1", "x30")]
    card = score(run, partition, CORPUS, facts(partition))
    assert card.systems[0].diagnostics.judged.part == 25
    assert "bm25: judged@10 is below 100 %, unjudged 1 of 26 results shown" in card.reasons


def full_size_hidden():
    """A hidden partition of D1's size, labelled by two humans."""
    names = ("entity", "quote", "topic", "concept", "visual", "noisy")
    corpus = build_corpus([item(f"a-{name}-{n}") for name in names for n in range(30)])
    queries, judgements = [], []
    for name in (*names, "no_match"):
        for n in range(60 if name == "no_match" else 30):
            queries.append(
                {
                    "query_id": f"q-{name}-{n}",
                    "text": f"{name} {n}",
                    "slice": name,
                    "family": f"{name}-{n}",
                    "safety_flag": n < (10 if name == "no_match" else 5),
                    "multi_cue_flag": n < 5,
                    "template_groups": [],
                    "provenance": "human: test",
                }
            )
            if name != "no_match":
                judgements += [act(f"q-{name}-{n}", f"a-{name}-{n}", 3, role=role) for role in ("first", "second")]
    rows = {
        "queries.jsonl": queries,
        "judgements.jsonl": judgements,
        "exact_targets.jsonl": [
            {"query_id": f"q-{name}-{n}", "groups": [[f"a-{name}-{n}"]], "adjudicated_by": "human:judge"}
            for name in ("entity", "quote")
            for n in range(30)
        ],
        "no_match_audits.jsonl": [
            {
                "query_id": f"q-no_match-{n}",
                "corpus_digest": corpus.digest,
                "fields_checked": FIELDS,
                "nearest": ["a-entity-1"],
                "inspectors": ["human:judge"],
                "verdict": "no serving item is grade 2 or better",
            }
            for n in range(60)
        ],
    }
    return corpus, build_partition(corpus, rows, kind="hidden", provisional=[])


def test_a_full_hidden_run_by_humans_is_eligible():
    corpus, partition = full_size_hidden()
    run = [
        seen(topic.query_id, *([topic.query_id.replace("q-", "a-", 1)] if topic.slice.answerable else []), block=block)
        for block in range(1, 6)
        for topic in partition.topics
    ]
    card = score(run, partition, corpus, facts(partition, corpus))
    assert (card.standing, card.reasons) == (Standing.ELIGIBLE, ())
    assert card.partition.families == 240
    assert card.systems[0].score == 100.0


def test_a_run_that_skipped_a_query_is_void():
    with pytest.raises(VoidRun, match="q-topic-1 was never requested"):
        card_of(replaced("q-topic-1"))


def test_a_system_that_was_never_asked_voids_the_run():
    both = (versions(PARTITION, CORPUS), versions(PARTITION, CORPUS, "dense"))
    with pytest.raises(VoidRun, match="dense: no request was measured"):
        card_of(perfect_run(PARTITION), versions=both)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"versions": ()}, "name each system of the run once"),
        ({"versions": (versions(PARTITION, CORPUS, "dense"),)}, "observations of bm25, which has no versions"),
        ({"versions": (versions(PARTITION, CORPUS, partition=NONE),)}, "partition says"),
        ({"versions": (versions(PARTITION, CORPUS, corpus=NONE),)}, "corpus says"),
        ({"versions": (versions(PARTITION, CORPUS, judgement_set=NONE),)}, "judgement_set says"),
        ({"versions": (versions(PARTITION, CORPUS, score="MMTS-Search-v0"),)}, "score says"),
    ],
)
def test_facts_of_another_run_are_refused(changes, message):
    with pytest.raises(BadInput, match=message):
        card_of(perfect_run(PARTITION), **changes)


def test_diagnostics_by_hand():
    """Two lists of three: a twin picture, a repeated group, an item without attribution, one found by both routes."""
    twin = item("x01")["preview"]
    corpus = build_corpus(
        [
            *default_items(),
            item("twin", preview=twin),
            item("alike", template_group="group-a-topic-1", rights={**RIGHTS, "attribution": None}),
        ]
    )
    partition = build_partition(corpus, default_rows(corpus.digest))
    run = [request for request in perfect_run(partition, blocks=1) if request.query_id != "q-topic-1"]
    routes = (("lexical", "dense"), ("dense",), ("lexical",))
    run.append(seen("q-topic-1", "a-topic-1", "x01", "twin", routes=routes))
    run.append(seen("q-topic-1", "a-topic-1", "alike", "x01", routes=routes))
    found = score(run, partition, corpus, facts(partition, corpus)).systems[0].diagnostics
    whole = 11 * 2 + 6
    assert (found.exact_duplicates.part, found.exact_duplicates.whole) == (1, whole)
    assert (found.repeated_groups.part, found.missing_attribution.part, found.missing_preview.part) == (1, 1, 0)
    assert (found.judged.part, found.judged.whole) == (whole - 2, whole)
    assert (found.repeatable.part, found.repeatable.whole) == (0, 1)
    topic = next(each for each in found.contributions if each.slice == "topic")
    assert (topic.lexical_only, topic.dense_only, topic.both) == (2 + 2, 2, 2)
    assert (topic.relevant_lexical_only, topic.relevant_dense_only, topic.relevant_both) == (1, 0, 2)


def test_only_what_was_asked_again_and_answered_alike_each_time_is_repeatable():
    """Five blocks: one query answers once and times out, one never answers, one is drawn otherwise, one is not to be
    trusted, one changes its list."""
    timeout = partial(failed, outcome=Outcome.TIMEOUT)
    lie = seen("q-quote-1", "a-quote-1", "x01", violations=(Violation.CHANGED_AFTER_DONE,))
    swapped = {
        "q-entity-1": [seen("q-entity-1", "a-entity-1", "x01"), *(timeout("q-entity-1") for _ in range(4))],
        "q-entity-2": [timeout("q-entity-2") for _ in range(5)],
        "q-quote-1": [seen("q-quote-1", "a-quote-1", "x01"), lie],
        "q-quote-2": [seen("q-quote-2", "a-quote-2"), seen("q-quote-2", "x01")],
    }
    run = [one for one in perfect_run(PARTITION) if one.query_id not in swapped]
    found = row_of([*run, *(one for several in swapped.values() for one in several)]).diagnostics.repeatable
    assert (found.part, found.whole) == (10, 14)


def test_of_one_block_nothing_is_known_to_be_repeatable():
    found = row_of(perfect_run(PARTITION, blocks=1)).diagnostics.repeatable
    assert (found.part, found.whole, found.interval, found.text) == (0, 0, None, "none seen")


def test_a_request_that_is_not_trusted_adds_to_no_route():
    run = [*perfect_run(PARTITION), seen("q-topic-1", "a-topic-1", violations=(Violation.DRAWN_DIFFERS,))]
    topic = next(each for each in row_of(run).diagnostics.contributions if each.slice == "topic")
    assert (topic.lexical_only, topic.relevant_lexical_only) == (20, 10)


def test_each_share_stands_in_the_text_with_its_interval():
    card = card_of(noisy_run())
    text, found = render(card), card.systems[0].diagnostics
    assert list(SHARES) == [name for name, value in found if isinstance(value, Share)]
    for name, words in SHARES.items():
        share = getattr(found, name)
        if share.interval:
            shown = f"[{100 * share.interval.low:.2f}, {100 * share.interval.high:.2f}] ({share.part} of {share.whole})"
            assert f"| {words} | {100 * share.part / share.whole:.2f} % {shown} |" in text
    assert "| results with the same score as the one above | none seen |" in text


def test_times_and_failures_rest_on_requests_whatever_line_they_stand_on():
    """14 queries of 14 families, five times each; Wilson's n stays the families (D28)."""
    row = row_of(perfect_run(PARTITION))
    rate = gate(row, "error and timeout rate").estimate
    figures = (row.components.L, row.components.R, gate(row, "submit-to-render p95, ms").estimate, rate)
    assert [(each.n, each.families) for each in figures] == [(70, 14)] * 4
    assert (row.components.S.n, gate(row, "safe-list rate S").estimate.n) == (14, 14)
    # Wilson by hand for 0 of 14: z^2 / (n + z^2), z = 1.959964.
    assert rate.wilson.high == pytest.approx(3.841459 / (14 + 3.841459), abs=1e-6)


def test_the_engine_path_stands_beside_and_is_not_scored():
    engine = tuple(
        EngineRequest(system="bm25", query_id="q-topic-1", outcome=outcome, latency_ns=ns)
        for outcome, ns in ((Outcome.ANSWERED, 3), (Outcome.TIMEOUT, 2000 * MS))
    )
    row = row_of(perfect_run(PARTITION), engine=engine)
    assert (row.performance.engine.n, row.performance.engine.timeouts) == (2, 1)
    assert row.components.R.value == 1.0


def noisy_run():
    """A run with misses, errors and uneven times, so that every interval is open."""
    run = []
    for n, request in enumerate(perfect_run(PARTITION)):
        if n % 11 == 5:
            run.append(failed(request.query_id, block=request.block))
        elif n % 5 == 3 and request.drawn:
            run.append(seen(request.query_id, "x02", *request.drawn, block=request.block, latency_ns=(10 + n) * MS))
        else:
            run.append(request.model_copy(update={"latency_ns": (10 + 3 * n) * MS}))
    return run


def test_intervals_hold_the_point_and_the_spread_is_ordered():
    row = row_of(noisy_run())
    for estimate in (each for group in row.slices for each in group.figures.values()):
        assert 0 <= estimate.interval.low <= estimate.value <= estimate.interval.high <= 1
    spread = row.uncertainty
    assert spread.uncapped.low < row.uncapped < spread.uncapped.high
    assert spread.gated.p2_5 <= spread.gated.p25 <= spread.gated.p50 <= spread.gated.p75 <= spread.gated.p97_5
    assert row.performance.ui_p95_ns[0] <= row.performance.ui.p95_ns <= row.performance.ui_p95_ns[1]


def test_a_card_survives_its_file():
    card = card_of(noisy_run(), floors=(Floor(name="PTY echo", n=9, p50_ns=1, p95_ns=2, max_ns=3),))
    assert Scorecard.parse(card.pretty(), "scorecard.json") == card
    assert Scorecard.parse(card.pretty(), "scorecard.json").pretty() == card.pretty()


def test_no_number_has_more_than_six_decimals_but_the_figures_that_all_others_are_made_of():
    card = json.loads(card_of(noisy_run()).pretty())
    for query in card["systems"][0]["queries"]:
        del query["figures"]
    decimals = [word for word in json.dumps(card, indent=1).split() if "." in word and word[0].isdigit()]
    assert decimals
    assert all(len(word.rstrip(",").split(".")[1]) <= 6 for word in decimals)


def test_the_order_of_other_systems_rows_changes_nothing():
    other = [request.model_copy(update={"system": "dense"}) for request in perfect_run(PARTITION)]
    both = (versions(PARTITION, CORPUS), versions(PARTITION, CORPUS, "dense"))
    alone = row_of(noisy_run())
    assert card_of(noisy_run() + other, versions=both).systems[0] == alone
    assert card_of(other + noisy_run(), versions=both[::-1]).systems[1] == alone


@pytest.mark.parametrize(("threads", "hash_seed"), [("1", "1"), ("2", "77")])
def test_the_same_bytes_in_any_process_with_any_threads(threads, hash_seed):
    program = (
        "import hashlib; from tests.workflows.test_score import *; "
        "print(hashlib.sha256(card_of(noisy_run()).pretty()).hexdigest())"
    )
    settings = {
        "OPENBLAS_NUM_THREADS": threads,
        "PYTHONHASHSEED": hash_seed,
        "OPENBLAS_CORETYPE": "Nehalem" if threads == "1" else "",
    }
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        env={**os.environ, **settings},
        check=True,
        capture_output=True,
        text=True,
    )
    assert found.stdout.strip() == hashlib.sha256(card_of(noisy_run()).pretty()).hexdigest()


def test_the_text_opens_with_verdict_and_reasons():
    text = render(card_of(perfect_run(PARTITION), suites=(), reasons=("a | b\nc",)))
    lines = text.splitlines()
    assert lines[0] == "# Scorecard test"
    assert lines[2] == "**bm25: FAIL, 59.00 of 100** (not release-ready; uncapped 100.00)"
    assert "release protocol NOT RUN" in lines[4]
    assert lines[6] == "**provisional**, because"
    assert lines[8] == r"- a \| b c"


def test_every_table_of_the_text_is_rectangular():
    bad = CriticalViolation(system="bm25", kind=Critical.NETWORK, detail="a|b")
    card = card_of(noisy_run(), violations=(bad,), floors=(Floor(name="PTY echo", n=9, p50_ns=1, p95_ns=2, max_ns=3),))
    tables: list[list[int]] = [[]]
    for line in render(card).splitlines():
        if line.startswith("|"):
            tables[-1].append(line.replace(r"\|", "").count("|"))
        elif tables[-1]:
            tables.append([])
    found = [table for table in tables if table]
    assert len(found) >= 10
    assert all(len(set(table)) == 1 for table in found)

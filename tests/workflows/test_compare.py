"""Two cards side by side, or the reason why not (D32); past cards in their order."""

from __future__ import annotations

import json

import pytest

from runner.documents import Source
from runner.errors import BadInput, Findings, UsageError
from runner.provenance.sealed import Retirement
from runner.provenance.versions import COMPARED
from runner.workflows.cards import read_card
from runner.workflows.compare import compare, comparison_screen
from runner.workflows.history import history, history_screen
from tests.retrieval.small_benchmark import MS, build_partition
from tests.workflows.three_systems import CORPUS, SECOND, card, run, source

LATE = {f"q_concept_{n}": ("x02", f"a-concept-{n}") for n in (1, 2)}
OLD = card(run("bm25", q_visual_1=("x02",), **LATE), run_id="old")
NEW = card(run("bm25", q_no_match_2=("x02",)), run_id="new")
NOBODY = (None, None)


def changed(found, **facts):
    """A card whose rows were scored with other facts."""
    versions = tuple(one.model_copy(update=facts) for one in found.versions)
    return found.model_copy(update={"versions": versions})


def test_differences_by_hand():
    found = compare(source(NEW), source(OLD), NOBODY)
    concept = found.pair.of("nDCG@10 concept")
    assert concept.value == pytest.approx(1 - SECOND, abs=1e-6)
    assert concept.interval.low == concept.interval.high == concept.value
    assert found.pair.of("nDCG@10 visual").value == pytest.approx(0.5, abs=1e-6)
    assert found.pair.of("CorrectEmpty").value == -0.5
    assert [each.query_id for each in found.gained] == ["q-visual-1", "q-concept-1", "q-concept-2"]
    assert [(each.query_id, each.before, each.after) for each in found.lost] == [("q-no_match-2", 1.0, 0.0)]
    assert "3 queries gained" in comparison_screen(found)


def test_status_score_and_gates_of_both_stand_beside_the_differences():
    """NEW answers one of two no-match queries, so CorrectEmpty is 0.5 and D25 caps its score."""
    found = compare(source(NEW), source(OLD), NOBODY)
    assert (found.one_outcome.status, found.one_outcome.score) == ("FAIL", 59.0)
    assert (found.one_outcome.against, found.other_outcome.against) == ("CorrectEmpty FAIL", "")
    lines = comparison_screen(found).splitlines()
    assert lines[:3] == ["bm25 of new", "  FAIL 59.00 of 100", "  against it: CorrectEmpty FAIL"]
    assert lines[3] == "less bm25 of old"
    assert lines[4] == f"  PASS {found.other_outcome.score:.2f} of 100"


def test_the_other_way_round_every_difference_turns_its_sign():
    one, other = compare(source(NEW), source(OLD), NOBODY), compare(source(OLD), source(NEW), NOBODY)
    for there, back in zip(one.pair.differences, other.pair.differences, strict=True):
        assert (there.figure, there.value) == (back.figure, -back.value)


def test_within_a_card_it_is_what_the_card_says_of_the_pair():
    both = card(run("bm25", **LATE), run("dense", q_topic_1=("x02",), q_noisy_2=("x02", "a-noisy-2")))
    found = compare(source(both), source(both), ("dense", "bm25"))
    (kept,) = both.pairs
    assert (kept.one, kept.other) == ("dense", "bm25")
    for mine, said in zip(found.pair.differences, kept.differences, strict=True):
        assert mine == said


@pytest.mark.parametrize("fact", COMPARED)
def test_scores_of_unequal_facts_are_never_put_side_by_side(fact):
    other = "another" if fact not in ("partition", "corpus") else "sha256:" + "1" * 64
    if fact in ("judgement_set", "policy", "hardware_profile"):
        other = "sha256:" + "1" * 64
    with pytest.raises(Findings) as caught:
        compare(source(changed(NEW, **{fact: other}), "new.json"), source(OLD, "old.json"), NOBODY)
    assert f"  {fact}: {other}, " in str(caught.value)
    assert caught.value.exit_status == 1


def test_facts_that_may_differ_are_named():
    found = compare(source(changed(NEW, code_commit="1" * 40)), source(OLD), NOBODY)
    assert found.also_differ == ("code_commit",)


def test_of_several_rows_one_must_be_named():
    both = source(card(run("bm25"), run("dense")))
    with pytest.raises(UsageError, match="has more than one row; there are bm25, dense"):
        compare(both, both, NOBODY)
    assert compare(both, both, ("dense", "bm25")).pair.of("Q").value == 0.0


def broken(change) -> Source:
    value = json.loads(OLD.pretty())
    change(value)
    return Source("c.json", json.dumps(value).encode())


def row(card):
    return card["systems"][0]


def query(card):
    return row(card)["queries"][3]


def no_slice(card):
    del row(card)["slices"][2]


def bare_slice(card):
    row(card)["slices"][2]["figures"] = {}


def better_slice(card):
    row(card)["slices"][2]["figures"]["nDCG@10"]["value"] = 0.5


def never_asked(card):
    query(card).update(requests=0, latencies_ns=[])


def negative_time(card):
    query(card)["latencies_ns"][1] = -1


def negative_errors(card):
    query(card)["errors"] = -1


def more_judged(card):
    query(card)["judged"] = 5


def no_query(card):
    del row(card)["queries"][3]


def no_figure(card):
    del query(card)["figures"]["nDCG@10"]


def no_figure_in_a_slice(card):
    for one in row(card)["queries"]:
        if one["slice"] == "topic":
            del one["figures"]["nDCG@10"]


def strange_figure(card):
    query(card)["figures"]["CorrectEmpty"] = 1.0


def no_safety(card):
    for one in row(card)["queries"]:
        one["safety_flag"] = False


def better(card):
    row(card)["components"]["Q"]["value"] = 0.99


def no_gates(card):
    row(card)["gates"] = []


def another_verdict(card):
    row(card)["gates"][1]["verdict"] = "FAIL"


def another_outcome(card):
    row(card).update(status="FAIL", score=3.0, band="strong")


def another_percentile(card):
    row(card)["performance"]["ui"]["p95_ns"] = 1


def another_interval(card):
    row(card)["uncertainty"]["uncapped"]["low"] = 99.0


def no_report(card):
    card["gates"] = []


def softer_report(card):
    card["gates"][0]["rules"][0]["verdict"] = "FAIL"


def eligible(card):
    card["standing"] = "eligible"


def more_families(card):
    card["partition"]["families"] = 99


def no_versions(card):
    card["versions"] = []


def nan(card):
    row(card)["score"] = float("nan")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (no_slice, "void: systems[0].slices says 6 of [{'families': 2, "),
        (bare_slice, "void: systems[0].slices[2].figures.Hit@1 says None, its records give {"),
        (better_slice, "void: systems[0].slices[2].figures.nDCG@10.value says 0.5, its records give 1.0"),
        (never_asked, "void: bm25: query q-quote-2 was never asked"),
        (negative_time, "void: bm25: query q-quote-2 has a time of -1 ns"),
        (negative_errors, "void: bm25: query q-quote-2 has 2 requests, but other numbers of times or failures"),
        (more_judged, "void: bm25: query q-quote-2 has 1 list, 4 results, judged 5, of 2 answers"),
        (no_query, "void: bm25: it has 13 queries, the partition 14"),
        (no_figure, "void: bm25: query q-quote-2 has no nDCG@10"),
        (no_figure_in_a_slice, "void: bm25: query q-topic-1 has no nDCG@10"),
        (strange_figure, "void: bm25: query q-quote-2 has a figure CorrectEmpty, which is none of its slice"),
        (no_safety, "void: bm25: it has no query of safety, safety, answerable"),
        (better, "void: systems[0].components.Q.value says 0.99, its records give"),
        (no_gates, "void: systems[0].gates says []"),
        (another_verdict, "void: systems[0].gates[1].verdict says 'FAIL', its records give 'PASS'"),
        (another_outcome, "void: systems[0].band says 'strong', its records give 'excellent'"),
        (another_percentile, "void: systems[0].performance.ui.p95_ns says 1, its records give 10000000"),
        (another_interval, "void: systems[0].uncertainty.uncapped.low says 99.0, its records give"),
        (no_report, "void: systems[0].band says 'excellent', its records give 'not release-ready'"),
        (softer_report, "void: gates[0].suites[0].verdict says 'PASS', its records give 'FAIL'"),
        (eligible, "void: standing says 'eligible', its records give 'provisional'"),
        (more_families, "void: partition.families says 99, its records give 14"),
        (no_versions, "void: its rows are not the systems"),
        (nan, "NaN is not a number"),
    ],
)
def test_a_void_card_is_refused_with_its_reason(change, reason):
    with pytest.raises(BadInput, match=r"^c\.json: ") as caught:
        read_card(broken(change))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("found", [OLD, NEW, card(run("bm25", **LATE), run("dense", q_topic_1=("x02",)))])
def test_a_card_as_it_was_made_follows_from_its_queries(found):
    assert read_card(source(found)) == found


def test_a_card_of_two_rows_holds_only_with_the_same_queries_and_their_own_pair():
    both = json.loads(card(run("bm25"), run("dense")).pretty())
    both["systems"][1]["queries"][0]["family"] = "f-quote-1"
    with pytest.raises(BadInput, match="void: dense: query q-entity-1 stands where another row has q-entity-1"):
        read_card(Source("c.json", json.dumps(both).encode()))
    both = json.loads(card(run("bm25"), run("dense")).pretty())
    both["pairs"] = []
    with pytest.raises(BadInput, match=r"void: pairs says \[\], its records give 1 of"):
        read_card(Source("c.json", json.dumps(both).encode()))


def test_two_cards_of_one_partition_with_other_queries_are_not_compared():
    def renamed(card):
        query(card)["query_id"] = "q-quote-3"

    with pytest.raises(BadInput, match=r"^c\.json: void beside new\.json: query q-quote-3 stands where another row"):
        compare(source(NEW, "new.json"), broken(renamed), NOBODY)


def test_history_is_in_order_and_marks_what_can_no_longer_be_a_baseline():
    first = changed(card(run("bm25"), run_id="20260101-a"), corpus="sha256:" + "1" * 64)
    second, third = card(run("bm25"), run_id="20260102-a"), card(run("bm25"), run("dense"), run_id="20260103-a")
    found = history([source(third), source(first), source(second)])
    assert [(row.run_id, row.system, row.stale) for row in found.rows] == [
        ("20260101-a", "bm25", ("corpus",)),
        ("20260102-a", "bm25", ()),
        ("20260103-a", "bm25", ()),
        ("20260103-a", "dense", ()),
    ]
    screen = history_screen(found)
    assert screen.count("small 1: benchmark search-v1") == 2
    assert "STALE: other corpus than the newest" in screen


def test_a_run_on_another_partition_makes_no_row_stale():
    hidden = build_partition(CORPUS, name="secret", kind="hidden")
    second = build_partition(CORPUS, name="secret", kind="hidden", version="2")
    runs = [
        card(run("bm25", hidden), partition=hidden, run_id="20260101-a"),
        card(run("bm25"), run_id="20260102-a"),
        card(run("bm25", second), partition=second, run_id="20260103-a"),
    ]
    assert [row.stale for row in history(map(source, runs[:2])).rows] == [(), ()]
    # Of one name, a newer version does.
    assert [row.stale for row in history(map(source, runs)).rows] == [("partition",), (), ()]


def test_a_row_whose_partition_was_retired_is_no_baseline():
    one, other = card(run("bm25"), run_id="20260101-a"), card(run("bm25"), run_id="20260102-a")
    over = Retirement(
        partition=other.versions[0].partition,
        queries="sha256:" + "1" * 64,
        judgement_set=other.versions[0].judgement_set,
        name="small",
        version="1",
        retired_at="2026-01-03T00:00:00Z",
        reason="shown in a talk",
        rerun=(),
    )
    kept = changed(one, partition="sha256:" + "2" * 64)
    found = history([source(kept), source(other)], [over])
    assert [(row.stale, row.retired) for row in found.rows] == [(("partition",), False), ((), True)]
    assert history_screen(found).count("STALE: its partition was retired") == 1


def test_each_past_row_has_its_parts_its_interval_and_what_stands_against_it():
    (row,) = history([source(NEW)]).rows
    kept = NEW.systems[0]
    assert (row.interval, row.against) == (kept.uncertainty.uncapped, "CorrectEmpty FAIL")
    assert row.components == {"Q": 1.0, "E": 1.0, "C": round(2 / 3, 6), "S": 1.0, "L": 1.0, "R": 1.0}
    assert row.gates == {gate.name: gate.verdict for gate in kept.gates}
    screen = history_screen(history([source(NEW)]))
    assert "Q 1.000  E 1.000  C 0.667  S 1.000  L 1.000  R 1.000  16 of 17 gates passed" in screen
    assert "against it: CorrectEmpty FAIL" in screen
    assert f"uncapped  {row.uncapped:.2f} [{row.interval.low:.2f}, {row.interval.high:.2f}]" in screen


def test_no_card_has_no_history():
    assert history([]).rows == ()


def test_latency_counts_from_the_card_alone():
    slow = [each.model_copy(update={"latency_ns": 600 * MS}) for each in run("bm25")]
    found = compare(source(card(slow)), source(OLD), NOBODY)
    assert found.pair.of("L").value == pytest.approx(-0.5)

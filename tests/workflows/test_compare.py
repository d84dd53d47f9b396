"""Two cards side by side, or the reason why not (D32); past cards in their order."""

from __future__ import annotations

import json

import pytest

from runner.documents import Source
from runner.errors import BadInput, Findings, UsageError
from runner.provenance.versions import COMPARED
from runner.workflows.cards import read_card
from runner.workflows.compare import compare, comparison_screen
from runner.workflows.history import history, history_screen
from tests.retrieval.small_benchmark import MS
from tests.workflows.three_systems import SECOND, card, run, source

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


def test_the_other_way_round_every_difference_turns_its_sign():
    one, other = compare(source(NEW), source(OLD), NOBODY), compare(source(OLD), source(NEW), NOBODY)
    for there, back in zip(one.pair.differences, other.pair.differences, strict=True):
        assert (there.figure, there.value) == (back.figure, -back.value)


def test_within_a_card_it_is_what_the_card_says_of_the_pair():
    """The rows of a card hold six decimals, and give the pair's figures again but for the last."""
    both = card(run("bm25", **LATE), run("dense", q_topic_1=("x02",), q_noisy_2=("x02", "a-noisy-2")))
    found = compare(source(both), source(both), ("dense", "bm25"))
    (kept,) = both.pairs
    assert (kept.one, kept.other) == ("dense", "bm25")
    for mine, said in zip(found.pair.differences, kept.differences, strict=True):
        assert mine.figure == said.figure
        assert mine.value == pytest.approx(said.value, abs=2e-6 if said.figure != "uncapped score" else 2e-4)
        assert mine.interval.low == pytest.approx(said.interval.low, abs=2e-4)


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


def no_slice(card):
    del card["systems"][0]["slices"][2]


def never_asked(card):
    card["systems"][0]["queries"][3].update(requests=0, latencies_ns=[])


def no_query(card):
    del card["systems"][0]["queries"][3]


def better(card):
    card["systems"][0]["components"]["Q"]["value"] = 0.99


def no_versions(card):
    card["versions"] = []


def nan(card):
    card["systems"][0]["score"] = float("nan")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (no_slice, "void: bm25: slices have no line: topic"),
        (never_asked, "void: bm25: query q-quote-2 was never asked"),
        (no_query, "void: bm25: it has 13 queries, the partition 14"),
        (better, "void: bm25: Q says 0.990000, its queries give"),
        (no_versions, "void: its rows are not the systems"),
        (nan, "NaN is not a number"),
    ],
)
def test_a_void_card_is_refused_with_its_reason(change, reason):
    with pytest.raises(BadInput, match=r"^c\.json: ") as caught:
        read_card(broken(change))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


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
    assert screen.count("benchmark search-v1") == 2
    assert "STALE: other corpus than the newest" in screen


def test_no_card_has_no_history():
    assert history([]).rows == ()


def test_latency_counts_from_the_card_alone():
    slow = [each.model_copy(update={"latency_ns": 600 * MS}) for each in run("bm25")]
    found = compare(source(card(slow)), source(OLD), NOBODY)
    assert found.pair.of("L").value == pytest.approx(-0.5)

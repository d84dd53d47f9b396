"""The acceptance rule, term by term, on cards worked by hand (D30)."""

from __future__ import annotations

import json
from functools import cache

import pytest
from typer.testing import CliRunner

from runner import cards_cli
from runner.adapters.signer import checkout_key
from runner.documents import Source
from runner.errors import BadInput, BenchError, CannotDecide
from runner.provenance.acceptance import Acceptance, Heading, decide
from runner.provenance.card_markdown import render
from runner.retrieval.gates import Verdict
from runner.retrieval.suites import gates_report
from runner.workflows.accept import accept, acceptance_screen, default_of
from tests.provenance.signing import no_passphrase
from tests.report.pages import page, text
from tests.workflows.three_systems import CORPUS, HIDDEN, PARTITION, RULES, SECOND, card, run, source

SYSTEMS = ("bm25", "dense", "hybrid")
MISSED = ("x02",)


def second(query_id):
    """The useful item behind one of grade 0."""
    return ("x02", query_id.replace("q_", "a-").replace("_", "-"))


def late(*slices):
    """For both queries of each slice, the useful item stands second."""
    return {f"q_{name}_{n}": second(f"q_{name}_{n}") for name in slices for n in (1, 2)}


def found(bm25, hybrid, partition=PARTITION, order=("bm25", "dense", "hybrid")) -> Acceptance:
    lists = {"bm25": bm25, "dense": {}, "hybrid": hybrid}
    return accept(source(card(*(run(name, partition, **lists[name]) for name in order), partition=partition)))


def terms(outcome):
    return {term.name: term for term in outcome.terms}


def test_better_on_both_concept_queries_is_accepted_by_the_concept_slice():
    outcome = found(late("concept"), {})
    concept, overall = terms(outcome)["nDCG@10 concept"], terms(outcome)["Q"]
    # Both queries of the slice gain alike, so every resample gives the same difference there.
    assert concept.value == pytest.approx(1 - SECOND, abs=1e-6)
    assert (concept.interval.low, concept.interval.high) == (concept.value, concept.value)
    # A sixth of it overall.
    assert overall.value == pytest.approx((1 - SECOND) / 6, abs=1e-6)
    assert (outcome.accepted, outcome.ships) == (True, "hybrid")


def test_the_order_of_the_rows_does_not_turn_the_outcome():
    one = found(late("concept"), {})
    other = found(late("concept"), {}, order=("hybrid", "dense", "bm25"))
    assert one.terms[0].value == other.terms[0].value > 0
    assert (other.accepted, other.improved) == (True, one.improved)


def test_an_improvement_that_one_family_carries_is_not_told_from_noise():
    """One of two concept queries: a resample may hold the other one twice, so the interval reaches 0."""
    outcome = found({"q_concept_1": MISSED}, {})
    concept = terms(outcome)["nDCG@10 concept"]
    assert concept.value == pytest.approx(0.5)
    assert concept.interval.low == 0.0
    assert concept.verdict is Verdict.FAIL
    assert "not told from noise" in concept.detail
    assert (outcome.accepted, outcome.ships, outcome.improved) == (False, "bm25", ())


def test_equal_systems_give_a_negative_report():
    outcome = found({}, {})
    assert [term.verdict for term in outcome.terms] == ["FAIL", "FAIL", "PASS", "PASS", "PASS"]
    assert "bm25 alone would be the default system" in acceptance_screen(outcome)


@pytest.mark.parametrize("slice_", ["entity", "quote"])
def test_an_exact_slice_that_falls_back_refuses_it(slice_):
    outcome = found(late("concept", "visual", "topic"), late(slice_))
    assert terms(outcome)[f"nDCG@10 {slice_}"].verdict is Verdict.FAIL
    assert outcome.improved == ("Q", "nDCG@10 concept")
    assert (outcome.accepted, outcome.ships) == (False, "bm25")


def test_a_gate_that_bm25_passes_and_hybrid_fails_refuses_it():
    wrong = {f"q_no_match_{n}": ("x02",) for n in (1, 2)}
    outcome = found(late("concept"), wrong)
    assert terms(outcome)["hard gates"].detail == "CorrectEmpty: FAIL"
    assert not outcome.accepted


def test_a_gate_that_both_fail_is_no_regression_but_said_first():
    wrong = {f"q_no_match_{n}": ("x02",) for n in (1, 2)}
    outcome = found({**late("concept"), **wrong}, wrong)
    assert outcome.accepted
    assert acceptance_screen(outcome).startswith("hybrid would ship, and it fails: CorrectEmpty FAIL. rehearsal, not a")


def test_a_development_partition_only_rehearses_and_sets_nothing():
    outcome = found(late("concept"), {})
    assert outcome.heading is Heading.REHEARSAL
    assert "rehearsal, not a decision" in acceptance_screen(outcome)
    with pytest.raises(CannotDecide, match="is a rehearsal on small 1"):
        default_of(outcome, "scorecard.json")


@pytest.mark.parametrize(("bm25", "ships"), [(late("concept"), "hybrid"), ({}, "bm25")])
def test_a_hidden_partition_decides_the_default_system(bm25, ships):
    outcome = found(bm25, {}, partition=HIDDEN)
    assert outcome.heading is Heading.DECISION
    default = default_of(outcome, "scorecard.json")
    assert (default.system, default.run_id) == (ships, "r1")


@pytest.mark.parametrize(
    ("partition", "accepted", "words"),
    [
        (PARTITION, False, "bm25 would ship, and it fails: CorrectEmpty FAIL. rehearsal, not a decision: bm25 alone "
         "would be the default system, without the dense route, since hybrid improves neither figure enough (FAIL: "),
        (HIDDEN, False, "bm25 ships, and it fails: CorrectEmpty FAIL. decision: bm25 alone is the default system,"),
        (PARTITION, True, "hybrid would ship, and it fails: CorrectEmpty FAIL. rehearsal, not a decision: hybrid "
         "would be the default system, since it improves Q and nDCG@10 concept, and no other term stands against it."),
        (HIDDEN, True, "hybrid ships, and it fails: CorrectEmpty FAIL. decision: hybrid is the default system, since"),
    ],
)  # fmt: skip
def test_screen_text_and_page_say_one_sentence_what_fails_first(partition, accepted, words):
    """D30: a decision states a fact, a rehearsal what would be."""
    wrong = {f"q_no_match_{n}": ("x02",) for n in (1, 2)}
    lists = {"bm25": {**(late("concept") if accepted else {}), **wrong}, "dense": {}, "hybrid": wrong}
    runs = {name: run(name, partition, **lists[name]) for name in SYSTEMS}
    reports = tuple(gates_report(name, RULES, ()) for name in SYSTEMS)
    suites = tuple(result for report in reports for result in report.suites)
    made = page(partition, CORPUS, runs, gates=reports, suites=suites)
    screen = " ".join(acceptance_screen(decide(made.card, "c.json")).split())
    assert screen.startswith(words)
    assert f"## Semantic-search acceptance: {words}" in render(made.card)
    (heading,) = [one for one in made.tree.xpath("//h3") if text(one) == "Semantic-search acceptance"]
    assert text(heading.getnext()).startswith(words)


def test_a_missing_row_is_named():
    with pytest.raises(CannotDecide, match=r"^c\.json: has no row named dense nor hybrid"):
        decide(card(run("bm25")), "c.json")


@cache
def hidden_card() -> bytes:
    """Three systems that do equally well."""
    return card(*(run(name, HIDDEN) for name in SYSTEMS), partition=HIDDEN).pretty()


def lying(change) -> Source:
    """That card with something else in it."""
    value = json.loads(hidden_card())
    change(value)
    return Source("c.json", json.dumps(value).encode())


def better_pair(card):
    for pair in card["pairs"]:
        if pair["one"] == "hybrid":
            pair["differences"][1].update(value=0.04, interval={"low": 0.01, "high": 0.07})


def no_pair(card):
    card["pairs"] = card["pairs"][:1]


def no_gates(card):
    card["systems"][2]["gates"] = []


def renamed_gate(card):
    card["systems"][0]["gates"][1]["name"] = "another"


@pytest.mark.parametrize("change", [better_pair, no_pair, no_gates, renamed_gate])
def test_a_card_whose_pairs_or_gates_do_not_follow_decides_nothing(change):
    with pytest.raises(BadInput, match=r"^c\.json: void: ") as caught:
        accept(lying(change))
    assert "\n" not in str(caught.value)


def test_only_what_verifies_sets_the_default_system(tmp_path, monkeypatch):
    """The card holds together, and nobody signed it."""
    default = tmp_path / "default-system.json"
    monkeypatch.setattr(cards_cli, "DEFAULT_SYSTEM", default)
    result, trust = tmp_path / "result", tmp_path / "trust.json"
    result.mkdir()
    (result / "scorecard.json").write_bytes(hidden_card())
    checkout_key(tmp_path, no_passphrase)
    call = ["accept", str(result), "--apply", "--trust", str(trust)]
    found = CliRunner().invoke(cards_cli.cards, call)
    assert isinstance(found.exception, BenchError)
    assert "statement.dsse.json: missing" in str(found.exception)
    assert not default.exists()

"""What of a card may be published of a hidden partition: figures over five queries and more, and no word or id."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from runner.documents import Source
from runner.errors import BadInput
from runner.provenance.acceptance import lacking
from runner.provenance.card import Scorecard
from runner.provenance.card_markdown import render
from runner.provenance.kept_public_card import remake_public
from runner.provenance.public_card import publish
from runner.retrieval.gates import Verdict
from runner.retrieval.instrument import drift
from runner.retrieval.suites import EndingRow, RuleRow, gates_report
from runner.retrieval.violations import Critical, CriticalViolation
from runner.workflows.cards import read_card
from runner.workflows.differences import of_json
from runner.workflows.score import RunFacts, score
from tests.report.pages import instrument
from tests.retrieval.small_benchmark import (
    NONE,
    build_corpus,
    build_partition,
    default_items,
    default_rows,
    item,
    perfect_run,
    seen,
    versions,
)

Change = Callable[[Any], None]
SYSTEMS = ("bm25", "dense", "hybrid")
CORPUS = build_corpus()
#: Two queries a slice, the second of topic and of no_match with the safety flag.
SMALL = build_partition(CORPUS)


def rows_of(each: int, corpus_digest: str):
    """The default lines, each query `each` times under other ids."""
    rows = default_rows(corpus_digest)
    return {
        name: [{**row, **_renamed(row, copy)} for row in lines for copy in range(each)] for name, lines in rows.items()
    }


def _renamed(row, copy):
    changes = {"query_id": f"{row['query_id']}-{copy}"}
    if "family" in row:
        changes |= {"family": f"{row['family']}-{copy}", "text": f"{row['text']} {copy}"}
    return changes


LARGE = build_partition(CORPUS, rows_of(5, CORPUS.digest))
COPIES = {id(SMALL): 1, id(LARGE): 5}


def run_of(each: int, system: str = "bm25"):
    """Every query answered with its ideal list, the copies as the query that they are of."""
    ends = [f"-{copy}" for copy in range(each)] if each > 1 else [""]
    return [
        request.model_copy(update={"system": system, "query_id": request.query_id + ending})
        for request in perfect_run(SMALL)
        for ending in ends
    ]


def card_of(partition, systems=SYSTEMS, **changes) -> Scorecard:
    run = [each for name in systems for each in run_of(COPIES[id(partition)], name)]
    found = tuple(versions(partition, CORPUS, name, index=NONE, model=NONE) for name in systems)
    return score(run, partition, CORPUS, RunFacts(run_id="test", certificate=NONE, versions=found, **changes))


@pytest.fixture(scope="module")
def large() -> Scorecard:
    return card_of(LARGE)


@pytest.fixture(scope="module")
def small() -> Scorecard:
    return card_of(SMALL)


@pytest.mark.parametrize("which", ["large", "small"])
def test_no_id_of_a_query_and_no_family_is_left(which: str, request: pytest.FixtureRequest) -> None:
    card = request.getfixturevalue(which)
    public = publish(card)
    for text in (public.pretty().decode(), render(public)):
        assert "q-entity" not in text
        assert "f-entity" not in text
    assert "q-entity" in card.pretty().decode()


def test_of_a_large_partition_every_aggregate_stays(large: Scorecard) -> None:
    public = publish(large)
    assert public.pairs == large.pairs
    assert public.power == large.power
    for row, full in zip(public.systems, large.systems, strict=True):
        assert (row.score, row.components, row.uncertainty) == (full.score, full.components, full.uncertainty)
        assert (row.slices, row.gates) == (full.slices, full.gates)


def test_of_slices_of_two_queries_no_figure_stays_and_none_can_be_had_from_the_rest(small: Scorecard) -> None:
    public = publish(small)
    assert (public.pairs, set(public.power.detectable.values())) == ((), {None})
    for row in public.systems:
        assert (row.slices, row.subsets, row.diagnostics.contributions) == ((), (), ())
        bare = {gate.name for gate in row.gates if gate.estimate is None and gate.threshold is not None}
        assert bare == {
            *(f"nDCG@10 {name}" for name in ("entity", "quote", "topic", "concept", "visual", "noisy")),
            "answerable safety-slice Hit@10",
        }
        assert all(gate.resamples_passed is None for gate in row.gates if gate.name in bare)


def test_how_a_gate_ended_is_said_where_its_figure_is_not(small: Scorecard) -> None:
    before = {gate.name: gate.verdict for gate in small.systems[0].gates}
    assert {gate.name: gate.verdict for gate in publish(small).systems[0].gates} == before


def test_a_card_without_pairs_decides_nothing_about_the_default(small: Scorecard, large: Scorecard) -> None:
    assert lacking(publish(small)) == SYSTEMS
    assert lacking(publish(large)) == ()


@pytest.mark.parametrize(("answered", "stays"), [(4, False), (5, True)])
def test_the_drift_of_fewer_than_five_requests_is_left_out(small: Scorecard, answered: int, stays: bool) -> None:
    times = {f"q{number}": number for number in range(answered)}
    checks = instrument("bm25").model_copy(update={"drift": drift(times, times)})
    (found,) = publish(small.model_copy(update={"instrument": (checks,)})).instrument
    assert (found.drift is not None) is stays
    assert found.slow == checks.slow


@pytest.mark.parametrize("which", ["large", "small"])
def test_to_publish_twice_is_to_publish_once(which: str, request: pytest.FixtureRequest) -> None:
    public = publish(request.getfixturevalue(which))
    assert publish(public).pretty() == public.pretty()
    assert Scorecard.parse(public.pretty(), "x") == public


@pytest.mark.parametrize("which", ["large", "small"])
def test_a_public_card_holds_together_by_itself(which: str, request: pytest.FixtureRequest) -> None:
    public = publish(request.getfixturevalue(which))
    assert read_card(Source("c.json", public.pretty())) == public


def _row(**changes: object) -> Change:
    return lambda card: card["systems"][1].update(changes)


def _gate(number: int, **changes: object) -> Change:
    return lambda card: card["systems"][1]["gates"][number].update(changes)


def _part(name: str) -> Change:
    return lambda card: card["systems"][1]["components"][name].update(value=0.5)


def _difference(**changes: object) -> Change:
    return lambda card: card["pairs"][0]["differences"][1].update(changes)


def _no_pair(card: Any) -> None:
    del card["pairs"][1]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (_row(status="PASS"), "systems[1].status says 'PASS', its records give 'FAIL'"),
        (_row(score=99.0), "systems[1].score says 99.0, its records give 59.0"),
        (_row(uncapped=50.0), "systems[1].uncapped says 50.0, its records give 100.0"),
        (_row(band="strong"), "systems[1].band says 'strong', its records give 'not release-ready'"),
        (_row(gates=[]), "systems[1].gates says []"),
        (_gate(1, verdict="FAIL"), "systems[1].gates[1].verdict says 'FAIL', its records give 'PASS'"),
        (_gate(1, threshold=0.1), "systems[1].gates[1].threshold says 0.1, its records give 0.3"),
        (_gate(14, verdict="PASS"), "systems[1].gates[14].verdict says 'PASS', its records give 'NOT RUN'"),
        (_part("Q"), "systems[1].uncapped says 100.0, its records give 72.5"),
        (_part("L"), "systems[1].components.L.value says 0.5, its records give 1.0"),
        (_part("E"), "systems[1].gates[7].estimate.value says 1.0, its records give 0.5"),
        (_difference(value=0.04), "pairs[0].differences[1].value says 0.04, its records give 0.0"),
        (_difference(one=0.9), "pairs[0].differences[1].one says 0.9, its records give 1.0"),
        (_no_pair, "pairs says 2 of "),
    ],
)
def test_a_public_card_that_contradicts_itself_is_void(change: Change, place: str, large: Scorecard) -> None:
    value = json.loads(publish(large).pretty())
    change(value)
    with pytest.raises(BadInput, match=r"^c\.json: void: ") as caught:
        read_card(Source("c.json", json.dumps(value).encode()))
    assert "\n" not in str(caught.value)
    assert place in _all_said(value)


def _all_said(value: Any) -> str:
    card = Scorecard.parse(json.dumps(value).encode(), "c.json")
    return "\n".join(of_json("", card.pretty(), remake_public(card).pretty()))


def test_no_word_of_the_partition_s_card_and_no_name_in_it_is_a_reason() -> None:
    """Whoever labels may write a query where only a name or a reason was asked for."""
    rows = rows_of(5, CORPUS.digest)
    acts = rows["judgements.jsonl"]
    named = {"annotator": "machine:bakadu gilo"}
    rows["judgements.jsonl"] = [row | named if row["annotator"] == acts[0]["annotator"] else row for row in acts]
    partition = build_partition(CORPUS, rows, kind="hidden", provisional=["bakadu gilo", "gilo"])
    run = run_of(5)
    facts = RunFacts(run_id="test", certificate=NONE, versions=(versions(partition, CORPUS),))
    public = publish(score(run, partition, CORPUS, facts))
    assert "judgements: not all made by humans (1 other)" in public.reasons
    assert "its card gives 2 reasons of its own" in public.reasons
    assert "gilo" not in public.pretty().decode() + render(public)


def test_violations_are_counted_by_kind_without_query_item_or_words() -> None:
    spoken = CriticalViolation(system="bm25", kind=Critical.EVENTS.value, detail="file 'bakadu gilo', 3 bytes", times=2)
    public = publish(card_of(LARGE, ("bm25",), violations=(spoken, spoken.model_copy(update={"detail": "gilo"}))))
    (found,) = public.systems[0].violations
    assert found == CriticalViolation(system="bm25", kind=Critical.EVENTS.value, times=4)


def test_a_displayed_item_that_must_not_be_is_not_named() -> None:
    corpus = build_corpus([*default_items(), item("wrong", private_data=True)])
    rows = rows_of(5, corpus.digest)
    partition = build_partition(corpus, rows)
    run = run_of(5)
    run[0] = seen(run[0].query_id, "wrong", block=1)
    facts = RunFacts(run_id="test", certificate=NONE, versions=(versions(partition, corpus),))
    card = score(run, partition, corpus, facts)
    assert '"wrong"' in card.pretty().decode()
    assert '"wrong"' not in publish(card).pretty().decode()
    assert [found.kind for found in publish(card).systems[0].violations] == [Critical.PRIVATE.value]


def test_what_a_system_says_of_itself_after_it_was_asked_is_left_out(large: Scorecard) -> None:
    """An index digest has room for 32 bytes of a query."""
    assert all(one.index == NONE for one in large.versions)
    assert all((one.index, one.model) == (None, None) for one in publish(large).versions)


def test_what_was_found_against_a_rule_is_left_out() -> None:
    suite = next(iter(gates_report("bm25", (), ()).suites)).suite
    rules = tuple(
        RuleRow(suite=suite, rule=name, sentence="It must.", verdict=verdict, found=found)
        for name, verdict, found in (("a", Verdict.PASS, ""), ("b", Verdict.FAIL, "bakadu"))
    )
    ending = EndingRow(ending="quit", moment="typing", expected=0, status=0, modes={})
    public = publish(card_of(LARGE, ("bm25",), gates=(gates_report("bm25", rules, (ending,)),)))
    assert [(rule.rule, rule.found) for rule in public.gates[0].rules] == [("a", ""), ("b", "sealed")]

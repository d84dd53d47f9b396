"""Every number of the card stands on its page, in the cell of its row and column."""

from __future__ import annotations

import pytest

from runner.provenance.card_markdown import render
from tests.report.pages import MODES, SYSTEMS, Made, cells, text


def between(found) -> str:
    return f"[{found.low:.3f}, {found.high:.3f}]"


def test_status_score_and_what_stands_against_it_come_first(small: Made) -> None:
    """By hand: a perfect run has 100; D25 caps dense at 59; hybrid fails a tenth of its requests."""
    first = small.tree.xpath("//main/section")[0]
    lines = [text(one) for one in first.xpath(".//li[p]")]
    assert lines[0].startswith("PASS bm25 100.00 of 100 excellent")
    assert lines[1].startswith("FAIL dense 59.00 of 100 not release-ready")
    assert "Against it: CorrectEmpty FAIL; release protocol NOT RUN;" in lines[1]
    assert "error and timeout rate FAIL" in lines[2]
    assert "provisional" in text(first)
    reasons = [text(one) for one in first.xpath(".//div/ul/li")]
    assert reasons == list(small.card.reasons)
    assert reasons


def test_a_row_for_each_system_with_its_six_parts(small: Made) -> None:
    table = cells(small.tree, "Score and its six parts")
    for row, (head, found) in zip(small.card.systems, table.items(), strict=True):
        assert head.startswith(row.system)
        assert (found["status"], found["score"]) == (row.status, f"{row.score:.2f}")
        spread = row.uncertainty.uncapped
        assert found["uncapped"] == f"{row.uncapped:.2f} [{spread.low:.2f}, {spread.high:.2f}]"
        for part in "QECSLR":
            estimate = getattr(row.components, part)
            assert found[part] == f"{estimate.value:.3f} {between(estimate.interval)}"
    assert table[next(iter(table))]["gates passed"] == "17 of 17"


def test_each_gate_with_value_interval_threshold_verdict_and_share(small: Made) -> None:
    table = cells(small.tree, "Value with bootstrap interval")
    for row in small.card.systems:
        assert list(table) == [gate.name for gate in row.gates]
        for gate in row.gates:
            shown = table[gate.name][row.system]
            assert shown.startswith(gate.verdict)
            if gate.estimate:
                assert f"{gate.estimate.value:.3f} {between(gate.estimate.interval)}" in shown
                assert shown.endswith(f"passed in {gate.resamples_passed:.4f}")
                assert ("W [" in shown) == (gate.estimate.wilson is not None)
    assert table["nDCG@10 topic"]["wanted"] == ">= 0.3"
    assert table["CorrectEmpty"]["dense"].startswith("FAIL 0.500 ")
    assert table["terminal restoration"]["dense"] == "NOT RUN"


def test_each_measure_of_each_slice_and_subset(small: Made) -> None:
    for row in small.card.systems:
        table = cells(small.tree, f"Every measure of {row.system} by")
        groups = (*row.slices, *row.subsets)
        assert list(table) == [f"{group.group} {group.queries} ({group.families})" for group in groups]
        for group, found in zip(groups, table.values(), strict=True):
            shown = {measure: cell for measure, cell in found.items() if cell}
            assert shown.keys() == group.figures.keys()
            for measure, cell in shown.items():
                estimate = group.figures[measure]
                assert cell.startswith(f"{estimate.value:.3f} {between(estimate.interval)}")


def test_times_of_both_paths_floors_and_stability(small: Made) -> None:
    table = cells(small.tree, "Times in milliseconds")
    assert list(table) == [f"{name}, {path}" for name in SYSTEMS for path in ("submit to render", "engine")]
    assert table["bm25, submit to render"]["p50"] == "10.000 [10.000, 10.000]"
    assert table["bm25, engine"]["p95"] == "0.250 [0.250, 0.250]"
    assert table["hybrid, submit to render"]["largest"] == "2000.000"
    assert table["hybrid, submit to render"]["timeouts"] == str(small.card.systems[2].performance.ui.timeouts) == "7"
    floors = cells(small.tree, "Floors of the measuring")
    assert floors["dense: terminal echo"] == {
        "letter": "a", "probes": "9", "p50": "0.020", "p95": "0.090", "largest": "0.800"
    }  # fmt: skip
    assert "unstable: steal and throttling were not recorded" in cells(small.tree, "What was found")["bm25"]["verdict"]


def test_what_the_instrument_noticed(small: Made) -> None:
    """By hand: the median of 101, 103 and 180; the lower median of two requests and their common change."""
    table = cells(small.tree, "What was there to be noticed")
    assert {row: found["what was found"] for row, found in table.items()} == {
        "bm25, slow canary": "median 103.000 ms, at most 125.000 ms allowed",
        "bm25, injected timeout": "timeout, charged 400.000 ms",
        "bm25, known bad frame": "it was refused, the right ones were not",
        "bm25, tampered record": "the chain names that line",
        "bm25, drift, not counted": (
            "medians 5.000 and 4.000 ms, p95 6.000 and 5.000 ms, median change -1.000 ms, of 2 requests"
        ),
    }
    assert table["bm25, tampered record"]["what was there"].startswith("line 7 of block-001.jsonl altered in a copy")


def test_how_a_system_comes_up_what_it_holds_and_how_fast_it_builds(small: Made) -> None:
    table = cells(small.tree, "Not scored.")
    assert {row: found["bm25"] for row, found in table.items()} == {
        "engine load, ms": "7.000",
        "UI load, ms": "7.000",
        "engine start to first done frame, ms": "7.000",
        "engine peak memory, MB": "7.0",
        "UI peak memory, MB": "7.0",
        "index, MB": "7.0",
        "documents in a build": "900",
        "build, ms": "1500.000",
        "documents indexed per second": "600.0",
    }
    assert {found["dense"] for found in table.values()} == {"not recorded"}


def test_differences_of_every_pair_and_what_the_partition_can_tell(small: Made) -> None:
    titles = [text(one) for one in small.tree.xpath("//h3") if " less " in text(one)]
    assert titles == [f"{pair.one} less {pair.other}" for pair in small.card.pairs]
    tables = [one for one in small.tree.xpath("//table") if "detectable is the least" in text(one.find("caption"))]
    for pair, table in zip(small.card.pairs, tables, strict=True):
        rows = [[text(cell) for cell in row] for row in table.xpath("./tbody/tr")]
        assert [row[0] for row in rows] == [each.figure for each in pair.differences]
        for row, each in zip(rows, pair.differences, strict=True):
            low, high = each.interval.low, each.interval.high
            assert row[3] == f"{each.value:+.3f} [{low:+.3f}, {high:+.3f}]"
    power = cells(small.tree, "The least differences")
    assert power["Q"]["detectable from"] == f"{small.card.power.detectable['Q']:.3f}"


def test_which_queries_one_system_gained_and_lost_against_another(small: Made) -> None:
    """dense misses q-topic-1, has q-entity-2's target second, and answers q-no_match-1; bm25 is perfect."""
    (head,) = [one for one in small.tree.xpath("//h3") if text(one) == "dense less bm25"]
    said, listed = head.getnext(), head.getnext().getnext()
    assert text(said).startswith("0 queries gained, 3 lost, 11 tied, each by its own figure")
    assert [text(one).split(":")[0] for one in listed.xpath(".//li")] == [
        "q-no_match-1 (no_match)", "q-topic-1 (topic)", "q-entity-2 (entity)",
    ]  # fmt: skip
    assert listed.xpath(".//a/@href")[1] == "#query-q-topic-1"
    assert "| dense less bm25 | 0 | 3 | 11 |" in render(small.card)


def test_the_gain_of_each_list_and_the_best_one_stand_where_ndcg_does(small: Made) -> None:
    """By hand: 7 at rank 2 and 1 at rank 3, of 7 at rank 1 and 1 at rank 2."""
    (query,) = small.tree.get_element_by_id("query-q-entity-2").xpath(".//div[@class='answers']")
    dense = text(query.findall("div")[1].find("p")).replace("\xa0", " ")
    assert "DCG@10 4.916508 of ideal 7.630930." in dense
    (empty,) = small.tree.get_element_by_id("query-q-no_match-1").xpath(".//div[@class='answers']")
    assert "DCG" not in text(empty)


def test_the_resampled_score_as_numbers(small: Made) -> None:
    table = cells(small.tree, "The score in the resamples")
    for row in small.card.systems:
        found, spread = table[row.system], row.uncertainty
        assert found["gated, median"] == f"{spread.gated.p50:.2f}"
        assert found["passing every gate on a figure"] == f"{spread.passing_measured_gates:.4f}"
        bins = cells(small.tree, f"{row.system}: resamples by score")
        assert sum(int(each["uncapped"]) for each in bins.values()) == spread.resamples
        assert sum(int(each["gated"]) for each in bins.values()) == spread.resamples


def test_the_suites_rule_by_rule_and_the_terminal_after_each_ending(small: Made) -> None:
    ending = cells(small.tree, "The terminal after each way")["SIGHUP"]
    modes = dict.fromkeys(MODES, "PASS") | {"cursor": "FAIL"}
    assert ending == {"moment": "idle", "exit status": "1, not 129", **modes}
    assert cells(small.tree, "What must hold")["rule-rollback"]["verdict"] == "PASS"


def test_every_query_with_the_list_of_every_system_its_grades_and_its_moment(small: Made) -> None:
    for topic in small.ground.partition.topics:
        (query,) = small.tree.xpath(f"//details[@id='query-{topic.query_id}']")
        assert [text(one) for one in query.xpath(".//h4")] == list(SYSTEMS)
    (query,) = small.tree.get_element_by_id("query-q-entity-2").xpath(".//div[@class='answers']")
    bm25, dense, _ = query.findall("div")
    assert [text(one).split()[:2] for one in bm25.xpath(".//li")] == [["3", "a-entity-2"], ["1", "x01"]]
    assert [text(one).split()[:2] for one in dense.xpath(".//li")] == [["0", "x02"], ["3", "a-entity-2"], ["1", "x01"]]
    assert text(dense.xpath(".//li")[1]).endswith("exact target lexical")
    assert "ExactRR@10 0.500" in text(dense.find("p")).replace("\xa0", " ")
    assert bm25.xpath(".//a/@href") == ["casts/bm25/block-001.cast#t=0.001000,0.006000"]
    missed = text(small.tree.get_element_by_id("query-q-topic-1"))
    assert "nothing relevant in the top 10" in missed


@pytest.mark.parametrize("name", ["system_version", "code_commit", "cpu_model", "judgement_set"])
def test_every_version_of_every_thing(small: Made, name: str) -> None:
    label, found = name.replace("_", " "), {getattr(version, name) for version in small.card.versions}
    caption = "What is the same" if len(found) == 1 else "What differs"
    assert set(cells(small.tree, caption)[label].values()) == found


def test_the_settings_behind_each_configuration(small: Made) -> None:
    table = cells(small.tree, "The settings of each system")
    assert table["routes"] == {"bm25": '["lexical"]', "dense": '["lexical", "dense"]', "hybrid": '["lexical", "dense"]'}
    assert table["weights: title"] == {"bm25": "0.0", "dense": "0.5", "hybrid": "1.0"}


def test_commands_that_check_it_and_make_it_again(small: Made) -> None:
    lines = [text(one) for one in small.tree.xpath("//dl[@class='commands']//code")]
    run = f"results/{small.card.run_id}"
    assert lines[:4] == [
        f"git checkout {'0' * 40}",
        f"./bench run verify {run} --trust trust.json",
        f"./bench run score {run}",
        f"./bench run reproduce {run} --trust trust.json",
    ]

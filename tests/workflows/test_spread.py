"""Five runs on one host say how far times lie apart there; each figure here was worked by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runner.documents import digest
from runner.errors import BadInput, Findings, UsageError
from runner.provenance.host_spread import HostSpread
from runner.retrieval.repeated import RunSpread, repeated_times
from runner.workflows.repeat import Side, known_runs
from runner.workflows.score import RunFacts, score
from runner.workflows.spread import host_spread, spread_screen
from tests.retrieval.small_benchmark import NONE, build_corpus, build_partition, perfect_run, seen, versions

CORPUS = build_corpus()
PARTITION = build_partition(CORPUS)
VERSIONS = versions(PARTITION, CORPUS)
CARD = score(perfect_run(PARTITION), PARTITION, CORPUS, RunFacts(run_id="run", certificate=NONE, versions=(VERSIONS,)))
HOST = {"cpu_model": "cpu", "kernel": "6.1"}
#: Three requests of each run, in nanoseconds: by nearest ranks the second is p50, the third p95.
TIMES = ((10, 30, 20), (25, 15, 31), (18, 22, 29), (20, 20, 60), (16, 17, 40))


def side(name: str, times: tuple[int, ...] = (1, 2, 3), **changes: Any) -> Side:
    """A run of the small benchmark in which three requests took these times."""
    facts = {"runtime": {**HOST, "package a": name}, **changes}
    row = VERSIONS.model_copy(update=facts)
    card = CARD.model_copy(update={"run_id": name, "versions": (row,)})
    observations = tuple(seen("q", latency_ns=ns) for ns in times)
    return Side(observations, card, {"statement.dsse.json": digest(name.encode())})


@pytest.fixture(scope="module")
def sides() -> list[Side]:
    return [side(f"run-{number}", times) for number, times in enumerate(TIMES)]


def test_each_figure_of_each_run_with_least_greatest_and_ratio(sides: list[Side]) -> None:
    found = host_spread(sides)
    (row,) = found.systems
    assert row.p50.each_ns == (20, 25, 22, 20, 17)
    assert (row.p50.least_ns, row.p50.greatest_ns, row.p50.ratio) == (17, 25, 1.470588)
    assert row.p95.each_ns == (30, 31, 29, 60, 40)
    assert (row.p95.least_ns, row.p95.greatest_ns, row.p95.ratio) == (29, 60, 2.068966)
    assert found.host == HOST
    assert [run.run_id for run in found.runs] == [f"run-{number}" for number in range(5)]
    assert spread_screen(found).startswith("5 runs on one host: cpu, 6.1\n")


def test_four_runs_are_too_few_and_none_counts_twice(sides: list[Side]) -> None:
    for few, told in (
        (sides[:4], "4 different runs of 4 given; at least 5 are needed"),
        ([sides[0]] * 5, "1 different run of 5 given"),
        ([*sides, sides[0]], "5 different runs of 6 given"),
    ):
        with pytest.raises(UsageError, match=told):
            host_spread(few)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"runtime": {**HOST, "kernel": "6.2"}}, "host: .*6.1.*6.2"),
        ({"cpu_model": "another"}, "cpu_model: .*another"),
        ({"image_id": digest(b"another")}, "bm25: image_id "),
        ({"manifest": digest(b"another")}, "bm25: manifest "),
        ({"system": "dense"}, "systems: bm25; dense"),
    ],
)
def test_runs_of_something_else_or_elsewhere_are_refused(sides: list[Side], changes: Any, why: str) -> None:
    with pytest.raises(Findings, match=f"^run-9 is no repetition of run-0 on one host: {why}"):
        host_spread([*sides[:4], side("run-9", **changes)])


def test_it_counts_for_the_same_image_profile_and_processor_alone(sides: list[Side]) -> None:
    kept, first = host_spread(sides), side("first")
    runs = RunSpread(runs=5, p50_ns=(17, 25), p95_ns=(29, 60))
    assert known_runs([kept], first, side("again", code_commit="b" * 40)) == {"bm25": runs}
    for fact in ("image_id", "configuration", "manifest", "hardware_profile"):
        assert known_runs([kept], first, side("again", **{fact: digest(b"another")})) == {}
        assert known_runs([kept], side("first", **{fact: digest(b"another")}), first) == {}
    assert known_runs([kept], first, side("again", cpu_model="another")) == {}
    assert known_runs([], first, first) == {}


def test_a_spread_of_runs_goes_before_that_of_blocks() -> None:
    """One block, which would show nothing; and the greatest and the least are inside."""
    runs = RunSpread(runs=5, p50_ns=(17, 25), p95_ns=(29, 60))
    first = side("first", (100, 100, 100)).observations
    for times, within in (((17, 17, 60), (True, True)), ((16, 16, 61), (False, False)), ((25, 25, 28), (True, False))):
        found = repeated_times(first, side("again", times).observations, "", runs)
        assert (found.p50_within, found.p95_within, found.runs) == (*within, runs)
    apart = repeated_times(first, first, "another processor", runs)
    assert (apart.p50_within, apart.p95_within) == (None, None)


def test_a_file_whose_figures_do_not_follow_is_refused(sides: list[Side]) -> None:
    data = host_spread(sides).pretty()
    assert HostSpread.parse(data, "x").pretty() == data
    with pytest.raises(BadInput, match="least_ns and greatest_ns are not those of each_ns"):
        HostSpread.parse(data.replace(b'"greatest_ns": 60', b'"greatest_ns": 90'), "x")


def test_the_verb_reads_signed_results(bench, made: Path, tmp_path: Path) -> None:
    words = ("--trust", made.parent / "keys/trust.json", "--to", tmp_path / "spread.json")
    said = bench("spread", *[made] * 5, *words)
    assert (said.status, said.err.partition(";")[0]) == (64, "bench: 1 different run of 5 given")
    assert not (tmp_path / "spread.json").exists()

"""Whether 95 % intervals hold the truth in 95 % of partitions, and what the query bootstrap would have claimed (D27).

The whole table: `PYTHONPATH=. python -m tests.calibration.test_coverage`.
"""

from __future__ import annotations

import pytest

from runner.retrieval.topics import Topic
from runner.shell import ROOT
from tests.calibration.simulations import Shape, coverage, even, table, told_apart

CORRELATIONS = (0.0, 0.2, 0.5, 0.8)
SIXES = even(60, 6)
QUERIES = ROOT / "manifests/benchmarks/search-v1/development/queries.jsonl"


def development() -> Shape:
    """The answerable queries of the bundled partition, with their families and slices."""
    topics = [topic for topic in Topic.parse_lines(QUERIES.read_bytes(), str(QUERIES)) if topic.slice.answerable]
    return Shape(tuple(topic.family for topic in topics), tuple(topic.slice for topic in topics))


def test_families_of_six_are_covered_and_queries_alone_would_not_be():
    """500 partitions: a share of 95 % has a standard error of 1 %."""
    assert 0.92 <= coverage(SIXES, 0.5, runs=500).share <= 0.98
    assert coverage(SIXES, 0.5, runs=500, query=True).share < 0.75


def test_the_bundled_partition_is_covered():
    assert 0.92 <= coverage(development(), 0.5, runs=500).share <= 0.98


def test_a_detectable_difference_is_told_apart_in_four_of_five_partitions():
    found = told_apart(SIXES, 0.5, runs=500)
    assert found.without < 0.09
    assert 0.74 <= found.detectable <= 0.86


@pytest.mark.slow
@pytest.mark.parametrize("correlation", CORRELATIONS)
@pytest.mark.parametrize("shape", [SIXES, development()], ids=["60 families of 6", "development"])
def test_the_family_bootstrap_covers_93_to_97_per_cent(shape, correlation):
    """4,000 partitions: a standard error of 0.35 %."""
    assert 0.93 <= coverage(shape, correlation, runs=4000).share <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("correlation", CORRELATIONS[1:])
def test_the_query_bootstrap_does_not_where_families_hang_together(correlation):
    assert coverage(SIXES, correlation, runs=4000, query=True).share < 0.87


@pytest.mark.slow
@pytest.mark.parametrize("shape", [SIXES, development()], ids=["60 families of 6", "development"])
def test_differences_are_told_apart_as_promised(shape):
    found = told_apart(shape, 0.5, runs=4000)
    assert found.without <= 0.07
    assert 0.76 <= found.detectable <= 0.84


if __name__ == "__main__":
    print(table({"60 families of 6": SIXES, "development": development()}, CORRELATIONS, runs=4000))

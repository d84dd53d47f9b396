"""The throughput of a build, read off a suite's log by hand."""

from __future__ import annotations

import pytest

from runner.terminal.suite_log import Case, Made, Ran
from runner.workflows.pipeline import pipeline_of
from tests.retrieval.small_benchmark import NONE, build_corpus

CORPUS = build_corpus()


def built(status=0, corpus=CORPUS.digest, name="build a"):
    """42 items in two seconds, then a publication."""
    return [
        Case(1_000_000_000, name),
        Ran(3_000_000_000, "build suites/a", status, None, None, "", ""),
        Made(3_100_000_000, "a", corpus, b"{}", {}),
        Case(4_000_000_000, "publish"),
        Ran(9_000_000_000, "publish suites/a", 0, None, None, "", ""),
    ]


def test_documents_a_second_by_hand():
    found = pipeline_of(built(), CORPUS)
    assert (found.documents, found.build_ns, found.per_second) == (42, 2_000_000_000, 21.0)


@pytest.mark.parametrize("log", [[], built(status=65), built(corpus=NONE), built(name="build b"), built()[:2]])
def test_what_is_no_whole_build_of_this_corpus_has_none(log):
    assert pipeline_of(log, CORPUS) is None

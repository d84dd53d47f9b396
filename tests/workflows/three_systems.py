"""Cards of three systems on the small benchmark, made from how well each does on which slice."""

from __future__ import annotations

from collections.abc import Mapping

from runner.documents import Source
from runner.provenance.card import Scorecard
from runner.retrieval.gates import Suite, Verdict
from runner.retrieval.partitions import Partition
from runner.retrieval.runs import Observation
from runner.retrieval.suites import RuleRow, gates_report
from runner.workflows.score import RunFacts, score
from tests.retrieval.small_benchmark import NONE, build_corpus, build_partition, seen, versions

CORPUS = build_corpus()
PARTITION = build_partition(CORPUS)
HIDDEN = build_partition(CORPUS, kind="hidden")
#: nDCG@10 of a list whose only useful item (3) stands second, behind one of 0; the ideal has x01 (1) second.
SECOND = (7 / 1.584962500721156) / (7 + 1 / 1.584962500721156)
#: One rule a suite, which holds.
RULES = tuple(RuleRow(suite=suite, rule=suite, sentence="It holds.", verdict=Verdict.PASS, found="") for suite in Suite)

Lists = Mapping[str, tuple[str, ...]]


def run(system: str, partition: Partition = PARTITION, /, **lists: tuple[str, ...]) -> list[Observation]:
    """Every query answered perfectly in two blocks, but those in `lists` (by query id with `_` for `-`)."""
    found = []
    for block in (1, 2):
        for topic in partition.topics:
            best = (topic.query_id.replace("q-", "a-", 1), "x01") if topic.slice.answerable else ()
            shown = lists.get(topic.query_id.replace("-", "_"), best)
            found.append(seen(topic.query_id, *shown, system=system, block=block))
    return found


def card(*runs: list[Observation], partition: Partition = PARTITION, run_id: str = "r1", **facts: object) -> Scorecard:
    """The card of those runs, every suite passed."""
    names = [one[0].system for one in runs]
    reports = tuple(gates_report(name, RULES, ()) for name in names)
    return score(
        [request for one in runs for request in one],
        partition,
        CORPUS,
        RunFacts(
            run_id=run_id,
            certificate=NONE,
            versions=tuple(versions(partition, CORPUS, name, **facts) for name in names),
            suites=tuple(result for report in reports for result in report.suites),
            gates=reports,
        ),
    )


def source(found: Scorecard, where: str = "scorecard.json") -> Source:
    """The card as its file."""
    return Source(where, found.pretty())

"""Pages made from invented runs: a small one that can be worked by hand, and one as long as an official run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import lxml.html

from runner.provenance.card import Floor, Scorecard
from runner.provenance.manifest import SystemManifest
from runner.retrieval.corpora import Corpus
from runner.retrieval.gates import Suite, SuiteResult, Verdict
from runner.retrieval.instrument import BadFrame, InjectedTimeout, Instrument, TamperedRecord, drift, slow_canary
from runner.retrieval.partitions import Partition
from runner.retrieval.runs import EngineRequest, Observation, Outcome
from runner.retrieval.scorecard import Pipeline, Resources
from runner.retrieval.suites import EndingRow, RuleRow, gates_report
from runner.workflows.report.moments import Moment
from runner.workflows.report.page import card_page
from runner.workflows.report.traces import Ground, Trace
from runner.workflows.score import RunFacts, score
from tests.retrieval.small_benchmark import (
    MS,
    NONE,
    build_corpus,
    build_partition,
    default_items,
    default_rows,
    failed,
    perfect_run,
    seen,
    versions,
)

SYSTEMS = ("bm25", "dense", "hybrid")
#: Text that would be markup, would turn a line's direction, or would steer a terminal.
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>"
TURNED, STEERING = "safe \u202egnp.exe\u202c", "\u001b[2J\u0007\u0000"

#: The modes of a terminal that the bundled suite looks at; their names make a wide table.
MODES = (
    "line-discipline", "alternate-screen", "earlier-screen", "cursor", "colours", "bracketed-paste", "mouse",
    "focus-reports", "keyboard-protocol", "line-wrap", "synchronized-output", "plain-text",
)  # fmt: skip


class Made(NamedTuple):
    """A page with all that it was made of."""

    html: bytes
    card: Scorecard
    ground: Ground
    traces: Sequence[Trace]

    @property
    def tree(self) -> Any:
        """The page as a parser reads it."""
        return lxml.html.document_fromstring(self.html.decode())


def page(partition: Partition, corpus: Corpus, runs: Mapping[str, Sequence[Observation]], **facts: Any) -> Made:
    """The page of several systems' runs."""
    asked = {topic.query_id: number for number, topic in enumerate(partition.topics)}
    known = RunFacts(
        **{
            "run_id": "20261201T000000Z-test",
            "certificate": NONE,
            "versions": tuple(versions(partition, corpus, name, system_version=f"1-{name}") for name in runs),
            "engine": tuple(
                EngineRequest(system=one.system, query_id=one.query_id, outcome=one.outcome, latency_ns=MS // 4)
                for run in runs.values()
                for one in run
            ),
            "floors": tuple(
                Floor(name=f"{name}: terminal echo", n=9, p50_ns=20_000, p95_ns=90_000, max_ns=800_000) for name in runs
            ),
            **facts,
        }
    )
    card = score([one for run in runs.values() for one in run], partition, corpus, known)
    traces = [
        Trace(
            system=name,
            observations=tuple(run),
            engine_ns=tuple(one.latency_ns for one in known.engine if one.system == name),
            moments={
                query_id: Moment(f"casts/{name}/block-001.cast", 1, number * MS, number * MS + 5 * MS)
                for query_id, number in asked.items()
            },
        )
        for name, run in runs.items()
    ]
    ground = Ground(partition, corpus, tuple(manifest(name, number) for number, name in enumerate(runs)))
    return Made(card_page(card, ground, traces), card, ground, traces)


def manifest(name: str, number: int) -> SystemManifest:
    """A system whose configuration tells it from others."""
    settings: dict[str, Any] = {
        "routes": ["lexical", "dense"][: number + 1],
        "weights": {"title": number / 2, "b": 0.75},
    }
    title = f"Title of {name} {MARKUP}"
    return SystemManifest(name=name, title=title, folder="images/x", files=NONE, configuration=settings)


def small_page() -> Made:
    """Three systems on the small benchmark, whose titles and prompts are hostile.

    bm25 is perfect. dense misses q-topic-1, draws q-entity-2's target second, and answers q-no_match-1. Every tenth
    request of hybrid fails.
    """
    items = default_items()
    items[0]["title"], items[1]["title"], items[12]["title"] = MARKUP, TURNED, f"x {STEERING}"
    corpus = build_corpus(items)
    rows = default_rows(corpus.digest)
    rows["queries.jsonl"][0]["text"], rows["queries.jsonl"][1]["text"] = MARKUP, TURNED
    partition = build_partition(corpus, rows)
    other = {"q-topic-1": ("x02",), "q-entity-2": ("x02", "a-entity-2", "x01"), "q-no_match-1": ("x02", "x01")}
    runs = {
        "bm25": perfect_run(partition),
        "dense": [
            seen(one.query_id, *other.get(one.query_id, one.drawn), system="dense", block=one.block)
            for one in perfect_run(partition)
        ],
        "hybrid": [
            failed(one.query_id, Outcome.TIMEOUT, system="hybrid") if number % 10 == 0 else one
            for number, one in enumerate(perfect_run(partition, system="hybrid"))
        ],
    }
    return page(
        partition,
        corpus,
        runs,
        suites=suites("bm25"),
        gates=(report("bm25"),),
        resources={"bm25": Resources(**dict.fromkeys(Resources.model_fields, 7_000_000))},
        instrument=(instrument("bm25"),),
        pipelines={"bm25": Pipeline(documents=900, build_ns=1_500_000_000)},
    )


def hidden_page() -> Made:
    """One system on a hidden partition."""
    corpus = build_corpus()
    partition = build_partition(corpus, kind="hidden")
    return page(partition, corpus, {"bm25": perfect_run(partition)})


def long_page(partition: Partition, corpus: Corpus) -> Made:
    """Three systems that show ten items for every query, nine times over: as long as an official run."""
    items = sorted(corpus.items)
    runs = {
        name: [
            seen(
                topic.query_id,
                *(items[(7 * number + 13 * place + start) % len(items)] for place in range(10)),
                system=name,
                block=block,
                latency_ns=(number + 1) * MS // 10,
            )
            for block in range(1, 10)
            for number, topic in enumerate(partition.topics)
        ]
        for start, name in enumerate(SYSTEMS)
    }
    return page(partition, corpus, runs)


def suites(system: str) -> tuple[SuiteResult, ...]:
    """All three passed."""
    return tuple(SuiteResult(system=system, suite=suite, verdict=Verdict.PASS) for suite in Suite)


def instrument(system: str) -> Instrument:
    """All four noticed, the first block a millisecond faster at the end."""
    found = {"limit_ns": 400 * MS, "delay_ns": 600 * MS, "charged_ns": 400 * MS}
    return Instrument(
        system=system,
        slow=slow_canary(100 * MS, [101 * MS, 103 * MS, 180 * MS]),
        timeout=InjectedTimeout(**found, result="timeout", outcome=Outcome.TIMEOUT),
        frame=BadFrame(returned=("a", "b"), drawn=("b", "a"), found="drawn b a where a b was returned", right=3),
        record=TamperedRecord(file="block-001.jsonl", line=7, of=90, found="raw/x/block-001.jsonl: line 7: wrong"),
        drift=drift({"q1": 5 * MS, "q2": 6 * MS}, {"q1": 4 * MS, "q2": 5 * MS}),
    )


def report(system: str) -> Any:
    """One rule a suite, and one ending that left a mode as it was not."""
    rules = tuple(
        RuleRow(suite=suite, rule=f"rule-{suite.name.lower()}", sentence="It holds.", verdict=Verdict.PASS, found="")
        for suite in Suite
    )
    modes = dict.fromkeys(MODES, Verdict.PASS) | {"cursor": Verdict.FAIL}
    return gates_report(
        system, rules, (EndingRow(ending="SIGHUP", moment="idle", expected=129, status=1, modes=modes),)
    )


def cells(tree: Any, caption: str) -> dict[str, dict[str, str]]:
    """The table whose caption starts so: by row and column header, the text of each cell."""
    (table,) = [one for one in tree.xpath("//table") if text(one.find("caption")).startswith(caption)]
    columns = [text(one) for one in table.xpath("./thead/tr/th")]
    rows = {}
    for row in table.xpath("./tbody/tr"):
        found = [text(cell) for cell in row]
        rows[found[0]] = dict(zip(columns[1:], found[1:], strict=True))
    return rows


def text(node: Any) -> str:
    """What a reader sees of an element, blanks as one."""
    return " ".join("".join(node.itertext()).split())

"""Runs scored again under another judgement set, held against `measure`; and every way in which none is."""

from __future__ import annotations

import json
from math import fsum

import pytest

from runner.adapters.formats import read_bytes
from runner.adapters.progress import SilentProgress
from runner.documents import Source, digest
from runner.errors import BadInput, CannotDecide, Findings
from runner.retrieval.measures.names import Measure
from runner.retrieval.partitions import PartitionFiles, parse_partition
from runner.shell import ROOT
from runner.workflows.measure import measure
from runner.workflows.rejudge import Again, Ground, rescore_under
from runner.workflows.release import Draft, Intent, release
from tests.retrieval.small_benchmark import lines
from tests.workflows.kept import Folder, Kept

DEVELOPMENT = ROOT / "manifests/benchmarks/search-v1/development"
NOW = "2026-12-01T12:00:00Z"


def bundled() -> dict[str, bytes]:
    return {path.name: read_bytes(path) for path in DEVELOPMENT.iterdir() if path.is_file()}


def parsed(files: dict[str, bytes]) -> PartitionFiles:
    return parse_partition({name: Source(name, data) for name, data in files.items()})


def rescored(kept: Kept, files: dict[str, bytes], *folders: Folder) -> tuple[Again, ...]:
    ground = Ground(kept.load, parsed(files))
    return rescore_under(folders or [Folder(kept.files)], ground, NOW, SilentProgress())


@pytest.fixture(scope="module")
def stricter(kept: Kept) -> dict[str, bytes]:
    """A set made anew, by someone who gives no 3: every other final grade is the bundled one, rounded down."""
    acts = [
        {
            "query_id": query_id,
            "doc_id": doc_id,
            "annotator": "machine:stricter",
            "role": "first",
            "grade": min(2, int(qrel.grade)),
            "safety": qrel.safety,
            "at": NOW,
        }
        for query_id, pairs in kept.whole.inputs.partition.qrels.items()
        for doc_id, qrel in pairs.items()
    ]
    files = bundled() | {"judgements.jsonl": b""}
    targets = Source("exact_targets.jsonl", files["exact_targets.jsonl"])
    draft = Draft(files, Source("judgements.jsonl", lines(acts)), targets)
    return dict(release(draft, kept.whole.inputs.corpus, Intent("stricter", NOW, None)).files)


def test_under_its_own_set_a_run_scores_as_before_and_says_that_it_was_rescored(kept):
    (found,) = rescored(kept, bundled())
    assert found.card.systems == kept.whole.card.systems
    assert found.card.reasons[0].startswith("rescored under judgement set sha256:")
    assert found.card.reasons[1:] == kept.whole.card.reasons


def test_under_another_set_the_figures_are_those_of_measure(kept, stricter):
    (found,) = rescored(kept, stricter)
    serving = kept.whole.inputs.corpus.serving
    grades = [json.loads(line) for line in stricter["qrels.jsonl"].splitlines()]
    plain = [{k: row[k] for k in ("query_id", "doc_id", "grade")} for row in grades if row["doc_id"] in serving]
    seen = [json.loads(line) for line in kept.files["observations.jsonl"].splitlines()]
    run = [{"query_id": row["query_id"], "doc_ids": row["drawn"]} for row in seen]
    figures_of = measure(Source("j", lines(plain)), Source("r", lines(run))).per_query()
    by_slice: dict[str, list[float]] = {}
    for topic in kept.whole.inputs.partition.topics:
        if topic.slice.answerable:
            by_slice.setdefault(topic.slice, []).append(figures_of[topic.query_id].figures[Measure.NDCG])
    wanted = fsum(fsum(values) / len(values) for values in by_slice.values()) / len(by_slice)
    (row,) = found.note.systems
    assert row.q == pytest.approx(wanted, abs=1e-6)
    assert row.q != row.q_before


def test_the_note_names_run_card_and_both_sets(kept, stricter):
    (found,) = rescored(kept, stricter)
    kept_set = json.loads(stricter["judgement_set.json"])
    assert found.note.run_id == kept.whole.card.run_id
    assert found.note.judgement_set == kept_set["judgements"]
    assert found.note.judgement_set_before == kept.whole.lock.judgement_set
    assert {name.partition("/")[2] for name in found.files} >= {"rescored.json", "scorecard.json", "scorecard.md"}
    assert found.card.versions[0].judgement_set == kept_set["judgements"]


def test_one_run_that_does_not_hold_leaves_all_unscored(kept, stricter):
    broken = Folder({**kept.files, "raw/bm25/block-001.jsonl": kept.files["raw/bm25/block-001.jsonl"][:-40]})
    with pytest.raises((Findings, CannotDecide)):
        rescored(kept, stricter, Folder(kept.files), broken)


def test_a_run_is_named_once(kept, stricter):
    with pytest.raises(BadInput, match="a run is named twice"):
        rescored(kept, stricter, Folder(kept.files), Folder(kept.files))


def repinned(files: dict[str, bytes], name: str, data: bytes) -> dict[str, bytes]:
    """The partition with another file, its card pinned to it."""
    card = json.loads(files["partition.json"])
    card["files"][name] = digest(data)
    return {**files, name: data, "partition.json": json.dumps(card).encode()}


def test_other_queries_are_another_partition(kept):
    files = bundled()
    asked = kept.whole.inputs.partition.topics[0].text
    changed = files["queries.jsonl"].replace(json.dumps(asked).encode(), b'"another text"', 1)
    assert changed != files["queries.jsonl"]
    with pytest.raises(BadInput, match=r"queries\.jsonl: .* is not as it was when it was asked"):
        rescored(kept, repinned(files, "queries.jsonl", changed))


def test_what_is_only_said_about_a_query_may_change(kept):
    files = bundled()
    rows = [json.loads(line) for line in files["queries.jsonl"].splitlines()]
    rows[0]["provenance"] = "looked at again"
    (found,) = rescored(kept, repinned(files, "queries.jsonl", lines(rows)))
    assert found.card.systems == kept.whole.card.systems

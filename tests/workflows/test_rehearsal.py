"""A hidden half of full size, out of invented words, from its scaffold through the judging chain to admission."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.cli import app
from runner.documents import digest
from runner.errors import BadInput, Findings
from runner.retrieval.partition_check import admit
from runner.retrieval.partitions import parse_partition
from runner.shell import tools
from tests.retrieval.small_benchmark import lines
from tests.workflows.rehearsal import (
    DEVELOPMENT,
    HIDDEN,
    NAME,
    Corpus,
    Half,
    Words,
    judged,
    run_lines,
    write_corpus,
    write_half,
)

#: Verbs by what they take of a benchmark in place of the bundled one.
CORPUS = ["--corpus", "corpus"]
AUDIT = [*CORPUS, "--audit", "corpus/audit.jsonl"]
QUERIES = [*CORPUS, "--queries", "hidden/queries.jsonl"]
GIVEN = {
    "check": AUDIT,
    "new": AUDIT,
    "pool": QUERIES,
    "sheets": QUERIES,
    "collect": [],
    "merge": [*QUERIES, "--targets", "hidden/exact_targets.jsonl"],
    "release": AUDIT,
}


def run(words: str) -> None:
    """A verb on the rehearsal's files."""
    app([*words.split(), *GIVEN[words.split()[1]]], standalone_mode=False)


def write_partition(folder: Path, half: Half, corpus: Corpus, called: str) -> None:
    """A whole development half."""
    files = {name: lines(rows) for name, rows in {**half.rows, "judgements.jsonl": judged(half, corpus)}.items()}
    card = {"name": called, "version": "1", "kind": "development", "corpus": corpus.digest, "counts": {}}
    card |= {"provisional": [], "files": {name: digest(data) for name, data in files.items()}}
    folder.mkdir()
    for name, data in {**files, "partition.json": json.dumps(card).encode()}.items():
        (folder / name).write_bytes(data)


def fill(sheet: Path, grade: Callable[[dict[str, Any]], int]) -> None:
    """An annotator's answers, in the sheet itself."""
    rows = [json.loads(line) for line in (sheet / "sheet.jsonl").read_text().splitlines()]
    sheet.with_suffix(".jsonl").write_bytes(lines([row | {"grade": grade(row), "safety": "safe"} for row in rows]))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with corpus, development half and the released hidden half, made by the commands of the project."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("rehearsal")
        patch.chdir(folder)
        rehearse()
        yield folder


def rehearse() -> None:
    """From an invented corpus to a released hidden half."""
    words = Words(NAME)
    corpus = write_corpus(Path("corpus"), words)
    known = {row["doc_id"]: row for row in corpus.items}
    development = write_half("d", DEVELOPMENT, corpus, corpus.one_a_group()[:90], words)
    write_partition(Path("development"), development, corpus, f"{NAME}-development")
    run(f"partition new hidden --name {NAME} --beside development")
    free = [json.loads(line) for line in Path("hidden/groups.free.jsonl").read_text().splitlines()]
    half = write_half("h", HIDDEN, corpus, [known[group["serving"][0]] for group in free], words)
    for name, rows in half.rows.items():
        Path("hidden", name).write_bytes(lines(rows))
    Path("run.jsonl").write_bytes(run_lines(half, corpus))
    judge(half)
    card = Path("released/partition.json")
    card.write_text(json.dumps(json.loads(card.read_text()) | {"version": "1", "provisional": []}))


def judge(half: Half) -> None:
    """Two annotators, one of whom finds much useful that is not, and a third where they differ."""

    def fits(row: dict[str, Any]) -> bool:
        return half.answers.get(row["query"]) == row["title"]

    run("judge pool run.jsonl --to pool")
    run("judge sheets pool/pool.jsonl --first machine:ana --second machine:ben --to sheets")
    fill(Path("sheets/first-machine-ana"), lambda row: 3 if fits(row) else 0)
    fill(Path("sheets/second-machine-ben"), lambda row: 2 if fits(row) or row["number"] % 50 == 0 else 0)
    for name in ("first-machine-ana", "second-machine-ben"):
        run(f"judge collect sheets/{name} pool/pool.jsonl --from sheets/{name}.jsonl --to {name}.jsonl")
    run("judge merge first-machine-ana.jsonl second-machine-ben.jsonl --to merged")
    run("judge sheets merged/disputed.jsonl --third machine:cleo --to third")
    fill(Path("third/third-machine-cleo"), lambda row: 3 if fits(row) else 0)
    sheet = "third/third-machine-cleo"
    run(f"judge collect {sheet} merged/disputed.jsonl --from {sheet}.jsonl --to cleo.jsonl")
    run("judge merge first-machine-ana.jsonl second-machine-ben.jsonl cleo.jsonl --to decided")
    run("judge release decided --partition hidden --reason rehearsal --to released")


def test_the_half_is_clean_beside_the_other_and_the_certificate_says_so(place: Path) -> None:
    started = time.monotonic()
    run("partition check development released --certificate certificate.json")
    took = time.monotonic() - started
    found = json.loads(Path("certificate.json").read_text())
    checks = {(line["check"], *line["partitions"]): line for line in found["checks"]}
    names = (f"{NAME}-development", NAME)
    assert found["outcome"] == "PASS"
    assert [half["name"] for half in found["partitions"]] == list(names)
    assert checks["sizes", NAME]["figures"] == {
        **dict.fromkeys(("entity", "quote", "topic", "concept", "visual", "noisy"), 30),
        "no_match": 60,
        "safety answerable": 30,
        "safety no-match": 10,
        "multi-cue": 30,
    }
    assert checks["prompts apart", *names]["figures"]["pairs"] == 120 * 240
    # 401 groups of two or three: 90 answer the one half, 180 the other.
    assert checks["groups apart", *names]["figures"] == {"groups": 401, "used": 270, "free": 131}
    assert (found["corpus"]["groups_free"], found["corpus"]["serving"]) == (131, 900)
    assert took < 10


def test_the_half_is_admitted_and_its_judgements_came_by_every_rule(place: Path) -> None:
    corpus = tools().corpus(Path("corpus"), Path("corpus/audit.jsonl"))
    partition = admit(parse_partition(tools().partition_sources(Path("released"))), corpus)
    assert (len(partition.topics), partition.card.kind, partition.card.name) == (240, "hidden", NAME)
    assert partition.card.counts["queries"] == 240
    rules = {qrel.rule for pairs in partition.qrels.values() for qrel in pairs.values()}
    assert rules == {"mean", "third"}


def test_an_empty_half_is_not_admitted(place: Path) -> None:
    corpus = tools().corpus(Path("corpus"), Path("corpus/audit.jsonl"))
    run(f"partition new empty --name {NAME} --beside development")
    with pytest.raises(BadInput, match="no query of group 'entity'"):
        admit(parse_partition(tools().partition_sources(Path("empty"))), corpus)


def test_an_existing_folder_is_left_as_it_is(place: Path) -> None:
    before = {path.name: path.read_bytes() for path in Path("hidden").iterdir()}
    with pytest.raises(BadInput, match=r"^hidden: exists already"):
        run(f"partition new hidden --name {NAME} --beside development")
    assert {path.name: path.read_bytes() for path in Path("hidden").iterdir()} == before


def test_a_half_that_takes_a_group_of_the_other_is_found(place: Path) -> None:
    """One more act: an answer of the development half is useful for a hidden query."""
    for name in ("development", "released"):
        shutil.copytree(name, f"leaking-{name}", dirs_exist_ok=True)
    query = json.loads(Path("released/queries.jsonl").read_text().splitlines()[70])
    target = json.loads(Path("development/exact_targets.jsonl").read_text().splitlines()[4])
    with Path("leaking-released/exact_targets.jsonl").open("a") as file:
        file.write(
            json.dumps({"query_id": query["query_id"], "groups": target["groups"], "adjudicated_by": "machine:leak"})
            + "\n"
        )
    with pytest.raises(Findings):
        run("partition check leaking-development leaking-released --certificate leaking.json")
    found = {line["check"]: line["findings"] for line in json.loads(Path("leaking.json").read_text())["checks"]}
    (leak,) = found["groups apart"]
    assert (leak["file"], leak["line"]) == (f"{NAME}/queries.jsonl", 71)
    assert leak["ids"][:2] == [target["query_id"], query["query_id"]]

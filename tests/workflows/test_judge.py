"""The judging chain from end to end: the commands of its page, releases that follow each other, runs scored again."""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.adapters.folders import write_folder
from runner.documents import Source, digest, to_lines
from runner.errors import BadInput
from runner.retrieval.acts import read_acts
from runner.retrieval.judgements import Qrel
from runner.retrieval.partition_check import admit, look
from runner.retrieval.partitions import parse_partition
from runner.retrieval.questions import Questions
from runner.workflows.merge import Acts, merge_acts, merge_files
from runner.workflows.release import Draft, Intent, Released, release
from tests.conftest import Said
from tests.retrieval.small_benchmark import (
    act,
    build_corpus,
    corpus_sources,
    default_items,
    default_rows,
    lines,
    partition_sources,
    perfect_run,
)

ROOT = Path(__file__).resolve().parents[2]
CORPUS = build_corpus()
INTENT = Intent("a second look", "2026-12-01T12:00:00Z", None)


def scaffold(judgements: list[dict] | None = None) -> dict[str, bytes]:
    """A partition folder; with no judgements unless some are given."""
    rows = {**default_rows(CORPUS.digest), "judgements.jsonl": judgements or []}
    counts = {"judgements": len(judgements or []), "queries": 14, "template_groups": 0, "of my own": 5}
    return {name: source.data for name, source in partition_sources(CORPUS, rows, counts=counts).items()}


def all_acts(role: str) -> list[dict]:
    return [row for row in default_rows(CORPUS.digest)["judgements.jsonl"] if row["role"] == role]


def draft(partition: dict[str, bytes], *acts: dict) -> Draft:
    """The partition's acts with `acts` after them."""
    judgements = Source("merged/judgements.jsonl", partition["judgements.jsonl"] + lines(acts))
    return Draft(partition, judgements, Source("exact_targets.jsonl", partition["exact_targets.jsonl"]))


def released(partition: dict[str, bytes], *acts: dict) -> Released:
    return release(draft(partition, *acts), CORPUS, INTENT)


def test_a_first_set_has_no_parent_and_changes_every_pair():
    found = released(scaffold(), *all_acts("first"))
    kept = found.judgement_set
    assert kept.parent is None
    assert kept.judgements == digest(found.files["judgements.jsonl"])
    assert kept.qrels == digest(found.files["qrels.jsonl"])
    assert (kept.acts, kept.pairs, len(kept.changes)) == (432, 432, 432)
    assert kept.rules == {"single": 432, "mean": 0, "third": 0}
    assert kept.changes[0].before is None


def test_the_partition_of_a_release_is_pinned_counted_and_fit_to_be_scored():
    found = released(scaffold(), *all_acts("first"))
    card = json.loads(found.files["partition.json"])
    assert card["files"] == {name: digest(data) for name, data in found.files.items() if name not in {"partition.json"}}
    assert card["counts"] == {"judgements": 432, "queries": 14, "template_groups": 12, "of my own": 5}
    admitted = admit(parse_partition({name: Source(name, data) for name, data in found.files.items()}), CORPUS)
    assert admitted.judgement_set == found.judgement_set.judgements


def test_a_set_that_follows_another_names_it_and_lists_what_changed():
    first = released(scaffold(), *all_acts("first"))
    second = released(dict(first.files), act("q-topic-1", "x05", 1, role="second"))
    kept = second.judgement_set
    assert kept.parent == first.judgement_set.judgements
    assert second.files["judgements.jsonl"].startswith(first.files["judgements.jsonl"])
    (change,) = kept.changes
    assert json.loads(change.canonical()) == {
        "query_id": "q-topic-1",
        "doc_id": "x05",
        "before": {"grade": 0.0, "safety": "safe", "rule": "single"},
        "after": {"grade": 0.5, "safety": "safe", "rule": "mean"},
    }


def test_a_release_changes_nothing_else_of_the_partition():
    before = scaffold() | {"CHANGES.md": b"# Changes\n"}
    after = released(before, *all_acts("first")).files
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {"judgements.jsonl", "qrels.jsonl", "judgement_set.json", "partition.json"}


def test_what_partition_check_has_to_say_goes_with_the_release():
    found = released(scaffold(), *all_acts("first"), act("q-topic-2", "a-visual-1", 3))
    assert any("q-topic-2 group-a-visual-1 is used, but not among" in str(one) for one in found.findings)


@pytest.mark.parametrize(
    ("acts", "why"),
    [
        ([], "merged/judgements.jsonl: holds nothing new."),
        ([act("q-topic-1", "x05", 2, role="second")], "merged/judgements.jsonl: q-topic-1 x05 waits for a third"),
        ([act("q-no_match-1", "a-topic-1", 3)], "queries.jsonl:13: q-no_match-1 a-topic-1 is useful for a no-match"),
        ([act("q-topic-9", "x05", 2)], "merged/judgements.jsonl:433: q-topic-9 is no query"),
        ([act("q-topic-1", "x05", 2)], "merged/judgements.jsonl:433: q-topic-1 x05 has a first act in"),
    ],
)
def test_what_cannot_be_a_set_is_not_released(acts, why):
    first = released(scaffold(), *all_acts("first"))
    with pytest.raises(BadInput) as refused:
        released(dict(first.files), *acts)
    assert str(refused.value).startswith(why)


def test_a_set_that_is_about_other_acts_is_a_finding_of_partition_check():
    files = dict(released(scaffold(), *all_acts("first")).files)
    parsed = parse_partition({name: Source(name, data) for name, data in files.items()})
    assert not [one for one in look(parsed, CORPUS) if one.check == "released set"]
    files["judgements.jsonl"] += lines([act("q-topic-1", "x05", 0, role="second")])
    parsed = parse_partition({name: Source(name, data) for name, data in files.items()})
    (found,) = (one for one in look(parsed, CORPUS) if one.check == "released set")
    assert str(found).startswith("judgement_set.json: judgements says sha256:")


def test_acts_are_kept_for_ever():
    partition = dict(released(scaffold(), *all_acts("first")).files)
    for judgements in (b"", partition["judgements.jsonl"].replace(b'"grade": 3', b'"grade": 2', 1)):
        rewritten = draft(partition)._replace(judgements=Source("merged/judgements.jsonl", judgements))
        with pytest.raises(BadInput, match="does not begin with the acts of the partition"):
            release(rewritten, CORPUS, INTENT)


def questions() -> Questions:
    topics = parse_partition(partition_sources(CORPUS)).topics
    return Questions({topic.query_id: topic for topic in topics}, CORPUS.items, CORPUS.digest, CORPUS.digest)


def test_merging_adds_and_never_rewrites(tmp_path):
    before = Source("judgements.jsonl", lines(all_acts("first"))[:-1])  # its last line lacks its end
    added = Source("second.jsonl", lines(all_acts("second")))
    found = merge_acts(Acts(before, [added]), questions(), None)
    write_folder(tmp_path / "merged", merge_files(found))
    data = (tmp_path / "merged/judgements.jsonl").read_bytes()
    assert data.startswith(before.data + b"\n")
    assert [one[:7] for one in read_acts(Source("x", data[len(before.data) + 1 :]))] == [
        one[:7] for one in read_acts(added)
    ]
    qrels = Qrel.parse_lines((tmp_path / "merged/qrels.jsonl").read_bytes(), "qrels.jsonl")
    assert len(qrels) == 432
    assert {qrel.rule for qrel in qrels} == {"mean"}
    assert (tmp_path / "merged/disputed.jsonl").read_bytes() == b""


def test_an_existing_folder_is_left_alone_and_a_failed_one_leaves_nothing(tmp_path):
    (tmp_path / "there").mkdir()
    with pytest.raises(BadInput, match="exists already"):
        write_folder(tmp_path / "there", {"a": [b"x"]})

    def breaks():
        yield b"x"
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_folder(tmp_path / "new", {"a": [b"x"], "b": breaks()})
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


class Bench:
    """A small benchmark in a folder, and the command line in it."""

    def __init__(self, folder: Path, verb: Callable[..., Said]) -> None:
        self.folder, self._verb = folder, verb
        card, items, audit = corpus_sources(default_items())
        files = {"corpus/corpus.json": card.data, "corpus/items.jsonl": items.data, "corpus/audit.jsonl": audit.data}
        files |= {f"judging/scaffold/{name}": data for name, data in scaffold().items()}
        partition = admit(parse_partition(partition_sources(CORPUS)), CORPUS)
        files["results/RUN/observations.jsonl"] = to_lines(perfect_run(partition))
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)

    def run(self, *words: str) -> Said:
        """A verb of the chain, on this benchmark in place of the bundled one."""
        given = {
            "--queries": "judging/scaffold/queries.jsonl",
            "--corpus": "corpus",
            "--audit": "corpus/audit.jsonl",
        }
        verbs = {
            "pool": ["--queries", "--corpus"],
            "sheets": ["--queries", "--corpus"],
            "merge": ["--queries", "--corpus"],
            "agreement": ["--queries", "--corpus", "--audit"],
            "coverage": ["--corpus", "--audit"],
            "release": ["--corpus", "--audit"],
        }
        more = [word for name in verbs.get(words[0], []) for word in (name, given[name])]
        return self._verb("judge", *words, *more)

    def answer(self, sheet: str, to: str, grade) -> None:
        """A sheet's CSV, filled in with `grade(row)`."""
        with (self.folder / sheet / "sheet.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        with (self.folder / to).open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows({**row, "grade": grade(row), "safety": "safe"} for row in rows)

    def strokes(self, sheet: str, grade) -> None:
        """The log of an annotator who gave `grade(row)`."""
        folder = self.folder / sheet
        strokes = []
        for row in map(json.loads, (folder / "sheet.jsonl").read_text().splitlines()):
            fixed = {"at": "2026-12-01T11:00:00Z", "pair": row["pair"]}
            strokes += [{**fixed, "kind": "grade", "grade": grade(row)}, {**fixed, "kind": "safety", "safety": "safe"}]
        (folder / "strokes.jsonl").write_bytes(lines(strokes))


def fits(row: dict) -> int:
    """3 for the answer of a query, else 1."""
    answer = "Title of a-" + row["query"].removeprefix("words for ").replace(" ", "-")
    return 3 if row["title"] == answer else 1


def fits_but_once(row: dict) -> int:
    """The same but for the second pair, two grades away."""
    return (fits(row) + 2 * (row["number"] == "2")) % 4


COMMANDS = re.findall(r"^\./bench run judge (.+)$", (ROOT / "docs/judging.md").read_text(), re.MULTILINE)


@pytest.fixture
def bench(bench, tmp_path, monkeypatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    return Bench(tmp_path, bench)


def test_the_commands_of_the_page_work_in_their_order(bench, tmp_path):
    said = {}
    for command in COMMANDS:
        words = shlex.split(command)
        if words[0] in {"annotate", "rescore"}:  # tried with a terminal, and with a real run, elsewhere
            continue
        done = bench.run(*words)
        assert (done.status, done.err) == (0, ""), command
        said[words[0]] = done.out
        if words[-1] == "judging/sheets":
            bench.strokes("judging/sheets/first-human-ana", fits)
            bench.answer("judging/sheets/second-human-ben", "ben.csv", lambda row: fits(row) - (row["number"] == "2"))
            bench.answer(
                "judging/sheets/second-human-ben", "ben.csv", lambda row: 3 if row["number"] == "2" else fits(row)
            )
        if words[-1] == "judging/third":
            bench.answer("judging/third/third-human-cleo", "cleo.csv", fits)
            done = bench.run(
                "collect",
                "judging/third/third-human-cleo",
                "judging/merged/disputed.jsonl",
                *("--from", "cleo.csv", "--to", "judging/cleo.jsonl"),
            )
            assert done.status == 0, done.err
    assert {"pool", "sheets", "collect", "merge", "agreement", "release", "coverage"} == said.keys()
    kept = json.loads((tmp_path / "judging/development/judgement_set.json").read_text())
    assert kept["annotators"].keys() == {"human:ana", "human:ben", "human:cleo"}
    assert "judged@10  all 100.0%" in said["coverage"]


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (["sheets", "results/RUN/observations.jsonl", "--to", "x"], 64, "nobody is named"),
        (["pool", "--to", "x"], 65, "no pair is left to be judged"),
        (["pool", "results/NONE", "--to", "x"], 65, "results/NONE: no such file"),
        (["pool", "results/RUN", "--system", "dense", "--to", "x"], 64, "--system dense: nothing shown is by it"),
        (["pool", "results/RUN", "results/RUN", "--to", "x"], 65, "a result or a run is named twice"),
        (["collect", "corpus", "p", "--to", "x"], 65, "corpus/sheet.json: no such file"),
        (["merge", "corpus/items.jsonl", "--to", "x"], 65, "corpus/items.jsonl:1: "),
        (
            ["release", "corpus", "--reason", "r", "--partition", "judging", "--to", "x"],
            65,
            "corpus/judgements.jsonl: no",
        ),
    ],
)
def test_what_cannot_be_done_ends_in_one_line_and_leaves_nothing(bench, words, status, why):
    done = bench.run(*words)
    assert done.status == status
    assert done.err.startswith("bench: ")
    assert done.err.count("\n") == 1
    assert why in done.err
    assert not (bench.folder / "x").exists()

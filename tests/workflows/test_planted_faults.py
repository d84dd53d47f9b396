"""Each kind of fault, planted in a copy of the bundled partition, is found with its file, line and ids."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from runner.cli import ROOT, tools
from runner.documents import digest
from runner.retrieval.corpora import Corpus
from runner.retrieval.items import CANONICAL_FIELDS
from runner.workflows.partition import PartitionReport, check
from tests.conftest import Said

BUNDLED = ROOT / "manifests/benchmarks/search-v1/development"
QUERIES, JUDGEMENTS = "queries.jsonl", "judgements.jsonl"
TARGETS, AUDITS, QRELS = "exact_targets.jsonl", "no_match_audits.jsonl", "qrels.jsonl"
NOWHERE = "sha256:" + "0" * 64
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return tools().corpus(ROOT / "images/corpus", ROOT / "manifests/safety_audit.jsonl")


class Copy:
    """The bundled partition without what is derived, to be changed, written out and checked."""

    def __init__(self, folder: Path, corpus: Corpus) -> None:
        self.folder = folder
        self.corpus = corpus
        self.rows = {name: read(name) for name in (QUERIES, JUDGEMENTS, TARGETS, AUDITS)}
        self.card = json.loads((BUNDLED / "partition.json").read_text()) | {"counts": {}}

    def first(self, file: str, **wanted: Any) -> tuple[int, dict[str, Any]]:
        """The first row of a file with these values, and its line."""
        return next(
            (line, row)
            for line, row in enumerate(self.rows[file], 1)
            if all(row[key] == value for key, value in wanted.items())
        )

    def query(self, name: str) -> tuple[int, dict[str, Any]]:
        """The first query of a slice, and its line."""
        return self.first(QUERIES, slice=name)

    def useful(self, query_id: str) -> list[str]:
        """What is graded 2 or better by everyone who graded it, and may be shown."""
        grades: dict[str, list[int]] = {}
        for row in self.rows[JUDGEMENTS]:
            if row["query_id"] == query_id:
                grades.setdefault(row["doc_id"], []).append(row["grade"])
        return [d for d, given in grades.items() if min(given) >= 2 and d in self.corpus.serving]

    def unjudged(self, query_id: str) -> list[str]:
        """Items without an act for a query."""
        judged = {row["doc_id"] for row in self.rows[JUDGEMENTS] if row["query_id"] == query_id}
        return sorted(self.corpus.items.keys() - judged)

    def judge(self, query_id: str, doc_id: str, grade: int) -> int:
        """One more act; its line."""
        act = {"query_id": query_id, "doc_id": doc_id, "grade": grade, "role": "first", "safety": "safe"}
        self.rows[JUDGEMENTS].append({**act, "annotator": "machine:planter", "at": "2026-12-01T00:00:00Z"})
        return len(self.rows[JUDGEMENTS])

    def drop(self, query_id: str) -> None:
        """Take out a query with its labels."""
        for rows in self.rows.values():
            rows[:] = [row for row in rows if row["query_id"] != query_id]

    def write(self) -> Path:
        """Write all files, pinned in the card."""
        self.folder.mkdir(exist_ok=True)
        data = {name: "".join(json.dumps(row) + "\n" for row in rows).encode() for name, rows in self.rows.items()}
        self.card["files"] = {name: digest(each) for name, each in data.items()}
        for name, each in {**data, "partition.json": json.dumps(self.card).encode()}.items():
            (self.folder / name).write_bytes(each)
        return self.folder

    def report(self) -> PartitionReport:
        """What `partition check` says of the folder as it is."""
        return check([tools().partition_sources(self.folder)], self.corpus)


def read(name: str) -> Rows:
    return [json.loads(line) for line in (BUNDLED / name).read_text().splitlines()]


class Expected(NamedTuple):
    """A finding without its reason; the file is named within its folder."""

    check: str
    file: str
    line: int | None
    ids: tuple[str, ...]


def seen(report: PartitionReport) -> list[Expected]:
    return [Expected(each.check, Path(each.file).name, each.line, each.ids) for each in report.findings]


@pytest.fixture
def copy(tmp_path: Path, corpus: Corpus) -> Copy:
    return Copy(tmp_path / "copy", corpus)


def test_the_bundled_partition_is_clean(corpus: Corpus) -> None:
    assert seen(check([tools().partition_sources(BUNDLED)], corpus)) == []


def test_the_copy_is_clean_before_anything_is_planted(copy: Copy) -> None:
    copy.write()
    assert seen(copy.report()) == []


def of_another_corpus(copy: Copy) -> Expected:
    copy.card["corpus"] = NOWHERE
    return Expected("corpus digest", "partition.json", None, ())


def audit_of_another_corpus(copy: Copy) -> Expected:
    row = copy.rows[AUDITS][4]
    row["corpus_digest"] = NOWHERE
    return Expected("corpus digest", AUDITS, 5, (row["query_id"],))


def query_twice(copy: Copy) -> Expected:
    copy.rows[TARGETS].append(copy.rows[TARGETS][0])
    return Expected("unique ids", TARGETS, len(copy.rows[TARGETS]), (copy.rows[TARGETS][0]["query_id"],))


def judged_item_that_is_not_there(copy: Copy) -> Expected:
    query_id = copy.query("topic")[1]["query_id"]
    return Expected("references", JUDGEMENTS, copy.judge(query_id, "m9999", 1), (query_id, "m9999"))


def judged_query_that_is_not_there(copy: Copy) -> Expected:
    return Expected("references", JUDGEMENTS, copy.judge("d-nobody-99", "m0001", 1), ("d-nobody-99",))


def target_that_is_not_there(copy: Copy) -> Expected:
    copy.rows[TARGETS][2]["groups"].append(["m9999"])
    return Expected("references", TARGETS, 3, (copy.rows[TARGETS][2]["query_id"], "m9999"))


def nearest_item_that_is_not_there(copy: Copy) -> Expected:
    copy.rows[AUDITS][1]["nearest"].append("m9999")
    return Expected("references", AUDITS, 2, (copy.rows[AUDITS][1]["query_id"], "m9999"))


def no_third(copy: Copy) -> Expected:
    _, query = copy.query("visual")
    doc_id = copy.unjudged(query["query_id"])[0]
    line = copy.judge(query["query_id"], doc_id, 0)
    copy.judge(query["query_id"], doc_id, 3)
    copy.rows[JUDGEMENTS][-1] |= {"role": "second", "annotator": "machine:other"}
    return Expected("decided", JUDGEMENTS, line, (query["query_id"], doc_id))


def nothing_useful(copy: Copy) -> Expected:
    line, query = copy.query("topic")
    for row in copy.rows[JUDGEMENTS]:
        if row["query_id"] == query["query_id"]:
            row["grade"] = min(row["grade"], 1)
    return Expected("answers", QUERIES, line, (query["query_id"],))


def no_target(copy: Copy) -> Expected:
    line, query = copy.query("quote")
    copy.rows[TARGETS] = [row for row in copy.rows[TARGETS] if row["query_id"] != query["query_id"]]
    return Expected("answers", QUERIES, line, (query["query_id"],))


def target_that_may_not_be_shown(copy: Copy) -> Expected:
    line, query = copy.query("entity")
    group = query["template_groups"][0]
    held_back = next(d for d in sorted(copy.corpus.items) if d not in copy.corpus.serving)
    _, target = copy.first(TARGETS, query_id=query["query_id"])
    target["groups"] = [[held_back]]
    query["template_groups"] = [group, copy.corpus.items[held_back].template_group]
    return Expected("answers", QUERIES, line, (query["query_id"],))


def no_audit(copy: Copy) -> Expected:
    line, query = copy.query("no_match")
    copy.rows[AUDITS] = [row for row in copy.rows[AUDITS] if row["query_id"] != query["query_id"]]
    return Expected("absences", QUERIES, line, (query["query_id"],))


def useful_after_all(copy: Copy) -> Expected:
    line, query = copy.query("no_match")
    doc_id = next(d for d in copy.unjudged(query["query_id"]) if d in copy.corpus.serving)
    query["template_groups"] = [copy.corpus.items[doc_id].template_group]
    copy.judge(query["query_id"], doc_id, 2)
    return Expected("absences", QUERIES, line, (query["query_id"], doc_id))


def field_not_checked(copy: Copy) -> Expected:
    row = copy.rows[AUDITS][2]
    row["fields_checked"] = [field for field in CANONICAL_FIELDS if field != "meaning"]
    return Expected("audited", AUDITS, 3, (row["query_id"],))


def audit_that_found_something(copy: Copy) -> Expected:
    copy.rows[AUDITS][0]["verdict"] = "a serving item is grade 2 or better"
    return Expected("audited", AUDITS, 1, (copy.rows[AUDITS][0]["query_id"],))


def a_slice_too_small(copy: Copy) -> Expected:
    copy.drop(copy.query("concept")[1]["query_id"])
    copy.card["provisional"].append("one is missing")
    return Expected("sizes", QUERIES, None, ())


def a_wrong_count(copy: Copy) -> Expected:
    copy.card["counts"] = {"queries": len(copy.rows[QUERIES]) + 1}
    return Expected("counts", "partition.json", None, ("counts.queries",))


def nearly_the_same_prompt(copy: Copy) -> Expected:
    _, one = copy.query("visual")
    line, other = copy.query("noisy")
    other["text"] = one["text"].replace(" ", "  ", 1) + "s!"
    first, second = sorted(((line, other["query_id"]), (copy.query("visual")[0], one["query_id"])))
    return Expected("near prompts", QUERIES, second[0], (first[1], second[1]))


def group_not_named(copy: Copy) -> Expected:
    line, query = copy.first(QUERIES, template_groups=["john-cena"])
    query["template_groups"] = []
    return Expected("named groups", QUERIES, line, (query["query_id"], "john-cena"))


def group_that_is_not_there(copy: Copy) -> Expected:
    line, query = copy.query("topic")
    query["template_groups"].append("no-such-meme")
    return Expected("named groups", QUERIES, line, (query["query_id"], "no-such-meme"))


def more_than_a_third(copy: Copy) -> Expected:
    _, query = copy.query("noisy")
    for item in copy.corpus.items.values():
        if item.template_group not in query["template_groups"] and item.doc_id in copy.unjudged(query["query_id"]):
            query["template_groups"].append(item.template_group)
            copy.judge(query["query_id"], item.doc_id, 2)
    return Expected("a third", QUERIES, None, ())


def concept_with_a_word_of_its_answer(copy: Copy) -> Expected:
    line, query = copy.query("concept")
    doc_id = copy.useful(query["query_id"])[0]
    for other in copy.useful(query["query_id"])[1:]:
        copy.rows[JUDGEMENTS] = [
            row for row in copy.rows[JUDGEMENTS] if (row["query_id"], row["doc_id"]) != (query["query_id"], other)
        ]
    longest = max(re.findall(r"[a-z]{5,}", copy.corpus.items[doc_id].meaning), key=len)
    query["text"] = f"qwzx {longest}"
    return Expected("concept overlap", QUERIES, line, (query["query_id"], doc_id))


def no_match_that_is_said(copy: Copy) -> Expected:
    line, query = copy.query("no_match")
    _, audit = copy.first(AUDITS, query_id=query["query_id"])
    doc_id = next(d for d in sorted(copy.corpus.serving) if d not in audit["nearest"])
    query["text"] = " ".join(copy.corpus.items[doc_id].visual.split()[:8])
    return Expected("canonical fields", QUERIES, line, (query["query_id"], doc_id))


PLANTED: tuple[Callable[[Copy], Expected], ...] = (
    of_another_corpus,
    audit_of_another_corpus,
    query_twice,
    judged_item_that_is_not_there,
    judged_query_that_is_not_there,
    target_that_is_not_there,
    nearest_item_that_is_not_there,
    no_third,
    nothing_useful,
    no_target,
    target_that_may_not_be_shown,
    no_audit,
    useful_after_all,
    field_not_checked,
    audit_that_found_something,
    a_slice_too_small,
    a_wrong_count,
    nearly_the_same_prompt,
    group_not_named,
    group_that_is_not_there,
    more_than_a_third,
    concept_with_a_word_of_its_answer,
    no_match_that_is_said,
)


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_the_one_finding(copy: Copy, plant: Callable[[Copy], Expected]) -> None:
    expected = plant(copy)
    copy.write()
    report = copy.report()
    assert seen(report) == [expected], [str(each) for each in report.findings]
    assert report.findings[0].reason


def test_a_changed_byte(copy: Copy) -> None:
    path = copy.write() / TARGETS
    path.write_bytes(path.read_bytes().replace(b"machine:", b"human:", 1))
    (found,) = copy.report().findings
    assert (found.check, found.file, found.line) == ("file digests", str(path), None)
    assert found.reason == f"expected {copy.card['files'][TARGETS]}, found {digest(path.read_bytes())}"


def test_a_derived_grade_that_does_not_follow(copy: Copy) -> None:
    copy.rows[QRELS] = read(QRELS)
    row = copy.rows[QRELS][10]
    row["grade"] = 3.0 - row["grade"] if row["grade"] != 1.5 else 3.0
    copy.write()
    assert seen(copy.report()) == [Expected("derived", QRELS, 11, (row["query_id"], row["doc_id"]))]


def test_no_query_with_a_safety_flag(copy: Copy) -> None:
    for row in copy.rows[QUERIES]:
        row["safety_flag"] = False
    copy.card["provisional"] = copy.card["provisional"] or ["planted"]
    copy.write()
    assert {each.check for each in seen(copy.report())} == {"denominators"}


def test_the_public_example_in_a_hidden_partition(copy: Copy) -> None:
    copy.card |= {"kind": "hidden", "provisional": ["planted"]}
    copy.write()
    line, query = copy.first(QUERIES, text="john cena")
    found = seen(copy.report())
    assert {each.check for each in found} == {"public example"}
    assert Expected("public example", QUERIES, line, (query["query_id"],)) in found


def test_the_same_partition_under_another_name_shares_everything(copy: Copy) -> None:
    copy.card["name"] = "another"
    copy.write()
    halves = [tools().partition_sources(folder) for folder in (BUNDLED, copy.folder)]
    found = seen(check(halves, copy.corpus))
    line, query = copy.first(QUERIES, text="john cena")
    (group,) = query["template_groups"]
    for name, key in (("ids", query["query_id"]), ("families", query["family"]), ("groups", group)):
        assert Expected(f"{name} apart", QUERIES, line, (query["query_id"], query["query_id"], key)) in found
    assert Expected("prompts apart", QUERIES, line, (query["query_id"], query["query_id"])) in found


def test_the_command_prints_each_finding_in_a_line_and_ends_with_1(
    copy: Copy, bench: Callable[..., Said], tmp_path: Path
) -> None:
    expected = group_not_named(copy)
    folder, certificate = copy.write(), tmp_path / "certificate.json"
    ended = bench("partition", "check", folder, "--certificate", certificate)
    said = f"{folder / QUERIES}:{expected.line}: {' '.join(expected.ids)} is used, but not among its template_groups"
    assert (ended.status, ended.err) == (1, f"bench: {folder}: 1 finding.\n")
    assert f"  named groups: {said}" in ended.out.splitlines()
    assert json.loads(certificate.read_bytes())["outcome"] == "FAIL"

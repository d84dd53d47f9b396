"""The report and the certificate of `partition check`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from runner.documents import digest
from runner.errors import BadInput, UsageError
from runner.retrieval.certificate import Certificate, Outcome
from runner.workflows.partition import check
from tests.retrieval.small_benchmark import NONE, build_corpus, default_items, item, partition_sources, unlike_rows

CORPUS = build_corpus([*default_items(), *(item(f"y{n:02}") for n in range(20))])


def sound():
    return partition_sources(CORPUS, unlike_rows(CORPUS.digest))


def lines(certificate: Certificate):
    return {line.check: line for line in certificate.checks}


def test_a_clean_report_says_what_was_tried():
    found = check([sound()], CORPUS)
    assert found.findings == ()
    assert found.certificate.outcome is Outcome.PASS
    assert {"file digests", "corpus digest", "sizes", "answers", "a third"} <= lines(found.certificate).keys()


def test_all_findings_are_listed_with_file_line_ids_and_reason():
    rows = unlike_rows(CORPUS.digest)
    rows["no_match_audits.jsonl"][0]["corpus_digest"] = NONE
    rows["queries.jsonl"][0]["template_groups"] = []
    found = json.loads(check([partition_sources(CORPUS, rows)], CORPUS).canonical())["findings"]
    assert [(each["check"], each["file"], each["line"], each["ids"]) for each in found] == [
        ("corpus digest", "no_match_audits.jsonl", 1, ["q-no_match-1"]),
        ("named groups", "queries.jsonl", 1, ["q-entity-1", "group-a-entity-1"]),
    ]
    assert all(each["reason"] for each in found)


def test_a_finding_reads_as_one_line():
    rows = unlike_rows(CORPUS.digest)
    rows["queries.jsonl"][0]["template_groups"] = []
    (found,) = check([partition_sources(CORPUS, rows)], CORPUS).findings
    assert str(found) == "queries.jsonl:1: q-entity-1 group-a-entity-1 is used, but not among its template_groups"

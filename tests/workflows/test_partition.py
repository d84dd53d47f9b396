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


class Model:
    """A text model to which texts that begin alike mean the same."""

    digest = NONE

    def vectors(self, texts):
        return [np.eye(256)[ord(text[0])] for text in texts]


def test_without_a_text_model_the_certificate_says_that_meanings_were_not_compared():
    found = check([sound()], CORPUS).certificate
    line = lines(found)["prompt meanings"]
    assert (line.outcome, line.reason, line.figures) == (Outcome.NOT_COMPUTED, "no text model is at hand", {})
    assert found.text_model is None


def test_with_a_text_model_prompts_are_held_against_each_other_by_meaning():
    report = check([sound()], CORPUS, Model())
    # lantern, jumping; seven; umbrella; quarry; velvet; mild; frozen; glass; parrot, plum; yawning; copper; night
    assert [(each.check, each.line, each.ids) for each in report.findings] == [
        ("prompt meanings", 12, ("q-visual-2", "q-noisy-2"))
    ]
    assert (report.certificate.text_model, report.certificate.outcome) == (NONE, Outcome.FAIL)


def test_one_half_alone_says_that_nothing_was_compared_with_the_other():
    found = lines(check([sound()], CORPUS).certificate)
    for name in ("ids apart", "families apart", "groups apart", "prompts apart"):
        assert (found[name].outcome, found[name].reason) == (
            Outcome.NOT_COMPUTED,
            "needs the other partition beside this one",
        )


def test_each_check_has_a_rule_and_a_figure():
    for line in check([sound()], CORPUS).certificate.checks:
        assert line.rule.endswith(".")
        assert line.figures or line.outcome is Outcome.NOT_COMPUTED


def test_the_certificate_names_what_was_checked():
    sources = sound()
    found = check([sources], CORPUS).certificate
    (partition,) = found.partitions
    assert partition.partition == digest(sources["partition.json"].data)
    assert partition.judgement_set == digest(sources["judgements.jsonl"].data)
    assert (found.corpus.corpus, found.corpus.items) == (CORPUS.digest, 62)
    assert (found.corpus.groups, found.corpus.groups_free) == (62, 50)
    assert (partition.counts["queries"], partition.counts["judgements"]) == (14, 14 * 30 * 2 + 12 * 2)


def test_the_certificate_is_the_same_wherever_the_files_lie():
    rows = unlike_rows(CORPUS.digest)
    rows["queries.jsonl"][0]["template_groups"] = []
    here = partition_sources(CORPUS, rows)
    there = {name: source._replace(where=f"/far/away/{name}") for name, source in here.items()}
    one, other = check([here], CORPUS), check([there], CORPUS)
    assert one.certificate.pretty() == other.certificate.pretty()
    assert other.findings[0].file == "/far/away/queries.jsonl"
    (finding,) = lines(other.certificate)["named groups"].findings
    assert finding.file == "small/queries.jsonl"


def test_a_certificate_that_passes_holds_no_word_of_query_or_item():
    rows = unlike_rows(CORPUS.digest)
    rows["queries.jsonl"][3]["text"] = "lantern at our harbour"
    report = check([partition_sources(CORPUS, rows)], CORPUS)
    assert report.certificate.outcome is Outcome.PASS
    assert [each.check for each in report.listed] == ["near prompts"]
    data = report.certificate.pretty()
    for word in (b"lantern", b"harbour", b"kettles", b"velvet", b"Title of", b"f-entity"):
        assert word not in data


def test_a_certificate_is_read_as_it_is_written():
    found = check([sound()], CORPUS).certificate
    assert Certificate.parse(found.pretty(), "certificate.json") == found


def test_three_partitions_are_one_too_many():
    with pytest.raises(UsageError, match="3 partitions"):
        check([sound()] * 3, CORPUS)


def test_a_partition_is_not_held_against_itself():
    with pytest.raises(BadInput, match="small is that of the other partition"):
        check([sound()] * 2, CORPUS)

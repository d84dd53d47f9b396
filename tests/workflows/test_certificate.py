"""A run certifies its partition before the first search, and whoever checks the result certifies it again."""

from __future__ import annotations

import json

import pytest

from runner.documents import digest
from runner.retrieval.certificate import certificate_of
from runner.shell import ROOT
from runner.workflows.reasons import uncertified
from tests.retrieval.small_benchmark import build_corpus, build_partition, unlike_rows
from tests.workflows.kept import Kept, edited

NAME = "certificate.json"


def test_the_certificate_is_kept_and_the_card_names_it(kept: Kept) -> None:
    card = json.loads(kept.files["scorecard.json"])
    found = json.loads(kept.files[NAME])
    assert card["partition"]["certificate"] == digest(kept.files[NAME])
    assert found["partitions"][0]["partition"] == card["versions"][0]["partition"]
    assert digest(kept.files[NAME]) in kept.files["scorecard.md"].decode()
    assert kept.statement.digests[NAME] == digest(kept.files[NAME])


def test_it_rests_on_no_place_of_the_machine(kept: Kept) -> None:
    """So it is the same wherever a result is checked."""
    assert str(ROOT).encode() not in kept.files[NAME]
    files = {f["file"] for line in json.loads(kept.files[NAME])["checks"] for f in (*line["findings"], *line["listed"])}
    assert files <= {"mambomeme-search-v1-development/queries.jsonl"}


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found.update(outcome="FAIL"),
        lambda found: found["corpus"].update(groups_free=0),
        lambda found: found["checks"][0]["figures"].update(files=99),
        lambda found: found["checks"].pop(),
    ],
)
def test_another_certificate_is_found(kept: Kept, change) -> None:
    status, words = kept.faults(edited(kept.files, NAME, change))
    assert (status, words.startswith(f"{NAME}: ")) == (1, True), words


def test_a_missing_certificate_is_found(kept: Kept) -> None:
    assert kept.faults({n: d for n, d in kept.files.items() if n != NAME}) == (1, f"{NAME}: missing.")


def test_what_the_check_finds_stands_against_the_card() -> None:
    corpus = build_corpus()
    rows = unlike_rows(corpus.digest)
    rows["queries.jsonl"][0]["template_groups"] = []
    rows["queries.jsonl"][1]["template_groups"] = ["group-none"]
    # 12 answers lie in 12 of 42 groups.
    assert list(uncertified(certificate_of(build_partition(corpus, rows), corpus))) == [
        f"{NAME}: the partition check finds named groups 3"
    ]
    assert list(uncertified(certificate_of(build_partition(corpus, unlike_rows(corpus.digest)), corpus))) == []

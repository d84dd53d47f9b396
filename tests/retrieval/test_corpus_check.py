"""`corpus check`: one changed byte makes another corpus, and says what it voids."""

from __future__ import annotations

import json

import pytest

from runner.documents import Source, digest
from runner.errors import BadInput
from runner.retrieval.corpora import parse_corpus
from runner.retrieval.corpus_check import Dependents, look_at_corpus, parse_corpus_files
from runner.retrieval.partitions import parse_partition
from tests.retrieval.small_benchmark import corpus_sources, default_items, lines, partition_sources


class Bench:
    """A corpus with art and overrides, its audit, and one partition with 868 judgements and 2 no-match audits."""

    def __init__(self, overrides=(), items=None) -> None:
        card, rows, audit = corpus_sources(items or default_items())
        self.sources = {
            "items.jsonl": rows,
            "art.jsonl": Source("art.jsonl", b"{}\n"),
            "group_overrides.jsonl": Source("group_overrides.jsonl", lines(overrides)),
        }
        pins = {name: digest(source.data) for name, source in self.sources.items() if name != "items.jsonl"}
        self.card = card._replace(data=json.dumps(json.loads(card.data) | {"sources": pins}).encode())
        corpus = parse_corpus(self.card, rows, audit, self.sources["group_overrides.jsonl"])
        self.made_for = corpus.digest
        self.dependents = Dependents(audit, (parse_partition(partition_sources(corpus)),))

    def change(self, name: str, old: bytes, new: bytes) -> None:
        source = self.sources[name]
        assert source.data.count(old) == 1
        self.sources[name] = source._replace(data=source.data.replace(old, new))

    def findings(self):
        return look_at_corpus(parse_corpus_files(self.card, self.sources), self.dependents)


def apart(one: str, other: str):
    return {"template_groups": [one, other], "reason": "a duck, a lamp", "reviewers": ["human:judge"]}


def test_the_pinned_corpus_voids_nothing():
    assert Bench().findings() == []


def test_one_changed_byte_voids_every_audit_and_judgement():
    bench = Bench()
    bench.change("items.jsonl", b"Title of x07", b"title of x07")
    now = digest(bench.sources["items.jsonl"].data)
    assert now != bench.made_for
    other = f"made for corpus {bench.made_for}, and this is {now}"
    acts = len(bench.dependents.partitions[0].judgements)
    assert [(each.check, each.file, each.line, each.reason) for each in bench.findings()] == [
        ("pinned", "items.jsonl", None, f"expected {bench.made_for}, found {now}"),
        ("safety audit", "safety_audit.jsonl", 1, f"42 safety classes void: {other}"),
        ("labels", "partition.json", None, f"partition void: {other}"),
        ("labels", "judgements.jsonl", 1, f"{acts} judgements void: {other}"),
        ("labels", "no_match_audits.jsonl", 1, f"2 no-match audits void: {other}"),
    ]


def test_a_single_stale_line_is_found_where_it_stands():
    bench = Bench()
    audit = bench.dependents.audit
    rows = audit.data.splitlines(keepends=True)
    stale = "sha256:" + "0" * 64
    rows[4] = rows[4].replace(bench.made_for.encode(), stale.encode())
    bench.dependents = bench.dependents._replace(audit=audit._replace(data=b"".join(rows)))
    (found,) = bench.findings()
    assert (found.check, found.line) == ("safety audit", 5)
    assert found.reason.startswith(f"1 safety class void: made for corpus {stale}")


def test_a_changed_source_is_found_and_voids_nothing():
    bench = Bench()
    bench.change("art.jsonl", b"{}\n", b"{ }\n")
    (found,) = bench.findings()
    assert (found.check, found.file) == ("pinned", "art.jsonl")


def test_a_source_that_is_gone():
    bench = Bench()
    del bench.sources["art.jsonl"]
    (found,) = bench.findings()
    assert str(found).startswith("art.jsonl: expected sha256:")
    assert str(found).endswith("found no such file")


def alike(*doc_ids: str):
    """The default items; those named share one picture."""
    rows = default_items()
    for row in rows:
        if row["doc_id"] in doc_ids:
            row["preview"]["phash"] = "0" * 16
    return rows


def test_groups_joined_by_likeness_beyond_two_templates_are_listed():
    (found,) = Bench(items=alike("x01", "x02", "x03")).findings()
    assert (found.check, found.ids) == ("joined groups", ("group-x01", "group-x02", "group-x03"))
    assert found.reason.startswith("3 items joined by likeness")
    overrides = [apart("group-x01", "group-x02"), apart("group-x01", "group-x03")]
    assert Bench(overrides, alike("x01", "x02", "x03")).findings() == []


def test_an_override_of_what_does_not_look_alike():
    (found,) = Bench([apart("group-x01", "group-x02")]).findings()
    assert (found.check, found.file, found.line) == ("overrides", "group_overrides.jsonl", 1)
    assert found.ids == ("group-x01", "group-x02")


def test_overrides_that_the_card_does_not_name_are_refused():
    card, items, audit = corpus_sources(default_items())
    with pytest.raises(BadInput, match=r"^group_overrides\.jsonl: expected a digest in the card, found sha256:"):
        parse_corpus(card, items, audit, Source("group_overrides.jsonl", b""))


def test_a_folder_without_items():
    card, _, _ = corpus_sources(default_items())
    with pytest.raises(BadInput, match=r"^corpus\.json: there is no items\.jsonl beside it"):
        parse_corpus_files(card, {})

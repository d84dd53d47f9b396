"""The corpus at its door (D4, D6)."""

from __future__ import annotations

import pytest

from runner.errors import BadInput
from runner.retrieval.corpora import parse_corpus
from tests.retrieval.small_benchmark import build_corpus, corpus_sources, item

RIGHTS = {"status": "cleared", "license": "CC0-1.0", "attribution": "someone", "source": "test"}


def test_serving_needs_policy_rights_and_privacy():
    corpus = build_corpus(
        [
            item("safe"),
            item("sensitive"),
            item("unsafe"),
            item("critical"),
            item("withdrawn", rights={**RIGHTS, "status": "withdrawn"}),
            item("missing", rights={**RIGHTS, "status": "missing"}),
            item("private", private_data=True),
        ],
        {"sensitive": "sensitive", "unsafe": "unsafe", "critical": "critical"},
    )
    assert corpus.serving == {"safe", "sensitive"}


def test_the_audit_decides_and_not_the_claim():
    corpus = build_corpus(
        [item("a", safety="unsafe"), item("b", safety="safe"), item("c", safety=None)], {"b": "unsafe"}
    )
    assert corpus.serving == {"a", "c"}


def refused(card, items, audit):
    with pytest.raises(BadInput) as caught:
        parse_corpus(card, items, audit)
    return str(caught.value)


def test_a_changed_item_changes_the_digest():
    card, items, audit = corpus_sources([item("a")])
    message = refused(card, items._replace(data=items.data.replace(b"Title", b"title")), audit)
    assert message.startswith("items.jsonl: expected sha256:")


def test_an_id_twice():
    assert "items.jsonl:3: doc_id a stands twice" in refused(*corpus_sources([item("a"), item("b"), item("a")]))


def test_an_item_without_audit():
    card, items, audit = corpus_sources([item("a"), item("b")])
    message = refused(card, items, audit._replace(data=audit.data.splitlines(keepends=True)[0]))
    assert "safety_audit.jsonl: no line for b (1 missing)" in message


def test_an_item_that_nobody_audited():
    card, items, audit = corpus_sources([item("a")])
    message = refused(card, items, audit._replace(data=audit.data.replace(b'["human:auditor"]', b"[]")))
    assert message.startswith("safety_audit.jsonl:1: auditors: ")


def test_an_audit_of_an_unknown_item():
    card, items, _ = corpus_sources([item("a")])
    _, _, audit = corpus_sources([item("z")])
    assert "safety_audit.jsonl:1: doc_id z is not in the corpus" in refused(card, items, audit)


def test_an_audit_of_another_corpus():
    card, items, _ = corpus_sources([item("a")])
    _, _, audit = corpus_sources([item("a", title="Another")])
    assert "safety_audit.jsonl:1: doc_id a was audited in sha256:" in refused(card, items, audit)


def test_an_item_audited_twice():
    card, items, audit = corpus_sources([item("a")])
    assert "safety_audit.jsonl:2: doc_id a is audited twice" in refused(
        card, items, audit._replace(data=audit.data * 2)
    )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"colour": "red"}, "colour"),
        ({"language": "english!"}, "language"),
        ({"title": ""}, "title"),
        ({"private_data": "no"}, "private_data"),
    ],
)
def test_a_field_that_is_wrong_is_named_with_its_line(change, field):
    assert refused(*corpus_sources([item("a"), item("b", **change)])).startswith(f"items.jsonl:2: {field}: ")

"""Each rule of `partition check` finds what it is there for, and says where."""

from __future__ import annotations

import pytest

from runner.documents import digest
from runner.errors import BadInput
from runner.retrieval.partition_check import admit, look
from runner.retrieval.partitions import parse_partition
from runner.retrieval.sizes import shortfalls
from runner.retrieval.words import normal
from tests.retrieval.small_benchmark import (
    FIELDS,
    NONE,
    act,
    build_corpus,
    build_partition,
    default_items,
    item,
    partition_sources,
    unlike_rows,
)

CORPUS = build_corpus([*default_items(), *(item(f"y{n:02}") for n in range(20))])
PICTURE = {"path": "previews/x.png", "digest": NONE, "phash": "0" * 16}


def rows():
    return unlike_rows(CORPUS.digest)


def findings(changed=None, corpus=CORPUS, **card):
    sources = partition_sources(CORPUS, changed or rows(), **card)
    return look(parse_partition(sources), corpus)


def the_one(changed=None, **card):
    """The only finding, as (check, file, line, ids)."""
    found = findings(changed, **card)
    assert len(found) == 1, [str(each) for each in found]
    return found[0].check, found[0].file, found[0].line, found[0].ids


def test_a_sound_partition_is_clean():
    assert findings() == ()


def test_a_changed_file():
    sources = partition_sources(CORPUS, rows())
    queries = sources["queries.jsonl"]
    sources["queries.jsonl"] = queries._replace(data=queries.data.replace(b"velvet", b"purple"))
    (found,) = look(parse_partition(sources), CORPUS)
    assert (found.check, found.file) == ("file digests", "queries.jsonl")
    assert digest(queries.data) in found.reason


def test_another_corpus():
    found = findings(corpus=build_corpus([*default_items(), *(item(f"z{n:02}") for n in range(20))]))
    assert {(each.check, each.file) for each in found} == {
        ("corpus digest", "partition.json"),
        ("corpus digest", "no_match_audits.jsonl"),
    }


def test_an_audit_of_another_corpus():
    changed = rows()
    changed["no_match_audits.jsonl"][1]["corpus_digest"] = NONE
    assert the_one(changed) == ("corpus digest", "no_match_audits.jsonl", 2, ("q-no_match-2",))


@pytest.mark.parametrize("file", ["queries.jsonl", "exact_targets.jsonl", "no_match_audits.jsonl"])
def test_a_line_that_stands_twice(file):
    changed = rows()
    changed[file].append(changed[file][0])
    found = [each for each in findings(changed) if each.check == "unique ids"]
    assert [(each.file, each.line, each.ids) for each in found] == [
        (file, len(changed[file]), (changed[file][0]["query_id"],))
    ]


def test_a_judged_item_that_the_corpus_lacks():
    changed = rows()
    changed["judgements.jsonl"].append(act("q-topic-1", "nobody", 0))
    line = len(changed["judgements.jsonl"])
    assert the_one(changed) == ("references", "judgements.jsonl", line, ("q-topic-1", "nobody"))


def test_a_judged_query_that_does_not_exist():
    changed = rows()
    changed["judgements.jsonl"].append(act("q-nothing", "x01", 0))
    assert the_one(changed) == ("references", "judgements.jsonl", len(changed["judgements.jsonl"]), ("q-nothing",))


def test_a_target_that_the_corpus_lacks():
    changed = rows()
    changed["exact_targets.jsonl"][0]["groups"].append(["nobody"])
    assert the_one(changed) == ("references", "exact_targets.jsonl", 1, ("q-entity-1", "nobody"))


def test_a_nearest_item_that_the_corpus_lacks():
    changed = rows()
    changed["no_match_audits.jsonl"][0]["nearest"] = ["nobody"]
    assert the_one(changed) == ("references", "no_match_audits.jsonl", 1, ("q-no_match-1", "nobody"))


def test_annotators_who_differ_without_a_third():
    changed = rows()
    changed["judgements.jsonl"] += [act("q-topic-1", "y01", 0), act("q-topic-1", "y01", 2, role="second")]
    (found,) = findings(changed)
    assert (found.check, found.line) == ("decided", len(changed["judgements.jsonl"]) - 1)
    assert found.ids == ("q-topic-1", "y01")
    assert str(found).endswith("q-topic-1 y01 the two annotators differ and no third decided. Add a third act.")


def with_qrels(change):
    """The sound partition with qrels.jsonl beside it, after `change` to its lines."""
    pairs = {(row["query_id"], row["doc_id"]): row for row in rows()["judgements.jsonl"]}
    qrels = [
        {"query_id": q, "doc_id": d, "grade": float(row["grade"]), "safety": "safe", "rule": "mean"}
        for (q, d), row in pairs.items()
    ]
    return findings({**rows(), "qrels.jsonl": change(qrels)})


def test_derived_grades_that_follow_are_clean():
    assert with_qrels(lambda qrels: qrels) == ()


def test_a_derived_grade_that_does_not_follow():
    (found,) = with_qrels(lambda qrels: [{**qrels[0], "grade": 2.5}, *qrels[1:]])
    assert (found.check, found.file, found.line, found.ids) == ("derived", "qrels.jsonl", 1, ("q-entity-1", "x01"))


def test_a_derived_grade_that_is_missing():
    (found,) = with_qrels(lambda qrels: qrels[1:])
    assert (found.check, found.line, found.ids) == ("derived", None, ("q-entity-1", "x01"))


def test_a_pinned_file_that_is_not_there():
    sources = partition_sources(CORPUS, {**rows(), "notes.jsonl": []})
    del sources["notes.jsonl"]
    (found,) = look(parse_partition(sources), CORPUS)
    assert (found.check, found.file, found.ids) == ("file digests", "partition.json", ("notes.jsonl",))


def test_an_answerable_query_without_a_relevant_item():
    changed = rows()
    changed["judgements.jsonl"] = [row for row in changed["judgements.jsonl"] if row["doc_id"] != "a-topic-1"]
    assert the_one(changed) == ("answers", "queries.jsonl", 5, ("q-topic-1",))


def test_a_relevant_item_that_may_not_be_shown_does_not_count():
    corpus = build_corpus([*default_items(), *(item(f"y{n:02}") for n in range(20))], {"a-topic-1": "unsafe"})
    found = look(parse_partition(partition_sources(corpus, unlike_rows(corpus.digest))), corpus)
    assert [(each.check, each.ids) for each in found] == [("answers", ("q-topic-1",))]


def test_an_entity_query_without_a_target():
    changed = rows()
    del changed["exact_targets.jsonl"][0]
    assert the_one(changed) == ("answers", "queries.jsonl", 1, ("q-entity-1",))


def test_a_no_match_query_without_an_audit():
    changed = rows()
    del changed["no_match_audits.jsonl"][0]
    assert the_one(changed) == ("absences", "queries.jsonl", 13, ("q-no_match-1",))


def test_a_no_match_query_that_something_answers():
    changed = rows()
    changed["judgements.jsonl"].append(act("q-no_match-1", "y01", 2))
    found = [each for each in findings(changed) if each.check == "absences"]
    assert [(each.line, each.ids) for each in found] == [(13, ("q-no_match-1", "y01"))]


@pytest.mark.parametrize("field", FIELDS)
def test_an_audit_that_left_a_field_out(field):
    changed = rows()
    changed["no_match_audits.jsonl"][1]["fields_checked"] = [name for name in FIELDS if name != field]
    (found,) = findings(changed)
    assert (found.check, found.file, found.line, found.ids) == (
        "audited",
        "no_match_audits.jsonl",
        2,
        ("q-no_match-2",),
    )
    assert found.reason == f"fields not checked: {field}"


def test_an_audit_that_found_something():
    changed = rows()
    changed["no_match_audits.jsonl"][0]["verdict"] = "a serving item is grade 2 or better"
    assert the_one(changed) == ("audited", "no_match_audits.jsonl", 1, ("q-no_match-1",))


@pytest.mark.parametrize(
    ("field", "value"),
    [("fields_checked", []), ("nearest", []), ("inspectors", []), ("verdict", "fine"), ("verdict", "")],
)
def test_an_audit_that_says_nothing_is_refused(field, value):
    changed = rows()
    changed["no_match_audits.jsonl"][1][field] = value
    with pytest.raises(BadInput, match=rf"^no_match_audits\.jsonl:2: {field}: "):
        findings(changed)


def test_a_safety_subset_without_queries():
    changed = rows()
    for row in changed["queries.jsonl"]:
        row["safety_flag"] = False
    assert {(each.check, each.reason) for each in findings(changed)} == {
        ("denominators", "no query of group 'safety'"),
        ("denominators", "no query of group 'safety, answerable'"),
    }


def test_slices_of_unequal_size():
    changed = rows()
    changed["queries.jsonl"] = [row for row in changed["queries.jsonl"] if row["query_id"] != "q-visual-2"]
    changed["judgements.jsonl"] = [row for row in changed["judgements.jsonl"] if row["query_id"] != "q-visual-2"]
    (found,) = findings(changed)
    assert (found.check, found.reason) == (
        "sizes",
        "slices are not balanced: entity 2, quote 2, topic 2, concept 2, visual 1, noisy 2",
    )


def test_a_small_partition_must_call_itself_provisional():
    found = findings(provisional=[])
    assert {each.check for each in found} == {"sizes"}
    assert "entity 2 of 15 queries, and partition.json gives no provisional reason" in found[0].reason


def test_shortfalls_name_what_is_missing():
    assert shortfalls(parse_partition(partition_sources(CORPUS, kind="hidden"))) == (
        "entity 2 of 30",
        "quote 2 of 30",
        "topic 2 of 30",
        "concept 2 of 30",
        "visual 2 of 30",
        "noisy 2 of 30",
        "no_match 2 of 60",
        "safety answerable 1 of 30",
        "safety no-match 1 of 10",
        "multi-cue 7 of 30",
    )


def test_a_count_that_is_wrong():
    assert the_one(counts={"entity": 2, "queries": 15}) == ("counts", "partition.json", None, ("counts.queries",))


def test_the_same_words_in_two_families():
    changed = rows()
    changed["queries.jsonl"][3]["text"] = "Lantern; by the HARBOUR!"
    assert the_one(changed) == ("near prompts", "queries.jsonl", 4, ("q-entity-1", "q-quote-2"))


def test_the_same_words_in_one_family_are_variants():
    changed = rows()
    changed["queries.jsonl"][3]["text"] = "Lantern; by the HARBOUR!"
    changed["queries.jsonl"][3]["family"] = "f-entity-1"
    assert findings(changed) == ()


def test_normal_text():
    assert normal("  WOW—such   Straße!! ") == "wow such strasse"


def test_a_group_that_is_used_but_not_named():
    changed = rows()
    changed["queries.jsonl"][0]["template_groups"] = []
    assert the_one(changed) == ("named groups", "queries.jsonl", 1, ("q-entity-1", "group-a-entity-1"))


def test_a_named_group_that_does_not_exist():
    changed = rows()
    changed["queries.jsonl"][0]["template_groups"].append("group-none")
    assert the_one(changed) == ("named groups", "queries.jsonl", 1, ("q-entity-1", "group-none"))


def test_development_uses_a_third_of_the_groups_at_most():
    at_the_edge = build_corpus(default_items()[:36])
    too_small = build_corpus(default_items()[:35])
    alike = build_corpus([*default_items()[:34], *(item(name, preview=PICTURE) for name in ("x98", "x99"))])
    assert len(at_the_edge.groups) == len(alike.groups) == 36
    too_much = ["uses 12 of 35 groups (look-alikes joined), more than a third"]
    for corpus, expected in ((at_the_edge, []), (too_small, too_much), (alike, too_much)):
        changed = unlike_rows(corpus.digest)
        changed["judgements.jsonl"] = [row for row in changed["judgements.jsonl"] if row["doc_id"] in corpus.items]
        found = look(parse_partition(partition_sources(corpus, changed)), corpus)
        assert [each.reason for each in found if each.check == "a third"] == expected


def test_the_public_example_is_kept_out_of_the_hidden_half():
    changed = rows()
    changed["queries.jsonl"][0]["text"] = "John Cena!!"
    assert the_one(changed, kind="hidden") == ("public example", "queries.jsonl", 1, ("q-entity-1",))
    assert findings(changed) == ()


def test_the_public_example_answers_no_hidden_query_either():
    items = [row | {"entities": ["John CENA"]} if row["doc_id"] == "a-topic-1" else row for row in default_items()]
    corpus = build_corpus(items)
    for kind, expected in (("hidden", [("q-topic-1", "a-topic-1")]), ("development", [])):
        found = look(parse_partition(partition_sources(corpus, unlike_rows(corpus.digest), kind=kind)), corpus)
        assert [each.ids for each in found if each.check == "public example"] == expected


def test_only_a_sound_partition_is_admitted():
    changed = rows()
    del changed["exact_targets.jsonl"][0]
    with pytest.raises(BadInput, match=r"queries\.jsonl:1: q-entity-1 no exact target"):
        build_partition(CORPUS, changed)


def test_a_poor_but_sound_partition_is_admitted():
    admit(parse_partition(partition_sources(CORPUS, provisional=[])), CORPUS)


def test_a_missing_file_is_named():
    sources = partition_sources(CORPUS, rows())
    del sources["exact_targets.jsonl"]
    with pytest.raises(BadInput, match=r"exact_targets\.jsonl: the partition has no such file"):
        parse_partition(sources)


def test_an_unknown_slice_is_named_with_its_line():
    changed = rows()
    changed["queries.jsonl"][2]["slice"] = "mood"
    with pytest.raises(BadInput, match=r"queries\.jsonl:3: slice: "):
        parse_partition(partition_sources(CORPUS, changed))

"""What other formats can hold comes back as it was, whatever it is; what is no such file is refused in one line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange import beir, topics, trec
from runner.retrieval.exchange.content import read_grades, read_requests
from runner.retrieval.topics import Slice, Topic

NAMES = st.text(min_size=1, max_size=8).filter(lambda name: name.split() == [name] and name.isprintable())
GRADES = st.dictionaries(
    NAMES, st.dictionaries(NAMES, st.sampled_from([0.0, 1.0, 2.0, 3.0]), min_size=1, max_size=5), min_size=1, max_size=5
)
LISTS = st.dictionaries(NAMES, st.lists(NAMES, unique=True, min_size=1, max_size=12).map(tuple), min_size=1, max_size=5)
IDS = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,31}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=76).filter(str.strip)
TOPICS = st.lists(
    st.builds(
        Topic,
        query_id=IDS,
        text=TEXTS,
        slice=st.sampled_from(Slice),
        family=st.text(max_size=5),
        safety_flag=st.booleans(),
        multi_cue_flag=st.booleans(),
        template_groups=st.lists(st.text(max_size=5), max_size=2).map(tuple),
        provenance=st.text(max_size=5),
    ),
    unique_by=lambda topic: topic.query_id,
    min_size=1,
    max_size=4,
).map(tuple)


@given(GRADES)
def test_whole_grades_come_back_from_trec(grades):
    written = trec.write_qrels("f", grades)
    assert trec.parse_qrels(Source("f", written.value)) == (grades, ())


@given(GRADES)
def test_whole_grades_come_back_from_beir(grades):
    safe = {q.replace('"', "'"): {d.replace('"', "'"): g for d, g in own.items()} for q, own in grades.items()}
    written = beir.write_qrels("f", safe)
    assert beir.parse_qrels(Source("f", written.value)) == (safe, ())


@given(LISTS, NAMES)
def test_lists_come_back_from_a_run_and_trec_eval_would_order_them_so(lists, tag):
    written = trec.write_run("f", trec.TrecRun(tag, lists))
    assert trec.parse_run(Source("f", written.value)) == (trec.TrecRun(tag, lists), ())


@given(TOPICS)
def test_topics_come_back_whole_from_beir(found):
    assert beir.parse_queries(Source("f", beir.write_queries(found))).value.whole == found


@given(TOPICS)
def test_words_come_back_from_tabs_always_and_from_the_classic_form_unless_it_says_otherwise(found):
    plain = tuple(topics.PlainTopic(query_id=topic.query_id, text=topic.text) for topic in found)
    tabbed = topics.write_tabbed("f", plain)
    assert topics.parse_tabbed(Source("f", tabbed.value)) == (plain, ())
    classic = topics.write_classic("f", plain)
    back = topics.parse_classic(Source("f", classic.value)).value
    changed = tuple(one.query_id for one, other in zip(plain, back, strict=True) if one != other)
    assert changed == (classic.remarks[0].ids if classic.remarks else ())


@given(st.binary(max_size=60) | st.text('q1ad0.\t\n\r <top>{}"', max_size=60).map(str.encode))
def test_whatever_the_bytes_are_they_are_read_or_refused_in_one_line(data):
    for read in (read_grades, read_requests, topics.parse_classic, topics.parse_tabbed, beir.parse_documents):
        words = refusal(read, Source("f", data))
        assert words is None or (words.startswith("f:") and not {"\n", "\r", "\x1b"} & set(words))


def refusal(read, source) -> str | None:
    """How `source` is refused, if it is."""
    try:
        read(source)
    except BadInput as refused:
        return str(refused)
    return None

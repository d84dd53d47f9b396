"""TREC topics in both forms."""

from __future__ import annotations

import pytest

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange.topics import PlainTopic, parse_classic, parse_tabbed, write_classic, write_tabbed

CLASSIC = """
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in
crime.

</top>
<TOP>
<num>302</num>
<title>
two lines,
one title
</title>
</TOP>
"""


def classic(text: str):
    return parse_classic(Source("topics.txt", text.encode()))


def tabbed(text: str):
    return parse_tabbed(Source("topics.tsv", text.encode()))


def topic(query_id: str, text: str) -> PlainTopic:
    return PlainTopic(query_id=query_id, text=text)


def test_number_and_title_are_taken_and_the_rest_is_named():
    read = classic(CLASSIC)
    assert read.value == (topic("301", "International Organized Crime"), topic("302", "two lines, one title"))
    assert [str(remark) for remark in read.remarks] == [
        "topics.txt: lost: only num and title are taken, not: <desc>",
    ]


def test_a_tag_within_a_line_is_text():
    assert classic("<top>\n<num> 1\n<title> a <b> </top> c\n</top>\n").value == (topic("1", "a <b> </top> c"),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\ufeff<top>\n", "topics.txt:1: starts with a byte order mark."),
        ("<top>\n<num> 1\n<title> x\n", "topics.txt:1: the topic is not closed."),
        ("<top>\n<num> 1\n<top>\n", "topics.txt:3: <top> within the topic of line 1."),
        ("x\n<top>\n", "topics.txt:1: stands outside <top>."),
        ("<top>\n<num> 1\n<title> x\n</top>\n<num> 2\n", "topics.txt:5: stands outside <top>."),
        ("<top>\nx\n", "topics.txt:2: text below no tag."),
        ("<top> <num> 1\n", "topics.txt:1: text after <top>."),
        ("<top>\n<num> 1\n<num> 2\n", "topics.txt:3: the topic has <num> twice."),
        ("<top>\n<num> 1\n</top>\n", "topics.txt:1: the topic has no text."),
        ("<top>\n<title> x\n</top>\n", "topics.txt:1: '' is no name for a file of columns."),
        ("<top>\n<num> 1 2\n<title> x\n</top>\n", "topics.txt:1: '1 2' is no name for a file of columns."),
        ("<top>\n<num> 1\n<title> x\n</top>\n" * 2, "topics.txt:5: 1 stands twice."),
        ("", "topics.txt: holds no topic."),
    ],
)
def test_classic_topics_that_are_none_are_refused(text, why):
    with pytest.raises(BadInput) as refused:
        classic(text)
    assert str(refused.value).startswith(why)
    assert refused.value.advice


def test_tabbed_topics_are_one_a_line():
    read = tabbed("q1\tjohn cena\r\nq2\t  you can't see me \n")
    assert read.value == (topic("q1", "john cena"), topic("q2", "  you can't see me "))
    assert [str(remark) for remark in read.remarks] == ["topics.tsv: warning: 1 line ends in CRLF, the first is 1"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("q1 no tab\n", "topics.tsv:1: has 0 tabs, not one between query and text."),
        ("q1\ta\nq2\tb\tc\n", "topics.tsv:2: has 2 tabs"),
        ("q1\t \n", "topics.tsv:1: the topic has no text."),
        ("\ta\n", "topics.tsv:1: '' is no name"),
        ("q1\ta\nq1\tb\n", "topics.tsv:2: q1 stands twice."),
    ],
)
def test_tabbed_topics_that_are_none_are_refused(text, why):
    with pytest.raises(BadInput) as refused:
        tabbed(text)
    assert str(refused.value).startswith(why)


def test_what_the_classic_form_changes_is_named_and_the_tabbed_form_holds_it():
    topics = [topic("q1", "plain"), topic("q2", " blank before"), topic("q3", "ends in </title>")]
    written = write_classic("topics.txt", topics)
    assert classic(written.value.decode()).value[0] == topics[0]
    assert [remark.ids for remark in written.remarks] == [("q2", "q3")]
    kept = write_tabbed("topics.tsv", topics)
    assert (tabbed(kept.value.decode()).value, kept.remarks) == (tuple(topics), ())


@pytest.mark.parametrize("write", [write_classic, write_tabbed])
@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\n</top>"])
def test_a_text_with_a_tab_or_line_end_is_not_written(write, text):
    with pytest.raises(BadInput, match="the text of q1 holds a tab or a line end"):
        write("topics", [topic("q1", text)])
